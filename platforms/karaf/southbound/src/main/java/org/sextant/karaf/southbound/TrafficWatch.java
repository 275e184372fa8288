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
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.Sample;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has one connection's node send its port counters every two seconds by a gNMI SAMPLE subscription, until closed. A node
 * without gNMI stays silent.
 */
final class TrafficWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrafficWatch.class);
    private static final long INTERVAL_NANOS = 2_000_000_000L;

    private final String node;
    private final NodeSession.Events events;
    private final Context.CancellableContext call = Context.current().withCancellation();

    TrafficWatch(String node, Connection connection, NodeSession.Events events) {
        this.node = node;
        this.events = events;
        call.run(() -> gNMIGrpc.newStub(connection.channel())
                .subscribe(new Responses())
                .onNext(request()));
    }

    private static SubscribeRequest request() {
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
                        .setSampleInterval(INTERVAL_NANOS));
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

        /** Only ports that this notification counted: what is known of the others is older than its time stamp. */
        private void take(Notification notification) {
            Set<String> counted = new HashSet<>();
            notification.getUpdateList().forEach(update -> {
                interfaces.set(notification.getPrefix(), update.getPath(), update.getVal());
                Interfaces.counted(notification.getPrefix(), update.getPath()).ifPresent(counted::add);
            });
            notification.getDeleteList().forEach(path -> interfaces.remove(notification.getPrefix(), path));
            Map<Integer, PortCounters> counters = interfaces.counters(counted);
            if (!counters.isEmpty()) {
                events.counters(new Sample(node, notification.getTimestamp(), counters));
            }
        }

        /** A lost node is noticed by its session, which starts another watch when it is back. */
        @Override
        public void onError(Throwable t) {
            LOG.debug("node={} counters={}", node, t.toString());
        }

        @Override
        public void onCompleted() {
            LOG.debug("node={} counters=ended", node);
        }
    }
}
