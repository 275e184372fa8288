// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sextant.core.port.StoreUnavailableException;

/** Several keys change together or not at all, wherever in between a controller is killed or cut off. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class OnosStoreAtomicTest {
    private static final Map<String, String> BEFORE = new TreeMap<>(Map.of("a", "1", "b", "1", "c", "1"));
    private static final int MORE_THAN_A_PUT_TAKES = 30;

    private final FakeStorage.Nodes nodes = new FakeStorage.Nodes();

    @ParameterizedTest
    @EnumSource(FakeStorage.End.class)
    void of_a_put_all_keys_are_there_or_none(FakeStorage.End end) {
        everywhere(
                end,
                store -> store.put("m", Map.of("a", "2", "b", "2", "d", "2")),
                Map.of("a", "2", "b", "2", "c", "1", "d", "2"));
    }

    @ParameterizedTest
    @EnumSource(FakeStorage.End.class)
    void of_a_removal_all_keys_are_gone_or_none(FakeStorage.End end) {
        everywhere(end, store -> store.removeAll("m", List.of("a", "c", "x")), Map.of("b", "1"));
    }

    private static void everywhere(FakeStorage.End end, Consumer<OnosStore> change, Map<String, String> after) {
        Set<Map<String, String>> seen = new HashSet<>();
        for (long operations = 0; operations < MORE_THAN_A_PUT_TAKES; operations++) {
            FakeStorage.Nodes nodes = new FakeStorage.Nodes();
            Controller.started(nodes, "a").store().put("m", BEFORE);
            Controller dying = Controller.of(new FakeStorage(nodes), "a");
            dying.way().endAfter(operations, end);
            boolean acknowledged = acknowledges(dying.store(), change);

            OnosStore other = Controller.of(new FakeStorage(nodes), "b").store();
            SortedMap<String, String> all = other.all("m");
            seen.add(all);
            assertThat(all)
                    .as("after %s operations", operations)
                    .isIn(acknowledged ? Set.of(after) : Set.of(BEFORE, after));
            assertThat(other.getAll("m", List.of("a", "b", "c", "d"))).isEqualTo(all);
            assertThat(other.get("m", "a").orElse(null)).isEqualTo(all.get("a"));

            assertThat(Controller.started(nodes, "a").store().all("m")).isEqualTo(all);
            assertThat(nodes.values("sextant-m")).isEqualTo(all);
            assertThat(nodes.values("sextant-batches")).isEmpty();
        }
        // The first thing that is written is the batch.
        assertThat(seen).isEqualTo(end == FakeStorage.End.ANSWER_LOST ? Set.of(after) : Set.of(BEFORE, after));
    }

    private static boolean acknowledges(OnosStore store, Consumer<OnosStore> change) {
        try {
            change.accept(store);
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    void a_batch_longer_than_an_entry_of_the_log_is_one_step_too() {
        SortedMap<String, String> many = new TreeMap<>();
        for (int i = 0; i < 4000; i++) {
            many.put("policy/p" + i, "{\"name\": \"κόσμος ✓ 🛰 " + "x".repeat(500) + "\"}");
        }
        boolean whole = false;
        for (long operations = 0; !whole; operations++) {
            FakeStorage.Nodes fresh = new FakeStorage.Nodes();
            Controller dying = Controller.of(new FakeStorage(fresh), "a");
            dying.way().endAfter(operations, FakeStorage.End.REFUSED);
            acknowledges(dying.store(), store -> store.put("m", many));
            SortedMap<String, String> all =
                    Controller.of(new FakeStorage(fresh), "b").store().all("m");
            whole = !all.isEmpty();
            assertThat(all).isEqualTo(whole ? many : Map.of());
            assertThat(Controller.started(fresh, "a").store().all("m")).isEqualTo(all);
            assertThat(fresh.values("sextant-batches")).isEmpty();
        }
    }

    @Test
    void what_is_written_after_a_batch_stays_when_the_batch_is_carried_out_late() {
        Controller.started(nodes, "a").store().put("m", BEFORE);
        Controller dying = committed();
        OnosStore other = Controller.of(new FakeStorage(nodes), "b").store();
        other.put("m", Map.of("a", "3"));
        assertThat(other.remove("m", "b")).isTrue();
        assertThat(other.putIfAbsent("m", "d", "3")).isFalse();
        dying.way().mend();
        Controller.started(nodes, "a");
        other.settle();
        assertThat(other.all("m")).isEqualTo(Map.of("a", "3", "c", "1", "d", "2"));
    }

    /** A controller that died when its batch was durable, and nothing of it carried out. */
    private Controller committed() {
        Controller dying = Controller.of(new FakeStorage(nodes), "a");
        dying.way().endAfter(1, FakeStorage.End.REFUSED);
        dying.store().put("m", Map.of("a", "2", "b", "2", "d", "2"));
        assertThat(nodes.values("sextant-m")).isEqualTo(BEFORE);
        return dying;
    }

    @Test
    void who_was_cut_off_carries_out_its_batch_when_the_way_is_back() {
        Controller.started(nodes, "a").store().put("m", BEFORE);
        Controller cut = committed();
        cut.way().mend();
        while (!nodes.values("sextant-batches").isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(nodes.values("sextant-m")).containsEntry("d", "2");
    }

    @Test
    void controllers_that_write_the_same_keys_at_once_leave_one_s_batch_and_no_mixture() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> writers = List.of("a", "b", "c").stream()
                .<Future<?>>map(self -> threads.submit(() -> {
                    OnosStore store =
                            Controller.of(new FakeStorage(nodes), self).store();
                    for (int i = 0; i < 200; i++) {
                        String value = self + i;
                        store.put("m", Map.of("k1", value, "k2", value, "k3", value, "k4", value));
                    }
                }))
                .toList();
        for (Future<?> writer : writers) {
            writer.get();
        }
        threads.shutdown();
        assertThat(new HashSet<>(nodes.values("sextant-m").values())).hasSize(1);
        assertThat(nodes.values("sextant-m")).hasSize(4);
        assertThat(nodes.values("sextant-batches")).isEmpty();
    }

    @Test
    void without_an_answer_one_call_waits_and_the_next_ones_do_not() {
        Controller cut = Controller.of(new FakeStorage(nodes), "a");
        cut.store().put("m", BEFORE);
        cut.way().endAfter(0, FakeStorage.End.SILENT);
        assertThatThrownBy(() -> cut.store().put("m", Map.of("a", "2")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("storage nodes")
                .hasMessageContaining("before you send it again");
        long start = System.nanoTime();
        for (int i = 0; i < 1000; i++) {
            assertThatThrownBy(() -> cut.store().get("m", "a")).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(System.nanoTime() - start).isLessThan(1000 * Controller.PATIENCE.toNanos() / 10);
        cut.way().mend();
        while (!acknowledges(cut.store(), store -> store.put("m", Map.of("a", "3")))) {
            Thread.onSpinWait();
        }
        assertThat(cut.store().get("m", "a")).contains("3");
    }

    @Test
    void many_keys_are_asked_for_together_and_not_one_after_the_other() {
        Controller controller = Controller.of(new FakeStorage(nodes), "a");
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "k" + i).toList();
        controller.way().endAfter(1, FakeStorage.End.SILENT);
        long before = controller.way().asked();
        assertThatThrownBy(() -> controller.store().getAll("m", keys)).isInstanceOf(StoreUnavailableException.class);
        assertThat(controller.way().asked() - before).isGreaterThanOrEqualTo(1 + keys.size());
    }
}
