// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.contract.Pipelines;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.core.passage.Passage;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.FlowSteering;

/** Policies that steer flows (RFC 9256, 8.6) from l1 to l3, where h31 is. */
class FlowSteeringTest {
    private static final String POLICY =
            "{'headend':'l1','endpoint':'l3','steering':[%s],'candidatePaths':[{'hops':['l2','l3']}]}";

    private static String policy(String steering) {
        return POLICY.formatted(steering);
    }

    private static List<String> matches(Plan plan) {
        assertThat(plan.problems()).isEmpty();
        return plan.entries().stream()
                .filter(placed -> placed.entry() instanceof FlowSteering)
                .map(placed -> placed.node() + " " + placed.entry().key())
                .toList();
    }

    @Test
    void a_flow_is_an_entry_per_family_of_its_ends() {
        Plan plan = Fig4.plan(
                policy(
                        "{'source':'h11','destination':'h31','protocol':'udp','sourcePort':'5000-5999','destinationPort':443,'dscp':46,'priority':2}"));
        // 256 addresses, 8 protocol, 16 - 10 and 16 ports, 6 DSCP, and 2 * 303 + 1; IPv4 has 192 bits less.
        assertThat(matches(plan))
                .containsExactly(
                        "l1 flow_steering_v6 vrf 0 priority 899 fd00:0:11::2/128 fd00:0:31::2/128 ip_protocol 17"
                                + " l4_src_port 5000-5999 l4_dst_port 443 dscp 46",
                        "l1 flow_steering_v4 vrf 0 priority 707 10.0.11.2/32 10.0.31.2/32 ip_protocol 17"
                                + " l4_src_port 5000-5999 l4_dst_port 443 dscp 46");
        assertThat(plan.passages()).extracting(Passage::rule).containsOnly(Passage.Rule.BEFORE_ROUTES);
        assertThat(plan.explanation().at("/directions/0/flows/0").textValue()).startsWith("priority 899 ");
        assertThat(plan.explanation().at("/entries/1/action").textValue()).isEqualTo("h_encaps_red");
    }

    @Test
    void of_overlapping_flows_the_priority_decides_and_then_what_looks_at_more() {
        Plan plan = Fig4.plan(
                policy(
                        "{'destination':'2001:db8::/32','dscp':0},{'destination':'2001:db8::/32','protocol':6},"
                                + "{'destination':'2001:db8::/33','dscp':0},{'source':'::/0','destination':'2001:db8::/32','priority':1}"));
        assertThat(matches(plan).stream().map(text -> text.replaceAll(".*priority ([0-9]+) .*", "$1")))
                .containsExactly("39", "41", "40", "336");
    }

    @Test
    void destinations_and_flows_stand_in_one_list_in_any_order() {
        String text = policy(
                "{'source':'2001:db8::/32','destination':'h31'},'h31',{'protocol':'tcp','destination':'10.9.0.0/16'},'10.8.0.0/16'");
        Policy policy = Fig4.policy(text);
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
        assertThat(PolicyShape.POLICY.write(policy).get("steering").toString())
                .isEqualTo("[{\"source\":\"2001:db8::/32\",\"destination\":\"h31\"},\"h31\","
                        + "{\"destination\":\"10.9.0.0/16\",\"protocol\":\"tcp\"},\"10.8.0.0/16\"]");
        assertThat(Fig4.plan(text).entries().stream()
                        .map(placed -> placed.entry().key().table()))
                .contains("steering_v6", "steering_v4", "flow_steering_v6", "flow_steering_v4");
        assertThat(Fig4.problems(policy("{'source':'2001:db8::/32','destination':'h31'},'h51'")))
                .extracting(Problem::field)
                .containsExactly("/steering/1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'destination':'h31'} | /steering/0 | more than a destination",
                "{} | /steering/0 | more than a destination",
                "{'destination':'h31','protocol':'ip'} | /steering/0/protocol | none of",
                "{'destination':'h31','protocol':0} | /steering/0/protocol | from 1 to 255",
                "{'destination':'h31','protocol':256} | /steering/0/protocol | from 1 to 255",
                "{'destination':'h31','destinationPort':80} | /steering/0/destinationPort | only TCP and UDP",
                "{'destination':'h31','protocol':'icmp','sourcePort':80} | /steering/0/sourcePort | only TCP and UDP",
                "{'destination':'h31','protocol':'tcp','sourcePort':0} | /steering/0/sourcePort | from 1 to 65534",
                "{'destination':'h31','protocol':'tcp','sourcePort':65535} | /steering/0/sourcePort | from 1 to 65534",
                "{'destination':'h31','protocol':'tcp','sourcePort':'90-80'} | /steering/0/sourcePort | 80",
                "{'destination':'h31','protocol':'tcp','sourcePort':'80-'} | /steering/0/sourcePort | neither a port",
                "{'destination':'h31','dscp':64} | /steering/0/dscp | from 0 to 63",
                "{'destination':'h31','dscp':'ef'} | /steering/0/dscp | integer",
                "{'destination':'h31','dscp':1,'priority':100} | /steering/0/priority | from 0 to 99",
                "{'destination':'h31','dscp':1,'vrf':1} | /steering/0/vrf | unknown field",
                "{'destination':'h99','dscp':1} | /steering/0/destination | no host",
                "{'source':'ff02::1','destination':'h31'} | /steering/0/source | not forwarded",
                "{'source':'h99','destination':'h31'} | /steering/0/source | no host",
                "{'source':'10.0.0.0/8','destination':'2001:db8::/32'} | /steering/0 | same family",
                "{'destination':'h31','dscp':1},{'destination':'h31','dscp':1} | /steering/1 | twice",
                "{'dscp':46} | /steering/0 | may be on the way to SIDs",
                "{'destination':'::/0','dscp':46} | /steering/0/destination | may be on the way to SIDs",
                "{'destination':'fcbb:bbbb:200::/48','dscp':46} | /steering/0/destination | among the SIDs",
                "{'destination':'fcbb:bbbb:9999::/48','dscp':46} | /steering/0/destination | may be on the way to SIDs",
                "{'destination':'10.0.0.0/8','dscp':46} | /steering/0/destination | not to l3 where the path ends",
                "{'destination':'h11','dscp':46} | /steering/0/destination | attached to l1",
                "[] | /steering/0 | string is wanted",
            })
    void what_cannot_be_is_told_with_its_place(String flow, String field, String message) {
        List<Problem> problems = Fig4.problems(policy(flow));
        assertThat(problems).extracting(Problem::field).contains(field);
        assertThat(problems)
                .extracting(Problem::message)
                .anySatisfy(text -> assertThat(text).contains(message));
    }

