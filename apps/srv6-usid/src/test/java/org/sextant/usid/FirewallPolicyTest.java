// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.usid.Fig4.NETWORK;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.RuleSet.Row;
import org.sextant.core.filter.Verdict;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.SidPlan;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.usid.text.PlanText;

/** Policies through firewalls: the effect of every verdict on their packets. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirewallPolicyTest {
    private static final String THROUGH =
            "{'headend':'l1','hops':[{'firewall':'fw-web'},'p7',{'node':'v4','loose':true}],'egress':'l3','steering':['h31']}";
    private static final Row PAST_IDS = row(9, "dns-past-ids", Box.equal(KeyField.DST_PORT, 53), Verdict.SKIP_NEXT);
    private static final Row ACCEPT = row(1, "default", Box.ALL, Verdict.GO_NEXT);
    private static final Row DROP = row(1, "default", Box.ALL, Verdict.DROP);

    private static Row row(int priority, String name, Box box, Verdict verdict) {
        return new Row(priority, box, verdict, false, name);
    }

    private static FirewallHandle firewall(String node, int number, Row... rows) {
        SidPlan sids = SidPlan.of(NETWORK.node(node).orElseThrow()).orElseThrow();
        MySid sid = new MySid(sids.firewallSid(number), sids.sera(number, 7));
        return new FirewallHandle("fw-web", node, sid, new RuleSet(7, List.of(rows)));
    }

    private static Plan plan(String policy, FirewallHandle... firewalls) {
        return plan(policy, NETWORK, Map.of(), firewalls);
    }

    private static Plan plan(
            String policy, Network network, Map<String, Capabilities> capabilities, FirewallHandle... firewalls) {
        Map<IntentRef, FirewallHandle> all = new TreeMap<>();
        for (FirewallHandle one : firewalls) {
            all.put(new IntentRef("firewall", one.id()), one);
        }
        CompileContext context = new CompileContext(network, capabilities)
                .seeing(ref -> Optional.ofNullable(all.get(ref)).map(one -> new ReferencedIntent(Optional.of(one))));
        return Fig4.kind().explain(new NumberedIntent<>("test", 7, Fig4.policy(policy)), context);
    }

    private static List<String> problems(Plan plan) {
        return plan.problems().stream().map(one -> one.code() + " " + one).toList();
    }

    private static JsonNode direction(Plan plan) {
        assertThat(plan.problems()).isEmpty();
        return plan.explanation().get("directions").get(0);
    }

    private static String nodes(JsonNode hops) {
        return String.join(" ", hops.findValuesAsText("node"));
    }

    @Test
    void a_firewall_is_an_atom_and_every_verdict_a_branch() {
        JsonNode direction = direction(plan(THROUGH, firewall("l2", 3, PAST_IDS, ACCEPT)));
        assertThat(direction.get("containers").get(0).textValue()).isEqualTo("fcbb:bbbb:200:f230:700:400:300:f00d");
        assertThat(nodes(direction.get("hops"))).isEqualTo("l1 l2 p7 p6 v5 v4 l3".replace("p7 p6 v5", nodesFromP7()));
        JsonNode branches = direction.get("branches");
        assertThat(branches.findValuesAsText("verdict")).containsExactly("goNext", "skipNext");
        assertThat(branches.findValuesAsText("rule")).containsExactly("default", "dns-past-ids");
        assertThat(nodes(branches.get(1).get("hops")))
                .as("past p7, which is on no shortest path from l2 to v4")
                .isEqualTo("l2 l3 v4 l3");
        assertThat(branches.get(1).get("rules").get(0).textValue()).isEqualTo("dns-past-ids");
        assertThat(branches.get(1).get("hops").get(0).get("behavior").textValue())
                .isEqualTo("End.AN");
    }

    @Test
    void a_path_through_a_firewall_is_not_watched_by_probes_that_its_rules_are_not_about() {
        Plan plan = plan(
                "{'headend':'l1','endpoint':'l3','steering':['h31'],'liveness':{},'candidatePaths':["
                        + "{'preference':200,'hops':[{'firewall':'fw-web'},{'node':'l3','loose':true}]},{'hops':['l2','l3']}]}",
                firewall("l2", 3, ACCEPT));
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.explanation().get("candidatePaths").findValuesAsText("state"))
                .containsExactly("INVALID", "ACTIVE");
        assertThat(plan.explanation().at("/candidatePaths/0/why/0").textValue())
                .startsWith("the path goes through a firewall, whose rules are about users' packets");
    }

    @Test
    void people_see_what_each_verdict_leads_to() {
        Plan plan = plan(
                THROUGH,
                firewall("l2", 3, PAST_IDS, row(8, "ssh", Box.equal(KeyField.DST_PORT, 22), Verdict.DROP), DROP));
        assertThat(PlanText.of(plan.explanation())).contains("""
                          firewall at  says      by rule         and packets go by
                          l2           drop      ssh and 1 more
                          l2           skipNext  dns-past-ids    l2, l3, v4
                        """.indent(0).stripTrailing());
    }

    /** The nodes on the shortest paths of the figure from p7 to v4. */
    private static String nodesFromP7() {
        JsonNode hops = direction(
                        Fig4.plan(
                                "{'headend':'l1','hops':['l2','p7',{'node':'v4','loose':true}],'egress':'l3','steering':['h31']}"))
                .get("hops");
        return nodes(hops).replace("l1 l2 ", "").replace(" v4 l3", "");
    }

    @Test
    void arguments_stand_in_the_sid() {
        String policy = THROUGH.replace("'fw-web'", "'fw-web','args':'skipNext'");
        Plan plan = plan(policy, firewall("l2", 3, row(1, "default", Box.ALL, Verdict.EVAL_ARGS)));
        JsonNode direction = direction(plan);
        assertThat(direction.get("containers").get(0).textValue()).isEqualTo("fcbb:bbbb:200:f231:700:400:300:f00d");
        assertThat(nodes(direction.get("hops"))).isEqualTo("l1 l2 l3 v4 l3");
        assertThat(problems(plan(
                        THROUGH.replace("'fw-web'", "'fw-web','args':7").replace("l3'", "l3','family':'ipv6'"),
                        firewall("l2", 3, row(1, "default", Box.ALL, Verdict.EVAL_ARGS)))))
                .singleElement()
                .asString()
                .startsWith(
                        "UNFEASIBLE /hops/0: node l2 finds the arguments 7 in fcbb:bbbb:200:f237:700:400:300:f00d, which"
                                + " say neither goNext (0)")
                .endsWith(
                        "rule \"default\" of the firewall at fcbb:bbbb:200:f230::/60 on node l2 says evalArgs; give the hop"
                                + " arguments that say where to: goNext, skipNext or goLast");
    }

    @Test
    void only_rules_that_the_steered_traffic_can_meet_are_branches() {
        Box elsewhere = Box.within(KeyField.DST, IpPrefix.parse("2001:db8::/32"));
        Plan plan = plan(THROUGH, firewall("l2", 3, row(9, "others", elsewhere, Verdict.EVAL_ARGS), ACCEPT));
        assertThat(direction(plan).get("branches").findValuesAsText("rule")).containsExactly("default");
    }

    @Test
    void where_all_is_dropped_the_plan_says_so() {
        Plan plan = plan(THROUGH, firewall("l2", 3, DROP));
        assertThat(plan.feasible()).isTrue();
        assertThat(plan.warnings()).contains("firewall \"fw-web\" at l2 drops all IPv6 packets from l1 to h31");
        assertThat(direction(plan).get("branches").findValuesAsText("verdict")).containsExactly("drop");
    }

    @Test
    void a_verdict_that_leads_nowhere_is_refused_with_rule_and_hop() {
        String last =
                "{'headend':'l1','hops':['l2',{'firewall':'fw-web'}],'egress':'l3','steering':['h31'],'family':'ipv6'}";
        assertThat(problems(plan(last, firewall("l2", 3, PAST_IDS, ACCEPT))))
                .containsExactly("UNFEASIBLE /hops/1: node l2 finds nothing behind fcbb:bbbb:200:f230:300:f00d:: that"
                        + " skipNext could lead to; rule \"dns-past-ids\" of the firewall at fcbb:bbbb:200:f230::/60 on"
                        + " node l2 says skipNext; change that rule, or the hops behind the firewall, so that every"
                        + " verdict leads to the egress");
        assertThat(plan(last, firewall("l2", 3, ACCEPT)).feasible()).isTrue();
    }

    @Test
    void a_hop_of_several_atoms_cannot_be_skipped() {
        Network detour = Fig4.withLinks(link -> Fig4.joins(link, "l2", "p7") ? Fig4.metric(link, 1000) : link);
        Plan strict = plan(
                THROUGH.replace("l3'", "l3','family':'ipv6'"), detour, Map.of(), firewall("l2", 3, PAST_IDS, ACCEPT));
        assertThat(problems(strict))
                .containsExactly(
                        "UNFEASIBLE /hops/1: rule \"dns-past-ids\" of firewall \"fw-web\" at l2 says skipNext, but"
                                + " this hop takes 2 uSIDs or SIDs of which only the first would be skipped; reach the hop loosely:"
                                + " write \"loose\": true");
        String loose = THROUGH.replace("'p7'", "{'node':'p7','loose':true}");
        assertThat(plan(loose, detour, Map.of(), firewall("l2", 3, PAST_IDS, ACCEPT))
                        .problems())
                .isEmpty();
        assertThat(plan(THROUGH, detour, Map.of(), firewall("l2", 3, ACCEPT)).problems())
                .as("nobody skips it")
                .isEmpty();
    }

    @Test
    void the_last_function_must_stand_alone_in_another_block() throws IOException {
        String other = Files.readString(Fig4.LAB.resolve("fig4.json"))
                .replace("\"uSid\": \"0300\"", "\"block\": \"fcaa:aaaa::/32\", \"uSid\": \"0300\"")
                .replace("\"uSid\": \"0400\"", "\"block\": \"fcaa:aaaa::/32\", \"uSid\": \"0400\"");
        Network network = NetworkFile.parse(other.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .orThrow();
        Row last = row(9, "last", Box.equal(KeyField.DST_PORT, 80), Verdict.GO_LAST);
        String policy = THROUGH.replace("l3'", "l3','family':'ipv6'");
        assertThat(problems(plan(policy, network, Map.of(), firewall("l2", 3, last, ACCEPT))))
                .containsExactly(
                        "UNFEASIBLE /hops/0: rule \"last\" of firewall \"fw-web\" at l2 says goLast, but the last"
                                + " container fcaa:aaaa:400:300:f00d:: is of another block and holds several functions, all of"
                                + " which would be visited; end the path in a container of its own, or of the firewall's block");
        assertThat(plan(policy.replace("v4", "p6"), network, Map.of(), firewall("l2", 3, last, ACCEPT))
                        .problems())
                .isEmpty();
    }

    @Test
    void a_firewall_that_is_not_there_is_named() {
        assertThat(problems(plan(THROUGH)))
                .containsExactly(
                        "UNKNOWN /hops/0/firewall: there is no firewall \"fw-web\"; add it first, or name another");
        assertThat(Fig4.kind().refersTo(Fig4.policy(THROUGH))).isEqualTo(Set.of(new IntentRef("firewall", "fw-web")));
        assertThat(Fig4.kind().refersTo(Fig4.policy("{'from':'h11','to':'h31','nodes':['l1','l3']}")))
                .isEmpty();
    }

    @Test
    void the_headend_has_no_firewall_for_its_own_packets() {
        assertThat(problems(plan(THROUGH.replace("},'p7'", "},'l2','p7'"), firewall("l1", 0, ACCEPT))))
                .containsExactly(
                        "UNFEASIBLE /hops/0: the headend l1 does not process SIDs of its own; begin with another"
                                + " node, or enter at another one");
    }

    @Test
    void the_egress_may_be_the_firewall() {
        Plan plan = plan(
                "{'headend':'l1','hops':['l2','l3',{'firewall':'fw-web'}],'steering':['h31'],'family':'ipv6'}",
                firewall("l3", 0, DROP, row(9, "web", Box.equal(KeyField.DST_PORT, 80), Verdict.GO_NEXT)));
        assertThat(direction(plan).get("containers").get(0).textValue()).isEqualTo("fcbb:bbbb:200:300:f200:300:f00d:0");
        assertThat(direction(plan).get("branches").findValuesAsText("verdict")).containsExactly("drop", "goNext");
    }

    @Test
    void a_node_without_firewalls_says_so() {
        Map<String, Capabilities> without =
                Map.of("l2", new Capabilities(Map.of("my_sid", Set.of("un", "ua", "udt6", "udt4")), Map.of()));
        assertThat(problems(plan(
                        THROUGH.replace("l3'", "l3','family':'ipv6'"), NETWORK, without, firewall("l2", 3, ACCEPT))))
                .singleElement()
                .asString()
                .startsWith("UNFEASIBLE /hops: the pipeline of node l2 has no action sera in table my_sid");
    }

    @Test
    void a_symmetric_policy_goes_through_its_firewalls_both_ways() {
        String policy =
                "{'from':'h11','to':'h31','nodes':['l1','l2','p7','p6','v5','v4','l3'],'family':'ipv6','firewalls':%s}";
        Plan plan = plan(policy.formatted("['fw-web']"), firewall("l2", 3, PAST_IDS, ACCEPT));
        assertThat(problems(plan))
                .as("on the way back only the egress follows l2, and nothing to skip to")
                .singleElement()
                .asString()
                .startsWith("UNFEASIBLE /firewalls/0: node l2 finds nothing behind");
        Plan accepted = plan(policy.formatted("[{'firewall':'fw-web','args':'skipNext'}]"), firewall("l2", 3, ACCEPT));
        assertThat(accepted.problems()).isEmpty();
        JsonNode there = accepted.explanation().get("directions").get(0);
        JsonNode back = accepted.explanation().get("directions").get(1);
        assertThat(there.get("containers").toString())
                .isEqualTo("[\"fcbb:bbbb:200:f231:700:600:500:400\",\"fcbb:bbbb:300:f00d::\"]");
        assertThat(back.get("containers").toString())
                .isEqualTo("[\"fcbb:bbbb:400:500:600:700:200:f231\",\"fcbb:bbbb:100:f00d::\"]");
        assertThat(there.get("branches")).hasSize(1);
        assertThat(back.get("branches")).hasSize(1);
        assertThat(Fig4.kind().refersTo(Fig4.policy(policy.formatted("['fw-web']"))))
                .isEqualTo(Set.of(new IntentRef("firewall", "fw-web")));
    }

    @Test
    void a_firewall_that_a_direction_does_not_come_by_is_named() {
        String policy = "{'from':'h11','to':'h31','nodes':['l1','l2','l3'],'firewalls':['fw-web'],'symmetry':'%s'}";
        assertThat(problems(plan(policy.formatted("symmetric"), firewall("v4", 0, ACCEPT))))
                .containsExactly(
                        "UNFEASIBLE /firewalls/0: firewall \"fw-web\" is at v4, which the path does not visit; name v4"
                                + " among the nodes");
        assertThat(problems(plan(policy.formatted("symmetric"), firewall("l3", 0, ACCEPT))))
                .containsExactly(
                        "UNFEASIBLE /firewalls/0: firewall \"fw-web\" is at l3, where packets to l1 enter: a headend"
                                + " does not process SIDs of its own; begin with another node, or, where only the way back begins"
                                + " there, write \"symmetry\": \"one-way\"");
        assertThat(plan(policy.formatted("one-way"), firewall("l3", 0, ACCEPT)).problems())
                .isEmpty();
        assertThat(problems(plan(policy.formatted("one-way"))))
                .containsExactly(
                        "UNKNOWN /firewalls/0: there is no firewall \"fw-web\"; add it first, or name another");
        assertThat(Fig4.problems("{'from':'h11','to':'h31','nodes':['l1','l3'],'firewalls':['f',{'firewall':'f'}]}"))
                .singleElement()
                .asString()
                .contains(
                        "firewall \"f\" is listed twice; list it once: packets go through it wherever the path visits its"
                                + " node");
    }

    @Test
    void what_is_wrong_with_the_hop_is_said_where_it_is() {
        refuses(
                "{'firewall':'fw web'}",
                "INVALID /hops/0/firewall: \"fw web\" does not name a firewall; give the id of a firewall");
        refuses(
                "{'firewall':7}",
                "INVALID /hops/0/firewall: a string is wanted here, not the number 7; write it in quotes");
        refuses(
                "{'firewall':'f','args':'sideways'}",
                "INVALID /hops/0/args: the string \"sideways\" says nothing to a firewall; write goNext, skipNext, goLast, or a"
                        + " number from 0 to 15");
        refuses(
                "{'firewall':'f','args':16}",
                "INVALID /hops/0/args: the number 16 says nothing to a firewall; write goNext, skipNext, goLast, or a number from 0"
                        + " to 15");
        refuses(
                "{'node':'l2','args':1}",
                "INVALID /hops/0/args: unknown field \"args\"; the fields are node, link, sid, usids, firewall, policy, loose");
        refuses(
                "{'firewall':'f','node':'l2'}",
                "INVALID /hops/0: a hop is one thing, not node and firewall; give one of node, link, sid, usids, firewall, policy");
    }

    private static void refuses(String hop, String problem) {
        try {
            Fig4.policy("{'headend':'l1','hops':[" + hop + "],'egress':'l3','steering':['h31']}");
        } catch (ProblemException e) {
            assertThat(e.problems()).map(one -> one.code() + " " + one).containsExactly(problem);
            return;
        }
        throw new AssertionError(hop + " is taken for a hop");
    }
}
