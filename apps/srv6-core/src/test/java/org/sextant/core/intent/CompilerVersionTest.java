// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.CompilerAgreement;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.port.Member;
import org.sextant.core.port.Member.State;
import org.sextant.core.port.Store;
import org.sextant.core.table.Entry;
import org.sextant.core.table.SidList;

/**
 * Controllers of several releases over one store. The first of those that run handles the numbers; {@code c1} handles the nodes a
 * and b, {@code c2} the node c, {@code c3} the node d.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class CompilerVersionTest {
    private static final CompilerVersions OLD = new CompilerVersions(1, 1);
    private static final CompilerVersions NEW = new CompilerVersions(1, 2);
    private static final CompilerVersions NEXT = new CompilerVersions(2, 3);
    private static final EngineSettings QUIET = Bench.QUIET.withRetryDelay(Duration.ofMillis(20));
    private static final Map<String, Set<String>> NODES =
            Map.of("c1", Set.of("a", "b"), "c2", Set.of("c"), "c3", Set.of("d"));

    private static final Toy TO_C = toy("to-c", "fd00:1::/64", "a c");

    private static final Toy TO_B = toy("to-b", "fd00:3::/64", "a b");
    private static final Toy TO_D = toy("to-d", "fd00:2::/64", "c d");

    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final SortedMap<String, Bench> running = new TreeMap<>();

    /** Members that are listed, and do not run here. */
    private final List<Member> others = new ArrayList<>();

    /** From version 2 the numbers of lists and SIDs are 100 larger. */
    private static final class VersionedKind extends Toy.Kind {
        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            int more = 100 * (context.compilerVersion() - 1);
            return super.compile(new NumberedIntent<>(intent.id(), intent.number() + more, intent.intent()), context);
        }
    }

    @AfterEach
    void close() {
        store.goOn();
        running.values().forEach(Bench::close);
    }

    private Bench start(String id, CompilerVersions versions) {
        Bench bench = begin(id, versions);
        settle();
        return bench;
    }

    private Bench begin(String id, CompilerVersions versions) {
        inventory.snapshot().nodes().keySet().stream()
                .filter(node -> !dataPlane.ready().contains(node))
                .forEach(dataPlane::connect);
        Bench bench = Bench.recorded(
                new Bench.Fakes(inventory, dataPlane, store, new FakeCoordination(id)),
                QUIET.withCompilers(versions),
                new VersionedKind());
        running.put(id, bench);
        divide();
        bench.engine.start();
        return bench;
    }

    /** The controller ends, and the others do not list it any more. */
    private void leave(String id) {
        running.remove(id).close();
        divide();
        running.get(running.firstKey()).audit();
        settle();
    }

    private void upgrade(String id, CompilerVersions versions) {
        running.remove(id).close();
        start(id, versions);
    }

    private void divide() {
        String first = running.firstKey();
        running.forEach((id, bench) -> {
            List<Member> listed = new ArrayList<>(others);
            running.keySet().stream()
                    .filter(other -> !other.equals(id))
                    .forEach(other -> listed.add(member(other, State.READY)));
            bench.coordination.cluster(
                    listed,
                    key -> key.equals(IntentStore.NUMBERING)
                            ? Optional.of(first)
                            : running.keySet().stream()
                                    .filter(other -> NODES.get(other).contains(key))
                                    .findFirst());
        });
    }

    private static Member member(String id, State state) {
        return new Member(id, "192.0.2.9", "", state, Optional.empty(), false);
    }

    /** A change that one controller stores is an event for the others. */
    private void settle() {
        for (int i = 0; i < 4; i++) {
            running.values().forEach(Bench::settle);
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            Thread.onSpinWait();
        }
    }

    /** The versions of the plans to which entries belong. */
    private static Set<Integer> versions(Iterable<Entry> entries) {
        Set<Integer> versions = new HashSet<>();
        for (Entry entry : entries) {
            if (entry instanceof SidList list) {
                versions.add(1 + list.id() / 100);
            } else if (entry.key().table().equals(Toy.sid(1).key().table())) {
                versions.add(isSidBelow(entry, 100) ? 1 : isSidBelow(entry, 200) ? 2 : 3);
            }
        }
        return versions;
    }

    private static boolean isSidBelow(Entry entry, int number) {
        for (int i = number - 100; i < number; i++) {
            if (entry.key().equals(Toy.sid(i).key())) {
                return true;
            }
        }
        return false;
    }

    private Set<Integer> installed() {
        List<Entry> entries = new ArrayList<>();
        List.of("a", "b", "c", "d")
                .forEach(node -> entries.addAll(dataPlane.held(node).values()));
        return versions(entries);
    }

    private Set<Integer> written() {
        return versions(dataPlane.log().stream().map(FakeDataPlane.Done::entry).toList());
    }

    private CompilerStatus status(String id) {
        return running.get(id).engine.compilerStatus();
    }

    private int inForce(String id) {
        return status(id).inForce();
    }

    private Optional<String> standsAside(String id) {
        return status(id).standsAside();
    }

    private boolean isRead(String id, String node) {
        return running.get(id).engine.nodes().stream()
                .anyMatch(status -> status.node().equals(node) && status.state() == NodeStatus.State.SYNCED);
    }

    @Test
    void while_one_of_two_is_of_the_older_release_plans_are_those_of_the_older() {
        start("c1", NEW);
        start("c2", OLD);
        running.get("c1").submit(TO_C);
        settle();
        assertThat(written()).containsExactly(1);
        assertThat(inForce("c1")).isEqualTo(1);
        assertThat(inForce("c2")).isEqualTo(1);
        assertThat(running.get("c1").status("to-c").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void when_all_are_upgraded_all_plans_are_those_of_the_newer() {
        start("c1", NEW);
        start("c2", OLD);
        start("c3", NEW);
        running.get("c1").submit(TO_C, TO_D);
        settle();
        assertThat(installed()).containsExactly(1);
        upgrade("c2", NEW);
        assertThat(installed()).containsExactly(2);
        assertThat(running.get("c1").events)
                .filteredOn(EngineEvent.CompilerVersionChanged.class::isInstance)
                .last()
                .satisfies(event -> assertThat(((EngineEvent.CompilerVersionChanged) event).status())
                        .isEqualTo(status("c1")));
        assertThat(status("c1"))
                .isEqualTo(new CompilerStatus(
                        2, NEW, new TreeMap<>(Map.of("c1", NEW, "c2", NEW, "c3", NEW)), Optional.empty()));
    }

    @Test
    void the_older_of_two_holds_the_version_back_until_it_is_upgraded() {
        start("c1", NEW);
        start("c2", OLD);
        assertThat(running.keySet()).allSatisfy(id -> {
            assertThat(status(id).members()).isEqualTo(Map.of("c1", NEW, "c2", OLD));
            assertThat(status(id).heldBackBy()).containsExactly("c2");
        });
        upgrade("c2", NEW);
        assertThat(running.keySet())
                .allSatisfy(id -> assertThat(status(id).heldBackBy()).isEmpty());
    }

    @Test
    void of_three_the_older_ones_hold_the_version_back_and_a_lost_one_without_a_record() {
        others.add(member("c9", State.LOST));
        start("c1", NEW);
        start("c2", OLD);
        start("c3", OLD);
        upgrade("c3", NEW);
        assertThat(running.keySet()).allSatisfy(id -> {
            assertThat(status(id).inForce()).isEqualTo(1);
            assertThat(status(id).members()).isEqualTo(Map.of("c1", NEW, "c2", OLD, "c3", NEW, "c9", OLD));
            assertThat(status(id).heldBackBy()).containsExactly("c2", "c9");
        });
        assertThat(running.get("c1").events).contains(new EngineEvent.CompilerMembersChanged(status("c1")));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void a_member_without_a_record_counts_as_version_1_also_if_it_is_lost(State state) {
        others.add(member("c9", state));
        start("c1", NEW);
        start("c2", NEW);
        running.get("c1").submit(TO_C);
        settle();
        assertThat(written()).containsExactly(1);
        others.clear();
        divide();
        settle();
        assertThat(installed()).containsExactly(2);
    }

    @Test
    void a_change_that_is_reported_after_a_later_one_takes_no_member_back() {
        start("c1", NEW);
        start("c2", NEW);
        start("c3", OLD);
        String older = store.get(CompilerAgreement.MAP, "in-force").orElseThrow();
        leave("c3");
        store.tellAgain(new Store.Change(CompilerAgreement.MAP, "in-force", Optional.of(older)));
        settle();
        assertThat(running.keySet()).allSatisfy(id -> assertThat(inForce(id)).isEqualTo(2));
    }

    @Test
    void an_older_one_that_comes_leaves_and_comes_back_takes_all_to_its_version_and_lets_them_go() {
        start("c1", NEW);
        start("c2", NEW);
        running.get("c1").submit(TO_C);
        settle();
        assertThat(installed()).containsExactly(2);
        for (int i = 0; i < 2; i++) {
            start("c3", OLD);
            assertThat(standsAside("c3")).isEmpty();
            assertThat(installed()).containsExactly(1);
            running.get("c3").submit(TO_D);
            settle();
            assertThat(installed()).containsExactly(1);
            leave("c3");
            assertThat(inForce("c1")).isEqualTo(2);
            assertThat(versions(dataPlane.held("a").values())).containsExactly(2);
        }
    }

    /** The version is lowered in the commit by which the older one comes: no other has to answer for that. */
    @Test
    void an_older_one_that_comes_compiles_nothing_before_the_version_is_lowered() throws InterruptedException {
        start("c1", NEW);
        start("c2", NEW);
        running.get("c1").submit(TO_D);
        settle();
        assertThat(installed()).containsExactly(2);
        dataPlane.forgetLog();
        store.hang(FakeStore.Hang.BEFORE);
        begin("c3", OLD);
        store.awaitHanging();
        assertThat(standsAside("c3")).hasValueSatisfying(why -> assertThat(why).contains("not stored yet"));
        eventually(() -> isRead("c3", "d"));
        assertThat(dataPlane.log()).isEmpty();
        store.goOn();
        eventually(() -> standsAside("c3").isEmpty());
        settle();
        assertThat(installed()).containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource(FakeStore.Hang.class)
    void while_the_store_hangs_during_the_switch_no_halves_of_two_plans_are_installed(FakeStore.Hang at)
            throws InterruptedException {
        others.add(member("c9", State.READY));
        start("c1", NEW);
        start("c2", NEW);
        running.get("c1").submit(TO_C);
        settle();
        dataPlane.forgetLog();
        store.hang(at);
        others.clear();
        divide();
        store.awaitHanging();
        if (at == FakeStore.Hang.BEFORE) {
            running.get("c2").settle();
            assertThat(installed()).containsExactly(1);
            assertThat(dataPlane.log()).isEmpty();
        }
        store.goOn();
        eventually(() -> installed().equals(Set.of(2)));
        settle();
        assertThat(inForce("c2")).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = FakeStore.Fault.class,
            names = {"REFUSED", "UNANSWERED"})
    void a_switch_whose_commit_fails_is_made_again(FakeStore.Fault fault) {
        others.add(member("c9", State.READY));
        start("c1", NEW);
        start("c2", NEW);
        running.get("c1").submit(TO_C);
        settle();
        store.failNext(fault);
        others.clear();
        divide();
        eventually(() -> inForce("c1") == 2);
        store.tellAgain(
                new Store.Change(CompilerAgreement.MAP, "in-force", store.get(CompilerAgreement.MAP, "in-force")));
        settle();
        assertThat(installed()).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "{}", "[]", "{\"oldest\":3,\"newest\":2}", "{\"oldest\":0,\"newest\":2}"})
    void a_member_whose_record_cannot_be_read_counts_as_version_1(String record) {
        store.put(CompilerAgreement.MAP, Map.of("member/c9", record));
        others.add(member("c9", State.READY));
        start("c1", NEW);
        running.get("c1").submit(TO_B);
        settle();
        assertThat(written()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "{}", "[]", "{\"version\":\"two\"}", "{\"version\":-1}"})
    void a_version_in_force_that_cannot_be_read_counts_as_1_until_it_is_decided_again(String record) {
        others.add(member("c9", State.READY));
        start("c1", NEW);
        start("c2", NEW);
        running.get("c1").submit(TO_C);
        settle();
        store.put(CompilerAgreement.MAP, Map.of("in-force", record));
        settle();
        assertThat(inForce("c1")).isEqualTo(1);
        assertThat(inForce("c2")).isEqualTo(1);
        assertThat(written()).containsExactly(1);
        others.clear();
        divide();
        settle();
        assertThat(installed()).containsExactly(2);
    }

    @Test
    void one_that_cannot_compile_the_version_in_force_writes_nothing_and_says_so() {
        start("c1", OLD);
        start("c2", NEXT);
        running.get("c1").submit(TO_C);
        settle();
        running.get("c2").audit();
        settle();
        assertThat(standsAside("c2")).hasValue("the cluster's compiler version is 1, and it can compile 2 to 3");
        assertThat(standsAside("c1")).isEmpty();
        assertThat(written()).containsExactly(1);
        assertThat(dataPlane.held("c")).isEmpty();
        assertThatThrownBy(() -> running.get("c2").submit(TO_D))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problems())
                                .singleElement()
                                .satisfies(problem -> assertThat(problem.code()).isEqualTo(Problem.Code.CONFLICT)));
        upgrade("c1", NEW);
        assertThat(standsAside("c2")).isEmpty();
        assertThat(installed()).containsExactly(2);
        assertThat(dataPlane.held("c").values()).containsExactly(Toy.sid(101));
    }

    /** Its entries stay, and it goes on when the version in force is one of its own again. */
    @Test
    void one_that_stands_aside_leaves_what_it_has_installed() {
        start("c1", NEXT);
        start("c2", NEXT);
        running.get("c1").submit(TO_C);
        settle();
        assertThat(installed()).containsExactly(3);
        dataPlane.forgetLog();
        start("c3", OLD);
        inventory.link("a", "c", false);
        settle();
        assertThat(standsAside("c1")).isPresent();
        assertThat(standsAside("c2")).isPresent();
        assertThat(dataPlane.log()).isEmpty();
        inventory.link("a", "c", true);
        leave("c3");
        assertThat(standsAside("c1")).isEmpty();
        assertThat(installed()).containsExactly(3);
    }

    @Test
    void a_single_controller_compiles_its_newest_version_and_stores_nothing_for_it() {
        try (Bench single = new Bench(inventory, dataPlane, store, QUIET.withCompilers(NEXT), new VersionedKind())) {
            single.connectAll();
            single.start();
            assertThat(store.writes()).isZero();
            single.submit(TO_C);
            assertThat(installed()).containsExactly(3);
            assertThat(store.all(CompilerAgreement.MAP)).isEmpty();
            assertThat(single.engine.compilerStatus()).isEqualTo(CompilerStatus.single(NEXT));
        }
    }

    @Test
    void releases_of_version_1_alone_store_nothing() {
        start("c1", OLD);
        start("c2", OLD);
        running.get("c1").submit(TO_C);
        settle();
        assertThat(store.all(CompilerAgreement.MAP)).isEmpty();
        assertThat(installed()).containsExactly(1);
    }

    /** Its commit also replaces the record of the version in force, so the condition of the one that raises it does not hold. */
    @Test
    void the_version_is_not_raised_past_a_member_that_publishes_at_the_same_moment() {
        others.add(member("c9", State.READY));
        start("c1", NEW);
        running.get("c1").submit(TO_B);
        settle();
        String inForce = store.get(CompilerAgreement.MAP, "in-force").orElseThrow();
        store.meanwhile(CompilerAgreement.MAP, "in-force", inForce.replace("\"number\":", "\"number\":7"));
        store.unheard(CompilerAgreement.MAP, "member/c3", OLD.encode());
        others.clear();
        divide();
        settle();
        assertThat(written()).containsExactly(1);
        await(running.get("c1").engine.idle());
        assertThat(inForce("c1")).isEqualTo(1);
    }
}