    @Test
    void only_linux_nodes_steer_flows() {
        for (String name : List.of("bmv2", "vpp", "linux")) {
            Map<String, Capabilities> capabilities = Map.of(
                    "l1",
                    Pipelines.byName(name)
                            .map(one -> new Capabilities(one.actionsOfTable(), one.sizeOfTable()))
                            .orElseThrow());
            String text = policy("{'destination':'h31','dscp':46}")
                    .replace("'headend'", (name.equals("vpp") ? "'encapsulation':'full'," : "") + "'headend'");
            List<Problem> problems = Fig4.problems(text, Fig4.NETWORK, capabilities);
            if (name.equals("linux")) {
                assertThat(problems).isEmpty();
            } else {
                assertThat(problems)
                        .extracting(Problem::message)
                        .containsOnly(
                                "headend l1 steers by destinations alone: its pipeline has no table flow_steering_v6",
                                "headend l1 steers by destinations alone: its pipeline has no table flow_steering_v4");
            }
        }
    }

    @Test
    void a_flow_that_comes_out_where_it_went_in_is_a_circle() {
        String back = "{'headend':'l1','hops':['l2','l1'],'steering':[{'destination':'2001:db8::/32','dscp':1}]}";
        assertThat(Fig4.problems(back))
                .extracting(Problem::message)
                .anySatisfy(text -> assertThat(text).contains("would go round for ever"));
    }

    @Test
    void drop_drops_flows_and_a_host_that_moves_is_seen() {
        Network cut = Fig4.withLinks(
                link -> Fig4.joins(link, "l2", "l3") || Fig4.joins(link, "v4", "l3") ? Fig4.down(link) : link);
        NumberedIntent<Policy> policy = new NumberedIntent<>(
                "x",
                1,
                Fig4.policy(policy("{'destination':'h31','protocol':'tcp'}")
                        .replace("'headend'", "'whenInvalid':'drop','headend'")));
        Plan before = Fig4.kind().admit(policy, new CompileContext(Fig4.NETWORK, Map.of()));
        Plan dropping = Fig4.kind().compile(policy, new CompileContext(cut, Map.of()).after(before));
        assertThat(dropping.entries())
                .extracting(placed ->
                        placed.entry().key().table() + ": " + placed.entry().actionText())
                .containsExactly("flow_steering_v6: drop_steered", "flow_steering_v4: drop_steered");
        assertThat(before.entries().stream().map(placed -> placed.entry().key()).toList())
                .containsAll(dropping.entries().stream()
                        .map(placed -> placed.entry().key())
                        .toList());
        Network moved = Fig4.withHosts(host -> host.name().equals("h31")
                ? new Host(
                        "h31",
                        host.mac(),
                        host.addresses(),
                        Fig4.NETWORK.host("h51").orElseThrow().location())
                : host);
        assertThat(Fig4.problems(policy("{'destination':'h31','protocol':'tcp'}"), moved, Map.of()))
                .extracting(Problem::field)
                .contains("/steering/0/destination");
    }
}
