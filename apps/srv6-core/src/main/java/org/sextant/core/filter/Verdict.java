// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.Arrays;
import java.util.Optional;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;

/** The verdict of a rule for the packets that it matches. */
public enum Verdict {
    DROP("drop"),
    /** Accepts: on to the next segment, or the next uSID. */
    GO_NEXT("goNext"),
    /** Past the next function. */
    SKIP_NEXT("skipNext"),
    /** Continues at the last function. */
    GO_LAST("goLast"),
    /** The verdict in the arguments of the SID, see {@link #ofArguments}. */
    EVAL_ARGS("evalArgs");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    public Action contract() {
        return switch (this) {
            case DROP -> Actions.FW_DROP;
            case GO_NEXT -> Actions.FW_GO_NEXT;
            case SKIP_NEXT -> Actions.FW_SKIP_NEXT;
            case GO_LAST -> Actions.FW_GO_LAST;
            case EVAL_ARGS -> Actions.FW_EVAL_ARGS;
        };
    }

    /** The name in configurations and commands. */
    public String text() {
        return text;
    }

    public static Optional<Verdict> ofText(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }

    /** Empty if table {@code firewall} has no action of that name. */
    public static Optional<Verdict> ofAction(String name) {
        return Arrays.stream(values())
                .filter(one -> one.contract().name().equals(name))
                .findFirst();
    }

    /** The verdict that arguments of a SID encode; empty: the packet is dropped, and its sender gets an ICMP error. */
    public static Optional<Verdict> ofArguments(long arguments) {
        return arguments == 0
                ? Optional.of(GO_NEXT)
                : arguments == 1 ? Optional.of(SKIP_NEXT) : arguments == 2 ? Optional.of(GO_LAST) : Optional.empty();
    }
}
