// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/** Invalid policies: each is rejected with the field, the problem and the remedy. */
class BadPolicyTest {
    private static final String NODES = "'l1','l2','p7','p6','v5','v4','l3'";
    private static final String PAPER = "{'from':'h11','to':'h31','nodes':[" + NODES + "]%s}";

    /** Expects exactly one problem, in full. */
    private static void refuses(String policy, String problem) {
        assertThat(Fig4.problems(policy).stream()
                        .map(one -> one.code() + " " + one)
                        .toList())
                .containsExactly(problem);
    }

    private static void refuses(String policy, Network network, String problem) {
        assertThat(Fig4.problems(policy, network, Map.of()).stream()
                        .map(one -> one.code() + " " + one)
                        .toList())
                .containsExactly(problem);
    }

    @Test
    void unknown_names_come_with_the_nearest_known_one() {
        refuses(
                "{'from':'h111','to':'h31','nodes':['l1','l3']}",
                "UNKNOWN /from: there is no host \"h111\"; did you mean h11?");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','p77','l3']}",
                "UNKNOWN /nodes/1: there is no node \"p77\"; did you mean p7?");
        refuses(
                "{'headend':'l1','hops':[{'link':'l1-l9'}],'steering':['h31']}",
                "UNKNOWN /hops/0: link l1-l9: there is no node \"l9\"; did you mean l1?");
        refuses(
                "{'headend':'l1','hops':['l2',{'link':'l2-v8'}],'steering':['h81']}",
                "UNKNOWN /hops/1: there is no link l2-v8; the links of l2 are l2/1-l1/1, l2/2-l3/1, l2/3-p7/1");
        refuses(
                "{'headend':'l1','hops':['l2'],'steering':['nobody']}",
                "UNKNOWN /steering/0: there is no host \"nobody\"; the hosts are h11, h12, h13, h31, h32, h33, h51, h52, h53, h81, …");
    }

    @Test
    void all_problems_are_told_at_once() {
        assertThat(Fig4.problems("{'from':'x1','to':'x2','nodes':['y1','y2']}"))
                .extracting(Problem::field)
                .containsExactly("/from", "/to", "/nodes/0", "/nodes/1");
    }

    @Test
    void strict_hops_must_be_neighbours() {
        refuses(
                "{'headend':'l1','hops':['l2','p6',{'node':'l3','loose':true}],'steering':['h31']}",
                "UNFEASIBLE /hops/1: l2 and p6 are not neighbours; write \"loose\": true, or name the nodes"
                        + " between; the shortest path is l2, p7, p6");
        refuses(
                "{'headend':'l1','hops':[{'link':'l2-p7'}],'egress':'l3','steering':['h31']}",
                "UNFEASIBLE /hops/0: link l2/3-p7/1 begins at l2, but the path is at l1; write \"loose\": true,"
                        + " or name the nodes between; the shortest path is l1, l2");
    }

    @Test
    void a_neighbour_behind_a_link_that_is_down_cannot_be_reached() {
        Network cut = Fig4.withLinks(link -> Fig4.joins(link, "l1", "l2") ? Fig4.down(link) : link);
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l2','l3'],'symmetry':'one-way'}",
                cut,
                "UNFEASIBLE /nodes/1: node l2 cannot be reached from l1: no path of links that are up leads there;"
                        + " bring a link up, or choose other nodes");
        refuses(
                "{'headend':'l1','hops':['l2'],'egress':'l3','steering':['h31']}",
                cut,
                "UNFEASIBLE /hops/0: l1 and l2 are not neighbours while the link between them is down; no path of"
                        + " links that are up leads from l1 to l2");
        refuses(
                "{'headend':'l1','hops':[{'link':'l1-l2'}],'egress':'l3','steering':['h31']}",
                cut,
                "UNFEASIBLE /hops/0: link l1/1-l2/1 is down; bring it up, or choose another way");
    }

    @Test
    void usids_are_of_the_right_range() {
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','0x0000','l3']}",
                "INVALID /nodes/1: uSID 0 is no node: it ends a container (RFC 9800, 4.1); give a node's uSID, from 1"
                        + " on");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','0xe001','l3']}",
                "INVALID /nodes/1: uSID 0xe001 is not a node's: those of F3216 are 0x1 to 0xdfff; give a node's name"
                        + " or uSID");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','0x12345','l3']}",
                "INVALID /nodes/1: uSID 0x12345 is not a node's: those of F3216 are 0x1 to 0xdfff; give a node's name"
                        + " or uSID");
        assertThat(Fig4.problems("{'from':'h11','to':'h31','nodes':['l1','0x0900','l3']}"))
                .singleElement()
                .hasToString(
                        "/nodes/1: no node has the uSID 0x900; the uSIDs are l1 fcbb:bbbb:100::, l2 fcbb:bbbb:200::,"
                                + " l3 fcbb:bbbb:300::, p6 fcbb:bbbb:600::, p7 fcbb:bbbb:700::, v4 fcbb:bbbb:400::, v5"
                                + " fcbb:bbbb:500::, v8 fcbb:bbbb:800::");
        refuses(
                "{'headend':'l1','hops':[{'block':'fcbb:bbbb::/32','usids':['0200','0000']}],'steering':['h31']}",
                "INVALID /hops/0/usids/1: uSID 0 is no node: it ends a container (RFC 9800, 4.1); give a uSID from 1"
                        + " on");
        refuses(
                "{'headend':'l1','hops':[{'block':'fcbb:bbbb::/32','usids':['f00d']}],'steering':['h31']}",
                "INVALID /hops/0/usids/0: uSID 0xf00d is local: it means nothing without the uSID of its node before"
                        + " it; put the node's uSID before it");
        refuses(
                "{'headend':'l1','hops':[{'block':'fcbb:bbbb::/32','usids':['0200','e009']}],'steering':['h31']}",
                "UNKNOWN /hops/0/usids/1: node l2 has no local uSID 0xe009; its entries are what it has: list"
                        + " those of l2");
        refuses(
                "{'headend':'l1','hops':[{'block':'fcbb:bbbb::/32','usids':['00020000']}],'steering':['h31']}",
                "INVALID /hops/0/usids/0: uSID 0x20000 has more than the 16 bits of F3216; write 4 hexadecimal digits");
    }

    @Test
    void a_container_has_one_block() {
        refuses(
                "{'headend':'l1','hops':[{'block':'fcbb:bbbb::/32','usids':['0200','fcbb:cccc:700::']}],'steering':['h31']}",
                "INVALID /hops/0/usids/1: two blocks in one container: fcbb:cccc:700:: is a whole SID, but the list's"
                        + " uSIDs share the block fcbb:bbbb::/32; give it as a hop of its own: {\"sid\":"
                        + " \"fcbb:cccc:700::\"}");
        refuses(
                "{'headend':'l1','hops':[{'sid':'fcbb:cccc:700::'}],'steering':['h31']}",
                "UNKNOWN /hops/0: no node has a block that contains fcbb:cccc:700::; the blocks are"
                        + " fcbb:bbbb::/32");
        refuses(
                "{'headend':'l1','hops':[{'block':'fcbb:cccc::/32','usids':['0700']}],'steering':['h31']}",
                "UNKNOWN /hops/0/block: no node has the block fcbb:cccc::/32; the blocks are fcbb:bbbb::/32");
    }

    @Test
    void raw_sids_mean_what_the_network_knows() {
        refuses(
                "{'headend':'l1','hops':[{'sid':'fcbb:bbbb:700:0:600::'}],'steering':['h31']}",
                "INVALID /hops/0: fcbb:bbbb:700:0:600:: has uSIDs behind a zero, which ends a container; give a"
                        + " node's SID, such as fcbb:bbbb:100::");
        refuses(
                "{'headend':'l1','hops':[{'sid':'fcbb:bbbb:300:f00d:700::'}],'steering':['h31'],'decap':'none'}",
                "INVALID /hops/0: uSID 0x700 stands behind one that decapsulates, where nothing follows; end the"
                        + " list before it");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','fcbb:bbbb:200:700::','l3']}",
                "INVALID /nodes/1: fcbb:bbbb:200:700:: says more than which node to visit; write fcbb:bbbb:200:: here,"
                        + " or give the whole SID as a hop of the general form: {\"sid\": \"fcbb:bbbb:200:700::\"}");
    }

    @Test
    void exactly_one_sid_decapsulates() {
        refuses(
                PAPER.formatted(",'decap':'none'"),
                "INVALID /decap: a list of nodes brings no SID that decapsulates; choose \"f00d\", \"uDT\" or"
                        + " \"numbering\"");
        refuses(
                "{'headend':'l1','hops':[{'sid':'fcbb:bbbb:300:f00d::'}],'steering':['fd00:0:31::2']}",
                "INVALID /decap: /hops ends in a SID that decapsulates at l3 already; write \"decap\": \"none\", or"
                        + " leave that SID out");
        refuses(
                "{'headend':'l1','hops':[{'sid':'fcbb:bbbb:300::'}],'steering':['h31'],'decap':'none'}",
                "INVALID /decap: /hops does not end in a SID that decapsulates; choose \"f00d\", \"uDT\" or"
                        + " \"numbering\"");
        refuses(
                "{'headend':'l1','hops':[{'sid':'fcbb:bbbb:300:f00d::'}],'steering':['10.0.31.2'],'decap':'none'}",
                "UNFEASIBLE /hops: node l3 decapsulates IPV6 with uDT6, but the packet inside is IPV4; choose hops"
                        + " that lead to the egress; the packet came by l1, l2, l3");
        refuses(
                PAPER.formatted(",'decap':{'vrf':5}"),
                "UNKNOWN /decap/vrf: node l3 has no VRF 5; vrf 0 is the main table, which every node has");
    }

    @Test
    void a_list_longer_than_an_srh_is_refused() {
        String bounce = IntStream.range(0, 400).mapToObj(i -> "'l2','p7'").collect(Collectors.joining(","));
        List<Problem> problems = Fig4.problems("{'from':'h11','to':'h31','nodes':['l1'," + bounce
                + ",'l2','l3'],'symmetry':'one-way','family':'ipv6'}");
        assertThat(problems)
                .singleElement()
                .hasToString(
                        "/nodes: the path needs 134 segments of 128 bits, but an SRH holds 128 (RFC 8754, 2); shorten"
                                + " the path");
    }

    /** l1, l2, and to p7 and back the given number of times, then l3: two links more than those of the bounces. */
    private static String bouncing(int times, String family) {
        String bounces = IntStream.range(0, times).mapToObj(i -> "'l2','p7'").collect(Collectors.joining(","));
        return "{'from':'h11','to':'h31','nodes':['l1'," + bounces + ",'l2','l3'],'symmetry':'one-way','family':'"
                + family + "'}";
    }

    @Test
    void a_path_that_is_too_long_for_what_most_hosts_send_is_warned_of() {
        assertThat(Fig4.plan(bouncing(30, "ipv6")).warnings()).isEmpty();
        assertThat(Fig4.plan(bouncing(31, "ipv6")).warnings())
                .singleElement()
                .asString()
                .isEqualTo(
                        "a path from headend l1 needs a hop limit of 65, but most hosts send 64, and their packets would be"
                                + " dropped on the way: shorten the path, or let hosts send more");
        assertThat(Fig4.plan(bouncing(126, "ipv6")).warnings())
                .singleElement()
                .asString()
                .contains("needs a hop limit of 255");
    }

    @Test
    void a_path_longer_than_any_hop_limit_is_refused() {
        assertThat(Fig4.problems(bouncing(127, "ipv6")))
                .singleElement()
                .asString()
                .startsWith("/nodes: node ")
                .endsWith("its hop limit is used up; shorten the path: no hop limit is above 255");
    }

    /** Outer headers around IPv4, and all of VPP, begin with 64, independent of the packet inside. */
    @Test
    void a_path_longer_than_a_hop_limit_that_is_not_the_hosts_is_refused() {
        assertThat(Fig4.plan(bouncing(30, "ipv4")).problems()).isEmpty();
        assertThat(Fig4.problems(bouncing(31, "ipv4")))
                .singleElement()
                .asString()
                .endsWith("its hop limit is used up; shorten the path: outer headers begin with a hop limit of 64");
        Map<String, Capabilities> vpp = Map.of(
                "l1",
                new Capabilities(
                        Map.of(
                                "sid_list",
                                Set.of("segments_16"),
                                "steering_v6",
                                Set.of("h_encaps"),
                                "my_sid",
                                Set.of("un")),
                        Map.of()));
        assertThat(Fig4.problems(bouncing(31, "ipv6").replace("}", ",'encapsulation':'full'}"), Fig4.NETWORK, vpp))
                .singleElement()
                .asString()
                .endsWith("its hop limit is used up; shorten the path: outer headers begin with a hop limit of 64");
    }

    @Test
    void a_list_longer_than_the_headends_pipeline_pushes_is_refused() {
        Capabilities one = new Capabilities(
                Map.of("sid_list", Set.of("segments_1"), "steering_v6", Set.of("h_encaps_red")), Map.of());
        assertThat(Fig4.problems(
                        PAPER.formatted(",'symmetry':'one-way','family':'ipv6'"), Fig4.NETWORK, Map.of("l1", one)))
                .singleElement()
                .hasToString(
                        "/nodes: the path needs 2 segments, but the pipeline of headend l1 pushes at most 1: it has no"
                                + " action segments_2 in table sid_list; shorten the path, or enter at another node");
    }

    @Test
    void a_node_without_the_behavior_is_named_with_the_action() {
        Capabilities noEnd = new Capabilities(Map.of("my_sid", Set.of("udt6")), Map.of());
        assertThat(Fig4.problems(
                        PAPER.formatted(",'symmetry':'one-way','family':'ipv6'"), Fig4.NETWORK, Map.of("p7", noEnd)))
                .singleElement()
                .hasToString(
                        "/nodes: the pipeline of node p7 has no action un in table my_sid, which the path needs there;"
                                + " go around p7, or choose another \"decap\"");
        Capabilities noFull = new Capabilities(
                Map.of("sid_list", Set.of("segments_16"), "steering_v6", Set.of("h_encaps_red")), Map.of());
        assertThat(Fig4.problems(
                        PAPER.formatted(",'symmetry':'one-way','family':'ipv6','encapsulation':'full'"),
                        Fig4.NETWORK,
                        Map.of("l1", noFull)))
                .singleElement()
                .hasToString("/nodes: the pipeline of headend l1 has no action h_encaps in table steering_v6; choose"
                        + " \"encapsulation\": \"reduced\", or enter at another node");
    }

    @Test
    void what_travels_policies_is_not_steered_into_one() {
        String steering = "{'headend':'l1','hops':[{'node':'l3','loose':true}],'steering':['%s']}";
        String among =
                "UNFEASIBLE /steering/0: %s lies among the SIDs of node l3: packets that travel a policy would be steered"
                        + " again; name hosts, or a prefix outside of the block fcbb:bbbb::/32";
        for (String sids :
                List.of("fcbb:bbbb:300::/44", "fcbb:bbbb:300::/48", "fcbb:bbbb:301::/48", "fcbb:bbbb:300:f00d::/64")) {
            assertThat(Fig4.problems(steering.formatted(sids)).stream().map(one -> one.code() + " " + one))
                    .containsExactly(among.formatted(sids));
        }
        assertThat(Fig4.problems("{'from':'fcbb:bbbb:100:f00d::','to':'h31','nodes':['l1','l3']}"))
                .extracting(Problem::field)
                .containsExactly("/from");
        // Their routes are longer, and win where one table contains both.
        for (String around : List.of("::/0", "fcbb:bbbb::/32", "fcbb:bbbb::/43")) {
            assertThat(Fig4.problems(steering.formatted(around))).isEmpty();
        }
    }

    @Test
    void a_p4_headend_steers_nothing_that_it_routes_for_others() {
        Capabilities p4 = new Capabilities(
                Map.of(
                        "punt", Set.of("discard"),
                        "sid_list", Set.of("segments_6"),
                        "steering_v6", Set.of("h_encaps_red"),
                        "steering_v4", Set.of("h_encaps_red")),
                Map.of());
        String policy = "{'headend':'l1','hops':['l2'],'egress':'l3','steering':['%s']}";
        assertThat(Fig4.problems(policy.formatted("::/0"), Fig4.NETWORK, Map.of("l1", p4)))
                .singleElement()
                .hasToString(
                        "/hops: ::/0 covers fcbb:bbbb:200::/44, and headend l1 is a P4 node: it steers before it routes, so what"
                                + " goes there would enter the policy, too; steer a longer prefix, or enter at a node that is not P4");
        assertThat(Fig4.problems(policy.formatted("fcff::/16"), Fig4.NETWORK, Map.of("l1", p4)))
                .singleElement()
                .asString()
                .contains("fcff::/16 covers fcff:2::1/128");
        assertThat(Fig4.problems(policy.formatted("10.0.0.0/16"), Fig4.NETWORK, Map.of("l1", p4)))
                .singleElement()
                .asString()
                .contains("10.0.0.0/16 covers 10.0.11.2/32");
        assertThat(Fig4.problems(policy.formatted("10.0.31.0/24"), Fig4.NETWORK, Map.of("l1", p4)))
                .isEmpty();
    }

    @Test
    void addresses_that_nothing_forwards_are_not_steered() {
        for (String address : List.of(
                "ff02::1",
                "fe80::1",
                "fe80::/64",
                "::1",
                "::",
                "224.0.0.1",
                "127.0.0.1",
                "169.254.7.0/24",
                "255.255.255.255",
                "0.0.0.0")) {
            assertThat(Fig4.problems("{'headend':'l1','hops':['l2'],'steering':['" + address + "']}"))
                    .as(address)
                    .singleElement()
                    .satisfies(problem -> {
                        assertThat(problem.field()).isEqualTo("/steering/0");
                        assertThat(problem.message()).endsWith("packets to it are not forwarded");
                    });
        }
    }

    @Test
    void a_host_has_an_address_of_the_family() {
        Network v6only = Fig4.withHosts(host -> host.name().equals("h31") ? only(host, true) : host);
        refuses(
                PAPER.formatted(",'family':'ipv4'"),
                v6only,
                "UNFEASIBLE /to: h31 has no ipv4 address; leave \"family\" out, or give the host an address of that"
                        + " family");
        assertThat(Fig4.plan(PAPER.formatted(""), v6only, Map.of())
                        .explanation()
                        .get("directions"))
                .hasSize(2);
        Network apart = Fig4.withHosts(host ->
                host.name().equals("h31") ? only(host, true) : host.name().equals("h11") ? only(host, false) : host);
        refuses(
                PAPER.formatted(""),
                apart,
                "UNFEASIBLE /to: h11 has ipv4 addresses only and h31 ipv6 ones; choose two ends with addresses of the"
                        + " same family");
    }

    private static Host only(Host host, boolean ipv6) {
        return new Host(
                host.name(),
                host.mac(),
                host.addresses().stream()
                        .filter(address -> ipv6 ? address instanceof Ipv6 : address instanceof Ipv4)
                        .toList(),
                host.location());
    }

    @Test
    void ends_are_attached_where_the_path_begins_and_ends() {
        refuses(
                "{'from':'h51','to':'h31','nodes':['l1','l3'],'symmetry':'one-way'}",
                "UNFEASIBLE /from: h51 is attached to v5, not to l1, which /nodes/0 names; begin the list with v5, or"
                        + " choose a host at l1");
        refuses(
                "{'from':'h11','to':'10.0.51.2','nodes':['l1','l2','l3'],'symmetry':'one-way'}",
                "UNFEASIBLE /to: 10.0.51.2 is attached to v5, not to l3, which /nodes/2 names; end the list with v5,"
                        + " or choose a host at l3");
        refuses(
                "{'headend':'l1','hops':['l2'],'steering':['h31']}",
                "UNFEASIBLE /steering/0: h31 is attached to l3, not to l2, which /hops names; end the list with l3, or"
                        + " choose a host at l2");
    }

    @Test
    void nothing_is_named_twice() {
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l2','l2','l3']}",
                "INVALID /nodes/2: node l2 follows itself; name it once");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l2','0x0200','l3'],'symmetry':'one-way'}",
                "INVALID /nodes/2: the path is at l2 already; name it once");
        refuses(
                "{'headend':'l1','hops':['l2'],'steering':['10.0.0.0/8','10.0.0.0/8']}",
                "INVALID /steering/1: 10.0.0.0/8 is listed twice; list it once");
        refuses(
                "{'headend':'l1','segmentLists':[{'hops':['l2','l3']},{'weight':2,'hops':['l2','l3']}],'steering':['h31']}",
                "INVALID /segmentLists/1/hops: this list takes the same path as list 0; give one list the sum of their"
                        + " weights");
    }

    @Test
    void wrong_types_and_unknown_fields_are_named() {
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l3'],'symetry':'one-way'}",
                "INVALID /symetry: unknown field \"symetry\"; did you mean \"symmetry\"?");
        refuses(
                "{'from':11,'to':'h31','nodes':['l1','l3']}",
                "INVALID /from: a string is wanted here, not the number 11; write it in quotes");
        refuses(
                "{'from':'h11','to':'h31','nodes':'l1,l3'}",
                "INVALID /nodes: \"nodes\" wants a list, not the string \"l1,l3\"; write [ … ]");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1',3]}",
                "INVALID /nodes/1: a string is wanted here, not the number 3; write it in quotes");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1']}",
                "INVALID /nodes: a path of one node has no headend and egress; list two nodes at least");
        refuses(
                "{'from':'h11','to':'h31'}",
                "INVALID /nodes: \"nodes\" is missing; list the nodes to visit, the headend first and the egress last");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l3'],'decap':'f00l'}",
                "INVALID /decap: \"decap\" is \"f00l\", which is none of f00d, uDT, numbering, none; did you mean"
                        + " f00d?");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l3'],'decap':{'vrf':-1}}",
                "INVALID /decap/vrf: \"vrf\" is -1, not an integer from 0 to 65535; write a number of that range");
        refuses(
                "{'name':'9 lives','from':'h11','to':'h31','nodes':['l1','l3']}",
                "INVALID /name: \"9 lives\" is not a name; begin with a letter, go on with letters, digits, '.', '_',"
                        + " '-', 63 at most");
        refuses(
                "{'headend':'l1','hops':[{'node':'l2','sid':'fcbb::'}],'steering':['h31']}",
                "INVALID /hops/0: a hop is one thing, not node and sid; give one of node, link, sid, usids, firewall, policy");
        refuses(
                "{'headend':'l1','hops':[{'loose':true}],'steering':['h31']}",
                "INVALID /hops/0: a hop names nothing to go to; give one of node, link, sid, usids, firewall, policy");
        refuses(
                "{'headend':'l1','hops':['l2'],'steering':['10.0.31.1/24']}",
                "INVALID /steering/0: 10.0.31.1/24 has bits set behind its length; did you mean 10.0.31.0/24?; give a"
                        + " prefix, an address or a host's name");
    }

    @Test
    void the_two_forms_do_not_mix() {
        assertThat(Fig4.problems("{'from':'h11','to':'h31','nodes':['l1','l3'],'hops':['l2']}"))
                .extracting(Problem::field)
                .contains("/hops");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l3'],'symmetry':'one-way','returnNodes':['l3','l1']}",
                "INVALID /returnNodes: a policy that is one-way has no nodes of its own for the way back; leave"
                        + " returnNodes out, or write \"symmetry\": \"asymmetric\"");
        refuses(
                "{'from':'h11','to':'h31','nodes':['l1','l3'],'symmetry':'asymmetric'}",
                "INVALID /returnNodes: \"returnNodes\" is missing; list the nodes of the way back, its headend first");
    }

    @Test
    void a_headend_does_not_pin_its_own_link() {
        Network detour = Fig4.withLinks(link -> Fig4.joins(link, "p6", "v4") ? Fig4.metric(link, 1000) : link);
        assertThat(Fig4.problems("{'headend':'p6','hops':['v4'],'steering':['2001:db8::/64']}", detour, Map.of()))
                .singleElement()
                .hasToString("/hops/0: the headend p6 would send packets to v4 another way than over p6/1-v4/3, and a"
                        + " headend cannot pin its own link; write \"loose\": true, begin with another node, or"
                        + " lower the link's igpMetric");
    }
}
