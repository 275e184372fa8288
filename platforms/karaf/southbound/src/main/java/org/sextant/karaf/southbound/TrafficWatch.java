// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionList;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.gNMIGrpc;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.Sample;
import org.sextant.karaf.southbound.NodeSession.Pace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has one connection's node send its port counters every few seconds by a gNMI SAMPLE subscription, until closed. A node without
 * gNMI stays silent.
 */
final class TrafficWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrafficWatch.class);
    private static final long LIVE_NANOS = 2_000_000_000L;
    private static final long SLOWLY_NANOS = 5_000_000_000L;

    private final String node;
    private final ManagedChannel channel;
    private final ScheduledExecutorService timer;
    private final Pace pace;
    private final Consumer<Sample> listener;
    private final Backoff backoff = new Backoff(Math::random);
    private final Context.CancellableContext call = Context.ROOT.withCancellation();

    TrafficWatch(
            String node, ManagedChannel channel, ScheduledExecutorService timer, Pace pace, Consumer<Sample> listener) {
        this.node = node;
        this.channel = channel;
        this.timer = timer;
        this.pace = pace;
        this.listener = listener;
    }

    void start() {
        call.run(() -> gNMIGrpc.newStub(channel).subscribe(new Responses()).onNext(request()));
    }

    /** A lost node is noticed by its session, which starts another watch when it is back. */
    private void retry(Status status) {
        LOG.debug("node={} counters={}", node, status);
        if (status.getCode() != Status.Code.UNIMPLEMENTED && !channel.isShutdown() && !call.isCancelled()) {
            try {
                timer.schedule(this::start, backoff.nextMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException shuttingDown) {
                LOG.debug("node={} no more timers", node);
            }
        }
    }

    private SubscribeRequest request() {
        Path.Builder state = Path.newBuilder()
                .addElem(PathElem.newBuilder().setName("interfaces"))
                .addElem(PathElem.newBuilder().setName("interface").putKey("name", "*"))
                .addElem(PathElem.newBuilder().setName("state"));
        SubscriptionList.Builder list = SubscriptionList.newBuilder()
                .setMode(SubscriptionList.Mode.STREAM)
                .setEncoding(Encoding.PROTO)
                .addSubscription(Subscription.newBuilder()
                        .setPath(state)
                        .setMode(SubscriptionMode.SAMPLE)
                        .setSampleInterval(pace == Pace.LIVE ? LIVE_NANOS : SLOWLY_NANOS));
        return SubscribeRequest.newBuilder().setSubscribe(list).build();
    }

    @Override
    public void close() {
        call.cancel(null);
    }

    private final class Responses implements StreamObserver<SubscribeResponse> {
        private final Interfaces interfaces = new Interfaces();

        @Override
        public void onNext(SubscribeResponse response) {
            if (response.getResponseCase() == SubscribeResponse.ResponseCase.UPDATE) {
                take(response.getUpdate());
            }
        }

        /** Only ports that this notification counted: the counters of the others are older than its time stamp. */
        private void take(Notification notification) {
            Set<String> counted = new HashSet<>();
            notification.getUpdateList().forEach(update -> {
                interfaces.set(notification.getPrefix(), update.getPath(), update.getVal());
                Interfaces.counted(notification.getPrefix(), update.getPath()).ifPresent(counted::add);
            });
            notification.getDeleteList().forEach(path -> interfaces.remove(notification.getPrefix(), path));
            Map<Integer, PortCounters> counters = interfaces.counters(counted);
            if (!counters.isEmpty()) {
                backoff.reset();
                listener.accept(new Sample(node, notification.getTimestamp(), counters));
            }
        }

        @Override
        public void onError(Throwable t) {
            retry(Status.fromThrowable(t));
        }

        @Override
        public void onCompleted() {
            retry(Status.UNAVAILABLE);
        }
    }
}
