// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.net.Network;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;

/**
 * Entries that intents gave up and a node may still have: they survive restarts, are shown, are removed first of all,
 * and block no other intent.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineOrphansTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");

    /** An hour in which no unexplained entry is removed. */
    private static final EngineSettings GRACE = Bench.QUIET.withAdoptionGrace(Duration.ofHours(1));

    private Bench bench = Bench.started(GRACE);

    @AfterEach
    void close() {
        bench.close();
    }

    private void restart() {
        bench.close();
        bench.dataPlane.forgetLog();
        Bench next = new Bench(bench.inventory, bench.dataPlane, bench.store, GRACE, new Toy.Kind());
        next.start();
        bench = next;
    }

    private void withdraw(String id) {
        await(bench.engine.withdraw(bench.kind, List.of(id)));
    }

    @Test
    void a_withdrawn_intent_is_shown_until_a_lost_node_is_rid_of_it() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        withdraw("p1");
        assertThat(bench.status("p1")).satisfies(status -> {
            assertThat(status.state()).isEqualTo(IntentState.REMOVING);
            assertThat(status.intent().intent()).isEqualTo(P1);
            assertThat(status.troubles()).extracting(EntryStatus::node).containsOnly("a");
            assertThat(status.troubles()).extracting(EntryStatus::state).containsOnly(EntryState.REMOVING);
            assertThat(status.troubles().get(0).failure().orElseThrow().reason())
                    .startsWith("a does not answer since ");
        });
        assertThat(bench.engine.list(bench.kind)).hasSize(1);
        assertThat(bench.engine.entries(EntryFilter.ofState(EntryState.REMOVING)))
                .extracting(entry -> entry.node() + " " + entry.key())
                .containsExactly("a sid_list id 1", "a steering_v6 vrf 0 fd00:1::/64");
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.engine.list(bench.kind)).isEmpty();
        assertThat(bench.engine.entries(EntryFilter.ALL)).isEmpty();
        assertThat(bench.dataPlane.held("a")).isEmpty();
        bench.close(); // only then all events are reported
        assertThat(bench.events)
                .contains(
                        new EngineEvent.IntentChanged(new IntentRef("toy", "p1"), IntentState.REMOVING),
                        new EngineEvent.IntentRemoved(new IntentRef("toy", "p1")));
    }

    /** Again and again, as other nodes are read meanwhile, and at any moment. */
    @RepeatedTest(10)
    void a_withdrawal_waits_for_a_node_that_is_being_read() {
        bench.submit(P1);
        bench.dataPlane.hold("a");
        CompletableFuture<DriftReport> audit = bench.engine.audit();
        CompletableFuture<Void> withdrawn = bench.engine.withdraw(bench.kind, List.of("p1"));
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.REMOVING);
        assertThat(withdrawn).isNotDone();
        bench.dataPlane.release("a");
        await(withdrawn);
        assertThat(bench.engine.list(bench.kind)).isEmpty();
        await(audit);
    }

    @Test
    void a_withdrawal_does_not_wait_for_what_a_node_refuses() {
        bench.submit(P1);
        bench.dataPlane.refuse("a", update -> update.operation() == Operation.DELETE, Code.INTERNAL, "busy");
        CompletableFuture<Void> withdrawn = bench.engine.withdraw(bench.kind, List.of("p1"));
        bench.settle();
        assertThat(withdrawn).isDone();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.REMOVING);
    }

    @Test
    void a_node_that_stops_answering_while_it_is_told_is_found_out() {
        bench.submit(P1);
        bench.dataPlane.loseAfter("a", 0);
        withdraw("p1");
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.REMOVING);
        assertThat(bench.status("p1").troubles()).extracting(EntryStatus::node).containsOnly("a");
    }

    @Test
    void after_a_restart_it_goes_before_anything_else_and_its_number_is_not_given_again() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        withdraw("p1");
        restart();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.REMOVING);
        Toy other = toy("p2", "fd00:2::/64", "a c");
        bench.submit(other);
        assertThat(bench.status("p2").intent().number()).isEqualTo(2);
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.dataPlane.held("a").values()).containsExactlyInAnyOrder(other.list(2), other.steering(2));
        assertThat(bench.engine.list(bench.kind)).extracting(IntentStatus::id).containsExactly("p2");
        assertThat(bench.store.all("leftovers")).isEmpty();
    }

    @Test
    void a_controller_that_dies_between_deleting_and_removing_finishes_that_at_once() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "busy");
        bench.dataPlane.disconnect("b", "busy");
        bench.settle();
        withdraw("p1");
        bench.close();
        bench.dataPlane.connect("a");
        bench.dataPlane.connect("b");
        restart();
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.dataPlane.held("b")).isEmpty();
        assertThat(bench.engine.list(bench.kind)).isEmpty();
    }

    @Test
    void the_same_name_again_is_a_new_intent_and_takes_its_rows_over() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        withdraw("p1");
        bench.submit(toy("p1", "fd00:1::/64", "a c"));
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.PENDING);
        assertThat(bench.status("p1").intent().number()).isEqualTo(2);
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        Toy again = toy("", "fd00:1::/64", "a c");
        assertThat(bench.dataPlane.held("a").values()).containsExactlyInAnyOrder(again.list(2), again.steering(2));
        assertThat(bench.store.all("leftovers")).isEmpty();
    }

    @Test
    void withdrawing_twice_is_not_a_mistake_while_the_first_goes_on() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        withdraw("p1");
        withdraw("p1");
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.REMOVING);
    }

    @Test
    void an_intent_that_moved_away_from_a_lost_node_is_not_installed_before_that_is_rid_of_it() {
        Toy.Kind moving = new Toy.Kind("moving") {
            @Override
            public String identity(Toy toy) {
                return toy.name();
            }
        };
        bench.engine.register(moving);
        await(bench.engine.submit(moving, List.of(P1)).settled());
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        await(bench.engine
                .submit(moving, List.of(toy("p1", "fd00:1::/64", "c b")))
                .settled());
        assertThat(bench.engine.get(moving, "p1").orElseThrow()).satisfies(status -> {
            assertThat(status.state()).isEqualTo(IntentState.DEGRADED);
            assertThat(status.troubles())
                    .extracting(trouble -> trouble.node() + " " + trouble.state())
                    .containsOnly("a REMOVING");
        });
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.engine.get(moving, "p1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a")).isEmpty();
    }

    @Test
    void what_a_lost_link_made_an_intent_give_up_at_a_lost_node_is_remembered() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        bench.inventory.link("a", "b", false);
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.status("p1").troubles()).extracting(EntryStatus::state).containsOnly(EntryState.REMOVING);
        restart();
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.dataPlane.held("a")).isEmpty();
    }

    @Test
    void a_node_that_refuses_to_remove_is_named_with_its_reason() {
        bench.submit(P1);
        bench.dataPlane.refuse("b", update -> update.operation() == Operation.DELETE, Code.INTERNAL, "netlink: busy");
        withdraw("p1");
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.REMOVING);
        assertThat(bench.status("p1").troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.entry()).contains(Toy.sid(1));
            assertThat(trouble.failure().orElseThrow().reason()).isEqualTo("netlink: busy");
        });
        bench.dataPlane.obey("b");
        bench.audit();
        bench.settle();
        assertThat(bench.engine.list(bench.kind)).isEmpty();
    }

    @Test
    void packets_are_not_led_in_a_circle_by_what_is_left() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "stopped");
        bench.settle();
        withdraw("p1");
        Toy back = toy("back", "fd00:1::/64", "b a");
        assertThat(bench.submit(back).outcomes().get(0).problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(Problem.Code.UNFEASIBLE);
                    assertThat(problem.message())
                            .contains("for ever")
                            .contains("toy \"p1\", which is deleted but still on node a");
                });
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.submit(back).outcomes().get(0).accepted()).isTrue();
    }

    @Test
    void a_node_that_left_the_network_keeps_nothing_waiting() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "removed");
        bench.settle();
        withdraw("p1");
        Network before = bench.inventory.snapshot();
        bench.inventory.set(new Network(
                before.nodes().values().stream()
                        .filter(node -> !node.name().equals("a"))
                        .toList(),
                List.of(),
                List.of()));
        bench.settle();
        assertThat(bench.engine.nodes()).extracting(NodeStatus::node).containsExactly("b", "c", "d");
        assertThat(bench.audit().unread()).isEmpty();
        bench.settle();
        assertThat(bench.engine.list(bench.kind)).isEmpty();
        assertThat(bench.store.all("leftovers")).isEmpty();
        bench.close(); // only then all events are reported
        assertThat(bench.events).contains(new EngineEvent.NodeForgotten("a", 2));
    }

    @Test
    void a_store_that_fails_leaves_everything_as_it_was() {
        bench.submit(P1);
        bench.store.failWith(new IllegalStateException("disk full"));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> withdraw("p1")).hasMessage("disk full");
        bench.store.failWith(null);
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a")).hasSize(2);
    }

    @Test
    void what_a_crash_left_in_the_store_of_an_intent_that_lives_harms_nobody() {
        bench.submit(P1);
        bench.close();
        Orphan left = new Orphan(
                new IntentRef("toy", "p1"),
                1,
                "a",
                List.of(new Orphan.Left("pool", 5, 2, true)),
                List.of(P1.steering(1).key(), P1.list(1).key()),
                List.of(P1.passage()),
                java.util.Optional.of(new Toy.Kind().encode(P1)),
                java.time.Instant.EPOCH);
        bench.store.put("leftovers", Map.of(left.key(), left.encode()));
        restart();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a")).hasSize(2);
        assertThat(bench.store.all("leftovers")).isEmpty();
    }

    @Test
    void a_leftover_that_cannot_be_read_is_told_and_kept() {
        bench.store.put("leftovers", Map.of("toy/p9#9@a", "{"));
        bench.settle();
        restart();
        bench.close(); // only then all events are reported
        assertThat(bench.events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                EngineEvent.StoredIntentUnreadable.class,
                                e -> assertThat(e.key()).contains("toy/p9#9@a")));
        assertThat(bench.store.all("leftovers")).containsKey("toy/p9#9@a");
    }

    @Test
    void a_leftover_comes_back_from_its_text_as_it_was() {
        Orphan left = new Orphan(
                new IntentRef("toy", "p1"),
                7,
                "a",
                List.of(new Orphan.Left("pool", 5, 2, true)),
                List.of(P1.steering(7).key()),
                List.of(P1.passage()),
                java.util.Optional.of(new Toy.Kind().encode(P1)),
                java.time.Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(Orphan.parse("toy/p1#7@a", left.encode())).isEqualTo(left);
    }
}
