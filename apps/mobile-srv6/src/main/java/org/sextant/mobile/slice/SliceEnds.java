// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.Optional;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.underlay.GtpSids.Way;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Waypoint;
import org.sextant.mobile.Slice;

/** The two nodes of a slice, resolved in the network. */
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
    Optional<Direction> downlink(Network network, Findings findings) {
        return slice.downlink()
                .map(hops -> new Direction(Way.DOWNLINK, core, access, hops, "/downlink/hops"))
                .or(() -> new ReversePath(core.name(), new Resolver(network, findings))
                        .of(slice.uplink())
                        .map(hops -> new Direction(Way.DOWNLINK, core, access, hops, "/uplink/hops")));
    }
}
