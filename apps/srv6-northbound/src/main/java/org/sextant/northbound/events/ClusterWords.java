// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sextant.core.port.Member;
import org.sextant.northbound.cluster.Shares;

/**
 * Says in sentences how a cluster became another one: a sentence for each member that came, went or changed, and one for all
 * nodes that went from one to the same other.
 */
final class ClusterWords {
    /** So many nodes are named in a sentence; of the others only how many they are. */
    private static final int NAMED = 8;

    private ClusterWords() {}

    static List<LogEntry> of(Shares before, Shares after) {
        List<LogEntry> entries = new ArrayList<>(members(before, after));
        moved(before, after).forEach((way, nodes) -> entries.add(nodes(way, nodes)));
        return entries;
    }

    private static List<LogEntry> members(Shares before, Shares after) {
        Map<String, Member> was = byId(before);
        Map<String, Member> is = byId(after);
        List<LogEntry> entries = new ArrayList<>();
        is.values()
                .forEach(member ->
                        state(Optional.ofNullable(was.get(member.id())), member).ifPresent(entries::add));
        was.keySet().stream()
                .filter(id -> !is.containsKey(id))
                .map(id -> member(id, Severity.WARNING, "state", id + " is no member of the cluster any more"))
                .forEach(entries::add);
        return entries;
    }

    private static Map<String, Member> byId(Shares shares) {
        return shares.members().stream()
                .collect(Collectors.toMap(Member::id, Function.identity(), (one, other) -> one, TreeMap::new));
    }

    private static Optional<LogEntry> state(Optional<Member> before, Member now) {
        if (before.isPresent() && before.get().state() == now.state()) {
            return Optional.empty();
        }
        boolean wasReady = before.map(Member::state).equals(Optional.of(Member.State.READY));
        String begins = before.isEmpty() ? now.id() + " is a member of the cluster now, and " : now.id() + " ";
        return Optional.of(
                switch (now.state()) {
                    case READY -> member(now.id(), Severity.INFO, "state", begins + "is ready");
                    case STARTING ->
                        member(
                                now.id(),
                                wasReady ? Severity.WARNING : Severity.INFO,
                                "state",
                                begins + (wasReady ? "is not ready any more" : "is reachable, and not ready yet"));
                    case LOST ->
                        member(
                                now.id(),
                                Severity.ERROR,
                                "state",
                                begins + "is lost: the other members do not reach it");
                });
    }

    /** The former and the new members of nodes; for a node that is new to the network nothing is reported. */
    private record Way(Optional<String> from, Optional<String> to) {}

    private static Map<Way, List<String>> moved(Shares before, Shares after) {
        Map<Way, List<String>> moved = new java.util.LinkedHashMap<>();
        after.leaders().forEach((node, leader) -> {
            Optional<String> was = before.leaders().getOrDefault(node, leader);
            if (!was.equals(leader)) {
                moved.computeIfAbsent(new Way(was, leader), way -> new ArrayList<>())
                        .add(node);
            }
        });
        return moved;
    }

    private static LogEntry nodes(Way way, List<String> nodes) {
        String names = named(nodes);
        if (way.to().isEmpty()) {
            String from = way.from().orElse("");
            return member(
                    from,
                    Severity.ERROR,
                    "nodes",
                    "no controller acts for " + names + " any more; " + from + " did before");
        }
        String to = way.to().get();
        String before = way.from().map(from -> " in place of " + from).orElse(", as no controller did before");
        return member(to, Severity.INFO, "nodes", to + " acts for " + names + before);
    }

    private static String named(List<String> nodes) {
        String names = String.join(", ", nodes.subList(0, Math.min(NAMED, nodes.size())));
        return nodes.size() <= NAMED ? names : names + " and " + (nodes.size() - NAMED) + " nodes more";
    }

    private static LogEntry member(String id, Severity severity, String topic, String text) {
        return new LogEntry(LogKind.CLUSTER, severity, new LogSubject("member", id), topic, text);
    }
}
