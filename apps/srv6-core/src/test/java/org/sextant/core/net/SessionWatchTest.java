// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The network has a wait-to-restore of 10 s, and drains after 10 min. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionWatchTest {
    private static final Instant START = Instant.parse("2026-11-28T00:00:00Z");
    private static final Network NETWORK = described("");

    private SessionWatch watch = SessionWatch.START;
    private Instant now = START;
    private Optional<Instant> due = Optional.empty();

    /** The node x has no management address. */
    private static Network described(String setting) {
        return NetworkFile.parse("""
                {%s"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
                 "devices": {"a": {"basic": {"managementAddress": "grpc://127.0.0.1:1"}, "srv6": {"uSid": "0100"}},
                             "b": {"basic": {"managementAddress": "grpc://127.0.0.1:2"}, "srv6": {"uSid": "0200"}},
                             "x": {"srv6": {"uSid": "0300"}}},
                 "links": {"a/1-b/1": {}, "b/2-x/1": {}}}
                """.formatted(setting)).orThrow();
    }

    private SortedMap<String, Overload> look(Network network, String... sessions) {
        SessionWatch.Step step = watch.step(network, Set.of(sessions), now);
        watch = step.after();
        due = step.due();
        return step.overloads();
    }

    private SortedMap<String, Overload> look(String... sessions) {
        return look(NETWORK, sessions);
    }

    private void after(int seconds) {
        now = now.plusSeconds(seconds);
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    @Test
    void a_node_whose_session_is_lost_is_overloaded_at_once_and_drained_after_ten_minutes() {
        assertThat(look("a", "b")).isEmpty();
        after(100);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(100), false)));
        assertThat(due).contains(at(700));
        after(599);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(100), false)));
        after(1);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(100), true)));
        assertThat(due).isEmpty();
    }

    @Test
    void an_overload_ends_when_the_session_has_lasted_for_the_wait_to_restore() {
        look("a", "b");
        look("a");
        after(700);
        look("a");
        after(1);
        assertThat(look("a", "b")).isEqualTo(Map.of("b", new Overload(at(0), true)));
        assertThat(due).contains(at(711));
        after(9);
        assertThat(look("a", "b")).containsKey("b");
        after(1);
        assertThat(look("a", "b")).isEmpty();
        assertThat(due).isEmpty();
    }

    @Test
    void a_session_that_flaps_is_one_overload() {
        look("a", "b");
        for (int second = 0; second < 600; second += 4) {
            assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), false)));
            after(2);
            assertThat(look("a", "b")).isEqualTo(Map.of("b", new Overload(at(0), false)));
            after(2);
        }
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), true)));
    }

    @Test
    void a_new_node_has_a_minute_to_connect() {
        assertThat(look("a")).isEmpty();
        assertThat(due).contains(at(60));
        after(59);
        assertThat(look("a")).isEmpty();
        after(1);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), false)));
        assertThat(due).contains(at(600));
    }

    @Test
    void a_node_without_management_address_is_not_watched() {
        look("a", "b");
        after(10_000);
        assertThat(look("a", "b")).isEmpty();
    }

    @Test
    void nothing_is_overloaded_by_the_loss_of_all_sessions() {
        look("a", "b");
        assertThat(look()).isEmpty();
        after(3_600);
        assertThat(look()).isEmpty();
        assertThat(look("a")).isEmpty();
        assertThat(due).contains(at(3_660));
        after(60);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), false)));
        after(539);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), false)));
        after(1);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), true)));
    }

    @Test
    void nothing_is_drained_while_no_node_has_a_session() {
        look("a", "b");
        assertThat(look("a")).containsOnlyKeys("b");
        after(300);
        assertThat(look()).isEqualTo(Map.of("b", new Overload(at(0), false)));
        after(3_600);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), false)));
        assertThat(due).contains(at(4_500));
        after(600);
        assertThat(look("a")).isEqualTo(Map.of("b", new Overload(at(0), true)));
    }

    @Test
    void a_time_of_zero_drains_nothing() {
        Network never = described("\"drainAfterMillis\": 0, ");
        look(never, "a", "b");
        look(never, "a");
        after(100_000);
        assertThat(look(never, "a")).isEqualTo(Map.of("b", new Overload(at(0), false)));
        assertThat(due).isEmpty();
    }

    @Test
    void without_a_wait_an_overload_ends_with_the_session() {
        Network network = described("\"waitToRestoreMillis\": 0, ");
        look(network, "a", "b");
        assertThat(look(network, "a")).containsOnlyKeys("b");
        after(1);
        assertThat(look(network, "a", "b")).isEmpty();
    }

    @Test
    void a_clock_that_is_put_back_makes_no_wait_longer() {
        look("a", "b");
        look("a");
        now = START.minusSeconds(100_000);
        look("a", "b");
        after(10);
        assertThat(look("a", "b")).isEmpty();
    }

    /** The looks that are due are enough: more of them between change nothing. */
    @Test
    void whoever_looks_when_it_is_due_misses_nothing() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SessionWatch seldom = SessionWatch.START;
            SessionWatch often = SessionWatch.START;
            Optional<Instant> next = Optional.empty();
            TreeSet<String> sessions = new TreeSet<>();
            SortedMap<String, Overload> seen = new TreeMap<>();
            for (int second = 0; second < 6_000; second++) {
                Instant then = START.plusSeconds(second);
                boolean changed = random.nextInt(seed % 2 == 0 ? 20 : 600) == 0;
                if (changed) {
                    String node = random.nextBoolean() ? "a" : "b";
                    if (!sessions.remove(node)) {
                        sessions.add(node);
                    }
                }
                SessionWatch.Step all = often.step(NETWORK, sessions, then);
                often = all.after();
                if (second == 0
                        || changed
                        || next.filter(time -> !time.isAfter(then)).isPresent()) {
                    SessionWatch.Step step = seldom.step(NETWORK, sessions, then);
                    seldom = step.after();
                    seen = step.overloads();
                    next = step.due();
                }
                assertThat(seen).as("seed %s, second %s", seed, second).isEqualTo(all.overloads());
            }
        }
    }
}
