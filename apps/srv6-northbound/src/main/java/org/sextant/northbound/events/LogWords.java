// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Port;

/**
 * Puts events into sentences. It remembers the last state of nodes and intents, so that only changes are reported. Not
 * thread-safe.
 */
final class LogWords {
    private static final LogSubject CONTROLLER = new LogSubject("controller", "");

    private final Predicate<String> derived;
    private final Map<IntentRef, IntentState> intents = new HashMap<>();
    private final Map<String, NodeStatus.State> nodes = new HashMap<>();

    /** @param derived kinds that are derived: their events are those of a node, and are reported for that */
    LogWords(Predicate<String> derived) {
        this.derived = derived;
    }

    /** Links and hosts' ports that went up or down, a changed topology file, and nodes that became overloaded, drained or neither. */
    List<LogEntry> of(Network before, Network after) {
        List<LogEntry> entries = new ArrayList<>();
        NetworkDiff diff = NetworkDiff.between(before, after);
        if (diff.redrawn()) {
            String text = "the description of the network changed: "
                    + after.nodes().size() + " nodes, "
                    + after.links().stream().map(Link::undirectedId).distinct().count() + " links";
            entries.add(new LogEntry(LogKind.CONTROLLER, Severity.INFO, CONTROLLER, "network", text));
        }
        Map<String, List<Link>> then = byWire(before);
        byWire(after).forEach((id, now) -> {
            List<Link> was = then.getOrDefault(id, List.of());
            if (!was.isEmpty() && !ups(was).equals(ups(now))) {
                entries.add(link(id, now));
            }
        });
        after.hosts().values().forEach(host -> {
            Optional<Boolean> was = portUp(before, host);
            Optional<Boolean> now = portUp(after, host);
            if (was.isPresent() && now.isPresent() && !was.equals(now)) {
                entries.add(host(host, now.get()));
            }
        });
        diff.overloads().forEach((name, overload) -> entries.add(overload(name, overload)));
        return entries;
    }

    private static LogEntry overload(String node, Optional<Overload> overload) {
        if (overload.isEmpty()) {
            return node(node, Severity.INFO, "overload", "is not overloaded any more: paths use it again");
        }
        return overload.get().drained()
                ? node(node, Severity.WARNING, "overload", "is drained: paths that can avoid it leave it")
                : node(node, Severity.WARNING, "overload", "is overloaded: new paths avoid it, and others stay");
    }

    private static Map<String, List<Link>> byWire(Network network) {
        return network.links().stream()
                .collect(Collectors.groupingBy(Link::undirectedId, java.util.TreeMap::new, Collectors.toList()));
    }

    private static Set<String> ups(List<Link> directions) {
        return directions.stream().filter(Link::up).map(Link::id).collect(Collectors.toSet());
    }

    private static LogEntry link(String id, List<Link> directions) {
        List<Link> down = directions.stream().filter(link -> !link.up()).toList();
        Link one = directions.get(0);
        String name = one.undirectedId().equals(one.id())
                ? pair(one)
                : one.to().node() + "-" + one.from().node();
        String text;
        if (down.isEmpty()) {
            text = "link " + name + " is up again";
        } else if (down.size() == directions.size()) {
            text = "link " + name + " is down";
        } else {
            text = "link " + name + " is down from " + down.get(0).from().node() + " to "
                    + down.get(0).to().node();
        }
        Severity severity = down.isEmpty() ? Severity.INFO : Severity.WARNING;
        return new LogEntry(LogKind.LINK, severity, new LogSubject("link", id), "up", text);
    }

    private static String pair(Link link) {
        return link.from().node() + "-" + link.to().node();
    }

    private static Optional<Boolean> portUp(Network network, Host host) {
        return network.node(host.location().node())
                .map(node -> node.ports().get(host.location().port()))
                .map(Port::up);
    }

    private static LogEntry host(Host host, boolean up) {
        String text =
                "the port of host " + host.name() + " at " + host.location() + " is " + (up ? "up again" : "down");
        Severity severity = up ? Severity.INFO : Severity.WARNING;
        return new LogEntry(LogKind.LINK, severity, new LogSubject("host", host.name()), "up", text);
    }

    /** Empty if there is nothing in it for people. */
    Optional<LogEntry> of(EngineEvent event) {
        if (event instanceof EngineEvent.NodeChanged changed) {
            return node(changed.node());
        }
        if (event instanceof EngineEvent.IntentChanged changed) {
            return intent(changed.intent(), changed.state());
        }
        if (event instanceof EngineEvent.IntentRemoved removed) {
            return derived.test(removed.intent().kind()) || intents.remove(removed.intent()) == null
                    ? Optional.empty()
                    : Optional.of(intent(removed.intent(), Severity.INFO, "is gone"));
        }
        if (event instanceof EngineEvent.IntentReported report) {
            IntentRef ref = report.intent();
            return Optional.of(new LogEntry(
                    LogKind.PATH,
                    report.trouble() ? Severity.WARNING : Severity.INFO,
                    new LogSubject(ref.kind(), ref.id()),
                    report.subject(),
                    ref.kind() + " " + ref.id() + ": " + report.message()));
        }
        if (event instanceof EngineEvent.DriftFound drift) {
            return Optional.of(drift(drift.node(), drift.drift()));
        }
        if (event instanceof EngineEvent.AuditEnded audit) {
            return Optional.of(audit(audit.report()));
        }
        return trouble(event);
    }

