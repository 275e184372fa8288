// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Reason;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.port.FirewallTelemetry;
import org.sextant.core.port.LinkDelayTelemetry;
import org.sextant.core.port.LivenessTelemetry;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Pinger;
import org.sextant.core.port.Telemetry;
import org.sextant.core.table.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * Keeps one node connected: connects, bids for primary, sets the pipeline, watches for life, and after a loss starts
 * over with a delay that grows. Only the current connection may change the state: events of an old one are dropped.
 *
 * <pre>
 *   CONNECTING -> elected -> pipeline as wanted -> READY
 *        ^  \-> NOT_PRIMARY (another controller; a bid again when it leaves)
 *        |  \-> PIPELINE_MISMATCH (retried)
 *        \----- LOST (retried)
 * </pre>
 */
final class NodeSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSession.class);

    /** The events of the session; called without its lock, one thread at a time per kind. */
    interface Events {
        void status(String node, NodeStatus status);

        void packet(String node, int port, byte[] frame);

        void ports(String node, Map<Integer, PortState> ports);

        void counters(Telemetry.Sample sample);

        void logged(FirewallTelemetry.Logged event);

        void counted(FirewallTelemetry.Counted counted);

        void liveness(LivenessTelemetry.Seen seen);

        void delay(LinkDelayTelemetry.Measured measured);
    }

    /** The data of a node that have listeners. */
    record Heard(Pace ports, boolean logged, boolean counted, boolean liveness, boolean delays) {
        static final Heard NOTHING = new Heard(Pace.NEVER, false, false, false, false);
    }

    /** How often listeners want the ports' counters. */
    enum Pace {
        NEVER,
        /** Twice in ten seconds. */
        SLOWLY,
        /** Every two seconds. */
        LIVE
    }

    /** The objects that all sessions share. */
    record Shared(
            TlsFiles tls,
            ElectionIds electionIds,
            Deadlines deadlines,
            ScheduledExecutorService timer,
            Executor workers) {}

    private final String node;
    private final Management management;
    private final Pipeconf pipeconf;
    private final Shared shared;
    private final Events events;
    private final NodeNotifications told;
    private final Backoff backoff = new Backoff(Math::random);
    private @Nullable Connection current;
    private NodeStatus status = new NodeStatus(NodeStatus.Kind.CONNECTING, "not connected yet");
    private boolean closed;

    NodeSession(String node, Management management, Pipeconf pipeconf, Shared shared, Events events) {
        this.node = node;
        this.management = management;
        this.pipeconf = pipeconf;
        this.shared = shared;
        this.events = events;
        this.told = new NodeNotifications(node, shared.timer(), events);
    }

    /** Starts connecting; returns at once. */
    void open() {
        onWorker(this::connect);
    }

    /** Subscribes to the data with listeners, now and after every loss; and to nothing else. */
    synchronized void hear(Heard wanted) {
        told.hear(wanted, Optional.ofNullable(current));
    }

    private void watch() {
        told.by(Optional.ofNullable(current));
    }

    synchronized NodeStatus status() {
        return status;
    }

    private synchronized Connection ready() {
        if (current == null || !status.ready()) {
            throw new NodeUnavailableException(node, status.reason());
        }
        return current;
    }

    /** Empty unless ready. */
    Optional<Capabilities> capabilities() {
        @Nullable Connection connection;
        synchronized (this) {
            connection = status.ready() ? current : null;
        }
        return Optional.ofNullable(connection).flatMap(Connection::pipeline).map(PipelineIndex::capabilities);
    }

    List<Result> write(List<Update> updates) {
        return call(connection -> connection.write(updates));
    }

    List<Stored> read() {
        return call(Connection::read);
    }

    List<Stored> read(Set<String> tables) {
        return call(connection -> connection.read(tables));
    }

    List<Stored> rows(Collection<Entry> entries) {
        return call(connection -> connection.rows(entries));
    }

    Map<Integer, Counters> cells(String array, Set<Integer> indexes) {
        return call(connection -> connection.cells(array, indexes));
    }

    /** That a node does not answer a ping is no reason to count it lost. */
    Pinger.Echoes ping(Pinger.Ping ping) {
        return Pings.ping(ready().channel(), ping);
    }

    private <T> T call(Function<Connection, T> use) {
        Connection connection = ready();
        try {
            return use.apply(connection);
        } catch (StatusRuntimeException e) {
            String reason = describe(e.getStatus());
            if (isLoss(e.getStatus())) {
                lost(connection, NodeStatus.Kind.LOST, reason);
            }
            throw new NodeUnavailableException(node, reason);
        }
    }

    private static boolean isLoss(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> true;
            default -> false;
        };
    }

    void send(int port, byte[] frame) {
        @Nullable Connection connection;
        synchronized (this) {
            connection = status.ready() ? current : null;
        }
        if (connection != null) {
            connection.send(port, frame);
        }
    }

    /** Nothing may end the attempts: any failure is reported as the reason, and tried again. */
    private void connect() {
        @Nullable Connection connection = null;
        try {
            synchronized (this) {
                if (closed) {
                    return;
                }
            }
            connection = new Connection(
                    management, shared.tls(), shared.electionIds().next(), shared.deadlines());
            if (adopt(connection)) {
                follow(connection);
            }
        } catch (RuntimeException | Error e) {
            failed(connection, e);
        }
    }

    private synchronized boolean adopt(Connection connection) {
        if (closed) {
            connection.close();
            return false;
        }
        current = connection;
        watch();
        return true;
    }

    private void follow(Connection connection) {
        new PortWatch(node, connection.channel(), shared.timer(), ports -> tellPorts(connection, ports)).start();
        connection.open(new StreamEvents(connection));
        after(shared.deadlines().arbitrationMillis(), () -> {
            if (!connection.answered()) {
                lost(connection, NodeStatus.Kind.LOST, "no answer to arbitration from " + management);
            }
        });
        after(shared.deadlines().probeIntervalMillis(), () -> probe(connection));
    }

    /** Reported under the lock, so that an old connection's last events do not come after the first of a new one. */
    private synchronized void tellPorts(Connection connection, Map<Integer, PortState> ports) {
        if (connection == current) {
            events.ports(node, ports);
        }
    }

    /** Runs on a worker: pushing a pipeline blocks. Once at a time, as election results may repeat meanwhile. */
    private void configure(Connection connection) {
        synchronized (connection) {
            if (!connection.primary() || status().ready()) {
                return;
            }
            try {
                connection.configure(pipeconf);
                backoff.reset();
                become(connection, new NodeStatus(NodeStatus.Kind.READY, "primary, pipeline " + pipeconf.name()));
            } catch (StatusRuntimeException e) {
                String reason = describe(e.getStatus());
                boolean loss = isLoss(e.getStatus());
                lost(
                        connection,
                        loss ? NodeStatus.Kind.LOST : NodeStatus.Kind.PIPELINE_MISMATCH,
                        loss ? reason : "the node does not take pipeline " + pipeconf.name() + ": " + reason);
            } catch (RuntimeException | Error e) {
                failed(connection, e);
            }
        }
    }

    /** A peer that lost its power does not close its connection: only a question finds out. */
    private void probe(Connection connection) {
        synchronized (this) {
            if (connection != current) {
                return;
            }
        }
        connection.probe(answer -> {
            if (isLoss(answer)) {
                lost(
                        connection,
                        NodeStatus.Kind.LOST,
                        TlsErrors.describe(answer, shared.tls())
                                .orElse("no sign of life: " + P4Errors.describe(answer)));
            } else if (!endedByRevocation(connection)) {
                after(shared.deadlines().probeIntervalMillis(), () -> probe(connection));
            }
        });
    }

    /** A certificate that was valid when it was shown may be revoked by now. */
    private boolean endedByRevocation(Connection connection) {
        Optional<String> revoked = connection.trust().flatMap(NodeTrust::revokedSince);
        revoked.ifPresent(reason -> lost(connection, NodeStatus.Kind.LOST, reason));
        return revoked.isPresent();
    }

    /** A warning about its certificate although it works; empty if there is none, or if it does not work. */
    Optional<String> notice() {
        @Nullable Connection connection;
        synchronized (this) {
            connection = status.ready() ? current : null;
        }
        return Optional.ofNullable(connection).flatMap(Connection::trust).flatMap(NodeTrust::warning);
    }

    boolean tls() {
        return management.tls();
    }

    private String describe(Status failure) {
        return TlsErrors.describe(failure, shared.tls()).orElseGet(() -> P4Errors.describe(failure));
    }

    /** Not the node's fault, as far as is known: files that cannot be read, a full disk, no memory. */
    private void failed(@Nullable Connection connection, Throwable failure) {
        LOG.warn("node={} cannot be connected; trying again", node, failure);
        lost(connection, NodeStatus.Kind.LOST, Reason.of(failure));
    }

    /** @param connection null if there never was one */
    private void lost(@Nullable Connection connection, NodeStatus.Kind kind, String reason) {
        synchronized (this) {
            if (connection != current || closed) {
                return;
            }
            current = null;
        }
        if (connection != null) {
            connection.close();
        }
        long delayMillis = backoff.nextMillis();
        become(null, new NodeStatus(kind, reason));
        after(delayMillis, () -> onWorker(this::connect));
    }

    private void become(@Nullable Connection connection, NodeStatus next) {
        synchronized (this) {
            boolean unelected = next.ready() && (connection == null || !connection.primary());
            if (closed || connection != current || next.equals(status) || unelected) {
                return;
            }
            if (next.kind() != status.kind()) {
                LOG.info("node={} state={} reason=\"{}\"", node, next.kind(), next.reason());
            }
            status = next;
            // Reported under the lock so that two changes cannot overtake each other; the listener only queues.
            events.status(node, next);
        }
    }

    private void after(long millis, Runnable task) {
        try {
            shared.timer().schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException shuttingDown) {
            LOG.debug("node={} no more timers", node);
        }
    }

    private void onWorker(Runnable task) {
        try {
            shared.workers().execute(task);
        } catch (RejectedExecutionException shuttingDown) {
            LOG.debug("node={} no more work", node);
        } catch (OutOfMemoryError noThread) {
            LOG.warn("node={} no thread to connect it; trying again", node, noThread);
            after(Backoff.LAST_MILLIS, () -> onWorker(task));
        }
    }

    @Override
    public void close() {
        @Nullable Connection last;
        synchronized (this) {
            closed = true;
            last = current;
            current = null;
            watch();
            status = new NodeStatus(NodeStatus.Kind.LOST, "no longer managed");
        }
        if (last != null) {
            last.close();
        }
    }

    private final class StreamEvents implements PrimaryStream.Events {
        private final Connection connection;

        StreamEvents(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void elected() {
            connection.electionResult(true);
            onWorker(() -> configure(connection));
        }

        @Override
        public void notElected(boolean vacant, Uint128 highest, String reason) {
            connection.electionResult(false);
            become(connection, new NodeStatus(NodeStatus.Kind.NOT_PRIMARY, reason));
            if (vacant) {
                after(
                        Backoff.FIRST_MILLIS,
                        () -> connection.bid(shared.electionIds().above(highest)));
            }
        }

        @Override
        public void packetIn(PacketIn packet) {
            connection
                    .pipeline()
                    .ifPresent(pipeline -> Packets.ingressPort(pipeline, packet)
                            .ifPresent(port -> events.packet(
                                    node, port, packet.getPayload().toByteArray())));
        }

        @Override
        public void broken(Status status) {
            lost(connection, NodeStatus.Kind.LOST, describe(status));
        }

        @Override
        public void ended() {
            lost(connection, NodeStatus.Kind.LOST, "the node ended the connection");
        }
    }
}
