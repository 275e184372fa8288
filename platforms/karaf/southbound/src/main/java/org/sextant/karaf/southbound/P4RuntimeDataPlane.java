// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sextant.core.Reason;
import org.sextant.core.calls.Daemons;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.net.Node;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.FirewallTelemetry;
import org.sextant.core.port.LinkDelayTelemetry;
import org.sextant.core.port.LivenessTelemetry;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Pinger;
import org.sextant.core.port.Store;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;
import org.sextant.core.table.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data plane of the stand-alone host: one session per managed node. Listeners are called by one thread, in order,
 * and may take their time; they hold up each other but no connection.
 */
public final class P4RuntimeDataPlane
        implements DataPlane,
                Telemetry,
                FirewallTelemetry,
                LivenessTelemetry,
                LinkDelayTelemetry,
                Pinger,
                AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(P4RuntimeDataPlane.class);

    private static final long ENDS_SECONDS = 60;
    private static final long DROPS_SECONDS = 10;
    private static final int CONNECTING_AT_ONCE = 32;

    private final Map<String, Managed> sessions = new HashMap<>();
    private final Map<String, Optional<Pipeconf>> pipeconfs = new HashMap<>();
    private final List<Consumer<NodeState>> stateListeners = new CopyOnWriteArrayList<>();
    private final List<PortListener> portListeners = new CopyOnWriteArrayList<>();
    private final List<PacketListener> packetListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Sample>> counterListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Sample>> slowCounterListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Logged>> loggedListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Counted>> countedListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Seen>> livenessListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<LinkDelayTelemetry.Measured>> delayListeners = new CopyOnWriteArrayList<>();
    private final NodeCalls workers = new NodeCalls("sextant-southbound", CONNECTING_AT_ONCE);
    private final ScheduledExecutorService timer = Daemons.clock("sextant-timer");
    private final ExecutorService notifier = Executors.newSingleThreadExecutor(Daemons.numbered("sextant-events"));
    /** Apart: a flood of frames delays no report of a lost node. */
    private final ExecutorService packetNotifier =
            Executors.newSingleThreadExecutor(Daemons.numbered("sextant-packets"));

    private final PacketInQueue packetIns = new PacketInQueue(packetNotifier, this::deliver);
    private final DropReports dropReports = new DropReports();

    /** Apart from all others: events of packets must not delay the report of a lost node. */
    private final ExecutorService firewallNotifier =
            Executors.newSingleThreadExecutor(Daemons.numbered("sextant-firewall-events"));

    private final LoggedQueue logged = new LoggedQueue(firewallNotifier, event -> tellAll(loggedListeners, event));

    private final NodeSession.Shared shared;
    private final Events events = new Events();
    /** The controller's own files that end soon, or have ended. */
    private volatile List<String> ending = List.of();

    /** Used by the timer's thread alone. */
    private final Reminders ends = new Reminders();

    private record Managed(String management, String pipeconf, Optional<NodeSession> session, NodeStatus refused) {}

    /** Receives a node's report about all its ports, whenever that changes. */
    public interface PortListener {
        void ports(String node, Map<Integer, PortState> ports);
    }

    /** Receives frames that a node's punt entries send to the controller. */
    public interface PacketListener {
        void packet(String node, int port, byte[] frame);
    }

    /** @param store where the election epoch is kept, so that it grows over restarts */
    public P4RuntimeDataPlane(Store store, TlsFiles tls) {
        this(store, tls, Deadlines.DEFAULT);
    }

    P4RuntimeDataPlane(Store store, TlsFiles tls, Deadlines deadlines) {
        this.shared = new NodeSession.Shared(
                tls, new ElectionIds(store, System.currentTimeMillis()), deadlines, timer, workers);
        timer.scheduleWithFixedDelay(this::watchEnds, 0, ENDS_SECONDS, TimeUnit.SECONDS);
        timer.scheduleWithFixedDelay(this::reportDrops, DROPS_SECONDS, DROPS_SECONDS, TimeUnit.SECONDS);
    }

    /** Connects to exactly these nodes; a node whose address and pipeline stay as they were keeps its connection. */
    public synchronized void manage(Collection<Node> nodes) {
        Map<String, Node> wanted = new TreeMap<>();
        nodes.forEach(node -> wanted.put(node.name(), node));
        Map.copyOf(sessions).forEach((name, managed) -> {
            Node node = wanted.get(name);
            if (node == null
                    || !managed.management().equals(node.management())
                    || !managed.pipeconf().equals(node.pipeconf())) {
                sessions.remove(name);
                managed.session().ifPresent(NodeSession::close);
                events.status(name, new NodeStatus(NodeStatus.Kind.LOST, "no longer managed"));
            }
        });
        wanted.values().stream()
                .filter(node -> !sessions.containsKey(node.name()))
                .forEach(this::start);
    }

    private void start(Node node) {
        Managed managed = managed(node);
        sessions.put(node.name(), managed);
        managed.session().ifPresent(session -> session.hear(heard()));
        managed.session().ifPresentOrElse(NodeSession::open, () -> {
            LOG.warn(
                    "node={} managed=false reason=\"{}\"",
                    node.name(),
                    managed.refused().reason());
            events.status(node.name(), managed.refused());
        });
    }

    private Managed managed(Node node) {
        NodeStatus refused =
                new NodeStatus(NodeStatus.Kind.PIPELINE_MISMATCH, "there is no pipeline " + node.pipeconf());
        Optional<NodeSession> session = Optional.empty();
        try {
            Management management = Management.parse(node.management());
            session = pipeconfs
                    .computeIfAbsent(node.pipeconf(), Pipeconf::byName)
                    .map(pipeconf -> new NodeSession(node.name(), management, pipeconf, shared, events));
        } catch (IllegalArgumentException | UncheckedIOException e) {
            refused = new NodeStatus(NodeStatus.Kind.LOST, Reason.of(e));
        }
        return new Managed(node.management(), node.pipeconf(), session, refused);
    }

    /** That a certificate ends: the node's, or one of the controller's that the node is reached with. */
    @Override
    public Optional<String> notice(String node) {
        Optional<NodeSession> session = session(node);
        List<String> sentences = new ArrayList<>();
        session.flatMap(NodeSession::notice).ifPresent(sentences::add);
        if (session.filter(NodeSession::tls).isPresent()) {
            sentences.addAll(ending);
        }
        return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", sentences));
    }

    /** Checks the terms of files, and logs new warnings, those nearer by a step, and all of them once a day. */
    private void watchEnds() {
        ending = shared.tls().ending(Clock.systemUTC());
        Set<String> sentences = new TreeSet<>(ending);
        statuses()
                .keySet()
                .forEach(node -> session(node)
                        .flatMap(NodeSession::notice)
                        .ifPresent(notice -> sentences.add("node " + node + ": " + notice)));
        ends.due(sentences, System.nanoTime()).forEach(LOG::warn);
    }

    /** How the controller stands with each managed node. */
    public synchronized SortedMap<String, NodeStatus> statuses() {
        SortedMap<String, NodeStatus> all = new TreeMap<>();
        sessions.forEach((name, managed) ->
                all.put(name, managed.session().map(NodeSession::status).orElse(managed.refused())));
        return all;
    }

    @Override
    public Optional<Capabilities> capabilities(String node) {
        return session(node).flatMap(NodeSession::capabilities);
    }

    @Override
    public Set<String> ready() {
        Set<String> ready = new TreeSet<>();
        statuses().forEach((name, status) -> {
            if (status.ready()) {
                ready.add(name);
            }
        });
        return ready;
    }

    @Override
    public List<Result> write(String node, List<Update> updates) {
        return updates.isEmpty() ? List.of() : known(node).write(updates);
    }

    @Override
    public List<Stored> read(String node) {
        return known(node).read();
    }

    @Override
    public List<Stored> read(String node, Set<String> tables) {
        return known(node).read(tables);
    }

    @Override
    public List<Stored> rows(String node, Collection<Entry> entries) {
        return entries.isEmpty() ? List.of() : known(node).rows(entries);
    }

    @Override
    public Map<Integer, Counters> cells(String node, String array, Set<Integer> indexes) {
        return indexes.isEmpty() ? Map.of() : known(node).cells(array, indexes);
    }

    @Override
    public Echoes ping(String node, Ping ping) {
        try {
            return known(node).ping(ping);
        } catch (NodeUnavailableException e) {
            return Echoes.failed(Reason.of(e));
        }
    }

    /** Emits a frame at a port; best effort, nothing happens while the node is not ready. */
    public void send(String node, int port, byte[] frame) {
        session(node).ifPresent(session -> session.send(port, frame));
    }

    @Override
    public Subscription onState(Consumer<NodeState> listener) {
        stateListeners.add(listener);
        return () -> stateListeners.remove(listener);
    }

    public Subscription onPorts(PortListener listener) {
        portListeners.add(listener);
        return () -> portListeners.remove(listener);
    }

    @Override
    public Subscription onCounters(Consumer<Sample> listener) {
        return heard(counterListeners, listener);
    }

    @Override
    public Subscription onSlowCounters(Consumer<Sample> listener) {
        return heard(slowCounterListeners, listener);
    }

    @Override
    public Subscription onLogged(Consumer<Logged> listener) {
        return heard(loggedListeners, listener);
    }

    @Override
    public Subscription onCounted(Consumer<Counted> listener) {
        return heard(countedListeners, listener);
    }

    @Override
    public Subscription onLiveness(Consumer<Seen> listener) {
        return heard(livenessListeners, listener);
    }

    @Override
    public Subscription onLinkDelay(Consumer<LinkDelayTelemetry.Measured> listener) {
        return heard(delayListeners, listener);
    }

    /** Nodes send the data that have listeners. */
    private synchronized <T> Subscription heard(List<Consumer<T>> listeners, Consumer<T> listener) {
        listeners.add(listener);
        hear();
        return () -> {
            synchronized (this) {
                listeners.remove(listener);
                hear();
            }
        };
    }

    private NodeSession.Heard heard() {
        return new NodeSession.Heard(
                pace(),
                !loggedListeners.isEmpty(),
                !countedListeners.isEmpty(),
                !livenessListeners.isEmpty(),
                !delayListeners.isEmpty());
    }

    private NodeSession.Pace pace() {
        return !counterListeners.isEmpty()
                ? NodeSession.Pace.LIVE
                : slowCounterListeners.isEmpty() ? NodeSession.Pace.NEVER : NodeSession.Pace.SLOWLY;
    }

    private void hear() {
        NodeSession.Heard wanted = heard();
        sessions.values().forEach(managed -> managed.session().ifPresent(session -> session.hear(wanted)));
    }

    private static <T> void tellAll(List<Consumer<T>> listeners, T event) {
        listeners.forEach(listener -> {
            try {
                listener.accept(event);
            } catch (RuntimeException | Error e) {
                LOG.error("a listener of the data plane failed", e);
            }
        });
    }

    private void deliver(PacketInQueue.Frame frame) {
        PacketInQueue.Source source = frame.source();
        for (PacketListener listener : packetListeners) {
            try {
                listener.packet(source.node(), source.port(), frame.bytes());
            } catch (RuntimeException | Error e) {
                LOG.error("a listener of the data plane failed", e);
            }
        }
    }

    private void reportDrops() {
        dropReports.due(packetIns.dropped()).forEach(LOG::warn);
    }

    /** The packet-ins that were dropped since the start, by where they came in; ports without are left out. */
    SortedMap<PacketInQueue.Source, Long> droppedPacketIns() {
        return packetIns.dropped();
    }

    public Subscription onPacket(PacketListener listener) {
        packetListeners.add(listener);
        return () -> packetListeners.remove(listener);
    }

    private synchronized Optional<NodeSession> session(String node) {
        return Optional.ofNullable(sessions.get(node)).flatMap(Managed::session);
    }

    private NodeSession known(String node) {
        return session(node)
                .orElseThrow(() ->
                        new NodeUnavailableException(node, "it is not managed; is it in the network description?"));
    }

    @Override
    public void close() {
        manage(List.of());
        timer.shutdownNow();
        workers.closeNow();
        notifier.shutdownNow();
        packetNotifier.shutdownNow();
        firewallNotifier.shutdownNow();
    }

    private final class Events implements NodeSession.Events {
        @Override
        public void status(String node, NodeStatus status) {
            tell(
                    notifier,
                    () -> stateListeners.forEach(
                            listener -> listener.accept(new NodeState(node, status.ready(), status.reason()))));
        }

        @Override
        public void packet(String node, int port, byte[] frame) {
            packetIns.put(node, port, frame);
        }

        @Override
        public void ports(String node, Map<Integer, PortState> ports) {
            tell(notifier, () -> portListeners.forEach(listener -> listener.ports(node, ports)));
        }

        @Override
        public void counters(Sample sample) {
            tell(notifier, () -> {
                counterListeners.forEach(listener -> listener.accept(sample));
                slowCounterListeners.forEach(listener -> listener.accept(sample));
            });
        }

        @Override
        public void logged(Logged event) {
            logged.put(event);
        }

        @Override
        public void counted(Counted counted) {
            tell(notifier, () -> countedListeners.forEach(listener -> listener.accept(counted)));
        }

        @Override
        public void liveness(Seen seen) {
            tell(notifier, () -> livenessListeners.forEach(listener -> listener.accept(seen)));
        }

        @Override
        public void delay(LinkDelayTelemetry.Measured measured) {
            tell(notifier, () -> delayListeners.forEach(listener -> listener.accept(measured)));
        }

        private void tell(ExecutorService thread, Runnable event) {
            try {
                thread.execute(() -> {
                    try {
                        event.run();
                    } catch (RuntimeException | Error e) {
                        LOG.error("a listener of the data plane failed", e);
                    }
                });
            } catch (RejectedExecutionException shuttingDown) {
                LOG.debug("no more events");
            }
        }
    }
}
