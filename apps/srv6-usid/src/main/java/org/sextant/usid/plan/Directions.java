// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Comparator;
import java.util.List;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Bindings;
import org.sextant.kit.path.Firewalls;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Explicit;

/** Resolves a policy into its directions: forward and back over IPv6, then over IPv4. Empty if there are problems. */
final class Directions {
    private Directions() {}

    /** @param at the JSON pointer of a candidate path in the policy, else empty */
    static List<Direction> of(
            Policy policy, Underlay underlay, Findings findings, Firewalls firewalls, Bindings bindings, String at) {
        List<Direction> all = policy.path() instanceof Between form
                ? new HostToHostDirections(policy, form, underlay, findings, firewalls).all()
                : new ExplicitDirections(policy, (Explicit) policy.path(), underlay, findings, firewalls, bindings, at)
                        .all();
        return findings.clean()
                ? all.stream()
                        .sorted(Comparator.comparing(Direction::family).thenComparing(Direction::index))
                        .toList()
                : List.of();
    }
}
