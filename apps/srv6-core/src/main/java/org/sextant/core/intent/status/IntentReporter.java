// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.install.EntryReports;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/** Makes the reports about intents at the nodes of this controller. */
final class IntentReporter {
    private final EntryReports reports;
    private final IntentIndex registry;
    private final Views views;

    IntentReporter(EntryReports reports, IntentIndex registry, Views views) {
        this.reports = reports;
        this.registry = registry;
        this.views = views;
    }

    /**
     * Reports the status of an intent that rests at the nodes of this controller.
     *
     * @return true if reports of other controllers, for which nothing but time is needed, are missing
     */
    boolean report(TrackedIntent intent, PublishedStatus shown) {
        Map<NodeTable, List<TrackedIntent.Cell>> byNode = new LinkedHashMap<>();
        intent.admitted()
                .forEach(cell -> byNode.computeIfAbsent(cell.row().node(), node -> new ArrayList<>())
                        .add(cell));
        boolean all = true;
        for (Map.Entry<NodeTable, List<TrackedIntent.Cell>> there : byNode.entrySet()) {
            NodeTable node = there.getKey();
            all &= !node.isMine() || report(intent, node, shown.digest(intent, node), there.getValue());
        }
        Set<String> senders = reportSenders(intent, shown, byNode.keySet());
        Set<String> wanted = byNode.keySet().stream().map(NodeTable::name).collect(Collectors.toSet());
        reports.retract(intent, name -> !wanted.contains(name) && !senders.contains(name) && views.isMine(name));
        if (all) {
            reports.made(intent, elsewhere(intent));
        }
        return isUnreported(intent, shown, byNode.keySet());
    }

    /** False if the state of the node's entries is not known yet. */
    private boolean report(TrackedIntent intent, NodeTable node, String plan, List<TrackedIntent.Cell> cells) {
        if (node.state() == NodeStatus.State.READING) {
            return false;
        }
        EntryReports.Report report = summary(intent, node, plan, cells);
        boolean onItsWay =
                report.state() == EntryState.PENDING && report.failure().isEmpty();
        if (!onItsWay) {
            reports.report(intent, node, report);
        }
        return !onItsWay;
    }

    /** Reports the nodes that are not in the plan any more, and still send packets. */
    private Set<String> reportSenders(TrackedIntent intent, PublishedStatus shown, Set<NodeTable> planned) {
        Set<NodeTable> senders = intent.applied().stream()
                .filter(IntentReporter::isIngress)
                .map(cell -> cell.row().node())
                .filter(node -> node.isMine() && !planned.contains(node))
                .collect(Collectors.toSet());
        senders.forEach(node -> reports.report(
                intent,
                node,
                new EntryReports.Report(
                        shown.digest(intent, node),
                        EntryState.REMOVING,
                        Optional.empty(),
                        Set.of(EntryReports.Mark.SENDS))));
        return senders.stream().map(NodeTable::name).collect(Collectors.toSet());
    }

    private boolean isUnreported(TrackedIntent intent, PublishedStatus shown, Set<NodeTable> planned) {
        boolean unreported = !intent.awaited().isEmpty();
        for (NodeTable node : planned) {
            if (!node.isMine()) {
                Optional<EntryReports.Report> report =
                        reports.received(intent.ref(), node.name(), shown.digest(intent, node));
                if (report.filter(there -> there.state() == EntryState.FAILED).isPresent()) {
                    return false;
                }
                unreported |= report.map(EntryReports.Report::waits).orElse(true);
            }
        }
        return unreported;
    }

    /** Takes back the reports about a removed intent when its ingress is gone, unless they are about one that has its name by now. */
    void retract(TrackedIntent intent) {
        boolean sends = intent.applied().stream().anyMatch(IntentReporter::isIngress);
        if (!intent.isResting() || sends || !reports.about(intent)) {
            return;
        }
        if (registry.find(intent.ref()).isEmpty()) {
            reports.retract(intent, views::isMine);
        }
        reports.made(intent, elsewhere(intent));
    }

    /** The nodes of other controllers where an intent has entries, or had some. */
    private static Set<String> elsewhere(TrackedIntent intent) {
        return Stream.concat(intent.admitted().stream(), intent.applied().stream())
                .map(cell -> cell.row().node())
                .filter(node -> !node.isMine())
                .map(NodeTable::name)
                .collect(Collectors.toSet());
    }

    private static boolean isIngress(TrackedIntent.Cell cell) {
        return cell.entry().stage() == Entry.Stage.INGRESS;
    }

    private EntryReports.Report summary(
            TrackedIntent intent, NodeTable node, String plan, List<TrackedIntent.Cell> cells) {
        EntryState worst = EntryState.INSTALLED;
        Optional<Failure> failure = Optional.empty();
        for (TrackedIntent.Cell cell : cells) {
            EntryState state = views.state(intent, cell);
            if (state == EntryState.FAILED || state == EntryState.PENDING && worst == EntryState.INSTALLED) {
                worst = state;
                failure = views.reason(intent, cell.row());
            }
            if (state == EntryState.FAILED) {
                break;
            }
        }
        return new EntryReports.Report(plan, worst, failure, reports.marks(intent, node, plan, cells));
    }
}
