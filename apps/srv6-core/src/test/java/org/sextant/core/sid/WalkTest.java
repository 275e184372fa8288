// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;

/**
 * Cases that the shared vectors do not reach. The network: a - b - d and a - c - d, hosts behind a and d; node n has
 * uSID n of fcbb:bbbb::/32, for example a:: below.
 */
class WalkTest {
    private static final Behavior UN = new Behavior.Un(32, 16);
    private static final Behavior UDT6 = new Behavior.Udt(Family.IPV6, 0);
    private static final Payload V6 = Payload.of(Family.IPV6);

    private final TestFib fib = diamond();

    private static TestFib diamond() {
        TestFib fib = new TestFib();
        for (String node : List.of("a", "b", "c", "d")) {
            fib.sid(node, "fcbb:bbbb:" + node + "::/48", UN).sid(node, "fcbb:bbbb:" + node + ":f00d::/64", UDT6);
        }
        toward(fib, "a", "b", "c", "d");
        toward(fib, "d", "b", "c", "a");
        fib.route("b", 0, "fcbb:bbbb:a::/48", link("b", "a"))
                .route("b", 0, "fcbb:bbbb:d::/48", link("b", "d"))
                .route("b", 0, "fcbb:bbbb:c::/48", link("b", "a"));
        fib.route("c", 0, "fcbb:bbbb:a::/48", link("c", "a"))
                .route("c", 0, "fcbb:bbbb:d::/48", link("c", "d"))
                .route("c", 0, "fcbb:bbbb:b::/48", link("c", "a"));
        fib.route("d", 0, "fd00:d::/64", host("d", "hd")).route("a", 0, "fd00:a::/64", host("a", "ha"));
        return fib;
    }

    private static void toward(TestFib fib, String node, String left, String right, String opposite) {
        fib.route(node, 0, "fcbb:bbbb:" + left + "::/48", link(node, left))
                .route(node, 0, "fcbb:bbbb:" + right + "::/48", link(node, right));
        // in the wrong order on purpose
        fib.route(node, 0, "fcbb:bbbb:" + opposite + "::/48", link(node, right), link(node, left));
    }

