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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleProgrammable;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.sextant.core.Reason;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.onos.driver.Refusals;
import org.sextant.onos.table.FlowRules;
import org.sextant.onos.table.PipelineNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows as ONOS's flow rules. ONOS's verb is "apply", whether a row is there or not, so this class knows what each node
 * holds, from reading it and from its own writes, and answers INSERT, MODIFY and DELETE as P4Runtime would. It reads
 * through the driver, not from ONOS's flow store, which follows the node by seconds.
 */
final class OnosDataPlane implements DataPlane, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OnosDataPlane.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final DeviceService devices;
    private final FlowRuleService flowRules;
    private final PiPipeconfService pipeconfs;
    private final Refusals refusals;
    private final Supplier<Network> network;
    private final ApplicationId app;
    private final Duration patience;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final Map<String, Map<Entry.Key, Entry>> held = new ConcurrentHashMap<>();
    private final List<Consumer<NodeState>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Boolean> told = new TreeMap<>();
    private final DeviceListener deviceListener = this::heard;

    /**
     * @param patience how long a write may take
     * @param thread asks ONOS which nodes are ready: that reads its stores, and ONOS interrupts listeners that take long
     */
    OnosDataPlane(
            DeviceService devices,
            FlowRuleService flowRules,
            PiPipeconfService pipeconfs,
            Refusals refusals,
            Supplier<Network> network,
            ApplicationId app,
            Duration patience,
            ScheduledExecutorService thread) {
        this.devices = devices;
        this.flowRules = flowRules;
        this.pipeconfs = pipeconfs;
        this.refusals = refusals;
        this.network = network;
        this.app = app;
        this.patience = patience;
        this.thread = thread;
        devices.addListener(deviceListener);
    }

    @Override
    public void close() {
        devices.removeListener(deviceListener);
    }

    // Nodes that come and go

    private void heard(DeviceEvent event) {
        switch (event.type()) {
            case DEVICE_ADDED, DEVICE_AVAILABILITY_CHANGED, DEVICE_REMOVED, DEVICE_SUSPENDED -> refresh(Duration.ZERO);
            default -> {
                // ports and annotations say nothing about tables
            }
        }
    }

    /** Tells of every node whose readiness is another than when this was last called; soon, and on another thread. */
    void refresh() {
        refresh(Duration.ZERO);
    }

    private void refresh(Duration delay) {
        if (refreshing.compareAndSet(false, true)) {
            try {
                thread.schedule(this::tellChanges, delay.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException shuttingDown) {
                LOG.debug("no more changes");
            }
        }
    }

    /** What cannot be asked now is asked again: nothing else would, and the node would count as lost for ever. */
    private void tellChanges() {
        refreshing.set(false);
        boolean again;
        try {
            again = compare();
        } catch (RuntimeException | Error e) {
            LOG.warn("ONOS did not say which nodes are ready; it is asked again: {}", e.toString());
            again = true;
        }
        if (again) {
            refresh(AGAIN);
        }
    }

    /** True if a node is available whose pipeconf this controller has not heard of yet. */
    private synchronized boolean compare() {
        Set<String> ready = ready();
        Set<String> names = new TreeSet<>(network.get().nodes().keySet());
        names.addAll(told.keySet());
        for (String name : names) {
            boolean now = ready.contains(name);
            if (told.getOrDefault(name, false) != now) {
                told.put(name, now);
                held.remove(name);
                NodeState state = new NodeState(name, now, now ? "ONOS has it available" : whyNot(name));
                listeners.forEach(listener -> listener.accept(state));
            }
        }
        return network.get().nodes().entrySet().stream()
                .anyMatch(node -> !ready.contains(node.getKey())
                        && devices.isAvailable(DeviceId.deviceId(node.getValue().deviceId())));
    }

    private String whyNot(String name) {
        Node node = network.get().nodes().get(name);
        if (node == null) {
            return "it is not in the network configuration any more";
        }
        if (devices.getDevice(DeviceId.deviceId(node.deviceId())) == null) {
            return "ONOS does not know " + node.deviceId() + ": check managementAddress " + node.management()
                    + ", and that the driver and the pipeconf in the network configuration exist";
        }
        return "ONOS has no connection to " + node.deviceId() + " at " + node.management()
                + ", or its pipeline is not set";
    }

    @Override
    public Set<String> ready() {
        Set<String> ready = new TreeSet<>();
        network.get().nodes().forEach((name, node) -> {
            if (isReady(node)) {
                ready.add(name);
            }
        });
        return ready;
    }

    private boolean isReady(Node node) {
        DeviceId device = DeviceId.deviceId(node.deviceId());
        return devices.isAvailable(device) && pipeconfs.getPipeconf(device).isPresent();
    }

    @Override
    public Subscription onState(Consumer<NodeState> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public Optional<Capabilities> capabilities(String node) {
        Node known = network.get().nodes().get(node);
        return known != null && isReady(known)
                ? Optional.of(names(DeviceId.deviceId(known.deviceId())).capabilities())
                : Optional.empty();
    }

    private DeviceId device(String name) {
        Node node = network.get().nodes().get(name);
        if (node == null || !isReady(node)) {
            throw new NodeUnavailableException(name, whyNot(name));
        }
        return DeviceId.deviceId(node.deviceId());
    }

    private PipelineNames names(DeviceId device) {
        return new PipelineNames(pipeconfs.getPipeconf(device).orElseThrow());
    }

    // Reading

    @Override
    public List<Stored> read(String node) {
        DeviceId device = device(node);
        Collection<FlowEntry> entries;
        try {
            entries = devices.getDevice(device).as(FlowRuleProgrammable.class).getFlowEntries();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new NodeUnavailableException(node, Reason.of(e));
        }
        Map<Entry.Key, Entry> before = held.getOrDefault(node, Map.of());
        Map<Entry.Key, Entry> after = new TreeMap<>();
        List<Stored> rows = new ArrayList<>();
        Set<String> counted = new HashSet<>(countedTables(device));
        for (FlowEntry flow : entries) {
            FlowRules.entry(flow).ifPresent(read -> {
                Entry entry = asWritten(read, before.get(read.key()));
                after.put(entry.key(), entry);
                rows.add(new Stored(
                        entry,
                        counted.contains(entry.key().table())
                                ? Optional.of(new Counters(flow.packets(), flow.bytes()))
                                : Optional.empty()));
            });
        }
        held.put(node, after);
        return rows;
    }

    private List<String> countedTables(DeviceId device) {
        return pipeconfs.getPipeconf(device).orElseThrow().pipelineModel().tables().stream()
                .filter(table -> !table.counters().isEmpty())
                .map(table -> table.id().id().substring(table.id().id().lastIndexOf('.') + 1))
                .toList();
    }

    /** The order of a set's members means nothing and does not survive ONOS; ours is as good as the node's. */
    private static Entry asWritten(Entry read, @Nullable Entry written) {
        return written != null && read.means(written) ? written : read;
    }

    // Writing

    @Override
    public List<Result> write(String node, List<Update> updates) {
        DeviceId device = device(node);
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
            // What goes to ONOS together has no order there.
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

    /** A node may be lost, and what it held forgotten, while it is written. */
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

    /** Hands a run of updates of one kind to ONOS and waits for what becomes of it. */
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

    private Set<FlowRule> apply(String node, Collection<FlowRule> rules, boolean removing) {
        CompletableFuture<Set<FlowRule>> outcome = new CompletableFuture<>();
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        rules.forEach(rule -> {
            if (removing) {
                operations.remove(rule);
            } else {
                operations.add(rule);
            }
        });
        flowRules.apply(operations.build(new FlowRuleOperationsContext() {
            @Override
            public void onSuccess(FlowRuleOperations done) {
                outcome.complete(Set.of());
            }

            @Override
            public void onError(FlowRuleOperations undone) {
                Set<FlowRule> failed = new HashSet<>();
                undone.stages()
                        .forEach(stage ->
                                stage.stream().map(FlowRuleOperation::rule).forEach(failed::add));
                outcome.complete(failed);
            }
        }));
        try {
            return outcome.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            held.remove(node);
            throw new NodeUnavailableException(
                    node, "ONOS did not finish writing within " + patience.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            held.remove(node);
            throw new NodeUnavailableException(node, "interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * ONOS would try refused rules again for ever. Where the node holds another row under the same key, that one becomes
     * ONOS's wish again.
     */
    private void forget(String node, List<FlowRule> refused) {
        FlowRules codec = new FlowRules(names(device(node)), app);
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
