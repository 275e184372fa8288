// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LinkRestorationTest {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Network DESCRIBED = NetworkFile.parse("""
            {"waitToRestoreMillis": 10000,
             "apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {"a": {"srv6": {"uSid": "0100"}}, "b": {"srv6": {"uSid": "0200"}}},
             "links": {"a/1-b/1": {}, "a/2-b/2": {}}}
            """).orThrow();

    /** a-b and b-c, and two links from c to d. */
    private static final Network CHAIN = NetworkFile.parse("""
            {"waitToRestoreMillis": 10000,
             "apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {"a": {"srv6": {"uSid": "0100"}}, "b": {"srv6": {"uSid": "0200"}},
                         "c": {"srv6": {"uSid": "0300"}}, "d": {"srv6": {"uSid": "0400"}}},
             "links": {"a/1-b/1": {}, "b/2-c/1": {}, "c/2-d/1": {}, "c/3-d/2": {}}}
            """).orThrow();

    private LinkRestoration restoration = LinkRestoration.START;
    private Instant now = Instant.parse("2026-11-27T00:00:00Z");
    private Network network = Network.EMPTY;

    private boolean used(boolean seenUp) {
        LinkRestoration.Step step = restoration.step(seen(DESCRIBED, seenUp), now);
        restoration = step.after();
        network = step.network();
        List<Boolean> directions = Stream.of("a/1-b/1", "b/1-a/1")
                .map(link -> upIn(network, link))
                .distinct()
                .toList();
        assertThat(directions).hasSize(1);
        return directions.get(0);
    }

    private static boolean upIn(Network network, String link) {
        return network.links().stream()
                .filter(one -> one.id().equals(link))
                .findFirst()
                .orElseThrow()
                .up();
    }

    /** The link between ports 1 of a and b up or down, beside one that is always up. */
    private static Network seen(Network described, boolean up) {
        return up ? described : without(described, "a/1-b/1", "b/1-a/1");
    }

    /** With these links down. */
    private static Network without(Network described, String... down) {
        return new Network(
                described.nodes().values(),
                described.links().stream()
                        .map(link -> link.withUp(!Set.of(down).contains(link.id())))
                        .toList(),
                described.hosts().values(),
                described.rules());
    }

    private List<String> usedOf(Network seen) {
        LinkRestoration.Step step = restoration.step(seen, now);
        restoration = step.after();
        network = step.network();
        return network.links().stream()
                .filter(Link::up)
                .map(Link::id)
                .filter(id -> id.compareTo(id.replaceFirst("(.*)-(.*)", "$2-$1")) < 0)
                .toList();
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    /** Seconds until a link that is up is used again. */
    private long restored() {
        for (long seconds = 0; seconds < 1000; seconds++) {
            if (used(true)) {
                return seconds;
            }
            pass(Duration.ofSeconds(1));
        }
        throw new AssertionError("never");
    }

    /** The vectors that the agent's rule for ports is held to as well. */
    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        JsonNode file = new ObjectMapper()
                .readTree(Path.of("../../conformance/vectors/restoration.json").toFile());
        return StreamSupport.stream(file.get("vectors").spliterator(), false)
                .map(vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> look(vector)));
    }

    private static void look(JsonNode vector) {
        Network described = new Network(
                DESCRIBED.nodes().values(),
                DESCRIBED.links(),
                DESCRIBED.hosts().values(),
                new LinkRules(false, Duration.ofMillis(vector.get("waitMillis").longValue())));
        LinkRestoration restoration = LinkRestoration.START;
        for (JsonNode look : vector.get("looks")) {
            boolean up = look.get(1).booleanValue();
            LinkRestoration.Step step = restoration.step(
                    seen(described, up), Instant.EPOCH.plusMillis(look.get(0).longValue()));
            restoration = step.after();
            assertThat(upIn(step.network(), "a/1-b/1"))
                    .as("%s", look)
                    .isEqualTo(look.get(2).booleanValue());
        }
    }

    @Test
    void without_a_wait_the_network_is_used_as_it_is_seen() {
        Network plain = seen(
                new Network(
                        DESCRIBED.nodes().values(),
                        DESCRIBED.links(),
                        DESCRIBED.hosts().values()),
                true);
        assertThat(LinkRestoration.START.step(plain, now).network()).isSameAs(plain);
    }

    @Test
    void a_link_that_is_new_is_used_at_once() {
        assertThat(used(true)).isTrue();
    }

    @Test
    void a_link_that_was_down_from_the_beginning_waits() {
        used(false);
        assertThat(restored()).isEqualTo(10);
    }

    @Test
    void a_lost_link_is_down_at_once_and_waits_when_it_is_back() {
        used(true);
        assertThat(used(false)).isFalse();
        assertThat(network.restores()).isEmpty();
        pass(Duration.ofHours(1));
        assertThat(used(true)).isFalse();
        assertThat(network.restores()).containsOnlyKeys("a/1-b/1", "b/1-a/1").containsValue(now.plus(WAIT));
        pass(WAIT.minusMillis(1));
        assertThat(used(true)).isFalse();
        pass(Duration.ofMillis(1));
        assertThat(used(true)).isTrue();
        assertThat(network.restores()).isEmpty();
    }

    @Test
    void the_wait_begins_anew_with_each_loss() {
        used(true);
        used(false);
        for (int i = 0; i < 20; i++) {
            used(true);
            pass(WAIT.minusSeconds(1));
            assertThat(used(false)).isFalse();
        }
        assertThat(restored()).isEqualTo(10);
    }

    @Test
    void a_link_that_is_lost_soon_after_it_was_restored_waits_twice_as_long_up_to_32_times() {
        used(true);
        for (long wait : new long[] {10, 20, 40, 80, 160, 320, 320}) {
            used(false);
            assertThat(restored()).isEqualTo(wait);
            pass(Duration.ofSeconds(5));
        }
    }

    @Test
    void a_calm_minute_halves_the_wait_again() {
        used(true);
        used(false);
        assertThat(restored()).isEqualTo(10);
        used(false);
        assertThat(restored()).isEqualTo(20);
        used(false);
        assertThat(restored()).isEqualTo(40);
        pass(Duration.ofSeconds(100));
        used(false);
        assertThat(restored()).isEqualTo(20);
        pass(Duration.ofHours(10));
        used(false);
        assertThat(restored()).isEqualTo(10);
    }

    @Test
    void a_link_that_is_the_only_connection_of_two_parts_is_used_at_once() {
        usedOf(CHAIN);
        for (int i = 0; i < 10; i++) {
            assertThat(usedOf(without(CHAIN, "b/2-c/1", "c/1-b/2"))).doesNotContain("b/2-c/1");
            assertThat(usedOf(CHAIN)).contains("b/2-c/1");
            assertThat(network.restores()).isEmpty();
            pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void of_two_links_that_connect_the_same_parts_the_one_that_is_due_first_is_used_and_the_other_waits() {
        usedOf(CHAIN);
        usedOf(without(CHAIN, "c/2-d/1", "d/1-c/2"));
        usedOf(CHAIN);
        pass(WAIT.plusSeconds(1));
        assertThat(usedOf(CHAIN)).contains("c/2-d/1");
        usedOf(without(CHAIN, "c/2-d/1", "d/1-c/2", "c/3-d/2", "d/2-c/3"));
        assertThat(usedOf(CHAIN)).contains("c/3-d/2").doesNotContain("c/2-d/1");
        assertThat(network.restores()).containsOnlyKeys("c/2-d/1", "d/1-c/2");
        pass(WAIT.multipliedBy(2));
        assertThat(usedOf(CHAIN)).contains("c/3-d/2", "c/2-d/1");
    }

    @Test
    void a_link_that_waits_is_used_when_the_last_other_connection_is_lost() {
        usedOf(CHAIN);
        usedOf(without(CHAIN, "c/2-d/1", "d/1-c/2"));
        assertThat(usedOf(CHAIN)).doesNotContain("c/2-d/1");
        assertThat(usedOf(without(CHAIN, "c/3-d/2", "d/2-c/3"))).contains("c/2-d/1");
        assertThat(usedOf(CHAIN)).contains("c/2-d/1").doesNotContain("c/3-d/2");
    }

    @Test
    void a_network_that_was_down_as_a_whole_is_connected_at_once() {
        String[] all = CHAIN.links().stream().map(Link::id).toArray(String[]::new);
        usedOf(without(CHAIN, all));
        assertThat(usedOf(CHAIN)).containsExactly("a/1-b/1", "b/2-c/1", "c/2-d/1");
        pass(WAIT);
        assertThat(usedOf(CHAIN)).hasSize(4);
    }

    @Test
    void a_clock_that_is_put_back_keeps_no_link_waiting() {
        used(true);
        used(false);
        used(true);
        pass(Duration.ofDays(-1));
        assertThat(restored()).isEqualTo(10);
    }

    @Test
    void a_link_that_left_the_network_begins_anew() {
        used(true);
        used(false);
        restoration = restoration
                .step(
                        new Network(
                                DESCRIBED.nodes().values(),
                                List.of(),
                                DESCRIBED.hosts().values(),
                                DESCRIBED.rules()),
                        now)
                .after();
        assertThat(used(true)).isTrue();
    }

    /** In an hour a link without a wait would move paths 7,200 times at 1 Hz. */
    @ParameterizedTest
    @ValueSource(longs = {100, 1_000, 15_000, 25_000, 60_000})
    void a_link_that_flaps_moves_paths_a_few_times_only(long periodMillis) {
        boolean before = used(true);
        int moves = 0;
        for (long millis = 0; millis < 3_600_000; millis += periodMillis) {
            pass(Duration.ofMillis(periodMillis));
            boolean here = used((millis / periodMillis) % 2 == 1);
            moves += here == before ? 0 : 1;
            before = here;
        }
        assertThat(moves).isLessThan(30);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_link_is_used_only_while_it_is_up_and_has_been_for_its_wait(long seed) {
        Random random = new Random(seed);
        boolean up = true;
        Instant since = now;
        boolean lost = false;
        used(true);
        for (int i = 0; i < 5_000; i++) {
            pass(Duration.ofMillis(random.nextInt(4_000)));
            if (random.nextInt(6) == 0) {
                up = !up;
                since = now;
                lost |= !up;
            }
            boolean used = used(up);
            Duration time = Duration.between(since, now);
            assertThat(used && !up).isFalse();
            assertThat(used && lost && time.compareTo(WAIT) < 0)
                    .as("%s after %s", used, time)
                    .isFalse();
            assertThat(!used && up && time.compareTo(WAIT.multipliedBy(32)) >= 0)
                    .isFalse();
        }
    }
}
