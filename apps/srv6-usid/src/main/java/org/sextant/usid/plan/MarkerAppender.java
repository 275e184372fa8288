// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.Atom;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.AtomPath;
import org.sextant.usid.Decap;

/** Appends the marker of decapsulation that a policy chooses. */
record MarkerAppender(Decap decap, Underlay underlay, Findings findings) {

    /** The path with the marker. Empty if the node's uSID format or number has none. */
    Optional<List<Atom>> close(AtomPath path, Family family, String pointer) {
        if (path.closed() || decap.marker() == Decap.Marker.NONE) {
            return Optional.of(path.atoms());
        }
        return egress(path, family, pointer).map(path::closedBy);
    }

    private Optional<Atom> egress(AtomPath path, Family family, String pointer) {
        Optional<SidPlan> plan = SidPlan.of(path.at());
        if (plan.isEmpty()) {
            findings.unfeasible(
                    pointer,
                    "the path ends at node " + path.at().name()
                            + ", which has no SRv6 configuration to decapsulate with",
                    "end the path at another node");
            return Optional.empty();
        }
        return marker(path, plan.get(), family, pointer);
    }

    private Optional<Atom> marker(AtomPath path, SidPlan plan, Family family, String pointer) {
        return switch (decap.marker()) {
            case NUMBERING -> numbering(path, plan, family, pointer);
            case UDT ->
                vrf(path, plan, pointer)
                        ? Optional.of(fused(plan, plan.udtUsid(family.inside(), decap.vrf())))
                        : Optional.empty();
            default -> Optional.of(fused(plan, plan.markerUsid(family.inside())));
        };
    }

    private Optional<Atom> numbering(AtomPath path, SidPlan plan, Family family, String pointer) {
        Srv6 srv6 = plan.srv6();
        Optional<Long> usid = plan.numberedUsid(family.inside());
        if (usid.isEmpty()) {
            findings.unfeasible(
                    pointer,
                    path.at().name() + " with uSID 0x" + Long.toHexString(srv6.usid())
                            + " is not numbered in the paper's /44 way: 16 bits, the last four of them zero,"
                            + " and the fifteen uSIDs behind it neither local ones nor another node's",
                    "choose \"f00d\" or \"uDT\"");
        }
        return usid.map(
                own -> Atom.Compressed.of(srv6.block(), srv6.format(), own).closing());
    }

    /** A VRF exists on a node if the node has a SID for it. */
    private boolean vrf(AtomPath path, SidPlan plan, String pointer) {
        String node = path.at().name();
        boolean exists = decap.vrf() <= plan.maxVrf() && hasSid(node, plan);
        if (!exists) {
            findings.unknown(
                    pointer + "/vrf",
                    "node " + node + " has no VRF " + decap.vrf(),
                    "vrf 0 is the main table, which every node has");
        }
        return exists;
    }

    private boolean hasSid(String node, SidPlan plan) {
        var wanted = plan.udt(Family.IPV6.inside(), decap.vrf()).sid();
        return underlay.fib()
                .mySid(node, (Ipv6) wanted.address())
                .filter(own -> own.sid().equals(wanted))
                .isPresent();
    }

    private static Atom fused(SidPlan plan, long local) {
        return Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid(), local)
                .closing();
    }
}
