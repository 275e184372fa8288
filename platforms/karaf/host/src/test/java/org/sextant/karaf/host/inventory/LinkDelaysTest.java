// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.AnnouncedDelay;
import org.sextant.core.net.Link;
import org.sextant.core.net.LinkRules;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.LinkDelayTelemetry;
import org.sextant.core.port.Subscription;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LinkDelaysTest {
    private static final Network QUIET = NetworkFile.parse("""
            {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {"a": {"srv6": {"uSid": "0100"}}, "b": {"srv6": {"uSid": "0200"}}},
             "links": {"a/1-b/1": {"srv6": {"delayMicros": 100}}}}
            """).orThrow();
    private static final LinkRules MEASURED_DELAY = new LinkRules(true, Duration.ZERO);
    private static final Network MEASURING =
            new Network(QUIET.nodes().values(), QUIET.links(), QUIET.hosts().values(), MEASURED_DELAY);
    private static final Link.End A = new Link.End("a", 1);
    private static final Link.End B = new Link.End("b", 1);

    /** Nodes that report the values of a test. */
    private static final class Nodes implements LinkDelayTelemetry {
        private final List<Consumer<Measured>> listeners = new ArrayList<>();
        private long window;

        @Override
        public Subscription onLinkDelay(Consumer<Measured> listener) {
            listeners.add(listener);
            return () -> listeners.remove(listener);
        }

        void say(String node, int port, long micros) {
            window++;
            List.copyOf(listeners)
                    .forEach(one -> one.accept(new Measured(node, port, window, OptionalLong.of(micros), 10, 0)));
        }
    }

    private final Nodes nodes = new Nodes();
    private final List<Map<Link.End, Long>> told = new ArrayList<>();
    private long now;
    private final LinkDelays delays = new LinkDelays(nodes, () -> now, told::add);

    private void windows(String node, long... micros) {
        for (long one : micros) {
            now += TimeUnit.SECONDS.toNanos(10);
            nodes.say(node, 1, one);
            delays.settle();
        }
    }

    @Test
    void nodes_are_asked_while_the_description_says_so() {
        delays.describe(QUIET);
        assertThat(nodes.listeners).isEmpty();
        delays.describe(MEASURING);
        delays.describe(MEASURING);
        assertThat(nodes.listeners).hasSize(1);
        delays.describe(QUIET);
        assertThat(nodes.listeners).isEmpty();
        delays.describe(MEASURING);
        delays.close();
        assertThat(nodes.listeners).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void what_counts_is_told_once() {
        delays.describe(MEASURING);
        windows("a", 700, 700, 700, 700, 710);
        assertThat(told).containsExactly(Map.of(A, 700L));
    }

    @Test
    void changes_that_come_together_are_one() {
        delays.describe(MEASURING);
        for (int i = 0; i < 3; i++) {
            now += TimeUnit.SECONDS.toNanos(10);
            nodes.say("a", 1, 700);
            nodes.say("b", 1, 800);
            delays.settle();
        }
        assertThat(told).containsExactly(Map.of(A, 700L, B, 800L));
    }

    @Test
    void silence_brings_the_description_back() {
        delays.describe(MEASURING);
        windows("a", 700, 700, 700);
        now += AnnouncedDelay.SILENCE.toNanos();
        delays.settle();
        assertThat(told).containsExactly(Map.of(A, 700L), Map.of());
    }

    @Test
    void nothing_counts_any_more_when_the_description_says_so() {
        delays.describe(MEASURING);
        windows("a", 700, 700, 700);
        delays.describe(QUIET);
        assertThat(told).containsExactly(Map.of(A, 700L), Map.of());
        windows("a", 900, 900, 900);
        assertThat(told).hasSize(2);
    }

    @Test
    void nodes_that_are_not_described_say_nothing() {
        delays.describe(MEASURING);
        windows("c", 700, 700, 700);
        assertThat(told).isEmpty();
        windows("a", 700, 700, 700);
        delays.describe(new Network(List.of(MEASURING.nodes().get("b")), List.of(), List.of(), MEASURED_DELAY));
        delays.settle();
        assertThat(told).last().isEqualTo(Map.of());
    }
}
