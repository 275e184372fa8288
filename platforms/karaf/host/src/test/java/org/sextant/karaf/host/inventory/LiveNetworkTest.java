// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.LinkRules;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.net.PortRole;
import org.sextant.karaf.host.discovery.DiscoveredLinks;
import org.sextant.karaf.southbound.PortState;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LiveNetworkTest {
    private static final Network DESCRIBED = NetworkFile.parse("""
        {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32", "format": "F3216"}}},
         "devices": {
          "device:l1": {"basic": {"name": "l1", "managementAddress": "grpc://127.0.0.1:1?device_id=1", "pipeconf": "org.sextant.linux"},
                        "srv6": {"uSid": "0100", "encapSource": "fcff:1::1"}},
          "device:l2": {"basic": {"name": "l2", "managementAddress": "grpc://127.0.0.1:2?device_id=2", "pipeconf": "org.sextant.linux"},
                        "srv6": {"uSid": "0200", "encapSource": "fcff:2::1"}},
          "device:l3": {"basic": {"name": "l3", "managementAddress": "grpc://127.0.0.1:3?device_id=3", "pipeconf": "org.sextant.linux"},
                        "srv6": {"uSid": "0300", "encapSource": "fcff:3::1"}}},
         "ports": {"device:l1/1": {"interfaces": [{"name": "l1-l2"}]}, "device:l2/1": {"interfaces": [{"name": "l2-l1"}]},
                   "device:l3/1": {"interfaces": [{"name": "l3-l2"}]}},
         "links": {"device:l1/1-device:l2/1": {"srv6": {"igpMetric": 7, "mtuBytes": 9000}}}}
        """).orThrow();
    private static final Link.End L1 = new Link.End("l1", 1);
    private static final Link.End L2 = new Link.End("l2", 1);
    private static final Link.End L3 = new Link.End("l3", 1);

    @Test
    void without_news_it_is_as_described() {
        assertThat(merge(Map.of(), DiscoveredLinks.NOTHING)).isEqualTo(DESCRIBED);
        assertThat(up(DESCRIBED)).containsExactly("l1/1-l2/1", "l2/1-l1/1");
    }

    @Test
    void what_a_node_says_of_its_port_counts() {
        PortState state = new PortState(1, "eth7", Optional.of(new MacAddress(5)), 1500, true);
        Network network = merge(Map.of("l1", Map.of(1, state)), DiscoveredLinks.NOTHING);
        Port port = network.node("l1").orElseThrow().ports().get(1);
        assertThat(port)
                .isEqualTo(new Port(1, Optional.of("eth7"), Optional.of(new MacAddress(5)), 1500, true, List.of()));
        assertThat(network.links())
                .extracting(Link::mtuBytes)
                .as("a link carries what its narrowest part does")
                .containsOnly(1500);
        assertThat(network.links()).extracting(Link::igpMetric).containsOnly(7);
    }

    @Test
    void a_link_is_as_fast_as_its_slower_end_and_what_may_be_reserved_is_described() {
        PortState fast = new PortState(1, "eth7", Optional.empty(), 1500, true, 10_000_000);
        PortState slow = new PortState(1, "eth8", Optional.empty(), 1500, true, 1_000_000);
        Network one = merge(Map.of("l1", Map.of(1, fast)), DiscoveredLinks.NOTHING);
        assertThat(one.links()).extracting(one::speedKbps).containsOnly(10_000_000L);
        Network both = merge(Map.of("l1", Map.of(1, fast), "l2", Map.of(1, slow)), DiscoveredLinks.NOTHING);
        assertThat(both.links()).extracting(both::speedKbps).containsOnly(1_000_000L);
        assertThat(both.links()).extracting(Link::capacityKbps).containsOnly(0L);
        assertThat(DESCRIBED.links()).extracting(DESCRIBED::speedKbps).containsOnly(0L);
    }

    @Test
    void a_port_that_the_description_lacks_is_added() {
        Network network = merge(
                Map.of("l1", Map.of(9, new PortState(9, "new", Optional.empty(), 0, true))), DiscoveredLinks.NOTHING);
        assertThat(network.node("l1").orElseThrow().ports()).containsKeys(1, 9);
    }

    @Test
    void a_described_port_that_its_node_does_not_tell_of_is_down() {
        Network network = merge(
                Map.of("l1", Map.of(9, new PortState(9, "new", Optional.empty(), 0, true))), DiscoveredLinks.NOTHING);
        assertThat(network.node("l1").orElseThrow().ports().get(1).up()).isFalse();
        assertThat(up(network)).isEmpty();
    }

    @Test
    void a_link_is_down_both_ways_while_one_port_is() {
        Network network = merge(
                Map.of("l2", Map.of(1, new PortState(1, "eth", Optional.empty(), 0, false))), DiscoveredLinks.NOTHING);
        assertThat(network.links()).hasSize(2);
        assertThat(up(network)).isEmpty();
    }

    @Test
    void a_link_that_lldp_lost_is_down_that_way() {
        assertThat(up(merge(Map.of(), new DiscoveredLinks(Map.of(L2, L1), Set.of(L1)))))
                .containsExactly("l2/1-l1/1");
    }

    @Test
    void a_link_that_only_lldp_knows_is_used_with_default_metrics() {
        Link.End l2 = new Link.End("l2", 2);
        Network network = merge(Map.of(), new DiscoveredLinks(Map.of(l2, L3, L3, l2), Set.of()));
        Link found = network.linksFrom("l2").get(1);
        assertThat(found.id()).isEqualTo("l2/2-l3/1");
        assertThat(found.igpMetric()).isEqualTo(LiveNetwork.DEFAULT_METRIC);
        assertThat(found.up()).isTrue();
    }

    @Test
    void a_link_that_lldp_heard_in_one_direction_is_none() {
        Link.End l2 = new Link.End("l2", 2);
        assertThat(merge(Map.of(), new DiscoveredLinks(Map.of(l2, L3), Set.of())))
                .isEqualTo(DESCRIBED);
        assertThat(merge(Map.of(), new DiscoveredLinks(Map.of(l2, L3, L3, new Link.End("l2", 3)), Set.of())))
                .isEqualTo(DESCRIBED);
    }

    @Test
    void no_link_is_found_where_the_description_knows_an_outsider() {
        Link.End l2 = new Link.End("l2", 2);
        DiscoveredLinks both = new DiscoveredLinks(Map.of(l2, L3, L3, l2), Set.of());
        Network host = new Network(
                DESCRIBED.nodes().values(), DESCRIBED.links(), List.of(new Host("h", Optional.empty(), List.of(), L3)));
        assertThat(LiveNetwork.merge(host, Map.of(), both, Map.of())).isEqualTo(host);
        Network external = described(2, PortRole.EXTERNAL);
        assertThat(LiveNetwork.merge(external, Map.of(), both, Map.of())).isEqualTo(external);
        assertThat(LiveNetwork.merge(described(2, PortRole.INTERNAL), Map.of(), both, Map.of())
                        .links())
                .hasSize(4);
    }

    @Test
    void the_role_of_a_port_is_kept_when_its_node_tells_of_it() {
        Network external = described(2, PortRole.EXTERNAL);
        PortState state = new PortState(2, "eth2", Optional.empty(), 0, true);
        for (Map<Integer, PortState> seen : List.of(Map.of(2, state), Map.<Integer, PortState>of())) {
            assertThat(LiveNetwork.merge(external, Map.of("l2", seen), DiscoveredLinks.NOTHING, Map.of())
                            .node("l2")
                            .orElseThrow()
                            .ports()
                            .get(2)
                            .role())
                    .contains(PortRole.EXTERNAL);
        }
    }

    /** As DESCRIBED, with a role of a port of l2. */
    private static Network described(int number, PortRole role) {
        List<Node> nodes = DESCRIBED.nodes().values().stream()
                .map(node -> node.name().equals("l2") ? with(node, number, role) : node)
                .toList();
        return new Network(nodes, DESCRIBED.links(), List.of());
    }

    private static Node with(Node node, int number, PortRole role) {
        TreeMap<Integer, Port> ports = new TreeMap<>((Map<Integer, Port>) node.ports());
        ports.put(number, new Port(number, Optional.empty(), Optional.empty(), 0, true, List.of(), Optional.of(role)));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }

    @Test
    void a_wrong_cable_counts_more_than_the_description() {
        assertThat(up(merge(Map.of(), new DiscoveredLinks(Map.of(L1, L3, L3, L1), Set.of()))))
                .as("l1/1 is plugged into l3/1; whether l2/1 still sends nobody knows")
                .containsExactly("l1/1-l3/1", "l2/1-l1/1", "l3/1-l1/1");
    }

    @Test
    void what_is_measured_of_a_link_counts_where_the_description_says_so() {
        Map<Link.End, Long> delays = Map.of(L1, 700L, L3, 5L);
        assertThat(LiveNetwork.merge(DESCRIBED, Map.of(), DiscoveredLinks.NOTHING, delays))
                .isEqualTo(DESCRIBED);
        Network measuring = new Network(
                DESCRIBED.nodes().values(),
                DESCRIBED.links(),
                DESCRIBED.hosts().values(),
                new LinkRules(true, Duration.ZERO));
        Network network = LiveNetwork.merge(measuring, Map.of(), DiscoveredLinks.NOTHING, delays);
        assertThat(network.links()).extracting(Link::measuredDelayMicros).containsExactly(700L, 0L);
        assertThat(network.rules().measuredDelay()).isTrue();
        assertThat(LiveNetwork.merge(measuring, Map.of(), DiscoveredLinks.NOTHING, Map.of()))
                .isEqualTo(measuring);
    }

    private static Network merge(Map<String, Map<Integer, PortState>> ports, DiscoveredLinks discovered) {
        return LiveNetwork.merge(DESCRIBED, ports, discovered, Map.of());
    }

    private static List<String> up(Network network) {
        return network.links().stream().filter(Link::up).map(Link::id).collect(Collectors.toList());
    }
}
