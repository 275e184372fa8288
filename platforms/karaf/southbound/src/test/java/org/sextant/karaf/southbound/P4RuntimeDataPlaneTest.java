// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.Code;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.contract.CounterArrays;
import org.sextant.contract.Tables;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.NodeState;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.port.FirewallTelemetry;
import org.sextant.core.port.LinkDelayTelemetry;
import org.sextant.core.port.LivenessTelemetry;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Pinger.Echoes;
import org.sextant.core.port.Pinger.Ping;
import org.sextant.core.port.Pinger.RoundTrip;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MulticastGroup;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Steering;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class P4RuntimeDataPlaneTest {
    private static final Deadlines SHORT = new Deadlines(3_000, 6_000, 3_000, 15_000, 200);

    private final FakeNode fake = new FakeNode(true);
    private final FakeStore store = new FakeStore();
    private final P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(store, TlsFiles.NONE, SHORT);
    private final BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
    private final BlockingQueue<Map<Integer, PortState>> ports = new LinkedBlockingQueue<>();

    P4RuntimeDataPlaneTest() {
        dataPlane.onState(states::add);
        dataPlane.onPorts((node, seen) -> ports.add(seen));
    }

    @AfterEach
    void close() {
        dataPlane.close();
        fake.close();
    }

    @Test
    void a_node_becomes_ready_and_offers_what_its_p4info_has() throws InterruptedException {
        assertThat(connect("org.sextant.linux").reason()).contains("org.sextant.linux");
        assertThat(dataPlane.ready()).containsExactly("n1");
        assertThat(dataPlane.capabilities("n1")).hasValueSatisfying(capabilities -> {
            assertThat(capabilities.offers("my_sid", "un")).isTrue();
            assertThat(capabilities.offers("my_sid", "udt46")).isFalse();
            assertThat(capabilities.offers("my_sid", "NoAction")).isFalse();
            assertThat(capabilities.maxSegments()).isEqualTo(16);
            assertThat(capabilities.sizeOfTable()).containsEntry("my_sid", 4096L);
        });
    }

    @Test
    void a_controller_that_starts_again_leaves_the_pipeline_alone() throws InterruptedException {
        connect("org.sextant.linux");
        dataPlane.manage(List.of());
        await(state -> !state.ready());
        connect("org.sextant.linux");
        assertThat(fake.configurations).hasValue(1);
        assertThat(fake.bids.get(1).getLow()).isGreaterThan(fake.bids.get(0).getLow());
    }

    @Test
    @SuppressWarnings("deprecation") // ports by number, as they are sent
    void groups_are_written_as_state_of_the_packet_replication_engine() throws InterruptedException {
        connect("org.sextant.bmv2");
        assertThat(dataPlane.write("n1", List.of(new Update(Operation.INSERT, new MulticastGroup(3, 1, 3)))))
                .containsExactly(Result.OK);
        assertThat(fake.groups.get(3).getReplicasList().stream().map(Replica::getInstance))
                .containsExactly(1, 2, 3);
        assertThat(fake.rows()).isEmpty();
        fake.groups.put(
                4,
                fake.groups.get(3).toBuilder()
                        .setMulticastGroupId(4)
                        .setReplicas(1, Replica.newBuilder().setEgressPort(7).setInstance(9))
                        .build());
        assertThat(dataPlane.read("n1").stream().map(Stored::entry))
                .as("copies of another kind are none of ours")
                .contains(new MulticastGroup(3, 1, 3))
                .doesNotContain(new MulticastGroup(4, 1, 3))
                .hasSize(2);
    }

    @Test
    void a_node_that_runs_no_program_of_its_own_is_not_asked_for_groups() throws InterruptedException {
        connect("org.sextant.linux");
        assertThat(dataPlane.capabilities("n1").orElseThrow().offers("multicast_group", "copies"))
                .isFalse();
        assertThat(dataPlane.write("n1", List.of(new Update(Operation.INSERT, new MulticastGroup(3, 1, 3)))))
                .singleElement()
                .satisfies(result ->
                        assertThat(result.failure().orElseThrow().code()).isEqualTo(DataPlane.Code.UNIMPLEMENTED));
    }

    @Test
    void cells_of_counter_arrays_are_read_by_index() throws InterruptedException {
        connect("org.sextant.linux");
        assertThat(dataPlane.cells("n1", "dedup_first", Set.of(17, 18)))
                .isEqualTo(Map.of(
                        17,
                        new Counters(17, CounterArrays.DEDUP_FIRST.id()),
                        18,
                        new Counters(18, CounterArrays.DEDUP_FIRST.id())));
        assertThat(dataPlane.cells("n1", "dedup_nothing", Set.of(1))).isEmpty();
    }

    @Test
    void rows_are_read_alone_with_their_counters() throws InterruptedException {
        connect("org.sextant.linux");
        List<Entry> sids =
                IntStream.range(0, 4).mapToObj(P4RuntimeDataPlaneTest::sid).toList();
        write(Operation.INSERT, sids.subList(0, 3));
        assertThat(dataPlane.rows("n1", sids.subList(1, 4)))
                .containsExactlyInAnyOrder(
                        new Stored(sids.get(1), Optional.of(new Counters(7, 700))),
                        new Stored(sids.get(2), Optional.of(new Counters(7, 700))));
        assertThat(dataPlane.rows("n1", List.of())).isEmpty();
        assertThat(dataPlane.rows("n1", List.of(new MulticastGroup(3, 1, 3))))
                .as("its pipeline has no such rows")
                .isEmpty();
    }

    @Test
    void a_table_that_remembers_when_its_rows_were_hit_is_asked_for_it() throws InterruptedException {
        connect("org.sextant.linux");
        Entry rule = FirewallRule.of(
                        new RuleSet(7, List.of(new RuleSet.Row(1, Box.ALL, Verdict.GO_NEXT, false, "default"))))
                .get(0);
        write(Operation.INSERT, List.of(rule, sid(1)));
        assertThat(dataPlane.rows("n1", List.of(rule, sid(1))))
                .containsExactlyInAnyOrder(
                        new Stored(rule, Optional.of(new Counters(7, 700)), Optional.of(Duration.ofSeconds(5))),
                        new Stored(sid(1), Optional.of(new Counters(7, 700))));
    }

    @Test
    void another_pipeline_is_pushed() throws InterruptedException {
        connect("org.sextant.linux");
        connect("org.sextant.bmv2");
        assertThat(fake.configurations).hasValue(2);
        assertThat(dataPlane.capabilities("n1").orElseThrow().offers("my_sid", "udt46"))
                .isTrue();
    }

    @Test
    void every_kind_of_entry_comes_back_as_it_was_written() throws InterruptedException {
        connect("org.sextant.bmv2");
        List<Entry> entries = Samples.everyKind();
        assertThat(write(Operation.INSERT, entries)).allMatch(Result::ok);
        assertThat(dataPlane.read("n1").stream().map(Stored::entry)).containsExactlyInAnyOrderElementsOf(entries);
        assertThat(write(Operation.DELETE, entries)).allMatch(Result::ok);
        assertThat(fake.rows().stream().filter(row -> row.getTableId() != Tables.EPOCH.id()))
                .as("only the default entry stays, without an action")
                .singleElement()
                .matches(row -> row.getIsDefaultAction() && !row.hasAction());
        assertThat(dataPlane.read("n1")).isEmpty();
    }

    @Test
    void bytes_are_canonical() throws InterruptedException {
        connect("org.sextant.linux");
        write(
                Operation.INSERT,
                List.of(
                        new MySid(IpPrefix.parse("::100:0/112"), new Behavior.Un(32, 16)),
                        new Steering(0, IpPrefix.parse("0.0.0.0/0"), 1, true)));
        TableEntry sid = fake.rows().get(0);
        assertThat(hex(sid.getMatch(0).getLpm().getValue().toByteArray())).isEqualTo("01000000");
        assertThat(sid.getAction().getAction().getParamsList().stream()
                        .map(param -> hex(param.getValue().toByteArray())))
                .containsExactly("20", "10");
        TableEntry steering = fake.rows().get(1);
        assertThat(steering.getMatchList())
                .as("a prefix of length 0 is left out")
                .singleElement()
                .matches(FieldMatch::hasExact);
        assertThat(hex(steering.getMatch(0).getExact().getValue().toByteArray()))
                .as("zero is one byte")
                .isEqualTo("00");
    }

    @Test
    void counters_come_where_the_table_has_them() throws InterruptedException {
        connect("org.sextant.linux");
        write(
                Operation.INSERT,
                List.of(
                        new NextHop(1, 1, new MacAddress(1), new MacAddress(2)),
                        new MySid(IpPrefix.parse("fcbb:bbbb:100::/48"), new Behavior.Un(32, 16))));
        Map<Entry.Stage, Optional<Counters>> counters = new TreeMap<>();
        dataPlane.read("n1").forEach(row -> counters.put(row.entry().stage(), row.counters()));
        assertThat(counters)
                .containsEntry(Entry.Stage.ADJACENCY, Optional.empty())
                .containsEntry(Entry.Stage.BEHAVIORS, Optional.of(new Counters(7, 700)));
    }

    @Test
    void each_update_has_its_own_result() throws InterruptedException {
        connect("org.sextant.linux");
        List<Entry> sids =
                IntStream.range(0, 4).mapToObj(P4RuntimeDataPlaneTest::sid).toList();
        fake.fault = update -> fake.rows().size() < 2
                ? Optional.empty()
                : Optional.of(FakeNode.error(Code.RESOURCE_EXHAUSTED_VALUE, "the table is full"));
        List<Result> results = write(Operation.INSERT, sids);
        assertThat(results.subList(0, 2)).containsOnly(Result.OK);
        assertThat(results.subList(2, 4))
                .containsOnly(Result.failed(DataPlane.Code.RESOURCE_EXHAUSTED, "the table is full"));
        fake.fault = update -> Optional.empty();
        assertThat(write(Operation.INSERT, sids))
                .containsExactly(
                        Result.failed(DataPlane.Code.ALREADY_EXISTS, "the row is there"),
                        Result.failed(DataPlane.Code.ALREADY_EXISTS, "the row is there"),
                        Result.OK,
                        Result.OK);
        assertThat(write(Operation.MODIFY, List.of(sid(9))))
                .containsExactly(Result.failed(DataPlane.Code.NOT_FOUND, "no such row"));
    }

    @Test
    void what_the_pipeline_lacks_is_refused_without_asking_the_node() throws InterruptedException {
        connect("org.sextant.linux");
        List<Result> results = write(
                Operation.INSERT,
                List.of(
                        sid(1),
                        new MySid(IpPrefix.parse("fcbb:bbbb:1:f046::/64"), new Behavior.Udt(Behavior.Family.BOTH, 0)),
                        sid(2)));
        assertThat(results.get(0)).isEqualTo(Result.OK);
        assertThat(results.get(1))
                .isEqualTo(Result.failed(DataPlane.Code.UNIMPLEMENTED, "the node's table my_sid has no action udt46"));
        assertThat(results.get(2)).isEqualTo(Result.OK);
        assertThat(fake.rows()).hasSize(2);
    }

    @Test
    void updates_go_in_bounded_batches_with_all_their_errors() throws InterruptedException {
        connect("org.sextant.linux");
        List<Entry> sids =
                IntStream.range(0, 1500).mapToObj(P4RuntimeDataPlaneTest::sid).toList();
        fake.fault = update -> Optional.of(FakeNode.error(
                Code.RESOURCE_EXHAUSTED_VALUE, "table my_sid is full: it holds 4096 rows, remove some first"));
        assertThat(write(Operation.INSERT, sids))
                .hasSize(1500)
                .allMatch(result -> result.failure().orElseThrow().code() == DataPlane.Code.RESOURCE_EXHAUSTED);
        fake.fault = update -> Optional.empty();
        assertThat(write(Operation.INSERT, sids)).hasSize(1500).containsOnly(Result.OK);
        assertThat(dataPlane.read("n1").stream().map(Stored::entry)).containsExactlyInAnyOrderElementsOf(sids);
        assertThat(fake.batchSizes).containsExactly(1000, 500, 1000, 500);
    }

    @Test
    void updates_whose_order_matters_are_never_in_one_request() throws InterruptedException {
        connect("org.sextant.linux");
        Entry hop = new NextHop(1, 1, new MacAddress(1), new MacAddress(2));
        Entry other = new NextHop(2, 1, new MacAddress(1), new MacAddress(2));
        List<Result> results = dataPlane.write(
                "n1",
                List.of(
                        new Update(Operation.INSERT, hop),
                        new Update(Operation.INSERT, other),
                        new Update(Operation.INSERT, sid(1)),
                        new Update(Operation.DELETE, sid(1)),
                        new Update(Operation.INSERT, sid(1)),
                        new Update(Operation.MODIFY, sid(1))));
        assertThat(results).containsOnly(Result.OK);
        assertThat(fake.batchSizes).containsExactly(2, 1, 1, 1, 1);
    }

    @Test
    void another_primary_is_reported_and_replaced_when_it_leaves() throws InterruptedException {
        connect("org.sextant.linux");
        fake.foreignPrimary(true);
        assertThat(await(state -> !state.ready()).reason()).contains("another controller is primary");
        assertThatThrownBy(() -> dataPlane.read("n1"))
                .isInstanceOf(NodeUnavailableException.class)
                .hasMessageContaining("another controller");
        assertThat(dataPlane.statuses().get("n1").kind()).isEqualTo(NodeStatus.Kind.NOT_PRIMARY);
        fake.foreignPrimary(false);
        await(NodeState::ready);
        assertThat(write(Operation.INSERT, List.of(sid(1)))).containsOnly(Result.OK);
    }

    @Test
    void a_node_that_comes_back_is_ready_again() throws InterruptedException {
        connect("org.sextant.linux");
        fake.stop();
        assertThat(await(state -> !state.ready()).reason()).isNotBlank();
        assertThat(await(state -> state.reason().contains("refused")).ready()).isFalse();
        assertThatThrownBy(() -> write(Operation.INSERT, List.of(sid(1)))).isInstanceOf(NodeUnavailableException.class);
        fake.start();
        await(NodeState::ready);
        assertThat(fake.configurations).hasValue(1);
    }

    @Test
    void a_node_without_power_is_found_out() throws InterruptedException {
        connect("org.sextant.linux");
        fake.beSilent(true);
        await(state -> !state.ready() && state.reason().equals("no sign of life: no answer within 3.0 s"));
        assertThat(await(state -> state.reason().contains("arbitration")).reason())
                .contains("no answer to arbitration");
        fake.beSilent(false);
        await(NodeState::ready);
    }

    @Test
    void a_write_without_answer_says_that_nothing_is_known() throws InterruptedException {
        connect("org.sextant.linux");
        fake.beSilent(true);
        assertThatThrownBy(() -> write(Operation.INSERT, List.of(sid(1)))).isInstanceOf(NodeUnavailableException.class);
        assertThat(await(state -> !state.ready()).ready()).isFalse();
    }

    @Test
    void a_refused_pipeline_is_told_with_the_nodes_words_and_tried_again() throws InterruptedException {
        fake.refusePipeline = Optional.of(Status.INVALID_ARGUMENT.withDescription("table my_sid has other keys here"));
        manage("org.sextant.linux", fake.management());
        assertThat(await(state -> state.reason().contains("pipeline")).reason())
                .contains("table my_sid has other keys here");
        assertThat(dataPlane.statuses().get("n1").kind()).isEqualTo(NodeStatus.Kind.PIPELINE_MISMATCH);
        fake.refusePipeline = Optional.empty();
        await(NodeState::ready);
    }

    @Test
    void a_node_that_is_no_longer_managed_is_left_alone() throws InterruptedException {
        connect("org.sextant.linux");
        dataPlane.manage(List.of());
        assertThat(await(state -> !state.ready()).reason()).contains("no longer managed");
        assertThat(eventually(() -> !fake.connected()))
                .as("the stream is closed")
                .isTrue();
        fake.stop();
        manage("org.sextant.linux", fake.management());
        await(state -> state.reason().contains("refused"));
        dataPlane.manage(List.of());
        fake.start();
        int bids = fake.bids.size();
        try (FakeNode other = new FakeNode(true)) {
            manage("org.sextant.linux", other.management());
            await(NodeState::ready);
            other.beSilent(true);
            await(state -> !state.ready());
        }
        assertThat(fake.bids).as("attempts that were due meanwhile").hasSize(bids);
    }

    @Test
    void an_election_id_that_nobody_can_top_is_told_in_full_with_what_to_do() throws InterruptedException {
        connect("org.sextant.linux");
        fake.outbid(Uint128.newBuilder().setHigh(-1).setLow(-1).build());
        assertThat(await(state -> !state.ready()).reason())
                .contains("another controller is primary")
                .contains("340282366920938463463374607431768211455")
                .contains("a bmv2 switch has to be started again then, an agent forgets it");
    }

    @Test
    void wrong_addresses_and_unknown_pipelines_are_said() throws InterruptedException {
        manage("org.sextant.linux", "127.0.0.1:1");
        assertThat(await(state -> true).reason()).contains("\"127.0.0.1:1\"");
        manage("org.sextant.none", fake.management());
        assertThat(await(state -> state.reason().contains("pipeline")).reason()).contains("org.sextant.none");
        assertThatThrownBy(() -> dataPlane.read("n2"))
                .isInstanceOf(NodeUnavailableException.class)
                .hasMessageContaining("network description");
        assertThat(dataPlane.capabilities("n1")).isEmpty();
    }

    @Test
    void many_nodes_share_what_is_known_of_their_pipeline() throws InterruptedException {
        try (FakeNode other = new FakeNode(true)) {
            dataPlane.manage(List.of(
                    node("n1", "org.sextant.linux", fake.management()),
                    node("n2", "org.sextant.linux", other.management())));
            await(NodeState::ready);
            await(NodeState::ready);
            assertThat(dataPlane.capabilities("n1").orElseThrow())
                    .isSameAs(dataPlane.capabilities("n2").orElseThrow());
        }
    }

    @Test
    void ports_are_followed() throws InterruptedException {
        connect("org.sextant.linux");
        assertThat(ports.poll(10, TimeUnit.SECONDS)).satisfies(seen -> {
            assertThat(seen.get(1)).isEqualTo(new PortState(1, "eth1", Optional.empty(), 0, true));
            assertThat(seen.get(2).up()).isFalse();
        });
        fake.tellPort("eth2", 2, "UP");
        assertThat(ports.poll(10, TimeUnit.SECONDS).get(2).up()).isTrue();
    }

    @Test
    void ports_are_followed_of_an_agent_that_knows_no_speeds() throws InterruptedException {
        fake.old = true;
        connect("org.sextant.linux");
        assertThat(ports.poll(60, TimeUnit.SECONDS)).containsOnlyKeys(1, 2);
    }

    @Test
    void counters_come_while_somebody_listens() throws InterruptedException {
        connect("org.sextant.linux");
        BlockingQueue<Telemetry.Sample> samples = new LinkedBlockingQueue<>();
        dataPlane.onCounters(samples::add);
        assertThat(samples.poll(10, TimeUnit.SECONDS))
                .isEqualTo(new Telemetry.Sample("n1", 5, Map.of(1, new Telemetry.PortCounters(70, 80))));
    }

    @Test
    void who_keeps_how_it_was_has_nodes_asked_less_often_than_who_looks() throws InterruptedException {
        connect("org.sextant.linux");
        BlockingQueue<Telemetry.Sample> kept = new LinkedBlockingQueue<>();
        dataPlane.onSlowCounters(kept::add);
        assertThat(kept.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(fake.sampleSeconds.poll(10, TimeUnit.SECONDS)).isEqualTo(5);
        Subscription look = dataPlane.onCounters(sample -> {});
        assertThat(fake.sampleSeconds.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(kept.poll(10, TimeUnit.SECONDS))
                .as("who keeps hears it, too")
                .isNotNull();
        look.close();
        assertThat(fake.sampleSeconds.poll(10, TimeUnit.SECONDS)).isEqualTo(5);
    }

    @Test
    void what_firewalls_tell_comes_while_somebody_listens() throws InterruptedException {
        connect("org.sextant.linux");
        BlockingQueue<FirewallTelemetry.Logged> logged = new LinkedBlockingQueue<>();
        BlockingQueue<FirewallTelemetry.Counted> counted = new LinkedBlockingQueue<>();
        Subscription events = dataPlane.onLogged(logged::add);
        Subscription counters = dataPlane.onCounted(counted::add);
        assertThat(logged.poll(10, TimeUnit.SECONDS))
                .isEqualTo(FirewallPaths.event("n1", FirewallPathsTest.event()).orElseThrow());
        assertThat(counted.poll(10, TimeUnit.SECONDS))
                .isEqualTo(new FirewallTelemetry.Counted(
                        "n1", 3, List.of(new FirewallTelemetry.Rule(7, 100, new Counters(7, 700)))));
        events.close();
        counters.close();
        dataPlane.onLogged(logged::add);
        assertThat(logged.poll(10, TimeUnit.SECONDS)).as("asked anew").isNotNull();
        assertThat(counted).isEmpty();
    }

    @Test
    void what_nodes_find_out_about_lists_comes_while_somebody_listens() throws InterruptedException {
        connect("org.sextant.linux");
        BlockingQueue<LivenessTelemetry.Seen> seen = new LinkedBlockingQueue<>();
        Subscription first = dataPlane.onLiveness(seen::add);
        LivenessTelemetry.Seen down = LivenessPathsTest.seen();
        assertThat(seen.poll(10, TimeUnit.SECONDS))
                .isEqualTo(new LivenessTelemetry.Seen(
                        "n1", down.sidList(), down.status(), down.since(), down.inUse(), down.measured()));
        first.close();
        dataPlane.onLiveness(seen::add);
        assertThat(seen.poll(10, TimeUnit.SECONDS)).as("asked anew").isNotNull();
    }

    @Test
    void what_nodes_measure_of_links_comes_while_somebody_listens() throws InterruptedException {
        connect("org.sextant.linux");
        BlockingQueue<LinkDelayTelemetry.Measured> measured = new LinkedBlockingQueue<>();
        Subscription first = dataPlane.onLinkDelay(measured::add);
        assertThat(measured.poll(10, TimeUnit.SECONDS)).isEqualTo(LinkDelayPathsTest.measured("n1"));
        first.close();
        dataPlane.onLinkDelay(measured::add);
        assertThat(measured.poll(10, TimeUnit.SECONDS)).as("asked anew").isNotNull();
    }

    @Test
    void a_node_pings_and_says_what_came_back() throws InterruptedException {
        connect("org.sextant.linux");
        assertThat(dataPlane.ping("n1", ping("2001:db8::2")))
                .isEqualTo(new Echoes(
                        3,
                        2,
                        Optional.of(new RoundTrip(
                                Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofNanos(50_000_001))),
                        Optional.empty()));
    }

    @Test
    void why_a_node_cannot_ping_is_an_answer_and_no_loss_of_the_node() throws InterruptedException {
        connect("org.sextant.linux");
        assertThat(dataPlane.ping("n1", ping("192.0.2.1")).failure())
                .hasValueSatisfying(why -> assertThat(why).contains("no packet can be sent to 192.0.2.1"));
        assertThat(dataPlane.ping("n2", ping("2001:db8::2")).failure())
                .hasValueSatisfying(why -> assertThat(why).contains("n2").contains("not managed"));
        assertThat(dataPlane.ready()).containsExactly("n1");
    }

    @Test
    void a_data_plane_without_pings_is_named_as_the_reason() throws InterruptedException {
        try (FakeNode bare = new FakeNode(false)) {
            manage("org.sextant.bmv2", bare.management());
            await(NodeState::ready);
            assertThat(dataPlane.ping("n1", ping("2001:db8::2")))
                    .isEqualTo(Echoes.failed("its data plane cannot send echo requests of its own"));
        }
    }

    private static Ping ping(String destination) {
        return new Ping(
                IpAddress.parse(destination),
                IpAddress.parse(destination.contains(":") ? "2001:db8::1" : "192.0.2.9"),
                3,
                Duration.ofMillis(10),
                Duration.ofMillis(50));
    }

    @Test
    void a_node_without_gnmi_works() throws InterruptedException {
        try (FakeNode bmv2 = new FakeNode(false)) {
            manage("org.sextant.bmv2", bmv2.management());
            await(NodeState::ready);
            assertThat(write(Operation.INSERT, List.of(sid(1)))).containsOnly(Result.OK);
        }
    }

    @Test
    void frames_go_out_and_come_in_by_port() throws InterruptedException {
        BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        dataPlane.onPacket((node, port, frame) -> frames.add(node + " " + port + " " + hex(frame)));
        connect("org.sextant.linux");
        fake.packetIn(200, new byte[] {1, 2});
        assertThat(frames.poll(10, TimeUnit.SECONDS)).isEqualTo("n1 200 0102");
        dataPlane.send("n1", 300, new byte[] {3});
        assertThat(eventually(() -> fake.packetsOut.size() == 1)).isTrue();
        assertThat(fake.packetsOut.get(0).getMetadataList()).hasSize(2);
        assertThat(hex(fake.packetsOut.get(0).getMetadata(0).getValue().toByteArray()))
                .isEqualTo("012c");
    }

    @Test
    void a_node_that_is_flooded_takes_no_frame_of_another_node() throws InterruptedException {
        Semaphore busy = new Semaphore(0);
        BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        dataPlane.onPacket((node, port, frame) -> {
            busy.acquireUninterruptibly();
            frames.add(node);
        });
        try (FakeNode other = new FakeNode(true)) {
            dataPlane.manage(List.of(
                    node("n1", "org.sextant.linux", fake.management()),
                    node("n2", "org.sextant.linux", other.management())));
            assertThat(eventually(() -> dataPlane.ready().size() == 2)).isTrue();
            for (int i = 0; i < 20_000; i++) {
                fake.packetIn(1, new byte[64]);
            }
            assertThat(eventually(() -> !dataPlane.droppedPacketIns().isEmpty()))
                    .isTrue();
            for (int i = 0; i < 100; i++) {
                other.packetIn(1, new byte[64]);
            }
            busy.release(Integer.MAX_VALUE);
            assertThat(eventually(() -> Collections.frequency(frames, "n2") == 100))
                    .isTrue();
        }
    }

    private NodeState connect(String pipeconf) throws InterruptedException {
        manage(pipeconf, fake.management());
        return await(NodeState::ready);
    }

    private void manage(String pipeconf, String management) {
        dataPlane.manage(List.of(node("n1", pipeconf, management)));
    }

    private static Node node(String name, String pipeconf, String management) {
        SortedMap<Integer, org.sextant.core.net.Port> none = new TreeMap<>();
        return new Node(name, "device:" + name, management, pipeconf, Optional.empty(), none, Optional.empty());
    }

    private NodeState await(Predicate<NodeState> wanted) throws InterruptedException {
        List<NodeState> seen = new ArrayList<>();
        while (true) {
            NodeState state = states.poll(20, TimeUnit.SECONDS);
            assertThat(state).as("after " + seen).isNotNull();
            if (wanted.test(state)) {
                return state;
            }
            seen.add(state);
        }
    }

    private static boolean eventually(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        return condition.getAsBoolean();
    }

    private List<Result> write(Operation operation, List<Entry> entries) {
        return dataPlane.write(
                "n1",
                entries.stream().map(entry -> new Update(operation, entry)).toList());
    }

    private static Entry sid(int number) {
        return new MySid(
                IpPrefix.parse("fcbb:bbbb:" + Integer.toHexString(number + 1) + "::/48"), new Behavior.Un(32, 16));
    }

    private static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes);
    }
}
