// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sextant.contract.CounterArrays;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SeraStateful;
import org.sextant.sera.Firewall;
import org.sextant.sera.Versioned;
import org.sextant.sera.plan.Rules;

/** What the rules of a firewall took, and what its node dropped beside them, by reason. */
final class Meter {
    /** By their cells (sera.p4). */
    private static final List<String> REASONS =
            List.of("unable", "malformed", "badArguments", "noRule", "lastHop", "flows");

    private static final int CELLS = 16;
    private static final Counters NONE = new Counters(0, 0);

    private final DataPlane dataPlane;
    private final Executor callers;
    private final Duration patience;

    Meter(DataPlane dataPlane, Executor callers, Duration patience) {
        this.dataPlane = dataPlane;
        this.callers = callers;
        this.patience = patience;
    }

    /**
     * What a node counted.
     *
     * @param rules by the index of the rule; -1 is the default
     */
    private record Counted(Map<Integer, Counters> rules, Map<Integer, Counters> dropped) {}

    /** The counters of each rule, in order; of a node that does not answer in time nothing but that. */
    ObjectNode view(IntentStatus<Versioned> status) {
        Versioned versioned = status.intent().intent();
        Optional<Counted> read = read(status.plan(), versioned.firewall().node());
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", status.id())
                .put("version", versioned.version())
                .put("node", versioned.firewall().node())
                .put("read", read.isPresent());
        if (!versioned.at().isEmpty()) {
            json.put("since", versioned.at());
        }
        read.ifPresent(counted -> put(json, versioned.firewall(), counted));
        return json;
    }

    private static void put(ObjectNode json, Firewall firewall, Counted counted) {
        ArrayNode rules = json.putArray("rules");
        for (int i = 0; i < firewall.rules().size(); i++) {
            Counters hits = counted.rules().getOrDefault(i, NONE);
            rules.addObject()
                    .put("rule", i)
                    .put("name", firewall.rules().get(i).called(i))
                    .put("action", firewall.rules().get(i).verb().spelling())
                    .put("hits", hits.packets())
                    .put("bytes", hits.bytes());
        }
        Counters rest = counted.rules().getOrDefault(-1, NONE);
        json.putObject("default")
                .put("action", firewall.otherwise().spelling())
                .put("hits", rest.packets())
                .put("bytes", rest.bytes());
        ObjectNode dropped = json.putObject("dropped");
        for (int i = 0; i < REASONS.size(); i++) {
            dropped.put(REASONS.get(i), counted.dropped().getOrDefault(i, NONE).packets());
        }
    }

    private Optional<Counted> read(Plan plan, String node) {
        List<Entry> rows = plan.entries().stream()
                .map(Plan.Placed::entry)
                .filter(FirewallRule.class::isInstance)
                .toList();
        Optional<Integer> instance = instance(plan);
        if (instance.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(CompletableFuture.supplyAsync(() -> counted(node, rows, instance.get()), callers)
                    .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .join());
        } catch (CompletionException | RejectedExecutionException away) {
            return Optional.empty();
        }
    }

    private Counted counted(String node, List<Entry> rows, int instance) {
        Map<Integer, Counters> rules = new HashMap<>();
        for (Stored row : dataPlane.rows(node, rows)) {
            if (row.entry() instanceof FirewallRule rule && row.counters().isPresent()) {
                rules.merge(Rules.index(rule.priority()), row.counters().get(), Meter::sum);
            }
        }
        Map<Integer, Counters> cells = dataPlane.cells(
                node,
                CounterArrays.FIREWALL_DROPPED.name(),
                IntStream.range(0, REASONS.size())
                        .mapToObj(reason -> CELLS * instance + reason)
                        .collect(Collectors.toSet()));
        Map<Integer, Counters> dropped = new HashMap<>();
        cells.forEach((cell, counters) -> dropped.put(cell - CELLS * instance, counters));
        return new Counted(rules, dropped);
    }

    private static Counters sum(Counters one, Counters other) {
        return new Counters(one.packets() + other.packets(), one.bytes() + other.bytes());
    }

    static Optional<MySid> sid(Plan plan) {
        return plan.entries().stream()
                .map(Plan.Placed::entry)
                .filter(MySid.class::isInstance)
                .map(MySid.class::cast)
                .findFirst();
    }

    private static Optional<Integer> instance(Plan plan) {
        return sid(plan)
                .map(sid -> sid.behavior() instanceof SeraStateful stateful
                        ? stateful.firewall().instance()
                        : ((Sera) sid.behavior()).instance());
    }
}
