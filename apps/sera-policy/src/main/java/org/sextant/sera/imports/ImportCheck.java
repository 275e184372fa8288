// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.ProblemException;
import org.sextant.kit.Metadata;
import org.sextant.sera.Firewall;
import org.sextant.sera.FirewallShape;
import org.sextant.sera.Groups;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;
import org.sextant.sera.plan.RuleRows;

/**
 * Checks that an imported rule can be posted. An invalid one would cause the rejection of the whole firewall, with a
 * pointer into JSON that no operator wrote.
 */
final class ImportCheck {
    private ImportCheck() {}

    /** The fault of the rule; empty if it has none. */
    static Optional<String> fault(Rule rule) {
        Firewall alone = new Firewall(
                "one",
                "one",
                true,
                Verb.DROP,
                false,
                Firewall.DEFAULT_FLOWS,
                new TreeMap<>(),
                List.of(rule),
                Metadata.NONE);
        try {
            FirewallShape.FIREWALL.decode(FirewallShape.FIREWALL.write(alone));
        } catch (ProblemException e) {
            return Optional.of(e.problems().get(0).message());
        }
        long rows = rows(rule);
        return rows > Firewall.MOST_ROWS
                ? Optional.of("it comes to " + rows + " rows, and a firewall has " + Firewall.MOST_ROWS + " at most")
                : Optional.empty();
    }

    /** The number of table entries of the rule on a node. */
    static long rows(Rule rule) {
        return new RuleRows(rule, new Groups(new TreeMap<>())).count();
    }

    /** True if no packet can match the rule. */
    static boolean isVain(Rule rule) {
        return new RuleRows(rule, new Groups(new TreeMap<>())).boxes().isEmpty();
    }
}
