// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.history.Amount;
import org.sextant.core.history.Reading;

/**
 * The measurements of apps, by a rule that knows no app: {@code packetsPerSecond} of {@code policy:gold} is {@code
 * sextant_policy_packets_total{policy="gold"}}, as the app counts, and not a rate. Units become base units.
 */
final class MeasuredMetrics {
    private static final Pattern QUANTITY = Pattern.compile("([a-z][A-Za-z]*?)(PerSecond|Micros|Percent)");
    private static final double MICROS = 1e6;
    private static final String HELP = "Measured by the app of this kind.";

    private MeasuredMetrics() {}

    static void collect(Collection<Reading> readings, Scrape scrape) {
        for (Reading reading : readings) {
            int colon = reading.of().indexOf(':');
            String kind = reading.of().substring(0, colon);
            String thing = reading.of().substring(colon + 1);
            reading.amounts().forEach((quantity, amount) -> {
                Matcher name = QUANTITY.matcher(quantity);
                if (name.matches()) {
                    add(scrape, kind, thing, snake(name.group(1)), amount);
                }
            });
        }
    }

    private static void add(Scrape scrape, String kind, String thing, String name, Amount amount) {
        String base = "sextant_" + kind + "_" + name;
        if (amount instanceof Amount.Counter counter) {
            scrape.measured(base, Metric.Type.COUNTER, HELP, kind).add(counter.count(), thing);
        } else if (amount instanceof Amount.Level level) {
            scrape.measured(base + "_seconds", Metric.Type.GAUGE, HELP, kind).add(level.value() / MICROS, thing);
        } else if (amount instanceof Amount.Share share) {
            scrape.measured(base + "_part", Metric.Type.COUNTER, HELP, kind).add(share.part(), thing);
            scrape.measured(base + "_whole", Metric.Type.COUNTER, HELP, kind).add(share.whole(), thing);
        }
    }

    private static String snake(String camel) {
        return camel.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
