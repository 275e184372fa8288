// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.sextant.core.intent.Toy.toy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Steering;

/** Kinds of roads and of intents that refer to them, and nodes that check the order of writes. */
final class Travel {
    private Travel() {}

    /** Tracks its lists, and how many rows send packets into each. */
    static final class Agent {
        private final Map<Entry.Key, Entry> rows = new HashMap<>();
        private final Set<Integer> lists = new HashSet<>();
        private final Map<Integer, Integer> named = new HashMap<>();

        boolean refuses(Update update) {
            Entry entry = update.entry();
            OptionalInt list = entry.listId();
            OptionalInt into = entry.sendsInto();
            boolean removal = update.operation() == Operation.DELETE;
            if (removal ? list.isPresent() && named.getOrDefault(list.getAsInt(), 0) > 0 : !there(into)) {
                return true;
            }
            Entry before = removal ? rows.remove(entry.key()) : rows.put(entry.key(), entry);
            if (before != null) {
                before.sendsInto().ifPresent(id -> named.merge(id, -1, Integer::sum));
                before.listId().ifPresent(lists::remove);
            }
            if (!removal) {
                into.ifPresent(id -> named.merge(id, 1, Integer::sum));
                list.ifPresent(lists::add);
            }
            return false;
        }

        private boolean there(OptionalInt list) {
            return list.isEmpty() || lists.contains(list.getAsInt());
        }
    }

    /** The export of a road: its list, and the node of that. */
    record Lane(String node, int list) {}

    /** Toys that may change their list: one with an even number of hops has another list. */
    static final class Roads extends Toy.Kind {
        Roads() {
            super("road");
        }

        @Override
        public String identity(Toy toy) {
            return toy.name();
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            Plan plan = super.compile(intent, context);
            int list = 2 * intent.number() + intent.intent().path().size() % 2;
            return !plan.feasible()
                    ? plan
                    : new Plan(
                                    plan.entries().stream()
                                            .map(placed -> renumbered(placed, intent.intent(), list))
                                            .toList(),
                                    plan.explained(),
                                    plan.problems(),
                                    plan.warnings(),
                                    plan.dependsOn(),
                                    plan.passages())
                            .offering(new Lane(intent.intent().head(), list));
        }

        private static Plan.Placed renumbered(Plan.Placed placed, Toy toy, int list) {
            Entry entry = placed.entry();
            return entry.listId().isPresent()
                    ? new Plan.Placed(placed.node(), toy.list(list))
                    : entry instanceof Steering ? new Plan.Placed(placed.node(), toy.steering(list)) : placed;
        }
    }

    /** A prefix that is steered into a road. */
    record Rider(String road, String name, String prefix) {}

    static final class Riders implements IntentKind<Rider> {
        final AtomicInteger compiled = new AtomicInteger();

        @Override
        public String name() {
            return "rider";
        }

        @Override
        public ObjectNode encode(Rider rider) {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("road", rider.road())
                    .put("name", rider.name())
                    .put("prefix", rider.prefix());
        }

        @Override
        public Rider decode(JsonNode json) {
            return new Rider(
                    json.path("road").asText(),
                    json.path("name").asText(),
                    json.path("prefix").asText());
        }

        @Override
        public String identity(Rider rider) {
            return nomad(rider) ? rider.name() : rider.road() + " " + rider.name();
        }

        @Override
        public Optional<String> suggestedId(Rider rider) {
            return Optional.of(nomad(rider) ? rider.name() : rider.road() + "/" + rider.name());
        }

        /** True if a rider with the same identity may change to another road. */
        private static boolean nomad(Rider rider) {
            return rider.name().startsWith("n");
        }

        @Override
        public Set<IntentRef> refersTo(Rider rider) {
            return Set.of(new IntentRef("road", rider.road()));
        }

        @Override
        public Plan compile(NumberedIntent<Rider> intent, CompileContext context) {
            compiled.incrementAndGet();
            Rider rider = intent.intent();
            Lane lane = context.offered(new IntentRef("road", rider.road()), Lane.class, "/road");
            if (rider.name().startsWith("odd") && lane.list() % 2 == 0) {
                throw new ProblemException(new Problem(
                        Problem.Code.UNFEASIBLE, "/road", "lane " + lane.list() + " is even", "take another"));
            }
            return new Plan(
                    List.of(new Plan.Placed(
                            lane.node(), new Steering(0, IpPrefix.parse(rider.prefix()), lane.list(), true))),
                    Explained.NOTHING,
                    List.of(),
                    List.of(),
                    Dependence.only(List.of(lane.node())));
        }
    }

    /** Steers prefixes into two roads: "same" where both lists are even or both odd, "some" where one is odd. */
    record Commuter(String name, String there, String back) {}

    static final class Commuters implements IntentKind<Commuter> {
        @Override
        public String name() {
            return "commuter";
        }

        @Override
        public ObjectNode encode(Commuter one) {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("name", one.name())
                    .put("there", one.there())
                    .put("back", one.back());
        }

        @Override
        public Commuter decode(JsonNode json) {
            return new Commuter(
                    json.path("name").asText(),
                    json.path("there").asText(),
                    json.path("back").asText());
        }

        @Override
        public String identity(Commuter one) {
            return one.name();
        }

        @Override
        public Optional<String> suggestedId(Commuter one) {
            return Optional.of(one.name());
        }

        @Override
        public Set<IntentRef> refersTo(Commuter one) {
            return Set.of(new IntentRef("road", one.there()), new IntentRef("road", one.back()));
        }

        @Override
        public Plan compile(NumberedIntent<Commuter> intent, CompileContext context) {
            Commuter one = intent.intent();
            int there = list(one.there(), context);
            int back = list(one.back(), context);
            boolean same = one.name().startsWith("same");
            if (same ? there % 2 != back % 2 : there % 2 == 0 && back % 2 == 0) {
                throw new ProblemException(new Problem(
                        Problem.Code.UNFEASIBLE, "/there", "lanes " + there + " and " + back, "take another"));
            }
            return new Plan(List.of(), Explained.NOTHING, List.of(), List.of(), Dependence.NOTHING);
        }

        private static int list(String road, CompileContext context) {
            return context.offered(new IntentRef("road", road), Lane.class, "/there")
                    .list();
        }
    }
}
