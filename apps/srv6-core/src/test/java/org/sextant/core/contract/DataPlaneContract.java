// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.NodeState;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.EncapSource;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Epoch;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MulticastGroup;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Punt;
import org.sextant.core.table.Route;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.core.table.Ternary;

/** The contract of {@link DataPlane}. The node of a test is called n1 and runs org.sextant.bmv2. */
@SuppressWarnings("try") // a subscription is not used but closed
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
public abstract class DataPlaneContract {
    protected static final String NODE = "n1";
    private static final long SOON_SECONDS = 20;

    protected static final MySid SID = new MySid(IpPrefix.parse("fcbb:bbbb:100::/48"), new Behavior.Un(32, 16));
    private static final NextHop HOP =
            new NextHop(1, 1, MacAddress.parse("02:00:00:00:00:01"), MacAddress.parse("00:00:00:00:00:02"));
    private static final NextHop CHANGED_HOP =
            new NextHop(1, 2, MacAddress.parse("02:00:00:00:00:01"), MacAddress.parse("00:00:00:00:00:03"));

    private final BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();

    protected abstract DataPlane dataPlane();

    /** The node can be reached from now on. */
    protected abstract void connect() throws Exception;

    /** The node is gone, with its entries. */
    protected abstract void disconnect() throws Exception;

    /** The node will refuse every entry of this table, with this code and sentence. */
    protected abstract void refuse(String table, Code code, String sentence);

    /** A foreign controller removes a row of the node. */
    protected abstract void erase(Entry entry);

    @BeforeEach
    void becomesReady() throws Exception {
        try (Subscription subscription = dataPlane().onState(states::add)) {
            connect();
            await(true);
        }
    }

    private NodeState await(boolean ready) throws InterruptedException {
        NodeState state;
        do {
            state = states.poll(SOON_SECONDS, TimeUnit.SECONDS);
            assertThat(state).as("a state with ready=" + ready).isNotNull();
        } while (state.ready() != ready || !state.node().equals(NODE));
        return state;
    }

    private List<Result> write(Operation operation, Entry... entries) {
        return dataPlane()
                .write(
                        NODE,
                        Stream.of(entries)
                                .map(entry -> new Update(operation, entry))
                                .toList());
    }

    private List<Entry> held() {
        return dataPlane().read(NODE).stream().map(Stored::entry).toList();
    }

    private static List<Optional<Code>> codes(List<Result> results) {
        return results.stream()
                .map(result -> result.failure().map(DataPlane.Failure::code))
                .toList();
    }

    @Test
    void a_ready_node_offers_what_its_pipeline_has() {
        assertThat(dataPlane().ready()).containsExactly(NODE);
        assertThat(dataPlane().capabilities(NODE)).hasValueSatisfying(offered -> {
            assertThat(offered.offers("my_sid", "un")).isTrue();
            assertThat(offered.offers("my_sid", "udt46")).isTrue();
            assertThat(offered.offers("my_sid", "NoAction")).isFalse();
            assertThat(offered.offers("sid_list", "segments_7")).isFalse();
            assertThat(offered.maxSegments()).isEqualTo(6);
            assertThat(offered.sizeOfTable().get("my_sid")).isPositive();
        });
    }

    @Test
    void every_kind_of_entry_comes_back_as_it_was_written() {
        Entry[] entries = everyKind();
        assertThat(write(Operation.INSERT, entries)).allMatch(Result::ok);
        assertThat(held()).containsExactlyInAnyOrder(entries);
        assertThat(write(Operation.DELETE, entries)).allMatch(Result::ok);
        assertThat(held()).isEmpty();
    }

    @Test
    void a_switch_replicates_packets_and_its_groups_are_rows_like_others() {
        assertThat(dataPlane().capabilities(NODE))
                .hasValueSatisfying(offered ->
                        assertThat(offered.offers("multicast_group", "copies")).isTrue());
        MulticastGroup group = new MulticastGroup(2, 1, 2);
        assertThat(codes(write(Operation.MODIFY, group))).containsExactly(Optional.of(Code.NOT_FOUND));
        assertThat(write(Operation.INSERT, HOP, group)).allMatch(Result::ok);
        assertThat(codes(write(Operation.INSERT, group))).containsExactly(Optional.of(Code.ALREADY_EXISTS));
        MulticastGroup changed = new MulticastGroup(2, 1, 5);
        assertThat(write(Operation.MODIFY, changed)).allMatch(Result::ok);
        assertThat(held()).containsExactlyInAnyOrder(HOP, changed);
        assertThat(dataPlane().read(NODE, Set.of("multicast_group")).stream().map(Stored::entry))
                .containsExactly(changed);
        assertThat(write(Operation.DELETE, group)).allMatch(Result::ok);
        assertThat(held()).containsExactly(HOP);
    }

    @Test
    void modify_changes_the_row() {
        write(Operation.INSERT, HOP);
        assertThat(write(Operation.MODIFY, CHANGED_HOP)).containsExactly(Result.OK);
        assertThat(held()).containsExactly(CHANGED_HOP);
    }

    @Test
    void an_action_set_is_replaced_as_a_whole() {
        Route one = new Route(0, IpPrefix.parse("fd00::/16"), List.of(new Route.Member(1, 1), new Route.Member(3, 2)));
        Route other = new Route(0, IpPrefix.parse("fd00::/16"), List.of(new Route.Member(1, 3)));
        write(Operation.INSERT, one);
        assertThat(held()).containsExactly(one);
        write(Operation.MODIFY, other);
        assertThat(held()).containsExactly(other);
    }

