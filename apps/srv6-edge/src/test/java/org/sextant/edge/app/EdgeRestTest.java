// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.contract.CounterArrays;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.table.EdgePeer;
import org.sextant.core.table.EdgePort;
import org.sextant.core.table.EdgeSource;
import org.sextant.northbound.cli.ShellCommand;
import org.sextant.northbound.cli.Typed;
import org.sextant.northbound.rest.Client;

/** The edge of Figure 4, from REST and shell to table entries. */
@Timeout(120)
@DisplayNameGeneration(ReplaceUnderscores.class)
class EdgeRestTest {
    private static final String OFFICE = "{'name': 'office', 'sources': ['2001:db8:a::/48'], 'ports': ['l1/3']}";
    private static final Capabilities FILTERS = new Capabilities(
            Map.of(
                    "edge_port", Set.of("external", "internal"),
                    "edge_sid", Set.of("protect", "reachable"),
                    "edge_source", Set.of("domain_source"),
                    "edge_peer", Set.of("peer")),
            Map.of());

    private final FakeInventory inventory = new FakeInventory(fig4());
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final EdgeApp app = new EdgeApp();
    private IntentEngine engine;
    private Client client;

    private static Network fig4() {
        try {
            return NetworkFile.parse(Files.readAllBytes(Path.of("../../lab/fig4.json")))
                    .orThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** v8 runs an agent of the last release; v5 is not connected. */
    @BeforeEach
    void start() {
        for (String node : List.of("l1", "l2", "l3", "v4", "p6", "p7")) {
            dataPlane.connect(node, FILTERS);
        }
        dataPlane.connect("v8", new Capabilities(Map.of("my_sid", Set.of("un")), Map.of()));
        engine = new IntentEngine(
                inventory,
                dataPlane,
                new FakeStore(),
                new FakeCoordination(),
                EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO));
        app.engine = engine;
        app.dataPlane = dataPlane;
        app.activate();
        engine.register(new Provisioning());
        engine.start();
        settle();
        EdgeResource edge = new EdgeResource();
        edge.edge = app;
        client = Client.of(app, edge);
    }

    @AfterEach
    void close() {
        app.deactivate();
        engine.close();
    }

    private void settle() {
        try {
            engine.idle().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("did not settle", e);
        }
    }

    private JsonNode port(String node, int number) {
        JsonNode view = client.get("edge/nodes/" + node).json();
        for (JsonNode port : view.get("ports")) {
            if (port.get("port").intValue() == number) {
                return port;
            }
        }
        throw new AssertionError("no port " + number + " in " + view);
    }

    @Test
    void a_peer_is_let_in_at_its_port_and_known_to_every_node_that_filters() {
        Client.Answer posted = client.post("edge/peers", OFFICE);
        assertThat(posted.status()).isEqualTo(202);
        assertThat(posted.location()).endsWith("/edge/peers/office");
        EdgeSource source = new EdgeSource(IpPrefix.parse("2001:db8:a::/48"));
        assertThat(dataPlane.held("l1").values()).contains(new EdgePeer(3, source.source()), source);
        assertThat(dataPlane.held("p6").values()).contains(source).noneMatch(EdgePeer.class::isInstance);
        assertThat(dataPlane.held("v8").values()).doesNotContain(source);
        assertThat(client.get("edge/peers").json()).hasSize(1);
        assertThat(client.get("edge/peers?node=l2").json()).isEmpty();
        assertThat(client.get("edge/peers/office").json().at("/peer/ports/0").textValue())
                .isEqualTo("l1/3");
        assertThat(client.delete("edge/peers/office").status()).isIn(202, 204);
        settle();
        assertThat(dataPlane.held("l1").values())
                .noneMatch(EdgePeer.class::isInstance)
                .doesNotContain(source);
    }

    @Test
    void a_dry_run_says_what_would_be_written_and_changes_nothing() {
        Client.Answer dry = client.post("edge/peers?dryRun=true", OFFICE);
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.json().toString()).contains("edge_peer").contains("in_port 3 src 2001:db8:a::/48");
        assertThat(client.get("edge/peers").json()).isEmpty();
        assertThat(dataPlane.held("l1").values()).noneMatch(EdgePeer.class::isInstance);
    }

