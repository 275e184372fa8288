// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.IntentStatus;
import org.sextant.sera.Firewall;
import org.sextant.sera.Versioned;
import org.sextant.sera.plan.Rules;

/** Finds the firewall and the rule of the numbers in a node's report. Reads the firewalls again after a change. */
final class FirewallLookup {
    private final Supplier<List<IntentStatus<Versioned>>> firewalls;
    private volatile @Nullable Map<Place, IntentStatus<Versioned>> known;

    private record Place(String node, int instance) {}

    /**
     * A rule, or the default.
     *
     * @param index of the rule, -1 for the default
     * @param rules those of the version in the node's report
     */
    record RuleOf(String id, int version, int index, Firewall rules) {
        String name() {
            return index < 0 ? Rules.DEFAULT_RULE : rules.rules().get(index).called(index);
        }
    }

    FirewallLookup(Supplier<List<IntentStatus<Versioned>>> firewalls) {
        this.firewalls = firewalls;
    }

    /** Discards the cached firewalls after a change. */
    void forget() {
        known = null;
    }

    Optional<IntentStatus<Versioned>> firewall(String node, int instance) {
        Map<Place, IntentStatus<Versioned>> places = known;
        if (places == null) {
            Map<Place, IntentStatus<Versioned>> fresh = new HashMap<>();
            firewalls
                    .get()
                    .forEach(status -> Meter.instance(status.plan())
                            .ifPresent(number -> fresh.put(
                                    new Place(
                                            status.intent().intent().firewall().node(), number),
                                    status)));
            known = fresh;
            places = fresh;
        }
        return Optional.ofNullable(places.get(new Place(node, instance)));
    }

    /** Empty if the numbers match no stored version. */
    Optional<RuleOf> rule(String node, int instance, int ruleSet, int priority) {
        int version = Rules.version(ruleSet);
        int index = Rules.index(priority);
        return firewall(node, instance)
                .flatMap(status -> status.intent()
                        .intent()
                        .version(version)
                        .filter(rules -> index >= -1 && index < rules.rules().size())
                        .map(rules -> new RuleOf(status.id(), version, index, rules)));
    }
}
