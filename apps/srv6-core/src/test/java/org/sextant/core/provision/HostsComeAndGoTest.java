// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Route;
import org.sextant.core.underlay.NextHopIds;
import org.sextant.core.underlay.NextHopIds.Attachment;

/**
 * Hosts of one node are added, removed, moved and get other MAC addresses. After each single update of the node, no
 * packet is lost that has an owner before and after, and none reaches a host that does not own its address.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HostsComeAndGoTest {
    private static final EngineSettings QUIET =
            EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO);
    private static final String NODE = "l1";

    private final Provisioning provisioning = new Provisioning();
    private final FakeInventory inventory = new FakeInventory(Fig4.CONNECTED);
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private IntentEngine engine;

    @BeforeEach
    void start() throws Exception {
        inventory.set(with());
        Fig4.CONNECTED.nodes().keySet().forEach(dataPlane::connect);
        run();
    }

    private void run() throws Exception {
        engine = new IntentEngine(inventory, dataPlane, new FakeStore(), new FakeCoordination(), QUIET);
        engine.register(provisioning);
        engine.start();
        settle();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void a_host_whose_name_sorts_first_takes_nobodys_place() throws Exception {
        change(with(host("h10", 1, 2), host("h11", 2, 3)));
        assertThat(change(with(host("h09", 3, 4), host("h10", 1, 2), host("h11", 2, 3))))
                .isEmpty();
        assertThat(dataPlane.log()).as("one next hop and its two routes").hasSize(3);
    }

    @Test
    void a_host_that_leaves_moves_nobody() throws Exception {
        change(with(host("h10", 1, 2), host("h11", 2, 3), host("h12", 3, 3)));
        assertThat(change(with(host("h11", 2, 3), host("h12", 3, 3)))).isEmpty();
    }

    @Test
    void a_host_that_moves_to_another_port_or_gets_another_mac_address_is_reached_all_the_time() throws Exception {
        change(with(host("h10", 1, 2), host("h11", 2, 3)));
        assertThat(change(with(host("h10", 1, 4), host("h11", 2, 3))))
                .as("port")
                .isEmpty();
        assertThat(change(with(host("h10", 7, 4), host("h11", 2, 3))))
                .as("MAC address")
                .isEmpty();
    }

    @Test
    void hosts_that_swap_their_places_are_reached_all_the_time() throws Exception {
        change(with(host("h10", 1, 2), host("h11", 2, 3)));
        assertThat(change(with(host("h10", 1, 3), host("h11", 2, 2))))
                .as("ports")
                .isEmpty();
        assertThat(change(with(host("h10", 2, 3), host("h11", 1, 2))))
                .as("network cards")
                .isEmpty();
    }

    @Test
    void whatever_hosts_do_at_once_no_packet_is_lost_or_goes_astray() throws Exception {
        Random random = new Random(11);
        for (int round = 0; round < 60; round++) {
            List<Host> hosts = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                if (random.nextInt(3) > 0) {
                    hosts.add(host("h" + i, i * 3 + random.nextInt(3), 2 + random.nextInt(3)));
                }
            }
            assertThat(change(with(hosts.toArray(Host[]::new))))
                    .as("round %d", round)
                    .isEmpty();
        }
    }

    /**
     * The holder of the id has to move to a second id, whose holder has to move first: an id is reassigned only after
     * its routes have left it.
     */
    @Test
    void a_newcomer_whose_id_is_taken_waits_until_nobody_is_meant_by_it_any_more() throws Exception {
        Crowd crowd = Crowd.of();
        change(with(crowd.second(), crowd.third()));
        assertThat(change(with(crowd.first(), crowd.second(), crowd.third())))
                .as("comes")
                .isEmpty();
        assertThat(dataPlane.log())
                .as("that is a chain of two")
                .anyMatch(done -> done.toString().contains("MODIFY next_hop"));
        assertThat(change(with(crowd.second(), crowd.third()))).as("leaves").isEmpty();
    }

    @Test
    void a_route_that_the_node_refuses_to_change_keeps_its_next_hop_and_the_newcomer_waits() throws Exception {
        Crowd crowd = Crowd.of();
        Network before = with(crowd.second(), crowd.third());
        Network after = with(crowd.first(), crowd.second(), crowd.third());
        change(before);
        Frames frames = new Frames(NODE, dataPlane.held(NODE), before);
        dataPlane.refuse(
                NODE,
                update -> update.operation() == Operation.MODIFY && update.entry() instanceof Route,
                Code.RESOURCE_EXHAUSTED,
                "full");
        dataPlane.forgetLog();
        inventory.set(after);
        settle();
        assertThat(engine.get(provisioning, NODE).orElseThrow().state()).isEqualTo(IntentState.DEGRADED);
        dataPlane.obey(NODE);
        engine.audit().get(20, TimeUnit.SECONDS);
        settle();
        assertThat(frames.wrong(dataPlane.log(), before, after)).isEmpty();
        assertThat(engine.get(provisioning, NODE).orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void a_neighbour_with_another_mac_address_is_one_changed_next_hop_for_all_its_routes() throws Exception {
        dataPlane.forgetLog();
        inventory.set(new Network(
                inventory.snapshot().nodes().values().stream()
                        .map(node -> node.name().equals("l2") ? otherMacs(node) : node)
                        .toList(),
                inventory.snapshot().links(),
                List.of()));
        settle();
        assertThat(dataPlane.log())
                .filteredOn(done -> done.node().equals(NODE))
                .hasToString("[l1 MODIFY next_hop id 1]");
    }

    /** Ids used to follow the order of the names of a node's hosts. */
    @Test
    void nodes_that_an_earlier_version_provisioned_are_taken_over_without_a_loss() throws Exception {
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            hosts.add(host("h" + (10 + i), 100 + i, 2 + i % 3));
        }
        hosts.add(wanting(1030));
        Network network = with(hosts.toArray(Host[]::new));
        engine.close();
        for (int i = 0; i < hosts.size(); i++) {
            Host host = hosts.get(i);
            dataPlane.plant(
                    NODE,
                    new NextHop(
                            1024 + i,
                            host.location().port(),
                            Fig4.mac(1, host.location().port()),
                            host.mac().orElseThrow()));
            for (IpAddress address : host.addresses()) {
                dataPlane.plant(
                        NODE,
                        new Route(0, new IpPrefix(address, address.bits()), List.of(new Route.Member(1, 1024 + i))));
            }
        }
        Frames frames = new Frames(NODE, dataPlane.held(NODE), network);
        dataPlane.forgetLog();
        inventory.set(network);
        run();
        engine.audit().get(20, TimeUnit.SECONDS);
        assertThat(frames.wrong(dataPlane.log(), network, network)).isEmpty();
        assertThat(dataPlane.log()).anyMatch(done -> done.toString().equals("l1 MODIFY next_hop id 1030"));
        assertThat(dataPlane.held(NODE).keySet())
                .hasToString(engine.entries(EntryFilter.ofNode(NODE)).stream()
                        .map(EntryStatus::key)
                        .toList()
                        .toString());
    }

    private List<String> change(Network after) throws Exception {
        Network before = inventory.snapshot();
        Frames frames = new Frames(NODE, dataPlane.held(NODE), before);
        dataPlane.forgetLog();
        inventory.set(after);
        settle();
        assertThat(engine.get(provisioning, NODE).orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
        return frames.wrong(dataPlane.log(), before, after);
    }

    private void settle() throws Exception {
        engine.idle().get(20, TimeUnit.SECONDS);
    }

    /** Three hosts: the first takes the id of the second, and the second then that of the third. */
    private record Crowd(Host first, Host second, Host third) {

        static Crowd of() {
            for (int mac = 0; ; mac++) {
                Host second = host("h2", mac, 3);
                Optional<Host> first = rival("h1", 2, NextHopIds.choice(Attachment.of(second), 0));
                Optional<Host> third = rival("h3", 4, NextHopIds.choice(Attachment.of(second), 1));
                if (first.isPresent() && third.isPresent()) {
                    return new Crowd(first.get(), second, third.get());
                }
            }
        }

        /** A host at a port that would like to have an id. */
        private static Optional<Host> rival(String name, int port, int id) {
            for (int mac = 0; mac < 200_000; mac++) {
                Host host = host(name, mac, port);
                if (NextHopIds.choice(Attachment.of(host), 0) == id) {
                    return Optional.of(host);
                }
            }
            return Optional.empty();
        }
    }

    private static Host wanting(int id) {
        return Crowd.rival("h99", 3, id).orElseThrow();
    }

    private static Node otherMacs(Node node) {
        SortedMap<Integer, Port> ports = new TreeMap<>((Map<Integer, Port>) node.ports());
        ports.replaceAll((number, port) -> new Port(
                number, port.name(), Optional.of(Fig4.mac(77, number)), port.mtuBytes(), port.up(), port.addresses()));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }

    /** Figure 4, with these hosts in place of its own. */
    private static Network with(Host... hosts) {
        return new Network(Fig4.CONNECTED.nodes().values(), Fig4.CONNECTED.links(), List.of(hosts));
    }

    /** Its addresses follow from its name, its MAC address is 02:00:00:00:00:{@code mac}. */
    private static Host host(String name, int mac, int port) {
        int number = Integer.parseInt(name.substring(1));
        return new Host(
                name,
                Optional.of(new MacAddress(0x0200_0000_0000L + mac)),
                List.of(IpAddress.parse("2001:db8:5::" + number), IpAddress.parse("192.0.2." + (number + 1))),
                new Link.End(NODE, port));
    }
}
