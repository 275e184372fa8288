// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.SidFormat;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.Sera;

class SidPlanTest {
    private static final SidPlan L1 = plan("fcbb:bbbb::/32", SidFormat.F3216, 0x0100);
    private static final SidPlan WIDE = plan("fcbb:bbbb:1::/48", SidFormat.F4832, 0x0001_0000);

    @Test
    void un_is_block_and_node_usid() {
        assertThat(L1.un().sid()).hasToString("fcbb:bbbb:100::/48");
        assertThat(L1.un().behavior()).isEqualTo(new Behavior.Un(32, 16));
    }

    @Test
    void ua_fuses_node_and_port_and_forwards_to_the_next_hop_of_that_number() {
        assertThat(L1.ua(3).sid()).hasToString("fcbb:bbbb:100:e003::/64");
        assertThat(L1.ua(3).behavior()).isEqualTo(new Behavior.Ua(32, 32, 3));
        assertThat(L1.uaUsid(510)).isEqualTo(0xe1fe);
    }

    @Test
    void copies_of_every_path_have_a_sid_of_their_own() {
        assertThat(L1.dedup(0, 2).sid()).hasToString("fcbb:bbbb:100:f102::/64");
        assertThat(L1.dedup(15, 15).sid()).hasToString("fcbb:bbbb:100:f1ff::/64");
        assertThat(L1.dedup(0, 2).behavior()).isEqualTo(new Behavior.Dedup(0, 2));
        assertThat(WIDE.dedupUsid(0, 1)).isEqualTo(0xf100_0001L);
        assertThatIllegalArgumentException().isThrownBy(() -> L1.dedup(0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> L1.dedup(16, 1));
    }

    @Test
    void a_firewall_has_one_sid_for_all_of_its_arguments() {
        assertThat(L1.firewallUsid(3)).isEqualTo(0xf230);
        assertThat(L1.firewallSid(3)).hasToString("fcbb:bbbb:100:f230::/60");
        assertThat(L1.sera(3, 0x03000007)).isEqualTo(new Sera(0x03000007, 3, 32, 32, 16, 4, 0xe000));
        assertThat(WIDE.firewallSid(15)).hasToString("fcbb:bbbb:1:1:0:f200:f0:0/108");
        assertThat(WIDE.sera(0, 1)).isEqualTo(new Sera(1, 0, 48, 64, 32, 4, 0xe000_0000L));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> L1.firewallUsid(16))
                .withMessage("firewall 16 of node 0x100 has no uSID: a node has firewalls 0 to 15");
    }

    @Test
    void binding_sids_that_controllers_give_and_people_choose_stand_apart() {
        assertThat(L1.binding(0)).hasToString("fcbb:bbbb:100:f800::/64");
        assertThat(L1.binding(1023)).hasToString("fcbb:bbbb:100:fbff::/64");
        assertThat(WIDE.binding(5)).hasToString("fcbb:bbbb:1:1:0:f800:5:0/112");
        assertThat(L1.chosenBindings())
                .extracting(IpPrefix::toString)
                .containsExactly("fcbb:bbbb:100:fc00::/64", "fcbb:bbbb:100:fdff::/64");
        assertThat(WIDE.chosenBindings().get(1)).hasToString("fcbb:bbbb:1:1:0:fc00:1ff:0/112");
        assertThat(L1.isBinding(L1.binding(1023))).isTrue();
        assertThat(L1.isChosenBinding(L1.binding(1023))).isFalse();
        assertThat(L1.chosenBindings()).allMatch(L1::isChosenBinding).noneMatch(L1::isBinding);
        assertThat(L1.isChosenBinding(L1.udt(Family.IPV6, 0).sid())).isFalse();
        assertThat(L1.isBinding(IpPrefix.parse("fcbb:bbbb:200:f800::/64")))
                .as("another node's")
                .isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> L1.binding(1024));
    }

    @Test
    void markers_decapsulate_into_the_main_table() {
        assertThat(L1.marker(Family.IPV6).sid()).hasToString("fcbb:bbbb:100:f00d::/64");
        assertThat(L1.marker(Family.IPV4).sid()).hasToString("fcbb:bbbb:100:f004::/64");
        assertThat(L1.marker(Family.IPV4).behavior()).isEqualTo(new Behavior.Udt(Family.IPV4, 0));
    }

    @Test
    void each_vrf_has_a_udt_per_family() {
        assertThat(L1.udt(Family.IPV6, 1).sid()).hasToString("fcbb:bbbb:100:fe02::/64");
        assertThat(L1.udt(Family.IPV4, 1).sid()).hasToString("fcbb:bbbb:100:fe03::/64");
        assertThat(L1.udtUsid(Family.IPV4, 255)).isEqualTo(0xffff);
    }

    @Test
    void a_vrf_beyond_the_local_range_is_refused_with_the_range() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> L1.udt(Family.IPV6, 256))
                .withMessageContaining("vrf 256")
                .withMessageContaining("255");
    }

    @Test
    void the_numbering_uses_the_low_nibble_and_shortens_the_route() {
        assertThat(L1.numberedUdt(Family.IPV6).orElseThrow().sid()).hasToString("fcbb:bbbb:101::/48");
        assertThat(L1.numberedUdt(Family.IPV4).orElseThrow().sid()).hasToString("fcbb:bbbb:102::/48");
        assertThat(L1.routed()).hasToString("fcbb:bbbb:100::/44");
    }

    @Test
    void a_node_whose_low_nibble_is_taken_has_no_numbering() {
        SidPlan odd = plan("fcbb:bbbb::/32", SidFormat.F3216, 0x0101);
        assertThat(odd.numberedUdt(Family.IPV6)).isEmpty();
        assertThat(odd.routed()).isEqualTo(odd.locator());
    }

    @Test
    void in_a_32_bit_format_the_conventions_sit_in_the_upper_half() {
        assertThat(WIDE.un().sid()).hasToString("fcbb:bbbb:1:1::/80");
        assertThat(WIDE.ua(3).sid()).hasToString("fcbb:bbbb:1:1:0:e000:3:0/112");
        assertThat(WIDE.ua(3).behavior()).isEqualTo(new Behavior.Ua(48, 64, 3));
        assertThat(WIDE.marker(Family.IPV6).sid()).hasToString("fcbb:bbbb:1:1:0:f00d::/112");
        assertThat(WIDE.numbered()).isFalse();
    }

    @Test
    void every_local_usid_is_in_the_local_range_of_its_format() {
        for (String name : SidFormat.names()) {
            SidFormat format = SidFormat.byName(name).orElseThrow();
            SidPlan plan = new SidPlan(new Srv6(
                    IpPrefix.of(Ipv6.parse("fcbb:bbbb:1::"), format.blockLength()),
                    format,
                    0x10,
                    Ipv6.parse("fcff::1")));
            List<Long> usids = List.of(
                    plan.uaUsid(1),
                    plan.uaUsid(510),
                    plan.firewallUsid(0),
                    plan.firewallUsid(15),
                    plan.markerUsid(Family.IPV6),
                    plan.markerUsid(Family.IPV4),
                    plan.udtUsid(Family.IPV6, 0),
                    plan.udtUsid(Family.IPV4, plan.maxVrf()));
            assertThat(usids).as(name).doesNotHaveDuplicates().allMatch(format::isLocal);
        }
    }

    private static SidPlan plan(String block, SidFormat format, long usid) {
        return new SidPlan(new Srv6(IpPrefix.parse(block), format, usid, Ipv6.parse("fcff:1::1")));
    }
}
