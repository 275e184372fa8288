// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Index;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.port.Store;
import org.sextant.core.port.Store.Change;
import org.sextant.core.port.Store.Write;
import org.sextant.core.port.Subscription;

/** The contract of {@link Store}, as far as one running controller can observe it. */
@SuppressWarnings("try") // a subscription is not used but closed
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
public abstract class StoreContract {
    private static final long SOON_SECONDS = 10;

    /** An empty store, the same one during a test. */
    protected abstract Store store();

    @Test
    void maps_are_apart_and_sorted_and_what_is_not_there_is_empty() {
        store().put("m", Map.of("b", "2", "a", "1"));
        store().put("n", Map.of("a", "other"));
        assertThat(store().all("m")).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
        assertThat(store().get("n", "a")).contains("other");
        assertThat(store().get("m", "c")).isEmpty();
        assertThat(store().all("none")).isEmpty();
    }

    @Test
    void put_replaces_and_putIfAbsent_does_not() {
        store().put("m", Map.of("a", "1"));
        store().put("m", Map.of("a", "2"));
        assertThat(store().putIfAbsent("m", "a", "3")).isFalse();
        assertThat(store().get("m", "a")).contains("2");
        assertThat(store().putIfAbsent("m", "b", "4")).isTrue();
        assertThat(store().get("m", "b")).contains("4");
    }

    @Test
    void replace_writes_over_what_was_expected_and_over_nothing_else() throws InterruptedException {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        store().onChange("m", heard::add);
        assertThat(store().replace("m", "a", "1", "2")).isFalse();
        assertThat(store().get("m", "a")).isEmpty();
        store().put("m", Map.of("a", "1", "b", "1"));
        assertThat(store().replace("m", "a", "0", "2")).isFalse();
        assertThat(store().get("m", "a")).contains("1");
        assertThat(store().replace("m", "a", "1", "2")).isTrue();
        assertThat(store().all("m")).containsExactly(Map.entry("a", "2"), Map.entry("b", "1"));
        assertThat(List.of(next(heard), next(heard), next(heard)))
                .contains(new Change("m", "a", Optional.of("2")), Index.atIndex(2));
        assertThat(heard).isEmpty();
    }

    @Test
    void of_those_who_replace_the_same_at_the_same_moment_one_does() throws Exception {
        store().put("m", Map.of("a", "0"));
        int rounds = 50;
        List<Callable<Integer>> writers = Stream.of("x", "y", "z")
                .<Callable<Integer>>map(name -> () -> {
                    int won = 0;
                    for (int round = 0; round < rounds; round++) {
                        String now = store().get("m", "a").orElseThrow();
                        won += store().replace("m", "a", now, name + round) ? 1 : 0;
                    }
                    return won;
                })
                .toList();
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        store().onChange("m", heard::add);
        int won = 0;
        ExecutorService threads = Executors.newFixedThreadPool(writers.size());
        try {
            for (Future<Integer> one : threads.invokeAll(writers)) {
                won += one.get();
            }
        } finally {
            threads.shutdown();
        }
        for (int i = 0; i < won; i++) {
            next(heard);
        }
        assertThat(heard).isEmpty();
        assertThat(won).isBetween(rounds, 3 * rounds);
    }

    @Test
    void remove_says_whether_there_was_something() {
        store().put("m", Map.of("a", "1"));
        assertThat(store().remove("m", "a")).isTrue();
        assertThat(store().remove("m", "a")).isFalse();
        assertThat(store().get("m", "a")).isEmpty();
    }

    @Test
    void remove_takes_what_was_expected_and_nothing_else() throws InterruptedException {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        store().onChange("m", heard::add);
        assertThat(store().remove("m", "a", "1")).isFalse();
        store().put("m", Map.of("a", "2"));
        assertThat(store().remove("m", "a", "1")).isFalse();
        assertThat(store().get("m", "a")).contains("2");
        assertThat(store().remove("m", "a", "2")).isTrue();
        assertThat(store().get("m", "a")).isEmpty();
        assertThat(List.of(next(heard), next(heard)))
                .containsExactly(new Change("m", "a", Optional.of("2")), new Change("m", "a", Optional.empty()));
        assertThat(heard).isEmpty();
    }