    @Test
    void all_branches_are_followed_and_the_first_by_name_is_shown() {
        Trace trace = walk("a", "d:f00d::");
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.hops()).extracting(Trace.Hop::node).containsExactly("a", "b", "d");
        assertThat(trace.forks())
                .singleElement()
                .satisfies(hop -> assertThat(hop.otherLinks()).containsExactly("a-c"));
        assertThat(trace.nodes()).containsExactly("a", "b", "c", "d");
        assertThat(trace.links()).containsExactly("a-b", "a-c", "b-d", "c-d");
    }

    @Test
    void the_first_copy_is_decapsulated_whatever_its_family() {
        fib.sid("d", "fcbb:bbbb:d:f102::/64", new Behavior.Dedup(0, 2));
        for (Family family : List.of(Family.IPV6, Family.IPV4)) {
            Trace trace = Walk.encapsulate(fib, "a", true, List.of(sid("b:d:f102::")), Payload.of(family));
            assertThat(trace.arrival()).contains(new Trace.Arrival("d", "uDedup", Optional.of(0), Optional.empty()));
        }
        Header left = new Header(sid("d:f102::"), Optional.of(new Header.Srh(List.of(sid("a::")), 1)), 9, V6);
        assertFails(
                Walk.from(fib, "d", left), "d", Reason.SEGMENTS_LEFT_NOT_ZERO, "decapsulates only the last segment");
    }

    /** RFC 9433, 6.6 and 6.5: arguments stand behind the SID, and the walk ends where GTP goes on. */
    @Test
    void srv6_ends_where_gtp_begins() {
        fib.sid("d", "fcbb:bbbb:d:f610::/64", new Behavior.Gtp6E(64, sid("d:f601::"), 0, 1, 0))
                .sid("d", "fcbb:bbbb:d04::/48", new Behavior.Gtp4E(48, 48, 0, 1, 0))
                .route("a", 0, "fcbb:bbbb:d04::/48", link("a", "b"))
                .route("b", 0, "fcbb:bbbb:d04::/48", link("b", "d"));
        Trace four = Walk.encapsulate(fib, "a", true, List.of(sid("d04:c000:201:2400:3ea:0")), V6);
        assertThat(four.arrival()).contains(new Trace.Arrival("d", "End.M.GTP4.E", Optional.empty(), Optional.empty()));
        List<Ipv6> endpoint = List.of(sid("b:d:f610:2400:3:ea00"), Ipv6.parse("2001:db8:b::1"));
        assertThat(Walk.encapsulate(fib, "a", true, endpoint, V6).arrival().map(Trace.Arrival::behavior))
                .contains("End.M.GTP6.E");
        assertFails(
                Walk.encapsulate(fib, "a", true, endpoint.subList(0, 1), V6),
                "d",
                Reason.SEGMENTS_LEFT_NOT_ZERO,
                "where 1 segments are left, but 0 are");
    }

    /** RFC 9433, 6.3: D's list ends in a decapsulation with arguments that no node reads. */
    @Test
    void a_decapsulation_finds_the_arguments_that_were_written() {
        Arguments session = Arguments.of(0x24_1234_5678L, 40);
        Ipv6 last = session.in(sid("b:d:f00d::"), 80);
        Trace trace = Walk.encapsulate(fib, "a", List.of(last), session, V6);
        assertThat(trace.arrival().map(Trace.Arrival::behavior)).contains("uDT6");
        assertFails(
                Walk.encapsulate(fib, "a", true, List.of(last), V6),
                "d",
                Reason.ARGUMENT_NOT_ZERO,
                "what stands behind fcbb:bbbb:d:f00d::/64");
    }

    /** A node without the function shifts it away, and the arguments become uSIDs. */
    @Test
    void arguments_that_a_node_took_for_usids_are_lost() {
        fib.sid("d", "fcbb:bbbb:f611::/48", UN);
        Arguments session = Arguments.of(0x000d_f00d_00L, 40);
        Ipv6 last = session.in(sid("b:d:f611::"), 80);
        assertFails(
                Walk.encapsulate(fib, "a", List.of(last), session, V6),
                "d",
                Reason.ARGUMENTS_LOST,
                "a node took them for uSIDs");
    }

    @Test
    void gtp_finds_the_arguments_that_were_written() {
        fib.sid("d", "fcbb:bbbb:d:f610::/64", new Behavior.Gtp6E(64, sid("d:f601::"), 0, 1, 0));
        Arguments session = Arguments.of(0x26_0000_03eaL, 40);
        Ipv6 endpoint = Ipv6.parse("2001:db8:b::1");
        List<Ipv6> right = List.of(session.in(sid("b:d:f610::"), 80), endpoint);
        assertThat(Walk.encapsulate(fib, "a", right, session, V6).arrives()).isTrue();
        List<Ipv6> elsewhere = List.of(session.in(sid("b:d:f610::"), 88), endpoint);
        assertFails(
                Walk.encapsulate(fib, "a", elsewhere, session, V6),
                "d",
                Reason.ARGUMENTS_LOST,
                "finds other bits behind fcbb:bbbb:d:f610::/64");
    }

    /** RFC 9433, 6.3: packets of an SR policy are no GTP, whatever steered them. */
    @Test
    void a_sid_that_takes_gtp_ends_no_policy() {
        fib.sid("d", "fcbb:bbbb:d:f601::/64", new Behavior.Gtp6D());
        assertFails(walk("a", "d:f601::"), "d", Reason.NOT_DECAPSULATED, "takes GTP only");
    }

    /** RFC 9433, 6.2. */
    @Test
    void a_mapped_sid_is_another_one() {
        fib.sid("b", "fcbb:bbbb:b:f620::/64", new Behavior.Mapping(sid("d:f00d::")));
        Trace trace = walk("a", "b:f620::");
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.hops()).extracting(Trace.Hop::behavior).contains("End.MAP");
    }

    @Test
    void one_branch_that_fails_fails_the_walk_and_is_shown() {
        fib.route("c", 0, "fcbb:bbbb:d:f00d::/64");
        Trace trace = walk("a", "d:f00d::");
        assertThat(trace.hops()).extracting(Trace.Hop::node).containsExactly("a", "c");
        assertThat(trace.hops().get(0).link()).contains("a-c");
        assertThat(trace.hops().get(0).otherLinks()).containsExactly("a-b");
        assertFails(trace, "c", Reason.NO_ROUTE, "node c has no route to fcbb:bbbb:d:f00d::");
    }

    @Test
    void two_nodes_that_point_at_each_other_are_a_loop() {
        fib.route("b", 0, "fcbb:bbbb:d:f00d::/64", link("b", "a"));
        Trace trace = walk("a", "d:f00d::");
        assertFails(trace, "b", Reason.LOOP, "goes in a circle");
        assertThat(trace.hops()).extracting(Trace.Hop::node).containsExactly("a", "b", "a", "b");
    }

    @Test
    void a_packet_without_hops_left_is_dropped_where_the_router_would() {
        Header two = new Header(sid("d:f00d::"), Optional.empty(), 2, V6);
        assertThat(Walk.from(fib, "b", two).arrives()).isTrue();
        Header one = new Header(sid("d:f00d::"), Optional.empty(), 1, V6);
        assertFails(Walk.from(fib, "b", one), "b", Reason.HOP_LIMIT, "hop limit is used up");
        assertThat(Walk.from(fib, "d", one).arrives()).isTrue();
        assertFails(
                Walk.from(fib, "b", new Header(sid("b:d:f00d::"), Optional.empty(), 1, V6)),
                "b",
                Reason.HOP_LIMIT,
                "drops fcbb:bbbb:b:d:f00d::");
        assertFails(
                Walk.from(fib, "b", new Header(sid("b::"), srh(1, "d:f00d::", "b::"), 1, V6)),
                "b",
                Reason.HOP_LIMIT,
                "hop limit");
    }

    /** RFC 8200, 3: a node forwards packets with a hop limit of 2 or more, and the headend forwards as well. */
    @Test
    void a_path_has_fewer_links_than_the_hop_limit_at_the_headend() {
        assertThat(overLinks(63, Header.DEFAULT_HOP_LIMIT).arrives()).isTrue();
        assertFails(overLinks(64, Header.DEFAULT_HOP_LIMIT), "n63", Reason.HOP_LIMIT, "hop limit is used up");
        assertThat(overLinks(254, Header.MAX_HOP_LIMIT).arrives()).isTrue();
        assertFails(overLinks(255, Header.MAX_HOP_LIMIT), "n254", Reason.HOP_LIMIT, "hop limit is used up");
    }

    private static Trace overLinks(int links, int hopLimit) {
        TestFib chain = new TestFib().sid("n" + links, "fcbb:bbbb:99:f00d::/64", UDT6);
        for (int i = 0; i < links; i++) {
            chain.route("n" + i, 0, "fcbb:bbbb:99::/48", link("n" + i, "n" + (i + 1)));
        }
        return Walk.encapsulate(chain, "n0", true, List.of(sid("99:f00d::")), V6, hopLimit);
    }

    @Test
    void a_binding_sids_header_has_the_hops_that_the_packet_has_left() {
        fib.sid("b", "fcbb:bbbb:b:b6::/64", new Behavior.B6EncapsRed(5));
        fib.list("b", 5, List.of(List.of(sid("d:f00d::"))));
        fib.sid("d", "fcbb:bbbb:77::/48", UDT6);
        Header last = new Header(sid("b:b6::"), srh(1, "77::"), 2, V6);
        assertThat(Walk.from(fib, "b", last).arrives()).isTrue();
        fib.list("b", 5, List.of(List.of(sid("c:f00d::"))));
        assertFails(Walk.from(fib, "b", last), "a", Reason.HOP_LIMIT, "hop limit is used up");
    }

    @Test
    void one_node_counts_one_hop() {
        // a shifts, b shifts, d decapsulates: two hops are enough
        assertThat(Walk.from(fib, "a", new Header(sid("a:b:d:f00d::"), Optional.empty(), 3, V6))
                        .arrives())
                .isTrue();
        assertThat(Walk.from(fib, "a", new Header(sid("a:b:d:f00d::"), Optional.empty(), 2, V6))
                        .failure()
                        .orElseThrow()
                        .node())
                .isEqualTo("b");
    }

    @Test
    void a_container_may_name_the_headend_itself_and_a_node_twice() {
        Trace trace = walk("a", "a:b:b:d:f00d::");
        assertThat(trace.hops())
                .extracting(hop -> hop.node() + " " + hop.behavior())
                .containsExactly("a H.Encaps.Red", "a uN", "b uN", "b uN", "d uDT6");
        assertThat(trace.hops()).extracting(hop -> hop.link().orElse("")).containsExactly("", "a-b", "", "b-d", "");
    }

    @Test
    void end_and_end_x_take_whole_sids() {
        fib.sid("b", "2001:db8::b/128", new Behavior.End(false))
                .sid("c", "2001:db8::c/128", new Behavior.EndX(7))
                .sid("d", "2001:db8::d/128", UDT6);
        fib.nextHop("c", 7, link("c", "d"));
        fib.route("a", 0, "2001:db8::b/128", link("a", "b"))
                .route("b", 0, "2001:db8::c/128", link("b", "a"))
                .route("a", 0, "2001:db8::c/128", link("a", "c"));
        Trace trace = encapsulate("a", V6, "2001:db8::b", "2001:db8::c", "2001:db8::d");
        assertThat(trace.hops())
                .extracting(Trace.Hop::behavior)
                .containsExactly("H.Encaps.Red", "End", "forward", "End.X", "End.DT6");
        assertThat(trace.hops()).extracting(Trace.Hop::segmentsLeft).containsExactly(2, 2, 1, 1, 0);
        assertThat(trace.arrival().orElseThrow())
                .isEqualTo(new Trace.Arrival("d", "End.DT6", Optional.of(0), Optional.empty()));
    }

    @Test
    void psp_removes_the_srh_before_the_last_segment() {
        Header header = new Header(sid("b::"), srh(1, "d:f00d::", "b::"), 64, V6);
        assertThat(header.advanced(true)).isEqualTo(new Header(sid("d:f00d::"), Optional.empty(), 63, V6));
        Header early = new Header(sid("b::"), srh(2, "d:f00d::", "c::", "b::"), 64, V6);
        assertThat(early.advanced(true)).isEqualTo(new Header(sid("c::"), srh(1, "d:f00d::", "c::", "b::"), 63, V6));
        fib.sid("b", "2001:db8::b/128", new Behavior.End(true));
        Trace trace = Walk.from(fib, "b", new Header(Ipv6.parse("2001:db8::b"), srh(1, "d:f00d::"), 64, V6));
        assertThat(trace.hops()).extracting(Trace.Hop::behavior).containsExactly("End with PSP", "uDT6");
        assertThat(trace.arrives()).isTrue();
    }

    @Test
    void segments_left_may_be_one_more_than_the_list_holds_and_no_more() {
        assertThat(Walk.from(fib, "b", new Header(sid("b::"), srh(1, "d:f00d::"), 64, V6))
                        .arrives())
                .isTrue();
        assertFails(
                Walk.from(fib, "b", new Header(sid("b::"), srh(2, "d:f00d::"), 64, V6)),
                "b",
                Reason.SEGMENTS_LEFT_BEYOND_LIST,
                "segments left 2, but the last entry is 0");
    }

    @Test
    void a_cross_connect_decapsulates_to_its_adjacency() {
        fib.sid("d", "fcbb:bbbb:d:e009::/64", new Behavior.Udx(Family.IPV4, 9)).nextHop("d", 9, host("d", "hd"));
        Trace trace = encapsulate("b", Payload.of(Family.IPV4), "fcbb:bbbb:d:e009::");
        assertThat(trace.arrival())
                .contains(new Trace.Arrival("d", "uDX4", Optional.empty(), Optional.of(host("d", "hd"))));
        assertThat(trace.hops().get(1).link()).contains("d/hd");
        assertFails(
                encapsulate("b", V6, "fcbb:bbbb:d:e009::"),
                "d",
                Reason.WRONG_INNER_FAMILY,
                "decapsulates IPV4 with uDX4");
        fib.sid("c", "fcbb:bbbb:c:e009::/64", new Behavior.Udx(Family.IPV6, 9))
                .sid("c", "fcbb:bbbb:c:e008::/64", new Behavior.Ua(32, 32, 8));
        assertFails(walk("a", "c:e009::"), "c", Reason.NO_ADJACENCY, "no next hop 9");
        assertFails(walk("a", "c:e008:d:f00d::"), "c", Reason.NO_ADJACENCY, "no next hop 8");
    }

    @Test
    void a_vrf_has_its_own_routes() {
        fib.sid("d", "fcbb:bbbb:d:fe0e::/64", new Behavior.Udt(Family.BOTH, 7))
                .route("d", 7, "10.0.0.0/8", host("d", "red"));
        Trace trace = encapsulate("b", Payload.to(IpAddress.parse("10.1.2.3")), "fcbb:bbbb:d:fe0e::");
        assertThat(trace.arrival())
                .contains(new Trace.Arrival("d", "uDT46", Optional.of(7), Optional.of(host("d", "red"))));
        assertFails(
                encapsulate("b", Payload.to(IpAddress.parse("fd00:d::1")), "fcbb:bbbb:d:fe0e::"),
                "d",
                Reason.NO_INNER_ROUTE,
                "fd00:d::1 in VRF 7");
    }

    @Test
    void a_header_that_nobody_removes_does_not_reach_a_host() {
        fib.route("d", 0, "fcbb:bbbb:99::/48", host("d", "hd"));
        assertFails(walk("d", "99::"), "d", Reason.NOT_DECAPSULATED, "to host hd with its outer header still on");
    }

    @Test
    void uSIDs_behind_an_end_are_lost() {
        fib.sid("b", "fcbb:bbbb:b:1::/64", new Behavior.End(false));
        assertFails(walk("a", "b:1:d::"), "b", Reason.ARGUMENT_NOT_ZERO, "does not shift at End");
    }

    @Test
    void a_binding_sid_pushes_a_header_that_comes_off_again() {
        fib.sid("b", "fcbb:bbbb:b:b6::/64", new Behavior.B6EncapsRed(5));
        fib.list("b", 5, List.of(List.of(sid("c:f00d::"))));
        Trace trace = encapsulate("a", V6, "fcbb:bbbb:b:b6::", "fcbb:bbbb:d:f00d::");
        assertThat(trace.failure()).isEmpty();
        assertThat(trace.hops())
                .extracting(hop -> hop.node() + " " + hop.behavior())
                .containsExactly("a H.Encaps.Red", "b End.B6.Encaps.Red", "a forward", "c uDT6", "c forward", "d uDT6");
        assertThat(trace.hops().get(1).leaving()).contains(sid("c:f00d::"));
        assertThat(trace.hops().get(3).leaving()).contains(sid("d:f00d::"));
    }

    @Test
    void every_member_of_a_binding_sids_list_must_arrive() {
        fib.sid("b", "fcbb:bbbb:b:b6::/64", new Behavior.B6EncapsRed(5));
        fib.list("b", 5, List.of(List.of(sid("c:f00d::")), List.of(sid("77::"))));
        assertFails(
                encapsulate("a", V6, "fcbb:bbbb:b:b6::", "fcbb:bbbb:d:f00d::"),
                "b",
                Reason.NO_ROUTE,
                "no route to fcbb:bbbb:77::");
    }

    @Test
    void a_binding_sid_without_a_list_or_a_segment_behind_it_fails() {
        fib.sid("b", "fcbb:bbbb:b:b6::/64", new Behavior.B6EncapsRed(5));
        assertFails(
                encapsulate("a", V6, "fcbb:bbbb:b:b6::", "fcbb:bbbb:d:f00d::"),
                "b",
                Reason.NO_SID_LIST,
                "no sid_list 5");
        assertFails(walk("a", "b:b6::"), "b", Reason.NOT_DECAPSULATED, "end of the segment list");
    }

    @Test
    void binding_sids_that_lead_into_each_other_are_a_loop() {
        fib.sid("b", "fcbb:bbbb:b:b6::/64", new Behavior.B6EncapsRed(5));
        fib.list("b", 5, List.of(List.of(sid("b:b6::"), sid("d:f00d::"))));
        assertFails(
                encapsulate("a", V6, "fcbb:bbbb:b:b6::", "fcbb:bbbb:d:f00d::"),
                "b",
                Reason.LOOP,
                "8 are on the packet");
    }

    @Test
    void many_branches_cost_no_more_than_their_links() {
        TestFib ladder = new TestFib();
        int rungs = 25;
        for (int i = 0; i < rungs; i++) {
            for (String side : List.of("l", "r")) {
                ladder.route(
                        side + i,
                        0,
                        "fcbb:bbbb:99::/48",
                        new Adjacency(side + i + "-l", "l" + (i + 1), false),
                        new Adjacency(side + i + "-r", "r" + (i + 1), false));
            }
        }
        ladder.sid("l" + rungs, "fcbb:bbbb:99:f00d::/64", UDT6).sid("r" + rungs, "fcbb:bbbb:99:f00d::/64", UDT6);
        // 2^25 paths
        Trace trace = Walk.encapsulate(ladder, "l0", true, List.of(sid("99:f00d::")), V6);
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.links()).hasSize(4 * rungs - 2);
    }

    @Test
    void headers_and_payloads_are_valid_from_birth() {
        assertThatThrownBy(() -> new Header(sid("a::"), Optional.empty(), 256, V6))
                .hasMessageContaining("hop limit 256");
        assertThatThrownBy(() -> new Header.Srh(List.of(), 0)).hasMessageContaining("1 to 127 segments, not 0");
        assertThatThrownBy(() -> srh(256, "a::")).hasMessageContaining("segments left 256");
        assertThatThrownBy(() -> Header.encapsulated(List.of(), true, 9, V6))
                .hasMessageContaining("at least one segment");
        assertThatThrownBy(() -> Payload.of(Family.BOTH)).hasMessageContaining("IPv4 or IPv6");
        assertThatThrownBy(() -> new Payload(Family.IPV4, Optional.of(sid("a::"))))
                .hasMessageContaining("is not an address of IPV4");
    }

    @Test
    void the_srh_carries_the_path_backwards() {
        List<Ipv6> path = List.of(sid("1::"), sid("2::"), sid("3::"));
        assertThat(Header.encapsulated(path, true, 9, V6))
                .isEqualTo(new Header(sid("1::"), srh(2, "3::", "2::"), 9, V6));
        assertThat(Header.encapsulated(path, false, 9, V6))
                .isEqualTo(new Header(sid("1::"), srh(2, "3::", "2::", "1::"), 9, V6));
        assertThat(Header.encapsulated(path.subList(0, 1), true, 9, V6).srh()).isEmpty();
    }

    private Trace walk(String headend, String container) {
        return encapsulate(headend, V6, "fcbb:bbbb:" + container);
    }

    private Trace encapsulate(String headend, Payload payload, String... segments) {
        return Walk.encapsulate(
                fib, headend, true, Arrays.stream(segments).map(Ipv6::parse).toList(), payload);
    }

    private static void assertFails(Trace trace, String node, Reason reason, String message) {
        assertThat(trace.failure()).hasValueSatisfying(failure -> {
            assertThat(failure.node()).isEqualTo(node);
            assertThat(failure.reason()).isEqualTo(reason);
            assertThat(failure.message()).contains(message);
        });
        assertThat(trace.arrival()).isEmpty();
        assertThat(trace.hops().get(trace.hops().size() - 1).node()).isEqualTo(node);
    }

    /** Segments as on the wire. */
    private static Optional<Header.Srh> srh(int segmentsLeft, String... segments) {
        return Optional.of(
                new Header.Srh(Arrays.stream(segments).map(WalkTest::sid).toList(), segmentsLeft));
    }

    private static Ipv6 sid(String behindTheBlock) {
        return Ipv6.parse("fcbb:bbbb:" + behindTheBlock);
    }

    private static Adjacency link(String from, String to) {
        return new Adjacency(from + "-" + to, to, false);
    }

    private static Adjacency host(String node, String host) {
        return new Adjacency(node + "/" + host, host, true);
    }
}
