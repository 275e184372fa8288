// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.Entry;

/**
 * Two controllers take submissions of the same intents at the same time while nodes change their controller, refuse,
 * disconnect and return. At the end, when all nodes are up, both have the same state, and the nodes hold exactly that.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineClusterChaosTest {
    private static final List<String> NODES = List.of("a", "b", "c", "d");
    private static final List<String> PATHS = List.of("a b", "a c d", "b a", "b c d", "c d", "c a b", "d a", "d b");
    private static final int STEPS = 40;

    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final List<Bench> controllers = List.of(controller(), controller());
    private final Map<String, Integer> handledBy = new HashMap<>();
    private Random random;

    private Bench controller() {
        return Bench.recorded(new Bench.Fakes(inventory, dataPlane, store), Bench.QUIET, new Toy.Kind());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void both_controllers_and_all_nodes_agree_in_the_end(long seed) {
        random = new Random(seed);
        NODES.forEach(node -> handledBy.put(node, random.nextInt(2)));
        share();
        controllers.get(0).connectAll();
        controllers.forEach(Bench::start);
        try {
            for (int i = 0; i < STEPS; i++) {
                disturb(NODES.get(random.nextInt(4)));
                if (random.nextBoolean()) {
                    settle();
                }
            }
            heal();
            everybodyAgrees();
        } finally {
            controllers.forEach(Bench::close);
        }
    }

    private void disturb(String node) {
        Bench controller = controllers.get(random.nextInt(2));
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> controller.engine.submit(controller.kind, toys());
            case 4 -> withdraw(controller);
            case 5 -> dataPlane.loseAfter(node, random.nextInt(4));
            case 6 -> dataPlane.connect(node);
            case 7 -> dataPlane.refuse(node, update -> update.operation() == Operation.INSERT, Code.INTERNAL, "chaos");
            case 8 -> dataPlane.obey(node);
            default -> {
                handledBy.merge(node, 1, (before, one) -> 1 - before);
                share();
            }
        }
    }

    private void share() {
        Map<String, Integer> now = Map.copyOf(handledBy);
        for (int i = 0; i < 2; i++) {
            int self = i;
            controllers.get(i).coordination.mine(key -> now.getOrDefault(key, 0) == self);
        }
    }

    private List<Toy> toys() {
        List<Toy> toys = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            int name = random.nextInt(6);
            String path = PATHS.get(random.nextInt(PATHS.size()));
            toys.add(toy("p" + name + path.charAt(0), "fd00:" + name + path.charAt(0) + "::/64", path));
        }
        return toys;
    }

    private static void withdraw(Bench controller) {
        List<IntentStatus<Toy>> all = controller.engine.list(controller.kind);
        if (!all.isEmpty()) {
            try {
                controller.engine.withdraw(controller.kind, List.of(all.get(0).id()));
            } catch (ProblemException e) {
                assertThat(e.problems())
                        .as("the other was faster")
                        .extracting(Problem::code)
                        .containsExactly(Problem.Code.UNKNOWN);
            }
        }
    }

    /** The writes of one controller are events at the other. */
    private void settle() {
        for (int i = 0; i < 3; i++) {
            controllers.forEach(Bench::settle);
        }
    }

    private void heal() {
        for (String node : NODES) {
            dataPlane.obey(node);
            dataPlane.loseAfter(node, -1);
            dataPlane.connect(node);
        }
        settle();
        for (int i = 0; i < 3; i++) {
            controllers.forEach(Bench::audit);
            settle();
        }
    }

    private void everybodyAgrees() {
        List<IntentStatus<Toy>> all = controllers.get(0).engine.list(controllers.get(0).kind);
        for (Bench controller : controllers) {
            assertThat(controller.events).noneMatch(EngineEvent.Fault.class::isInstance);
            assertThat(controller.engine.list(controller.kind))
                    .extracting(status -> status.id() + " " + status.state())
                    .allMatch(line -> line.endsWith("INSTALLED"));
            assertThat(controller.engine.list(controller.kind))
                    .extracting(IntentStatus::intent)
                    .containsExactlyElementsOf(
                            all.stream().map(IntentStatus::intent).toList());
        }
        assertThat(all)
                .extracting(status -> status.ref().toString())
                .containsExactlyElementsOf(store.all("intents").keySet());
        assertThat(all).extracting(status -> status.intent().number()).doesNotHaveDuplicates();
        for (String node : NODES) {
            Set<String> wanted = all.stream()
                    .flatMap(status -> status.plan().entries().stream())
                    .filter(placed -> placed.node().equals(node))
                    .map(placed -> placed.entry().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(dataPlane.held(node).values())
                    .extracting(Entry::toString)
                    .as("node %s", node)
                    .containsExactlyInAnyOrderElementsOf(wanted);
        }
    }
}
