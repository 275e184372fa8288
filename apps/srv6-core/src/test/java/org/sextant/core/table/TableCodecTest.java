// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.TableEntry.Argument;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Match;
import org.sextant.core.table.TableEntry.Weighted;

/** Rows are written out as the contract's README states them, values in hexadecimal as on the wire. */
class TableCodecTest {
    private static final IpPrefix SID = IpPrefix.parse("fcbb:bbbb:100::/48");
    private static final Match SID_MATCH = new Match.Lpm("sid", hex("fcbbbbbb010000000000000000000000"), 48);

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
    void steering_of_both_families() {
        assertRoundTrip(
                new Steering(0, IpPrefix.parse("fd00:0:31::/64"), 5, true),
                direct(
                        "steering_v6",
                        List.of(exact("vrf", "0"), new Match.Lpm("dst", hex("fd000000003100000000000000000000"), 64)),
                        call("h_encaps_red", "sid_list", "5")));
        assertRoundTrip(
                new Steering(9, IpPrefix.parse("10.0.31.0/24"), 5, false),
                direct(
                        "steering_v4",
                        List.of(exact("vrf", "9"), new Match.Lpm("dst", hex("0a001f00"), 24)),
                        call("h_encaps", "sid_list", "5")));
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
    void live_live_at_the_ingress() {
        assertRoundTrip(
                new Flow(
                        10,
                        0,
                        IpPrefix.parse("fd00:0:11::/64"),
                        IpPrefix.parse("fd00:0:31::1/128"),
                        Optional.of(new Ternary(6, 0xff)),
                        Optional.empty(),
                        Optional.of(new Ternary(5201, 0xffff)),
                        0xc0000001,
                        7,
                        6),
                new TableEntry(
                        "flow_v6",
                        List.of(
                                exact("vrf", "0"),
                                new Match.Ternary(
                                        "src",
                                        hex("fd000000001100000000000000000000"),
                                        hex("ffffffffffffffff0000000000000000")),
                                new Match.Ternary(
                                        "dst",
                                        hex("fd000000003100000000000000000001"),
                                        hex("ffffffffffffffffffffffffffffffff")),
                                new Match.Ternary("ip_protocol", hex("6"), hex("ff")),
                                new Match.Ternary("l4_dst_port", hex("1451"), hex("ffff"))),
                        new TableEntry.Action.Direct(
                                call("replicate", "flow_id", "c0000001", "group", "7", "copies", "6")),
                        false,
                        10));
        assertRoundTrip(
                new Flow(
                        1,
                        0,
                        IpPrefix.parse("0.0.0.0/0"),
                        IpPrefix.parse("10.0.31.0/24"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        65535,
                        1),
                new TableEntry(
                        "flow_v4",
                        List.of(exact("vrf", "0"), new Match.Ternary("dst", hex("0a001f00"), hex("ffffff00"))),
                        new TableEntry.Action.Direct(call("replicate", "flow_id", "1", "group", "ffff", "copies", "1")),
                        false,
                        1));
        assertRoundTrip(
                new Copy(7, 2, 0x80000001),
                direct(
                        "copy",
                        List.of(exact("group", "7"), exact("path", "2")),
                        call("send_copy", "sid_list", "80000001")));
    }

    @Test
    void live_live_at_the_egress() {
        assertRoundTrip(new MySid(SID, new Behavior.Dedup(0, 15)), mySid(call("dedup", "vrf", "0", "path", "f")));
        assertRoundTrip(
                new DedupFlow(0xc0000001, 63),
                direct("dedup_flow", List.of(exact("flow_id", "c0000001")), call("deduplicate", "window", "3f")));
    }

    @Test
    void tunnels_of_gtp() {
        assertRoundTrip(
                new GtpTunnel(0, Ipv4.parse("198.51.100.1"), 0x92345678, 7),
                direct(
                        "gtp_tunnel",
                        List.of(exact("vrf", "0"), exact("dst", "ffffc6336401"), exact("teid", "92345678")),
                        call("set_class", "class", "7")));
        assertRoundTrip(
                new GtpTunnel(0, Ipv6.parse("2001:db8:f::1"), 1, 65535),
                direct(
                        "gtp_tunnel",
                        List.of(
                                exact("vrf", "0"),
                                exact("dst", "20010db8000f00000000000000000001"),
                                exact("teid", "1")),
                        call("set_class", "class", "ffff")));
    }

    @Test
    void a_rule_of_gtp() {
        assertRoundTrip(
                new GtpRule(
                        20,
                        0,
                        Optional.of(new Ternary(7, 0xffff)),
                        Optional.of(IpPrefix.parse("192.0.2.0/24")),
                        Optional.of(IpPrefix.parse("2001:db8:f::/48")),
                        Optional.of(new Ternary(0x1000, 0xfffff000)),
                        Optional.of(new Ternary(9, 0x3f)),
                        Optional.empty(),
                        Optional.of(IpPrefix.parse("0.0.0.0/0")),
                        Optional.of(IpPrefix.parse("2001:db8:9::/48")),
                        new GtpRule.Does.Translate(8, 80, 48, Ipv6.parse("fcbb:bbbb:104::"), 48, true, false)),
                new TableEntry(
                        "gtp_rule",
                        List.of(
                                exact("vrf", "0"),
                                new Match.Ternary("class", hex("7"), hex("ffff")),
                                new Match.Ternary("src", hex("ffffc0000200"), hex("ffffffffffffffffffffffffffffff00")),
                                new Match.Ternary(
                                        "dst",
                                        hex("20010db8000f00000000000000000000"),
                                        hex("ffffffffffff00000000000000000000")),
                                new Match.Ternary("teid", hex("1000"), hex("fffff000")),
                                new Match.Ternary("qfi", hex("9"), hex("3f")),
                                new Match.Ternary(
                                        "inner_src", hex("ffff00000000"), hex("ffffffffffffffffffffffff00000000")),
                                new Match.Ternary(
                                        "inner_dst",
                                        hex("20010db8000900000000000000000000"),
                                        hex("ffffffffffff00000000000000000000")),
                                new Match.Ternary("way", hex("3"), hex("7"))),
                        new TableEntry.Action.Direct(call(
                                "gtp_d",
                                "sid_list",
                                "8",
                                "args_at",
                                "50",
                                "address_at",
                                "30",
                                "source",
                                "fcbbbbbb010400000000000000000000",
                                "source_at",
                                "30",
                                "keep_destination",
                                "1",
                                "drop_sequence",
                                "0")),
                        false,
                        20));
    }

    @Test
    void a_rule_of_gtp_asks_for_the_packets_that_its_action_takes() {
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, false, false).way())
                .contains(new Ternary(4, 5));
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, false, true).way())
                .contains(new Ternary(4, 4));
        assertThat(new GtpRule.Does.Translate(1, 80, 48, Ipv6.parse("::"), 48, false, false).way())
                .contains(new Ternary(4, 7));
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, true, false).way())
                .contains(new Ternary(6, 7));
        assertThat(new GtpRule.Does.Carry(1).way()).isEmpty();
        assertThat(new GtpRule.Does.Discard().way()).isEmpty();
        malformed(
                "way 4&4 is not that of carry sid_list 1",
                new TableEntry(
                        "gtp_rule",
                        List.of(exact("vrf", "0"), new Match.Ternary("way", hex("4"), hex("4"))),
                        new TableEntry.Action.Direct(call("carry", "sid_list", "1")),
                        false,
                        1));
    }

    @Test
    void gtp_where_it_leaves() {
        assertRoundTrip(
                new MySid(SID, new Behavior.Gtp4E(48, 48, 1, 2, 2152)),
                mySid(call(
                        "gtp4_e",
                        "at",
                        "30",
                        "source_at",
                        "30",
                        "pdu_type",
                        "1",
                        "container",
                        "2",
                        "udp_source",
                        "868")));
        assertRoundTrip(
                new Ue(
                        0,
                        IpPrefix.parse("10.60.0.1/32"),
                        0x80000001,
                        80,
                        0x26000003eaL,
                        Ipv6.parse("2001:db8:b::1"),
                        Ipv6.ZERO),
                direct(
                        "ue_v4",
                        List.of(exact("vrf", "0"), new Match.Lpm("dst", hex("a3c0001"), 32)),
                        call(
                                "send_to",
                                "sid_list",
                                "80000001",
                                "args_at",
                                "50",
                                "args",
                                "26000003ea",
                                "last",
                                "20010db8000b00000000000000000001",
                                "source",
                                "0")));
        assertThatThrownBy(() -> new Behavior.Gtp4E(64, 48, 0, 0, 0))
                .as("F4816 has no room for 72 bits")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("64");
        assertThatThrownBy(() -> new Ue(0, IpPrefix.parse("10.60.0.1/32"), 1, 80, 1L << 40, Ipv6.ZERO, Ipv6.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Args.Mob.Session");
    }

    @Test
    void sids_of_firewalls() {
        Sera firewall = new Sera(0x03000007, 3, 32, 32, 16, 4, 0xe000);
        assertRoundTrip(
                new MySid(IpPrefix.parse("fcbb:bbbb:200:f230::/60"), firewall),
                direct(
                        "my_sid",
                        List.of(new Match.Lpm("sid", hex("fcbbbbbb0200f2300000000000000000"), 60)),
                        call(
                                "sera",
                                "firewall",
                                "3000007",
                                "instance",
                                "3",
                                "block_length",
                                "20",
                                "csid_length",
                                "20",
                                "usid_length",
                                "10",
                                "args_length",
                                "4",
                                "local_start",
                                "e000")));
        assertRoundTrip(
                new MySid(SID, new SeraStateful(new Sera(0xff000001, 255, 48, 0, 0, 16, 0xe0000000L), 65536)),
                mySid(call(
                        "sera_stateful",
                        "firewall",
                        "ff000001",
                        "instance",
                        "ff",
                        "block_length",
                        "30",
                        "csid_length",
                        "0",
                        "usid_length",
                        "0",
                        "args_length",
                        "10",
                        "local_start",
                        "e0000000",
                        "flows",
                        "10000")));
    }

    @Test
    void a_rule_of_a_firewall() {
        Box box = Box.equal(KeyField.IP_VERSION, 6)
                .and(Box.within(KeyField.SRC, IpPrefix.parse("2001:db8:9::/64")))
                .and(Box.within(KeyField.DST, IpPrefix.parse("10.0.2.0/24")))
                .and(Box.equal(KeyField.IP_PROTOCOL, 17))
                .and(Box.within(KeyField.DST_PORT, 5353, 5360))
                .and(Box.equal(KeyField.SRH_TAG, 3))
                .and(Box.within(KeyField.SEGMENTS_LEFT, 1, 255))
                .and(Box.within(KeyField.NEXT_SID, IpPrefix.parse("fcbb:bbbb:600::/48")));
        assertRoundTrip(
                new FirewallRule(0x03000007, 99998, box, Verdict.SKIP_NEXT, true),
                new TableEntry(
                        "firewall",
                        List.of(
                                exact("firewall", "3000007"),
                                new Match.Ternary("ip_version", hex("6"), hex("f")),
                                new Match.Ternary(
                                        "src",
                                        hex("20010db8000900000000000000000000"),
                                        hex("ffffffffffffffff0000000000000000")),
                                new Match.Ternary("dst", hex("ffff0a000200"), hex("ffffffffffffffffffffffffffffff00")),
                                new Match.Ternary("ip_protocol", hex("11"), hex("ff")),
                                new Match.Ternary("has", hex("15"), hex("15")),
                                new Match.Range("dst_port", hex("14e9"), hex("14f0")),
                                new Match.Range("segments_left", hex("1"), hex("ff")),
                                new Match.Ternary("srh_tag", hex("3"), hex("ffff")),
                                new Match.Ternary(
                                        "next_sid",
                                        hex("fcbbbbbb060000000000000000000000"),
                                        hex("ffffffffffff00000000000000000000"))),
                        new TableEntry.Action.Direct(call("fw_skip_next", "log", "1")),
                        false,
                        99998));
        assertRoundTrip(
                new FirewallRule(1, 1, Box.ALL, Verdict.DROP, false),
                new TableEntry(
                        "firewall",
                        List.of(exact("firewall", "1")),
                        new TableEntry.Action.Direct(call("fw_drop", "log", "0")),
                        false,
                        1));
        malformed("begins at 2 and ends at 1", firewall(new Match.Range("src_port", hex("2"), hex("1"))));
        malformed("leave it out", firewall(new Match.Range("src_port", hex("0"), hex("ffff"))));
        malformed("does not fit into 16 bits", firewall(new Match.Range("src_port", hex("0"), hex("10000"))));
        malformed("is not matched as RANGE", firewall(new Match.Ternary("src_port", hex("1"), hex("1"))));
    }

    private static TableEntry firewall(Match match) {
        return new TableEntry(
                "firewall",
                List.of(exact("firewall", "1"), match),
                new TableEntry.Action.Direct(call("fw_drop", "log", "0")),
                false,
                1);
    }

    /** A SID that leads to new rules is written behind them, and what it led to goes after it. */
    @Test
    void rules_stand_before_the_sid_that_leads_to_them() {
        FirewallRule rule = new FirewallRule(1, 1, Box.ALL, Verdict.DROP, false);
        assertThat(rule.stage()).isLessThan(new MySid(SID, new Sera(1, 0, 32, 32, 16, 4, 0xe000)).stage());
    }

    @Test
    void a_flow_is_of_prefixes() {
        TableEntry row = new TableEntry(
                "flow_v4",
                List.of(exact("vrf", "0"), new Match.Ternary("dst", hex("0a000001"), hex("ff0000ff"))),
                new TableEntry.Action.Direct(call("replicate", "flow_id", "1", "group", "1", "copies", "2")),
                false,
                1);
        assertThatThrownBy(() -> TableCodec.decode(row))
                .isInstanceOf(MalformedEntryException.class)
                .hasMessageContaining("mask of dst");
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
        List<Match> matches = new ArrayList<>(table.fields().stream()
                .filter(field -> field.kind() == Field.Kind.EXACT)
                .<Match>map(field -> new Match.Exact(field.name(), BigInteger.ONE))
                .toList());
        if (action.equals(Actions.GTP_D)) { // its way is a part of its match
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
        malformed("outside of its mask", punt(new Match.Ternary("ether_type", hex("1"), hex("2"))));
        malformed("leave it out", punt(new Match.Ternary("ether_type", hex("0"), hex("0"))));
        malformed(
                "out of order",
                punt(
                        new Match.Ternary("ether_type", hex("1"), hex("1")),
                        new Match.Ternary("in_port", hex("1"), hex("1"))));
        malformed(
                "port",
                direct(
                        "next_hop",
                        List.of(exact("id", "1")),
                        call("forward", "port", "0", "src_mac", "1", "dst_mac", "1")));
    }

    /** Both directions at once: the row is what the entry becomes, and the entry is what the row says. */
    private static void assertRoundTrip(Entry entry, TableEntry row) {
        assertThat(Entry.Key.parse(entry.key().table(), entry.key().match()))
                .isEqualTo(entry.key())
                .isEqualByComparingTo(entry.key());
        assertThat(List.of(TableCodec.encode(entry), TableCodec.decode(row))).isEqualTo(List.of(row, entry));
    }

    private static void malformed(String message, TableEntry row) {
        assertThatThrownBy(() -> TableCodec.decode(row))
                .isInstanceOf(MalformedEntryException.class)
                .hasMessageContaining(message);
    }

    private static TableEntry mySid(Call call) {
        return direct("my_sid", List.of(SID_MATCH), call);
    }

    private static TableEntry punt(Match... matches) {
        return new TableEntry("punt", Arrays.asList(matches), new TableEntry.Action.Direct(call("discard")), false, 1);
    }

    private static TableEntry direct(String table, List<Match> matches, Call call) {
        return new TableEntry(table, matches, new TableEntry.Action.Direct(call), false, 0);
    }

    private static TableEntry set(String table, List<Match> matches, Weighted... members) {
        return new TableEntry(table, matches, new TableEntry.Action.OneShot(Arrays.asList(members)), false, 0);
    }

    private static Match exact(String field, String value) {
        return new Match.Exact(field, hex(value));
    }

    private static Call call(String action, String... namesAndValues) {
        return new Call(
                action,
                IntStream.range(0, namesAndValues.length / 2)
                        .mapToObj(i -> new Argument(namesAndValues[2 * i], hex(namesAndValues[2 * i + 1])))
                        .toList());
    }

    private static BigInteger hex(String text) {
        return new BigInteger(text, 16);
    }
}
