// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.Problem;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.allocate.ReservationTable;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/**
 * Intents that reserve capacity: trucks, which take the first of their roads with room. Two controllers over one store.
 */
@Timeout(120)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineCapacityTest {
    private static final int CAPACITY = 10;
    private static final List<String> LINKS = List.of("a/2-b/1", "b/3-c/2", "a/3-c/1", "a/4-d/1");

    private final FakeStore store = new FakeStore();
    private final FakeInventory inventory = new FakeInventory(square(CAPACITY));
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final Trucks trucks = new Trucks();
    private final IntentEngine first = engine(true);
    private final IntentEngine second = engine(false);

    /** @param roads each one or two links; the first with room is taken */
    private record Truck(String name, List<String> roads, long kbps, SetupHoldPriority standing, String behind) {}

    private static final class Trucks implements IntentKind<Truck> {
        @Override
        public String name() {
            return "truck";
        }

        @Override
        public ObjectNode encode(Truck truck) {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("name", truck.name())
                    .put("roads", String.join(" ", truck.roads()))
                    .put("kbps", truck.kbps())
                    .put("setup", truck.standing().setup())
                    .put("hold", truck.standing().hold())
                    .put("behind", truck.behind());
        }

        @Override
        public Truck decode(JsonNode json) {
            return new Truck(
                    json.get("name").asText(),
                    List.of(json.get("roads").asText().split(" ")),
                    json.get("kbps").asLong(),
                    new SetupHoldPriority(
                            json.get("setup").asInt(), json.get("hold").asInt()),
                    json.get("behind").asText());
        }

        @Override
        public String identity(Truck truck) {
            return truck.name();
        }

        @Override
        public Optional<String> suggestedId(Truck truck) {
            return Optional.of(truck.name());
        }

        @Override
        public Set<IntentRef> refersTo(Truck truck) {
            return truck.behind().isEmpty() ? Set.of() : Set.of(new IntentRef("truck", truck.behind()));
        }

        @Override
        public Optional<SetupHoldPriority> standing(Truck truck) {
            return Optional.of(truck.standing());
        }

        @Override
        public Map<String, Long> reserves(NumberedIntent<Truck> truck, Plan plan) {
            return ((Load) plan.explained())
                    .links().stream()
                            .collect(Collectors.toMap(
                                    link -> link, link -> truck.intent().kbps()));
        }

        @Override
        public Object offers(NumberedIntent<Truck> truck, Plan plan) {
            return plan.explained();
        }

        @Override
        public Plan compile(NumberedIntent<Truck> truck, CompileContext context) {
            Truck one = truck.intent();
            Reserved reserved = context.reserved(new PreemptionKey(
                    new IntentRef("truck", truck.id()), truck.number(), one.standing(), refersTo(one)));
            Set<String> closed = reserved.lacking(one.kbps());
            Set<String> avoided = one.behind().isEmpty()
                    ? Set.of()
                    : context.referred(new IntentRef("truck", one.behind()))
                            .flatMap(ReferencedIntent::offer)
                            .map(offer -> Set.copyOf(((Load) offer).links()))
                            .orElse(Set.of());
            return one.roads().stream()
                    .map(road -> List.of(road.split("\\+")))
                    .filter(road -> road.stream()
                            .noneMatch(link -> closed.contains(link)
                                    || avoided.contains(link)
                                    || context.network().links().stream()
                                            .noneMatch(up -> up.id().equals(link) && up.capacityKbps() >= one.kbps())))
                    .findFirst()
                    .map(road -> new Plan(
                            List.of(new Plan.Placed("a", Toy.sid(truck.number()))),
                            new Load(road),
                            List.of(),
                            List.of(),
                            Dependence.on(road)))
                    .orElseGet(() -> Plan.rejected(
                            List.of(new Problem(Problem.Code.UNFEASIBLE, "", "no room among " + closed, "wait"))));
        }
    }

    private record Load(List<String> links) implements Explained {
        @Override
        public ObjectNode json() {
            return JsonNodeFactory.instance.objectNode();
        }
    }

    private static Network square(long kbps) {
        Network plain = Bench.square();
        List<Link> links =
                plain.links().stream().map(link -> link.withCapacityKbps(kbps)).toList();
        return new Network(plain.nodes().values(), links, List.of());
    }

    private IntentEngine engine(boolean writes) {
        FakeCoordination coordination = new FakeCoordination();
        coordination.mine(key -> writes);
        IntentEngine engine = new IntentEngine(inventory, dataPlane, store, coordination, Bench.QUIET);
        engine.register(trucks);
        engine.start();
        return engine;
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private static Truck truck(String name, String roads, long kbps, int setup, int hold) {
        return new Truck(name, List.of(roads.split(" ")), kbps, new SetupHoldPriority(setup, hold), "");
    }

    private Submission.Outcome<Truck> submit(Truck truck) {
        Submission<Truck> submission = first.submit(trucks, List.of(truck));
        settle();
        return submission.outcomes().get(0);
    }

    private void settle() {
        await(first.idle());
        await(second.idle());
    }

    private Map<String, List<String>> roads(IntentEngine engine) {
        Map<String, List<String>> roads = new TreeMap<>();
        engine.list(trucks).stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .forEach(status -> roads.put(
                        status.id(),
                        status.plan().feasible() ? ((Load) status.plan().explained()).links() : List.of()));
        return roads;
    }

    @Test
    void who_comes_later_takes_what_is_left_and_is_refused_where_nothing_is() {
        submit(truck("t1", "a/2-b/1", 6, 7, 7));
        submit(truck("t2", "a/2-b/1 a/4-d/1", 6, 7, 7));
        assertThat(submit(truck("t3", "a/2-b/1 a/4-d/1", 6, 7, 7)).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("no room"));
        assertThat(roads(first)).isEqualTo(Map.of("t1", List.of("a/2-b/1"), "t2", List.of("a/4-d/1")));
        await(first.withdraw(trucks, List.of("t1")));
        settle();
        assertThat(roads(first)).as("what came free is better").isEqualTo(Map.of("t2", List.of("a/2-b/1")));
        assertThat(first.reservations())
                .containsExactly(
                        new Reservation("a/2-b/1", new IntentRef("truck", "t2"), new SetupHoldPriority(7, 7), 6));
    }

    @Test
    void a_better_one_takes_it_and_the_other_searches_anew() {
        submit(truck("t1", "a/2-b/1 a/4-d/1", 6, 7, 7));
        submit(truck("t2", "a/4-d/1", 5, 7, 7));
        submit(truck("t3", "a/2-b/1", 6, 4, 4));
        assertThat(roads(first)).isEqualTo(Map.of("t1", List.of("a/4-d/1"), "t2", List.of(), "t3", List.of("a/2-b/1")));
        assertThat(first.get(trucks, "t2").orElseThrow().state()).isEqualTo(IntentState.FAILED);
        submit(truck("t3", "a/2-b/1", 4, 4, 4));
        assertThat(roads(first)).as("all fits again").containsEntry("t1", List.of("a/2-b/1"));
        assertThat(roads(first)).containsEntry("t2", List.of("a/4-d/1"));
    }

    @Test
    void a_link_that_loses_capacity() {
        submit(truck("t1", "a/2-b/1 a/4-d/1", 6, 7, 7));
        inventory.set(new Network(
                inventory.snapshot().nodes().values(),
                inventory.snapshot().links().stream()
                        .map(link -> link.id().equals("a/2-b/1") ? link.withCapacityKbps(5) : link)
                        .toList(),
                List.of()));
        settle();
        assertThat(roads(first)).isEqualTo(Map.of("t1", List.of("a/4-d/1")));
    }

    static Stream<Integer> seeds() {
        return IntStream.range(0, 25).boxed();
    }

    /** The result is that of one pass over the intents, the first in the order first; at both controllers. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatever_happens_it_is_what_comes_of_the_set_of_them(int seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 40; step++) {
            String name = "t" + random.nextInt(8);
            if (random.nextInt(5) == 0 && first.get(trucks, name).isPresent() && leaves(name)) {
                await(first.withdraw(trucks, List.of(name)));
            } else {
                first.submit(trucks, List.of(random(random, name)));
            }
            settle();
        }
        Map<String, List<String>> expected = expected();
        assertThat(roads(first)).isEqualTo(expected);
        assertThat(roads(second)).isEqualTo(expected);
        try (IntentEngine restarted = engine(false)) {
            await(restarted.idle());
            assertThat(roads(restarted)).isEqualTo(expected);
        }
    }

    private boolean leaves(String name) {
        return first.referers(new IntentRef("truck", name)).isEmpty();
    }

    private static Truck random(Random random, String name) {
        List<String> roads = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            String road = LINKS.get(random.nextInt(LINKS.size()));
            String more = LINKS.get(random.nextInt(LINKS.size()));
            roads.add(random.nextBoolean() || road.equals(more) ? road : road + "+" + more);
        }
        int setup = random.nextInt(8);
        int hold = random.nextBoolean() ? setup : random.nextInt(setup + 1);
        String behind = random.nextInt(3) == 0 ? "t" + random.nextInt(8) : "";
        return new Truck(name, roads, 1 + random.nextInt(7), new SetupHoldPriority(setup, hold), behind);
    }

    /** The expected result from the stored intents alone. */
    private Map<String, List<String>> expected() {
        Map<IntentRef, NumberedIntent<Truck>> all = new TreeMap<>();
        first.list(trucks).stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .forEach(status -> all.put(new IntentRef("truck", status.id()), status.intent()));
        ReservationTable ledger = new ReservationTable(
                ref -> all.containsKey(ref) ? trucks.refersTo(all.get(ref).intent()) : Set.of());
        all.forEach((ref, truck) -> ledger.put(new ReservationTable.Reservations(
                new PreemptionKey(ref, truck.number(), truck.intent().standing(), trucks.refersTo(truck.intent())),
                Map.of())));
        Map<String, List<String>> roads = new TreeMap<>();
        Map<String, Long> taken = new TreeMap<>();
        for (ReservationTable.Reservations account : ledger.inOrder()) {
            Truck truck = all.get(account.seat().ref()).intent();
            List<String> avoided = roads.getOrDefault(truck.behind(), List.of());
            List<String> road = truck.roads().stream()
                    .map(one -> List.of(one.split("\\+")))
                    .filter(one -> one.stream()
                            .allMatch(link ->
                                    !avoided.contains(link) && taken.getOrDefault(link, 0L) + truck.kbps() <= CAPACITY))
                    .findFirst()
                    .orElse(List.of());
            road.forEach(link -> taken.merge(link, truck.kbps(), Long::sum));
            roads.put(truck.name(), road);
        }
        return roads;
    }
}
