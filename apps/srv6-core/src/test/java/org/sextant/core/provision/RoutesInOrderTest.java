// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeDataPlane.Done;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Network;
import org.sextant.core.net.Protection;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.protect.Nets;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;
import org.sextant.core.table.Standby;

/** A ring a-b-c-d-e-f whose link a-b is lost and restored: the order of writes, and the time of changes of repairs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RoutesInOrderTest {
    private static final EngineSettings QUIET =
            EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO);
    private static final String TO_B = "fcbb:bbbb:110::/44";

    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final FakeInventory inventory = new FakeInventory(ring(true));
    private IntentEngine engine = start(ring(true));

    private static Network ring(boolean protects) {
        return Nets.ring("a", "b", "c", "d", "e", "f")
                .with(protects ? new Protection(true, true, false) : Protection.NONE)
                .network();
    }

    private IntentEngine start(Network network) {
        inventory.set(network);
        network.nodes().keySet().forEach(dataPlane::connect);
        IntentEngine started = new IntentEngine(inventory, dataPlane, store, new FakeCoordination(), QUIET);
        started.register(new Provisioning());
        started.register(new ProtectionKind());
        started.start();
        await(started.idle());
        return started;
    }

    private static void await(CompletableFuture<?> future) {
        assertThat(future).succeedsWithin(20, SECONDS);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void become(Network network) {
        dataPlane.forgetLog();
        inventory.set(network);
        await(engine.idle());
    }

    /** The nodes whose row was written, in order. */
    private List<String> written(String table, Predicate<Entry.Key> which) {
        return dataPlane.log().stream()
                .filter(done -> done.entry().key().table().equals(table))
                .filter(done -> which.test(done.entry().key()))
                .map(Done::node)
                .toList();
    }

    private static boolean isToB(Entry.Key key) {
        return key.match().endsWith(TO_B);
    }

    @Test
    void who_lost_the_link_is_told_last() {
        become(Nets.without(ring(true), "a", "b"));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsExactly("e", "f", "a");
    }

    @Test
    void who_has_the_new_link_is_told_first() {
        become(Nets.without(ring(true), "a", "b"));
        become(ring(true));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsExactly("a", "f", "e");
    }

    @Test
    void repairs_stay_until_all_nodes_have_their_routes() {
        SortedMap<Entry.Key, Entry> before = dataPlane.held("a");
        become(Nets.without(ring(true), "a", "b"));
        List<Done> log = dataPlane.log();
        int lastRoute = last(log, Route.TABLE_V6);
        int firstStandby = first(log, Standby.TABLE);
        assertThat(before.keySet()).anyMatch(key -> key.table().equals(Standby.TABLE) && isToB(key));
        assertThat(firstStandby).isGreaterThan(lastRoute);
        assertThat(log.subList(0, lastRoute)).noneMatch(done -> done.operation() == Operation.DELETE);
    }

    private static int last(List<Done> log, String table) {
        int found = -1;
        for (int i = 0; i < log.size(); i++) {
            found = log.get(i).entry().key().table().equals(table) ? i : found;
        }
        return found;
    }

    private static int first(List<Done> log, String table) {
        int found = 0;
        while (!log.get(found).entry().key().table().equals(table)) {
            found++;
        }
        return found;
    }

    @Test
    void nodes_whose_new_paths_lead_over_a_node_that_hangs_keep_their_routes_until_it_answers() {
        dataPlane.forgetLog();
        dataPlane.hold("e");
        inventory.set(Nets.without(ring(true), "a", "b"));
        awaitWritten("d", key -> key.table().equals(Route.TABLE_V6));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).isEmpty();
        dataPlane.release("e");
        await(engine.idle());
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsExactly("e", "f", "a");
        assertThat(dataPlane.held("e")).isEqualTo(anew(Nets.without(ring(true), "a", "b"), "e"));
    }

    @Test
    void a_node_that_hangs_keeps_no_other_from_what_changes_later() {
        dataPlane.hold("e");
        inventory.set(Nets.without(ring(true), "a", "b"));
        awaitWritten("d", key -> key.table().equals(Route.TABLE_V6));
        dataPlane.forgetLog();
        inventory.set(Nets.without(Nets.without(ring(true), "a", "b"), "c", "d"));
        awaitWritten("c", key -> key.table().equals(Route.TABLE_V6));
        dataPlane.release("e");
        await(engine.idle());
        Network halves = Nets.without(Nets.without(ring(true), "a", "b"), "c", "d");
        halves.nodes()
                .keySet()
                .forEach(node -> assertThat(dataPlane.held(node)).as(node).isEqualTo(anew(halves, node)));
    }

    @Test
    void nodes_behind_one_that_is_lost_keep_their_routes_and_repairs_and_say_for_whom_they_wait() {
        SortedMap<Entry.Key, Entry> before = dataPlane.held("a");
        dataPlane.forgetLog();
        dataPlane.disconnect("e", "its agent is stopped");
        become(Nets.without(ring(true), "a", "b"));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).isEmpty();
        assertThat(dataPlane.held("a")).containsAllEntriesOf(ofPrefix(before, TO_B));
        EntryStatus held = engine.entries(EntryFilter.ofNode("a")).stream()
                .filter(entry -> entry.key().table().equals(Route.TABLE_V6) && isToB(entry.key()))
                .findFirst()
                .orElseThrow();
        assertThat(held.state()).isEqualTo(EntryState.PENDING);
        assertThat(held.waitsFor()).hasValue("e");
        assertThat(held.failure().orElseThrow().reason())
                .contains("over node e, which has not confirmed its own route");
        dataPlane.connect("e");
        await(engine.idle());
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsExactly("e", "f", "a");
        Network after = Nets.without(ring(true), "a", "b");
        after.nodes()
                .keySet()
                .forEach(node -> assertThat(dataPlane.held(node)).as(node).isEqualTo(anew(after, node)));
    }

    @Test
    void nodes_behind_one_that_refuses_its_route_keep_theirs() {
        dataPlane.forgetLog();
        dataPlane.refuse("e", update -> isToB(update.entry().key()), Code.RESOURCE_EXHAUSTED, "the table is full");
        become(Nets.without(ring(true), "a", "b"));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsOnly("e");
        dataPlane.obey("e");
        await(engine.audit());
        await(engine.idle());
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).endsWith("e", "f", "a");
    }

    private static SortedMap<Entry.Key, Entry> ofPrefix(SortedMap<Entry.Key, Entry> entries, String prefix) {
        SortedMap<Entry.Key, Entry> some = new TreeMap<>(entries);
        some.keySet().removeIf(key -> !key.match().endsWith(prefix));
        return some;
    }

    private void awaitWritten(String node, Predicate<Entry.Key> which) {
        long start = System.nanoTime();
        while (dataPlane.log().stream()
                .noneMatch(done ->
                        done.node().equals(node) && which.test(done.entry().key()))) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
            Thread.onSpinWait();
        }
    }

    /** Routes of repairs have no standby, but no valid repair is sent to their lost next hops. */
    @Test
    void routes_of_repairs_change_in_order_too() {
        become(Nets.without(ring(true), "a", "b"));
        assertThat(written(Route.TABLE_V6, key -> key.match().endsWith("fcbb:bbbb:def0::/48")))
                .containsExactly("e", "f", "a");
    }

    /** The unread node may send to all its neighbors: a controller that has just started does not have its entries. */
    @Test
    void nodes_behind_one_that_was_never_read_keep_their_routes_until_it_is() {
        engine.close();
        dataPlane.disconnect("e", "its agent is stopped");
        engine = new IntentEngine(inventory, dataPlane, store, new FakeCoordination(), QUIET);
        engine.register(new Provisioning());
        engine.register(new ProtectionKind());
        engine.start();
        await(engine.idle());
        become(Nets.without(ring(true), "a", "b"));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).isEmpty();
        dataPlane.connect("e");
        await(engine.idle());
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsExactly("e", "f", "a");
    }

    @Test
    void routes_without_repairs_change_in_order_too() {
        engine.close();
        dataPlane.forgetLog();
        engine = start(ring(false));
        become(Nets.without(ring(false), "a", "b"));
        assertThat(written(Route.TABLE_V6, RoutesInOrderTest::isToB)).containsExactly("e", "f", "a");
    }

    @Test
    void a_restart_writes_nothing() {
        engine.close();
        dataPlane.forgetLog();
        engine = start(ring(true));
        await(engine.audit());
        assertThat(dataPlane.log()).isEmpty();
    }

    @Test
    void after_a_link_has_flapped_all_is_as_if_it_never_had() {
        SortedMap<Entry.Key, Entry> before = dataPlane.held("a");
        for (int i = 0; i < 20; i++) {
            inventory.set(Nets.without(ring(true), "a", "b"));
            inventory.set(ring(true));
        }
        await(engine.idle());
        assertThat(dataPlane.held("a")).isEqualTo(before);
        assertThat(dataPlane.held("f")).isEqualTo(anew(ring(true), "f"));
    }

    @Test
    void both_links_of_a_node_cut_leave_it_nothing_and_come_back() {
        SortedMap<Entry.Key, Entry> before = dataPlane.held("a");
        become(Nets.without(Nets.without(ring(true), "a", "b"), "f", "a"));
        assertThat(dataPlane.held("a").keySet())
                .noneMatch(
                        key -> key.table().equals(Route.TABLE_V6) || key.table().equals(Standby.TABLE));
        become(ring(true));
        assertThat(dataPlane.held("a")).isEqualTo(before);
    }

    @Test
    void two_failures_at_once_end_where_one_who_knew_them_from_the_start_would_be() {
        Network halves = Nets.without(Nets.without(ring(true), "a", "b"), "d", "e");
        become(halves);
        halves.nodes()
                .keySet()
                .forEach(node -> assertThat(dataPlane.held(node)).as(node).isEqualTo(anew(halves, node)));
    }

    /** The entries of a node in a fresh installation of the network. */
    private static SortedMap<Entry.Key, Entry> anew(Network network, String node) {
        return SingleController.install(network).held(node);
    }
}
