// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.IntentRef;
import org.sextant.livelive.plan.Taps;

class HealthTest {
    private final Health health = new Health();
    private Instant now = Instant.EPOCH;
    private final Taps taps = new Taps("e1", "e2", 14, 5, 3, new TreeSet<>(Set.of(1, 2)));

    /** A reading two seconds behind the last one. */
    private List<Health.Event> take(Arrivals arrivals, Taps taps) {
        now = now.plusSeconds(2);
        return health.take(arrivals, taps, now);
    }

    /** Cumulative first and duplicate counts of both paths. */
    private static Arrivals arrivals(long first1, long duplicate1, long first2, long duplicate2) {
        TreeMap<Integer, PathCounts> paths = new TreeMap<>();
        paths.put(1, counts(first1, duplicate1));
        paths.put(2, counts(first2, duplicate2));
        return new Arrivals(paths);
    }

    private static PathCounts counts(long first, long duplicate) {
        return new PathCounts(first, duplicate, 0, Collections.nCopies(PathCounts.CLASSES, 0L));
    }

    @Test
    void a_path_that_stops_while_the_others_deliver_is_silent_once_and_comes_back_once() {
        assertThat(take(arrivals(0, 0, 0, 0), taps)).isEmpty();
        assertThat(health.state(1)).isEqualTo(Health.State.UNKNOWN);
        assertThat(take(arrivals(90, 10, 10, 90), taps)).isEmpty();
        assertThat(health.state(2)).isEqualTo(Health.State.DELIVERING);
        assertThat(take(arrivals(150, 10, 10, 90), taps)).isEmpty();
        assertThat(take(arrivals(190, 10, 10, 90), taps))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.path()).isEqualTo(2);
                    assertThat(event.state()).isEqualTo(Health.State.SILENT);
                    assertThat(event.message())
                            .isEqualTo("path 2 from e1 to e2 delivered none of the last 100 packets; the others did");
                    assertThat(event.report(new IntentRef("livelive", "video")).trouble()).isTrue();
                });
        assertThat(take(arrivals(290, 10, 10, 90), taps)).isEmpty();
        assertThat(take(arrivals(390, 10, 10, 91), taps))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).isEqualTo("path 2 from e1 to e2 delivers again"));
        assertThat(health.events()).hasSize(2);
    }

    @Test
    void a_flow_that_pauses_has_no_silent_paths() {
        take(arrivals(90, 10, 10, 90), taps);
        take(arrivals(90, 10, 10, 90), taps);
        assertThat(take(arrivals(99, 10, 10, 90), taps)).isEmpty();
        assertThat(health.state(2)).isEqualTo(Health.State.UNKNOWN);
    }

    @Test
    void few_packets_at_a_time_add_up() {
        take(arrivals(0, 0, 0, 0), taps);
        for (int i = 1; i < 20; i++) {
            assertThat(take(arrivals(i, 0, 0, 0), taps)).isEmpty();
        }
        assertThat(take(arrivals(20, 0, 0, 0), taps)).hasSize(1);
    }

    /** A path that takes 200 ms longer than the others, when the flow begins. */
    @Test
    void a_path_that_is_only_slower_is_not_silent() {
        take(arrivals(0, 0, 0, 0), taps);
        assertThat(take(arrivals(40, 0, 0, 0), taps)).isEmpty();
        assertThat(health.take(arrivals(60, 0, 0, 0), taps, now.plusMillis(100))).isEmpty();
        assertThat(take(arrivals(440, 0, 0, 400), taps)).isEmpty();
        assertThat(health.state(2)).isEqualTo(Health.State.DELIVERING);
    }

    @Test
    void a_path_that_is_gone_has_no_state() {
        take(arrivals(0, 0, 0, 0), taps);
        take(arrivals(100, 0, 0, 0), taps);
        take(arrivals(150, 0, 0, 0), taps);
        assertThat(health.state(2)).isEqualTo(Health.State.SILENT);
        take(arrivals(200, 0, 0, 0), new Taps("e1", "e2", 14, 5, 3, new TreeSet<>(Set.of(1))));
        assertThat(health.state(2)).isEqualTo(Health.State.UNKNOWN);
    }

    @Test
    void a_node_that_begins_anew_counts_from_zero() {
        assertThat(counts(5, 5).since(counts(100, 100)).first()).isEqualTo(5);
        assertThat(counts(105, 100).since(counts(100, 100)).arrived()).isEqualTo(5);
    }

    @Test
    void lost_on_a_path_is_what_was_delivered_and_did_not_come_over_it() {
        Arrivals now = arrivals(70, 20, 30, 40);
        assertThat(now.delivered()).isEqualTo(100);
        assertThat(now.lost(1)).isEqualTo(10);
        assertThat(now.lost(2)).isEqualTo(30);
        assertThat(now.winShare(1)).isEqualTo(0.7);
    }

    @Test
    void delays_are_told_by_the_end_of_their_class() {
        Long[] classes = new Long[16];
        Arrays.fill(classes, 0L);
        classes[0] = 50L;
        classes[3] = 49L;
        classes[15] = 1L;
        PathCounts counts = new PathCounts(0, 100, 0, Arrays.asList(classes));
        assertThat(counts.behindMicros(0.5)).hasValue(128);
        assertThat(counts.behindMicros(0.99)).hasValue(1024);
        assertThat(counts.behindMicros(1)).isEmpty();
        assertThat(PathCounts.NONE.behindMicros(0.5)).isEmpty();
    }
}
