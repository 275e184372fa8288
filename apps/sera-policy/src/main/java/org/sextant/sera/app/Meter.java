// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
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
import org.sextant.core.text.Moments;
import org.sextant.sera.Firewall;
import org.sextant.sera.Versioned;
import org.sextant.sera.plan.Rules;

/** The counters of a firewall's rules, and its node's other drops, by reason. */
final class Meter {
    private static final int CELLS = 16;
    private static final Counters NONE = new Counters(0, 0);

    private final DataPlane dataPlane;
    private final Executor callers;
    private final Duration patience;
    private final Clock clock;
    private final HitTimes sightings = new HitTimes();

    Meter(DataPlane dataPlane, Executor callers, Duration patience, Clock clock) {
        this.dataPlane = dataPlane;
        this.callers = callers;
        this.patience = patience;
        this.clock = clock;
    }

    /**
     * The counters of a node.
     *
     * @param rules by the index of the rule; -1 is the default
     * @param idle the time since the last hit of a rule, where the node measures it
     */
    private record Counted(Map<Integer, Counters> rules, Map<Integer, Duration> idle, Map<Integer, Counters> dropped) {}

    /** The counters of each rule, in order; without them if the node does not answer in time. */
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
        read.ifPresent(counted -> {
            Instant now = clock.instant();
            HitTimes.Reading reading = sightings.look(status.id(), versioned.version(), counted.rules(), now);
            reading.anew().ifPresent(moment -> json.put("since", Moments.iso(moment)));
            put(json, versioned.firewall(), counted, reading);
        });
        return json;
    }

    private static void put(ObjectNode json, Firewall firewall, Counted counted, HitTimes.Reading reading) {
        ArrayNode rules = json.putArray("rules");
        for (int i = 0; i < firewall.rules().size(); i++) {
            ObjectNode rule = rules.addObject()
                    .put("rule", i)
                    .put("name", firewall.rules().get(i).called(i))
                    .put("action", firewall.rules().get(i).verb().spelling());
            hits(rule, i, counted, reading);
        }
        ObjectNode rest =
                json.putObject("default").put("action", firewall.otherwise().spelling());
        hits(rest, -1, counted, reading);
        ObjectNode dropped = json.putObject("dropped");
        for (int i = 0; i < Reasons.ALL.size(); i++) {
            dropped.put(
                    Reasons.ALL.get(i), counted.dropped().getOrDefault(i, NONE).packets());
        }
    }

    /** The node reports the time of the last hit, or two readings bound it. */
    private static void hits(ObjectNode json, int rule, Counted counted, HitTimes.Reading reading) {
        Counters hits = counted.rules().getOrDefault(rule, NONE);
        json.put("hits", hits.packets()).put("bytes", hits.bytes());
        Duration idle = counted.idle().get(rule);
        HitTimes.Window window = reading.windows().get(rule);
        if (idle != null) {
            json.put("lastHit", Moments.iso(reading.at().minus(idle)));
        } else if (window != null) {
            window.after().ifPresent(after -> json.put("lastHitAfter", Moments.iso(after)));
            json.put("lastHitBefore", Moments.iso(window.before()));
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
        Map<Integer, Duration> idle = new HashMap<>();
        for (Stored row : dataPlane.rows(node, rows)) {
            if (row.entry() instanceof FirewallRule rule && row.counters().isPresent()) {
                int index = Rules.index(rule.priority());
                rules.merge(index, row.counters().get(), Meter::sum);
                row.idle().ifPresent(since -> idle.merge(index, since, BinaryOperator.minBy(Duration::compareTo)));
            }
        }
        Map<Integer, Counters> cells = dataPlane.cells(
                node,
                CounterArrays.FIREWALL_DROPPED.name(),
                IntStream.range(0, Reasons.ALL.size())
                        .mapToObj(reason -> CELLS * instance + reason)
                        .collect(Collectors.toSet()));
        Map<Integer, Counters> dropped = new HashMap<>();
        cells.forEach((cell, counters) -> dropped.put(cell - CELLS * instance, counters));
        return new Counted(rules, idle, dropped);
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

    static Optional<Integer> instance(Plan plan) {
        return sid(plan)
                .map(sid -> sid.behavior() instanceof SeraStateful stateful
                        ? stateful.firewall().instance()
                        : ((Sera) sid.behavior()).instance());
    }
}
