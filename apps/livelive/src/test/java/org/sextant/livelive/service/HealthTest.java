// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.IntentRef;
import org.sextant.livelive.plan.Taps;
import org.sextant.livelive.service.Health.State;

class HealthTest {
    private final Health health = new Health();
    private final Taps taps = new Taps("e1", "e2", 14, 5, 3, new TreeSet<>(Set.of(1, 2)), 0);
    private Instant now = Instant.EPOCH;

    /** A reading two seconds after the last one, by an ingress that copies every packet over both paths. */
    private List<Health.Event> take(long sent, Arrivals arrivals) {
        now = now.plusSeconds(2);
        Optional<IngressCounters> counted =
                Optional.of(new IngressCounters(sent, new TreeMap<>(Map.of(1, sent, 2, sent))));
        return health.take(new Reading(counted, Optional.of(arrivals), counted), taps, now);
    }

    /** A reading of the egress alone. */
    private List<Health.Event> take(Arrivals arrivals, Taps taps) {
        now = now.plusSeconds(2);
        return health.take(new Reading(Optional.empty(), Optional.of(arrivals), Optional.empty()), taps, now);
    }

    /** Cumulative first and duplicate counts of both paths. */
    private static Arrivals arrivals(long first1, long duplicate1, long first2, long duplicate2) {
        TreeMap<Integer, PathCounts> paths = new TreeMap<>();
        paths.put(1, counts(first1, duplicate1, 0));
        paths.put(2, counts(first2, duplicate2, 0));
        return new Arrivals(paths);
    }

    private static PathCounts counts(long first, long duplicate, long late) {
        return new PathCounts(first, duplicate, late, Collections.nCopies(PathCounts.CLASSES, 0L));
    }

    /** The worst case of a flow; no other path shows the failure. */
    @Test
    void a_flow_of_which_nothing_arrives_any_more_is_down_and_all_its_paths_are_silent() {
        take(0, arrivals(0, 0, 0, 0));
        assertThat(take(1000, arrivals(1000, 0, 0, 1000))).isEmpty();
        assertThat(health.state()).isEqualTo(State.DELIVERING);
        take(2000, arrivals(1000, 0, 0, 1000));
        assertThat(take(3000, arrivals(1000, 0, 0, 1000)))
                .extracting(Health.Event::message)
                .containsExactly(
                        "path 1 from e1 to e2 delivered none of the last 2000 packets",
                        "path 2 from e1 to e2 delivered none of the last 2000 packets",
                        "flow from e1 to e2 delivered none of the last 2000 packets, over no path");
        assertThat(health.state()).isEqualTo(State.DOWN);
        assertThat(health.state(1)).isEqualTo(State.SILENT);
        assertThat(health.lost()).hasValue(2000L);
        take(4000, arrivals(2000, 0, 0, 2000));
        assertThat(take(5000, arrivals(3000, 0, 0, 3000)))
                .extracting(Health.Event::state)
                .containsOnly(State.DELIVERING);
        assertThat(health.state()).isEqualTo(State.DELIVERING);
        assertThat(health.events()).hasSize(6);
    }

