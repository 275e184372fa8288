// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.StoredIntent;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.core.replay.RecordedRun;

/** The controller, an app or a node restarts: traffic is not affected and no state is lost. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineRestartTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");
    private static final Toy P2 = toy("p2", "fd00:2::/64", "c d");

    @Test
    void a_restarted_controller_knows_everything_and_writes_nothing() {
        Bench before = Bench.started();
        before.submit(P1, P2);
        try (Bench after = before.restarted()) {
            assertThat(after.engine.list(after.kind))
                    .extracting(IntentStatus::state)
                    .containsExactly(IntentState.INSTALLED, IntentState.INSTALLED);
            assertThat(after.status("p2").intent().number()).isEqualTo(2);
            assertThat(after.dataPlane.batches()).isEmpty();
            assertThat(after.submit(P1).outcomes().get(0).changed()).isFalse();
            assertThat(after.submit(toy("p3", "fd00:3::/64", "a b"))
                            .outcomes()
                            .get(0)
                            .intent()
                            .orElseThrow()
                            .intent()
                            .number())
                    .isEqualTo(3);
        }
    }

    @Test
    void what_was_accepted_and_not_installed_is_installed_after_the_restart() {
        Bench before = Bench.started();
        before.dataPlane.disconnect("b", "gone");
        before.submit(P1);
        before.dataPlane.connect("b");
        try (Bench after = before.restarted()) {
            assertThat(after.status("p1").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(after.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
        }
    }

    @Test
    void what_changes_during_the_start_is_handled_after_what_is_stored_is_loaded() {
        FakeInventory network = new FakeInventory(Bench.square());
        Inventory changing = new Inventory() {
            @Override
            public Network snapshot() {
                return network.snapshot();
            }

            @Override
            public Subscription onChange(BiConsumer<Network, Network> listener) {
                Subscription subscription = network.onChange(listener);
                network.link("a", "b", false);
                return subscription;
            }
        };
        RecordedRun run = new RecordedRun();
        try (IntentEngine engine = new IntentEngine(
                new IntentEngine.Ports(changing, new FakeDataPlane(), new FakeStore(), new FakeCoordination()),
                Bench.QUIET,
                EngineThread.factory(Bench.QUIET.clock(), Optional.of(run)))) {
            engine.start();
            await(engine.idle());
        }
        assertThat(run.lines().get(0)).contains("\"@\":\"Start\"");
        assertThat(run.lines())
                .filteredOn(line -> line.contains("NetworkChanged"))
                .hasSize(1);
    }

    @Test
    void a_node_that_restarts_empty_gets_its_entries_and_the_others_none() {
        try (Bench bench = Bench.started()) {
            bench.submit(P1, P2);
            bench.dataPlane.disconnect("a", "reboot");
            bench.dataPlane.held("a").keySet().forEach(key -> bench.dataPlane.erase("a", key));
            bench.dataPlane.forgetLog();
            bench.dataPlane.connect("a");
            bench.settle();
            assertThat(bench.log()).containsExactly("a INSERT sid_list id 1", "a INSERT steering_v6 vrf 0 fd00:1::/64");
        }
    }

    @Test
    void an_installed_intent_survives_a_restart_during_which_another_of_its_nodes_is_away() {
        Bench before = Bench.started();
        before.submit(P1);
        before.dataPlane.disconnect("b", "agent update");
        try (Bench after = before.restarted()) {
            assertThat(after.status("p1").state()).isEqualTo(IntentState.DEGRADED);
            after.audit();
            after.audit();
            assertThat(after.dataPlane.held("a").values()).containsExactlyInAnyOrder(P1.list(1), P1.steering(1));
            after.dataPlane.connect("b");
            after.settle();
            assertThat(after.status("p1").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(after.log()).isEmpty();
        }
    }

    @Test
    void entries_of_an_app_that_is_not_there_yet_are_not_removed() {
        Bench before = Bench.started();
        before.submit(P1);
        before.close();
        before.dataPlane.forgetLog();
        Toy.Kind late = new Toy.Kind();
        try (Bench after =
                new Bench(before.inventory, before.dataPlane, before.store, Bench.QUIET, new Toy.Kind("other"))) {
            after.start();
            after.audit();
            assertThat(after.dataPlane.batches()).isEmpty();
            after.engine.register(late);
            after.settle();
            assertThat(after.engine.get(late, "p1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
            assertThat(after.dataPlane.batches()).isEmpty();
        }
    }

    @Test
    void an_app_is_updated_under_traffic() {
        try (Bench bench = Bench.started()) {
            Toy.Kind old = new Toy.Kind("app");
            Subscription registration = bench.engine.register(old);
            await(bench.engine.submit(old, List.of(P1)).settled());
            bench.dataPlane.forgetLog();
            registration.close();
            bench.audit();
            assertThat(bench.engine.list(old)).isEmpty();
            Toy.Kind updated = new Toy.Kind("app");
            bench.engine.register(updated);
            bench.settle();
            assertThat(bench.engine.get(updated, "p1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
            assertThat(bench.dataPlane.batches()).isEmpty();
        }
    }

    @Test
    void a_stored_intent_that_cannot_be_read_is_told_kept_and_harms_nothing() {
        FakeStore store = new FakeStore();
        store.put(
                "intents",
                Map.of(
                        "toy/broken",
                        "{",
                        "toy/p7",
                        StoredIntent.encode(
                                new IntentRef("toy", "p7"),
                                7,
                                new Toy.Kind().encode(toy("p7", "fd00:7::/64", "a b")))));
        FakeDataPlane dataPlane = new FakeDataPlane();
        dataPlane.plant("c", Toy.sid(9));
        List<EngineEvent> events;
        try (Bench bench =
                new Bench(new FakeInventory(Bench.square()), dataPlane, store, Bench.QUIET, new Toy.Kind())) {
            events = bench.events;
            bench.connectAll();
            bench.start();
            bench.audit();
            assertThat(bench.status("p7").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(store.all("intents")).containsEntry("toy/broken", "{");
            assertThat(dataPlane.held("c").values())
                    .as("it may be the broken intent's")
                    .containsExactly(Toy.sid(9));
        }
        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                EngineEvent.StoredIntentUnreadable.class,
                                e -> assertThat(e.key()).isEqualTo("toy/broken")));
    }
}
