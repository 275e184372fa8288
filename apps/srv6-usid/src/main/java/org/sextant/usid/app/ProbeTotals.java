// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import java.util.Collection;
import java.util.Map;
import java.util.OptionalDouble;
import org.sextant.core.history.Amount;
import org.sextant.core.port.LivenessTelemetry.Seen;

/**
 * The counters of the probes of lists.
 *
 * @param lists the number of lists
 * @param delayMicros round trip, on average; empty while no probe has returned
 */
record ProbeTotals(int lists, long sent, long lost, OptionalDouble delayMicros) {

    static ProbeTotals of(Collection<Seen> lists) {
        return new ProbeTotals(
                lists.size(),
                lists.stream().mapToLong(list -> list.measured().sent()).sum(),
                lists.stream().mapToLong(list -> list.measured().lost()).sum(),
                lists.stream()
                        .flatMap(list -> list.measured().delay().stream())
                        .mapToLong(delay -> delay.average())
                        .average());
    }

    void amounts(Map<String, Amount> amounts) {
        amounts.put("lossPercent", new Amount.Share(lost, sent));
        delayMicros.ifPresent(micros -> amounts.put("delayMicros", new Amount.Level(micros)));
    }
}
