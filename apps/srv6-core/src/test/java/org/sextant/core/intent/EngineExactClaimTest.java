// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.Problem;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.StoredIntent;

/** Numbers that operators choose: a conflict names the holder of the number. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineExactClaimTest {
    private static final Pool COLORS = new Pool("colors", 1, 100);

    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final Kind kind = new Kind();

    /** A toy whose name ends in its color, which it has at its first node; the first digit is its priority. */
    private static final class Kind extends Toy.Kind {
        final List<String> compiled = new ArrayList<>();

        @Override
        public String identity(Toy toy) {
            return toy.name();
        }

        @Override
        public int priority(Toy toy) {
            return Character.digit(toy.name().charAt(1), 10);
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            compiled.add(intent.id());
            Toy toy = intent.intent();
            long color = Long.parseLong(toy.name().substring(2));
            AllocationRequest claim =
                    new AllocationRequest(COLORS, 0).at(toy.head()).exactly(color);
            Plan plan = super.compile(intent, context);
            if (context.claim(intent, claim).isPresent()) {
                return plan;
            }
            String owner = context.holder(claim).map(IntentRef::id).orElse("nobody");
            return plan.refused(List.of(new Problem(Problem.Code.CONFLICT, "/name", "it is " + owner + "'s", "")));
        }
    }

    private Bench controller() {
        Bench bench = new Bench(inventory, dataPlane, store, Bench.QUIET, kind);
        bench.connectAll();
        bench.start();
        return bench;
    }

    private static Toy at(String name, String head) {
        return toy(name, "fd00:" + Integer.toHexString(0x100 + name.hashCode() % 0xeff) + "::/32", head + " d");
    }

    private static List<String> messages(Submission<Toy> submission) {
        return submission.outcomes().get(0).problems().stream()
                .map(Problem::message)
                .toList();
    }

    @Test
    void who_came_first_has_it_and_is_named() {
        try (Bench bench = controller()) {
            bench.submit(at("a17", "a"));
            assertThat(messages(bench.submit(at("b17", "a")))).containsExactly("it is a17's");
            bench.submit(at("b17", "b"), at("c18", "a"));
            assertThat(bench.status("b17").state()).as("at another node").isEqualTo(IntentState.INSTALLED);
            assertThat(bench.status("c18").state()).as("another one").isEqualTo(IntentState.INSTALLED);
            assertThat(bench.status("c18").intent().grants()).containsExactly(new Allocation("colors", 0, 8, 1));
            await(bench.engine.withdraw(kind, List.of("a17")));
            assertThat(messages(bench.submit(at("d17", "a")))).isEmpty();
        }
    }

    @Test
    void numbers_beyond_the_pool_are_nobodys() {
        try (Bench bench = controller()) {
            assertThat(messages(bench.submit(at("a1101", "a")))).containsExactly("it is nobody's");
        }
    }

    @Test
    void of_two_that_were_accepted_at_once_the_older_keeps_it_and_the_younger_comes_when_that_goes() {
        put(at("a17", "a"), 3);
        put(at("b17", "a"), 2);
        try (Bench bench = controller()) {
            bench.settle();
            assertThat(bench.status("b17").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(bench.status("a17").state()).isEqualTo(IntentState.FAILED);
            assertThat(bench.status("a17").problems())
                    .extracting(Problem::message)
                    .containsExactly("it is b17's");
            await(bench.engine.withdraw(kind, List.of("b17")));
            bench.settle();
            assertThat(bench.status("a17").state()).isEqualTo(IntentState.INSTALLED);
        }
    }

    private void put(Toy toy, int number) {
        IntentRef ref = new IntentRef("toy", toy.name());
        String text = StoredIntent.encode(ref, number, kind.encode(toy), List.of(new Allocation("colors", 0, 7, 1)));
        store.put("intents", Map.of(ref.toString(), text));
    }

    @Test
    void what_is_urgent_follows_the_network_first() {
        try (Bench bench = controller()) {
            bench.submit(at("a51", "a"), at("b92", "a"), at("c13", "a"), at("d14", "a"));
            kind.compiled.clear();
            inventory.link("a", "d", false);
            bench.settle();
            assertThat(kind.compiled).startsWith("c13", "d14", "a51", "b92");
        }
    }
}
