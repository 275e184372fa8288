// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.table.CodecRows.SID;
import static org.sextant.core.table.CodecRows.assertRoundTrip;
import static org.sextant.core.table.CodecRows.call;
import static org.sextant.core.table.CodecRows.direct;
import static org.sextant.core.table.CodecRows.exact;
import static org.sextant.core.table.CodecRows.hex;
import static org.sextant.core.table.CodecRows.malformed;
import static org.sextant.core.table.CodecRows.mySid;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.GtpRule.Containers;
import org.sextant.core.table.TableEntry.Match;

/** Rows of Live-Live, mobile sessions and firewalls, as the contract's README states them. */
class PlaneCodecTest {
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
                        new GtpRule.Does.Translate(
                                8, 80, 48, Ipv6.parse("fcbb:bbbb:104::"), 48, true, false, Containers.UPLINK)),
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
                                new Match.Ternary("way", hex("3"), hex("17"))),
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
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, false, false, Containers.ANY).way())
                .contains(new Ternary(4, 5));
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, false, true, Containers.ANY).way())
                .contains(new Ternary(4, 4));
        assertThat(new GtpRule.Does.Translate(1, 80, 48, Ipv6.parse("::"), 48, false, false, Containers.ANY).way())
                .contains(new Ternary(4, 7));
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, true, false, Containers.ANY).way())
                .contains(new Ternary(6, 7));
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, false, false, Containers.UPLINK).way())
                .contains(new Ternary(4, 21));
        assertThat(new GtpRule.Does.Translate(1, 80, 0, Ipv6.parse("::"), 0, true, true, Containers.DOWNLINK).way())
                .contains(new Ternary(6, 14));
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
        malformed(
                "way 0&10 is not that of carry sid_list 1",
                new TableEntry(
                        "gtp_rule",
                        List.of(exact("vrf", "0"), new Match.Ternary("way", hex("0"), hex("10"))),
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

    /** A SID that uses new rules is written behind them, and its old rules are removed after it. */
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
}
