// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.table.Entry;

/**
 * The stages in which an intent changes whose entries are at nodes of several controllers (ADR 46). A controller orders the
 * writes to its own nodes ({@link UpdatePlan}); among controllers, {@link EntryReports} order them:
 *
 * <ol>
 *   <li>Entries that receive packets are written.
 *   <li>When this controller's reports about the plan are stored, and all receiving entries at nodes of other controllers are
 *       confirmed, entries that send are written, and old ones of ingress removed.
 *   <li>When no node of another controller may send by an earlier plan, all other entries of earlier plans are removed.
 * </ol>
 *
 * <em>No packet is sent into an entry that is not there</em>: a node sends by a plan after its receivers have confirmed, and these
 * keep their entries until the reports about all senders exclude the plan. <em>No standstill</em>: reports of receivers
 * depend on no other report, and those of senders on receivers only.
 */
final class UpdateStages {
    private final SortedMap<String, NodeTable> nodes;
    private final EntryReports reports;
    private final IntentIndex intents;

    /** Intents that wait for reports, by reference: one that is removed and one that has its name since. */
    private final Map<IntentRef, Set<TrackedIntent>> waiting = new HashMap<>();

    /**
     * The entries that an intent can have now.
     *
     * @param cells {@link TrackedIntent#admitted} itself if no report is missing
     * @param sends true if entries that send are those of the present plan
     * @param awaited nodes whose reports the next stage waits for
     */
    record Stage(List<TrackedIntent.Cell> cells, boolean sends, Set<String> awaited) {}

    UpdateStages(SortedMap<String, NodeTable> nodes, EntryReports reports, IntentIndex intents) {
        this.nodes = nodes;
        this.reports = reports;
        this.intents = intents;
    }

    /** Intents of this reference whose next stage waits for reports. */
    List<TrackedIntent> waiting(IntentRef ref) {
        return List.copyOf(waiting.getOrDefault(ref, Set.of()));
    }

    /** @param nodes from whose reports the next stage follows; none if nothing is withheld */
    void await(TrackedIntent intent, Set<String> nodes) {
        intent.awaited = nodes;
        if (!nodes.isEmpty()) {
            waiting.computeIfAbsent(intent.ref, none -> new LinkedHashSet<>()).add(intent);
        } else if (waiting.containsKey(intent.ref)) {
            waiting.get(intent.ref).remove(intent);
            waiting.computeIfPresent(intent.ref, (ref, some) -> some.isEmpty() ? null : some);
        }
    }

    boolean isNextOpen(TrackedIntent intent) {
        return !next(intent).cells().equals(intent.applied);
    }

    /** The stage that follows the applied entries. */
    Stage next(TrackedIntent intent) {
        Stage whole = new Stage(intent.admitted, true, Set.of());
        if (!intent.kind.atomic() || !reports.about(intent) || intent.isCurrent() || isOfOneController(intent)) {
            return whole;
        }
        Set<String> unready = unready(intent);
        boolean settled = reports.areSettled(intent);
        // Ingress that goes without another one needs no promise: its path may be broken.
        boolean sends = intent.admitted.isEmpty() || settled && unready.isEmpty();
        Set<String> awaited = !unready.isEmpty() ? unready : settled ? senders(intent) : own(intent);
        return awaited.isEmpty() ? whole : partial(intent, sends, awaited).orElse(whole);
    }

    /** Empty if nothing is withheld. */
    private static Optional<Stage> partial(TrackedIntent intent, boolean sends, Set<String> awaited) {
        Map<Row, Entry> before = entries(intent.applied);
        Map<Row, Entry> after = entries(intent.admitted);
        List<TrackedIntent.Cell> cells = new ArrayList<>();
        boolean partial = false;
        for (TrackedIntent.Cell cell : intent.admitted) {
            @Nullable Entry old = before.get(cell.row());
            boolean withheld =
                    !sends && sends(cell.entry(), old) && !cell.entry().equals(old);
            partial |= withheld;
            if (!withheld) {
                cells.add(cell);
            } else if (old != null) {
                cells.add(new TrackedIntent.Cell(cell.row(), old));
            }
        }
        for (TrackedIntent.Cell cell : intent.applied) {
            if (!after.containsKey(cell.row()) && (!sends || !isIngress(cell.entry()))) {
                partial = true;
                cells.add(cell);
            }
        }
        return partial ? Optional.of(new Stage(List.copyOf(cells), sends, awaited)) : Optional.empty();
    }

