// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.DriftReport.Drift;
import org.sextant.core.intent.DriftReport.Kind;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.SidList;

/** Audits of the nodes: drift is found, reported and repaired. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineAuditTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");

    private final Bench bench = Bench.started();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void nothing_wrong_is_nothing_written() {
        bench.submit(P1);
        bench.dataPlane.forgetLog();
        DriftReport report = bench.audit();
        assertThat(report.repairs()).isZero();
        assertThat(report.unread()).isEmpty();
        assertThat(bench.log()).isEmpty();
        assertThat(bench.dataPlane.reads("d")).isEqualTo(2);
    }

    @Test
    void missing_different_and_foreign_rows_are_repaired_and_reported() {
        bench.submit(P1);
        bench.dataPlane.erase("b", Toy.sid(1).key());
        bench.dataPlane.plant(
                "a", new SidList(1, toy("", "fd00:1::/64", "a d").list(1).members()));
        bench.dataPlane.plant("c", Toy.sid(9));
        DriftReport report = bench.audit();
        assertThat(report.drift()).containsOnlyKeys("a", "b", "c");
        assertThat(report.drift().get("a"))
                .containsExactly(new Drift(Kind.DIFFERENT, P1.list(1).key()));
        assertThat(report.drift().get("b"))
                .containsExactly(new Drift(Kind.MISSING, Toy.sid(1).key()));
        assertThat(report.drift().get("c"))
                .containsExactly(new Drift(Kind.EXTRA, Toy.sid(9).key()));
        assertThat(bench.dataPlane.held("a").values()).containsExactlyInAnyOrder(P1.list(1), P1.steering(1));
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
        assertThat(bench.dataPlane.held("c")).isEmpty();
        assertThat(bench.audit().repairs()).isZero();
    }

    @Test
    void repairs_are_events() {
        bench.submit(P1);
        bench.dataPlane.erase("b", Toy.sid(1).key());
        bench.audit();
        bench.close();
        assertThat(bench.events)
                .contains(
                        new EngineEvent.DriftFound(
                                "b", List.of(new Drift(Kind.MISSING, Toy.sid(1).key()))),
                        new EngineEvent.EntriesWritten("b", 1, 0, 0));
    }

    @Test
    void a_node_that_says_yes_and_does_nothing_is_found_out() {
        bench.dataPlane.ignore("b", update -> update.operation() == Operation.INSERT);
        bench.submit(P1);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.audit().drift().get("b")).extracting(Drift::kind).containsExactly(Kind.MISSING);
        assertThat(bench.audit().drift().get("b")).extracting(Drift::kind).containsExactly(Kind.MISSING);
        bench.dataPlane.obey("b");
        bench.audit();
        assertThat(bench.audit().repairs()).isZero();
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
    }

    @Test
    void a_row_that_the_node_refuses_to_repair_is_told_and_forgotten_when_it_is_back_by_itself() {
        bench.submit(P1);
        bench.dataPlane.erase("b", Toy.sid(1).key());
        bench.dataPlane.refuse(
                "b", update -> true, Code.FAILED_PRECONDITION, "a route of somebody else has the prefix");
        bench.audit();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.DEGRADED);
        assertThat(bench.status("p1").troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.state()).isEqualTo(EntryState.FAILED);
            assertThat(trouble.failure().orElseThrow().reason()).contains("somebody else");
        });
        bench.dataPlane.plant("b", Toy.sid(1));
        bench.dataPlane.obey("b");
        bench.audit();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.status("p1").troubles()).isEmpty();
    }

    @Test
    void the_order_of_weighted_members_is_no_drift() {
        SidList two = new SidList(
                7,
                List.of(
                        P1.list(7).members().get(0),
                        toy("", "fd00:1::/64", "a c").list(7).members().get(0)));
        SidList turned =
                new SidList(7, List.of(two.members().get(1), two.members().get(0)));
        assertThat(two.means(turned)).isTrue();
        assertThat(two.means(new SidList(
                        7, List.of(two.members().get(0), two.members().get(0)))))
                .isFalse();
    }

    @Test
    void counters_are_shown_as_last_read() {
        bench.submit(P1);
        bench.dataPlane.count("b", Toy.sid(1).key(), new Counters(7, 700));
        bench.audit();
        assertThat(bench.engine.entries(EntryFilter.ofNode("b")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.counters()).contains(new Counters(7, 700)));
    }

    @Test
    void a_node_that_cannot_be_read_is_named_with_the_reason() {
        bench.submit(P1);
        bench.dataPlane.disconnect("d", "cable pulled");
        bench.settle();
        assertThat(bench.audit().unread()).containsEntry("d", "cable pulled");
        bench.dataPlane.breakNextCall("c");
        assertThat(bench.audit().unread())
                .hasEntrySatisfying("c", reason -> assertThat(reason).contains("deadline exceeded"));
    }

    @Test
    void a_node_that_is_lost_while_it_is_read_does_not_keep_the_audit_open() {
        bench.dataPlane.hold("a");
        CompletableFuture<DriftReport> audit = bench.engine.audit();
        bench.dataPlane.disconnect("a", "crash");
        bench.dataPlane.release("a");
        assertThat(await(audit).unread()).containsEntry("a", "crash");
        assertThat(bench.audit().unread()).containsOnlyKeys("a");
    }

    @Test
    void an_audit_does_not_make_a_refused_intent_look_new() {
        bench.dataPlane.refuse("b", update -> true, Code.INTERNAL, "no");
        bench.submit(P1);
        Instant since = bench.status("p1").since();
        bench.audit();
        bench.settle();
        assertThat(bench.dataPlane.log())
                .as("it was tried again")
                .filteredOn(done -> done.node().equals("b"))
                .hasSize(2);
        assertThat(bench.status("p1").since()).isEqualTo(since);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
    }

    @Test
    void a_submission_during_an_audit_waits_for_the_reading_and_is_not_mistaken_for_drift() {
        bench.dataPlane.hold("a");
        CompletableFuture<DriftReport> audit = bench.engine.audit();
        Submission<Toy> submission = bench.engine.submit(bench.kind, List.of(P1));
        bench.dataPlane.release("a");
        assertThat(await(audit).repairs()).isZero();
        await(submission.settled());
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void what_is_given_up_during_an_audit_is_not_mistaken_for_drift() {
        bench.submit(P1);
        bench.dataPlane.hold("a");
        CompletableFuture<DriftReport> audit = bench.engine.audit();
        CompletableFuture<Void> withdrawn = bench.engine.withdraw(bench.kind, List.of("p1"));
        bench.dataPlane.release("a");
        assertThat(await(audit).drift()).isEmpty();
        await(withdrawn);
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.audit().drift()).isEmpty();
    }

    @Test
    void what_changes_during_an_audit_is_not_mistaken_for_drift() {
        bench.submit(P1);
        bench.dataPlane.hold("a");
        bench.dataPlane.hold("b");
        CompletableFuture<DriftReport> audit = bench.engine.audit();
        Submission<Toy> changed = bench.engine.submit(bench.kind, List.of(toy("p1", "fd00:1::/64", "a c")));
        bench.dataPlane.release("a");
        bench.dataPlane.release("b");
        assertThat(await(audit).drift()).isEmpty();
        await(changed.settled());
        assertThat(bench.dataPlane.held("b")).isEmpty();
    }

    @Test
    void audits_come_by_themselves() {
        try (Bench periodic = Bench.started(Bench.QUIET.withAuditInterval(Duration.ofMillis(5)))) {
            CompletableFuture<EngineEvent> repaired = new CompletableFuture<>();
            periodic.engine.listen(event -> {
                if (event instanceof EngineEvent.DriftFound) {
                    repaired.complete(event);
                }
            });
            periodic.submit(P1);
            periodic.dataPlane.erase("b", Toy.sid(1).key());
            assertThat(await(repaired))
                    .isEqualTo(new EngineEvent.DriftFound(
                            "b", List.of(new Drift(Kind.MISSING, Toy.sid(1).key()))));
        }
    }

    @Test
    void rows_that_a_node_had_when_it_returned_are_left_alone_for_a_while() {
        HandClock clock = new HandClock();
        try (Bench graceful = before(clock)) {
            graceful.dataPlane.plant("c", Toy.sid(9));
            graceful.connectAll();
            graceful.start();
            clock.now = clock.now.plusSeconds(29);
            graceful.audit();
            assertThat(graceful.dataPlane.held("c").values()).containsExactly(Toy.sid(9));
            clock.now = clock.now.plusSeconds(1);
            assertThat(graceful.audit().drift().get("c"))
                    .extracting(Drift::kind)
                    .containsExactly(Kind.EXTRA);
            assertThat(graceful.dataPlane.held("c")).isEmpty();
        }
    }

    @Test
    void they_stay_while_another_node_has_not_been_seen_since_the_start() {
        HandClock clock = new HandClock();
        try (Bench graceful = before(clock)) {
            graceful.dataPlane.plant("c", Toy.sid(9));
            graceful.connectAll();
            graceful.dataPlane.disconnect("d", "agent update");
            graceful.start();
            clock.now = clock.now.plusSeconds(300);
            graceful.audit();
            assertThat(graceful.dataPlane.held("c").values()).containsExactly(Toy.sid(9));
            graceful.dataPlane.connect("d");
            graceful.settle();
            graceful.audit();
            assertThat(graceful.dataPlane.held("c")).isEmpty();
        }
    }

    @Test
    void rows_that_appear_later_are_nobodys_and_go_at_once() {
        try (Bench graceful = before(new HandClock())) {
            graceful.connectAll();
            graceful.start();
            graceful.dataPlane.plant("c", Toy.sid(9));
            assertThat(graceful.audit().repairs()).isEqualTo(1);
            assertThat(graceful.dataPlane.held("c")).isEmpty();
        }
    }

    private static Bench before(HandClock clock) {
        EngineSettings settings =
                Bench.QUIET.withAdoptionGrace(Duration.ofSeconds(30)).withClock(clock);
        return new Bench(
                new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), settings, new Toy.Kind());
    }

    /** A clock that a test moves by hand. */
    private static final class HandClock extends Clock {
        volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
