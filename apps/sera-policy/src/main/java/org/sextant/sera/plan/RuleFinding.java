// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.List;

/**
 * What is noticeable about a rule beside others.
 *
 * @param rule its index
 * @param by the indexes of the rules that decide instead, before it or behind it; of a correlated rule, those it is correlated
 *     with
 */
public record RuleFinding(Code code, int rule, List<Integer> by) {
    public RuleFinding {
        by = List.copyOf(by);
    }

    /** The classes of what firewalls are commonly told about their rules. */
    public enum Code {
        /** The rule never decides: rules before it decide about all of its packets, at least one of them otherwise. */
        SHADOWED,
        /** Without the rule no packet would be decided otherwise. */
        REDUNDANT,
        /** It takes some packets of a rule before it, that one takes some of its, and they do different things. */
        CORRELATED,
        /** The analysis of the rule would exceed its budget. */
        UNDECIDED
    }
}
