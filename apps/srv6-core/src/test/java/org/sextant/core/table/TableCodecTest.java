// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.table.CodecRows.SID;
import static org.sextant.core.table.CodecRows.SID_MATCH;
import static org.sextant.core.table.CodecRows.assertRoundTrip;
import static org.sextant.core.table.CodecRows.call;
import static org.sextant.core.table.CodecRows.direct;
import static org.sextant.core.table.CodecRows.exact;
import static org.sextant.core.table.CodecRows.hex;
import static org.sextant.core.table.CodecRows.malformed;
import static org.sextant.core.table.CodecRows.mySid;
import static org.sextant.core.table.CodecRows.punted;
import static org.sextant.core.table.CodecRows.set;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Field;
import org.sextant.contract.Table;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Match;
import org.sextant.core.table.TableEntry.Weighted;

/** Rows are written out as the contract's README states them, values in hexadecimal as on the wire. */
class TableCodecTest {
    @Test
    void my_sid_un() {
        assertRoundTrip(
                new MySid(SID, new Behavior.Un(32, 16)), mySid(call("un", "block_length", "20", "csid_length", "10")));
    }

    @Test
    void my_sid_ua() {
        assertRoundTrip(
                new MySid(IpPrefix.parse("fcbb:bbbb:100:e001::/64"), new Behavior.Ua(32, 32, 1)),
                direct(
                        "my_sid",
                        List.of(new Match.Lpm("sid", hex("fcbbbbbb0100e0010000000000000000"), 64)),
                        call("ua", "block_length", "20", "csid_length", "20", "next_hop", "1")));
    }

    @Test
    void the_edge_of_the_domain() {
        Match port = new Match.Exact("in_port", hex("07"));
        IpPrefix peer = IpPrefix.parse("2001:db8:7::/48");
        assertRoundTrip(
                new EdgePort(7, new EdgePort.External(true)),
                direct("edge_port", List.of(port), call("external", "drop_srh", "1")));
        assertRoundTrip(
                new EdgePort(7, new EdgePort.Internal(true)),
                direct("edge_port", List.of(port), call("internal", "known_sources", "1")));
        assertRoundTrip(
                new EdgeSid(SID, false),
                direct(
                        "edge_sid",
                        List.of(new Match.Lpm("dst", hex("fcbbbbbb010000000000000000000000"), 48)),
                        call("protect")));
        assertRoundTrip(new EdgeSid(IpPrefix.parse("::/0"), true), direct("edge_sid", List.of(), call("reachable")));
        assertRoundTrip(
                new EdgeSource(IpPrefix.parse("fcff:1::1/128")),
                direct(
                        "edge_source",
                        List.of(new Match.Lpm("src", hex("fcff0001000000000000000000000001"), 128)),
                        call("domain_source")));
        assertRoundTrip(
                new EdgePeer(7, peer),
                direct(
                        "edge_peer",
                        List.of(port, new Match.Lpm("src", hex("20010db8000700000000000000000000"), 48)),
                        call("peer")));
    }

    @Test
    void my_sid_end_and_end_with_psp() {
        assertRoundTrip(new MySid(SID, new Behavior.End(false)), mySid(call("end")));
        assertRoundTrip(new MySid(SID, new Behavior.End(true)), mySid(call("end_psp")));
        assertRoundTrip(new MySid(SID, new Behavior.EndX(65279)), mySid(call("end_x", "next_hop", "feff")));
    }

    @Test
    void my_sid_decapsulation() {
        assertRoundTrip(new MySid(SID, new Behavior.Udt(Family.IPV6, 0)), mySid(call("udt6", "vrf", "0")));
        assertRoundTrip(new MySid(SID, new Behavior.Udt(Family.IPV4, 7)), mySid(call("udt4", "vrf", "7")));
        assertRoundTrip(new MySid(SID, new Behavior.Udt(Family.BOTH, 65535)), mySid(call("udt46", "vrf", "ffff")));
        assertRoundTrip(new MySid(SID, new Behavior.Udx(Family.IPV6, 3)), mySid(call("udx6", "next_hop", "3")));
        assertRoundTrip(new MySid(SID, new Behavior.Udx(Family.IPV4, 3)), mySid(call("udx4", "next_hop", "3")));
    }

    @Test
    void my_sid_binding_sid_with_an_id_above_two_to_the_31() {
        assertRoundTrip(
                new MySid(SID, new Behavior.B6EncapsRed(0xf0000001)),
                mySid(call("b6_encaps_red", "sid_list", "f0000001")));
    }

    @Test
    void a_default_route_leaves_its_prefix_out() {
        assertRoundTrip(
                new Steering(0, IpPrefix.parse("::/0"), 5, true),
                direct("steering_v6", List.of(exact("vrf", "0")), call("h_encaps_red", "sid_list", "5")));
        assertRoundTrip(
                new Route(0, IpPrefix.parse("0.0.0.0/0"), List.of(new Route.Member(1, 2))),
                set("route_v4", List.of(exact("vrf", "0")), new Weighted(1, call("set_next_hop", "next_hop", "2"))));
    }

