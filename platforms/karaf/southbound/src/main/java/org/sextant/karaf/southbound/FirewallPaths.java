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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.FirewallTelemetry.Counted;
import org.sextant.core.port.FirewallTelemetry.Inside;
import org.sextant.core.port.FirewallTelemetry.Logged;
import org.sextant.core.port.FirewallTelemetry.Pair;
import org.sextant.core.port.FirewallTelemetry.Rule;

/**
 * The model {@code sextant-firewall} (agent/README.md) as values: {@code /firewalls/firewall[instance]/log/event}, and
 * {@code /firewalls/firewall[instance]/rules/rule[id]/state}. Malformed values of a node are passed over.
 */
final class FirewallPaths {
    private static final long INTERVAL_NANOS = 2_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private FirewallPaths() {}

    static List<Subscription> events() {
        return List.of(Subscription.newBuilder()
                .setPath(path("log", "event"))
                .setMode(SubscriptionMode.ON_CHANGE)
                .build());
    }

    /** Only changes are sent again. */
    static List<Subscription> counters() {
        return Stream.of("rule-set", "priority", "counters/packets", "counters/bytes")
                .map(leaf -> Subscription.newBuilder()
                        .setPath(path(("rules/rule/state/" + leaf).split("/", -1)))
                        .setMode(SubscriptionMode.SAMPLE)
                        .setSampleInterval(INTERVAL_NANOS)
                        .setSuppressRedundant(true)
                        .build())
                .toList();
    }

    private static Path path(String... below) {
        Path.Builder path = Path.newBuilder()
                .addElem(PathElem.newBuilder().setName("firewalls"))
                .addElem(PathElem.newBuilder().setName("firewall").putKey("instance", "*"));
        Stream.of(below).forEach(step -> {
            PathElem.Builder elem = PathElem.newBuilder().setName(step);
            path.addElem(step.equals("rule") ? elem.putKey("id", "*") : elem);
        });
        return path.build();
    }

    /** The event of a notification; empty if it is none that can be read. */
    static Optional<Logged> event(String node, Notification notification) {
        Map<String, String> leaves = new HashMap<>();
        Set<String> instances = new HashSet<>();
        each(notification, (path, value) -> {
            if (path.size() == 5 && path.get(2).getName().equals("log")) {
                instances.add(path.get(1).getKeyOrDefault("instance", ""));
                leaves.put(path.get(4).getName(), value);
            }
        });
        try {
            return instances.size() == 1
                    ? Optional.of(
                            event(node, Integer.parseInt(instances.iterator().next()), new Leaves(leaves)))
                    : Optional.empty();
        } catch (IllegalArgumentException notAnEvent) {
            return Optional.empty();
        }
    }

    private static Logged event(String node, int instance, Leaves leaves) {
        long nanos = leaves.number("time");
        return new Logged(
                node,
                Instant.ofEpochSecond(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND),
                instance,
                (int) leaves.number("rule-set"),
                (int) leaves.number("priority"),
                leaves.text("action"),
                leaves.optional("dropped"),
                Ipv6.parse(leaves.text("sid")),
                new Inside(
                        IpAddress.parse(leaves.text("source")),
                        IpAddress.parse(leaves.text("destination")),
                        (int) leaves.number("protocol"),
                        leaves.pair("source-port", "destination-port"),
                        leaves.pair("icmp-type", "icmp-code")),
                leaves.number("unlogged"),
                leaves.number("lost"));
    }

    private static void each(Notification notification, BiConsumer<List<PathElem>, String> leaf) {
        notification.getUpdateList().forEach(update -> {
            List<PathElem> path = new ArrayList<>(notification.getPrefix().getElemList());
            path.addAll(update.getPath().getElemList());
            if (path.size() >= 2 && path.get(0).getName().equals("firewalls")) {
                text(update.getVal()).ifPresent(value -> leaf.accept(path, value));
            }
        });
    }

    private static Optional<String> text(TypedValue value) {
        return switch (value.getValueCase()) {
            case STRING_VAL -> Optional.of(value.getStringVal());
            case UINT_VAL -> Optional.of(Long.toUnsignedString(value.getUintVal()));
            default -> Optional.empty();
        };
    }

    /** The fields of an event, by the names of its leaves. */
    private record Leaves(Map<String, String> values) {
        Optional<String> optional(String name) {
            return Optional.ofNullable(values.get(name));
        }

