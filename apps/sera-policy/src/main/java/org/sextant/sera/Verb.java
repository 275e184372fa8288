// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

/** The action of a rule (SERA paper, V-B). */
public enum Verb {
    /** Forward to the next segment or uSID. */
    ACCEPT("accept"),
    DROP("drop"),
    /** Skip the next function. */
    SKIP_NEXT("skipNext"),
    /** Forward to the last segment or function. */
    GO_LAST("goLast"),
    /** The action in the arguments of the firewall's SID. */
    EVAL_ARGS("evalArgs");

    private final String spelling;

    Verb(String spelling) {
        this.spelling = spelling;
    }

    /** The spelling in JSON. */
    public String spelling() {
        return spelling;
    }

    /** Is true if a firewall in basic mode has this action. */
    public boolean basic() {
        return this == ACCEPT || this == DROP;
    }
}
