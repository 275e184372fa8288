// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.port.Subscription;

/** A change listener of a thread receives the stored intents before and after the thread's changes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChangeListenerTest {
    private static final IntentRef P1 = new IntentRef("toy", "p1");

    private final Bench bench = Bench.started();
    private final List<StoredChange> seen = new ArrayList<>();
    private final Subscription witness = ChangeListener.of(seen::add);

    @AfterEach
    void close() {
        witness.close();
        bench.close();
    }

    private Optional<String> stored(String id) {
        return Optional.ofNullable(bench.store.all("intents").get("toy/" + id));
    }

    @Test
    void what_is_new_is_replaced_and_is_removed_is_seen_as_the_store_has_it() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        Optional<String> first = stored("p1");
        bench.submit(toy("p1", "fd00:1::/64", "a c"));
        Optional<String> second = stored("p1");
        bench.engine.withdraw(bench.kind, List.of("p1")).join();
        assertThat(seen)
                .containsExactly(
                        new StoredChange(P1, Optional.empty(), first),
                        new StoredChange(P1, first, second),
                        new StoredChange(P1, second, Optional.empty()));
        assertThat(first).isPresent().isNotEqualTo(second);
    }

    @Test
    void what_is_refused_or_there_already_is_no_change() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        seen.clear();
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.submit(toy("p2", "fd00:2::/64", "a nowhere"));
        assertThatThrownBy(() -> bench.engine.withdraw(bench.kind, List.of("p9")))
                .isInstanceOf(ProblemException.class);
        assertThat(seen).isEmpty();
    }

    @Test
    void two_changes_of_one_in_a_bulk_are_one() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p1", "fd00:1::/64", "a c"));
        assertThat(seen).containsExactly(new StoredChange(P1, Optional.empty(), stored("p1")));
    }

    @Test
    void who_looked_away_is_told_nothing_and_neither_is_another_thread() throws InterruptedException {
        Thread other = new Thread(() -> bench.submit(toy("p1", "fd00:1::/64", "a b")));
        other.start();
        other.join();
        witness.close();
        bench.submit(toy("p2", "fd00:2::/64", "a b"));
        assertThat(seen).isEmpty();
    }
}