        String text(String name) {
            return optional(name).orElseThrow(() -> new IllegalArgumentException("no " + name));
        }

        long number(String name) {
            return Long.parseLong(text(name));
        }

        Optional<Pair> pair(String one, String other) {
            return values.containsKey(one) && values.containsKey(other)
                    ? Optional.of(new Pair((int) number(one), (int) number(other)))
                    : Optional.empty();
        }
    }

    /** The rows of one node as far as they were received, and the rules that they add up to. Not thread-safe. */
    static final class Rows {
        /** More than a node sends at once. */
        private static final int MOST = 16_384;

        private final String node;
        private final Map<RowId, Row> rows = new HashMap<>();

        Rows(String node) {
            this.node = node;
        }

        private record RowId(int instance, String id) {}

        private record RuleId(int instance, int ruleSet, int priority) implements Comparable<RuleId> {
            @Override
            public int compareTo(RuleId other) {
                int order = Integer.compare(instance, other.instance);
                order = order != 0 ? order : Integer.compare(ruleSet, other.ruleSet);
                return order != 0 ? order : -Integer.compare(priority, other.priority);
            }
        }

        private static final class Row {
            private int ruleSet = -1;
            private int priority = -1;
            private long packets;
            private long bytes;

            void set(String leaf, long value) {
                switch (leaf) {
                    case "rule-set" -> ruleSet = (int) value;
                    case "priority" -> priority = (int) value;
                    case "packets" -> packets = value;
                    case "bytes" -> bytes = value;
                    default -> {
                        return; // of a later node
                    }
                }
            }

            boolean known() {
                return ruleSet >= 0 && priority >= 0;
            }
        }

        /** The rules with news in this notification, as far as their ids are known, by firewall. */
        List<Counted> take(Notification notification) {
            notification.getDeleteList().forEach(path -> gone(notification, path));
            Map<RowId, Row> told = new HashMap<>();
            each(
                    notification,
                    (path, value) -> row(path).ifPresent(id -> {
                        if (value.matches("[0-9]{1,18}") && (rows.containsKey(id) || rows.size() < MOST)) {
                            Row one = rows.computeIfAbsent(id, fresh -> new Row());
                            one.set(path.get(path.size() - 1).getName(), Long.parseLong(value));
                            told.put(id, one);
                        }
                    }));
            Set<RuleId> wanted = new HashSet<>();
            told.forEach((id, row) -> rule(id, row).ifPresent(wanted::add));
            return wanted.isEmpty() ? List.of() : sums(wanted);
        }

        private static Optional<RuleId> rule(RowId id, Row row) {
            return row.known() ? Optional.of(new RuleId(id.instance(), row.ruleSet, row.priority)) : Optional.empty();
        }

        private List<Counted> sums(Set<RuleId> wanted) {
            SortedMap<RuleId, Counters> sums = new TreeMap<>();
            rows.forEach((id, row) -> rule(id, row)
                    .filter(wanted::contains)
                    .ifPresent(rule -> sums.merge(
                            rule,
                            new Counters(row.packets, row.bytes),
                            (one, other) ->
                                    new Counters(one.packets() + other.packets(), one.bytes() + other.bytes()))));
            SortedMap<Integer, List<Rule>> byInstance = new TreeMap<>();
            sums.forEach((rule, counters) -> byInstance
                    .computeIfAbsent(rule.instance(), none -> new ArrayList<>())
                    .add(new Rule(rule.ruleSet(), rule.priority(), counters)));
            return byInstance.entrySet().stream()
                    .map(one -> new Counted(node, one.getKey(), one.getValue()))
                    .toList();
        }

        private void gone(Notification notification, Path path) {
            List<PathElem> elements = new ArrayList<>(notification.getPrefix().getElemList());
            elements.addAll(path.getElemList());
            row(elements).ifPresent(rows::remove);
        }

        private static Optional<RowId> row(List<PathElem> path) {
            if (path.size() < 5 || !path.get(2).getName().equals("rules")) {
                return Optional.empty();
            }
            String instance = path.get(1).getKeyOrDefault("instance", "");
            String id = path.get(3).getKeyOrDefault("id", "");
            return instance.matches("[0-9]{1,3}")
                    ? Optional.of(new RowId(Integer.parseInt(instance), id))
                    : Optional.empty();
        }
    }
}
