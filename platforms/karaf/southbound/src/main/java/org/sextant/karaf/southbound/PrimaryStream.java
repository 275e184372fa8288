// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.math.BigInteger;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/** The P4Runtime stream of one connection: it holds the election, and carries packets (P4Runtime 1.4, 5 and 16). */
final class PrimaryStream {

    /** The events of the stream; called one at a time. */
    interface Events {
        void elected();

        /**
         * @param vacant no controller is primary now, so a higher bid wins
         * @param highest the highest id that the node has seen
         */
        void notElected(boolean vacant, Uint128 highest, String reason);

        void packetIn(PacketIn packet);

        void broken(Status status);

        /** The node ended the stream, and says not why. */
        void ended();
    }

    /** A round of LLDP at 510 ports is a tenth of it. */
    private static final int BACKLOG_BYTES = 1 << 20;

    private static final BigInteger LAST_ID = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

    private final ClientCallStreamObserver<StreamMessageRequest> requests;
    private final long deviceId;

    PrimaryStream(ManagedChannel channel, long deviceId, Events events) {
        this.deviceId = deviceId;
        this.requests = (ClientCallStreamObserver<StreamMessageRequest>) P4RuntimeGrpc.newStub(channel)
                .withOnReadyThreshold(BACKLOG_BYTES)
                .streamChannel(new Responses(events));
    }

    /** Asks to be primary; the answer comes as an event. */
    void bid(Uint128 electionId) {
        send(StreamMessageRequest.newBuilder()
                .setArbitration(MasterArbitrationUpdate.newBuilder()
                        .setDeviceId(deviceId)
                        .setElectionId(electionId))
                .build());
    }

    /** Sends a packet, unless the node takes them slower than they come: then the queue would grow without end. */
    void offer(PacketOut packet) {
        if (requests.isReady()) {
            send(StreamMessageRequest.newBuilder().setPacket(packet).build());
        }
    }

    /** A gRPC stream takes one message at a time; one that is already broken says so by its events. */
    private synchronized void send(StreamMessageRequest request) {
        try {
            requests.onNext(request);
        } catch (IllegalStateException alreadyClosed) {
            // broken() has been or is about to be called, and starts the next connection.
        }
    }

    static PacketOut packetOut(ByteString payload, Iterable<PacketMetadata> metadata) {
        return PacketOut.newBuilder()
                .setPayload(payload)
                .addAllMetadata(metadata)
                .build();
    }

    private record Responses(Events events) implements StreamObserver<StreamMessageResponse> {
        @Override
        public void onNext(StreamMessageResponse response) {
            switch (response.getUpdateCase()) {
                case ARBITRATION -> arbitration(response.getArbitration());
                case PACKET -> events.packetIn(response.getPacket());
                default -> {
                    // Stream errors answer packet-out, which is best effort; digests and idle timeouts are not in the
                    // contract.
                }
            }
        }

        private void arbitration(MasterArbitrationUpdate update) {
            int code = update.getStatus().getCode();
            if (code == Code.OK_VALUE) {
                events.elected();
            } else {
                boolean vacant = code == Code.NOT_FOUND_VALUE;
                events.notElected(vacant, update.getElectionId(), reason(vacant, number(update.getElectionId())));
            }
        }

        private static String reason(boolean vacant, BigInteger highest) {
            String reason = vacant
                    ? "the node has no primary controller"
                    : "another controller is primary, with election id " + highest;
            return highest.equals(LAST_ID)
                    ? reason + "; no id is above " + LAST_ID
                            + ", which the node has seen: stop the client that sent it; a bmv2 switch has to be started again then, an agent forgets it"
                    : reason;
        }

        private static BigInteger number(Uint128 id) {
            return new BigInteger(Long.toUnsignedString(id.getHigh()))
                    .shiftLeft(Long.SIZE)
                    .add(new BigInteger(Long.toUnsignedString(id.getLow())));
        }

        @Override
        public void onError(Throwable t) {
            events.broken(Status.fromThrowable(t));
        }

        @Override
        public void onCompleted() {
            events.ended();
        }
    }
}