    @Test
    void sid_list_with_weights_in_travel_order() {
        assertRoundTrip(
                new SidList(
                        0x80000001,
                        List.of(
                                new SidList.Member(
                                        3,
                                        List.of(
                                                Ipv6.parse("fcbb:bbbb:200:700:600:500:400:0"),
                                                Ipv6.parse("fcbb:bbbb:300:f00d::"))),
                                new SidList.Member(1, List.of(Ipv6.parse("fcbb:bbbb:300:f00d::"))))),
                set(
                        "sid_list",
                        List.of(exact("id", "80000001")),
                        new Weighted(
                                3,
                                call(
                                        "segments_2",
                                        "segment_1",
                                        "fcbbbbbb020007000600050004000000",
                                        "segment_2",
                                        "fcbbbbbb0300f00d0000000000000000")),
                        new Weighted(1, call("segments_1", "segment_1", "fcbbbbbb0300f00d0000000000000000"))));
    }

    @Test
    void every_length_of_a_sid_list_up_to_what_the_contract_has() {
        for (int length = 1; length <= 16; length++) {
            SidList list = new SidList(
                    1, List.of(new SidList.Member(1, Collections.nCopies(length, Ipv6.parse("fcbb:bbbb:1::")))));
            assertThat(TableCodec.decode(TableCodec.encode(list))).isEqualTo(list);
        }
        SidList tooLong =
                new SidList(1, List.of(new SidList.Member(1, Collections.nCopies(17, Ipv6.parse("fcbb:bbbb:1::")))));
        assertThatThrownBy(() -> TableCodec.encode(tooLong))
                .isInstanceOf(MalformedEntryException.class)
                .hasMessageContaining("17 segments");
    }

    @Test
    void routes_with_several_next_hops() {
        assertRoundTrip(
                new Route(0, SID, List.of(new Route.Member(1, 1), new Route.Member(2, 510))),
                set(
                        "route_v6",
                        List.of(exact("vrf", "0"), new Match.Lpm("dst", hex("fcbbbbbb010000000000000000000000"), 48)),
                        new Weighted(1, call("set_next_hop", "next_hop", "1")),
                        new Weighted(2, call("set_next_hop", "next_hop", "1fe"))));
    }

    @Test
    void next_hop() {
        assertRoundTrip(
                new NextHop(1024, 510, MacAddress.parse("02:00:00:00:00:01"), MacAddress.parse("fe:ff:ff:ff:ff:ff")),
                direct(
                        "next_hop",
                        List.of(exact("id", "400")),
                        call("forward", "port", "1fe", "src_mac", "20000000001", "dst_mac", "feffffffffff")));
    }

    @Test
    void encap_source_is_a_default_entry() {
        assertRoundTrip(
                new EncapSource(Ipv6.parse("fcff:1::1")),
                new TableEntry(
                        "encap_source",
                        List.of(),
                        new TableEntry.Action.Direct(
                                call("set_encap_source", "source", "fcff0001000000000000000000000001")),
                        true,
                        0));
    }

    @Test
    void punt() {
        assertRoundTrip(
                Punt.etherType(100, 0x88cc),
                new TableEntry(
                        "punt",
                        List.of(new Match.Ternary("ether_type", hex("88cc"), hex("ffff"))),
                        new TableEntry.Action.Direct(call("to_controller")),
                        false,
                        100));
        assertRoundTrip(
                new Punt(
                        7,
                        Optional.of(new Ternary(0x1fe, 0x1ff)),
                        Optional.empty(),
                        Optional.of(new Ternary(58, 255)),
                        Optional.of(new Ternary(0x84, 0xfc)),
                        true),
                new TableEntry(
                        "punt",
                        List.of(
                                new Match.Ternary("in_port", hex("1fe"), hex("1ff")),
                                new Match.Ternary("ip_protocol", hex("3a"), hex("ff")),
                                new Match.Ternary("icmpv6_type", hex("84"), hex("fc"))),
                        new TableEntry.Action.Direct(call("discard")),
                        false,
                        7));
    }

    @Test
    void what_is_no_row_says_so() {
        assertThatThrownBy(() -> TableCodec.encode(new MulticastGroup(3, 1, 3)))
                .isInstanceOf(MalformedEntryException.class)
                .hasMessageContaining("packet replication engine");
        assertThat(Entry.Key.parse("multicast_group", "id 3")).isEqualTo(new MulticastGroup(3, 1, 3).key());
    }

    @Test
    void behind_the_last_epoch_comes_the_first() {
        assertThat(IntStream.of(1, 65535, 65536, 131071).mapToObj(Epoch::ofLife))
                .containsExactly(new Epoch(1), new Epoch(65535), new Epoch(1), new Epoch(1));
    }

