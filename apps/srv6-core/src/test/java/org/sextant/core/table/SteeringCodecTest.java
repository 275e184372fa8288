// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.table.CodecRows.assertRoundTrip;
import static org.sextant.core.table.CodecRows.call;
import static org.sextant.core.table.CodecRows.direct;
import static org.sextant.core.table.CodecRows.exact;
import static org.sextant.core.table.CodecRows.hex;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.TableEntry.Match;

/** Steering entries, their segment lists and their substitutes: rows as the contract's README states them. */
class SteeringCodecTest {
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
    void a_standby() {
        assertRoundTrip(
                new Standby(0, IpPrefix.parse("fcbb:bbbb:300::/48"), 0x80000001),
                direct(
                        "standby_v6",
                        List.of(exact("vrf", "0"), new Match.Lpm("dst", hex("fcbbbbbb030000000000000000000000"), 48)),
                        call("repair", "sid_list", "80000001")));
        assertThat(new Standby(0, IpPrefix.parse("fcbb:bbbb:300::/48"), 0x80000001).sendsInto())
                .hasValue(0x80000001);
        assertThatThrownBy(() -> new Standby(0, IpPrefix.parse("10.0.0.0/8"), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("IPv6 only");
    }

    @Test
    void a_watched_list() {
        Liveness watched = new Liveness(0x80000001, 0x80000002, 10_000, 3, 1000, 0x80000003);
        assertRoundTrip(
                watched,
                direct(
                        "liveness",
                        List.of(exact("sid_list", "80000001")),
                        call(
                                "watch",
                                "probe",
                                "80000002",
                                "interval",
                                "2710",
                                "multiplier",
                                "3",
                                "hold_down",
                                "3e8",
                                "backup",
                                "80000003")));
        assertThat(watched.actionText())
                .isEqualTo("watch probe 2147483650 interval 10000 multiplier 3 hold_down 1000 backup 2147483651");
        assertThat(watched.key()).hasToString("liveness id 2147483649");
        assertThat(Entry.Key.parse("liveness", "id 2147483649")).isEqualTo(watched.key());
        assertThat(watched.instead()).hasValue(0x80000003);
        assertThat(new Liveness(1, 2, 1000, 255, 0, 0).instead()).isEmpty();
    }

    @Test
    void a_watched_list_follows_those_it_names_and_goes_before_them() {
        Liveness watched = new Liveness(5, 6, 10_000, 3, 1000, 7);
        assertThat(watched.stage()).isGreaterThan(new SidList(7, List.of(member("fcbb:bbbb::1"))).stage());
        assertThat(watched.stage()).isLessThan(new Steering(0, IpPrefix.parse("fd00::/64"), 5, true).stage());
    }

    @Test
    void what_cannot_be_watched_is_no_entry() {
        assertThatThrownBy(() -> new Liveness(5, 5, 10_000, 3, 0, 0)).hasMessageContaining("its own probe");
        assertThatThrownBy(() -> new Liveness(5, 6, 10_000, 3, 0, 5)).hasMessageContaining("its own backup");
        assertThatThrownBy(() -> new Liveness(5, 6, 10_000, 3, 0, 6)).hasMessageContaining("comes back");
        assertThatThrownBy(() -> new Liveness(5, 6, 0, 3, 0, 0)).hasMessageContaining("interval 0");
        assertThatThrownBy(() -> new Liveness(5, 6, 10_000, 0, 0, 0)).hasMessageContaining("multiplier 0");
    }

    @Test
    void a_port_that_waits() {
        PortRestoration waits = new PortRestoration(3, 10_000);
        assertRoundTrip(
                waits, direct("restoration", List.of(exact("port", "3")), call("wait_to_restore", "millis", "2710")));
        assertThat(waits.key()).hasToString("restoration port 3");
        assertThat(Entry.Key.parse("restoration", "port 3")).isEqualTo(waits.key());
        assertThat(waits.actionText()).isEqualTo("wait_to_restore millis 10000");
        assertThatThrownBy(() -> new PortRestoration(3, 0)).hasMessageContaining("millis 0");
        assertThatThrownBy(() -> new PortRestoration(3, 3_600_001)).hasMessageContaining("millis 3600001");
        assertThatThrownBy(() -> new PortRestoration(0, 1)).hasMessageContaining("port 0");
    }

    private static SidList.Member member(String segment) {
        return new SidList.Member(1, List.of(Ipv6.parse(segment)));
    }

    @Test
    void steering_by_flow() {
        FlowMatch flow = new FlowMatch(
                899,
                IpPrefix.parse("fd00:0:11::2/128"),
                IpPrefix.parse("fd00:0:31::/64"),
                OptionalInt.of(17),
                Optional.of(new FlowMatch.Ports(5000, 5999)),
                Optional.of(new FlowMatch.Ports(443, 443)),
                OptionalInt.of(46));
        assertRoundTrip(
                new FlowSteering(0, flow, Optional.of(new FlowSteering.Into(0x80000001, true))),
                new TableEntry(
                        "flow_steering_v6",
                        List.of(
                                exact("vrf", "0"),
                                new Match.Ternary(
                                        "src",
                                        hex("fd000000001100000000000000000002"),
                                        hex("ffffffffffffffffffffffffffffffff")),
                                new Match.Ternary(
                                        "dst",
                                        hex("fd000000003100000000000000000000"),
                                        hex("ffffffffffffffff0000000000000000")),
                                new Match.Ternary("ip_protocol", hex("11"), hex("ff")),
                                new Match.Range("l4_src_port", hex("1388"), hex("176f")),
                                new Match.Range("l4_dst_port", hex("1bb"), hex("1bb")),
                                new Match.Ternary("dscp", hex("2e"), hex("3f"))),
                        new TableEntry.Action.Direct(call("h_encaps_red", "sid_list", "80000001")),
                        false,
                        899));
        FlowMatch any = new FlowMatch(
                1,
                IpPrefix.parse("0.0.0.0/0"),
                IpPrefix.parse("0.0.0.0/0"),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.of(0));
        assertRoundTrip(
                new FlowSteering(7, any, Optional.empty()),
                new TableEntry(
                        "flow_steering_v4",
                        List.of(exact("vrf", "7"), new Match.Ternary("dscp", hex("0"), hex("3f"))),
                        new TableEntry.Action.Direct(call("drop_steered")),
                        false,
                        1));
    }

    @Test
    void steering_that_drops_has_the_key_of_steering() {
        DropSteered drop = new DropSteered(0, IpPrefix.parse("fd00:0:31::/64"));
        assertRoundTrip(
                drop,
                direct(
                        "steering_v6",
                        List.of(exact("vrf", "0"), new Match.Lpm("dst", hex("fd000000003100000000000000000000"), 64)),
                        call("drop_steered")));
        assertRoundTrip(
                new DropSteered(9, IpPrefix.parse("10.0.31.0/24")),
                direct(
                        "steering_v4",
                        List.of(exact("vrf", "9"), new Match.Lpm("dst", hex("0a001f00"), 24)),
                        call("drop_steered")));
        assertThat(drop.key()).isEqualTo(new Steering(0, drop.destination(), 5, true).key());
        assertThat(drop.sendsInto()).isEmpty();
    }
}
