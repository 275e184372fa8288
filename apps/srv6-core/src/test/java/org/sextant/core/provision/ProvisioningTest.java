// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Link;
import org.sextant.core.net.LinkRules;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.EncapSource;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.PortRestoration;
import org.sextant.core.table.Punt;
import org.sextant.core.table.Route;
import org.sextant.core.underlay.Underlay;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProvisioningTest {
    private final Provisioning provisioning = new Provisioning();

    @Test
    void a_node_owns_its_sids() {
        assertThat(entries(Fig4.CONNECTED, "l1", MySid.class))
                .extracting(sid -> sid.sid() + " " + sid.behavior().action())
                .containsExactlyInAnyOrder(
                        "fcbb:bbbb:100::/48 un",
                        "fcbb:bbbb:100:e001::/64 ua",
                        "fcbb:bbbb:100:f00d::/64 udt6",
                        "fcbb:bbbb:100:f004::/64 udt4",
                        "fcbb:bbbb:100:fe00::/64 udt6",
                        "fcbb:bbbb:100:fe01::/64 udt4",
                        "fcbb:bbbb:101::/48 udt6",
                        "fcbb:bbbb:102::/48 udt4");
    }

    @Test
    void a_neighbour_and_a_host_are_next_hops_of_stable_ids() {
        assertThat(entries(Fig4.CONNECTED, "l1", NextHop.class))
                .containsExactlyInAnyOrder(
                        new NextHop(1, 1, Fig4.mac(1, 1), Fig4.mac(2, 1)),
                        new NextHop(36534, 2, Fig4.mac(1, 2), MacAddress.parse("02:00:00:00:00:0b")),
                        new NextHop(59588, 3, Fig4.mac(1, 3), MacAddress.parse("02:00:00:00:00:0c")),
                        new NextHop(46167, 4, Fig4.mac(1, 4), MacAddress.parse("02:00:00:00:00:0d")));
    }

    @Test
    void every_other_node_is_reached_by_its_numbering_prefix_and_its_encapsulation_source() {
        List<Route> routes = entries(Fig4.CONNECTED, "l1", Route.class);
        assertThat(routes)
                .contains(route("fcbb:bbbb:200::/44", 1), route("fcff:2::1/128", 1), route("fcbb:bbbb:800::/44", 1));
        assertThat(routes)
                .filteredOn(route -> route.destination().toString().startsWith("fcbb"))
                .hasSize(7);
        assertThat(routes).noneMatch(route -> route.destination().toString().startsWith("fcbb:bbbb:100:"));
    }

    @Test
    void equally_short_ways_share_the_traffic() {
        assertThat(entries(Fig4.CONNECTED, "v5", Route.class)).contains(route("fcbb:bbbb:200::/44", 1, 2));
    }

    @Test
    void attached_hosts_are_reached_in_both_families() {
        assertThat(entries(Fig4.CONNECTED, "l1", Route.class))
                .contains(route("fd00:0:11::2/128", 36534), route("10.0.12.2/32", 59588));
        assertThat(entries(Fig4.CONNECTED, "l2", Route.class))
                .noneMatch(route -> route.destination().contains(Ipv6.parse("fd00:0:11::2")));
    }

    @Test
    void ports_with_links_wait_as_the_network_does_whether_the_link_is_up_or_not() {
        assertThat(entries(waiting(Fig4.CONNECTED, Duration.ZERO), "l2", PortRestoration.class))
                .isEmpty();
        List<PortRestoration> waits =
                entries(waiting(Fig4.CONNECTED, Duration.ofSeconds(10)), "l2", PortRestoration.class);
        assertThat(waits)
                .extracting(PortRestoration::port)
                .containsExactlyInAnyOrderElementsOf(Fig4.CONNECTED.linksFrom("l2").stream()
                        .map(link -> link.from().port())
                        .toList());
        assertThat(waits).extracting(PortRestoration::waitMillis).containsOnly(10_000);
        Network cut = new Network(
                Fig4.CONNECTED.nodes().values(),
                Fig4.CONNECTED.links().stream().map(link -> link.withUp(false)).toList(),
                Fig4.CONNECTED.hosts().values(),
                new LinkRules(false, Duration.ofSeconds(10)));
        assertThat(entries(cut, "l2", PortRestoration.class)).containsExactlyInAnyOrderElementsOf(waits);
    }

    private static Network waiting(Network network, Duration wait) {
        return new Network(
                network.nodes().values(), network.links(), network.hosts().values(), new LinkRules(false, wait));
    }

    @Test
    void outer_headers_have_the_described_source_and_lldp_reaches_the_controller() {
        assertThat(entries(Fig4.CONNECTED, "l1", EncapSource.class))
                .containsExactly(new EncapSource(Ipv6.parse("fcff:1::1")));
        assertThat(entries(Fig4.CONNECTED, "l1", Punt.class)).containsExactly(Punt.etherType(100, 0x88cc));
    }

    @Test
    void without_mac_addresses_nothing_is_forwarded_but_sids_are_there() {
        assertThat(entries(Fig4.DESCRIBED, "l1", NextHop.class)).isEmpty();
        assertThat(entries(Fig4.DESCRIBED, "l1", Route.class)).isEmpty();
        assertThat(entries(Fig4.DESCRIBED, "l1", MySid.class))
                .extracting(MySid::sid)
                .hasToString(
                        "[fcbb:bbbb:100::/48, fcbb:bbbb:100:f00d::/64, fcbb:bbbb:100:fe00::/64, fcbb:bbbb:101::/48, "
                                + "fcbb:bbbb:100:f004::/64, fcbb:bbbb:100:fe01::/64, fcbb:bbbb:102::/48]");
    }

    @Test
    void what_a_node_does_not_offer_is_left_out() {
        Capabilities few = new Capabilities(
                Map.of(
                        "my_sid",
                        Set.of("un", "udt6"),
                        "next_hop",
                        Set.of("forward"),
                        "route_v6",
                        Set.of("set_next_hop")),
                Map.of());
        List<Entry> entries = entries(Fig4.CONNECTED, "l1", Map.of("l1", few));
        assertThat(entries).extracting(entry -> entry.key().table()).containsOnly("my_sid", "next_hop", "route_v6");
        assertThat(entries)
                .filteredOn(MySid.class::isInstance)
                .extracting(entry -> ((MySid) entry).behavior().action())
                .containsOnly("un", "udt6");
    }

    @Test
    void where_no_kernel_answers_questions_for_addresses_come_to_the_controller() {
        Capabilities bmv2 = new Capabilities(Map.of("punt", Set.of("to_controller", "discard")), Map.of());
        Capabilities linux = new Capabilities(Map.of("punt", Set.of("to_controller")), Map.of());
        assertThat(entries(Fig4.CONNECTED, "l1", Map.of("l1", bmv2)))
                .extracting(entry -> entry.key().match())
                .containsExactly(
                        "priority 100 ether_type 88cc&ffff",
                        "priority 90 ether_type 806&ffff",
                        "priority 90 ether_type 86dd&ffff ip_protocol 3a&ff icmpv6_type 87&ff");
        assertThat(entries(Fig4.CONNECTED, "l1", Map.of("l1", linux))).hasSize(1);
    }

    @Test
    void a_lost_link_takes_its_adjacency_and_moves_the_routes() {
        Network broken = without(Fig4.CONNECTED, "v5", "v4");
        assertThat(entries(broken, "v5", NextHop.class))
                .extracting(NextHop::id)
                .doesNotContain(1)
                .contains(2);
        assertThat(entries(broken, "v5", MySid.class))
                .extracting(sid -> sid.sid().toString())
                .doesNotContain("fcbb:bbbb:500:e001::/64");
        assertThat(entries(broken, "v5", Route.class)).contains(route("fcbb:bbbb:200::/44", 2));
    }

    @Test
    void only_nodes_whose_entries_change_have_another_value() {
        Map<String, NodeProvision> before = provisioning.derive(new Underlay(Fig4.CONNECTED));
        Map<String, NodeProvision> after = provisioning.derive(new Underlay(without(Fig4.CONNECTED, "v8", "p6")));
        Set<String> changed = before.keySet().stream()
                .filter(node -> !before.get(node).equals(after.get(node)))
                .collect(Collectors.toSet());
        assertThat(changed).doesNotContain("l1").contains("v8", "p6");
        changed.addAll(List.of("v8", "p6"));
        for (String node : before.keySet()) {
            boolean same = entries(Fig4.CONNECTED, node, Entry.class)
                    .equals(entries(without(Fig4.CONNECTED, "v8", "p6"), node, Entry.class));
            assertThat(same)
                    .as("%s has the same entries exactly if its value is equal", node)
                    .isEqualTo(!changed.contains(node));
        }
    }

    @Test
    void no_two_entries_of_a_node_are_the_same_row() {
        for (String node : Fig4.CONNECTED.nodes().keySet()) {
            assertThat(entries(Fig4.CONNECTED, node, Entry.class))
                    .extracting(Entry::key)
                    .doesNotHaveDuplicates();
        }
    }

    private static Network without(Network network, String one, String other) {
        return new Network(
                network.nodes().values(),
                network.links().stream()
                        .map(link -> Set.of(one, other)
                                        .equals(Set.of(
                                                link.from().node(), link.to().node()))
                                ? down(link)
                                : link)
                        .toList(),
                network.hosts().values());
    }

    private static Link down(Link link) {
        return link.withUp(false);
    }

    private static Route route(String destination, Integer... nextHops) {
        return new Route(
                0,
                IpPrefix.parse(destination),
                List.of(nextHops).stream().map(id -> new Route.Member(1, id)).toList());
    }

    private <E extends Entry> List<E> entries(Network network, String node, Class<E> type) {
        return entries(network, node, Map.of()).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private List<Entry> entries(Network network, String node, Map<String, Capabilities> capabilities) {
        NodeProvision value = provisioning.derive(new Underlay(network)).get(node);
        Plan plan =
                provisioning.compile(new NumberedIntent<>(node, 0, value), new CompileContext(network, capabilities));
        assertThat(plan.entries()).allMatch(placed -> placed.node().equals(node));
        return plan.entries().stream().map(Plan.Placed::entry).toList();
    }
}
