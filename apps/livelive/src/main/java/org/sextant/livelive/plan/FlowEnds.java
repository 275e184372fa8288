// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.Traffic;

/**
 * The ends of a flow in a network.
 *
 * @param families those of both ends that the flow admits, at least one
 */
public record FlowEnds(End from, End to, Node ingress, Node egress, List<Family> families, Traffic traffic) {
    public FlowEnds {
        families = List.copyOf(families);
    }

    /** A resolved endpoint. */
    public record End(String label, List<IpPrefix> prefixes) {
        public End {
            prefixes = List.copyOf(prefixes);
        }

        List<IpPrefix> of(Family family) {
            return prefixes.stream()
                    .filter(prefix -> Family.of(prefix) == family)
                    .toList();
        }

        private End only(List<Family> families) {
            return new End(
                    label,
                    prefixes.stream()
                            .filter(prefix -> families.contains(Family.of(prefix)))
                            .toList());
        }

        /** A destination for the trace: an address if the end is one. */
        Optional<IpAddress> probe(Family family) {
            return of(family).stream()
                    .filter(prefix -> prefix.length() == prefix.address().bits())
                    .map(IpPrefix::address)
                    .findFirst();
        }
    }

    /** Empty if there are findings against it. */
    public static Optional<FlowEnds> resolve(LiveLive flow, Network network, Findings findings) {
        Resolver resolver = new Resolver(network, findings);
        Optional<End> from = resolver.end(flow.from(), "/from");
        Optional<End> to = resolver.end(flow.to(), "/to");
        Optional<Node> ingress = from.flatMap(end -> resolver.edge(end, flow.ingress(), "/from", "ingress"));
        Optional<Node> egress = to.flatMap(end -> resolver.edge(end, flow.egress(), "/to", "egress"));
        if (ingress.isEmpty() || egress.isEmpty()) {
            return Optional.empty();
        }
        if (ingress.get().name().equals(egress.get().name())) {
            findings.unfeasible(
                    "/to",
                    from.get().label() + " and " + to.get().label() + " are both at "
                            + egress.get().name() + ": there is nothing between them to copy packets over",
                    "choose ends at different nodes");
            return Optional.empty();
        }
        List<Family> families = families(flow, from.get(), to.get(), findings);
        if (families.isEmpty()) {
            return Optional.empty();
        }
        FlowEnds ends = new FlowEnds(
                from.get().only(families),
                to.get().only(families),
                ingress.get(),
                egress.get(),
                families,
                flow.traffic());
        if (flow.symmetric() && ends.overlaps(ends.reversed())) {
            // Delivered packets would match the reverse direction, and be copied back and forth until their hop limit
            // expires.
            findings.unfeasible(
                    "/symmetry",
                    "some packets from " + from.get().label() + " to "
                            + to.get().label() + " are also ones of the way back, so they would go in circles",
                    "narrow the ends down so that they have no address in common, or write \"symmetry\": \"one-way\"");
            return Optional.empty();
        }
        return Optional.of(ends);
    }

    private static List<Family> families(LiveLive flow, End from, End to, Findings findings) {
        List<Family> families = new ArrayList<>();
        for (Family family : flow.family().map(List::of).orElse(List.of(Family.values()))) {
            if (!from.of(family).isEmpty() && !to.of(family).isEmpty()) {
                families.add(family);
            }
        }
        if (families.isEmpty()) {
            findings.unfeasible(
                    flow.family().isPresent() ? "/family" : "/to",
                    from.label() + " and " + to.label() + " have no addresses of "
                            + flow.family()
                                    .map(family -> "family " + family.spelling())
                                    .orElse("a common family"),
                    "choose ends with addresses of the same family");
        }
        return families;
    }

    /** The ends of the reverse direction. */
    public FlowEnds reversed() {
        return new FlowEnds(to, from, egress, ingress, families, traffic.reversed());
    }

    /** Is true if some packet belongs to both flows. */
    public boolean overlaps(FlowEnds other) {
        return traffic.overlaps(other.traffic) && overlap(from, other.from) && overlap(to, other.to);
    }

    private static boolean overlap(End one, End other) {
        return one.prefixes().stream()
                .anyMatch(a -> other.prefixes().stream()
                        .anyMatch(
                                b -> a.isIpv6() == b.isIpv6() && (a.contains(b.address()) || b.contains(a.address()))));
    }

    /** Finds the objects that a flow names, or reports missing ones. */
    private record Resolver(Network network, Findings findings) {

        Optional<End> end(Endpoint endpoint, String at) {
            if (endpoint instanceof Endpoint.Range range) {
                return Optional.of(new End(endpoint.toString(), List.of(range.prefix())));
            }
            String name = ((Endpoint.Named) endpoint).host();
            Optional<Host> host = network.host(name);
            if (host.isEmpty()) {
                findings.unknown(
                        at,
                        "there is no host \"" + name + "\"",
                        Suggestion.of(name, network.hosts().keySet(), "hosts"));
            }
            return host.map(found -> new End(
                    name,
                    found.addresses().stream()
                            .map(address -> new IpPrefix(address, address.bits()))
                            .distinct()
                            .toList()));
        }

        /** The node to which the end is attached, or the one that the flow names. */
        Optional<Node> edge(End end, Optional<String> wanted, String at, String field) {
            List<String> attached = network.hosts().values().stream()
                    .filter(host -> host.addresses().stream()
                            .anyMatch(address -> end.prefixes().stream().anyMatch(prefix -> prefix.contains(address))))
                    .map(host -> host.location().node())
                    .distinct()
                    .sorted()
                    .toList();
            if (wanted.isPresent()) {
                return named(end, wanted.get(), attached, field);
            }
            if (attached.size() != 1) {
                findings.unfeasible(
                        at,
                        attached.isEmpty()
                                ? "no host of " + end.label() + " is known, so neither is its node"
                                : end.label() + " is attached at several nodes: " + String.join(", ", attached),
                        "name the node in \"" + field + "\"");
                return Optional.empty();
            }
            return network.node(attached.get(0)).flatMap(node -> configured(node, at));
        }

        private Optional<Node> named(End end, String name, List<String> attached, String field) {
            Optional<Node> node = network.node(name);
            if (node.isEmpty()) {
                findings.unknown(
                        "/" + field,
                        "there is no node \"" + name + "\"",
                        Suggestion.of(name, network.nodes().keySet(), "nodes"));
            } else if (!attached.isEmpty() && !attached.contains(name)) {
                findings.unfeasible(
                        "/" + field,
                        end.label() + " is attached to " + String.join(", ", attached) + ", not to " + name,
                        "leave \"" + field + "\" out");
                return Optional.empty();
            }
            return node.flatMap(found -> configured(found, "/" + field));
        }

        private Optional<Node> configured(Node node, String at) {
            if (node.srv6().isEmpty()) {
                findings.unfeasible(
                        at,
                        "node " + node.name() + " has no SRv6 configuration",
                        "give it a uSID in the network description");
                return Optional.empty();
            }
            return Optional.of(node);
        }
    }
}