    private static boolean isOfOneController(TrackedIntent intent) {
        return Stream.concat(intent.admitted.stream(), intent.applied.stream()).allMatch(cell -> cell.row().node.mine);
    }

    private static Set<String> own(TrackedIntent intent) {
        return Stream.concat(intent.admitted.stream(), intent.applied.stream())
                .map(cell -> cell.row().node)
                .filter(node -> node.mine)
                .map(node -> node.name)
                .collect(Collectors.toSet());
    }

    private static Map<Row, Entry> entries(List<TrackedIntent.Cell> cells) {
        Map<Row, Entry> entries = new HashMap<>(2 * cells.size());
        cells.forEach(cell -> entries.put(cell.row(), cell.entry()));
        return entries;
    }

    static boolean isIngress(Entry entry) {
        return entry.stage() == Entry.Stage.INGRESS;
    }

    /** A list, or a binding SID, that exists carries packets; a new one does not before ingress follows. */
    private static boolean sends(Entry entry, @Nullable Entry old) {
        return isIngress(entry)
                || old != null
                        && (entry.stage() == Entry.Stage.LISTS
                                || entry.sendsInto().isPresent());
    }

    /** True for entries that packets of other nodes meet. */
    static boolean receives(Entry entry) {
        return entry.stage() == Entry.Stage.BEHAVIORS || entry.stage() == Entry.Stage.ADJACENCY;
    }

    /** True for entries by which a node sends packets of an intent that its plan has. */
    static boolean sends(Entry entry) {
        return isIngress(entry) || entry.stage() == Entry.Stage.LISTS;
    }

    /** True if a receiving entry is confirmed, or is a binding SID that packets may enter before it changes. */
    static boolean isReady(TrackedIntent.Cell cell) {
        Row row = cell.row();
        return row.holds(cell.entry())
                || row.held != null && cell.entry().sendsInto().isPresent();
    }

    /** Nodes of other controllers that have not confirmed all entries of the plan that receive packets. */
    private Set<String> unready(TrackedIntent intent) {
        Map<NodeTable, List<TrackedIntent.Cell>> elsewhere = new HashMap<>();
        Set<NodeTable> receivers = new HashSet<>();
        for (TrackedIntent.Cell cell : intent.admitted) {
            NodeTable node = cell.row().node;
            if (!node.mine) {
                elsewhere.computeIfAbsent(node, none -> new ArrayList<>()).add(cell);
                if (receives(cell.entry())) {
                    receivers.add(node);
                }
            }
        }
        Set<String> unready = new TreeSet<>();
        for (NodeTable node : receivers) {
            String plan = EntryReports.digest(elsewhere.getOrDefault(node, List.of()));
            if (reports.received(intent.ref, node.name, plan)
                    .filter(EntryReports.Report::isReady)
                    .isEmpty()) {
                unready.add(node.name);
            }
        }
        return unready;
    }

    /** Nodes of other controllers that may send packets of the intent by an earlier plan. */
    private Set<String> senders(TrackedIntent intent) {
        if (intent.removed && intents.find(intent.ref).isPresent()) {
            return Set.of(); // the reports are about the intent that has its name now
        }
        Set<String> senders = new TreeSet<>();
        reports.all(intent.ref).forEach((name, report) -> {
            NodeTable node = nodes.get(name);
            if (node != null && !node.mine && report.sends() && !isInstalled(intent, node, report)) {
                senders.add(name);
            }
        });
        return senders;
    }

    private static boolean isInstalled(TrackedIntent intent, NodeTable node, EntryReports.Report report) {
        return report.isInstalled()
                && report.plan()
                        .equals(EntryReports.digest(intent.admitted.stream()
                                .filter(cell -> cell.row().node == node)
                                .toList()));
    }
}
