// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.Collection;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.sid.Atom;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.MySid;

/**
 * The SIDs by which repairs go over a node or end at it (ADR 27): the same as its others, under a uSID of their own. Routes to
 * its {@link #locator} never have a standby, so a packet in a repair is never repaired again.
 *
 * <pre>
 *   fcbb:bbbb:df00::/48          uN     of the node with uSID 0x0100 (F3216)
 *   fcbb:bbbb:df00:e001::/64     uA     over port 1
 *   fcbb:bbbb:df00:f00d::/64     uDT6   the repair's header is removed
 * </pre>
 */
public final class RepairSids {
    private final SidPlan sids;

    /** @param sids of the node as if the uSID of repairs were its own */
    RepairSids(SidPlan sids) {
        this.sids = sids;
    }

    /** Block and uSID: the prefix by which other nodes route to the node. */
    public IpPrefix locator() {
        return sids.locator();
    }

    /** All SIDs for repairs. */
    public Stream<MySid> all(Collection<Integer> ports) {
        return Stream.concat(
                Stream.of(sids.un(), sids.marker(Family.IPV6)), ports.stream().map(sids::ua));
    }

    /** A repair visits the node. */
    public Atom.Compressed visit() {
        return atom(sids.usid());
    }

    /** A repair leaves the node over a port, by no route. */
    public Atom.Compressed over(int port) {
        return atom(sids.usid(), sids.uaUsid(port));
    }

    /** A repair ends at the node, and its header comes off. */
    public Atom.Compressed end() {
        return atom(sids.usid(), sids.markerUsid(Family.IPV6)).closing();
    }

    private Atom.Compressed atom(long... usids) {
        return Atom.Compressed.of(sids.srv6().block(), sids.format(), usids);
    }
}
