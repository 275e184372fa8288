// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.LinkRestoration;
import org.sextant.core.net.LinkRules;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.net.Overload;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TopologyViewTest {
    private static final Network NETWORK = NetworkFile.parse("""
            {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {"a": {"srv6": {"uSid": "0100"}}, "b": {"srv6": {"uSid": "0200"}}},
             "links": {"a/1-b/1": {"srv6": {"delayMicros": 100}}}}
            """).orThrow();

    @Test
    void a_link_has_the_described_delay_and_the_measured_one() {
        Network measured = new Network(
                NETWORK.nodes().values(),
                List.of(NETWORK.links().get(0).withMeasuredDelayMicros(700)),
                List.of(),
                new LinkRules(true, Duration.ZERO));
        JsonNode link = TopologyView.of(measured, Set.of()).at("/links/0");
        assertThat(link.path("delayMicros").longValue()).isEqualTo(100);
        assertThat(link.path("measuredDelayMicros").longValue()).isEqualTo(700);
    }

    @Test
    void a_link_has_the_speed_of_its_slower_end_beside_what_may_be_reserved() {
        Network described = Nets.withSpeeds(NETWORK, Map.of("a", 10_000_000L, "b", 1_000_000L));
        JsonNode view = TopologyView.of(described, Set.of());
        assertThat(view.at("/links/0/speedKbps").longValue()).isEqualTo(1_000_000);
        assertThat(view.at("/links/0").has("capacityKbps")).isFalse();
        assertThat(view.at("/nodes/0/ports/0/speedKbps").longValue()).isEqualTo(10_000_000);
        JsonNode silent = TopologyView.of(NETWORK, Set.of());
        assertThat(silent.at("/links/0").has("speedKbps")).isFalse();
        assertThat(silent.at("/nodes/0/ports/0").has("speedKbps")).isFalse();
    }

    @Test
    void a_link_that_waits_is_down_and_says_until_when() {
        LinkRules rules = new LinkRules(false, Duration.ofSeconds(10));
        Instant now = Instant.parse("2026-11-27T00:00:00Z");
        Network two = NetworkFile.parse("""
                {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
                 "devices": {"a": {"srv6": {"uSid": "0100"}}, "b": {"srv6": {"uSid": "0200"}}},
                 "links": {"a/1-b/1": {}, "a/2-b/2": {}}}
                """).orThrow();
        Network up = new Network(two.nodes().values(), two.links(), List.of(), rules);
        Network down = new Network(
                two.nodes().values(),
                two.links().stream()
                        .map(link -> link.withUp(link.from().port() != 1))
                        .toList(),
                List.of(),
                rules);
        LinkRestoration lost = LinkRestoration.START.step(down, now).after();
        JsonNode link = TopologyView.of(lost.step(up, now).network(), Set.of()).at("/links/0");
        assertThat(link.path("up").booleanValue()).isFalse();
        assertThat(link.path("restores").textValue()).isEqualTo("2026-11-27T00:00:10Z");
        assertThat(TopologyView.of(up, Set.of()).at("/links/0").has("restores")).isFalse();
    }

    @Test
    void an_overloaded_node_says_since_when_and_whether_it_is_drained() {
        Instant since = Instant.parse("2026-11-28T06:00:00Z");
        Network network = NETWORK.withOverloads(new TreeMap<>(Map.of("a", new Overload(since, true))));
        JsonNode nodes = TopologyView.of(network, Set.of()).path("nodes");
        assertThat(nodes.at("/0/overloadedSince").textValue()).isEqualTo("2026-11-28T06:00:00Z");
        assertThat(nodes.at("/0/drained").booleanValue()).isTrue();
        assertThat(nodes.path(1).has("overloadedSince") || nodes.path(1).has("drained"))
                .isFalse();
    }

    @Test
    void a_link_that_is_not_measured_has_the_described_one() {
        JsonNode link = TopologyView.of(NETWORK, Set.of()).at("/links/0");
        assertThat(link.path("delayMicros").longValue()).isEqualTo(100);
        assertThat(link.has("measuredDelayMicros")).isFalse();
    }
}
