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
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the ports of one connection by a gNMI ON_CHANGE subscription. A node without gNMI (bmv2) is no fault: its
 * ports are then as described.
 */
final class PortWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PortWatch.class);
    private static final List<List<String>> LEAVES = List.of(
            List.of("state", "id"),
            List.of("state", "oper-status"),
            List.of("state", "admin-status"),
            List.of("state", "mtu"),
            List.of(Interfaces.IP_MTU.split("/")),
            List.of("ethernet", "state", "mac-address"));
    /** Older agents do not have these, and refuse a whole subscription that contains paths which they do not have. */
    private static final List<List<String>> YOUNGER_LEAVES =
            List.of(List.of(Interfaces.SPEED.split("/")), List.of(Interfaces.NEGOTIATED_SPEED.split("/")));

    private static final Set<Status.Code> NO_SUCH_PATH =
            Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.NOT_FOUND, Status.Code.UNIMPLEMENTED);

    private final String node;
    private final ManagedChannel channel;
    private final ScheduledExecutorService timer;
    private final Consumer<Map<Integer, PortState>> listener;
    private final Backoff backoff = new Backoff(Math::random);
    private volatile boolean asksForYounger = true;

    /** @param listener receives all ports whenever one changes */
    PortWatch(
            String node,
            ManagedChannel channel,
            ScheduledExecutorService timer,
            Consumer<Map<Integer, PortState>> listener) {
        this.node = node;
        this.channel = channel;
        this.timer = timer;
        this.listener = listener;
    }

    void start() {
        gNMIGrpc.newStub(channel).subscribe(new Responses()).onNext(request(asksForYounger));
    }

    private static SubscribeRequest request(boolean younger) {
        SubscriptionList.Builder list = SubscriptionList.newBuilder()
                .setMode(SubscriptionList.Mode.STREAM)
                .setEncoding(Encoding.PROTO);
        List<List<String>> leaves = new ArrayList<>(LEAVES);
        leaves.addAll(younger ? YOUNGER_LEAVES : List.of());
        for (List<String> leaf : leaves) {
            Path.Builder path = Path.newBuilder()
                    .addElem(PathElem.newBuilder().setName("interfaces"))
                    .addElem(PathElem.newBuilder().setName("interface").putKey("name", "*"));
            leaf.forEach(name -> path.addElem(step(name)));
            list.addSubscription(Subscription.newBuilder().setPath(path).setMode(SubscriptionMode.ON_CHANGE));
        }
        return SubscribeRequest.newBuilder().setSubscribe(list).build();
    }

    /** Subinterface 0 is the port itself. */
    private static PathElem.Builder step(String name) {
        PathElem.Builder step = PathElem.newBuilder().setName(name);
        return name.equals("subinterface") ? step.putKey("index", "0") : step;
    }

    /** The channel ends with its connection, and then so do the attempts. */
    private void retry(Status status) {
        if (asksForYounger && NO_SUCH_PATH.contains(status.getCode())) {
            asksForYounger = false;
            LOG.debug("node={} gnmi={} speeds=not-asked-for", node, status);
            start();
        } else if (status.getCode() == Status.Code.UNIMPLEMENTED) {
            LOG.info("node={} gnmi=absent ports=as-described", node);
        } else if (!channel.isShutdown()) {
            LOG.debug("node={} gnmi={}", node, status);
            try {
                timer.schedule(this::start, backoff.nextMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException shuttingDown) {
                LOG.debug("node={} no more timers", node);
            }
        }
    }

    private final class Responses implements StreamObserver<SubscribeResponse> {
        private final Interfaces interfaces = new Interfaces();
        private Map<Integer, PortState> told = Map.of();
        private boolean synced;

        @Override
        public void onNext(SubscribeResponse response) {
            switch (response.getResponseCase()) {
                case UPDATE -> apply(response.getUpdate());
                case SYNC_RESPONSE -> {
                    synced = true;
                    backoff.reset();
                }
                default -> {
                    return;
                }
            }
            Map<Integer, PortState> ports = interfaces.ports();
            if (synced && !ports.equals(told)) {
                told = ports;
                listener.accept(ports);
            }
        }

        private void apply(Notification notification) {
            notification.getDeleteList().forEach(path -> interfaces.remove(notification.getPrefix(), path));
            notification
                    .getUpdateList()
                    .forEach(update -> interfaces.set(notification.getPrefix(), update.getPath(), update.getVal()));
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