    /** A ping: the paths have too few packets for a verdict each, but certainly none of them delivers. */
    @Test
    void a_flow_of_one_packet_a_second_is_down_within_three_seconds() {
        Instant outage = Instant.EPOCH.plusSeconds(20);
        List<Health.Event> events = new ArrayList<>();
        for (Instant at = Instant.EPOCH; at.isBefore(outage.plusSeconds(10)); at = at.plusMillis(800)) {
            long sent = at.getEpochSecond();
            long came = Math.min(sent, outage.getEpochSecond());
            Optional<IngressCounters> counted =
                    Optional.of(new IngressCounters(sent, new TreeMap<>(Map.of(1, sent, 2, sent))));
            Reading reading = new Reading(counted, Optional.of(arrivals(came, 0, 0, came)), counted);
            events.addAll(health.take(reading, taps, at));
        }
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.state()).isEqualTo(State.DOWN);
            assertThat(event.at()).isBetween(outage, outage.plusSeconds(3));
        });
    }

    @Test
    void a_path_that_loses_most_is_lossy_although_something_comes() {
        take(0, arrivals(0, 0, 0, 0));
        for (int i = 1; i < 5; i++) {
            assertThat(take(i * 1000, arrivals(i * 1000, 0, 0, i * 50))).isEmpty();
        }
        assertThat(take(5000, arrivals(5000, 0, 0, 250))).singleElement().satisfies(event -> {
            assertThat(event.message()).isEqualTo("path 2 from e1 to e2 lost 4750 of the last 5000 packets or more");
            assertThat(event.report(new IntentRef("livelive", "video")).trouble())
                    .isTrue();
        });
        assertThat(health.state(1)).isEqualTo(State.DELIVERING);
        assertThat(health.state(2)).isEqualTo(State.LOSSY);
        assertThat(health.lost(2)).hasValue(4750L);
        assertThat(health.state()).isEqualTo(State.DELIVERING);
        assertThat(health.lost()).hasValue(0L);
    }

    @Test
    void packets_that_all_paths_lose_make_the_flow_lossy() {
        take(0, arrivals(0, 0, 0, 0));
        for (int i = 1; i < 5; i++) {
            take(i * 1000, arrivals(i * 900, 0, 0, i * 900));
        }
        assertThat(take(5000, arrivals(4500, 0, 0, 4500)))
                .extracting(Health.Event::message)
                .containsExactly("flow from e1 to e2 lost 500 of the last 5000 packets or more, on all paths");
        assertThat(health.state()).isEqualTo(State.LOSSY);
    }

    /** Late copies are of no use, so they do not bring a path up. */
    @Test
    void a_path_whose_copies_are_all_late_is_silent() {
        for (int i = 0; i < 4; i++) {
            TreeMap<Integer, PathCounts> paths = new TreeMap<>();
            paths.put(1, counts(i * 1000, 0, 0));
            paths.put(2, counts(0, 0, i * 1000));
            take(i * 1000, new Arrivals(paths));
        }
        assertThat(health.state(2)).isEqualTo(State.SILENT);
    }

    @Test
    void reports_of_the_two_ways_of_a_flow_are_about_different_things() {
        take(0, arrivals(0, 0, 0, 0));
        take(1000, arrivals(1000, 0, 0, 0));
        take(2000, arrivals(2000, 0, 0, 0));
        assertThat(health.events())
                .extracting(event ->
                        event.report(new IntentRef("livelive", "video")).subject())
                .containsExactly("path 2 from e1 to e2");
    }

    @Test
    void without_the_ingress_a_path_is_silent_while_the_others_deliver() {
        assertThat(take(arrivals(0, 0, 0, 0), taps)).isEmpty();
        assertThat(health.state(1)).isEqualTo(State.UNKNOWN);
        assertThat(take(arrivals(90, 10, 10, 90), taps)).isEmpty();
        assertThat(health.state(2)).isEqualTo(State.DELIVERING);
        take(arrivals(150, 10, 10, 90), taps);
        take(arrivals(190, 10, 10, 90), taps);
        assertThat(health.state(2)).isEqualTo(State.SILENT);
        assertThat(health.state()).isEqualTo(State.UNKNOWN);
        assertThat(health.lost()).isEmpty();
    }

    @Test
    void a_path_that_is_gone_has_no_state() {
        take(arrivals(0, 0, 0, 0), taps);
        take(arrivals(100, 0, 0, 0), taps);
        take(arrivals(150, 0, 0, 0), taps);
        assertThat(health.state(2)).isEqualTo(State.SILENT);
        take(arrivals(200, 0, 0, 0), new Taps("e1", "e2", 14, 5, 3, new TreeSet<>(Set.of(1)), 0));
        assertThat(health.state(2)).isEqualTo(State.UNKNOWN);
    }

    /** A page that is refreshed all the time makes such readings. */
    @Test
    void readings_beside_each_other_show_losses_and_judge_nothing() {
        take(0, arrivals(0, 0, 0, 0));
        take(1000, arrivals(1000, 0, 0, 1000));
        Optional<IngressCounters> earlier =
                Optional.of(new IngressCounters(900, new TreeMap<>(Map.of(1, 900L, 2, 900L))));
        health.show(new Reading(earlier, Optional.of(arrivals(850, 0, 0, 800)), earlier), taps);
        assertThat(health.lost()).hasValue(50L);
        assertThat(health.lost(2)).hasValue(100L);
        assertThat(take(2000, arrivals(2000, 0, 0, 2000))).isEmpty();
        assertThat(health.lost()).hasValue(0L);
    }

    @Test
    void a_share_of_wins_is_one_of_what_was_delivered() {
        assertThat(arrivals(70, 20, 30, 40).delivered()).isEqualTo(100);
        assertThat(arrivals(70, 20, 30, 40).winShare(1)).isEqualTo(0.7);
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
