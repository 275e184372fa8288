// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Standby;

/**
 * One pass over the nodes: the changes of all intents that waited, as writes in the order of make-before-break.
 *
 * <pre>
 *   add    adjacencies, lists, behaviors | change lists | ingress       receiving entries before sending ones
 *   remove ingress | behaviors, lists, adjacencies                      sending entries before receiving ones
 * </pre>
 *
 * Each step is one batch per node, all nodes at once; a step begins when the one before has ended on every node. A list
 * that exists already carries traffic, so changing it is a matter of ingress and waits for the behaviors; a new list
 * carries none, and behaviors (binding SIDs) may name it.
 *
 * <p>A change of a row after which more packets pass has its place among additions, one after which fewer do among removals:
 * both are about packets that others send ({@link Entry.Change}).
 *
 * <p>Routes to prefixes that are in use are written one by one, behind the other behaviors, as confirmations allow
 * ({@link RouteWrites}). A standby, which is of ingress, stays unchanged until the routes of the round are confirmed,
 * and as long as its own route is held back.
 *
 * <p>Removals go by precedence, lower ones first: a packet in flight between two lookups (a switch may look up twice)
 * then matches the entry for it or none, and never one of lower precedence.
 */
final class UpdatePlan {

    /** The steps, in order. */
    enum Step {
        ADD_ADJACENCIES,
        ADD_LISTS,
        ADD_BEHAVIORS,
        CHANGE_LISTS,
        ADD_INGRESS,
        REMOVE_INGRESS,
        REMOVE_BEHAVIORS,
        REMOVE_LISTS,
        REMOVE_ADJACENCIES;

        static Step of(Operation operation, Entry.Stage stage) {
            boolean remove = operation == Operation.DELETE;
            return switch (stage) {
                case ADJACENCY -> remove ? REMOVE_ADJACENCIES : ADD_ADJACENCIES;
                case LISTS -> remove ? REMOVE_LISTS : operation == Operation.INSERT ? ADD_LISTS : CHANGE_LISTS;
                case BEHAVIORS -> remove ? REMOVE_BEHAVIORS : ADD_BEHAVIORS;
                case INGRESS -> remove ? REMOVE_INGRESS : ADD_INGRESS;
            };
        }

        /** The step of a row that holds something else, by {@link Entry.Change}. */
        static Step ofChange(Entry entry, Entry held) {
            Operation like = switch (entry.from(held)) {
                case ALTERS -> Operation.MODIFY;
                case WIDENS -> Operation.INSERT;
                case NARROWS -> Operation.DELETE;
            };
            return of(like, entry.stage());
        }
    }

    /** The transition of one intent from its earlier entries to the admitted ones. */
    static final class Change {
        final TrackedIntent intent;
        final List<TrackedIntent.Cell> before;

        /** The rows that are to hold something else than before. */
        final List<Row> touched;

        private Map<Row, Failure> failures = Map.of();
        private Set<String> lostNodes = Set.of();

        Change(TrackedIntent intent, List<TrackedIntent.Cell> before, List<Row> touched) {
            this.intent = intent;
            this.before = before;
            this.touched = touched;
        }

        void fail(Row row, Failure failure) {
            if (failures.isEmpty()) {
                failures = new HashMap<>();
            }
            failures.put(row, failure);
        }

        void lose(String node) {
            if (lostNodes.isEmpty()) {
                lostNodes = new HashSet<>();
            }
            lostNodes.add(node);
        }

        Map<Row, Failure> failures() {
            return failures;
        }

        Set<String> lostNodes() {
            return lostNodes;
        }

        /** The rest of it must not be written, and its earlier entries are to be restored. */
        boolean failed() {
            return intent.kind.atomic() && !(failures.isEmpty() && lostNodes.isEmpty());
        }
    }

    /** One update and the changes that need it; none for a repair or an undo. */
    record Write(Row row, Update update, Collection<Change> causes) {

        /** True if all changes that need it have failed. */
        boolean moot() {
            return !causes.isEmpty() && causes.stream().allMatch(Change::failed);
        }
    }

    private static final Comparator<Write> BY_KEY = Comparator.comparing(write -> write.row().key);

    private static final Comparator<Write> LEAST_REMOVED_FIRST = Comparator.<Write>comparingInt(
                    write -> write.update().operation() == Operation.DELETE
                            ? write.update().entry().precedence()
                            : 0)
            .thenComparing(BY_KEY);

    final List<Change> changes;

    /** Intents whose undoing is part of this plan. */
    final Set<TrackedIntent> undoing;

    private final Map<Row, List<Change>> causes = new HashMap<>();
    private final EnumMap<Step, SortedMap<String, List<Write>>> steps = new EnumMap<>(Step.class);

    private @Nullable RouteWrites routes;

