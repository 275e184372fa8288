// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.DropSteered;
import org.sextant.usid.text.PlanText;

/** The treatment of traffic while no path of a policy is valid: only the path over p7 and p6 connects l1 to h31. */
class WhenInvalidTest {
    private static final Network CUT = Fig4.withLinks(
            link -> Fig4.joins(link, "l2", "l3") || Fig4.joins(link, "v4", "l3") ? Fig4.down(link) : link);

    private static NumberedIntent<Policy> policy(String whenInvalid, String steering) {
        return new NumberedIntent<>(
                "x",
                1,
                Fig4.policy(
                        "{'headend':'l1','endpoint':'l3','whenInvalid':'" + whenInvalid + "','steering':[" + steering
                                + "],'candidatePaths':[{'hops':['l2','l3']},{'preference':50,'hops':['l2','p7','p6','v4','l3']}]}"));
    }

    private static CompileContext context(Network network) {
        return new CompileContext(network, Map.of());
    }

    private static Plan submitted(NumberedIntent<Policy> policy) {
        return Fig4.kind().admit(policy, context(Fig4.NETWORK));
    }

    @Test
    void underlay_is_the_default_and_not_written() {
        Policy policy = policy("underlay", "'h31'").intent();
        assertThat(policy.terms()).isEqualTo(Terms.DEFAULT);
        assertThat(PolicyShape.POLICY.write(policy).has("whenInvalid")).isFalse();
        assertThat(Fig4.kind()
                        .compile(policy("underlay", "'h31'"), context(CUT))
                        .problems())
                .isNotEmpty();
    }

    @Test
    void drop_drops_what_the_policy_steers_and_comes_back_with_a_path() {
        NumberedIntent<Policy> policy = policy("drop", "'h31','2001:db8::/48'");
        Plan before = submitted(policy);
        Plan dropping = Fig4.kind().compile(policy, context(CUT).after(before));
        assertThat(dropping.problems()).isEmpty();
        assertThat(dropping.entries())
                .allSatisfy(placed -> assertThat(placed.node()).isEqualTo("l1"))
                .extracting(placed ->
                        placed.entry().key().toString() + ": " + placed.entry().actionText())
                .containsExactlyInAnyOrder(
                        "steering_v6 vrf 0 fd00:0:31::2/128: drop_steered",
                        "steering_v4 vrf 0 10.0.31.2/32: drop_steered",
                        "steering_v6 vrf 0 2001:db8::/48: drop_steered");
        assertThat(dropping.passages()).isEmpty();
        assertThat(dropping.warnings())
                .singleElement()
                .asString()
                .startsWith("no candidate path is valid, what it steers is dropped at l1: ");
        assertThat(dropping.explanation().toString()).isEqualTo("{\"directions\":[],\"fallback\":\"drop\"}");
        Plan back = Fig4.kind().compile(policy, context(Fig4.NETWORK).after(dropping));
        assertThat(back.entries()).isEqualTo(before.entries());
    }

    @Test
    void drop_is_for_the_families_that_the_policy_is_for() {
        NumberedIntent<Policy> policy = new NumberedIntent<>(
                "x",
                1,
                Fig4.policy("{'headend':'l1','endpoint':'l3','whenInvalid':'drop','family':'ipv4','steering':['h31'],"
                        + "'candidatePaths':[{'hops':['l2','l3']}]}"));
        assertThat(Fig4.kind().compile(policy, context(CUT)).entries())
                .extracting(placed -> placed.entry().key().table())
                .containsExactly("steering_v4");
    }

    @Test
    void a_policy_begins_with_a_valid_path_whatever_is_to_be_done_without_one() {
        for (String whenInvalid : List.of("drop", "keep")) {
            assertThat(Fig4.kind()
                            .admit(policy(whenInvalid, "'h31'"), context(CUT))
                            .problems())
                    .isNotEmpty();
        }
    }

    @Test
    void keep_keeps_what_was_installed_last_and_takes_the_next_valid_one() {
        NumberedIntent<Policy> policy = policy("keep", "'h31'");
        Plan before = submitted(policy);
        Plan kept = Fig4.kind().compile(policy, context(CUT).after(before));
        assertThat(kept.entries()).isEqualTo(before.entries());
        assertThat(kept.passages()).isEqualTo(before.passages());
        assertThat(kept.explanation().get("fallback").textValue()).isEqualTo("keep");
        assertThat(kept.warnings())
                .singleElement()
                .asString()
                .startsWith("no candidate path is valid, what was installed last stays: ");
        Plan stillKept = Fig4.kind().compile(policy, context(CUT).after(kept));
        assertThat(stillKept.entries()).isEqualTo(before.entries());
        Network around = Fig4.withLinks(link -> Fig4.joins(link, "l2", "l3") ? Fig4.down(link) : link);
        Plan next = Fig4.kind().compile(policy, context(around).after(stillKept));
        assertThat(next.explanation().at("/directions/0/containers/0").textValue())
                .isEqualTo("fcbb:bbbb:200:700:600:400:300:f00d");
    }