    /** A table or an action that is new in the contract is known here. */
    @Test
    void every_action_of_every_table_is_known() {
        for (Table table : Tables.ALL) {
            for (Action action : table.actions()) {
                TableEntry row = ofOnes(table, action);
                Entry entry = TableCodec.decode(row);
                assertRoundTrip(entry, row);
                assertThat(entry.means(entry)).isTrue();
                assertThat(entry.actionText()).as(action.name()).isNotBlank();
            }
        }
        assertThat(Actions.ALL)
                .allMatch(action ->
                        Tables.ALL.stream().anyMatch(table -> table.actions().contains(action)));
    }

    private static TableEntry ofOnes(Table table, Action action) {
        BigInteger[] ones =
                Collections.nCopies(action.params().size(), BigInteger.ONE).toArray(BigInteger[]::new);
        if (action.equals(Actions.WATCH)) { // the lists are three
            ones[0] = BigInteger.TWO;
            ones[4] = BigInteger.ZERO;
        }
        List<Match> matches = new ArrayList<>(table.fields().stream()
                .filter(field -> field.kind() == Field.Kind.EXACT)
                .<Match>map(field -> new Match.Exact(field.name(), BigInteger.ONE))
                .toList());
        if (action.equals(Actions.GTP_D)) { // {@code way} is a part of its match
            matches.add(new Match.Ternary("way", hex("3"), hex("7")));
        }
        boolean ternary = table.fields().stream().anyMatch(field -> field.kind() == Field.Kind.TERNARY);
        TableEntry.Action does = table.oneShot()
                ? new TableEntry.Action.OneShot(List.of(new Weighted(1, Call.of(action, ones))))
                : new TableEntry.Action.Direct(Call.of(action, ones));
        return new TableEntry(table.name(), matches, does, table.fields().isEmpty(), ternary ? 1 : 0);
    }

    @Test
    void a_row_that_the_contract_does_not_allow_says_which_part_of_it() {
        Call un = call("un", "block_length", "20", "csid_length", "10");
        malformed("nothing: the contract has no such table", direct("nothing", List.of(), un));
        malformed("there is no field id", direct("my_sid", List.of(exact("id", "1")), un));
        malformed("field sid stands twice", direct("my_sid", List.of(SID_MATCH, SID_MATCH), un));
        malformed("field sid is not matched as LPM", direct("my_sid", List.of(exact("sid", "1")), un));
        malformed(
                "bits set behind its prefix length",
                direct("my_sid", List.of(new Match.Lpm("sid", BigInteger.ONE, 48)), un));
        malformed("prefix length 129", direct("my_sid", List.of(new Match.Lpm("sid", BigInteger.ZERO, 129)), un));
        malformed("prefix length 0", direct("my_sid", List.of(new Match.Lpm("sid", BigInteger.ZERO, 0)), un));
        malformed(
                "does not fit into 128 bits",
                direct("my_sid", List.of(new Match.Lpm("sid", BigInteger.ONE.shiftLeft(128), 48)), un));
        malformed("there is no action h_encaps", mySid(call("h_encaps", "sid_list", "1")));
        malformed("un wants 2 arguments, not 1", mySid(call("un", "block_length", "20")));
        malformed(
                "un wants csid_length where block_length stands",
                mySid(call("un", "block_length", "20", "block_length", "10")));
        malformed(
                "block_length of un 256 does not fit into 8 bits",
                mySid(call("un", "block_length", "100", "csid_length", "10")));
        malformed("block_length of un -1 does not fit", mySid(call("un", "block_length", "-1", "csid_length", "10")));
        malformed("wants one action, not a set", set("my_sid", List.of(SID_MATCH), new Weighted(1, un)));
        malformed(
                "wants a set of actions",
                direct("sid_list", List.of(exact("id", "1")), call("segments_1", "segment_1", "1")));
        malformed("the set of actions is empty", set("sid_list", List.of(exact("id", "1"))));
        malformed(
                "weight 0",
                set("sid_list", List.of(exact("id", "1")), new Weighted(0, call("segments_1", "segment_1", "1"))));
        malformed(
                "field id is missing",
                set("sid_list", List.of(), new Weighted(1, call("segments_1", "segment_1", "1"))));
        malformed(
                "its default entry is fixed",
                new TableEntry("my_sid", List.of(), new TableEntry.Action.Direct(un), true, 0));
        malformed(
                "has only its default entry",
                direct("encap_source", List.of(), call("set_encap_source", "source", "1")));
        malformed(
                "has no priority",
                new TableEntry("my_sid", List.of(SID_MATCH), new TableEntry.Action.Direct(un), false, 1));
        malformed("wants a priority", direct("punt", List.of(), call("discard")));
        malformed("outside of its mask", punted(new Match.Ternary("ether_type", hex("1"), hex("2"))));
        malformed("leave it out", punted(new Match.Ternary("ether_type", hex("0"), hex("0"))));
        malformed(
                "out of order",
                punted(
                        new Match.Ternary("ether_type", hex("1"), hex("1")),
                        new Match.Ternary("in_port", hex("1"), hex("1"))));
        malformed(
                "port",
                direct(
                        "next_hop",
                        List.of(exact("id", "1")),
                        call("forward", "port", "0", "src_mac", "1", "dst_mac", "1")));
    }
}
