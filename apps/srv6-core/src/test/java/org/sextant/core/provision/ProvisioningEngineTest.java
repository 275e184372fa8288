// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
import org.sextant.core.intent.IntentEngine;
import org.sextant.core.intent.IntentState;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.Subscription;
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

    /** After a reboot with other MAC addresses: what the first try was refused for is no reason any more when they are known. */
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

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not settle", e);
        }
    }
}
