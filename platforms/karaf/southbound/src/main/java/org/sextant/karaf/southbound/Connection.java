// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Entry;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;
import p4.v1.P4RuntimeOuterClass.CapabilitiesResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * One connection to one node, from opening a channel to losing it; it is never mended, the session makes another. Its
 * election id is its own, so that a late call of an old connection cannot pass for one of a new.
 */
final class Connection implements AutoCloseable {
    private final Management management;
    private final Deadlines deadlines;
    private final Optional<NodeTrust> trust;
    private final ManagedChannel channel;
    private volatile Uint128 electionId;
    private volatile @Nullable PrimaryStream stream;
    private volatile @Nullable PipelineIndex pipeline;
    private volatile boolean answered;
    private volatile boolean primary;

    Connection(Management management, TlsFiles tls, Uint128 electionId, Deadlines deadlines) {
        this.trust = management.tls()
                ? Optional.of(new NodeTrust(tls, management.host(), Clock.systemUTC()))
                : Optional.empty();
        this.management = management;
        this.deadlines = deadlines;
        this.electionId = electionId;
        this.channel = tls.channel(management, trust);
    }

    /** Judges the node's certificate; empty where none is asked for. */
    Optional<NodeTrust> trust() {
        return trust;
    }

    /** Opens the stream and asks to be primary. Events may come before this returns. */
    void open(PrimaryStream.Events events) {
        PrimaryStream opened = new PrimaryStream(channel, management.deviceId(), events);
        stream = opened;
        opened.bid(electionId);
    }

    /** Asks again, with a higher id. */
    void bid(Uint128 higher) {
        electionId = higher;
        stream().bid(higher);
    }

    void electionResult(boolean isPrimary) {
        primary = isPrimary;
        answered = true;
    }

    boolean primary() {
        return primary;
    }

    /** The node has said something about the election. */
    boolean answered() {
        return answered;
    }

    ManagedChannel channel() {
        return channel;
    }

    /** Present once the pipeline is as wanted. */
    Optional<PipelineIndex> pipeline() {
        return Optional.ofNullable(pipeline);
    }

    /** @throws StatusRuntimeException if the node refuses the pipeline or does not answer */
    void configure(Pipeconf wanted) {
        P4Info info = Pipeline.ensure(channel, management.deviceId(), electionId, wanted, deadlines);
        pipeline = wanted.index(info);
    }

    /** @throws StatusRuntimeException if it is unknown which updates took effect */
    List<Result> write(List<Update> updates) {
        return new Writer(channel, management.deviceId(), electionId, deadlines.writeMillis())
                .write(configured(), updates);
    }

    /** @throws StatusRuntimeException if the node does not answer */
    List<Stored> read() {
        return new Reader(channel, management.deviceId(), deadlines.readMillis()).read(configured());
    }

    /** @throws StatusRuntimeException if the node does not answer */
    List<Stored> read(Set<String> tables) {
        return new Reader(channel, management.deviceId(), deadlines.readMillis()).read(configured(), tables);
    }

    /** @throws StatusRuntimeException if the node does not answer */
    List<Stored> rows(Collection<Entry> entries) {
        return new Reader(channel, management.deviceId(), deadlines.readMillis()).rows(configured(), entries);
    }

    /** @throws StatusRuntimeException if the node does not answer */
    Map<Integer, Counters> cells(String array, Set<Integer> indexes) {
        return new Reader(channel, management.deviceId(), deadlines.readMillis()).cells(configured(), array, indexes);
    }

    private PrimaryStream stream() {
        return Objects.requireNonNull(stream, "only what is open is used");
    }

    private PipelineIndex configured() {
        return Objects.requireNonNull(pipeline, "a ready node has a pipeline");
    }

    /** Best effort: a frame that the node drops is not reported. */
    void send(int port, byte[] frame) {
        pipeline()
                .map(known -> PrimaryStream.packetOut(ByteString.copyFrom(frame), Packets.metadata(known, port)))
                .ifPresent(stream()::offer);
    }

    /** Asks for a sign of life, without waiting for it; whatever the node answers is one. */
    void probe(Consumer<Status> answer) {
        P4RuntimeGrpc.newStub(channel)
                .withDeadlineAfter(deadlines.arbitrationMillis(), TimeUnit.MILLISECONDS)
                .capabilities(CapabilitiesRequest.getDefaultInstance(), new StreamObserver<>() {
                    @Override
                    public void onNext(CapabilitiesResponse response) {
                        // Completion follows.
                    }

                    @Override
                    public void onError(Throwable t) {
                        answer.accept(Status.fromThrowable(t));
                    }

                    @Override
                    public void onCompleted() {
                        answer.accept(Status.OK);
                    }
                });
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