    private static Optional<LogEntry> trouble(EngineEvent event) {
        if (event instanceof EngineEvent.EntryRefused refused) {
            return Optional.of(node(
                    refused.node(),
                    Severity.ERROR,
                    "refused",
                    "refused the entry " + refused.key() + ": "
                            + refused.failure().reason()));
        }
        if (event instanceof EngineEvent.NodeForgotten gone) {
            String text = "is not in the network any more and keeps the " + gone.entries() + " entries that it had";
            return Optional.of(node(gone.node(), Severity.WARNING, "state", text));
        }
        if (event instanceof EngineEvent.StoredIntentUnreadable stored) {
            String text = "the stored intent " + stored.key() + " cannot be used: " + stored.reason();
            return Optional.of(new LogEntry(LogKind.CONTROLLER, Severity.ERROR, CONTROLLER, stored.key(), text));
        }
        if (event instanceof EngineEvent.CompilerVersionChanged changed) {
            return Optional.of(compiler(changed.status()));
        }
        if (event instanceof EngineEvent.Fault fault) {
            String text = "a defect was contained, in " + fault.where() + "; the controller's own log has the rest";
            return Optional.of(new LogEntry(LogKind.CONTROLLER, Severity.ERROR, CONTROLLER, "fault", text));
        }
        return Optional.empty();
    }

    private static LogEntry compiler(CompilerStatus status) {
        return status.standsAside()
                .map(reason -> compiler(Severity.WARNING, "this controller writes no node: " + reason))
                .orElseGet(() -> compiler(
                        Severity.INFO, "this controller compiles intents by compiler version " + status.inForce()));
    }

    private static LogEntry compiler(Severity severity, String text) {
        return new LogEntry(LogKind.CONTROLLER, severity, CONTROLLER, "compiler", text);
    }

    private Optional<LogEntry> node(NodeStatus status) {
        if (status.state() == NodeStatus.State.READING) {
            return Optional.empty(); // it is SYNCED or LOST next
        }
        NodeStatus.State before = nodes.put(status.node(), status.state());
        if (before == status.state()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (status.state()) {
                    case LOST -> node(status.node(), Severity.ERROR, "state", "does not answer: control lost");
                    case ELSEWHERE -> node(status.node(), Severity.INFO, "state", "is handled by another controller");
                    default ->
                        node(
                                status.node(),
                                Severity.INFO,
                                "state",
                                before == NodeStatus.State.LOST
                                        ? "connected again, tables in sync"
                                        : "connected, tables in sync");
                });
    }

    private static LogEntry node(String name, Severity severity, String topic, String text) {
        return new LogEntry(LogKind.NODE, severity, new LogSubject("node", name), topic, name + " " + text);
    }

    /** A pending intent is reported when it arrives. */
    private Optional<LogEntry> intent(IntentRef ref, IntentState state) {
        if (derived.test(ref.kind()) || state == IntentState.PENDING || intents.put(ref, state) == state) {
            return Optional.empty();
        }
        return Optional.of(
                switch (state) {
                    case FAILED -> intent(ref, Severity.ERROR, "failed: no node has it");
                    case DEGRADED -> intent(ref, Severity.WARNING, "is degraded: not all of it is on its nodes");
                    case REMOVING -> intent(ref, Severity.INFO, "was deleted, and its entries go");
                    default -> intent(ref, Severity.INFO, "is installed");
                });
    }

    private static LogEntry intent(IntentRef ref, Severity severity, String text) {
        LogSubject subject = new LogSubject(ref.kind(), ref.id());
        return new LogEntry(LogKind.INTENT, severity, subject, "state", ref.kind() + " " + ref.id() + " " + text);
    }

    private static LogEntry drift(String node, List<DriftReport.Drift> rows) {
        String kinds = rows.stream()
                .collect(Collectors.groupingBy(DriftReport.Drift::kind, java.util.TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(kind -> kind.getValue() + " " + kind.getKey().name().toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining(", "));
        String text = node + " held other entries than was wanted (" + kinds + "), they are repaired; the first: "
                + rows.get(0).key();
        return new LogEntry(LogKind.DRIFT, Severity.WARNING, new LogSubject("node", node), "drift", text);
    }

    private static LogEntry audit(DriftReport report) {
        boolean clean = report.repairs() == 0 && report.unread().isEmpty();
        String repaired = report.repairs() == 0
                ? "a drift check found nothing to repair"
                : "a drift check repaired " + report.repairs() + (report.repairs() == 1 ? " entry" : " entries");
        String unread = report.unread().isEmpty()
                ? ""
                : ", not read: " + String.join(", ", report.unread().keySet());
        Severity severity = clean ? Severity.INFO : Severity.WARNING;
        return new LogEntry(LogKind.AUDIT, severity, CONTROLLER, "audit", repaired + unread);
    }
}
