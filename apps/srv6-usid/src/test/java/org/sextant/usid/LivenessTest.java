// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Liveness;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.usid.plan.LivenessList;
import org.sextant.usid.text.PlanText;

/** Candidate paths with liveness detection: l1 to l3 of Figure 4, over l2, or over l2, p7, p6 and v4. */
class LivenessTest {
    private static final String SHORT = "{'preference':200,'hops':['l2','l3']}";
    private static final String LONG = "{'preference':100,'hops':['l2','p7','p6','v4','l3']}";
    private static final String OTHER = "{'preference':50,'hops':['l2','p7','v8',{'node':'l3','loose':true}]}";

    private static NumberedIntent<Policy> policy(String liveness, String more, String... paths) {
        return new NumberedIntent<>(
                "x",
                1,
                Fig4.policy("{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2']," + more + "'liveness':"
                        + liveness + ",'candidatePaths':[" + String.join(",", paths) + "]}"));
    }

    private static Plan compiled(NumberedIntent<Policy> policy, Network network) {
        return Fig4.kind().compile(policy, new CompileContext(network, Map.of()));
    }

    private static <T> List<T> entries(Plan plan, Class<T> type) {
        assertThat(plan.entries())
                .allSatisfy(placed -> assertThat(placed.node()).isEqualTo("l1"));
        return plan.entries().stream()
                .filter(placed -> type.isInstance(placed.entry()))
                .map(placed -> type.cast(placed.entry()))
                .toList();
    }

    private static String segments(Plan plan, int list) {
        return entries(plan, SidList.class).stream()
                .filter(one -> one.id() == list)
                .map(SidList::actionText)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void each_valid_path_is_installed_and_watched_and_the_next_one_is_in_its_place() {
        Plan plan = compiled(policy("{}", "", LONG, SHORT, OTHER), Fig4.NETWORK);
        assertThat(plan.problems()).isEmpty();
        List<Liveness> watched = entries(plan, Liveness.class);
        List<LivenessList> lists = LivenessList.of(plan);
        assertThat(lists).extracting(LivenessList::index).containsExactly(1, 0, 2);
        assertThat(watched)
                .extracting(Liveness::sidList)
                .containsExactlyElementsOf(
                        lists.stream().map(LivenessList::sidList).toList());
        assertThat(watched.get(0).backup()).isEqualTo(watched.get(1).sidList());
        assertThat(watched.get(1).backup()).isEqualTo(watched.get(2).sidList());
        assertThat(watched.get(2).backup()).isZero();
        assertThat(watched).allSatisfy(one -> {
            assertThat(one.intervalMicros()).isEqualTo(300_000);
            assertThat(one.multiplier()).isEqualTo(3);
            assertThat(one.holdDownMillis()).isEqualTo(1000);
        });
        assertThat(entries(plan, Steering.class))
                .singleElement()
                .extracting(Steering::sidList)
                .isEqualTo(watched.get(0).sidList());
        assertThat(segments(plan, watched.get(0).sidList())).isEqualTo("fcbb:bbbb:200:300:f00d::");
    }

    @Test
    void probes_come_back_over_the_links_of_their_own_path_in_the_fewest_containers() {
        Plan plan = compiled(policy("{}", "", SHORT, LONG), Fig4.NETWORK);
        List<Liveness> watched = entries(plan, Liveness.class);
        assertThat(segments(plan, watched.get(0).probe())).isEqualTo("fcbb:bbbb:200:300:100:f00d::");
        assertThat(segments(plan, watched.get(1).sidList())).isEqualTo("fcbb:bbbb:200:700:600:400:300:f00d");
        assertThat(segments(plan, watched.get(1).probe()))
                .as(
                        "from l3 the underlay would lead over l2: a link between them that is silent both ways is not this path's")
                .isEqualTo("fcbb:bbbb:200:700:600:400:300:600, fcbb:bbbb:100:f00d::");
    }

    @Test
    void the_load_of_probes_on_each_link_is_known_in_both_directions() {
        Map<String, Long> load = LivenessList.probeLoad(compiled(policy("{}", "", SHORT, LONG), Fig4.NETWORK));
        // Frames of 166 bytes with one container, of 190 with two, every 262.5 ms on average.
        long shortPath = Math.round(166 * 8 / 0.2625);
        long longPath = Math.round(190 * 8 / 0.2625);
        Fig4.NETWORK.links().forEach(link -> {
            long expected = Fig4.joins(link, "l1", "l2")
                    ? shortPath + longPath
                    : Fig4.joins(link, "l2", "l3")
                            ? shortPath
                            : List.of("l2 p7", "p7 p6", "p6 v4", "v4 l3").stream()
                                            .map(pair -> pair.split(" "))
                                            .anyMatch(pair -> Fig4.joins(link, pair[0], pair[1]))
                                    ? longPath
                                    : 0;
            assertThat(load.getOrDefault(link.id(), 0L)).as(link.id()).isEqualTo(expected);
        });
        assertThat(LivenessList.probeLoad(compiled(
                        new NumberedIntent<>(
                                "y",
                                1,
                                Fig4.policy(
                                        "{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2'],'candidatePaths':["
                                                + SHORT + "]}")),
                        Fig4.NETWORK)))
                .as("a policy that is not watched")
                .isEmpty();
    }

    @Test
    void a_link_that_the_underlay_avoids_is_pinned_on_the_way_back() {
        Network costly = Fig4.withLinks(link -> Fig4.joins(link, "l2", "l3") ? Fig4.metric(link, 1000) : link);
        Plan plan = compiled(policy("{}", "", "{'hops':['l2',{'link':'l2-l3'}]}"), costly);
        assertThat(plan.problems()).isEmpty();
        Liveness watched = entries(plan, Liveness.class).get(0);
        assertThat(segments(plan, watched.probe()))
                .matches("fcbb:bbbb:200:e00[0-9]:300:e00[0-9]:100:f00d")
                .startsWith(segments(plan, watched.sidList()).replace(":300:f00d::", ":300:e00"));
    }

    @Test
    void where_the_way_back_of_its_own_is_down_probes_come_back_by_the_underlay_and_that_is_said() {
        Network oneWay = Fig4.withLinks(
                link -> link.from().node().equals("l3") && link.to().node().equals("l2") ? Fig4.down(link) : link);
        Plan plan = compiled(policy("{}", "", SHORT), oneWay);
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.warnings())
                .contains(
                        "probes of a path from l1 to l3 come back over other links than its own: where those are silent, "
                                + "the path is judged silent");
        assertThat(plan.dependsOn().names()).contains("v4");
    }

