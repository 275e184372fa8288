// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.intent.install.EntryReports;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.Entry;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

/** The order of writes to nodes of several controllers: a headend sends packets only into SIDs that are there. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class EngineClusterOrderTest {
    private static final EngineSettings SETTINGS =
            Bench.QUIET.withSilence(Duration.ofSeconds(20)).withStorePatience(Duration.ofSeconds(20));
    private static final Toy TO_D = toy("p1", "fd00:1::/64", "a d");
    private static final Toy TO_C = toy("p1", "fd00:1::/64", "a c");

    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final List<Bench> controllers = new ArrayList<>();

    private void start(List<List<String>> shares) {
        for (List<String> share : shares) {
            Bench bench = Bench.recorded(new Bench.Fakes(inventory, dataPlane, store), SETTINGS, new Toy.Kind());
            boolean numbers = controllers.isEmpty();
            bench.coordination.mine(key -> share.contains(key) || numbers && key.equals(IntentStore.NUMBERING));
            controllers.add(bench);
        }
        controllers.get(0).connectAll();
        controllers.forEach(Bench::start);
    }

    private void startTwo() {
        start(List.of(List.of("a", "b"), List.of("c", "d")));
    }

    @AfterEach
    void close() {
        List.of("a", "b", "c", "d").forEach(dataPlane::release);
        controllers.forEach(Bench::close);
    }

    private Bench first() {
        return controllers.get(0);
    }

    private Bench second() {
        return controllers.get(1);
    }

    private void settle() {
        for (int i = 0; i < 4; i++) {
            controllers.forEach(Bench::settle);
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            Thread.onSpinWait();
        }
    }

    private static Submission<Toy> begin(Bench bench, Toy... toys) {
        return bench.engine.submit(bench.kind, List.of(toys));
    }

    private boolean steers(String node) {
        return dataPlane.held(node).values().stream().anyMatch(Steering.class::isInstance);
    }

    private boolean hasSid(String node) {
        return dataPlane.held(node).containsKey(Toy.sid(1).key());
    }

    @Test
    void a_headend_waits_for_the_sid_at_the_node_of_another_controller() {
        startTwo();
        dataPlane.hold("d");
        Submission<Toy> submission = begin(first(), TO_D);
        eventually(() -> dataPlane.held("a").containsValue(TO_D.list(1)));
        first().settle();
        assertThat(steers("a")).isFalse();
        IntentStatus<Toy> waiting = first().status("p1");
        assertThat(waiting.state()).isEqualTo(IntentState.PENDING);
        assertThat(waiting.troubles()).anySatisfy(entry -> {
            assertThat(entry.node()).isEqualTo("a");
            assertThat(entry.waitsFor()).hasValue("d");
            assertThat(entry.failure().orElseThrow().reason())
                    .isEqualTo(
                            "the controller of node d has not reported that its entries are written; written when it has");
        });
        dataPlane.release("d");
        assertThat(submission.settled()).succeedsWithin(20, SECONDS);
        assertThat(first().status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(steers("a")).isTrue();
        settle();
        assertThat(second().status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void an_old_sid_stays_until_the_headend_at_another_controller_has_changed() {
        startTwo();
        first().submit(TO_D);
        settle();
        dataPlane.hold("a");
        begin(first(), TO_C);
        eventually(() -> hasSid("c"));
        second().settle();
        assertThat(hasSid("d")).as("a still sends to d").isTrue();
        assertThat(second().status("p1").state()).isEqualTo(IntentState.PENDING);
        dataPlane.release("a");
        eventually(() -> !hasSid("d"));
        assertThat(dataPlane.held("a")).containsValue(TO_C.list(1));
        settle();
        assertThat(first().status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(second().status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void packets_stay_on_the_old_path_when_the_new_egress_refuses() {
        startTwo();
        first().submit(TO_D);
        settle();
        dataPlane.refuse("c", update -> true, Code.RESOURCE_EXHAUSTED, "its table is full");
        begin(first(), TO_C);
        settle();
        assertThat(dataPlane.held("a")).containsValue(TO_D.list(1));
        assertThat(steers("a")).isTrue();
        assertThat(hasSid("d")).isTrue();
        assertThat(first().status("p1").state()).isNotEqualTo(IntentState.INSTALLED);
        dataPlane.obey("c");
        second().audit();
        settle();
        assertThat(dataPlane.held("a")).containsValue(TO_C.list(1));
        assertThat(hasSid("d")).isFalse();
        assertThat(first().status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void the_sid_of_a_removed_intent_stays_until_its_headend_is_removed() {
        startTwo();
        first().submit(TO_D);
        settle();
        dataPlane.hold("a");
        CompletableFuture<Void> removed = first().engine.withdraw(first().kind, List.of("p1"));
        second().settle();
        assertThat(hasSid("d")).isTrue();
        dataPlane.release("a");
        assertThat(removed).succeedsWithin(20, SECONDS);
        eventually(() -> !hasSid("d"));
        settle();
        assertThat(dataPlane.held("a")).isEmpty();
        assertThat(store.all(EntryReports.MAP)).isEmpty();
    }

    /** Steering into a broken path needs no report to go: packets follow the underlay. */
    @Test
    void a_headend_stops_at_once_to_send_by_a_path_that_is_not_feasible_any_more() throws InterruptedException {
        startTwo();
        first().submit(TO_D);
        settle();
        store.hang(FakeStore.Hang.BEFORE);
        inventory.link("a", "d", false);
        store.awaitHanging();
        eventually(() -> !steers("a"));
        assertThat(hasSid("d")).as("the report of a is not stored yet").isTrue();
        store.goOn();
        eventually(() -> !hasSid("d"));
    }

    /** The reports about the new one do not keep the SIDs of the removed one. */
    @Test
    void an_intent_that_gets_the_name_of_a_removed_one_does_not_hold_it_up() {
        startTwo();
        first().submit(TO_D);
        settle();
        Bench.await(first().engine.withdraw(first().kind, List.of("p1")));
        first().submit(toy("p1", "fd00:2::/64", "a c"));
        settle();
        assertThat(hasSid("d")).isFalse();
        assertThat(first().status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void two_headends_of_one_network_wait_for_each_others_sids_without_a_deadlock() {
        startTwo();
        first().submit(TO_D, toy("p2", "fd00:2::/64", "d a"));
        settle();
        first().submit(toy("p1", "fd00:1::/64", "a c"), toy("p2", "fd00:2::/64", "d b"));
        settle();
        for (Bench bench : controllers) {
            assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
        }
    }

    /** Such a release knows nothing of the marks: its entry counts as ready when the report says INSTALLED. */
    @Test
    void a_member_of_an_earlier_release_reports_installed_or_not() {
        start(List.of(List.of("a", "b")));
        Submission<Toy> submission = begin(first(), TO_D);
        eventually(() -> store.all(EntryReports.MAP).containsKey("toy/p1@a"));
        assertThat(steers("a")).isFalse();
        String digest = digestOfSid();
        store.put(EntryReports.MAP, Map.of("toy/p1@d", "{\"plan\":\"" + digest + "\",\"state\":\"PENDING\"}"));
        first().settle();
        assertThat(steers("a")).isFalse();
        store.put(EntryReports.MAP, Map.of("toy/p1@d", "{\"plan\":\"" + digest + "\",\"state\":\"INSTALLED\"}"));
        assertThat(submission.settled()).succeedsWithin(20, SECONDS);
        assertThat(steers("a")).isTrue();
        first().submit(TO_C);
        assertThat(first().status("p1").state()).as("no report of c").isEqualTo(IntentState.PENDING);
    }

    /** The digest that a controller reports of the entries of {@link #TO_D} at d. */
    private static String digestOfSid() {
        FakeStore other = new FakeStore();
        FakeDataPlane nodes = new FakeDataPlane();
        try (Bench bench = new Bench(new FakeInventory(Bench.square()), nodes, other, SETTINGS, new Toy.Kind())) {
            bench.coordination.mine(key -> !key.equals("a"));
            bench.connectAll();
            bench.start();
            begin(bench, TO_D);
            eventually(() -> other.all(EntryReports.MAP).containsKey("toy/p1@d"));
            return other.all(EntryReports.MAP).get("toy/p1@d").split("\"")[3];
        }
    }

    @Test
    void a_controller_that_takes_over_the_other_nodes_goes_on_without_reports() {
        startTwo();
        dataPlane.hold("d");
        begin(first(), TO_D);
        eventually(() -> dataPlane.held("a").containsValue(TO_D.list(1)));
        second().coordination.mine(key -> false);
        dataPlane.release("d");
        first().coordination.mine(key -> true);
        settle();
        assertThat(steers("a")).isTrue();
        assertThat(hasSid("d")).isTrue();
        assertThat(first().status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    /** Three controllers change paths while nodes hang; after every write each headend sends to a node that has the SID. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void every_headend_sends_into_a_sid_that_is_there(long seed) {
        Random random = new Random(seed);
        List<List<String>> shares = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<String> nodes = List.of("a", "b", "c", "d");
        nodes.forEach(node -> shares.get(random.nextInt(3)).add(node));
        start(shares);
        for (int step = 0; step < 25; step++) {
            String node = nodes.get(random.nextInt(4));
            switch (random.nextInt(5)) {
                case 0 -> {
                    dataPlane.release(node);
                    dataPlane.hold(node);
                }
                case 1 -> nodes.forEach(dataPlane::release);
                case 2 -> link(random);
                default -> {
                    // one controller, as two that accept changes of one intent at once are another subject
                    begin(first(), random(random), random(random));
                }
            }
            if (random.nextInt(3) == 0) {
                nodes.forEach(dataPlane::release);
                settle();
            }
        }
        nodes.forEach(dataPlane::release);
        nodes.forEach(one -> nodes.forEach(other -> link(one, other, true)));
        settle();
        assertThat(first().engine.list(first().kind)).allMatch(status -> status.state() == IntentState.INSTALLED);
        Replay replay = new Replay();
        dataPlane.log().forEach(replay::apply);
        assertThat(replay.checked).isPositive();
    }

    private void link(Random random) {
        String pair = List.of("ab", "bc", "cd", "da", "ac", "bd").get(random.nextInt(6));
        link(pair.substring(0, 1), pair.substring(1), random.nextBoolean());
    }

    private void link(String one, String other, boolean up) {
        if (!one.equals(other)) {
            inventory.link(one, other, up);
        }
    }

    private static Toy random(Random random) {
        String path = List.of("a d", "a c", "a b", "b a", "b c d", "c d", "c a b", "d a", "d b")
                .get(random.nextInt(9));
        char head = path.charAt(0);
        return toy("p" + head, "fd00:" + head + "::/64", path);
    }

    /** The nodes, replayed in the order in which they applied the writes. */
    private static final class Replay {
        private final Map<String, Map<Entry.Key, Entry>> nodes = new HashMap<>();
        int checked;

        void apply(FakeDataPlane.Done done) {
            if (!done.ok()) {
                return;
            }
            Map<Entry.Key, Entry> rows = nodes.computeIfAbsent(done.node(), node -> new HashMap<>());
            if (done.operation() == Operation.DELETE) {
                rows.remove(done.entry().key());
            } else {
                rows.put(done.entry().key(), done.entry());
            }
            nodes.forEach((node, held) -> held.values().forEach(entry -> check(node, entry, done)));
        }

        private void check(String node, Entry entry, FakeDataPlane.Done last) {
            if (!(entry instanceof Steering steering)) {
                return;
            }
            int number = steering.sidList();
            SidList list = (SidList) nodes.get(node).values().stream()
                    .filter(row -> row instanceof SidList && row.listId().orElse(-1) == number)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(node + " steers into no list after " + last));
            List<Ipv6> segments = list.members().get(0).segments();
            String tail = tail(segments.get(segments.size() - 1));
            checked++;
            assertThat(nodes.getOrDefault(tail, Map.of()))
                    .as("%s sends to %s after %s", node, tail, last)
                    .containsKey(Toy.sid(number).key());
        }

        private static String tail(Ipv6 segment) {
            return List.of("a", "b", "c", "d").stream()
                    .filter(node ->
                            segment.equals(Ipv6.parse("fcbb:bbbb:" + Integer.toHexString(node.charAt(0)) + "::")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
