// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleProgrammable;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.pi.model.PiPipeconf;
import org.sextant.core.Reason;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.onos.driver.Refusals;
import org.sextant.onos.table.FlowRules;
import org.sextant.onos.table.PipelineNames;

/**
 * Rows as ONOS's flow rules. ONOS's verb is "apply", whether a row is there or not, so this class knows the rows of
 * each node, from reading it and from its own writes, and answers INSERT, MODIFY and DELETE as P4Runtime would. It
 * reads through the driver, not from ONOS's flow store, which follows the node by seconds.
 */
final class OnosDataPlane implements DataPlane, AutoCloseable {
    private final DeviceService devices;
    private final Refusals refusals;
    private final ApplicationId app;
    private final Readiness readiness;
    private final FlowWriter writer;
    private final BooleanSupplier current;
    private final Map<String, SortedMap<Entry.Key, Entry>> held = new ConcurrentHashMap<>();

    /**
     * @param pipeconfs of devices that have one
     * @param patience how long a write may take
     * @param current whether this controller knows the state of the others
     * @param thread asks ONOS which nodes are ready
     */
    OnosDataPlane(
            DeviceService devices,
            FlowRuleService flowRules,
            Function<DeviceId, Optional<PiPipeconf>> pipeconfs,
            Refusals refusals,
            Supplier<Network> network,
            ApplicationId app,
            Duration patience,
            BooleanSupplier current,
            ScheduledExecutorService thread) {
        this.devices = devices;
        this.refusals = refusals;
        this.app = app;
        this.current = current;
        this.writer = new FlowWriter(flowRules, patience);
        this.readiness = new Readiness(devices, pipeconfs, network, thread);
        readiness.onState(state -> held.remove(state.node())); // before any other listener
    }

    @Override
    public void close() {
        readiness.close();
    }

    /** Reports every node whose readiness is another than when this was last called; soon, and on another thread. */
    void refresh() {
        readiness.refresh();
    }

    @Override
    public Set<String> ready() {
        return readiness.ready();
    }

    @Override
    public Subscription onState(Consumer<NodeState> listener) {
        return readiness.onState(listener);
    }

    @Override
    public Optional<Capabilities> capabilities(String node) {
        return readiness.find(node).map(device -> names(device).capabilities());
    }

    private PipelineNames names(DeviceId device) {
        return new PipelineNames(readiness.pipeconf(device));
    }

    // Reading

    /** Later writes go by the rows that it finds, so it does not overlap with one. */
    @Override
    public List<Stored> read(String node) {
        List<Stored> rows = ask(node);
        SortedMap<Entry.Key, Entry> found = new ConcurrentSkipListMap<>();
        rows.forEach(row -> found.put(row.entry().key(), row.entry()));
        held.put(node, found);
        return rows;
    }

    /** Counters are read while a node is written: a row found then may be older than one written since. */
    @Override
    public List<Stored> read(String node, Set<String> tables) {
        return ask(node).stream()
                .filter(row -> tables.contains(row.entry().key().table()))
                .toList();
    }

    private List<Stored> ask(String node) {
        DeviceId device = readiness.device(node);
        Collection<FlowEntry> entries;
        try {
            entries = devices.getDevice(device).as(FlowRuleProgrammable.class).getFlowEntries();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new NodeUnavailableException(node, Reason.of(e));
        }
        Map<Entry.Key, Entry> known =
                Optional.<Map<Entry.Key, Entry>>ofNullable(held.get(node)).orElse(Map.of());
        List<Stored> rows = new ArrayList<>();
        Set<String> counted = new HashSet<>(countedTables(device));
        for (FlowEntry flow : entries) {
            FlowRules.entry(flow).ifPresent(read -> {
                Entry entry = asWritten(read, known.get(read.key()));
                rows.add(new Stored(
                        entry,
                        counted.contains(entry.key().table())
                                ? Optional.of(new Counters(flow.packets(), flow.bytes()))
                                : Optional.empty()));
            });
        }
        return rows;
    }

    private List<String> countedTables(DeviceId device) {
        return readiness.pipeconf(device).pipelineModel().tables().stream()
                .filter(table -> !table.counters().isEmpty())
                .map(table -> table.id().id().substring(table.id().id().lastIndexOf('.') + 1))
                .toList();
    }

    /** The order of a set's members means nothing and does not survive ONOS; ours is as good as the node's. */
    private static Entry asWritten(Entry read, @Nullable Entry written) {
        return written != null && read.means(written) ? written : read;
    }

    // Writing

