// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.PassageOwner;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.passage.Passage;
import org.sextant.core.passage.PassageLoop;
import org.sextant.core.passage.Passages;
import org.sextant.core.table.Entry;

/**
 * Decides which intents are admitted, so that every entry has one owner and no packet loops.
 *
 * <p>The decision is a function of the desired plans and their order ({@link TrackedIntent#compareTo}) alone, never of
 * the order of submission: controllers that share a store decide alike, and so does a restart.
 *
 * <ol>
 *   <li><b>Rows</b>: in their order, each intent owns its rows unless one before it owns one of them. It is admitted as
 *       a whole or not at all.
 *   <li><b>Loops</b>: while packets would loop, the last of the owners in that loop is taken out. It keeps its rows
 *       from others, so that this never leads back to the first step.
 * </ol>
 *
 * Only changed intents and the later ones in the order are checked again; loops are searched anew as a whole when there
 * is or was one, which is rare.
 */
public final class ConflictResolver {
    /** Intents whose rows no intent before them owns. */
    private final Set<TrackedIntent> owners = new HashSet<>();

    private final RowConflicts conflicts = new RowConflicts(owners);
    private final TreeSet<TrackedIntent> changed = new TreeSet<>();

    /** Owners of their rows whose plans have passages. */
    private final TreeSet<TrackedIntent> leaders = new TreeSet<>();

    /** Owners that are not admitted because of a forwarding loop. */
    private final Map<TrackedIntent, PassageLoop<PassageOwner>> circling = new TreeMap<>();

    /** Entries without an intent that nodes may still hold, by key. */
    private final Map<String, Orphan> orphans = new TreeMap<>();

    /** Passages that were added or removed since the last search for loops. */
    private final Set<Passage> moved = new LinkedHashSet<>();

    private Passages.LocalHosts hosts = (place, prefix) -> List.of();
    private Passages<PassageOwner> passages = new Passages<>(hosts);
    private boolean everythingMoved;

    /** Hosts were added or removed: their traffic may loop now, or no more. */
    void hosts(Passages.LocalHosts now) {
        hosts = now;
        everythingMoved = true;
    }

    /** A node that cannot be written may still forward packets by the entries of a deleted or changed intent. */
    void orphaned(Orphan orphan) {
        gone(orphan);
        orphans.put(orphan.key(), orphan);
        orphan.passages().forEach(passage -> add(orphan, passage));
    }

    void gone(Orphan orphan) {
        Orphan before = orphans.remove(orphan.key());
        if (before != null) {
            before.passages().forEach(passage -> remove(before, passage));
        }
    }

    /** The rows of an intent's compiled plan. */
    List<TrackedIntent.Cell> cells(TrackedIntent intent) {
        return conflicts.cells(intent);
    }

    /** Replaces the desired plan of an intent; {@code cells} are the rows of {@code plan}, which is feasible or has none. */
    void wish(TrackedIntent intent, Plan plan, List<TrackedIntent.Cell> cells) {
        everythingMoved |= circling.containsKey(intent);
        if (owners.contains(intent)) {
            unlead(intent);
        }
        changed.addAll(conflicts.exchange(intent, cells));
        changed.add(intent);
        intent.desired(intent.desired().withCompiled(plan));
        if (owners.contains(intent)) {
            lead(intent);
        }
    }

    /** The intent desires nothing any more, and nothing is to be decided about it. */
    void forget(TrackedIntent intent) {
        unlead(intent);
        changed.addAll(conflicts.exchange(intent, List.of()));
        changed.remove(intent);
        leaders.remove(intent);
        everythingMoved |= circling.remove(intent) != null;
        owners.remove(intent);
    }

    /** Admits an intent at once; {@link #against} has nothing against it. */
    void grant(TrackedIntent intent, Plan plan, List<TrackedIntent.Cell> cells) {
        wish(intent, plan, cells);
        if (!owners.contains(intent)) {
            owners.add(intent);
            lead(intent);
        }
    }

    /** Decides about all changes; returns the intents whose decision may differ, or applies to another plan. */
    Set<TrackedIntent> decide() {
        Set<TrackedIntent> news = new TreeSet<>();
        while (!changed.isEmpty()) {
            TrackedIntent intent = changed.pollFirst();
            news.add(intent);
            boolean owns =
                    intent.compiled().feasible() && conflicts.against(intent).isEmpty();
            if (owns != owners.contains(intent)) {
                everythingMoved |= circling.containsKey(intent);
                if (!owns) {
                    unlead(intent);
                    owners.remove(intent);
                }
                if (owns) {
                    owners.add(intent);
                    lead(intent);
                }
                changed.addAll(conflicts.behind(intent));
            }
        }
        if (everythingMoved || !moved.isEmpty() && (!circling.isEmpty() || goRound(moved))) {
            news.addAll(breakCircles());
        }
        moved.clear();
        everythingMoved = false;
        return news;
    }

    private boolean goRound(Set<Passage> some) {
        return some.stream().anyMatch(passage -> passages.circle(passage).isPresent());
    }

