// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.Travel.Rider;
import org.sextant.core.intent.Travel.Riders;
import org.sextant.core.intent.Travel.Roads;

/** Lists of several kinds: roads, and the riders that refer to them. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineTogetherTest {
    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final Roads roads = new Roads();
    private final Riders riders = new Riders();

    private Bench controller() {
        Bench bench = new Bench(inventory, dataPlane, store, Bench.QUIET, roads);
        bench.engine.register(riders);
        bench.connectAll();
        bench.start();
        return bench;
    }

    private IntentRequest<?> road(String name, String path) {
        return new IntentRequest<>(roads, toy(name, "fd00:" + name.charAt(1) + "::/32", path));
    }

    private IntentRequest<?> rider(String road, String name) {
        int number = Integer.parseInt(name.substring(name.length() - 1));
        return new IntentRequest<>(riders, new Rider(road, name, "fd0a:" + number + "::/32"));
    }

    private Submission<Object> submit(Bench bench, IntentRequest<?>... all) {
        Submission<Object> submission = bench.engine.submitTogether(List.of(all));
        await(submission.settled());
        return submission;
    }

    private static List<List<Problem>> problems(Submission<Object> submission) {
        return submission.outcomes().stream().map(Submission.Outcome::problems).toList();
    }

    private Map<String, String> stored() {
        return store.all("intents");
    }

    @Test
    void a_rider_may_stand_before_the_road_it_refers_to() {
        try (Bench bench = controller()) {
            Submission<Object> submission =
                    submit(bench, rider("r1", "x1"), road("r2", "a c"), rider("r2", "x2"), road("r1", "a b"));
            assertThat(submission.outcomes())
                    .extracting(outcome -> outcome.intent().orElseThrow().ref().toString())
                    .containsExactly("rider/r1/x1", "road/r2", "rider/r2/x2", "road/r1");
            assertThat(bench.engine.list(roads)).allMatch(road -> road.state() == IntentState.INSTALLED);
            assertThat(bench.engine.list(riders)).allMatch(rider -> rider.state() == IntentState.INSTALLED);
        }
    }

    @Test
    void all_are_stored_in_one_commit() {
        try (Bench bench = controller()) {
            int before = store.writes();
            submit(bench, rider("r1", "x1"), road("r1", "a b"));
            assertThat(store.writes()).isEqualTo(before + 1);
            assertThat(stored()).containsOnlyKeys("road/r1", "rider/r1/x1");
        }
    }

    @Test
    void one_that_is_rejected_keeps_all_others_out() {
        try (Bench bench = controller()) {
            Submission<Object> submission = submit(bench, road("r1", "a b"), rider("r9", "x1"), rider("r1", "x2"));
            assertThat(problems(submission).get(1))
                    .containsExactly(new Problem(
                            Problem.Code.UNKNOWN, "/road", "there is no road \"r9\"", "add it first, or name another"));
            assertThat(problems(submission).get(0))
                    .isEqualTo(problems(submission).get(2));
            assertThat(problems(submission).get(0).get(0).message())
                    .isEqualTo("another intent of the list is rejected, and all are accepted or none");
            bench.settle();
            assertThat(stored()).isEmpty();
            assertThat(bench.engine.list(roads)).isEmpty();
            assertThat(dataPlane.held("a")).isEmpty();
        }
    }

    @Test
    void a_list_that_is_rejected_leaves_what_it_would_have_replaced() {
        try (Bench bench = controller()) {
            submit(bench, road("r1", "a b c"), rider("r1", "x1"));
            Map<String, String> before = stored();
            String held = dataPlane.held("a").toString();
            submit(bench, road("r1", "a c"), rider("r9", "x2"));
            bench.settle();
            assertThat(stored()).isEqualTo(before);
            assertThat(dataPlane.held("a").toString()).isEqualTo(held);
            assertThat(bench.engine.list(roads)).allMatch(road -> road.state() == IntentState.INSTALLED);
        }
    }

    @Test
    void a_road_and_its_rider_change_together_though_neither_could_alone() {
        try (Bench bench = controller()) {
            submit(bench, road("r1", "a b c"), new IntentRequest<>(riders, new Rider("r1", "odd1", "fd0a:1::/32")));
            assertThat(problems(submit(bench, road("r1", "a c"))).get(0).get(0).message())
                    .startsWith("road \"r1\" would break references of");
            Submission<Object> both = submit(
                    bench, road("r1", "a d c"), new IntentRequest<>(riders, new Rider("r1", "odd1", "fd0a:7::/32")));
            assertThat(problems(both)).allMatch(List::isEmpty);
        }
    }

    @Test
    void a_dry_run_shows_every_plan_and_changes_nothing() {
        try (Bench bench = controller()) {
            submit(bench, road("r1", "a b c"));
            Map<String, String> before = stored();
            dataPlane.forgetLog();
            List<DryRun<Object>> plans =
                    bench.engine.dryRunTogether(List.of(rider("r2", "x2"), road("r2", "a d"), road("r1", "a c")));
            assertThat(plans).allMatch(outcome -> outcome.plan().feasible());
            assertThat(plans.get(0).plan().entries()).isNotEmpty();
            assertThat(plans.get(2).plan()).isNotEqualTo(bench.status("r1").plan());
            bench.settle();
            assertThat(stored()).isEqualTo(before);
            assertThat(bench.log()).isEmpty();
            assertThat(bench.engine.list(riders)).isEmpty();
            Submission<Object> then = submit(bench, rider("r2", "x2"), road("r2", "a d"), road("r1", "a c"));
            for (int i = 0; i < plans.size(); i++) {
                assertThat(then.outcomes().get(i).intent().orElseThrow().plan().entries())
                        .isEqualTo(plans.get(i).plan().entries());
            }
        }
    }

    @Test
    void a_dry_run_of_a_list_with_a_fault_has_its_problem_where_it_is() {
        try (Bench bench = controller()) {
            List<DryRun<Object>> plans = bench.engine.dryRunTogether(List.of(rider("r9", "x2"), road("r2", "a d")));
            assertThat(plans.get(0).plan().problems().get(0).field()).isEqualTo("/road");
            assertThat(plans.get(1).plan().problems().get(0).message()).startsWith("another intent of the list");
        }
    }

    @Test
    void a_commit_that_fails_leaves_nothing_of_the_list() {
        try (Bench bench = controller()) {
            store.failNext(FakeStore.Fault.REFUSED);
            assertThatThrownBy(() -> submit(bench, rider("r1", "x1"), road("r1", "a b")))
                    .isInstanceOf(RuntimeException.class);
            bench.settle();
            assertThat(stored()).isEmpty();
            assertThat(bench.engine.list(roads)).isEmpty();
            assertThat(dataPlane.held("a")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void any_order_of_a_list_comes_to_the_same(long seed) {
        List<IntentRequest<?>> list = new ArrayList<>();
        IntStream.range(1, 6).forEach(i -> list.add(road("r" + i, i % 2 == 0 ? "a b c" : "a d")));
        IntStream.range(0, 9).forEach(i -> list.add(rider("r" + (1 + i % 5), "x" + i)));
        Collections.shuffle(list, new Random(seed));
        try (Bench bench = controller()) {
            Submission<Object> submission = submit(bench, list.toArray(IntentRequest<?>[]::new));
            assertThat(problems(submission)).allMatch(List::isEmpty);
            assertThat(bench.engine.list(riders)).hasSize(9).allMatch(one -> one.state() == IntentState.INSTALLED);
        }
    }
}
