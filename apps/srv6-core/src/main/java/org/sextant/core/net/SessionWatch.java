// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides which nodes are overloaded, and which of these are drained. A node is overloaded from the loss of its session
 * until a session has lasted for the network's wait-to-restore, and drained when it has no session for
 * {@link LinkRules#drainAfter}. A node that is new is given {@link #FIRST_SESSION} to connect. While no node has a
 * session the controller is cut off: no overload begins, and then all nodes have that time and the time to drain once
 * more. Nodes without a management address have no agent, and are not watched. Immutable; begins with {@link #START}.
 */
public final class SessionWatch {
    public static final SessionWatch START = new SessionWatch(Map.of(), false);

    /** For how long a new node may be without a session. */
    static final Duration FIRST_SESSION = Duration.ofMinutes(1);

    private final Map<String, History> nodes;

    /** No node had a session at the last look. */
    private final boolean cutOff;

    private SessionWatch(Map<String, History> nodes, boolean cutOff) {
        this.nodes = nodes;
        this.cutOff = cutOff;
    }

    /**
     * The past of one node.
     *
     * @param patient true if it has {@link #FIRST_SESSION} to connect before it is overloaded
     * @param changed when the session was established or lost last; when the node was first seen if neither happened
     * @param counted from when times without a session count
     * @param overload empty while it is not overloaded
     */
    private record History(
            boolean session, boolean patient, Instant changed, Instant counted, Optional<Overload> overload) {

        static History first(boolean session, Instant now) {
            return new History(session, !session, now, now, Optional.empty());
        }

        /** @param cutOff true if no node has a session now, or had one at the last check */
        History next(boolean connected, boolean cutOff, Instant now, LinkRules rules) {
            boolean same = connected == session;
            Instant since = same ? earlier(changed, now) : now;
            boolean restarts = cutOff || !same && overload.isEmpty();
            Instant counts = restarts ? now : earlier(counted, now);
            boolean waits = !connected && (patient || cutOff);
            Optional<Overload> next = overload;
            if (connected && !since.plus(rules.waitToRestore()).isAfter(now)) {
                next = Optional.empty();
            }
            if (!connected
                    && overload.isEmpty()
                    && !counts.plus(patience(waits)).isAfter(now)) {
                next = Optional.of(new Overload(since, false));
            }
            if (!connected && rules.drains() && !counts.plus(rules.drainAfter()).isAfter(now)) {
                next = next.map(one -> new Overload(one.since(), true));
            }
            return new History(connected, waits, since, counts, next);
        }

        /** Times are not in the future where the clock was put back. */
        private static Instant earlier(Instant one, Instant now) {
            return one.isAfter(now) ? now : one;
        }

        private static Duration patience(boolean patient) {
            return patient ? FIRST_SESSION : Duration.ZERO;
        }

        /** When the next look is due; empty if only a change of the session changes anything. */
        Optional<Instant> due(LinkRules rules) {
            if (session) {
                return overload.map(one -> changed.plus(rules.waitToRestore()));
            }
            if (overload.isEmpty()) {
                return Optional.of(counted.plus(patience(patient)));
            }
            return overload.filter(one -> rules.drains() && !one.drained())
                    .map(one -> counted.plus(rules.drainAfter()));
        }
    }

    /**
     * The result of one check of the sessions.
     *
     * @param after the watch to go on with
     * @param overloads by node
     * @param due when to look again though no session changes; empty if there is no need to
     */
    public record Step(SessionWatch after, SortedMap<String, Overload> overloads, Optional<Instant> due) {}

    /** @param sessions names of the nodes with a session now */
    public Step step(Network network, Set<String> sessions, Instant now) {
        LinkRules rules = network.rules();
        SortedMap<String, History> next = new TreeMap<>();
        boolean none = managed(network).noneMatch(node -> sessions.contains(node.name()));
        managed(network).forEach(node -> {
            History before = nodes.get(node.name());
            boolean session = sessions.contains(node.name());
            next.put(
                    node.name(),
                    before == null ? History.first(session, now) : before.next(session, cutOff || none, now, rules));
        });
        SortedMap<String, Overload> overloads = new TreeMap<>();
        next.forEach((name, history) -> history.overload().ifPresent(one -> overloads.put(name, one)));
        Optional<Instant> due = next.values().stream()
                .flatMap(history -> history.due(rules).stream())
                .min(Comparator.naturalOrder());
        return new Step(new SessionWatch(next, none), overloads, due);
    }

    private static Stream<Node> managed(Network network) {
        return network.nodes().values().stream()
                .filter(node -> !node.management().isEmpty());
    }
}
