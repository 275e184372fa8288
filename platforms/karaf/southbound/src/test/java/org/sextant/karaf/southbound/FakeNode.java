// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.gNMIGrpc;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import gnoi.system.SystemGrpc;
import gnoi.system.SystemOuterClass.PingRequest;
import gnoi.system.SystemOuterClass.PingResponse;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;
import p4.v1.P4RuntimeOuterClass.CapabilitiesResponse;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/**
 * A node on a loopback port: rows with P4Runtime's rules of INSERT, MODIFY and DELETE, an election, and faults on
 * demand. Its port survives a stop, so that a node can come back.
 */
final class FakeNode implements AutoCloseable {
    private final boolean withGnmi;
    private final Optional<SslContext> tls;
    private final Map<TableEntry, TableEntry> rows = new LinkedHashMap<>();
    final Map<Integer, P4RuntimeOuterClass.MulticastGroupEntry> groups = new ConcurrentHashMap<>();
    final List<Integer> batchSizes = new CopyOnWriteArrayList<>();
    final List<PacketOut> packetsOut = new CopyOnWriteArrayList<>();
    final List<Uint128> bids = new CopyOnWriteArrayList<>();
    /** The fault of an update; empty if there is none. */
    volatile Function<Update, Optional<P4RuntimeOuterClass.Error>> fault = update -> Optional.empty();

    volatile Optional<Status> refusePipeline = Optional.empty();
    /** It is of a time in which ports had no speed. */
    volatile boolean old;

    /** How often counters were asked for, each time. */
    final BlockingQueue<Long> sampleSeconds = new LinkedBlockingQueue<>();

    final AtomicInteger configurations = new AtomicInteger();
    private volatile ForwardingPipelineConfig config;
    private volatile StreamObserver<StreamMessageResponse> stream;
    private volatile StreamObserver<SubscribeResponse> ports;
    private volatile Uint128 highest = Uint128.getDefaultInstance();
    private volatile boolean foreignPrimary;
    private volatile boolean silent;
    private Server server;
    private int port;

    FakeNode(boolean withGnmi) {
        this(withGnmi, Optional.empty());
    }

    /** @param tls the node's certificate and its demand for the client's; without it, it speaks in the clear */
    FakeNode(boolean withGnmi, Optional<SslContext> tls) {
        this.withGnmi = withGnmi;
        this.tls = tls;
        start();
    }

