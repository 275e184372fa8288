// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.usid.text.PlanText;

/** Policies with a binding SID, and policies whose paths contain one. */
class BindingTest {
    /** From p7 over p6 to v5; only its binding SID steers packets into it. */
    private static final String SILVER = "{'name':'silver','headend':'p7','endpoint':'v5','bindingSid':'%s',"
            + "'candidatePaths':[{'hops':['p6','v5']}]}";

    private static final String OUTER =
            "{'name':'outer','headend':'l1','hops':['l2',{'policy':'silver'}],'egress':'l3','steering':['h31']}";

    private static Plan plan(String policy, CompileContext context) {
        Policy value = Fig4.policy(policy);
        return Fig4.kind().compile(new NumberedIntent<>(value.name().orElse("x"), 7, value), context);
    }

    private static CompileContext network(Network network) {
        return new CompileContext(network, Map.of());
    }

    /** A context with these policies by their ids. */
    private static CompileContext beside(Map<String, Plan> policies) {
        return network(Fig4.NETWORK)
                .seeing(ref -> Optional.ofNullable(policies.get(ref.id()))
                        .filter(Plan::feasible)
                        .map(plan -> new ReferencedIntent(Optional.of(
                                Fig4.kind().offers(new NumberedIntent<>(ref.id(), 7, Fig4.policy(OUTER)), plan)))));
    }

    private static JsonNode explained(String policy, CompileContext context) {
        Policy value = Fig4.policy(policy);
        Plan plan = Fig4.kind().explain(new NumberedIntent<>("outer", 7, value), context);
        assertThat(plan.problems()).isEmpty();
        return plan.explanation();
    }

