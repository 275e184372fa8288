// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.net.Network;

/**
 * Figure 4 with delays: l1-l2-l3 is the shortest path and takes 9,000 µs, over p7, p6 and v4 it takes 5,000, and the
 * link between p7 and p6 is red.
 */
class CandidatePathsTest {

    @Test
    void the_least_delay_without_red_links_goes_around_by_v8() throws IOException {
        JsonNode plan = explained("dynamic");
        // The underlay leads to v8 by l2 and p7, from there to p6 over their link, and to l3 by v4.
        assertThat(plan.at("/directions/0/containers/0").textValue()).isEqualTo("fcbb:bbbb:800:600:300:f00d::");
        JsonNode path = plan.at("/candidatePaths/0");
        assertThat(path.get("state").textValue()).isEqualTo("ACTIVE");
        assertThat(path.at("/cost/delayMicros").longValue()).isEqualTo(6000);
        assertThat(path.get("links").toString()).contains("p7/3-v8/2").doesNotContain("p7/2-p6/3");
    }

    @Test
    void the_best_that_is_valid_is_taken_and_the_others_say_why_not() throws IOException {
        JsonNode plan = explained("candidate-paths");
        assertThat(plan.get("candidatePaths").findValuesAsText("state")).containsExactly("INVALID", "ACTIVE", "VALID");
        assertThat(plan.at("/candidatePaths/0/why/0").textValue())
                .isEqualTo("no path from l1 to l3 meets all constraints: excludeAny red stands in the way; "
                        + "without it there is one of IGP metric 50, 5000 µs over l1, p6, l3");
        assertThat(plan.at("/candidatePaths/1/cost").toString())
                .isEqualTo("{\"igp\":50,\"te\":50,\"hops\":5,\"delayMicros\":5000}");
        assertThat(plan.at("/candidatePaths/2/cost/hops").longValue()).isEqualTo(5);
        assertThat(plan.at("/warnings/0").textValue())
                .startsWith(
                        "candidate path 300 is not valid, 200 is taken: no path from l1 to l3 meets all constraints");
    }

    @Test
    void without_a_valid_one_each_says_what_stands_in_its_way() throws IOException {
        Plan plan = plan(policy("infeasible"), Fig4.NETWORK);
        assertThat(plan.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(Problem.Code.UNFEASIBLE);
            assertThat(problem.field()).isEqualTo("/candidatePaths/0/dynamic");
            assertThat(problem.message()).contains("excludeAny red stands in the way");
        });
    }

    @Test
    void a_bound_that_cannot_be_met_is_told_the_least_that_can_be() {
        Plan plan = Fig4.plan("{'headend':'l1','endpoint':'l3','steering':['h31'],'candidatePaths':["
                + "{'dynamic':{'metric':'igp','bounds':{'delayMicros':4999}}}]}");
        assertThat(plan.problems().get(0).message())
                .isEqualTo(
                        "no path from l1 to l3 meets all constraints: at most 4999 µs stands in the way; "
                                + "without it there is one of IGP metric 20, 9000 µs over l1, l3; the least that can be is 5000 µs");
    }

    @Test
    void every_one_is_looked_at_anew_when_links_are_lost() throws IOException {
        Network cut = Fig4.withLinks(link -> Fig4.joins(link, "v4", "l3") ? Fig4.down(link) : link);
        assertThat(plan(policy("candidate-paths"), cut).problems())
                .extracting(Problem::field)
                .containsExactly(
                        "/candidatePaths/0/dynamic",
                        "/candidatePaths/1/dynamic",
                        "/candidatePaths/2/segmentLists/1/hops/4");
    }

    @Test
    void a_higher_discriminator_breaks_a_tie() {
        Plan plan = Fig4.plan("{'headend':'l1','endpoint':'l3','steering':['h31'],'candidatePaths':["
                + "{'hops':['l2','l3']},{'discriminator':1,'dynamic':{'metric':'delay'}}]}");
        assertThat(plan.explanation().get("candidatePaths").findValuesAsText("index"))
                .containsExactly("1", "0");
        assertThat(plan.explanation().at("/candidatePaths/0/state").textValue()).isEqualTo("ACTIVE");
    }

    @Test
    void what_is_wrong_with_all_is_told_once() {
        Plan plan = Fig4.plan("{'headend':'l9','endpoint':'l3','steering':['h31'],'candidatePaths':["
                + "{'hops':['l3']},{'preference':7,'dynamic':{}}]}");
        assertThat(plan.problems()).extracting(Problem::field).containsExactly("/headend");
    }

    @Test
    void names_of_constraints_are_looked_up() {
        Plan plan = Fig4.plan("{'headend':'l1','endpoint':'l3','steering':['h31'],'candidatePaths':["
                + "{'dynamic':{'exclude':{'nodes':['p77'],'links':['l1-p6']}}}]}");
        assertThat(plan.problems())
                .extracting(Problem::field)
                .containsExactlyInAnyOrder(
                        "/candidatePaths/0/dynamic/exclude/nodes", "/candidatePaths/0/dynamic/exclude/links");
    }

    private static Policy policy(String name) throws IOException {
        return PolicyShape.POLICY.decode(new BoundedJson(1 << 16, 32)
                .read(Files.readAllBytes(Fig4.LAB.resolve("policies").resolve(name + ".json"))));
    }

    private static Plan plan(Policy policy, Network network) {
        return Fig4.kind().explain(new NumberedIntent<>("x", 1, policy), new CompileContext(network, Map.of()));
    }

    private static JsonNode explained(String name) throws IOException {
        return plan(policy(name), Fig4.NETWORK).explanation();
    }
}
