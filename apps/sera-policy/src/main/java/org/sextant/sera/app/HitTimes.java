// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.port.DataPlane.Counters;

/**
 * Derives times from successive readings of a firewall's counters: if the node does not measure the last hit, it lies
 * between the last two readings that differ; and a node with lower counters than before has reset them since the last
 * reading.
 */
final class HitTimes {
    /** The maximum number of firewalls, the most recently shown ones. */
    private static final int MOST = 256;

    private final Map<String, Reading> last = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reading> eldest) {
            return size() > MOST;
        }
    };

    /**
     * The interval of a rule's last hit.
     *
     * @param after empty if it was hit before the first reading
     */
    record Window(Optional<Instant> after, Instant before) {}

    /**
     * One reading.
     *
     * @param windows of the rules that were hit
     * @param anew the time of the first reading with lower counters than before
     */
    record Reading(
            int version,
            Instant at,
            Map<Integer, Counters> rules,
            Map<Integer, Window> windows,
            Optional<Instant> anew) {}

    /** Adds a reading and returns its result; {@code rules} by their index. */
    synchronized Reading look(String firewall, int version, Map<Integer, Counters> rules, Instant now) {
        Optional<Reading> before = Optional.ofNullable(last.get(firewall)).filter(one -> one.version() == version);
        boolean fewer = before.isPresent()
                && before.get().rules().entrySet().stream()
                        .anyMatch(rule ->
                                packets(rules, rule.getKey()) < rule.getValue().packets());
        Map<Integer, Window> windows = new HashMap<>();
        rules.forEach((rule, counters) -> {
            if (counters.packets() > 0) {
                boolean same =
                        !fewer && before.isPresent() && packets(before.get().rules(), rule) == counters.packets();
                windows.put(
                        rule,
                        same
                                ? Objects.requireNonNull(before.get().windows().get(rule))
                                : new Window(before.map(Reading::at), now));
            }
        });
        Optional<Instant> anew = fewer ? Optional.of(now) : before.flatMap(Reading::anew);
        Reading reading = new Reading(version, now, Map.copyOf(rules), Map.copyOf(windows), anew);
        last.put(firewall, reading);
        return reading;
    }

    private static long packets(Map<Integer, Counters> rules, int rule) {
        return Optional.ofNullable(rules.get(rule)).map(Counters::packets).orElse(0L);
    }
}
