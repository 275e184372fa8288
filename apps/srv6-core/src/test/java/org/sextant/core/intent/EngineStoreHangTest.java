// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.EngineCommitTest.ofStore;
import static org.sextant.core.intent.EngineCommitTest.stored;
import static org.sextant.core.intent.EngineCommitTest.view;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.fake.FakeStore.Fault;
import org.sextant.core.fake.FakeStore.Hang;
import org.sextant.core.intent.EngineCommitTest.Request;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.Entry;

/** A store that hangs: requests that write it fail in time, and all else goes on. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(90)
class EngineStoreHangTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");
    private static final Toy P2 = toy("p2", "fd00:2::/64", "a b");
    private static final Toy P3 = toy("p3", "fd00:3::/64", "a d");
    private static final Toy P4 = toy("p4", "fd00:4::/64", "c d");

    /** Every answer is late. */
    private static final EngineSettings LATE =
            Bench.QUIET.withStorePatience(Duration.ZERO).withStoreDeadline(Duration.ofMinutes(1));

    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private Bench bench;

    private void start(EngineSettings settings) {
        bench = Bench.recorded(new Bench.Fakes(inventory, dataPlane, store), settings, new EnginePoolsTest.Kind());
        bench.connectAll();
        bench.start();
        bench.submit(P1, P2);
        bench.settle();
    }

    @AfterEach
    void close() {
        store.goOn();
        store.faults(Optional::empty);
        bench.close();
    }

    private static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it comes in time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private CompletableFuture<Void> async(Request request) {
        return CompletableFuture.runAsync(() -> request.of(bench));
    }

    @ParameterizedTest
    @EnumSource
    void repairs_readers_and_audits_go_on_and_requests_fail_at_the_deadline(Hang hang) throws InterruptedException {
        start(Bench.QUIET.withStoreDeadline(Duration.ofSeconds(2)));
        store.hang(hang);
        CompletableFuture<Void> post = async(Request.POST);
        store.awaitHanging();
        CompletableFuture<Void> behind = async(Request.PUT);

        inventory.link("a", "b", false);
        eventually(() -> dataPlane.held("a").isEmpty());
        inventory.link("a", "b", true);
        eventually(() -> dataPlane.held("a").size() == 4);
        Entry lost = dataPlane.held("a").values().iterator().next();
        dataPlane.erase("a", lost.key());
        assertThat(bench.audit().repairs()).isEqualTo(1);
        assertThat(dataPlane.held("a")).containsKey(lost.key());
        assertThat(bench.engine.nodes()).extracting(NodeStatus::entries).containsExactly(4, 8, 0, 0);
        assertThat(bench.engine.list(bench.kind)).extracting(IntentStatus::id).containsExactly("p1", "p2");
        assertThat(bench.engine.entries(EntryFilter.ALL)).hasSize(12);
        assertThat(bench.engine.dryRun(bench.kind, P4).plan().feasible()).isTrue();

        assertThatThrownBy(post::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("has not answered within 2000 ms")
                .hasMessageContaining("whether this is stored is unknown");
        assertThatThrownBy(behind::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing of this is stored");
        eventually(this::overdue);
        assertThatThrownBy(() -> bench.engine.requireCertain(bench.kind, "p3"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("unknown whether it is stored");
        bench.engine.requireCertain(bench.kind, "p1");
        assertThat(bench.engine.get(bench.kind, "p3"))
                .as("nothing refused is shown")
                .isEmpty();

        store.goOn();
        bench.settle();
        bench.engine.requireCertain(bench.kind, "p3");
        assertThat(bench.engine.get(bench.kind, "p3"))
                .as("the store made it all the same")
                .isPresent();
        assertThat(bench.status("p1").intent().intent()).isEqualTo(P1);
        requireAgreement();
        Request.PUT.of(bench);
        bench.settle();
        requireAgreement();
    }

    private boolean overdue() {
        try {
            bench.engine.submit(bench.kind, List.of(P4));
            return false;
        } catch (StoreUnavailableException refused) {
            return refused.getMessage().contains("nothing of this is stored");
        }
    }

    static Stream<Arguments> hangs() {
        return Stream.of(Request.values())
                .flatMap(request -> Stream.of(Hang.values()).map(hang -> Arguments.of(request, hang)));
    }

    @ParameterizedTest
    @MethodSource("hangs")
    void a_late_answer_is_the_answer_of_the_request(Request request, Hang hang) throws InterruptedException {
        start(LATE);
        List<StoredChange> seen = new ArrayList<>();
        store.hang(hang);
        CompletableFuture<Void> changed = CompletableFuture.runAsync(() -> {
            try (var eyes = ChangeListener.of(seen::add)) {
                assertThat(eyes).isNotNull();
                request.of(bench);
            }
        });
        store.awaitHanging();
        inventory.link("b", "c", false);
        inventory.link("b", "c", true);
        store.goOn();
        changed.join();
        bench.settle();
        List<String> expected = request == Request.DELETE
                ? List.of("p2")
                : request == Request.BULK_DELETE
                        ? List.of()
                        : request == Request.PUT ? List.of("p1", "p2") : List.of("p1", "p2", "p3");
        assertThat(bench.engine.list(bench.kind)).extracting(IntentStatus::id).containsExactlyElementsOf(expected);
        assertThat(seen).hasSize(request == Request.BULK || request == Request.BULK_DELETE ? 2 : 1);
        assertThat(bench.engine.list(bench.kind))
                .allSatisfy(status -> assertThat(status.state()).isEqualTo(IntentState.INSTALLED));
        assertThat(store.all(OrphanedEntries.MAP)).isEmpty();
        requireAgreement();
        assertThat(bench.audit().repairs()).isZero();
    }

    @Test
    void what_was_new_changed_and_the_same_is_told_though_the_store_was_late() {
        start(LATE);
        Submission<Toy> submission = bench.engine.submit(bench.kind, List.of(P3, toy("p1", "fd00:1::/64", "a d"), P2));
        await(submission.settled());
        assertThat(submission.outcomes())
                .extracting(one -> one.intent().orElseThrow().id() + " " + one.changed())
                .containsExactly("p3 true", "p1 true", "p2 false");
        assertThat(bench.status("p3").state()).isEqualTo(IntentState.INSTALLED);
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        assertThat(bench.engine.get(bench.kind, "p1")).isEmpty();
        assertThatThrownBy(() -> bench.engine.withdraw(bench.kind, List.of("p1")))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void changes_behind_a_late_commit_are_made_in_their_order() throws InterruptedException {
        start(LATE);
        store.hang(Hang.BEFORE);
        List<CompletableFuture<Submission<Toy>>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(CompletableFuture.supplyAsync(() -> bench.engine.change(
                    bench.kind,
                    "p1",
                    before -> toy("p1", "fd00:1::/64", before.path().get(1).equals("b") ? "a d" : "a b"),
                    Precondition.NONE)));
        }
        store.awaitHanging();
        store.goOn();
        assertThat(all)
                .allSatisfy(one -> assertThat(one.join().outcomes().get(0))
                        .extracting(Submission.Outcome::problems, Submission.Outcome::changed)
                        .containsExactly(List.of(), true));
        bench.settle();
        assertThat(bench.status("p1").intent().intent()).as("twenty turns").isEqualTo(P1);
        requireAgreement();
    }

    @Test
    void of_a_bulk_the_rest_is_stored_when_another_controller_was_quicker_than_a_late_commit() {
        start(LATE);
        String elsewhere = store.get("intents", "toy/p1").orElseThrow().replace("\"a b\"", "\"a c b\"");
        store.meanwhile("intents", "toy/p1", elsewhere);
        List<Submission.Outcome<Toy>> outcomes = bench.engine
                .submit(bench.kind, List.of(toy("p1", "fd00:1::/64", "a d"), P3))
                .outcomes();
        assertThat(outcomes).extracting(Submission.Outcome::accepted).containsExactly(false, true);
        assertThat(outcomes.get(0).problems().get(0).message()).contains("another controller");
        store.tellAgain(new Store.Change("intents", "toy/p1", Optional.of(elsewhere)));
        bench.settle();
        requireAgreement();
    }

    @ParameterizedTest
    @EnumSource
    void a_late_refusal_is_a_refusal(Fault fault) {
        start(LATE);
        List<String> before = view(bench);
        store.failNext(fault);
        assertThatThrownBy(() -> Request.POST.of(bench))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the store failed");
        assertThat(view(bench).equals(before)).isEqualTo(fault != Fault.UNANSWERED);
        requireAgreement();
    }

    @Test
    void a_store_that_refuses_late_to_be_read_is_not_asked_again_before_the_pause_is_over() {
        start(LATE.withStoreDeadline(Duration.ofMillis(300)));
        store.failNext(Fault.UNANSWERED);
        store.failReads(1000);
        assertThatThrownBy(() -> Request.POST.of(bench)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.readsToFail()).isGreaterThan(990);
        assertThatThrownBy(() -> bench.engine.requireCertain(bench.kind, "p3"))
                .isInstanceOf(StoreUnavailableException.class);
        store.failReads(0);
        Request.POST.of(bench);
        bench.engine.requireCertain(bench.kind, "p3");
        bench.settle();
        requireAgreement();
    }

    @Test
    void a_change_that_the_store_tells_of_twice_is_made_once() {
        start(LATE);
        bench.submit(P3);
        bench.settle();
        dataPlane.forgetLog();
        store.all("intents")
                .forEach((key, value) -> store.tellAgain(new Store.Change("intents", key, Optional.of(value))));
        bench.settle();
        assertThat(dataPlane.log()).isEmpty();
        requireAgreement();
    }

    @Test
    void closing_does_not_wait_for_a_store_that_hangs() throws InterruptedException {
        start(Bench.QUIET.withStoreDeadline(Duration.ofMillis(200)));
        store.hang(Hang.BEFORE);
        CompletableFuture<Void> post = async(Request.POST);
        store.awaitHanging();
        bench.close();
        assertThatThrownBy(post::join).hasCauseInstanceOf(RuntimeException.class);
    }

    private void requireAgreement() {
        assertThat(stored(view(bench))).isEqualTo(ofStore(store));
    }
}
