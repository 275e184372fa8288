// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The metrics of one scrape, as its sources add them; used by one thread. */
final class Scrape {
    private final Map<Metric, Family> families = new EnumMap<>(Metric.class);
    private final SortedMap<String, Family> measured = new TreeMap<>();

    Family of(Metric metric) {
        return families.computeIfAbsent(metric, Metric::family);
    }

    /** A metric that an app declares by its measurements. */
    Family measured(String name, Metric.Type type, String help, String label) {
        return measured.computeIfAbsent(name, none -> new Family(name, type, help, List.of(label)));
    }

    MetricSnapshots snapshots() {
        List<Family> all = new ArrayList<>(families.values());
        all.addAll(measured.values());
        Family leftOut = of(Metric.LEFT_OUT);
        all.stream()
                .filter(family -> family.leftOut() > 0)
                .forEach(family -> leftOut.add(family.leftOut(), family.name()));
        all.add(leftOut);
        return new MetricSnapshots(all.stream()
                .distinct()
                .filter(family -> !family.isEmpty())
                .map(Family::snapshot)
                .toArray(MetricSnapshot[]::new));
    }
}
