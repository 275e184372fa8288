// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.List;

/**
 * A finding about a rule in relation to others.
 *
 * @param rule its index
 * @param by the indexes of the rules that decide instead, before it or behind it; of a correlated rule, those it is
 *     correlated with
 */
public record RuleFinding(Code code, int rule, List<Integer> by) {
    public RuleFinding {
        by = List.copyOf(by);
    }

    /** The common classes of anomalies in firewall rules. */
    public enum Code {
        /** The rule never decides: rules before it decide all of its packets, at least one of them differently. */
        SHADOWED,
        /** Without the rule no packet would be decided differently. */
        REDUNDANT,
        /** The rule and one before it share some packets, each has others, and their actions differ. */
        CORRELATED,
        /** The analysis of the rule would exceed its budget. */
        UNDECIDED
    }
}
