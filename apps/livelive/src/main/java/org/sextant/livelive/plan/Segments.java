// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Packing;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/**
 * The segment list that holds a copy to its path, link by link.
 *
 * <pre>
 *   over l to v, if every shortest path to v begins with l     [v]
 *   else                                                       [u uA(l)] [v]     u is the node before, or the ingress
 *   at the end                                                 [egress dedup(path)]
 * </pre>
 *
 * The ingress processes its own uA, if the list begins with one, before the copy leaves.
 */
final class Segments {
    private final Underlay underlay;
    private final List<Atom> atoms = new ArrayList<>();

    private Segments(Underlay underlay) {
        this.underlay = underlay;
    }

    /** @param vrf the VRF in which the egress looks up the inner packet */
    static List<Ipv6> of(NumberedPath path, int vrf, Underlay underlay) {
        Segments segments = new Segments(underlay);
        path.path().links().forEach(segments::over);
        segments.end(path, vrf);
        return Packing.pack(segments.atoms).stream().map(Container::sid).toList();
    }

    private void over(Link link) {
        Network network = underlay.network();
        Node from = network.node(link.from().node()).orElseThrow();
        Node to = network.node(link.to().node()).orElseThrow();
        if (!underlay.firstLinks(from, to).equals(Set.of(link.id()))) {
            SidPlan plan = SidPlan.of(from).orElseThrow();
            atoms.remove(atom(plan));
            atoms.add(atom(plan, plan.uaUsid(link.from().port())));
        }
        atoms.add(atom(SidPlan.of(to).orElseThrow()));
    }

    private void end(NumberedPath path, int vrf) {
        String egress = path.path().nodes().get(path.path().links().size());
        SidPlan plan = SidPlan.of(underlay.network().node(egress).orElseThrow()).orElseThrow();
        atoms.remove(atoms.size() - 1);
        atoms.add(atom(plan, plan.dedupUsid(vrf, path.number())).closing());
    }

    private static Atom.Compressed atom(SidPlan plan, long... local) {
        long[] usids = new long[1 + local.length];
        usids[0] = plan.usid();
        System.arraycopy(local, 0, usids, 1, local.length);
        return Atom.Compressed.of(plan.srv6().block(), plan.format(), usids);
    }
}
