// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/** The fate of intents in another network: the predicted one is the later one, and until then no state changes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineWhatIfTest {

    /** Goes over c when the direct link is down; one named brave installs nothing in that case, and states it. */
    private static final class Loose extends Toy.Kind {
        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            Plan direct = super.compile(intent, context);
            if (direct.feasible()) {
                return direct;
            }
            Toy toy = intent.intent();
            if (toy.name().startsWith("brave")) {
                return new Plan(
                        List.of(), Explained.NOTHING, List.of(), List.of("nothing is left"), Dependence.EVERYTHING);
            }
            return super.compile(
                    new NumberedIntent<>(
                            intent.id(),
                            intent.number(),
                            new Toy(toy.name(), toy.prefix(), List.of(toy.head(), "c", toy.tail()))),
                    context);
        }
    }

    private final Bench bench = new Bench(
            new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), Bench.QUIET, new Loose());

    EngineWhatIfTest() {
        bench.connectAll();
        bench.start();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private WhatIfResult without(String... nodes) {
        return bench.engine.foresee(
                with(link -> List.of(nodes).contains(link.from().node())
                                && List.of(nodes).contains(link.to().node())
                        ? link.withUp(false)
                        : link));
    }

    private Network with(UnaryOperator<Link> change) {
        Network now = bench.inventory.snapshot();
        return new Network(
                now.nodes().values(),
                now.links().stream().map(change).toList(),
                now.hosts().values());
    }

    @Test
    void what_is_foretold_is_what_happens_and_until_then_nothing_has() {
        bench.submit(
                toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "c d"), toy("brave", "fd00:3::/64", "a b"));
        bench.dataPlane.forgetLog();
        WhatIfResult foresight = without("a", "b");
        assertThat(bench.log()).isEmpty();
        assertThat(foresight.untouched()).isEqualTo(1);
        assertThat(foresight.changed())
                .extracting(one -> one.intent().id() + " " + one.fate() + " " + one.entries() + " " + one.warnings())
                .containsExactly("brave FALLS_BACK 3 [nothing is left]", "p1 MOVED 1 []");
        WhatIfOutcome moved = foresight.changed().get(1);
        bench.inventory.link("a", "b", false);
        bench.settle();
        assertThat(bench.log()).filteredOn(write -> write.contains("id 1")).containsExactly("a MODIFY sid_list id 1");
        assertThat(links(bench.status("p1").plan().dependsOn().names())).isEqualTo(new TreeSet<>(moved.after()));
    }

    private Set<String> links(List<String> names) {
        List<String> links = new ArrayList<>(names);
        links.removeIf(name -> bench.inventory.snapshot().node(name).isPresent());
        return new TreeSet<>(links);
    }

    @Test
    void what_breaks_is_told_with_its_reason_and_stays_installed() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        WhatIfResult foresight =
                bench.engine.foresee(with(link -> link.from().node().equals("a") ? link.withUp(false) : link));
        assertThat(foresight.changed())
                .singleElement()
                .satisfies(one -> assertThat(one.fate()).isEqualTo(WhatIfOutcome.Fate.BROKEN))
                .satisfies(one ->
                        assertThat(one.problems()).extracting(Problem::message).containsExactly("no link from a to c"));
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void what_failed_is_no_loss_and_a_better_network_mends_it() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.inventory.link("a", "b", false);
        bench.inventory.link("a", "c", false);
        bench.settle();
        assertThat(without("c", "d").changed()).isEmpty();
        WhatIfResult mended = bench.engine.foresee(with(link -> link.withUp(true)));
        assertThat(mended.changed()).extracting(WhatIfOutcome::fate).containsExactly(WhatIfOutcome.Fate.MENDED);
    }
}
