// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.sextant.core.ip.IpPrefix;

/**
 * The routes of one node to the others: for every destination a set of ports. Nodes have few different sets and share
 * the list of destinations, so a network of 1,000 nodes takes a million small numbers instead of a million routes, and
 * whether a node's routes changed is one comparison of arrays.
 */
public final class Routes {
    private static final short NONE = -1;

    private final List<Destination> destinations;
    private final short[] portsOf;
    private final List<List<Integer>> portSets;

    /** A node and the prefixes under which it is reached. */
    record Destination(String node, List<IpPrefix> prefixes) {}

    /** Ports towards a node, sorted; none if it is the node itself or out of reach. */
    interface Ports {
        List<Integer> towards(String node);
    }

    private Routes(List<Destination> destinations, short[] portsOf, List<List<Integer>> portSets) {
        this.destinations = destinations;
        this.portsOf = portsOf;
        this.portSets = portSets;
    }

    static Routes of(List<Destination> destinations, Ports ports) {
        short[] portsOf = new short[destinations.size()];
        List<List<Integer>> sets = new ArrayList<>();
        Map<List<Integer>, Short> known = new HashMap<>();
        for (int i = 0; i < portsOf.length; i++) {
            List<Integer> towards = ports.towards(destinations.get(i).node());
            portsOf[i] = towards.isEmpty()
                    ? NONE
                    : known.computeIfAbsent(towards, set -> {
                        sets.add(List.copyOf(set));
                        return (short) (sets.size() - 1);
                    });
        }
        return new Routes(destinations, portsOf, List.copyOf(sets));
    }

    void forEach(BiConsumer<IpPrefix, List<Integer>> route) {
        for (int i = 0; i < portsOf.length; i++) {
            if (portsOf[i] != NONE) {
                List<Integer> ports = portSets.get(portsOf[i]);
                destinations.get(i).prefixes().forEach(prefix -> route.accept(prefix, ports));
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Routes that
                && Arrays.equals(portsOf, that.portsOf)
                && portSets.equals(that.portSets)
                && (destinations == that.destinations || destinations.equals(that.destinations));
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(portsOf) + portSets.hashCode();
    }
}