    @Test
    void what_would_open_more_than_a_peer_is_refused_with_its_place() {
        refused("'l1/3'", "'l9/3'", "/ports/0", "there is no node \"l9\"");
        refused("'l1/3'", "'l1/77'", "/ports/0", "node l1 has no port 77");
        refused("'l1/3'", "'l1/1'", "/ports/0", "port l1/1 is internal: the link l1/1-l2/1 is there");
        refused("2001:db8:a::/48", "fcbb::/16", "/sources/0", "covers fcbb:bbbb::/32, from which nodes");
        refused("2001:db8:a::/48", "fcbb:bbbb:100::/48", "/sources/0", "lies within fcbb:bbbb::/32");
        refused("2001:db8:a::/48", "fcff::/16", "/sources/0", "covers fcff:1::1/128");
        refused("2001:db8:a::/48", "fd00:0:31::2", "/sources/0", "is behind l3/");
        assertThat(client.get("edge/peers").json()).isEmpty();
    }

    private void refused(String original, String fault, String field, String message) {
        Client.Answer answer = client.post("edge/peers", OFFICE.replace(original, fault));
        assertThat(answer.status()).isIn(400, 422);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo(field);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains(message);
        assertThat(answer.json().at("/errors/0/remedy").textValue()).isNotEmpty();
    }

    @Test
    void two_peers_cannot_have_one_source_at_one_port_and_can_at_two() {
        client.post("edge/peers", OFFICE);
        Client.Answer same = client.post("edge/peers", OFFICE.replace("office", "other"));
        assertThat(same.status()).isEqualTo(409);
        assertThat(same.json().at("/errors/0/field").textValue()).isEqualTo("/sources/0");
        client.post("edge/peers", OFFICE.replace("office", "other").replace("l1/3", "l3/3"));
        client.delete("edge/peers/office");
        settle();
        assertThat(dataPlane.held("l2").values())
                .as("the other one still sends from there")
                .contains(new EdgeSource(IpPrefix.parse("2001:db8:a::/48")));
    }

    @Test
    void a_port_that_becomes_internal_takes_no_peers_any_more_and_has_them_back_after() {
        client.post("edge/peers", OFFICE);
        Network before = inventory.snapshot();
        inventory.set(NetworkFile.read(internal(before)).orThrow());
        settle();
        assertThat(dataPlane.held("l1").values())
                .contains(new EdgePort(3, new EdgePort.Internal(true)))
                .noneMatch(EdgePeer.class::isInstance);
        JsonNode peer = client.get("edge/peers/office").json();
        assertThat(peer.toString()).contains("port l1/3 is internal");
        inventory.set(before);
        settle();
        assertThat(dataPlane.held("l1").values()).contains(new EdgePeer(3, IpPrefix.parse("2001:db8:a::/48")));
    }

    private static JsonNode internal(Network network) {
        ObjectNode document = NetworkFile.write(network);
        document.with("ports").with("device:l1/3").with("srv6").put("role", "internal");
        return document;
    }

    @Test
    void the_edge_shows_roles_reasons_peers_and_what_was_dropped() {
        client.post("edge/peers", OFFICE);
        dataPlane.count("l1", CounterArrays.EDGE_DROPPED.name(), 4 * 3, new Counters(7, 700));
        dataPlane.count("l1", CounterArrays.EDGE_DROPPED.name(), 4 * 1 + 3, new Counters(2, 200));
        dataPlane.count("l1", CounterArrays.EDGE_DROPPED.name(), 2048 + 4 * 3, new Counters(3, 300));
        dataPlane.count("l1", CounterArrays.EDGE_DROPPED.name(), 2048 + 4 * 1 + 1, new Counters(1, 100));
        dataPlane.count("l1", new EdgePeer(3, IpPrefix.parse("2001:db8:a::/48")).key(), new Counters(5, 500));
        JsonNode host = port("l1", 3);
        assertThat(host.get("role").textValue()).isEqualTo("external");
        assertThat(host.get("because").textValue()).isEqualTo("host");
        assertThat(host.get("what").textValue()).isEqualTo("h12");
        assertThat(host.at("/dropped/sid")).hasToString("{\"packets\":7,\"bytes\":700}");
        assertThat(host.at("/dropped/source/packets").longValue()).isZero();
        assertThat(host.at("/dropped/unreadable")).hasToString("{\"packets\":3,\"bytes\":300}");
        assertThat(host.at("/peers/0/peer").textValue()).isEqualTo("office");
        assertThat(host.at("/peers/0/packets").longValue()).isEqualTo(5);
        JsonNode link = port("l1", 1);
        assertThat(link.get("role").textValue()).isEqualTo("internal");
        assertThat(link.get("what").textValue()).isEqualTo("l1/1-l2/1");
        assertThat(link.at("/dropped/unknownSource/bytes").longValue()).isEqualTo(200);
        assertThat(link.at("/dropped/internal/bytes").longValue()).isEqualTo(100);
    }