    @Test
    void behind_a_pinned_link_to_the_egress_probes_need_not_be_told_where_they_are() {
        Plan plan = compiled(policy("{}", "", "{'hops':['l2',{'link':'l2-l3'}]}"), Fig4.NETWORK);
        assertThat(plan.problems()).isEmpty();
        Liveness watched = entries(plan, Liveness.class).get(0);
        String list = segments(plan, watched.sidList());
        assertThat(list).matches("fcbb:bbbb:200:e00[0-9]:300:f00d::");
        assertThat(segments(plan, watched.probe())).isEqualTo(list.replace(":300:f00d", ":100:f00d"));
    }

    @Test
    void a_weighted_path_has_a_probe_for_each_list_in_the_same_order() {
        Plan plan = compiled(
                policy(
                        "{}",
                        "",
                        "{'segmentLists':[{'weight':3,'hops':['l2','l3']},{'weight':1,'hops':['l2','p7','p6','v4','l3']}]}"),
                Fig4.NETWORK);
        Liveness watched = entries(plan, Liveness.class).get(0);
        assertThat(segments(plan, watched.probe()))
                .isEqualTo("3x(fcbb:bbbb:200:300:100:f00d::) "
                        + "1x(fcbb:bbbb:200:700:600:400:300:600, fcbb:bbbb:100:f00d::)");
        assertThat(plan.warnings())
                .contains("candidate path 100 is watched, and nothing is used in its place: it is the only valid one");
    }

    @Test
    void both_families_are_watched_and_go_over_to_lists_of_their_own() {
        Plan plan = compiled(policy("{}", "'decap':'uDT',", SHORT, LONG), Fig4.NETWORK);
        Plan both = Fig4.plan("{'headend':'l1','endpoint':'l3','steering':['h31'],'liveness':{},'candidatePaths':["
                + SHORT + "," + LONG + "]}");
        assertThat(entries(plan, Liveness.class)).hasSize(2);
        List<Liveness> watched = entries(both, Liveness.class);
        assertThat(watched).hasSize(4);
        Set<Integer> steered = Set.copyOf(
                entries(both, Steering.class).stream().map(Steering::sidList).toList());
        assertThat(steered).hasSize(2);
        for (int list : steered) {
            Liveness active = watched.stream()
                    .filter(one -> one.sidList() == list)
                    .findFirst()
                    .orElseThrow();
            String marker = segments(both, list).endsWith("f004::") ? "f004" : "f00d";
            assertThat(segments(both, active.backup())).endsWith(marker);
            assertThat(segments(both, active.probe())).endsWith("100:f00d::");
        }
    }

