// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.provision.NodeProvision;
import org.sextant.core.provision.NodeRepairs;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Header;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/**
 * A whole network right after a failure: every node holds the entries from before, sees the carrier of its own ports,
 * and nothing else. A packet is followed over every member of every route that it may take.
 */
final class RepairSimulation {
    /** The MTU of a link for which the topology gives none. */
    private static final int MTU_BYTES = 1500;

    private final Network network;
    private final Map<String, KernelTables> tables = new TreeMap<>();
    private final Map<String, Map<Integer, Link>> linkAt = new HashMap<>();

    /** An IPv6 header, with the segments behind its destination in travel order. */
    record Layer(Ipv6 destination, List<Ipv6> rest, int hopLimit, int bytes) {}

    /**
     * The end of one path that a packet may take.
     *
     * @param arrived true if its own header was removed at its destination
     * @param node where it ended
     * @param repairs the nodes that pushed a repair, in order
     * @param mostRepairs the largest number of repairs around it at once
     * @param links how often it was on each directed link
     */
    record End(
            boolean arrived,
            String why,
            String node,
            List<String> repairs,
            int mostRepairs,
            Map<String, Integer> links) {
        int mostOnOneLink() {
            return links.values().stream().mapToInt(one -> one).max().orElse(0);
        }
    }

    RepairSimulation(Network network) {
        this.network = network;
        Underlay underlay = new Underlay(network);
        CompileContext context = new CompileContext(network, Map.of());
        Provisioning provisioning = new Provisioning();
        ProtectionKind protecting = new ProtectionKind();
        Map<String, NodeRepairs> repairs = protecting.derive(underlay);
        Map<String, NodeProvision> provisions = provisioning.derive(underlay);
        provisions.forEach((node, provision) -> {
            List<Entry> entries = new ArrayList<>();
            provisioning
                    .compile(new NumberedIntent<>(node, 0, provision), context)
                    .entries()
                    .forEach(placed -> entries.add(placed.entry()));
            if (repairs.containsKey(node)) {
                protecting
                        .compile(new NumberedIntent<>(node, 0, repairs.get(node)), context)
                        .entries()
                        .forEach(placed -> entries.add(placed.entry()));
            }
            tables.put(node, new KernelTables(entries));
        });
        network.links()
                .forEach(link -> linkAt.computeIfAbsent(link.from().node(), node -> new HashMap<>())
                        .put(link.from().port(), link));
    }

    KernelTables tables(String node) {
        return tables.get(node);
    }

    /** Follows a packet from a host at a node, in the header of a policy to another node. */
    void send(String source, String destination, int bytes, Set<String> lost, Consumer<End> ends) {
        SidPlan sids = SidPlan.of(network.nodes().get(destination)).orElseThrow();
        Ipv6 marker = (Ipv6) sids.marker(Family.IPV6).sid().address();
        Layer layer = new Layer(marker, List.of(), Header.DEFAULT_HOP_LIMIT, bytes);
        new Run(lost, ends).at(source, new Packet(List.of(layer), List.of(), 0, Map.of(), bytes));
    }

    /** @param layers outermost last; of these {@code own} is the packet's, all others are repairs */
    private record Packet(
            List<Layer> layers, List<String> repairs, int mostRepairs, Map<String, Integer> links, int bytes) {

        Layer outer() {
            return layers.get(layers.size() - 1);
        }

        Packet with(Layer layer) {
            List<Layer> changed = new ArrayList<>(layers);
            changed.set(changed.size() - 1, layer);
            return new Packet(changed, repairs, mostRepairs, links, bytes);
        }

        Packet pushed(String node, List<Ipv6> segments) {
            List<Layer> deeper = new ArrayList<>(layers);
            int more = Encapsulation.reducedBytes(segments.size());
            deeper.add(new Layer(segments.get(0), segments.subList(1, segments.size()), outer().hopLimit, more));
            List<String> pushers = new ArrayList<>(repairs);
            pushers.add(node);
            return new Packet(deeper, pushers, Math.max(mostRepairs, layers.size()), links, bytes + more);
        }

        Packet decapsulated() {
            return new Packet(layers.subList(0, layers.size() - 1), repairs, mostRepairs, links, bytes - outer().bytes);
        }

        Packet over(Link link) {
            Map<String, Integer> counted = new HashMap<>(links);
            counted.merge(link.id(), 1, Integer::sum);
            Layer outer = outer();
            Packet sent = with(new Layer(outer.destination, outer.rest, outer.hopLimit - 1, outer.bytes));
            return new Packet(sent.layers, repairs, mostRepairs, counted, bytes);
        }

        End end(boolean arrived, String why, String node) {
            return new End(arrived, why, node, repairs, mostRepairs, links);
        }
    }

