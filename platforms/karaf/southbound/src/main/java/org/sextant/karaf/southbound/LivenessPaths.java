// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.TypedValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.sextant.core.port.LivenessTelemetry.Delay;
import org.sextant.core.port.LivenessTelemetry.Measured;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.core.port.LivenessTelemetry.Status;

/**
 * The model {@code sextant-liveness} (agent/README.md) as values: {@code /liveness/list[id]/state}. Malformed values of
 * a node are passed over.
 */
final class LivenessPaths {
    private static final long INTERVAL_NANOS = 2_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final String STATUS = "status";
    private static final String SINCE = "since";
    private static final String IN_USE = "in-use";

    private LivenessPaths() {}

    /** The values sent at once, and those measured meanwhile. */
    static List<Subscription> all() {
        Stream<Subscription> changes = Stream.of(STATUS, SINCE, IN_USE)
                .map(leaf -> Subscription.newBuilder()
                        .setPath(path(leaf))
                        .setMode(SubscriptionMode.ON_CHANGE)
                        .build());
        Stream<Subscription> samples = Stream.of(
                        "sent", "received", "lost", "delay-min", "delay-avg", "delay-max", "jitter")
                .map(leaf -> Subscription.newBuilder()
                        .setPath(path(leaf))
                        .setMode(SubscriptionMode.SAMPLE)
                        .setSampleInterval(INTERVAL_NANOS)
                        .setSuppressRedundant(true)
                        .build());
        return Stream.concat(changes, samples).toList();
    }

    private static Path path(String leaf) {
        return Path.newBuilder()
                .addElem(PathElem.newBuilder().setName("liveness"))
                .addElem(PathElem.newBuilder().setName("list").putKey("id", "*"))
                .addElem(PathElem.newBuilder().setName("state"))
                .addElem(PathElem.newBuilder().setName(leaf))
                .build();
    }

    /** The lists of one node as far as they were received. Not thread-safe. */
    static final class Lists {
        /** More than a node watches. */
        private static final int MOST = 16_384;

        private final String node;
        private final Map<Integer, Map<String, String>> lists = new HashMap<>();

        Lists(String node) {
            this.node = node;
        }

        /** The lists with news in this notification, as they are now; for one that is gone that nothing is known. */
        List<Seen> take(Notification notification) {
            Set<Integer> told = new LinkedHashSet<>();
            List<Seen> seen = new ArrayList<>();
            notification
                    .getDeleteList()
                    .forEach(path -> list(elements(notification, path))
                            .filter(id -> lists.remove(id) != null)
                            .ifPresent(id -> seen.add(unknown(id))));
            notification.getUpdateList().forEach(update -> {
                List<PathElem> path = elements(notification, update.getPath());
                text(update.getVal())
                        .ifPresent(value -> list(path)
                                .filter(id -> path.size() == 4 && (lists.containsKey(id) || lists.size() < MOST))
                                .ifPresent(id -> {
                                    lists.computeIfAbsent(id, none -> new HashMap<>())
                                            .put(path.get(3).getName(), value);
                                    told.add(id);
                                }));
            });
            told.forEach(id -> seen.add(seen(id, new Leaves(lists.getOrDefault(id, Map.of())))));
            return seen;
        }

        private Seen unknown(int id) {
            return new Seen(node, id, Status.UNKNOWN, Optional.empty(), 0, Measured.NOTHING);
        }

        private Seen seen(int id, Leaves leaves) {
            Optional<Delay> delay = leaves.has("delay-min") && leaves.has("delay-avg") && leaves.has("delay-max")
                    ? Optional.of(new Delay(
                            leaves.number("delay-min"),
                            leaves.number("delay-avg"),
                            leaves.number("delay-max"),
                            leaves.number("jitter")))
                    : Optional.empty();
            return new Seen(
                    node,
                    id,
                    leaves.status(),
                    leaves.since(),
                    (int) leaves.number(IN_USE),
                    new Measured(leaves.number("sent"), leaves.number("received"), leaves.number("lost"), delay));
        }

        private static List<PathElem> elements(Notification notification, Path path) {
            List<PathElem> elements = new ArrayList<>(notification.getPrefix().getElemList());
            elements.addAll(path.getElemList());
            return elements;
        }

        private static Optional<Integer> list(List<PathElem> path) {
            if (path.size() < 2 || !path.get(0).getName().equals("liveness")) {
                return Optional.empty();
            }
            try {
                return Optional.of(Integer.parseUnsignedInt(path.get(1).getKeyOrDefault("id", "")));
            } catch (NumberFormatException notAnId) {
                return Optional.empty();
            }
        }
    }

    private static Optional<String> text(TypedValue value) {
        return switch (value.getValueCase()) {
            case STRING_VAL -> Optional.of(value.getStringVal());
            case UINT_VAL -> Optional.of(Long.toUnsignedString(value.getUintVal()));
            default -> Optional.empty();
        };
    }

    /** The state of a list, by the names of its leaves. */
    private record Leaves(Map<String, String> values) {
        boolean has(String name) {
            return values.containsKey(name);
        }

        /** 0 if it was not received, or is no number. */
        long number(String name) {
            String text = values.getOrDefault(name, "");
            return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        }

        Status status() {
            return Stream.of(Status.values())
                    .filter(one -> one.name().equals(values.get(STATUS)))
                    .findFirst()
                    .orElse(Status.UNKNOWN);
        }

        /** Since the epoch, in nanoseconds; a long has room until 2262, which is 19 digits. */
        Optional<Instant> since() {
            String text = values.getOrDefault(SINCE, "");
            if (!text.matches("[1-9][0-9]{0,18}") || text.length() == 19 && text.charAt(0) == '9') {
                return Optional.empty();
            }
            long nanos = Long.parseLong(text);
            return Optional.of(Instant.ofEpochSecond(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND));
        }
    }
}