    /** The plan that an intent is to follow: its own, or one that installs nothing and has the problems against it. */
    Plan verdict(TrackedIntent intent) {
        if (!intent.compiled().feasible()) {
            return intent.compiled();
        }
        List<Problem> problems = owners.contains(intent) ? List.of() : conflicts.against(intent);
        PassageLoop<PassageOwner> circle = circling.get(intent);
        if (owners.contains(intent) && circle != null) {
            problems = List.of(problem(intent, intent.numbered().intent(), intent.compiled(), circle));
        }
        return problems.isEmpty() ? intent.compiled() : intent.compiled().refused(problems);
    }

    /**
     * Returns the problems of giving an intent this plan: owners of its rows, and forwarding loops. Nothing changes.
     *
     * @param value the submitted intent, for the fields that problems name
     */
    List<Problem> against(TrackedIntent intent, Object value, Plan plan, Map<String, NodeTable> nodes) {
        List<Problem> problems = conflicts.against(intent, value, plan, nodes);
        if (!problems.isEmpty() || plan.passages().isEmpty() && leading(intent).isEmpty()) {
            return problems;
        }
        List<Passage> before = leading(intent);
        before.forEach(passage -> passages.remove(intent, passage));
        plan.passages().forEach(passage -> passages.add(intent, passage));
        Optional<PassageLoop<PassageOwner>> circle = Stream.concat(plan.passages().stream(), before.stream())
                .flatMap(passage -> passages.circle(passage).stream())
                .findFirst();
        plan.passages().forEach(passage -> passages.remove(intent, passage));
        before.forEach(passage -> passages.add(intent, passage));
        return circle.map(found -> List.of(problem(intent, value, plan, found))).orElse(List.of());
    }

    // Circles

    private Set<TrackedIntent> breakCircles() {
        Set<TrackedIntent> news = new TreeSet<>(circling.keySet());
        circling.clear();
        passages = new Passages<>(hosts);
        orphans.values().forEach(left -> left.passages().forEach(passage -> passages.add(left, passage)));
        leaders.forEach(leader -> leader.compiled().passages().forEach(passage -> passages.add(leader, passage)));
        boolean broken;
        do {
            broken = breakFirst();
        } while (broken);
        news.addAll(circling.keySet());
        return news;
    }

    /** False if no forwarding loop is left. */
    private boolean breakFirst() {
        for (TrackedIntent leader : leaders) {
            for (Passage passage : leading(leader)) {
                Optional<PassageLoop<PassageOwner>> circle = passages.circle(passage);
                if (circle.isPresent()) {
                    takeOut(last(circle.get()).orElse(leader), circle.get());
                    return true;
                }
            }
        }
        return false;
    }

    /** The last intent of the loop: orphaned entries cannot yield. */
    private static Optional<TrackedIntent> last(PassageLoop<PassageOwner> circle) {
        return circle.steps().stream()
                .filter(step -> step.owner() instanceof TrackedIntent)
                .map(step -> (TrackedIntent) step.owner())
                .max(TrackedIntent::compareTo);
    }

    private void takeOut(TrackedIntent intent, PassageLoop<PassageOwner> circle) {
        intent.compiled().passages().forEach(passage -> passages.remove(intent, passage));
        circling.put(intent, circle);
    }

    /** The passages of an intent that are among all passages now. */
    private List<Passage> leading(TrackedIntent intent) {
        return owners.contains(intent) && !circling.containsKey(intent)
                ? intent.compiled().passages()
                : List.of();
    }

    private void lead(TrackedIntent intent) {
        if (!intent.compiled().passages().isEmpty()) {
            leaders.add(intent);
            leading(intent).forEach(passage -> add(intent, passage));
        }
    }

    private void unlead(TrackedIntent intent) {
        leading(intent).forEach(passage -> remove(intent, passage));
        leaders.remove(intent);
    }

    private void add(PassageOwner whose, Passage passage) {
        passages.add(whose, passage);
        moved.add(passage);
    }

    private void remove(PassageOwner whose, Passage passage) {
        passages.remove(whose, passage);
        moved.add(passage);
    }

    private static Problem problem(TrackedIntent intent, Object value, Plan plan, PassageLoop<PassageOwner> circle) {
        Set<String> others = new LinkedHashSet<>();
        circle.steps().stream()
                .filter(step -> step.owner() != intent)
                .forEach(step -> others.add(step.owner().called()));
        String way = circle.text(
                step -> step.owner() == intent ? "this one" : step.owner().called());
        return new Problem(
                Problem.Code.UNFEASIBLE,
                field(intent, value, plan, circle),
                "packets to " + circle.destination() + " would go round for ever: " + way,
                "end the path where the packets are delivered, or steer others"
                        + (others.isEmpty() ? "" : ", or delete " + String.join(" or ", others) + " first"));
    }

    private static String field(TrackedIntent intent, Object value, Plan plan, PassageLoop<PassageOwner> circle) {
        List<String> fields = new ArrayList<>();
        for (Plan.Placed placed : plan.entries()) {
            boolean enters = placed.entry().stage() == Entry.Stage.INGRESS
                    && circle.steps().stream()
                            .anyMatch(step -> step.owner() == intent
                                    && step.passage().from().node().equals(placed.node()));
            if (enters) {
                fields.add(intent.kind().field(value, placed.entry()));
            }
        }
        return fields.stream().filter(field -> !field.isEmpty()).findFirst().orElse("");
    }
}
