// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.fake.FakeStore.Fault;
import org.sextant.core.intent.desired.StoredIntent;
import org.sextant.core.port.StoreUnavailableException;

/**
 * A change is one durable step, of intents, numbers of pools and orphaned entries. If that step fails, the engine's
 * state is that of the store: no more, no less, and the same after a restart.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class EngineCommitTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");
    private static final Toy P1_OVER_D = toy("p1", "fd00:1::/64", "a d");
    private static final Toy P2 = toy("p2", "fd00:2::/64", "a b");
    private static final Toy P3 = toy("p3", "fd00:3::/64", "a d");

    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private Bench bench;

    @BeforeEach
    void start() {
        inventory.link("a", "c", false);
        bench = started(Bench.QUIET);
        bench.connectAll();
        bench.settle();
        bench.submit(P1, P2);
        bench.settle();
        // Orphaned entries at them stay, so that nothing but the requests writes the store.
        dataPlane.disconnect("a", "away");
        dataPlane.disconnect("b", "away");
        bench.settle();
    }

    private Bench started(EngineSettings settings) {
        Bench started = new Bench(inventory, dataPlane, store, settings, new EnginePoolsTest.Kind());
        started.start();
        return started;
    }

    @AfterEach
    void close() {
        store.faults(Optional::empty);
        store.failReads(0);
        bench.close();
    }

    /** Requests of clients. */
    enum Request {
        POST,
        PUT,
        DELETE,
        BULK,
        BULK_DELETE;

        void of(Bench bench) {
            switch (this) {
                case POST -> bench.engine.submit(bench.kind, List.of(P3));
                case PUT -> bench.engine.change(bench.kind, "p1", before -> P1_OVER_D, Precondition.NONE);
                case DELETE -> bench.engine.withdraw(bench.kind, List.of("p1"));
                case BULK -> bench.engine.submit(bench.kind, List.of(P3, P1_OVER_D, P2));
                case BULK_DELETE -> bench.engine.withdraw(bench.kind, List.of("p1", "p2"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_request_is_one_durable_step(Request request) {
        Map<String, Map<String, String>> before = content();
        int writes = store.writes();
        request.of(bench);
        assertThat(store.writes() - writes).isEqualTo(1);
        assertThat(content().get("intents")).isNotEqualTo(before.get("intents"));
        assertThat(content().get("pools").equals(before.get("pools")))
                .as("numbers are given")
                .isEqualTo(request != Request.POST && request != Request.BULK);
        assertThat(content().get("leftovers").isEmpty()).as("nothing is left").isEqualTo(request == Request.POST);
        requireAgreement();
    }

    @ParameterizedTest
    @EnumSource
    void of_a_step_that_is_refused_nothing_is_there(Request request) {
        Map<String, Map<String, String>> before = content();
        List<String> view = view(bench);
        store.failNext(Fault.REFUSED);
        assertThatThrownBy(() -> request.of(bench)).isInstanceOf(StoreUnavailableException.class);
        assertThat(content()).isEqualTo(before);
        assertThat(view(bench)).isEqualTo(view);
        requireAgreement();
        request.of(bench);
        assertThat(content()).isNotEqualTo(before);
        requireAgreement();
    }

    @ParameterizedTest
    @EnumSource
    void a_step_that_is_stored_though_it_was_refused_is_made(Request request) {
        store.failNext(Fault.UNANSWERED);
        assertThatThrownBy(() -> request.of(bench)).isInstanceOf(StoreUnavailableException.class);
        List<String> after = view(bench);
        Map<String, String> stored = store.all("intents");
        requireAgreement();
        if (request == Request.DELETE || request == Request.BULK_DELETE) {
            assertThat(after.get(0)).startsWith("p1 REMOVING");
        } else {
            request.of(bench); // changes nothing
        }
        assertThat(view(bench)).isEqualTo(after);
        assertThat(store.all("intents")).isEqualTo(stored);
    }

    static Stream<Arguments> faults() {
        return Stream.of(Request.values())
                .flatMap(request -> Stream.of(Fault.values()).map(fault -> Arguments.of(request, fault)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void while_the_store_cannot_be_read_either_nothing_is_changed_and_then_all_goes_by_what_is_there(
            Request request, Fault fault) {
        store.faults(() -> {
            store.failReads(Integer.MAX_VALUE);
            store.faults(Optional::empty);
            return Optional.of(fault);
        });
        assertThatThrownBy(() -> request.of(bench)).isInstanceOf(StoreUnavailableException.class);
        String concerned = request == Request.POST ? "p3" : "p1";
        assertThatThrownBy(() -> bench.engine.requireCertain(bench.kind, concerned))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("toy \"" + concerned + "\"")
                .hasMessageContaining("unknown whether it is stored");
        bench.engine.requireCertain(bench.kind, "another");
        Map<String, Map<String, String>> stored = content();
        for (Request other : Request.values()) {
            assertThatThrownBy(() -> other.of(bench))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("unknown whether it is stored");
        }
        assertThat(content()).isEqualTo(stored);
        store.failReads(0);
        bench.submit(toy("p9", "fd00:9::/64", "c d"));
        bench.engine.requireCertain(bench.kind, concerned);
        requireAgreement();
    }

    @Test
    void what_could_not_be_read_is_read_as_soon_as_the_store_answers() {
        bench.close();
        bench = started(Bench.QUIET.withRetryDelay(Duration.ofMillis(1)));
        store.failNext(Fault.UNANSWERED);
        store.failReads(5);
        assertThatThrownBy(() -> Request.POST.of(bench)).isInstanceOf(StoreUnavailableException.class);
        while (bench.engine.get(bench.kind, "p3").isEmpty()) {
            bench.settle();
        }
        bench.settle(); // the intent is published amid the message by which its key becomes certain
        bench.engine.requireCertain(bench.kind, "p3");
        requireAgreement();
    }

    @Test
    void what_was_stored_is_recorded_though_the_client_is_told_that_it_was_refused() {
        List<StoredChange> seen = new ArrayList<>();
        try (var eyes = ChangeListener.of(seen::add)) {
            assertThat(eyes).isNotNull();
            store.failNext(Fault.UNANSWERED);
            assertThatThrownBy(() -> Request.BULK.of(bench)).isInstanceOf(StoreUnavailableException.class);
            store.failNext(Fault.REFUSED);
            assertThatThrownBy(() -> Request.DELETE.of(bench)).isInstanceOf(StoreUnavailableException.class);
            store.failNext(Fault.UNANSWERED);
            assertThatThrownBy(() -> Request.DELETE.of(bench)).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(seen)
                .extracting(change -> change.ref().id() + " " + change.before().isPresent() + " "
                        + change.after().isPresent())
                .containsExactly("p3 false true", "p1 true true", "p1 true false");
    }

    @Test
    void of_a_bulk_the_rest_is_stored_when_another_controller_has_changed_some_of_it_at_the_same_moment() {
        String elsewhere = store.get("intents", "toy/p1").orElseThrow().replace("\"a b\"", "\"a c b\"");
        store.meanwhile("intents", "toy/p1", elsewhere);
        List<Submission.Outcome<Toy>> outcomes =
                bench.engine.submit(bench.kind, List.of(P1_OVER_D, P3)).outcomes();
        assertThat(outcomes).extracting(Submission.Outcome::accepted).containsExactly(false, true);
        assertThat(outcomes.get(0).problems().get(0).message()).contains("another controller");
        assertThat(store.get("intents", "toy/p1")).contains(elsewhere);
        assertThat(store.all("leftovers")).as("of p1 nothing is left").isEmpty();
    }

    private Map<String, Map<String, String>> content() {
        Map<String, Map<String, String>> content = new TreeMap<>();
        List.of("intents", "pools", "leftovers").forEach(map -> content.put(map, store.all(map)));
        return content;
    }

    /** The engine has the state of the store, and so has one that starts from that. */
    private void requireAgreement() {
        assertThat(stored(view(bench))).isEqualTo(ofStore(store));
        List<String> running = view(bench);
        try (Bench restarted = started(Bench.QUIET)) {
            assertThat(view(restarted)).isEqualTo(running);
        }
    }

    static List<String> view(Bench bench) {
        return bench.engine.list(bench.kind).stream()
                .map(status -> status.id()
                        + (status.state() == IntentState.REMOVING ? " REMOVING " : " ")
                        + StoredIntent.encode(
                                status.ref(),
                                status.intent().number(),
                                bench.kind.encode(status.intent().intent()),
                                status.intent().grants()))
                .toList();
    }

    /** Lines of intents that are not being removed. */
    static List<String> stored(List<String> view) {
        return view.stream().filter(line -> !line.contains(" REMOVING ")).toList();
    }

    static List<String> ofStore(FakeStore store) {
        return store.all("intents").entrySet().stream()
                .map(entry -> entry.getKey().substring("toy/".length()) + " " + entry.getValue())
                .toList();
    }
}
