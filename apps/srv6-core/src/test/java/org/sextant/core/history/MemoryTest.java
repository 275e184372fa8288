// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.history.Amount.Counter;
import org.sextant.core.history.Amount.Level;
import org.sextant.core.history.Amount.Share;

/** The controller's memory as docs/reference/history.md states it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MemoryTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final long SECOND = 1_000_000_000L;

    /** All allocated memory, including the part that is freed at once: the retained part is smaller. */
    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void three_thousand_links_and_two_thousand_policies_fit_in_forty_mebibytes() {
        List<Reading> readings = readings(1);
        History history = new History(24_000);
        long bytes = allocatedBy(() -> history.take(0, readings));
        assertThat(history.series()).isEqualTo(6000 * 2 + 2000 * 4);
        assertThat(history.leftOut()).isZero();
        assertThat(bytes).isLessThan(40 * MEBIBYTE);
        assertThat(bytes / history.series()).as("bytes of a series").isLessThan(1900);
    }

    @Test
    void an_hour_later_it_is_no_more() {
        History history = new History(24_000);
        history.take(0, readings(1));
        long most = 0;
        for (int step = 1; step < 20; step++) {
            List<Reading> readings = readings(step + 1);
            int now = step;
            most = Math.max(most, allocatedBy(() -> history.take(now * 10 * SECOND, readings)));
        }
        assertThat(history.series()).isEqualTo(20_000);
        assertThat(most).as("what a round needs and gives back").isLessThan(10 * MEBIBYTE);
    }

    private static List<Reading> readings(int moment) {
        List<Reading> readings = new ArrayList<>();
        IntStream.range(0, 6000)
                .forEach(i -> readings.add(new Reading(
                        "link:n" + i + "/1-n" + i / 2 + "/2",
                        "n",
                        moment,
                        Map.of("bytesPerSecond", new Counter(moment), "packetsPerSecond", new Counter(moment)))));
        IntStream.range(0, 2000)
                .forEach(i -> readings.add(new Reading(
                        "policy:p" + i,
                        "n",
                        moment,
                        Map.of(
                                "bytesPerSecond", new Counter(moment),
                                "packetsPerSecond", new Counter(moment),
                                "delayMicros", new Level(moment),
                                "lossPercent", new Share(0, moment)))));
        return readings;
    }
}
