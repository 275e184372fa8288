// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.underlay.GtpSids.Way;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Waypoint;
import org.sextant.mobile.Slice;

/** The two nodes of a slice, found in the network. */
record SliceEnds(Slice slice, Node access, Node core) {

    static Optional<SliceEnds> resolve(Slice slice, Network network, Findings findings) {
        Resolver resolver = new Resolver(network, findings);
        String coreField = slice.core().anchor() ? "/core/anchor" : "/core/gateway";
        Optional<Node> access = resolver.node(new Waypoint(slice.access().gateway()), "/access/gateway");
        Optional<Node> core = resolver.node(new Waypoint(slice.core().node()), coreField);
        if (access.isPresent() && access.equals(core)) {
            findings.invalid(
                    coreField,
                    "the slice would begin and end at " + access.get().name() + ", where no SRv6 is between",
                    "choose two nodes: a node does not process what it encapsulates itself");
        }
        return access.isPresent() && core.isPresent() && !access.equals(core)
                ? Optional.of(new SliceEnds(slice, access.get(), core.get()))
                : Optional.empty();
    }

    Direction uplink() {
        return new Direction(Way.UPLINK, access, core, slice.uplink(), "/uplink/hops");
    }

    /** Empty if the uplink has hops that cannot be reversed. */
    Optional<Direction> downlink(Findings findings) {
        if (slice.downlink().isPresent()) {
            return Optional.of(
                    new Direction(Way.DOWNLINK, core, access, slice.downlink().get(), "/downlink/hops"));
        }
        List<Hop> back = new ArrayList<>();
        for (int i = 0; i < slice.uplink().size(); i++) {
            Hop hop = slice.uplink().get(i);
            Optional<Hop> reversed = reversed(hop);
            if (reversed.isEmpty()) {
                findings.unfeasible(
                        "/downlink",
                        "hop " + (i + 1) + " of the uplink is a SID, of which nobody knows what it is on the way back",
                        "list the hops of the downlink");
                return Optional.empty();
            }
            back.add(reversed.get());
        }
        Collections.reverse(back);
        return Optional.of(new Direction(Way.DOWNLINK, core, access, back, "/uplink/hops"));
    }

    private static Optional<Hop> reversed(Hop hop) {
        if (hop instanceof Hop.OverLink over) {
            int dash = over.link().indexOf('-');
            boolean simple = dash == over.link().lastIndexOf('-');
            return simple
                    ? Optional.of(new Hop.OverLink(
                            over.link().substring(dash + 1) + "-" + over.link().substring(0, dash), over.loose()))
                    : Optional.empty();
        }
        return hop instanceof Hop.ToNode ? Optional.of(hop) : Optional.empty();
    }
}
