// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;

/** Intents and nodes as the engine has published them, and the load of its thread. */
final class EngineMetrics {
    private static final String IN_PROGRESS = "in_progress";

    private EngineMetrics() {}

    static void collect(Intents intents, Network network, Scrape scrape) {
        intents(intents, scrape);
        nodes(intents, network, scrape);
        scrape.of(Metric.ENGINE_HOLD).histogram(intents.load());
        scrape.of(Metric.ENGINE_WAITING).add(intents.load().waiting());
    }

    private static void intents(Intents intents, Scrape scrape) {
        Map<String, Map<IntentState, Integer>> states = new TreeMap<>();
        Map<String, Map<String, Integer>> reasons = new TreeMap<>();
        for (IntentStatus<?> status : intents.statuses()) {
            states.computeIfAbsent(status.kind(), none -> new EnumMap<>(IntentState.class))
                    .merge(status.state(), 1, Integer::sum);
            if (status.state() != IntentState.INSTALLED) {
                reasons.computeIfAbsent(status.kind(), none -> new TreeMap<>()).merge(reason(status), 1, Integer::sum);
            }
        }
        states.forEach((kind, counts) -> {
            for (IntentState state : IntentState.values()) {
                scrape.of(Metric.INTENTS).add(counts.getOrDefault(state, 0), kind, word(state));
            }
        });
        reasons.forEach((kind, counts) -> counts.forEach(
                (reason, count) -> scrape.of(Metric.INTENTS_BLOCKED).add(count, kind, reason)));
    }

    /** Codes only: the messages name nodes and entries, of which there are too many. */
    private static String reason(IntentStatus<?> status) {
        return status.problems().stream()
                .map(problem -> word(problem.code()))
                .findFirst()
                .or(() -> status.troubles().stream()
                        .map(EntryStatus::failure)
                        .flatMap(Optional::stream)
                        .map(failure -> word(failure.code()))
                        .findFirst())
                .orElse(IN_PROGRESS);
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static void nodes(Intents intents, Network network, Scrape scrape) {
        Map<NodeStatus.State, Integer> states = new EnumMap<>(NodeStatus.State.class);
        for (NodeStatus node : intents.nodes()) {
            states.merge(node.state(), 1, Integer::sum);
            if (node.state() != NodeStatus.State.ELSEWHERE) {
                node(node, scrape);
            }
            Optional<Overload> overload =
                    Optional.ofNullable(network.overloads().get(node.node()));
            scrape.of(Metric.NODE_OVERLOADED).add(overload.isPresent() ? 1 : 0, node.node());
            scrape.of(Metric.NODE_DRAINED)
                    .add(overload.filter(Overload::drained).isPresent() ? 1 : 0, node.node());
        }
        for (NodeStatus.State state : NodeStatus.State.values()) {
            scrape.of(Metric.NODES).add(states.getOrDefault(state, 0), word(state));
        }
    }

    private static void node(NodeStatus node, Scrape scrape) {
        boolean synced = node.state() == NodeStatus.State.SYNCED;
        scrape.of(Metric.NODE_CONNECTED).add(synced || node.state() == NodeStatus.State.READING ? 1 : 0, node.node());
        scrape.of(Metric.NODE_SYNCED).add(synced ? 1 : 0, node.node());
        scrape.of(Metric.NODE_ENTRIES).add(node.entries(), node.node());
        scrape.of(Metric.NODE_ENTRIES_WAITING).add(node.contact().waiting(), node.node());
        node.lastRead()
                .map(Instant::getEpochSecond)
                .ifPresent(time -> scrape.of(Metric.NODE_LAST_READ).add(time, node.node()));
    }
}