    @Test
    void a_binding_sid_is_a_row_of_the_headend_that_sends_into_the_list() {
        Plan plan = plan(SILVER.formatted("auto"), network(Fig4.NETWORK));
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.entries())
                .allSatisfy(placed -> assertThat(placed.node()).isEqualTo("p7"))
                .extracting(
                        placed -> placed.entry().key() + ": " + placed.entry().actionText())
                .containsExactly(
                        "sid_list id 28: fcbb:bbbb:600:500:f00d::",
                        "my_sid fcbb:bbbb:700:f800::/64: b6_encaps_red sid_list 28");
        assertThat(plan.explanation().get("bindingSid").textValue()).isEqualTo("fcbb:bbbb:700:f800::");
        assertThat(plan.passages()).as("nobody's packets are looked up").isEmpty();
    }

    @Test
    void beside_what_it_steers_the_list_is_the_same() {
        Plan plan = plan(
                "{'headend':'l1','endpoint':'l3','bindingSid':'fcbb:bbbb:100:fc05::','steering':['h31'],"
                        + "'candidatePaths':[{'hops':['l2','l3']}]}",
                network(Fig4.NETWORK));
        assertThat(plan.entries())
                .extracting(placed -> placed.entry().actionText())
                .containsExactly(
                        "fcbb:bbbb:200:300:f00d::",
                        "b6_encaps_red sid_list 28",
                        "h_encaps_red sid_list 28",
                        "fcbb:bbbb:200:300:f004::",
                        "h_encaps_red sid_list 30");
    }

    @Test
    void of_an_ipv4_policy_the_binding_sid_takes_packets_of_srv6_all_the_same() {
        Plan plan = plan(
                "{'headend':'l1','endpoint':'l3','bindingSid':'auto','family':'ipv4','steering':['h31'],"
                        + "'candidatePaths':[{'hops':['l2','l3']}]}",
                network(Fig4.NETWORK));
        assertThat(plan.entries())
                .extracting(placed -> placed.entry().key().table())
                .containsExactly("sid_list", "my_sid", "sid_list", "steering_v4");
    }

    @Test
    void a_path_leads_into_another_policy_and_goes_on_where_that_ends() {
        Plan silver = plan(SILVER.formatted("auto"), network(Fig4.NETWORK));
        JsonNode direction = explained(OUTER, beside(Map.of("silver", silver))).at("/directions/0");
        // The binding SID ends its container: uSIDs behind it would be lost.
        assertThat(direction.get("containers").toString())
                .isEqualTo("[\"fcbb:bbbb:200:700:f800::\",\"fcbb:bbbb:300:f00d::\"]");
        JsonNode hops = direction.get("hops");
        assertThat(hops.findValuesAsText("behavior"))
                .containsSubsequence("H.Encaps.Red", "uN", "End.B6.Encaps.Red", "uN", "uDT6", "uDT6");
        assertThat(hops.findValuesAsText("node")).containsSubsequence("l1", "l2", "p7", "p6", "v5", "l3");
        assertThat(direction.get("encapsulationBytes").intValue()).isEqualTo(64);
        assertThat(direction.get("nestedBytes").intValue()).isEqualTo(40);
        assertThat(direction.at("/mtu/neededForInnerBytes").intValue()).isEqualTo(1500 + 64 + 40);
    }

    @Test
    void three_policies_lead_into_each_other() {
        Plan silver = plan(SILVER.formatted("auto"), network(Fig4.NETWORK));
        String gold = "{'name':'gold','headend':'l2','endpoint':'v4','bindingSid':'fcbb:bbbb:200:fc00::',"
                + "'candidatePaths':[{'hops':[{'policy':'silver'},'v4']}]}";
        Plan middle = plan(gold, beside(Map.of("silver", silver)));
        assertThat(middle.problems()).isEmpty();
        JsonNode direction = explained(
                        "{'headend':'l1','hops':[{'policy':'gold'}],'egress':'l3','steering':['h31']}",
                        beside(Map.of("silver", silver, "gold", middle)))
                .at("/directions/0");
        assertThat(direction.get("hops").findValuesAsText("behavior"))
                .containsSubsequence("H.Encaps.Red", "End.B6.Encaps.Red", "End.B6.Encaps.Red", "uDT6", "uDT6", "uDT6");
        assertThat(direction.get("nestedBytes").intValue())
                .as("64 of gold, 40 of silver in it")
                .isEqualTo(104);
    }

    @Test
    void a_policy_that_is_not_there_has_no_binding_sid_or_begins_at_the_headend_is_named() {
        assertThat(plan(OUTER, network(Fig4.NETWORK)).problems())
                .extracting(Problem::message)
                .containsExactly("there is no policy \"silver\"");
        Plan plain = plan(
                "{'name':'silver','headend':'p7','endpoint':'v5','steering':['2001:db8::/48'],"
                        + "'candidatePaths':[{'hops':['p6','v5']}]}",
                network(Fig4.NETWORK));
        assertThat(plan(OUTER, beside(Map.of("silver", plain))).problems())
                .extracting(Problem::message)
                .containsExactly("policy \"silver\" has no binding SID now");
        Plan silver = plan(SILVER.formatted("auto"), network(Fig4.NETWORK));
        assertThat(plan(
                                "{'headend':'p7','hops':[{'policy':'silver'}],'egress':'l3','steering':['h31']}",
                                beside(Map.of("silver", silver)))
                        .problems())
                .extracting(Problem::message)
                .containsExactly("the headend p7 does not process SIDs of its own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fcbb:bbbb:200:fc00:: | is a SID of node l2, not of headend p7",
                "2001:db8::1 | is of no node, not of headend p7",
                "fcbb:bbbb:700:f805:: | is one of those that \"auto\" gives",
                "fcbb:bbbb:700:f00d:: | means something else at p7, or may once",
                "fcbb:bbbb:700:fe00:: | means something else at p7, or may once",
                "fcbb:bbbb:700:: | means something else at p7, or may once",
                "fcbb:bbbb:700:fc00:1:: | has bits behind the uSID fcbb:bbbb:700:fc00::/64",
            })
    void a_sid_that_cannot_be_one_is_told_which_can(String sid, String why) {
        assertThat(plan(SILVER.formatted(sid), network(Fig4.NETWORK)).problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("/bindingSid");
                    assertThat(problem.message()).isEqualTo(sid + " " + why);
                    assertThat(problem.remedy()).contains("fcbb:bbbb:700:fc00:: to fcbb:bbbb:700:fdff::");
                });
    }

    @Test
    void what_is_no_sid_at_all_and_a_policy_that_nobody_enters_are_refused_when_read() {
        assertThat(Fig4.problems(SILVER.formatted("gold")))
                .extracting(Problem::field)
                .containsExactly("/bindingSid");
        assertThat(Fig4.problems("{'headend':'p7','endpoint':'v5','candidatePaths':[{'dynamic':{}}]}"))
                .extracting(Problem::field)
                .containsExactly("/steering");
    }

    @Test
    void a_headend_without_the_action_and_one_that_refuses_the_sid_say_so() {
        Capabilities vpp = new Capabilities(
                Map.of(
                        "my_sid",
                        Set.of("un", "ua"),
                        "sid_list",
                        Set.of("segments_1"),
                        "steering_v6",
                        Set.of("h_encaps")),
                Map.of());
        assertThat(plan(SILVER.formatted("auto"), new CompileContext(Fig4.NETWORK, Map.of("p7", vpp)))
                        .problems())
                .extracting(Problem::message)
                .contains("the pipeline of headend p7 has no action b6_encaps_red in table my_sid");
    }

    @Test
    void reading_what_was_written_gives_the_same_policy_and_the_reference_is_known() {
        Policy policy = Fig4.policy(SILVER.formatted("auto"));
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
        assertThat(Fig4.kind().refersTo(Fig4.policy(OUTER))).containsExactly(new IntentRef("policy", "silver"));
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(Fig4.policy(OUTER))))
                .isEqualTo(Fig4.policy(OUTER));
    }

    @Test
    void the_text_names_the_binding_sid_and_what_others_add() {
        Plan silver = plan(SILVER.formatted("auto"), network(Fig4.NETWORK));
        assertThat(PlanText.of(explained(OUTER, beside(Map.of("silver", silver)))))
                .contains("64, in other policies 40 more; plain SRv6");
        Policy value = Fig4.policy(SILVER.formatted("auto"));
        Plan whole = Fig4.kind().explain(new NumberedIntent<>("silver", 7, value), network(Fig4.NETWORK));
        assertThat(PlanText.of(whole.explanation()))
                .contains("binding SID fcbb:bbbb:700:f800::", "b6_encaps_red sid_list 28");
        assertThat(whole.explanation().at("/directions/0/to").textValue()).isEqualTo("its binding SID");
    }
}