    @Test
    void a_path_that_comes_or_goes_leaves_the_ids_of_the_others() {
        NumberedIntent<Policy> policy = policy("{}", "", SHORT, LONG);
        Plan before = compiled(policy, Fig4.NETWORK);
        Plan after = compiled(policy, Fig4.withLinks(link -> Fig4.joins(link, "l2", "l3") ? Fig4.down(link) : link));
        assertThat(after.problems()).isEmpty();
        int next = entries(before, Liveness.class).get(1).sidList();
        assertThat(entries(after, Steering.class).get(0).sidList()).isEqualTo(next);
        assertThat(entries(after, Liveness.class)).extracting(Liveness::sidList).containsExactly(next);
        assertThat(segments(after, next)).isEqualTo(segments(before, next));
    }

    @Test
    void a_plan_leans_on_the_paths_in_its_place_and_on_the_way_back_of_probes() {
        Plan plan = compiled(policy("{}", "", SHORT, LONG), Fig4.NETWORK);
        assertThat(plan.dependsOn().names()).contains("v4", "l3/1-l2/2", "p7/2-p6/3");
        Plan alone = compiled(policy("{}", "", SHORT), Fig4.NETWORK);
        assertThat(alone.dependsOn().names()).doesNotContain("v4").contains("l3/1-l2/2", "l2/1-l1/1");
    }

    @Test
    void packets_come_out_where_they_did_whichever_path_is_used() {
        Plan watched = compiled(policy("{}", "", SHORT, LONG), Fig4.NETWORK);
        Plan plain = compiled(
                new NumberedIntent<>(
                        "x",
                        1,
                        Fig4.policy("{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2'],'candidatePaths':["
                                + SHORT + "]}")),
                Fig4.NETWORK);
        assertThat(watched.passages()).isEqualTo(plain.passages()).hasSize(1);
    }

