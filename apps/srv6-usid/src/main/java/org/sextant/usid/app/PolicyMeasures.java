// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.history.Amount;
import org.sextant.core.history.Reading;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FlowSteering;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Steering;
import org.sextant.kit.app.Measures;
import org.sextant.kit.path.PolicyOffer;
import org.sextant.usid.Policy;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/**
 * Measures the traffic of policies by the counters of their steering entries, and the loss and delay of the probes on
 * their paths. Each headend is read once for all its policies; headends that do not answer in time leave gaps.
 */
@Component(service = Measures.class)
public class PolicyMeasures implements Measures {
    /** The number of policies with a history, the first ones by id: more would keep nodes busy with reads. */
    static final int MOST = 3_000;

    private static final int NODES_AT_A_TIME = 8;
    private static final long PATIENCE_MILLIS = 8_000;

    @Reference
    protected Intents engine;

    @Reference
    protected DataPlane dataPlane;

    @Reference
    protected LivenessEvents liveness = new LivenessEvents();

    private final PolicyKind kind = new PolicyKind(new PolicyCompiler());
    private NodeCalls calls = new NodeCalls("sextant-policy-counters", NODES_AT_A_TIME);

    @Activate
    protected void activate() {
        calls = new NodeCalls("sextant-policy-counters", NODES_AT_A_TIME);
    }

    @Deactivate
    protected void deactivate() {
        calls.closeNow();
    }

    @Override
    public String kind() {
        return PolicyOffer.KIND;
    }

    @Override
    public List<Reading> measure() {
        List<IntentStatus<Policy>> policies = engine.list(kind).stream()
                .filter(policy -> policy.state() != IntentState.REMOVING)
                .limit(MOST)
                .toList();
        Map<String, List<Entry>> rows = new TreeMap<>();
        policies.forEach(policy -> entering(policy.plan())
                .forEach(one -> rows.computeIfAbsent(one.node(), node -> new ArrayList<>())
                        .add(one.entry())));
        Map<String, Map<Entry.Key, Counters>> counted = read(rows);
        long now = System.nanoTime();
        List<Reading> readings = new ArrayList<>();
        for (IntentStatus<Policy> policy : policies) {
            List<Placed> own = counting(entering(policy.plan()), counted);
            Map<String, Amount> amounts = new TreeMap<>();
            sum(own, counted).ifPresent(all -> {
                amounts.put("packetsPerSecond", new Amount.Counter(all.packets()));
                amounts.put("bytesPerSecond", new Amount.Counter(all.bytes()));
            });
            Optional<ProbeTotals> probed = liveness.probed(policy.id());
            probed.ifPresent(some -> some.amounts(amounts));
            if (!amounts.isEmpty()) {
                int lists = probed.map(ProbeTotals::lists).orElse(0);
                readings.add(new Reading(kind() + ":" + policy.id(), sourceOf(own) + " " + lists, now, amounts));
            }
        }
        return readings;
    }

    /** The entries by which packets enter the policy: each packet matches one of them. */
    private static List<Placed> entering(Plan plan) {
        return plan.entries().stream()
                .filter(one -> one.entry() instanceof Steering || one.entry() instanceof FlowSteering || isBinding(one))
                .toList();
    }

    private static boolean isBinding(Placed row) {
        return row.entry() instanceof MySid sid && sid.behavior() instanceof Behavior.B6EncapsRed;
    }

    /** Some nodes count steering entries only, and not their SIDs. */
    private static List<Placed> counting(List<Placed> rows, Map<String, Map<Entry.Key, Counters>> counted) {
        return rows.stream()
                .filter(row -> !isBinding(row)
                        || counted.getOrDefault(row.node(), Map.of())
                                .containsKey(row.entry().key()))
                .toList();
    }

    /** Identifies the entries: counters of different entries are not comparable. */
    private static String sourceOf(List<Placed> rows) {
        return Integer.toHexString(rows.stream()
                .map(row -> row.node() + " " + row.entry().key())
                .toList()
                .hashCode());
    }

    private Map<String, Map<Entry.Key, Counters>> read(Map<String, List<Entry>> rows) {
        Map<String, CompletableFuture<List<Stored>>> asked = new TreeMap<>();
        rows.keySet().retainAll(dataPlane.ready());
        rows.forEach((node, entries) -> asked.put(node, ask(node, entries)));
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        Map<String, Map<Entry.Key, Counters>> counted = new HashMap<>();
        asked.forEach((node, answer) -> {
            Map<Entry.Key, Counters> cells = new HashMap<>();
            answered(answer, until)
                    .forEach(row -> row.counters()
                            .ifPresent(counters -> cells.put(row.entry().key(), counters)));
            counted.put(node, cells);
        });
        return counted;
    }

    private CompletableFuture<List<Stored>> ask(String node, List<Entry> entries) {
        try {
            return CompletableFuture.supplyAsync(() -> dataPlane.rows(node, entries), calls);
        } catch (RejectedExecutionException closing) {
            return CompletableFuture.completedFuture(List.of());
        }
    }

    private static List<Stored> answered(CompletableFuture<List<Stored>> answer, long until) {
        try {
            return answer.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            answer.cancel(false);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NodeUnavailableException) {
                return List.of();
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The sum over all entries; empty if one is missing, as a partial sum would look like a reset of counters. */
    private static Optional<Counters> sum(List<Placed> rows, Map<String, Map<Entry.Key, Counters>> counted) {
        long packets = 0;
        long bytes = 0;
        for (Placed row : rows) {
            Counters counters =
                    counted.getOrDefault(row.node(), Map.of()).get(row.entry().key());
            if (counters == null) {
                return Optional.empty();
            }
            packets += counters.packets();
            bytes += counters.bytes();
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Counters(packets, bytes));
    }
}