    UpdatePlan(List<Change> changes, Set<TrackedIntent> undoing) {
        this.changes = changes;
        this.undoing = Set.copyOf(undoing);
        for (Change change : changes) {
            change.touched.forEach(row -> causes.merge(row, List.of(change), UpdatePlan::both));
        }
    }

    private static List<Change> both(List<Change> some, List<Change> more) {
        List<Change> both = new ArrayList<>(some);
        more.stream().filter(change -> !some.contains(change)).forEach(both::add);
        return List.copyOf(both);
    }

    void plan(Row row, Operation operation) {
        Entry entry = Objects.requireNonNull(
                operation == Operation.DELETE ? row.held : row.wanted(),
                "what is held is deleted, what is wanted written");
        Write write = new Write(row, new Update(operation, entry), causes.getOrDefault(row, List.of()));
        Step place = operation == Operation.MODIFY && row.held != null
                ? Step.ofChange(entry, row.held)
                : Step.of(operation, entry.stage());
        steps.computeIfAbsent(place, step -> new TreeMap<>())
                .computeIfAbsent(row.node.name, node -> new ArrayList<>())
                .add(write);
    }

    /** Takes routes out of their step, when all is planned. */
    void order(RouteWrites ordered) {
        routes = ordered;
        for (List<Write> writes :
                steps.getOrDefault(Step.ADD_BEHAVIORS, new TreeMap<>()).values()) {
            writes.stream().filter(ordered::orders).sorted(BY_KEY).forEach(ordered::add);
            writes.removeIf(ordered::orders);
        }
    }

    /** Takes out the routes that can be written now, while others wait for writes in flight. */
    SortedMap<String, List<Write>> nextRoutes(Set<String> busy) {
        return routesAreNext() ? Objects.requireNonNull(routes).takeReady(busy) : new TreeMap<>();
    }

    private boolean routesAreNext() {
        Step first = steps.keySet().stream().findFirst().orElse(null);
        return routes != null && !routes.isEmpty() && (first == null || first.compareTo(Step.ADD_BEHAVIORS) > 0);
    }

    /** The node answered, or is lost. */
    void answered(List<Write> writes) {
        if (routes != null) {
            writes.forEach(write -> routes.answered(write.row()));
        }
    }

    /** Takes out the writes of the next step that still has some, by node; empty when all is done. */
    SortedMap<String, List<Write>> nextStep(Instant now) {
        SortedMap<String, List<Write>> step = new TreeMap<>();
        while (step.isEmpty() && (routesAreNext() || !steps.isEmpty())) {
            if (routesAreNext()) {
                step = nextRoutes(Set.of());
                if (step.isEmpty()) {
                    Objects.requireNonNull(routes).holdBack().forEach((row, by) -> holdBack(row, by, now));
                }
            } else {
                step = steps.remove(steps.keySet().iterator().next());
                step.values().forEach(writes -> writes.removeIf(Write::moot));
                step.values().forEach(writes -> writes.sort(LEAST_REMOVED_FIRST));
                step.values().removeIf(List::isEmpty);
            }
        }
        return step;
    }

    /** The route stays unchanged, and so do its standby and the list that this sends into. */
    private void holdBack(Row route, String by, Instant now) {
        NodeTable node = route.node;
        node.holdBack(route, by, now);
        Row standby = node.rows.get(new Entry.Key(Standby.TABLE, route.key.matched()));
        if (standby != null && standby.held != null) {
            OptionalInt list = standby.held.sendsInto();
            take(node, write -> write.row() == standby).forEach(row -> node.holdBack(row, by, now));
            take(
                            node,
                            write -> write.update().operation() == Operation.DELETE
                                    && list.isPresent()
                                    && write.update().entry().listId().equals(list))
                    .forEach(row -> node.holdBack(row, by, now));
        }
    }

    private List<Row> take(NodeTable node, Predicate<Write> which) {
        List<Row> taken = new ArrayList<>();
        steps.values()
                .forEach(step -> step.getOrDefault(node.name, new ArrayList<>())
                        .removeIf(write -> which.test(write) && taken.add(write.row())));
        return taken;
    }

    /** A node is lost: nothing more is written to it, and the changes that have something to write there fail. */
    void lose(String node, List<Write> inFlight) {
        fail(node, inFlight);
        lose(node, steps.values());
        if (routes != null) {
            fail(node, routes.lose(node));
            inFlight.forEach(write -> routes.answered(write.row()));
        }
    }

    private static void lose(String node, Collection<SortedMap<String, List<Write>>> steps) {
        steps.forEach(step -> {
            List<Write> writes = step.remove(node);
            if (writes != null) {
                fail(node, writes);
            }
        });
        steps.removeIf(Map::isEmpty);
    }

    private static void fail(String node, List<Write> writes) {
        writes.stream()
                .filter(write -> write.update().operation() != Operation.DELETE)
                .forEach(write -> write.causes().forEach(change -> change.lose(node)));
    }
}
