// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.List;

/**
 * What is noticeable about a rule beside others.
 *
 * @param rule its index
 * @param by the indexes of rules before it, or behind it where it is redundant for these
 */
public record RuleFinding(Code code, int rule, List<Integer> by) {
    public RuleFinding {
        by = List.copyOf(by);
    }

    /** The classes of what firewalls are commonly told about their rules. */
    public enum Code {
        /** It never decides: rules before it take all of its packets, and at least one of them does something else. */
        SHADOWED,
        /** Without it nothing would be decided otherwise. */
        REDUNDANT,
        /** It takes some packets of a rule before it, that one takes some of its, and they do different things. */
        CORRELATED,
        /** It would have been too much work to find out. */
        UNDECIDED
    }
}
