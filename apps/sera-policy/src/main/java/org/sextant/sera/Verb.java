// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

/** What a rule has done with a packet that it takes (SERA paper, V-B). */
public enum Verb {
    /** On to the next segment or uSID. */
    ACCEPT("accept"),
    DROP("drop"),
    /** Past the next function. */
    SKIP_NEXT("skipNext"),
    /** To the last segment or function. */
    GO_LAST("goLast"),
    /** What the arguments of the firewall's SID say. */
    EVAL_ARGS("evalArgs");

    private final String spelling;

    Verb(String spelling) {
        this.spelling = spelling;
    }

    /** As JSON writes it. */
    public String spelling() {
        return spelling;
    }

    /** Whether a firewall in basic mode has it. */
    public boolean basic() {
        return this == ACCEPT || this == DROP;
    }
}
