// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.port.Telemetry.Packets;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.ProbeCounters;

/** openconfig-interfaces leaves as they arrive, and the ports they add up to. Not thread-safe. */
final class Interfaces {
    static final String IP_MTU = "subinterfaces/subinterface/ipv6/state/mtu";
    static final String SPEED = "ethernet/state/port-speed";
    static final String NEGOTIATED_SPEED = "ethernet/state/negotiated-port-speed";
    private static final Pattern IDENTITY = Pattern.compile("SPEED_([0-9]{1,6})(MB|GB)");
    private static final long MB = 1_000;
    private static final long GB = 1_000_000;
    private static final String COUNTERS = "state/counters/";
    /** A container of the agent's own model, sextant-probes. */
    private static final String PROBES = "state/probe-counters/";

    private static final String UP = "UP";
    private static final int ETHERNET_HEADER_BYTES = 14;

    private final SortedMap<String, Map<String, String>> leavesOfInterface = new TreeMap<>();

    /** Leaves are kept by the last steps of their path, for example {@code state/mtu}. */
    void set(Path prefix, Path path, TypedValue value) {
        List<PathElem> elements = join(prefix, path);
        interfaceName(elements)
                .ifPresent(name -> text(value)
                        .ifPresent(text -> leavesOfInterface
                                .computeIfAbsent(name, n -> new TreeMap<>())
                                .put(leaf(elements), text)));
    }

    /** Removes a leaf, or all of an interface. */
    void remove(Path prefix, Path path) {
        List<PathElem> elements = join(prefix, path);
        interfaceName(elements).ifPresent(name -> {
            String leaf = leaf(elements);
            Map<String, String> leaves = leavesOfInterface.getOrDefault(name, Map.of());
            if (leaf.isEmpty()) {
                leavesOfInterface.remove(name);
            } else if (!leaves.isEmpty()) {
                leaves.keySet().removeIf(known -> known.equals(leaf) || known.startsWith(leaf + "/"));
            }
        });
    }

    /** Interfaces without a port number are not ports of the contract. */
    Map<Integer, PortState> ports() {
        SortedMap<Integer, PortState> ports = new TreeMap<>();
        leavesOfInterface.forEach((name, leaves) -> {
            int number = number(leaves.get("state/id"));
            if (number >= 1 && number <= 510) {
                boolean up = UP.equals(leaves.get("state/oper-status"))
                        && UP.equals(leaves.getOrDefault("state/admin-status", UP));
                ports.put(number, new PortState(number, name, mac(leaves), mtuBytes(leaves), up, speedKbps(leaves)));
            }
        });
        return ports;
    }

    /** The traffic counters of the ports among these interfaces, as far as their node counts both directions. */
    Map<Integer, PortCounters> counters(Set<String> names) {
        SortedMap<Integer, PortCounters> counters = new TreeMap<>();
        for (String name : names) {
            Map<String, String> leaves = leavesOfInterface.getOrDefault(name, Map.of());
            int number = number(leaves.get("state/id"));
            Optional<Long> in = count(leaves.get(COUNTERS + "in-octets"));
            Optional<Long> out = count(leaves.get(COUNTERS + "out-octets"));
            if (number >= 1 && number <= 510 && in.isPresent() && out.isPresent()) {
                counters.put(number, new PortCounters(in.get(), out.get(), packets(COUNTERS, leaves), probes(leaves)));
            }
        }
        return counters;
    }

    private static Optional<Packets> packets(String of, Map<String, String> leaves) {
        Optional<Long> in = count(leaves.get(of + "in-pkts"));
        Optional<Long> out = count(leaves.get(of + "out-pkts"));
        return in.isPresent() && out.isPresent() ? Optional.of(new Packets(in.get(), out.get())) : Optional.empty();
    }

    private static Optional<ProbeCounters> probes(Map<String, String> leaves) {
        Optional<Long> in = count(leaves.get(PROBES + "in-octets"));
        Optional<Long> out = count(leaves.get(PROBES + "out-octets"));
        return in.isPresent() && out.isPresent()
                ? packets(PROBES, leaves).map(packets -> new ProbeCounters(in.get(), out.get(), packets))
                : Optional.empty();
    }

    /** The interface that a path counts something of. */
    static Optional<String> counted(Path prefix, Path path) {
        List<PathElem> elements = join(prefix, path);
        return interfaceName(elements).filter(name -> leaf(elements).startsWith(COUNTERS));
    }

    /** The one of IP if the node reports it; that of the interface counts the Ethernet header too. */
    private static int mtuBytes(Map<String, String> leaves) {
        int ip = number(leaves.get(IP_MTU));
        return ip > 0 ? ip : Math.max(0, number(leaves.get("state/mtu")) - ETHERNET_HEADER_BYTES);
    }

    /** The negotiated speed, else the configured one. */
    private static long speedKbps(Map<String, String> leaves) {
        long negotiated = kbps(leaves.get(NEGOTIATED_SPEED));
        return negotiated > 0 ? negotiated : kbps(leaves.get(SPEED));
    }

    /** An identity of openconfig-if-ethernet's ETHERNET_SPEED, also one that is newer than this: its name says it all. */
    private static long kbps(@Nullable String identity) {
        Matcher speed = IDENTITY.matcher(identity == null ? "" : identity);
        return speed.matches()
                ? Long.parseLong(speed.group(1)) * (speed.group(2).equals("GB") ? GB : MB)
                : 0;
    }

    private static Optional<MacAddress> mac(Map<String, String> leaves) {
        try {
            return Optional.ofNullable(leaves.get("ethernet/state/mac-address")).map(MacAddress::parse);
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }

    private static Optional<Long> count(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(Long::parseUnsignedLong);
        } catch (NumberFormatException notACount) {
            return Optional.empty();
        }
    }

    private static int number(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    }

    private static List<PathElem> join(Path prefix, Path path) {
        List<PathElem> elements = new ArrayList<>(prefix.getElemList());
        elements.addAll(path.getElemList());
        return elements;
    }

    private static Optional<String> interfaceName(List<PathElem> elements) {
        return elements.size() >= 2 && elements.get(0).getName().equals("interfaces")
                ? Optional.ofNullable(elements.get(1).getKeyMap().get("name"))
                : Optional.empty();
    }

    private static String leaf(List<PathElem> elements) {
        return String.join(
                "/",
                elements.subList(2, elements.size()).stream()
                        .map(PathElem::getName)
                        .toList());
    }

    private static Optional<String> text(TypedValue value) {
        return switch (value.getValueCase()) {
            case STRING_VAL -> Optional.of(unqualified(value.getStringVal()));
            case INT_VAL -> Optional.of(Long.toString(value.getIntVal()));
            case UINT_VAL -> Optional.of(Long.toUnsignedString(value.getUintVal()));
            case BOOL_VAL -> Optional.of(Boolean.toString(value.getBoolVal()));
            case JSON_VAL -> Optional.of(unquote(value.getJsonVal().toStringUtf8()));
            case JSON_IETF_VAL -> Optional.of(unquote(value.getJsonIetfVal().toStringUtf8()));
            default -> Optional.empty();
        };
    }

    /** Scalars only; RFC 7951 writes 64-bit numbers and names as strings, the latter perhaps with their module. */
    private static String unquote(String json) {
        String text = json.length() >= 2 && json.startsWith("\"") && json.endsWith("\"")
                ? json.substring(1, json.length() - 1)
                : json;
        return unqualified(text);
    }

    private static String unqualified(String text) {
        return text.matches("[a-z0-9-]+:[A-Z][A-Z0-9_]*") ? text.substring(text.indexOf(':') + 1) : text;
    }
}
