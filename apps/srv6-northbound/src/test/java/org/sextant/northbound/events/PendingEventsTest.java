// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.net.Link;
import org.sextant.core.net.LinkRestoration;
import org.sextant.core.net.LinkRules;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Port;
import org.sextant.northbound.view.Nets;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PendingEventsTest {
    private static final Probes NONE = new Probes(Map.of(), Map.of());

    private final PendingEvents news = new PendingEvents(() -> NONE);

    @Test
    void a_link_that_goes_down_is_told_with_its_ports_and_nothing_else() {
        news.add(NetworkDiff.between(network(true, "l1", "l2"), network(false, "l1", "l2")));
        assertThat(news.take())
                .containsExactly("event: status\ndata: {\"nodes\":[],\"links\":[{\"id\":\"l1/1-l2/1\",\"up\":false}],"
                        + "\"ports\":[{\"node\":\"l1\",\"port\":1,\"up\":false}]}\n\n");
        assertThat(news.take()).isEmpty();
    }

    @Test
    void a_link_that_flaps_is_told_once_with_its_last_state() {
        news.add(NetworkDiff.between(network(true, "l1", "l2"), network(false, "l1", "l2")));
        news.add(NetworkDiff.between(network(false, "l1", "l2"), network(true, "l1", "l2")));
        assertThat(news.take())
                .singleElement()
                .asString()
                .contains("\"up\":true")
                .doesNotContain("\"up\":false");
    }

    @Test
    void a_link_that_waits_is_told_with_the_time_when_it_is_used() {
        Instant now = Instant.parse("2026-11-27T06:00:00Z");
        LinkRestoration.Step lost = LinkRestoration.START.step(waiting(network(true, "l1", "l2")), now);
        LinkRestoration.Step down = lost.after().step(waiting(network(false, "l1", "l2")), now);
        LinkRestoration.Step waits = down.after().step(waiting(network(true, "l1", "l2")), now);
        news.add(NetworkDiff.between(down.network(), waits.network()));
        assertThat(news.take())
                .singleElement()
                .asString()
                .contains("{\"id\":\"l1/1-l2/1\",\"up\":false,\"restores\":\"2026-11-27T06:00:10Z\"}");
        Network used = waits.after()
                .step(waiting(network(true, "l1", "l2")), now.plusSeconds(10))
                .network();
        news.add(NetworkDiff.between(waits.network(), used));
        assertThat(news.take()).singleElement().asString().contains("\"links\":[{\"id\":\"l1/1-l2/1\",\"up\":true}]");
    }

    @Test
    void a_node_is_overloaded_drained_and_neither() {
        Network before = network(true, "l1", "l2");
        Instant since = Instant.parse("2026-11-28T06:00:00Z");
        Network overloaded = before.withOverloads(new TreeMap<>(Map.of("l1", new Overload(since, false))));
        Network drained = before.withOverloads(new TreeMap<>(Map.of("l1", new Overload(since, true))));
        news.add(NetworkDiff.between(before, overloaded));
        assertThat(news.take())
                .singleElement()
                .asString()
                .startsWith("event: status")
                .contains(
                        "\"overloads\":[{\"name\":\"l1\",\"overloadedSince\":\"2026-11-28T06:00:00Z\",\"drained\":false}]");
        news.add(NetworkDiff.between(overloaded, drained));
        assertThat(news.take()).singleElement().asString().contains("\"drained\":true");
        news.add(NetworkDiff.between(drained, before));
        assertThat(news.take()).singleElement().asString().contains("\"overloads\":[{\"name\":\"l1\"}]");
        assertThat(news.take()).isEmpty();
    }

    /** With a wait-to-restore, and a second link that is always up: without it the first would not wait. */
    private static Network waiting(Network network) {
        Link second = new Link(new Link.End("l2", 2), new Link.End("l1", 2), 10, 10, 0, 0, Set.of(), Set.of(), true);
        return new Network(
                network.nodes().values(),
                Stream.concat(network.links().stream(), Stream.of(second)).toList(),
                network.hosts().values(),
                new LinkRules(false, Duration.ofSeconds(10)));
    }

    @Test
    void another_node_makes_it_another_network() {
        news.add(NetworkDiff.between(network(true, "l1", "l2"), network(true, "l1", "l2", "l3")));
        assertThat(news.take()).containsExactly("event: network\ndata: {}\n\n");
    }

    @Test
    void another_speed_is_to_be_looked_at_but_no_other_description() {
        Network slow = faster(network(true, "l1", "l2"), 1_000_000);
        Network fast = faster(network(true, "l1", "l2"), 10_000_000);
        NetworkDiff diff = NetworkDiff.between(slow, fast);
        assertThat(diff.redrawn()).isFalse();
        news.add(diff);
        assertThat(news.take()).containsExactly("event: network\ndata: {}\n\n");
        news.add(NetworkDiff.between(fast, faster(network(false, "l1", "l2"), 0)));
        assertThat(news.take())
                .as("one that is down has none")
                .singleElement()
                .asString()
                .startsWith("event: status");
    }

    @Test
    void another_compiler_version_and_those_of_members_are_to_be_looked_at_in_the_cluster() {
        CompilerStatus status = CompilerStatus.single(CompilerVersions.CURRENT);
        news.add(new EngineEvent.CompilerVersionChanged(status));
        news.add(new EngineEvent.CompilerMembersChanged(status));
        assertThat(news.take()).containsExactly("event: cluster\ndata: {}\n\n");
        news.add(new EngineEvent.CompilerMembersChanged(status));
        assertThat(news.take()).containsExactly("event: cluster\ndata: {}\n\n");
        assertThat(news.take()).isEmpty();
    }

    private static Network faster(Network network, long kbps) {
        return Nets.withSpeeds(network, Map.of("l1", kbps, "l2", kbps));
    }

    @Test
    void intents_and_nodes_have_their_last_state() {
        IntentRef policy = new IntentRef("policy", "p1");
        IntentRef gone = new IntentRef("policy", "p2");
        news.add(new EngineEvent.IntentChanged(policy, IntentState.PENDING));
        news.add(new EngineEvent.IntentChanged(policy, IntentState.INSTALLED));
        news.add(new EngineEvent.IntentChanged(gone, IntentState.INSTALLED));
        news.add(new EngineEvent.IntentRemoved(gone));
        news.add(new EngineEvent.NodeChanged(new NodeStatus(
                "l1",
                NodeStatus.State.LOST,
                "no sign of life",
                7,
                Optional.empty(),
                Optional.empty(),
                new NodeStatus.Contact(
                        Optional.of(java.time.Instant.parse("2026-11-23T06:43:00Z")), Optional.empty(), 8))));
        news.add(new EngineEvent.EntriesWritten("l2", 1, 0, 0));
        assertThat(news.take())
                .containsExactly(
                        "event: status\ndata: {\"nodes\":[{\"name\":\"l1\",\"state\":\"LOST\",\"reason\":\"no sign of life\","
                                + "\"entries\":7,\"waiting\":8,\"since\":\"2026-11-23T06:43:00Z\"}],\"links\":[],\"ports\":[]}\n\n",
                        "event: intents\ndata: {\"many\":false,\"changed\":[{\"kind\":\"policy\",\"id\":\"p1\","
                                + "\"state\":\"INSTALLED\"}],\"removed\":[{\"kind\":\"policy\",\"id\":\"p2\"}]}\n\n",
                        "event: entries\ndata: {\"nodes\":[\"l2\"]}\n\n");
    }

    @Test
    void what_an_app_reports_about_a_subject_is_told_once_with_its_last_word() {
        PendingEvents news = new PendingEvents(() -> NONE);
        IntentRef flow = new IntentRef("livelive", "video");
        news.add(new EngineEvent.IntentReported(flow, "path 2", true, "path 2 is silent"));
        news.add(new EngineEvent.IntentReported(flow, "path 2", false, "path 2 delivers again"));
        assertThat(news.take())
                .containsExactly("event: reports\ndata: {\"reports\":[{\"kind\":\"livelive\",\"id\":\"video\","
                        + "\"subject\":\"path 2\",\"trouble\":false,\"message\":\"path 2 delivers again\"}]}\n\n");
        assertThat(news.take()).isEmpty();
    }

    @Test
    void probes_are_told_apart_from_what_else_a_port_carries() {
        Network network = network(true, "l1", "l2");
        Link link = network.links().get(0);
        Probes probes =
                Probes.of(network, List.of(() -> Map.of(link.id(), 600L), () -> Map.of(link.id(), 50L, "gone", 9L)));
        PendingEvents told = new PendingEvents(() -> probes);
        told.add(link.from().node(), new TreeMap<>(Map.of(link.from().port(), new Rates.Rate(2000, 1000))));
        told.add(link.to().node(), new TreeMap<>(Map.of(link.to().port(), new Rates.Rate(300, 2000))));
        assertThat(told.take())
                .as("never more than was counted: probes that are lost are not there")
                .containsExactly("event: traffic\ndata: {\"ports\":["
                        + "{\"node\":\"l1\",\"port\":1,\"inBitsPerSecond\":2000,\"outBitsPerSecond\":1000,"
                        + "\"inProbeBitsPerSecond\":0,\"outProbeBitsPerSecond\":650},"
                        + "{\"node\":\"l2\",\"port\":1,\"inBitsPerSecond\":300,\"outBitsPerSecond\":2000,"
                        + "\"inProbeBitsPerSecond\":300,\"outProbeBitsPerSecond\":0}]}\n\n");
    }

    @Test
    void probes_that_a_node_counts_are_told_as_counted() {
        Network network = network(true, "l1", "l2");
        Link link = network.links().get(0);
        Probes most = Probes.of(network, List.of(() -> Map.of(link.id(), 600L)));
        PendingEvents told = new PendingEvents(() -> most);
        Rates.Rate rate = new Rates.Rate(2000, 1000, Optional.of(new Rates.Rate(120, 240)));
        told.add(link.from().node(), new TreeMap<>(Map.of(link.from().port(), rate)));
        assertThat(told.take())
                .containsExactly("event: traffic\ndata: {\"ports\":["
                        + "{\"node\":\"l1\",\"port\":1,\"inBitsPerSecond\":2000,\"outBitsPerSecond\":1000,"
                        + "\"inProbeBitsPerSecond\":120,\"outProbeBitsPerSecond\":240}]}\n\n");
    }

    @Test
    void a_flood_of_intents_is_one_word() {
        for (int i = 0; i <= PendingEvents.MAX_INTENTS; i++) {
            news.add(new EngineEvent.IntentChanged(new IntentRef("policy", "p" + i), IntentState.INSTALLED));
        }
        assertThat(news.take())
                .containsExactly("event: intents\ndata: {\"many\":true,\"changed\":[],\"removed\":[]}\n\n");
    }

    private static Network network(boolean up, String... names) {
        List<Node> nodes = List.of(names).stream()
                .map(name -> new Node(
                        name,
                        "device:" + name,
                        "",
                        "",
                        Optional.empty(),
                        ports(up || !name.equals("l1")),
                        Optional.empty()))
                .toList();
        Link link = new Link(new Link.End("l1", 1), new Link.End("l2", 1), 10, 10, 0, 0, Set.of(), Set.of(), up);
        return new Network(nodes, List.of(link), List.of());
    }

    private static SortedMap<Integer, Port> ports(boolean up) {
        return new TreeMap<>(Map.of(1, new Port(1, Optional.empty(), Optional.empty(), 0, up, List.of())));
    }
}
