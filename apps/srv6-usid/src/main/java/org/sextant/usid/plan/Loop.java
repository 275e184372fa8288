// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Packing;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.kit.Headend;

/**
 * The path of the probes of a path: along it to its egress, back over the same links, and to a decapsulating SID of the
 * headend.
 *
 * <pre>
 *   path   [l2] [p7] [l3 f00d]
 *   loop   [l2] [p7] [l3] [p7] [l1 f00d]    where the underlay leads from l3 to l1 over other links than from p7 on
 * </pre>
 *
 * It is traced like the path itself: on every equally short path probes pass exactly the links of the path's packets,
 * and the same links in reverse. Where the path has no reverse, as each direction of a link is a link of its own, the
 * underlay returns the probes.
 *
 * @param segments containers, in travel order
 */
record Loop(List<Ipv6> segments, Trace trace) {
    /** Ethernet, the outer IPv6 header, the inner one, UDP, a Session-Sender packet (RFC 8762, 4.2.1) and a TLV of 16 bytes. */
    private static final int BARE_BYTES = 14 + 40 + 40 + 8 + 44 + 4 + 16;

    /** A reduced SRH (RFC 8754, 4.1.1) without its segments, and a segment. */
    private static final int SRH_BYTES = 8;

    private static final int SEGMENT_BYTES = 16;

    /** Length of a probe on the first link. */
    int frameBytes() {
        int listed = segments.size() - 1;
        return BARE_BYTES + (listed == 0 ? 0 : SRH_BYTES + SEGMENT_BYTES * listed);
    }

    /** Empty with a finding if no probes can follow the path. */
    static Optional<Loop> along(PlannedPath path, CompileContext context, Findings findings) {
        Underlay underlay = context.underlay();
        String pointer = path.branch().pointer();
        if (!path.branch().passings().isEmpty()) {
            findings.unfeasible(
                    pointer,
                    "the path goes through a firewall, whose rules are about users' packets: what became of a probe there"
                            + " would say nothing of them",
                    "leave liveness out, or lead around the firewall");
            return Optional.empty();
        }
        ReturnPath homeward = ReturnPath.of(path, underlay);
        Node egress = underlay.network()
                .node(path.trace().arrival().orElseThrow().node())
                .orElseThrow();
        List<Atom> there = there(path, egress);
        Optional<List<Atom>> back = homeward.from(nodes(path.trace()), there);
        Trace other = homeward.underlayFrom(egress);
        if (back.isEmpty() && other.arrives()) {
            findings.warn("probes of a path from " + homeward.headend().name() + " to " + egress.name()
                    + " come back over other links than its own: where those are silent, the path is judged silent");
        }
        Set<String> returning = back.isPresent() ? homeward.allowed() : other.links();
        return walked(path, back.orElse(there), returning, homeward, context, findings);
    }

    private static Optional<Loop> walked(
            PlannedPath path,
            List<Atom> atoms,
            Set<String> returning,
            ReturnPath homeward,
            CompileContext context,
            Findings findings) {
        String headend = homeward.headend().name();
        String pointer = path.branch().pointer();
        List<Ipv6> segments = Packing.pack(closed(atoms, homeward.headend())).stream()
                .map(Container::sid)
                .toList();
        if (!pushed(segments.size(), headend, pointer, context, findings)) {
            return Optional.empty();
        }
        Trace trace = Walk.encapsulate(homeward.fib(), headend, true, segments, Payload.of(Family.IPV6));
        if (!trace.arrives()) {
            findings.unfeasible(
                    pointer,
                    "probes along the path would not come back to " + headend + ": "
                            + trace.failure().orElseThrow().message(),
                    "bring up a way back to " + headend + ", or leave liveness out");
            return Optional.empty();
        }
        if (!sameWay(path.trace().links(), trace, returning, headend)) {
            findings.unfeasible(
                    pointer,
                    "probes would not take the links that packets of the path take",
                    "report this with the policy and the network, and leave liveness out");
            return Optional.empty();
        }
        new Requirements(path.direction(), context, context.underlay(), findings).behaviors(path.branch(), trace);
        return Optional.of(new Loop(segments, trace));
    }

    /**
     * The path's atoms except its last, which decapsulates at the egress, and the egress's uSID unless the packet is
     * there already.
     */
    private static List<Atom> there(PlannedPath path, Node egress) {
        List<Atom> whole = path.branch().atoms();
        List<Atom> atoms = new ArrayList<>(whole.subList(0, whole.size() - 1));
        if (atoms.isEmpty() || !pinned(path.trace())) {
            SidPlan plan = SidPlan.of(egress).orElseThrow();
            atoms.add(Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid()));
        }
        return atoms;
    }

    private static List<Atom> closed(List<Atom> atoms, Node headend) {
        SidPlan home = SidPlan.of(headend).orElseThrow();
        List<Atom> closed = new ArrayList<>(atoms);
        closed.add(Atom.Compressed.of(home.srv6().block(), home.format(), home.usid(), home.markerUsid(Family.IPV6))
                .closing());
        return closed;
    }

    /** The nodes of the trace, the headend first; it shows one of equally short paths. */
    private static List<String> nodes(Trace trace) {
        List<String> nodes = new ArrayList<>();
        for (Trace.Hop hop : trace.hops()) {
            if (nodes.isEmpty() || !nodes.get(nodes.size() - 1).equals(hop.node())) {
                nodes.add(hop.node());
            }
        }
        return nodes;
    }

    /** Is true if the SID before the last one pins a link to the egress, so that packets need no uSID of the egress. */
    private static boolean pinned(Trace trace) {
        List<Trace.Hop> hops = trace.hops();
        return hops.size() > 1
                && Set.of("uA", "End.X").contains(hops.get(hops.size() - 2).behavior());
    }

    private static boolean pushed(
            int segments, String headend, String pointer, CompileContext context, Findings findings) {
        int most = Headend.maxSegments(context, headend, true);
        if (segments > most) {
            findings.unfeasible(
                    pointer,
                    "probes along the path and back need " + segments + " segments, and headend " + headend
                            + " pushes at most " + most,
                    "shorten the path, or leave liveness out");
        }
        return segments <= most;
    }

    private static boolean sameWay(Set<String> links, Trace loop, Set<String> returning, String headend) {
        return loop.arrival().filter(arrival -> arrival.node().equals(headend)).isPresent()
                && loop.links().containsAll(links)
                && loop.links().stream().allMatch(link -> links.contains(link) || returning.contains(link));
    }
}
