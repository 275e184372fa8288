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
 * Which nodes are overloaded, and which of these are drained. A node is overloaded from the loss of its session until a session has
 * lasted for the network's wait-to-restore, and drained when it has no session for {@link LinkRules#drainAfter}. A node that is new is
 * given {@link #FIRST_SESSION} to connect. While no node has a session the controller is cut off, and the time to drain begins again.
 * Nodes without a management address have no agent, and are not watched. Immutable; begins with {@link #START}.
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
     * @param changed when the session was established or lost last; when the node was first seen if neither happened
     * @param counted from when the time to drain counts
     * @param overload empty while it is not overloaded
     */
    private record History(
            boolean session, boolean hadSession, Instant changed, Instant counted, Optional<Overload> overload) {

        static History first(boolean session, Instant now) {
            return new History(session, session, now, now, Optional.empty());
        }

        /** @param wasCutOff until now */
        History next(boolean connected, boolean wasCutOff, Instant now, LinkRules rules) {
            Instant since = connected == session ? earlier(changed, now) : now;
            boolean begins =
                    !connected && overload.isEmpty() && !since.plus(patience()).isAfter(now);
            Optional<Overload> next = begins ? Optional.of(new Overload(since, false)) : overload;
            Instant counts = wasCutOff ? now : begins ? since : earlier(counted, now);
            if (connected && !since.plus(rules.waitToRestore()).isAfter(now)) {
                next = Optional.empty();
            }
            if (!connected && rules.drains() && !counts.plus(rules.drainAfter()).isAfter(now)) {
                next = next.map(one -> new Overload(one.since(), true));
            }
            return new History(connected, hadSession || connected, since, counts, next);
        }

        /** Times are not in the future where the clock was put back. */
        private static Instant earlier(Instant one, Instant now) {
            return one.isAfter(now) ? now : one;
        }

        private Duration patience() {
            return hadSession ? Duration.ZERO : FIRST_SESSION;
        }

        /** When the next look is due; empty if only a change of the session changes anything. */
        Optional<Instant> due(LinkRules rules) {
            if (session) {
                return overload.map(one -> changed.plus(rules.waitToRestore()));
            }
            if (overload.isEmpty()) {
                return Optional.of(changed.plus(patience()));
            }
            return overload.filter(one -> rules.drains() && !one.drained())
                    .map(one -> counted.plus(rules.drainAfter()));
        }
    }

    /**
     * The result of one look at the sessions.
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
