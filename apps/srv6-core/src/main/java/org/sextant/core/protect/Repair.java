// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Packing;
import org.sextant.core.te.Step;
import org.sextant.core.underlay.RepairSids;
import org.sextant.core.underlay.SidPlan;

/**
 * A backup path around a failure: it holds packets, in the network before the failure, until its last node releases
 * them and the network alone forwards them to their destination. There, and at no other node, the outer header is
 * removed. All uSIDs are those of {@link RepairSids}, whose routes have no standby: a packet that meets a second
 * failure in a repair is dropped, and never encapsulated by another repair (ADR 27).
 *
 * <pre>
 *   steps     over a/1-b/1        to c       (release)
 *   uSIDs     a' uA(1)            c'         d' f00d
 * </pre>
 *
 * @param steps the last one ends at the node that releases
 */
public record Repair(List<Step> steps) {
    private static final int NONE = -1;

    public Repair {
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a repair has a step at least");
        }
    }

    /** uSIDs that stay together: a node's own, and its function if that is more than forwarding by its routes. */
    private record Visit(String node, int port, boolean decapsulates) {
        int usids() {
            return port != NONE || decapsulates ? 2 : 1;
        }

        Atom.Compressed atom(RepairSids sids) {
            if (decapsulates) {
                return sids.end();
            }
            return port == NONE ? sids.visit() : sids.over(port);
        }
    }

    /** The node from which the network alone takes packets to where they go. */
    public String release() {
        return steps.get(steps.size() - 1).node();
    }

    /** The number of uSIDs that the path takes to the destination, where the header is removed. */
    public int usids(String destination) {
        return visits(destination).stream().mapToInt(Visit::usids).sum();
    }

    /** The list that the repairing node pushes on packets to a node, in travel order. */
    public List<Ipv6> segments(String destination, Network network) {
        return segments(
                destination, name -> Objects.requireNonNull(network.nodes().get(name), name));
    }

    List<Ipv6> segments(String destination, Function<String, Node> nodes) {
        List<Atom> atoms = new ArrayList<>();
        visits(destination)
                .forEach(visit -> atoms.add(visit.atom(SidPlan.of(nodes.apply(visit.node()))
                        .flatMap(SidPlan::repairs)
                        .orElseThrow())));
        return Packing.pack(atoms).stream().map(Container::sid).toList();
    }

    private List<Visit> visits(String destination) {
        List<Visit> visits = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            boolean pinnedNext = i + 1 < steps.size() && steps.get(i + 1) instanceof Step.OverLink;
            if (step instanceof Step.OverLink over) {
                visits.add(
                        new Visit(over.link().from().node(), over.link().from().port(), false));
            } else if (!pinnedNext && !step.node().equals(destination)) {
                visits.add(new Visit(step.node(), NONE, false));
            }
        }
        visits.add(new Visit(destination, NONE, true));
        return visits;
    }

    /** In the order of travel: {@code over l1/1-l2/1, to p7}. */
    public String text() {
        List<String> words = new ArrayList<>();
        for (Step step : steps) {
            words.add(step instanceof Step.OverLink over ? "over " + over.link().id() : "to " + step.node());
        }
        return String.join(", ", words);
    }
}
