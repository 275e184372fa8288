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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.port.Store.Write;
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

    @ParameterizedTest
    @EnumSource(FakeStorage.End.class)
    void of_a_commit_over_several_maps_all_is_there_or_nothing(FakeStorage.End end) {
        Set<List<Map<String, String>>> seen = new HashSet<>();
        List<Map<String, String>> before = List.of(Map.of("r", "4"), Map.of("old", "x"), BEFORE);
        List<Map<String, String>> after =
                List.of(Map.of("r", "5"), Map.of("b@n", "y"), Map.of("a", "2", "c", "1", "d", "2"));
        for (long operations = 0; operations < 2 * MORE_THAN_A_PUT_TAKES; operations++) {
            FakeStorage.Nodes nodes = new FakeStorage.Nodes();
            OnosStore first = Controller.started(nodes, "a").store();
            first.put("m", BEFORE);
            first.put("turns", Map.of("r", "4"));
            first.put("left", Map.of("old", "x"));
            Controller dying = Controller.of(new FakeStorage(nodes), "a");
            dying.way().endAfter(operations, end);
            boolean acknowledged = acknowledges(
                    dying.store(), store -> assertThat(store.commit(CHANGE)).isEmpty());

            OnosStore other = Controller.of(new FakeStorage(nodes), "b").store();
            List<Map<String, String>> all = List.of(other.all("turns"), other.all("left"), other.all("m"));
            seen.add(all);
            assertThat(all)
                    .as("after %s operations", operations)
                    .isIn(acknowledged ? Set.of(after) : Set.of(before, after));
            Controller.started(nodes, "a");
            assertThat(List.of(nodes.values("sextant-turns"), nodes.values("sextant-left"), nodes.values("sextant-m")))
                    .isEqualTo(all);
            assertThat(nodes.values("sextant-batches")).isEmpty();
        }
        assertThat(seen).isEqualTo(Set.of(before, after));
    }

    private static final List<Write> CHANGE = List.of(
            Write.put("turns", "r", "5"),
            Write.put("left", "b@n", "y"),
            Write.clear("left", "old"),
            Write.replace("m", "a", "1", "2"),
            Write.delete("m", "b", "1"),
            Write.create("m", "d", "2"));

    /** The rival comes in before each operation: one of the two is refused, and nothing is half there. */
    @ParameterizedTest
    @ValueSource(strings = {"create d", "replace a", "delete b", "put a", "bulk"})
    void of_two_controllers_that_change_the_same_key_one_is_told(String rival) {
        int overtaken = 0;
        for (long operations = 0; operations < MORE_THAN_A_PUT_TAKES; operations++) {
            FakeStorage.Nodes nodes = new FakeStorage.Nodes();
            Controller one = Controller.started(nodes, "a");
            one.store().put("m", BEFORE);
            OnosStore two = Controller.of(new FakeStorage(nodes), "b").store();
            boolean[] made = {false, false};
            one.way().before(operations, () -> {
                made[1] = true;
                made[0] = change(two, rival);
            });
            boolean committed = one.store().commit(CHANGE).isEmpty();
            if (!made[1]) {
                break;
            }
            Map<String, String> all = one.store().all("m");
            if (!rival.equals("put a")) {
                assertThat(committed && made[0])
                        .as("both are acknowledged, %s before operation %s", rival, operations)
                        .isFalse();
            }
            assertThat(committed || made[0]).isTrue();
            assertThat(one.store().all("turns").containsKey("r"))
                    .as("all or nothing, before operation %s", operations)
                    .isEqualTo(committed);
            if (committed && !made[0]) {
                assertThat(all).isEqualTo(Map.of("a", "2", "c", "1", "d", "2"));
            }
            overtaken += committed ? 0 : 1;
            one.store().settle();
            assertThat(nodes.values("sextant-batches")).isEmpty();
        }
        assertThat(overtaken).as("the rival is earlier now and then").isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"create d", "replace a", "delete b", "put a", "bulk"})
    void of_two_controllers_one_of_which_commits_amid_the_other_s_change_one_is_told(String interrupted) {
        for (long operations = 0; operations < MORE_THAN_A_PUT_TAKES; operations++) {
            FakeStorage.Nodes nodes = new FakeStorage.Nodes();
            Controller one = Controller.started(nodes, "a");
            one.store().put("m", BEFORE);
            OnosStore two = Controller.of(new FakeStorage(nodes), "b").store();
            AtomicReference<Boolean> committed = new AtomicReference<>();
            one.way().before(operations, () -> committed.set(two.commit(CHANGE).isEmpty()));
            boolean changed = change(one.store(), interrupted);
            if (committed.get() == null) {
                assertThat(operations).as("there were operations").isPositive();
                return;
            }
            assertThat(changed || committed.get()).isTrue();
            if (!interrupted.equals("put a")) {
                assertThat(changed && committed.get())
                        .as("both are acknowledged, before operation %s", operations)
                        .isFalse();
            }
            assertThat(two.all("turns").containsKey("r")).isEqualTo(committed.get());
            if (!changed) {
                assertThat(two.all("m")).isEqualTo(Map.of("a", "2", "c", "1", "d", "2"));
            }
            assertThat(nodes.values("sextant-batches")).isEmpty();
        }
    }

    /** True if it is acknowledged. */
    private static boolean change(OnosStore store, String how) {
        return switch (how) {
            case "create d" -> store.putIfAbsent("m", "d", "9");
            case "replace a" -> store.replace("m", "a", "1", "9");
            case "delete b" -> store.remove("m", "b", "1");
            case "put a" -> store.commit(List.of(Write.put("m", "a", "9"))).isEmpty();
            default ->
                store.commit(List.of(Write.replace("m", "a", "1", "9"), Write.put("left", "z", "9")))
                        .isEmpty();
        };
    }

    @Test
    void what_an_earlier_release_left_is_carried_out_at_the_start() {
        new FakeStorage(nodes)
                .<String, String>consistentMapBuilder()
                .withName("sextant-batches")
                .buildAsyncMap()
                .put("m", "a/7 1\n{\"a\":\"2\",\"b\":null}")
                .join();
        Controller.started(nodes, "b");
        assertThat(nodes.values("sextant-m")).isEqualTo(Map.of("a", "2"));
        assertThat(nodes.values("sextant-batches")).isEmpty();
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
