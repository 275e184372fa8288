// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.net.PortRole;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.EdgePort;
import org.sextant.core.table.Entry;
import org.sextant.core.table.NextHop;

/** The engine provisions Figure 4 and follows its links. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProvisioningEngineTest {
    private static final EngineSettings QUIET =
            EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO);

    private final Provisioning provisioning = new Provisioning();
    private final FakeInventory inventory = new FakeInventory(Fig4.CONNECTED);
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private IntentEngine engine = start();

    private IntentEngine start() {
        Fig4.CONNECTED.nodes().keySet().forEach(dataPlane::connect);
        IntentEngine started = new IntentEngine(inventory, dataPlane, store, new FakeCoordination(), QUIET);
        started.register(provisioning);
        started.start();
        await(started.idle());
        return started;
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void every_node_holds_its_entries_and_nothing_is_stored() {
        assertThat(engine.list(provisioning)).hasSize(8).allMatch(status -> status.state() == IntentState.INSTALLED);
        assertThat(dataPlane.held("l1").keySet())
                .extracting(Entry.Key::toString)
                .contains(
                        "my_sid fcbb:bbbb:100::/48",
                        "next_hop id 1",
                        "encap_source",
                        "route_v6 vrf 0 fcbb:bbbb:300::/44");
        assertThat(store.all("intents")).isEmpty();
    }

    @Test
    void adjacencies_are_there_before_what_uses_them() {
        List<String> tables = dataPlane.log().stream()
                .filter(done -> done.node().equals("l1"))
                .map(done -> done.entry().key().table())
                .toList();
        assertThat(tables.lastIndexOf("next_hop"))
                .isLessThan(tables.indexOf("my_sid"))
                .isLessThan(tables.indexOf("route_v6"));
    }

    @Test
    void a_restart_writes_nothing() {
        engine.close();
        dataPlane.forgetLog();
        engine = start();
        assertThat(dataPlane.batches()).isEmpty();
        assertThat(engine.list(provisioning)).allMatch(status -> status.state() == IntentState.INSTALLED);
    }

    @Test
    void provisioning_that_is_unregistered_leaves_every_node_as_it_is() {
        engine.close();
        dataPlane.forgetLog();
        IntentEngine other = new IntentEngine(inventory, dataPlane, store, new FakeCoordination(), QUIET);
        Subscription registration = other.register(provisioning);
        other.start();
        registration.close();
        await(other.audit());
        assertThat(dataPlane.batches()).isEmpty();
        other.register(provisioning);
        await(other.idle());
        assertThat(dataPlane.batches()).isEmpty();
        other.close();
    }

    /** After a reboot with other MAC addresses: the reason for the first refusal is gone when they are known. */
    @Test
    void what_wanted_an_adjacency_that_was_refused_follows_it() {
        dataPlane.disconnect("l1", "reboots");
        await(engine.idle());
        for (Entry.Key key : dataPlane.held("l1").keySet()) {
            dataPlane.erase("l1", key);
        }
        dataPlane.refuse(
                "l1",
                update -> update.entry() instanceof NextHop,
                Code.INVALID_ARGUMENT,
                "src_mac is not the address of the port");
        dataPlane.refuse(
                "l1",
                update -> !update.entry().leavesBy().isEmpty(),
                Code.FAILED_PRECONDITION,
                "refers to a next_hop that does not exist");
        dataPlane.connect("l1");
        await(engine.idle());
        dataPlane.obey("l1");
        inventory.set(withOtherAddresses(inventory.snapshot(), "l1"));
        await(engine.idle());
        assertThat(engine.list(provisioning)).allMatch(status -> status.state() == IntentState.INSTALLED);
    }

    private static Network withOtherAddresses(Network network, String name) {
        List<Node> nodes = network.nodes().values().stream()
                .map(node -> node.name().equals(name) ? withOtherAddresses(node) : node)
                .toList();
        return new Network(nodes, network.links(), network.hosts().values());
    }

    private static Node withOtherAddresses(Node node) {
        TreeMap<Integer, Port> ports = new TreeMap<>();
        node.ports()
                .forEach((number, port) -> ports.put(
                        number,
                        new Port(
                                number,
                                port.name(),
                                Optional.of(MacAddress.parse("02:aa:bb:cc:dd:0" + number)),
                                port.mtuBytes(),
                                port.up(),
                                port.addresses())));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }

    @Test
    void a_lost_link_changes_what_leant_on_it_only_and_its_return_restores_everything() {
        var before = dataPlane.held("v5");
        dataPlane.forgetLog();
        inventory.link("v5", "v4", false);
        await(engine.idle());
        assertThat(dataPlane.held("v5").keySet())
                .extracting(Entry.Key::toString)
                .doesNotContain("next_hop id 1", "my_sid fcbb:bbbb:500:e001::/64");
        assertThat(dataPlane.log())
                .as("l1 reaches everybody through l2 as before")
                .noneMatch(done -> done.node().equals("l1"));
        inventory.link("v5", "v4", true);
        await(engine.idle());
        assertThat(dataPlane.held("v5")).isEqualTo(before);
    }

    @Test
    void one_refused_entry_does_not_keep_the_others_out() {
        engine.close();
        dataPlane.held("l1").keySet().forEach(key -> dataPlane.erase("l1", key));
        dataPlane.refuse(
                "l1", update -> update.entry().toString().contains("IPV4"), Code.UNIMPLEMENTED, "no VRF device");
        engine = start();
        assertThat(engine.get(provisioning, "l1").orElseThrow().state()).isEqualTo(IntentState.DEGRADED);
        assertThat(dataPlane.held("l1").keySet())
                .extracting(Entry.Key::toString)
                .contains("my_sid fcbb:bbbb:100:f00d::/64")
                .doesNotContain("my_sid fcbb:bbbb:100:f004::/64");
        assertThat(engine.entries(EntryFilter.ofState(EntryState.FAILED)))
                .hasSize(3)
                .allSatisfy(entry ->
                        assertThat(entry.failure().orElseThrow().reason()).isEqualTo("no VRF device"));
        dataPlane.obey("l1");
        await(engine.audit());
        assertThat(engine.get(provisioning, "l1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void a_node_that_is_not_there_yet_holds_nobody_up() {
        dataPlane.disconnect("p7", "power");
        dataPlane.forgetLog();
        inventory.link("v5", "v4", false);
        await(engine.idle());
        assertThat(dataPlane.log()).anyMatch(done -> done.node().equals("v5"));
        assertThat(engine.get(provisioning, "p7").orElseThrow().state()).isEqualTo(IntentState.PENDING);
        assertThat(engine.entries(EntryFilter.ofNode("p7")))
                .extracting(EntryStatus::state)
                .containsOnly(EntryState.PENDING);
    }

    @Test
    void a_node_that_leaves_the_network_is_no_intent_any_more() {
        Network network = inventory.snapshot();
        inventory.set(new Network(
                network.nodes().values().stream()
                        .filter(node -> !node.name().equals("v8"))
                        .toList(),
                network.links(),
                network.hosts().values()));
        await(engine.idle());
        assertThat(engine.get(provisioning, "v8")).isEmpty();
        assertThat(dataPlane.held("v8")).isEmpty();
        assertThat(dataPlane.held("p6").keySet())
                .extracting(Entry.Key::toString)
                .doesNotContain("route_v6 vrf 0 fcbb:bbbb:800::/44");
    }

    @Test
    void every_port_has_a_role_before_anything_is_sent_there_and_asks_for_what_is_known() {
        assertThat(dataPlane.held("l1").values())
                .extracting(entry -> entry.key() + " " + entry.actionText())
                .contains(
                        "edge_sid dst fcbb:bbbb::/32 protect",
                        "edge_source src fcbb:bbbb::/32 domain_source",
                        "edge_source src fcff:8::1/128 domain_source",
                        "edge_source src fd00:0:31::1/128 domain_source",
                        "edge_port in_port 1 internal known_sources",
                        "edge_port in_port 2 external");
        // Every node is an intent of its own, and all start at once: the order holds within each.
        assertThat(places("l1 INSERT edge_source").getMax())
                .isLessThan(places("l1 INSERT edge_port").getMin());
        assertThat(places("l1 INSERT edge_port").getMax())
                .isLessThan(places("l1 INSERT route_v6").getMin());
    }

    @Test
    void a_port_is_internal_before_routes_lead_over_its_new_link_and_external_when_none_does_any_more() {
        Network all = inventory.snapshot();
        inventory.set(without(all, "v5", "v4"));
        await(engine.idle());
        dataPlane.forgetLog();
        inventory.set(all);
        await(engine.idle());
        assertThat(places("MODIFY edge_port").getCount()).isEqualTo(2);
        assertThat(places("MODIFY edge_port").getMax())
                .isLessThan(places("INSERT my_sid").getMin())
                .isLessThan(places("MODIFY route_v6").getMin());
        dataPlane.forgetLog();
        inventory.set(without(all, "v5", "v4"));
        await(engine.idle());
        assertThat(places("MODIFY edge_port").getCount()).isEqualTo(2);
        assertThat(places("MODIFY edge_port").getMin())
                .isGreaterThan(places("DELETE my_sid").getMax())
                .isGreaterThan(places("MODIFY route_v6").getMax());
    }

    @Test
    void a_link_that_goes_down_changes_no_role() {
        dataPlane.forgetLog();
        inventory.link("v5", "v4", false);
        await(engine.idle());
        inventory.link("v5", "v4", true);
        await(engine.idle());
        assertThat(dataPlane.log()).isNotEmpty();
        assertThat(places("edge_").getCount()).isZero();
    }

    @Test
    void a_role_that_is_described_otherwise_is_changed_and_nothing_else() {
        Network network = inventory.snapshot();
        dataPlane.forgetLog();
        inventory.set(new Network(
                network.nodes().values().stream()
                        .map(node -> node.name().equals("l1") ? internal(node, 2) : node)
                        .toList(),
                network.links(),
                network.hosts().values()));
        await(engine.idle());
        assertThat(dataPlane.log()).extracting(Object::toString).containsExactly("l1 MODIFY edge_port in_port 2");
        assertThat(dataPlane.held("l1").values()).contains(new EdgePort(2, new EdgePort.Internal(true)));
    }

    /** An agent of the last release: no edge entry is written there, and all others are installed. */
    @Test
    void a_node_that_does_not_filter_gets_no_rows_of_it() {
        engine.close();
        dataPlane.held("l1").keySet().forEach(key -> dataPlane.erase("l1", key));
        dataPlane.connect(
                "l1", new Capabilities(Map.of("next_hop", Set.of("forward"), "my_sid", Set.of("un")), Map.of()));
        engine = start();
        assertThat(dataPlane.held("l1").keySet())
                .extracting(Entry.Key::table)
                .contains("next_hop", "my_sid")
                .noneMatch(table -> table.startsWith("edge_"));
        assertThat(engine.get(provisioning, "l1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
    }

    /** The positions of such updates in the common log of all nodes. */
    private LongSummaryStatistics places(String what) {
        List<String> log = dataPlane.log().stream().map(Object::toString).toList();
        return LongStream.range(0, log.size())
                .filter(at -> log.get((int) at).contains(what))
                .summaryStatistics();
    }

    private static Network without(Network network, String one, String other) {
        return new Network(
                network.nodes().values(),
                network.links().stream()
                        .filter(link ->
                                !Set.of(link.from().node(), link.to().node()).equals(Set.of(one, other)))
                        .toList(),
                network.hosts().values());
    }

    private static Node internal(Node node, int number) {
        TreeMap<Integer, Port> ports = new TreeMap<>((Map<Integer, Port>) node.ports());
        ports.replaceAll((at, port) -> at != number
                ? port
                : new Port(
                        at,
                        port.name(),
                        port.mac(),
                        port.mtuBytes(),
                        port.up(),
                        port.addresses(),
                        Optional.of(PortRole.INTERNAL)));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not settle", e);
        }
    }
}