    @Test
    void insert_wants_a_new_row_modify_and_delete_an_old_one() {
        assertThat(codes(write(Operation.MODIFY, HOP))).containsExactly(Optional.of(Code.NOT_FOUND));
        assertThat(codes(write(Operation.DELETE, HOP))).containsExactly(Optional.of(Code.NOT_FOUND));
        write(Operation.INSERT, HOP);
        assertThat(codes(write(Operation.INSERT, CHANGED_HOP))).containsExactly(Optional.of(Code.ALREADY_EXISTS));
        assertThat(held()).containsExactly(HOP);
    }

    @Test
    void updates_are_carried_out_in_order_and_each_has_its_result() {
        List<Result> results = dataPlane()
                .write(
                        NODE,
                        List.of(
                                new Update(Operation.INSERT, HOP),
                                new Update(Operation.MODIFY, CHANGED_HOP),
                                new Update(Operation.INSERT, HOP),
                                new Update(Operation.INSERT, SID),
                                new Update(Operation.DELETE, HOP)));
        assertThat(codes(results))
                .containsExactly(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Code.ALREADY_EXISTS),
                        Optional.empty(),
                        Optional.empty());
        assertThat(held()).containsExactly(SID);
    }

    @Test
    void a_refused_row_says_why_and_stops_no_other() {
        refuse("my_sid", Code.RESOURCE_EXHAUSTED, "the table is full");
        List<Result> results = write(Operation.INSERT, HOP, SID, new EncapSource(Ipv6.parse("fcff:1::1")));
        assertThat(codes(results))
                .containsExactly(Optional.empty(), Optional.of(Code.RESOURCE_EXHAUSTED), Optional.empty());
        assertThat(results.get(1).failure().orElseThrow().reason()).contains("the table is full");
        assertThat(held()).containsExactlyInAnyOrder(HOP, new EncapSource(Ipv6.parse("fcff:1::1")));
    }

    @Test
    void reading_shows_what_the_node_holds_not_what_was_written() {
        write(Operation.INSERT, HOP, SID);
        erase(SID);
        assertThat(held()).containsExactly(HOP);
        assertThat(write(Operation.INSERT, SID)).as("the row is new again").allMatch(Result::ok);
    }

    @Test
    void a_lost_node_says_why_and_answers_no_call() throws Exception {
        try (Subscription subscription = dataPlane().onState(states::add)) {
            disconnect();
            assertThat(await(false).reason()).isNotBlank();
        }
        assertThat(dataPlane().ready()).isEmpty();
        assertThatThrownBy(() -> dataPlane().read(NODE)).isInstanceOf(NodeUnavailableException.class);
        assertThatThrownBy(() -> write(Operation.INSERT, HOP)).isInstanceOf(NodeUnavailableException.class);
    }

    @Test
    void some_tables_are_read_without_the_others() {
        assertThat(write(Operation.INSERT, everyKind())).allMatch(Result::ok);
        Set<String> wanted = Set.of("sid_list", "next_hop", "no_such_table");
        assertThat(dataPlane().read(NODE, wanted).stream().map(Stored::entry))
                .containsExactlyInAnyOrderElementsOf(held().stream()
                        .filter(entry -> wanted.contains(entry.key().table()))
                        .toList())
                .isNotEmpty();
        assertThat(dataPlane().read(NODE, Set.of())).isEmpty();
    }

    @Test
    void a_node_that_nobody_knows_is_unavailable() {
        assertThatThrownBy(() -> dataPlane().read("nobody")).isInstanceOf(NodeUnavailableException.class);
        assertThat(dataPlane().capabilities("nobody")).isEmpty();
    }

    /** One or two of every table, in an order in which a node can take them. */
    public static Entry[] everyKind() {
        return new Entry[] {
            HOP,
            new EncapSource(Ipv6.parse("fcff:1::1")),
            new Epoch(7),
            new MulticastGroup(3, 1, 3),
            new MulticastGroup(15, 1, 15),
            new Punt(
                    10,
                    Optional.of(new Ternary(0x102, 0x1ff)),
                    Optional.of(new Ternary(0x88cc, 0xffff)),
                    Optional.empty(),
                    Optional.empty(),
                    false),
            new SidList(
                    0x80000001,
                    List.of(
                            new SidList.Member(
                                    3,
                                    List.of(
                                            Ipv6.parse("fcbb:bbbb:200:700:600:500:400:0"),
                                            Ipv6.parse("fcbb:bbbb:300:f00d::"))),
                            new SidList.Member(1, List.of(Ipv6.parse("::1"))))),
            SID,
            new MySid(IpPrefix.parse("fcbb:bbbb:100:f00d::/64"), new Behavior.Udt(Behavior.Family.IPV6, 0)),
            new FirewallRule(
                    0x03000007,
                    0xffff,
                    Box.within(KeyField.SRC, IpPrefix.parse("2001:db8::/32"))
                            .and(Box.within(KeyField.DST_PORT, 53, 60)),
                    Verdict.SKIP_NEXT,
                    true),
            new FirewallRule(0x03000007, 1, Box.ALL, Verdict.DROP, false),
            new MySid(IpPrefix.parse("fcbb:bbbb:100:f230::/60"), new Sera(0x03000007, 3, 32, 32, 16, 4, 0xe000)),
            new Route(0, IpPrefix.parse("::/0"), List.of(new Route.Member(1, 1), new Route.Member(1, 2))),
            new Route(7, IpPrefix.parse("10.0.0.0/8"), List.of(new Route.Member(1, 1))),
            new Steering(0, IpPrefix.parse("fd00:0:31::2/128"), 0x80000001, true),
            new Steering(256, IpPrefix.parse("10.0.31.2/32"), 1, false)
        };
    }
}