    @Test
    void keep_has_nothing_to_keep_before_anything_was_valid_and_where_the_headend_is_gone() {
        NumberedIntent<Policy> policy = policy("keep", "'h31'");
        assertThat(Fig4.kind().compile(policy, context(CUT)).problems()).isNotEmpty();
        Network without = new Network(
                Fig4.NETWORK.nodes().values().stream()
                        .filter(node -> !node.name().equals("l1"))
                        .toList(),
                Fig4.NETWORK.links().stream()
                        .filter(link -> !link.from().node().equals("l1")
                                && !link.to().node().equals("l1"))
                        .toList(),
                Fig4.NETWORK.hosts().values().stream()
                        .filter(host -> !host.location().node().equals("l1"))
                        .toList());
        assertThat(Fig4.kind()
                        .compile(policy, context(without).after(submitted(policy)))
                        .problems())
                .extracting(Problem::field)
                .contains("/headend");
    }

    @Test
    void what_is_done_instead_is_explained_with_all_candidate_paths() {
        for (String whenInvalid : List.of("drop", "keep")) {
            NumberedIntent<Policy> policy = policy(whenInvalid, "'h31'");
            Plan plan = Fig4.kind().compile(policy, context(CUT).after(submitted(policy)));
            Plan explained = Fig4.kind().explain(policy, plan, context(CUT));
            assertThat(explained.explanation().get("candidatePaths").findValuesAsText("state"))
                    .containsExactly("INVALID", "INVALID");
            assertThat(explained.explanation().get("fallback").textValue()).isEqualTo(whenInvalid);
            assertThat(explained.explanation().get("entries"))
                    .hasSize(plan.entries().size());
            assertThat(PlanText.of(explained.explanation()))
                    .contains("no candidate path is valid: " + (whenInvalid.equals("drop") ? "dropped" : "kept"));
        }
    }

    /** Packets to SIDs without a more specific route there would be dropped as well. */
    @ParameterizedTest
    @ValueSource(strings = {"::/0", "fc00::/7", "fcbb:bbbb::/32"})
    void drop_around_sids_is_refused(String prefix) {
        assertThat(submitted(policy("drop", "'2001:db8::/48','" + prefix + "'")).problems())
                .filteredOn(problem -> problem.field().equals("/steering/1"))
                .extracting(Problem::message)
                .first()
                .asString()
                .startsWith(prefix + " lies around the SIDs of node ");
        assertThat(submitted(policy("keep", "'" + prefix + "'")).problems()).isEmpty();
    }

    @Test
    void a_headend_that_cannot_drop_is_named_before_it_has_to() {
        Capabilities former = new Capabilities(
                Map.of(
                        "steering_v6", Set.of("h_encaps_red", "h_encaps"),
                        "steering_v4", Set.of("h_encaps_red", "h_encaps", "drop_steered"),
                        "sid_list", Set.of("segments_1", "segments_2")),
                Map.of());
        Plan plan = Fig4.kind().admit(policy("drop", "'h31'"), new CompileContext(Fig4.NETWORK, Map.of("l1", former)));
        assertThat(plan.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("/whenInvalid");
            assertThat(problem.message())
                    .isEqualTo("the pipeline of headend l1 has no action drop_steered in table steering_v6");
        });
    }

    @Test
    void another_word_is_told_the_three() {
        assertThat(Fig4.problems("{'headend':'l1','endpoint':'l3','whenInvalid':'blackhole','steering':['h31'],"
                        + "'candidatePaths':[{'dynamic':{}}]}"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("/whenInvalid");
                    assertThat(problem.message()).contains("underlay, drop, keep");
                });
    }

    @Test
    void entries_that_drop_are_the_fields_of_what_is_steered() {
        Policy policy = policy("drop", "'2001:db8::/48','10.9.0.0/16'").intent();
        DropSteered drop = new DropSteered(0, IpPrefix.parse("10.9.0.0/16"));
        assertThat(Fig4.kind().field(policy, drop)).isEqualTo("/steering/1");
    }
}