    void start() {
        try {
            NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                    .addService(new P4Runtime());
            tls.ifPresent(builder::sslContext);
            if (withGnmi) {
                builder.addService((BindableService) new Gnmi());
                builder.addService(new Gnoi());
            }
            server = builder.build().start();
            port = server.getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop() {
        try {
            server.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }

    String management() {
        return (tls.isPresent() ? "grpcs" : "grpc") + "://127.0.0.1:" + port + "?device_id=1";
    }

    /** Forgets all, as a switch does that starts again. */
    synchronized void forget() {
        rows.clear();
        groups.clear();
        config = null;
        highest = Uint128.getDefaultInstance();
    }

    synchronized List<TableEntry> rows() {
        return List.copyOf(rows.values());
    }

    /** Removes the rows of a table, as another client would. */
    synchronized void erase(int tableId) {
        rows.values().removeIf(row -> row.getTableId() == tableId);
    }

    /** Swallows everything from now on, as a node that lost its power does. */
    void beSilent(boolean yes) {
        silent = yes;
    }

    /** Another controller becomes primary, or leaves. */
    void foreignPrimary(boolean present) {
        foreignPrimary = present;
        if (present) {
            highest = highest.toBuilder().setLow(highest.getLow() + 1000).build();
        }
        stream.onNext(arbitration(present ? Code.ALREADY_EXISTS_VALUE : Code.NOT_FOUND_VALUE));
    }

    /** Another controller becomes primary with this id. */
    void outbid(Uint128 electionId) {
        foreignPrimary = true;
        highest = electionId;
        stream.onNext(arbitration(Code.ALREADY_EXISTS_VALUE));
    }

    /** True if a controller has its stream open. */
    boolean connected() {
        return stream != null;
    }

    void packetIn(int ingressPort, byte[] frame) {
        stream.onNext(StreamMessageResponse.newBuilder()
                .setPacket(PacketIn.newBuilder()
                        .setPayload(ByteString.copyFrom(frame))
                        .addMetadata(P4RuntimeOuterClass.PacketMetadata.newBuilder()
                                .setMetadataId(1)
                                .setValue(ByteString.copyFrom(new byte[] {(byte) ingressPort}))))
                .build());
    }

    void tellPort(String name, int id, String operStatus) {
        ports.onNext(SubscribeResponse.newBuilder()
                .setUpdate(Notification.newBuilder()
                        .addUpdate(leaf(name, "id", TypedValue.newBuilder().setUintVal(id)))
                        .addUpdate(leaf(
                                name, "oper-status", TypedValue.newBuilder().setStringVal(operStatus))))
                .build());
    }

    /** A node with a firewall: one event, or one rule that counted 7 packets of 700 bytes. */
    private static void tellFirewalls(StreamObserver<SubscribeResponse> responses, String leaf) {
        responses.onNext(SubscribeResponse.newBuilder()
                .setUpdate(
                        leaf.equals("event")
                                ? FirewallPathsTest.event()
                                : FirewallPathsTest.notification(
                                        FirewallPathsTest.RULES + "a]/state/rule-set 7",
                                        FirewallPathsTest.RULES + "a]/state/priority 100",
                                        FirewallPathsTest.RULES + "a]/state/counters/packets 7",
                                        FirewallPathsTest.RULES + "a]/state/counters/bytes 700"))
                .build());
    }

    /** One sample: eth1, port 1, received 70 bytes and sent 80, at 5 ns. */
    private static SubscribeResponse counters() {
        return SubscribeResponse.newBuilder()
                .setUpdate(Notification.newBuilder()
                        .setTimestamp(5)
                        .addUpdate(leaf("eth1", "id", TypedValue.newBuilder().setUintVal(1)))
                        .addUpdate(counter("in-octets", 70))
                        .addUpdate(counter("out-octets", 80)))
                .build();
    }

    private static com.github.gnmi.proto.Update counter(String name, long value) {
        com.github.gnmi.proto.Update update =
                leaf("eth1", "counters", TypedValue.newBuilder().setUintVal(value));
        return update.toBuilder()
                .setPath(update.getPath().toBuilder()
                        .addElem(PathElem.newBuilder().setName(name)))
                .build();
    }

    private static com.github.gnmi.proto.Update leaf(String name, String leaf, TypedValue.Builder value) {
        return com.github.gnmi.proto.Update.newBuilder()
                .setPath(Path.newBuilder()
                        .addElem(PathElem.newBuilder().setName("interfaces"))
                        .addElem(PathElem.newBuilder().setName("interface").putKey("name", name))
                        .addElem(PathElem.newBuilder().setName("state"))
                        .addElem(PathElem.newBuilder().setName(leaf)))
                .setVal(value)
                .build();
    }

    private StreamMessageResponse arbitration(int code) {
        return StreamMessageResponse.newBuilder()
                .setArbitration(MasterArbitrationUpdate.newBuilder()
                        .setDeviceId(1)
                        .setElectionId(highest)
                        .setStatus(com.google.rpc.Status.newBuilder().setCode(code)))
                .build();
    }

    private static int compare(Uint128 one, Uint128 other) {
        int order = Long.compareUnsigned(one.getHigh(), other.getHigh());
        return order != 0 ? order : Long.compareUnsigned(one.getLow(), other.getLow());
    }

    /** The row: everything but the action and the counters. */
    private static TableEntry key(TableEntry entry) {
        return entry.toBuilder().clearAction().clearCounterData().build();
    }

    private P4RuntimeOuterClass.Error apply(Update.Type type, P4RuntimeOuterClass.MulticastGroupEntry group) {
        boolean exists = groups.containsKey(group.getMulticastGroupId());
        if (exists == (type == Update.Type.INSERT)) {
            return exists
                    ? error(Code.ALREADY_EXISTS_VALUE, "the group is there")
                    : error(Code.NOT_FOUND_VALUE, "no such group");
        }
        if (type == Update.Type.DELETE) {
            groups.remove(group.getMulticastGroupId());
        } else {
            groups.put(group.getMulticastGroupId(), group);
        }
        return error(Code.OK_VALUE, "");
    }

    private synchronized P4RuntimeOuterClass.Error apply(Update update) {
        Optional<P4RuntimeOuterClass.Error> wanted = fault.apply(update);
        if (wanted.isPresent()) {
            return wanted.get();
        }
        if (update.getEntity().hasPacketReplicationEngineEntry()) {
            var group = update.getEntity().getPacketReplicationEngineEntry().getMulticastGroupEntry();
            return apply(update.getType(), group);
        }
        TableEntry entry = update.getEntity().getTableEntry();
        boolean exists = rows.containsKey(key(entry)) || entry.getIsDefaultAction();
        switch (update.getType()) {
            case INSERT -> {
                if (exists) {
                    return error(Code.ALREADY_EXISTS_VALUE, "the row is there");
                }
                rows.put(key(entry), entry);
            }
            case MODIFY -> {
                if (!exists) {
                    return error(Code.NOT_FOUND_VALUE, "no such row");
                }
                rows.put(key(entry), entry);
            }
            case DELETE -> {
                if (rows.remove(key(entry)) == null) {
                    return error(Code.NOT_FOUND_VALUE, "no such row");
                }
            }
            default -> {
                return error(Code.INVALID_ARGUMENT_VALUE, "what to do?");
            }
        }
        return error(Code.OK_VALUE, "");
    }

    static P4RuntimeOuterClass.Error error(int code, String message) {
        return P4RuntimeOuterClass.Error.newBuilder()
                .setCanonicalCode(code)
                .setMessage(message)
                .build();
    }

    /** Answers two of each three pings; has no way to 192.0.2.0/24. */
    private static final class Gnoi extends SystemGrpc.SystemImplBase {
        @Override
        public void ping(PingRequest request, StreamObserver<PingResponse> responses) {
            if (request.getDestination().startsWith("192.0.2.")) {
                responses.onError(Status.FAILED_PRECONDITION
                        .withDescription("no packet can be sent to " + request.getDestination())
                        .asException());
                return;
            }
            responses.onNext(PingResponse.newBuilder().setBytes(64).setTime(1).build());
            responses.onNext(PingResponse.newBuilder()
                    .setSent(request.getCount())
                    .setReceived(request.getCount() * 2 / 3)
                    .setMinTime(request.getInterval())
                    .setAvgTime(request.getWait())
                    .setMaxTime(request.getWait() + 1)
                    .build());
            responses.onCompleted();
        }
    }

    private final class P4Runtime extends P4RuntimeGrpc.P4RuntimeImplBase {
        @Override
        public StreamObserver<StreamMessageRequest> streamChannel(StreamObserver<StreamMessageResponse> responses) {
            stream = responses;
            return new StreamObserver<>() {
                @Override
                public void onNext(StreamMessageRequest request) {
                    if (silent) {
                        return;
                    }
                    if (request.hasPacket()) {
                        packetsOut.add(request.getPacket());
                        return;
                    }
                    Uint128 bid = request.getArbitration().getElectionId();
                    bids.add(bid);
                    boolean wins = compare(bid, highest) > 0 && !foreignPrimary;
                    highest = wins ? bid : highest;
                    responses.onNext(arbitration(
                            wins ? Code.OK_VALUE : foreignPrimary ? Code.ALREADY_EXISTS_VALUE : Code.NOT_FOUND_VALUE));
                }

                @Override
                public void onError(Throwable t) {
                    stream = null;
                }

                @Override
                public void onCompleted() {
                    responses.onCompleted();
                }
            };
        }

        @Override
        public void getForwardingPipelineConfig(
                GetForwardingPipelineConfigRequest request,
                StreamObserver<GetForwardingPipelineConfigResponse> response) {
            if (silent) {
                return;
            }
            if (config == null) {
                response.onError(Status.FAILED_PRECONDITION
                        .withDescription("no pipeline")
                        .asException());
                return;
            }
            response.onNext(GetForwardingPipelineConfigResponse.newBuilder()
                    .setConfig(config)
                    .build());
            response.onCompleted();
        }

        @Override
        public void setForwardingPipelineConfig(
                SetForwardingPipelineConfigRequest request,
                StreamObserver<SetForwardingPipelineConfigResponse> response) {
            if (refusePipeline.isPresent()) {
                response.onError(refusePipeline.get().asException());
                return;
            }
            configurations.incrementAndGet();
            config = request.getConfig();
            response.onNext(SetForwardingPipelineConfigResponse.getDefaultInstance());
            response.onCompleted();
        }

        @Override
        public void write(WriteRequest request, StreamObserver<WriteResponse> response) {
            if (silent) {
                return;
            }
            if (compare(request.getElectionId(), highest) != 0 || foreignPrimary) {
                response.onError(
                        Status.PERMISSION_DENIED.withDescription("not primary").asException());
                return;
            }
            batchSizes.add(request.getUpdatesCount());
            List<P4RuntimeOuterClass.Error> errors = new ArrayList<>();
            request.getUpdatesList().forEach(update -> errors.add(apply(update)));
            if (errors.stream().allMatch(error -> error.getCanonicalCode() == Code.OK_VALUE)) {
                response.onNext(WriteResponse.getDefaultInstance());
                response.onCompleted();
                return;
            }
            com.google.rpc.Status.Builder status =
                    com.google.rpc.Status.newBuilder().setCode(Code.UNKNOWN_VALUE);
            errors.forEach(error -> status.addDetails(Any.pack(error)));
            response.onError(StatusProto.toStatusException(status.build()));
        }

        @Override
        public void read(ReadRequest request, StreamObserver<ReadResponse> response) {
            ReadResponse.Builder all = ReadResponse.newBuilder();
            for (Entity entity : request.getEntitiesList()) {
                if (entity.hasPacketReplicationEngineEntry()) {
                    groups.values()
                            .forEach(group -> all.addEntities(Entity.newBuilder()
                                    .setPacketReplicationEngineEntry(
                                            P4RuntimeOuterClass.PacketReplicationEngineEntry.newBuilder()
                                                    .setMulticastGroupEntry(group))));
                    continue;
                }
                if (entity.hasCounterEntry()) {
                    P4RuntimeOuterClass.CounterEntry cell = entity.getCounterEntry();
                    all.addEntities(Entity.newBuilder()
                            .setCounterEntry(cell.toBuilder()
                                    .setData(P4RuntimeOuterClass.CounterData.newBuilder()
                                            .setPacketCount(cell.getIndex().getIndex())
                                            .setByteCount(cell.getCounterId()))));
                    continue;
                }
                TableEntry want = entity.getTableEntry();
                rows().stream()
                        .filter(row -> row.getTableId() == want.getTableId()
                                && row.getIsDefaultAction() == want.getIsDefaultAction())
                        .filter(row ->
                                want.getMatchCount() == 0 || row.getMatchList().equals(want.getMatchList()))
                        .map(row -> want.hasTimeSinceLastHit()
                                ? row.toBuilder()
                                        .setTimeSinceLastHit(TableEntry.IdleTimeout.newBuilder()
                                                .setElapsedNs(5_000_000_000L))
                                        .build()
                                : row)
                        .map(row -> want.hasCounterData()
                                ? row.toBuilder()
                                        .setCounterData(P4RuntimeOuterClass.CounterData.newBuilder()
                                                .setPacketCount(7)
                                                .setByteCount(700))
                                        .build()
                                : row)
                        .forEach(row -> all.addEntities(Entity.newBuilder().setTableEntry(row)));
            }
            response.onNext(all.build());
            response.onCompleted();
        }

        @Override
        public void capabilities(CapabilitiesRequest request, StreamObserver<CapabilitiesResponse> response) {
            if (!silent) {
                response.onNext(CapabilitiesResponse.newBuilder()
                        .setP4RuntimeApiVersion("1.4.1")
                        .build());
                response.onCompleted();
            }
        }
    }

    private static boolean asksForSpeed(SubscribeRequest request) {
        return request.getSubscribe().getSubscriptionList().stream()
                .flatMap(one -> one.getPath().getElemList().stream())
                .anyMatch(step -> step.getName().equals("port-speed"));
    }

    private final class Gnmi extends gNMIGrpc.gNMIImplBase {
        @Override
        public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> responses) {
            return new StreamObserver<>() {
                @Override
                public void onNext(SubscribeRequest request) {
                    Path path = request.getSubscribe().getSubscription(0).getPath();
                    if (path.getElem(0).getName().equals("firewalls")) {
                        tellFirewalls(
                                responses, path.getElem(path.getElemCount() - 1).getName());
                        return;
                    }
                    if (path.getElem(0).getName().equals("liveness")) {
                        responses.onNext(SubscribeResponse.newBuilder()
                                .setUpdate(LivenessPathsTest.down())
                                .build());
                        return;
                    }
                    if (path.getElem(0).getName().equals("link-delays")) {
                        responses.onNext(SubscribeResponse.newBuilder()
                                .setUpdate(LinkDelayPathsTest.window())
                                .build());
                        return;
                    }
                    if (request.getSubscribe().getSubscription(0).getMode() == SubscriptionMode.SAMPLE) {
                        sampleSeconds.add(
                                request.getSubscribe().getSubscription(0).getSampleInterval() / 1_000_000_000L);
                        responses.onNext(counters());
                        return;
                    }
                    if (old && asksForSpeed(request)) {
                        responses.onError(Status.INVALID_ARGUMENT
                                .withDescription("nothing called \"port-speed\" is served there")
                                .asRuntimeException());
                        return;
                    }
                    ports = responses;
                    tellPort("eth1", 1, "UP");
                    tellPort("eth2", 2, "DOWN");
                    responses.onNext(
                            SubscribeResponse.newBuilder().setSyncResponse(true).build());
                }

                @Override
                public void onError(Throwable t) {
                    ports = null;
                }

                @Override
                public void onCompleted() {
                    responses.onCompleted();
                }
            };
        }
    }
}
