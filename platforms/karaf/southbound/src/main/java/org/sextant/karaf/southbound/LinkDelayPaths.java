// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.TypedValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.sextant.core.port.LinkDelayTelemetry.Measured;

/**
 * The model {@code sextant-delay} (agent/README.md) as values: {@code /link-delays/port[id]/state}, of which a node
 * sends all news of a port at once, when a window ends. Malformed values of a node are passed over.
 */
final class LinkDelayPaths {
    private static final String LINK_DELAYS = "link-delays";
    private static final String WINDOW = "window";
    private static final String LEAST = "delay-min";

    private LinkDelayPaths() {}

    static List<Subscription> all() {
        return List.of(Subscription.newBuilder()
                .setPath(Path.newBuilder()
                        .addElem(PathElem.newBuilder().setName(LINK_DELAYS))
                        .addElem(PathElem.newBuilder().setName("port").putKey("id", "*"))
                        .addElem(PathElem.newBuilder().setName("state")))
                .setMode(SubscriptionMode.ON_CHANGE)
                .build());
    }

    /** The ports of one node as far as they were received. Not thread-safe. */
    static final class Ports {
        private static final int LAST_PORT = 510;
        private static final int LEAF = 3;

        private final String node;
        private final Map<Integer, Map<String, Long>> ports = new HashMap<>();

        Ports(String node) {
            this.node = node;
        }

        /** The ports with a new window in this notification. */
        List<Measured> take(Notification notification) {
            notification
                    .getDeleteList()
                    .forEach(path -> leaf(
                            notification,
                            path,
                            (port, name) ->
                                    ports.getOrDefault(port, new HashMap<>()).remove(name)));
            SortedSet<Integer> told = new TreeSet<>();
            notification
                    .getUpdateList()
                    .forEach(update -> leaf(
                            notification,
                            update.getPath(),
                            (port, name) -> number(update.getVal()).ifPresent(value -> {
                                ports.computeIfAbsent(port, none -> new HashMap<>())
                                        .put(name, value);
                                if (name.equals(WINDOW)) {
                                    told.add(port);
                                }
                            })));
            List<Measured> measured = new ArrayList<>();
            told.forEach(port -> measured.add(measured(port, ports.getOrDefault(port, Map.of()))));
            return measured;
        }

        private Measured measured(int port, Map<String, Long> leaves) {
            OptionalLong least = leaves.containsKey(LEAST)
                    ? OptionalLong.of(Math.max(1, leaves.get(LEAST))) // to the microsecond; nothing takes no time
                    : OptionalLong.empty();
            return new Measured(
                    node,
                    port,
                    leaves.getOrDefault(WINDOW, 0L),
                    least,
                    leaves.getOrDefault("sent", 0L),
                    leaves.getOrDefault("lost", 0L));
        }

        private static void leaf(Notification notification, Path path, BiConsumer<Integer, String> taken) {
            List<PathElem> elements = new ArrayList<>(notification.getPrefix().getElemList());
            elements.addAll(path.getElemList());
            if (elements.size() != LEAF + 1 || !elements.get(0).getName().equals(LINK_DELAYS)) {
                return;
            }
            String id = elements.get(1).getKeyOrDefault("id", "");
            int port = id.matches("[0-9]{1,3}") ? Integer.parseInt(id) : 0;
            if (port >= 1 && port <= LAST_PORT) {
                taken.accept(port, elements.get(LEAF).getName());
            }
        }

        /** No time and no count is as large as 2^53. */
        private static Optional<Long> number(TypedValue value) {
            return value.getValueCase() == TypedValue.ValueCase.UINT_VAL && value.getUintVal() >>> 53 == 0
                    ? Optional.of(value.getUintVal())
                    : Optional.empty();
        }
    }
}
