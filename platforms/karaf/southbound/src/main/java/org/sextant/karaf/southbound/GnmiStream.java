// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionList;
import com.github.gnmi.proto.gNMIGrpc;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One gNMI subscription of one connection, begun again after a while whenever it breaks, until closed. A node that does
 * not have the subscribed paths (UNIMPLEMENTED without gNMI, INVALID_ARGUMENT for paths that are none there) stays
 * silent.
 */
final class GnmiStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GnmiStream.class);

    private final String node;
    private final ManagedChannel channel;
    private final ScheduledExecutorService timer;
    private final List<Subscription> wanted;
    private final Supplier<Consumer<Notification>> listeners;
    private final Backoff backoff = new Backoff(Math::random);
    private final Context.CancellableContext call = Context.ROOT.withCancellation();

    /** @param listeners makes one for every attempt, which receives everything from the beginning */
    GnmiStream(
            String node,
            ManagedChannel channel,
            ScheduledExecutorService timer,
            List<Subscription> wanted,
            Supplier<Consumer<Notification>> listeners) {
        this.node = node;
        this.channel = channel;
        this.timer = timer;
        this.wanted = List.copyOf(wanted);
        this.listeners = listeners;
    }

    void start() {
        SubscribeRequest request = SubscribeRequest.newBuilder()
                .setSubscribe(SubscriptionList.newBuilder()
                        .setMode(SubscriptionList.Mode.STREAM)
                        .setEncoding(Encoding.PROTO)
                        .addAllSubscription(wanted))
                .build();
        call.run(() -> gNMIGrpc.newStub(channel)
                .subscribe(new Responses(listeners.get()))
                .onNext(request));
    }

    /** A lost node is noticed by its session, which starts another stream when it is back. */
    private void retry(Status status) {
        LOG.debug("node={} subscription={}", node, status);
        boolean never =
                status.getCode() == Status.Code.UNIMPLEMENTED || status.getCode() == Status.Code.INVALID_ARGUMENT;
        if (!never && !channel.isShutdown() && !call.isCancelled()) {
            try {
                timer.schedule(this::start, backoff.nextMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException shuttingDown) {
                LOG.debug("node={} no more timers", node);
            }
        }
    }

    @Override
    public void close() {
        call.cancel(null);
    }

    private final class Responses implements StreamObserver<SubscribeResponse> {
        private final Consumer<Notification> listener;

        Responses(Consumer<Notification> listener) {
            this.listener = listener;
        }

        @Override
        public void onNext(SubscribeResponse response) {
            backoff.reset();
            if (response.getResponseCase() == SubscribeResponse.ResponseCase.UPDATE) {
                listener.accept(response.getUpdate());
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