    @Test
    void removeAll_takes_what_is_there_and_passes_over_the_rest() {
        store().put("m", Map.of("a", "1", "b", "2", "c", "3"));
        store().removeAll("m", List.of("a", "x", "c"));
        assertThat(store().all("m")).containsExactly(Map.entry("b", "2"));
    }

    @Test
    void commit_changes_several_maps_in_one_step() throws InterruptedException {
        store().put("m", Map.of("a", "1", "b", "1"));
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store().onChange("m", changes::add);
        store().onChange("n", changes::add);
        assertThat(store().commit(List.of(
                        Write.replace("m", "a", "1", "2"),
                        Write.delete("m", "b", "1"),
                        Write.create("n", "c", "3"),
                        Write.clear("n", "none"))))
                .isEmpty();
        assertThat(store().all("m")).containsExactly(Map.entry("a", "2"));
        assertThat(store().all("n")).containsExactly(Map.entry("c", "3"));
        assertThat(List.of(next(changes), next(changes), next(changes)))
                .containsExactlyInAnyOrder(
                        new Change("m", "a", Optional.of("2")),
                        new Change("m", "b", Optional.empty()),
                        new Change("n", "c", Optional.of("3")));
        assertThat(changes).isEmpty();
    }

    @Test
    void commit_changes_nothing_if_one_condition_does_not_hold_and_names_it() throws InterruptedException {
        store().put("m", Map.of("a", "1", "b", "1"));
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store().onChange("n", changes::add);
        Write late = Write.replace("m", "b", "0", "2");
        Write there = Write.create("m", "a", "9");
        Write gone = Write.delete("m", "x");
        assertThat(store().commit(List.of(Write.put("n", "c", "3"), late, there, gone)))
                .containsExactly(late, there, gone);
        assertThat(store().all("m")).containsExactly(Map.entry("a", "1"), Map.entry("b", "1"));
        assertThat(store().all("n")).isEmpty();
        store().put("n", Map.of("d", "4"));
        assertThat(next(changes).key()).isEqualTo("d");
    }

    @Test
    void commit_refuses_two_writes_of_a_key_and_takes_none() {
        assertThatThrownBy(() -> store().commit(List.of(Write.put("m", "a", "1"), Write.clear("m", "a"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(store().commit(List.of())).isEmpty();
        assertThat(store().all("m")).isEmpty();
    }

    @Test
    void a_snapshot_does_not_change_any_more() {
        store().put("m", Map.of("a", "1"));
        Map<String, String> before = store().all("m");
        store().put("m", Map.of("a", "2", "b", "3"));
        assertThat(before).containsExactly(Map.entry("a", "1"));
    }

    @Test
    void listeners_hear_every_change_of_their_map_until_they_leave() throws InterruptedException {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        Subscription subscription = store().onChange("m", heard::add);
        store().put("n", Map.of("a", "1"));
        store().put("m", Map.of("a", "1"));
        store().putIfAbsent("m", "a", "9");
        store().put("m", Map.of("a", "2"));
        store().remove("m", "a");
        store().remove("m", "a");
        assertThat(next(heard)).isEqualTo(new Change("m", "a", Optional.of("1")));
        assertThat(next(heard)).isEqualTo(new Change("m", "a", Optional.of("2")));
        assertThat(next(heard)).isEqualTo(new Change("m", "a", Optional.empty()));
        subscription.close();
        subscription.close();
        BlockingQueue<Change> others = new LinkedBlockingQueue<>();
        try (Subscription other = store().onChange("m", others::add)) {
            store().put("m", Map.of("b", "1"));
            assertThat(next(others).key()).isEqualTo("b");
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void texts_of_any_length_and_script_come_back() {
        String text = "{\"path\": \"κόσμος ✓\"}".repeat(20_000);
        store().put("m", Map.of("policy/κ", text));
        assertThat(store().get("m", "policy/κ")).contains(text);
    }

    private static Change next(BlockingQueue<Change> heard) throws InterruptedException {
        Change change = heard.poll(SOON_SECONDS, TimeUnit.SECONDS);
        assertThat(change).as("a change").isNotNull();
        return change;
    }
}
