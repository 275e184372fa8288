// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.Problem;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.Row;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.table.Entry;

/** Finds the intents that desire the same rows. */
final class RowConflicts {
    private final Set<TrackedIntent> owners;
    private final Map<TrackedIntent, List<TrackedIntent.Cell>> cells = new HashMap<>();

    RowConflicts(Set<TrackedIntent> owners) {
        this.owners = owners;
    }

    /** The rows that an intent desires. */
    List<TrackedIntent.Cell> cells(TrackedIntent intent) {
        return cells.getOrDefault(intent, List.of());
    }

    /** Replaces the rows that an intent desires; returns the younger intents that desire an added or removed row. */
    Set<TrackedIntent> exchange(TrackedIntent intent, List<TrackedIntent.Cell> wish) {
        Set<TrackedIntent> concerned = new LinkedHashSet<>();
        Set<Row> kept = new HashSet<>();
        wish.forEach(cell -> kept.add(cell.row()));
        for (TrackedIntent.Cell cell : cells(intent)) {
            if (!kept.contains(cell.row())) {
                addBehind(intent, cell.row(), concerned);
                cell.row().dropDesired(intent);
                cell.row().node().sweep(cell.row());
            }
        }
        for (TrackedIntent.Cell cell : wish) {
            addBehind(intent, cell.row(), concerned);
            cell.row().desired(intent, cell.entry());
        }
        if (wish.isEmpty()) {
            cells.remove(intent);
        } else {
            cells.put(intent, wish);
        }
        return concerned;
    }

    /** The younger intents that desire one of its rows. */
    Set<TrackedIntent> behind(TrackedIntent intent) {
        Set<TrackedIntent> behind = new LinkedHashSet<>();
        cells(intent).forEach(cell -> addBehind(intent, cell.row(), behind));
        return behind;
    }

    private static void addBehind(TrackedIntent intent, Row row, Set<TrackedIntent> behind) {
        for (Row.Claim claim : row.claims()) {
            if (claim.desired() != null && claim.owner().compareTo(intent) > 0) {
                behind.add(claim.owner());
            }
        }
    }

    /** One problem for each of its rows that an older intent owns. */
    List<Problem> against(TrackedIntent intent) {
        List<Problem> problems = new ArrayList<>();
        for (TrackedIntent.Cell cell : cells(intent)) {
            owner(intent, cell.row(), cell.entry(), true)
                    .ifPresent(owner ->
                            problems.add(problem(intent, intent.numbered().intent(), cell.row(), cell.entry(), owner)));
        }
        return problems;
    }

    /** One problem for each row of a plan that another intent owns, older or younger. */
    List<Problem> against(TrackedIntent intent, Object value, Plan plan, Map<String, NodeTable> nodes) {
        List<Problem> problems = new ArrayList<>();
        for (Plan.Placed placed : plan.entries()) {
            NodeTable node = nodes.get(placed.node());
            Optional.ofNullable(
                            node == null ? null : node.rows().get(placed.entry().key()))
                    .ifPresent(row -> owner(intent, row, placed.entry(), false)
                            .ifPresent(owner -> problems.add(problem(intent, value, row, placed.entry(), owner))));
        }
        return problems;
    }

    private Optional<TrackedIntent> owner(TrackedIntent intent, Row row, Entry entry, boolean onlyBefore) {
        for (Row.Claim claim : row.claims()) {
            TrackedIntent other = claim.owner();
            Entry wish = claim.desired();
            boolean inTheWay =
                    other != intent && owners.contains(other) && !(onlyBefore && other.compareTo(intent) > 0);
            if (inTheWay && wish != null && !shared(intent, other, entry, wish)) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }

    private static boolean shared(TrackedIntent one, TrackedIntent other, Entry entry, Entry others) {
        return one.kind().shares(entry) && other.kind().shares(entry) && entry.means(others);
    }

    private static Problem problem(TrackedIntent intent, Object value, Row row, Entry entry, TrackedIntent owner) {
        return new Problem(
                Problem.Code.CONFLICT,
                intent.kind().field(value, entry),
                row.key() + " on node " + row.node().name() + " belongs to " + owner.called(),
                "ask for something else, or delete " + owner.called() + " first");
    }
}