    @Test
    void nodes_that_do_not_filter_are_named_and_one_that_does_not_answer_costs_no_other() {
        JsonNode edge = client.get("edge").json();
        assertThat(edge.get("nodes")).hasSize(8);
        assertThat(edge.get("unfiltered")).hasToString("[\"v5\",\"v8\"]");
        assertThat(edge.get("warnings")).isEmpty();
        dataPlane.count("l1", CounterArrays.EDGE_DROPPED.name(), 4, new Counters(1, 60));
        dataPlane.count("l2", CounterArrays.EDGE_DROPPED.name(), 4, new Counters(1, 60));
        dataPlane.disconnect("l1", "power");
        edge = client.get("edge").json();
        assertThat(edge.at("/nodes/0/read").booleanValue()).isFalse();
        assertThat(edge.at("/nodes/1/read").booleanValue()).isTrue();
        assertThat(client.get("edge/nodes/l9").status()).isEqualTo(404);
    }

    /** A rejected entry leaves a port unfiltered. */
    @Test
    void a_node_that_refuses_its_edge_is_named_with_its_reason() {
        dataPlane.refuse("v5", update -> update.entry() instanceof EdgePort, Code.RESOURCE_EXHAUSTED, "no room");
        dataPlane.connect("v5", FILTERS);
        settle();
        assertThat(client.get("edge").json().get("unfiltered")).hasToString("[\"v5\",\"v8\"]");
        assertThat(client.get("edge/nodes/v5").json().get("refused").textValue())
                .isEqualTo("edge_port in_port 1: no room");
        assertThat(typed(new EdgeCommand(app), "v5")).contains("v5: NOT FILTERED: it refuses edge_port in_port 1");
    }

    @Test
    void a_host_among_the_domains_addresses_is_warned_of() {
        Network network = inventory.snapshot();
        ObjectNode document = NetworkFile.write(network);
        document.with("hosts")
                .with("h99/None")
                .with("basic")
                .put("name", "h99")
                .putArray("ips")
                .add("fcbb:bbbb:ffff::1");
        document.with("hosts")
                .with("h99/None")
                .with("basic")
                .putArray("locations")
                .add("device:l1/9");
        inventory.set(NetworkFile.read(document).orThrow());
        settle();
        assertThat(client.get("edge").json().at("/warnings/0").textValue())
                .startsWith("host h99 has fcbb:bbbb:ffff::1, which is one of fcbb:bbbb::/32");
    }

    @Test
    void the_shell_says_the_same() {
        assertThat(typed(
                        Typed.command(app, "edge-peer-add"), "office", "--source", "2001:db8:a::/48", "--port", "l1/3"))
                .contains("office");
        assertThat(typed(Typed.command(app, "edge-peers"))).contains("office", "l1/3", "2001:db8:a::/48");
        assertThat(typed(new EdgeCommand(app), "l1"))
                .contains("l1: edge filter (built in), SIDs for known sources only")
                .contains("l1/3  external  host h12")
                .contains("open for office 2001:db8:a::/48");
        assertThat(typed(new EdgeCommand(app))).contains("v8: NOT FILTERED", "v5: not known");
    }

    private static String typed(ShellCommand command, String... words) {
        return Typed.run(command, "", words).out();
    }
}