    private final class Run {
        /** More than any bound that a test asserts; a packet that reaches it ends, as looping or repaired again. */
        private static final int ENOUGH = 3;

        private final Set<String> lost;
        private final Consumer<End> ends;
        private final Map<String, Set<Integer>> dead = new HashMap<>();

        Run(Set<String> lost, Consumer<End> ends) {
            this.lost = lost;
            this.ends = ends;
        }

        private Set<Integer> dead(String node) {
            return dead.computeIfAbsent(node, name -> {
                Set<Integer> ports = new HashSet<>();
                network.linksFrom(name).stream()
                        .filter(link -> lost.contains(link.id()))
                        .forEach(link -> ports.add(link.from().port()));
                return ports;
            });
        }

        void at(String node, Packet packet) {
            Optional<KernelTables.Match> found = tables.get(node).lookup(packet.outer().destination, dead(node));
            if (found.isEmpty()) {
                ends.accept(packet.end(false, "no route to " + packet.outer().destination, node));
            } else if (found.get().sid().isPresent()) {
                atSid(node, packet, found.get().sid().get());
            } else if (found.get().repair().isPresent()) {
                Packet repaired = packet.pushed(node, found.get().repair().get());
                if (repaired.mostRepairs >= ENOUGH) {
                    ends.accept(repaired.end(false, "repaired again", node));
                } else {
                    at(node, repaired);
                }
            } else {
                found.get().ports().forEach(port -> leave(node, packet, port));
            }
        }

        private void leave(String node, Packet packet, int port) {
            Link link = linkAt.get(node).get(port);
            if (lost.contains(link.id())) {
                ends.accept(packet.end(false, "port " + port + " has no carrier", node));
                return;
            }
            if (packet.outer().hopLimit <= 1) {
                ends.accept(packet.end(false, "hop limit", node));
                return;
            }
            if (packet.bytes > (link.mtuBytes() > 0 ? link.mtuBytes() : MTU_BYTES)) {
                ends.accept(packet.end(false, "too long", node));
                return;
            }
            Packet sent = packet.over(link);
            if (sent.links.get(link.id()) >= ENOUGH) {
                ends.accept(sent.end(false, "a loop", node));
            } else {
                at(link.to().node(), sent);
            }
        }

        private void atSid(String node, Packet packet, MySid sid) {
            Layer outer = packet.outer();
            if (sid.behavior() instanceof Behavior.Un un) {
                Optional<Layer> next = next(outer, un.blockLength(), un.csidLength());
                next.ifPresentOrElse(
                        layer -> at(node, packet.with(layer)),
                        () -> ends.accept(packet.end(false, "no segment", node)));
            } else if (sid.behavior() instanceof Behavior.Ua ua) {
                int port = tables.get(node).port(ua.nextHop());
                next(outer, ua.blockLength(), ua.csidLength())
                        .ifPresentOrElse(
                                layer -> leave(node, packet.with(layer), port),
                                () -> ends.accept(packet.end(false, "no segment", node)));
            } else if (packet.layers.size() == 1) {
                ends.accept(packet.end(true, "", node));
            } else {
                at(node, packet.decapsulated());
            }
        }

        /** Behind a shift, or the next segment; empty if neither is left. */
        private Optional<Layer> next(Layer outer, int blockLength, int csidLength) {
            Ipv6 argument = outer.destination.shiftLeft(blockLength + csidLength);
            if (!argument.isZero()) {
                Ipv6 shifted = outer.destination.truncate(blockLength).or(argument.shiftRight(blockLength));
                return Optional.of(new Layer(shifted, outer.rest, outer.hopLimit, outer.bytes));
            }
            return outer.rest.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Layer(
                            outer.rest.get(0), outer.rest.subList(1, outer.rest.size()), outer.hopLimit, outer.bytes));
        }
    }
}
