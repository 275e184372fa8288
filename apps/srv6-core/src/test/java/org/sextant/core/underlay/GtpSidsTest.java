// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.SidFormat;
import org.sextant.core.table.Behavior;
import org.sextant.core.underlay.GtpSids.Container;
import org.sextant.core.underlay.GtpSids.Taking;
import org.sextant.core.underlay.GtpSids.Way;

class GtpSidsTest {
    private static final GtpSids NUMBERED = sids("fcbb:bbbb::/32", SidFormat.F3216, 0x300, Optional.empty());

    @Test
    void gtp4_e_is_numbered_beside_the_node() {
        Taking taking = NUMBERED.gtp4E(Way.UPLINK, Container.ALWAYS).orElseThrow();
        assertThat(taking.sid().sid()).hasToString("fcbb:bbbb:305::/48");
        assertThat(taking.at()).isEqualTo(48);
        assertThat(taking.sid().behavior()).isEqualTo(new Behavior.Gtp4E(48, 48, 1, 2, 0));
        assertThat(NUMBERED.gtp4E(Way.DOWNLINK, Container.NEVER)
                        .orElseThrow()
                        .sid()
                        .sid())
                .hasToString("fcbb:bbbb:308::/48");
    }

    @Test
    void gtp6_e_is_a_function_behind_the_node_and_sends_from_where_gnbs_send_to() {
        Taking taking = NUMBERED.gtp6E(Way.DOWNLINK, Container.ALWAYS).orElseThrow();
        assertThat(taking.sid().sid()).hasToString("fcbb:bbbb:300:f610::/64");
        assertThat(taking.sid().behavior())
                .isEqualTo(new Behavior.Gtp6E(64, Ipv6.parse("fcbb:bbbb:300:f600::"), 0, 2, 0));
        assertThat(NUMBERED.gtp6D().sid()).hasToString("fcbb:bbbb:300:f600::/64");
    }

    @Test
    void every_way_and_container_has_a_sid_of_its_own() {
        assertThat(NUMBERED.gtp4E(Way.DOWNLINK, Container.NONZERO)
                        .orElseThrow()
                        .sid()
                        .behavior())
                .isEqualTo(new Behavior.Gtp4E(48, 48, 0, 1, 0));
        assertThat(NUMBERED.gtp4E(Way.UPLINK, Container.NEVER)
                        .orElseThrow()
                        .sid()
                        .behavior())
                .isEqualTo(new Behavior.Gtp4E(48, 48, 1, 0, 0));
        assertThat(java.util.stream.Stream.of(Way.values())
                        .flatMap(way -> java.util.stream.Stream.of(Container.values())
                                .map(container -> NUMBERED.gtp6E(way, container)
                                        .orElseThrow()
                                        .sid()
                                        .sid())))
                .doesNotHaveDuplicates();
    }

    /** F4816 has room for the arguments of End.M.GTP6.E and not for those of End.M.GTP4.E. */
    @Test
    void where_there_is_no_room_a_locator_makes_it() {
        GtpSids tight = sids("fcbb:bbbb:1::/48", SidFormat.F4816, 0x300, Optional.empty());
        assertThat(tight.gtp4E(Way.UPLINK, Container.ALWAYS)).isEmpty();
        assertThat(tight.gtp6E(Way.UPLINK, Container.ALWAYS)).isPresent();
        GtpSids wide = sids("fcbb:bbbb:1::/48", SidFormat.F4832, 0x300, Optional.empty());
        assertThat(wide.gtp6E(Way.UPLINK, Container.ALWAYS)).isEmpty();
        assertThat(wide.decapsulation(Behavior.Family.IPV4)).isEmpty();

        GtpSids apart = sids("fcbb:bbbb:1::/48", SidFormat.F4832, 0x300, Optional.of("fd00:e:1::/48"));
        Taking four = apart.gtp4E(Way.UPLINK, Container.ALWAYS).orElseThrow();
        assertThat(four.sid().sid()).hasToString("fd00:e:1:500::/56");
        assertThat(four.at()).isEqualTo(56);
        assertThat(apart.gtp6E(Way.DOWNLINK, Container.NONZERO)
                        .orElseThrow()
                        .sid()
                        .sid())
                .hasToString("fd00:e:1:1200::/56");
        assertThat(apart.plan().reachedUnder()).contains(IpPrefix.parse("fd00:e:1::/48"));
    }

    /** Another node has a uSID of the numbering, so the node has none of it. */
    @Test
    void a_node_that_is_not_numbered_makes_no_gtp_over_ipv4() {
        assertThat(sids("fcbb:bbbb::/32", SidFormat.F3216, 0x301, Optional.empty())
                        .gtp4E(Way.UPLINK, Container.ALWAYS))
                .isEmpty();
    }

    private static GtpSids sids(String block, SidFormat format, long usid, Optional<String> locator) {
        Srv6 plain = new Srv6(IpPrefix.parse(block), format, usid, Ipv6.parse("fcff:1::1"));
        return new GtpSids(new SidPlan(new Srv6(
                plain.block(), format, usid, plain.encapSource(), plain.numbered(), locator.map(IpPrefix::parse))));
    }
}