    /**
     * A controller that is cut off does not write: ONOS would wait for the storage nodes, then have the node's new
     * master carry out this controller's write before it knows the new master's own.
     */
    @Override
    public List<Result> write(String node, List<Update> updates) {
        if (!current.getAsBoolean()) {
            throw new NodeUnavailableException(
                    node, "ONOS's storage nodes do not answer, so another controller may program it");
        }
        DeviceId device = readiness.device(node);
        if (!held.containsKey(node)) {
            read(node);
        }
        FlowRules codec = new FlowRules(names(device), app);
        Result[] results = new Result[updates.size()];
        Map<Integer, FlowRule> run = new LinkedHashMap<>();
        Set<Entry.Key> keys = new HashSet<>();
        boolean removing = false;
        for (int i = 0; i < updates.size(); i++) {
            Update update = updates.get(i);
            boolean removal = update.operation() == Operation.DELETE;
            // Rules that go to ONOS together have no order there.
            if (removal != removing || !keys.add(update.entry().key())) {
                send(node, updates, run, results);
                keys.clear();
                keys.add(update.entry().key());
                removing = removal;
            }
            Optional<Result> refused = refuse(node, update);
            if (refused.isPresent()) {
                results[i] = refused.get();
                continue;
            }
            try {
                Entry entry =
                        removal ? rowsOf(node).getOrDefault(update.entry().key(), update.entry()) : update.entry();
                run.put(i, codec.encode(device, entry));
            } catch (MalformedEntryException e) {
                results[i] = Result.failed(Code.UNIMPLEMENTED, Reason.of(e));
            }
        }
        send(node, updates, run, results);
        return Arrays.asList(results);
    }

    /** A node may be lost, and its rows forgotten, while it is written. */
    private Map<Entry.Key, Entry> rowsOf(String node) {
        Map<Entry.Key, Entry> rows = held.get(node);
        if (rows == null) {
            throw new NodeUnavailableException(node, "it was lost while it was written");
        }
        return rows;
    }

    private Optional<Result> refuse(String node, Update update) {
        boolean there = rowsOf(node).containsKey(update.entry().key());
        if (update.operation() == Operation.INSERT) {
            return there
                    ? Optional.of(
                            Result.failed(Code.ALREADY_EXISTS, update.entry().key() + " is there already"))
                    : Optional.empty();
        }
        return there
                ? Optional.empty()
                : Optional.of(Result.failed(Code.NOT_FOUND, update.entry().key() + " is not there"));
    }

    /** Hands a run of updates of one kind to ONOS and waits for its results. */
    private void send(String node, List<Update> updates, Map<Integer, FlowRule> run, Result[] results) {
        if (run.isEmpty()) {
            return;
        }
        boolean removing = updates.get(run.keySet().iterator().next()).operation() == Operation.DELETE;
        Set<FlowRule> failed = apply(node, run.values(), removing);
        List<FlowRule> undo = new ArrayList<>();
        run.forEach((index, rule) -> {
            Entry entry = updates.get(index).entry();
            if (!failed.contains(rule)) {
                results[index] = Result.OK;
                if (removing) {
                    rowsOf(node).remove(entry.key());
                } else {
                    rowsOf(node).put(entry.key(), entry);
                }
            } else {
                results[index] = new Result(Optional.of(why(node, rule)));
                undo.add(rule);
            }
        });
        run.clear();
        if (!undo.isEmpty() && !removing) {
            forget(node, undo);
        }
    }

    /** A failure of the connection is none of the row's. */
    private Failure why(String node, FlowRule rule) {
        Failure failure = refusals.take(rule)
                .orElseGet(() -> new Failure(
                        Code.INTERNAL,
                        "ONOS could not write it and its driver does not say why; look for " + rule.deviceId()
                                + " in ONOS's log"));
        if (failure.code() == Code.UNAVAILABLE) {
            held.remove(node);
            throw new NodeUnavailableException(node, failure.reason());
        }
        return failure;
    }

    /** The rows of a node are not known any more when ONOS does not report the result of a write. */
    private Set<FlowRule> apply(String node, Collection<FlowRule> rules, boolean removing) {
        try {
            return writer.write(node, rules, removing);
        } catch (NodeUnavailableException e) {
            held.remove(node);
            throw e;
        }
    }

    /**
     * ONOS would try refused rules again for ever. Where the node holds another row under the same key, that one becomes
     * ONOS's wish again.
     */
    private void forget(String node, List<FlowRule> refused) {
        FlowRules codec = new FlowRules(names(readiness.device(node)), app);
        List<FlowRule> gone = new ArrayList<>();
        List<FlowRule> restored = new ArrayList<>();
        for (FlowRule rule : refused) {
            Entry.Key key = FlowRules.entry(rule).orElseThrow().key();
            Entry present = rowsOf(node).get(key);
            if (present == null) {
                gone.add(rule);
            } else {
                restored.add(codec.encode(rule.deviceId(), present));
            }
        }
        if (!gone.isEmpty()) {
            apply(node, gone, true);
        }
        if (!restored.isEmpty()) {
            apply(node, restored, false);
        }
    }
}
