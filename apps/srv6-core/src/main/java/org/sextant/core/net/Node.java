// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node of the SR domain.
 *
 * @param name for operators, for example {@code l1}; unique
 * @param deviceId for ONOS, for example {@code device:l1}
 * @param management how the controller reaches it, for example {@code grpc://127.0.0.1:50101?device_id=1}
 * @param pipeconf which instantiation of the contract it should run, for example {@code org.sextant.linux}
 * @param srv6 its SRv6 configuration; empty for a node that only forwards IPv6
 * @param ports by port number
 * @param location where a map draws it
 */
public record Node(
        String name,
        String deviceId,
        String management,
        String pipeconf,
        Optional<Srv6> srv6,
        SortedMap<Integer, Port> ports,
        Optional<Location> location) {

    public Node {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>((Map<Integer, Port>) ports));
    }

    /** Returns if the node is meant to run the Linux kernel's SRv6: it names that pipeconf, or none. */
    public boolean isLinux() {
        return pipeconf.isEmpty() || pipeconf.equals("org.sextant.linux");
    }

    /** True if the two differ in nothing but which of their ports are up, and how fast these are. */
    boolean isSameButForPortState(Node other) {
        return equals(other) || withoutPortState().equals(other.withoutPortState());
    }

    private Node withoutPortState() {
        SortedMap<Integer, Port> plain = new TreeMap<>((Map<Integer, Port>) ports);
        plain.replaceAll((number, port) -> port.withUp(true).withSpeedKbps(0));
        return new Node(name, deviceId, management, pipeconf, srv6, plain, location);
    }

    /** Grid position or coordinates, as ONOS writes them. */
    public record Location(String type, double x, double y) {}
}