    @Test
    void a_way_back_that_is_down_makes_a_path_invalid_as_nobody_could_watch_it() {
        // Each direction is a link of its own: from l2 to l1 none is up, so no probe returns to l1.
        Network oneWay = Fig4.withLinks(
                link -> link.to().node().equals("l1") && !link.from().node().startsWith("h") ? Fig4.down(link) : link);
        Plan plan = compiled(policy("{}", "", SHORT), oneWay);
        assertThat(plan.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("/candidatePaths/0/hops");
            assertThat(problem.message()).contains("probes along the path would not come back to l1");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'intervalMillis':1,'multiplier':255,'holdDownMillis':0}"})
    void a_policy_is_read_as_it_was_written(String liveness) {
        Policy policy = policy(liveness, "", SHORT).intent();
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
        assertThat(PolicyShape.POLICY.write(policy).get("liveness").size()).isEqualTo(3);
        assertThat(Fig4.policy("{'headend':'l1','endpoint':'l3','steering':['h31'],'candidatePaths':[" + SHORT + "]}")
                        .terms()
                        .liveness())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'multiplier':0}          | /liveness/multiplier     | not an integer from 2 to 255",
                "{'multiplier':1}          | /liveness/multiplier     | not an integer from 2 to 255",
                "{'multiplier':256}        | /liveness/multiplier     | not an integer from 2 to 255",
                "{'intervalMillis':0}      | /liveness/intervalMillis | not an integer from 1 to 60000",
                "{'intervalMillis':0.5}    | /liveness/intervalMillis | not an integer from 1 to 60000",
                "{'intervalMillis':60001}  | /liveness/intervalMillis | not an integer from 1 to 60000",
                "{'holdDownMillis':-1}     | /liveness/holdDownMillis | not an integer from 0 to 3600000",
                "{'holdDownMillis':3600001}| /liveness/holdDownMillis | not an integer from 0 to 3600000",
                "{'interval':10}           | /liveness/interval       | unknown field",
                "true                      | /liveness                | an object is wanted",
            })
    void what_cannot_be_done_is_refused_where_it_stands(String liveness, String field, String message) {
        List<Problem> problems = Fig4.problems("{'headend':'l1','endpoint':'l3','steering':['h31'],'liveness':"
                + liveness + ",'candidatePaths':[" + SHORT + "]}");
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.message()).contains(message);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'from':'h11','to':'h31','nodes':['l1','l2','l3'],'liveness':{}}",
                "{'headend':'l1','hops':['l2','l3'],'steering':['h31'],'liveness':{}}"
            })
    void only_candidate_paths_are_watched(String policy) {
        assertThat(Fig4.problems(policy)).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("/liveness");
            assertThat(problem.message()).contains("only candidate paths are watched");
        });
    }

    @Test
    void a_headend_that_watches_nothing_is_named() {
        Capabilities none = new Capabilities(
                Map.of(
                        "steering_v6", Set.of("h_encaps_red"),
                        "sid_list", Set.of("segments_1"),
                        "my_sid", Set.of("udt6")),
                Map.of());
        List<Problem> problems = Fig4.problems(
                "{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2'],'liveness':{},'candidatePaths':[" + SHORT
                        + "]}",
                Fig4.NETWORK,
                Map.of("l1", none));
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(Problem.Code.UNFEASIBLE);
            assertThat(problem.field()).isEqualTo("/liveness");
            assertThat(problem.message())
                    .isEqualTo(
                            "the pipeline of headend l1 has no action watch in table liveness: only Linux nodes watch paths");
        });
        Map<String, Set<String>> more = new HashMap<>(none.actionsOfTable());
        more.put("liveness", Set.of("watch"));
        assertThat(Fig4.problems(
                        "{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2'],'liveness':{},'candidatePaths':["
                                + SHORT + "]}",
                        Fig4.NETWORK,
                        Map.of("l1", new Capabilities(more, Map.of()))))
                .isEmpty();
    }

    @Test
    void probes_that_need_more_segments_than_the_headend_pushes_make_a_path_invalid() {
        Capabilities one = new Capabilities(
                Map.of(
                        "steering_v6", Set.of("h_encaps_red"),
                        "sid_list", Set.of("segments_1"),
                        "my_sid", Set.of("udt6"),
                        "liveness", Set.of("watch")),
                Map.of());
        List<Problem> problems = Fig4.problems(
                "{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2'],'liveness':{},'candidatePaths':[" + LONG
                        + "]}",
                Fig4.NETWORK,
                Map.of("l1", one));
        assertThat(problems)
                .singleElement()
                .extracting(Problem::message)
                .isEqualTo("probes along the path and back need 2 segments, and headend l1 pushes at most 1");
    }

    @Test
    void with_a_binding_sid_what_comes_with_it_goes_over_too() {
        Plan plan = compiled(policy("{}", "'bindingSid':'auto',", SHORT, LONG), Fig4.NETWORK);
        assertThat(plan.problems()).isEmpty();
        int active = LivenessList.of(plan).get(0).sidList();
        assertThat(plan.entries())
                .anySatisfy(placed -> assertThat(placed.entry().actionText())
                        .isEqualTo("b6_encaps_red sid_list " + Integer.toUnsignedString(active)));
    }

    @Test
    void a_plan_shows_the_way_of_probes_and_what_watches() {
        Plan plan =
                Fig4.plan("{'headend':'l1','endpoint':'l3','steering':['fd00:0:31::2'],'liveness':{},'candidatePaths':["
                        + SHORT + "," + LONG + "]}");
        assertThat(plan.explanation().at("/candidatePaths/0/probes").toString())
                .isEqualTo("[[\"fcbb:bbbb:200:300:100:f00d::\"]]");
        assertThat(plan.explanation().get("entries"))
                .anySatisfy(entry -> assertThat(entry.path("action").asText()).isEqualTo("watch"));
        assertThat(PlanText.of(plan.explanation())).contains("watch");
    }

    /** The bound is generous for a busy machine; it detects quadratic growth. */
    @Test
    void a_thousand_watched_policies_compile() {
        CompileContext context = new CompileContext(Fig4.NETWORK, Map.of());
        List<Problem> problems = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 1; i <= 1000; i++) {
            Policy policy = Fig4.policy("{'headend':'l1','endpoint':'l3','steering':['2001:db8:"
                    + Integer.toHexString(i) + "::/48'],'liveness':{},'candidatePaths':[" + SHORT + "," + LONG + "]}");
            Plan plan = Fig4.kind().compile(new NumberedIntent<>("p" + i, i, policy), context);
            problems.addAll(plan.problems());
            assertThat(entries(plan, Liveness.class)).hasSize(2);
        }
        assertThat(problems).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }
}
