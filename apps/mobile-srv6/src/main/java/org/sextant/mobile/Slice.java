// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.underlay.GtpSids;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;
import org.sextant.kit.path.Hop;

/**
 * A mobile slice as an operator specifies it: sessions between some gNBs and UPFs take a path of their own (mobile
 * paper). Immutable, and independent of any network.
 *
 * @param name becomes the slice's id
 * @param snssai the identifier of the slice in the mobile network
 * @param dnns data networks of its sessions; PFCP selects a slice by these
 * @param uplink hops from the gateway at the gNBs to the one at the core
 * @param downlink hops of the reverse path; empty: those of the uplink in reverse
 * @param matches further packets that it carries, each
 * @param isDefault it carries all packets between its gNBs and UPFs that match no other slice
 * @param container true if restored GTP-U has a PDU Session Container
 * @param carries packets that SRv6 cannot represent are encapsulated whole, else dropped
 * @param dropsSequence GTP-U with sequence or N-PDU numbers is translated, too, without these; else SRv6 cannot
 *     represent it
 */
public record Slice(
        String name,
        Optional<Snssai> snssai,
        List<String> dnns,
        Mode mode,
        Access access,
        Core core,
        List<Hop> uplink,
        Optional<List<Hop>> downlink,
        List<Match> matches,
        boolean isDefault,
        GtpSids.Container container,
        boolean carries,
        boolean dropsSequence,
        Metadata metadata) {

    public Slice {
        checkName(name);
        dnns = List.copyOf(dnns);
        uplink = List.copyOf(uplink);
        downlink = downlink.map(List::copyOf);
        matches = List.copyOf(matches);
        Objects.requireNonNull(snssai);
        Objects.requireNonNull(mode);
        Objects.requireNonNull(container);
        if (access.family() != core.family()) {
            throw new IllegalArgumentException("gNBs and UPFs have addresses of one family");
        }
    }

    /**
     * The side of the gNBs.
     *
     * @param gateway the node that receives their GTP-U
     * @param gnbs their prefixes, one at least, all of one family
     */
    public record Access(String gateway, List<IpPrefix> gnbs) {
        public Access {
            gnbs = List.copyOf(gnbs);
            if (gnbs.stream().map(Family::of).distinct().count() != 1) {
                throw new IllegalArgumentException("gNBs have addresses of one family");
            }
        }

        public Family family() {
            return Family.of(gnbs.get(0));
        }
    }

    /**
     * The side of the UPFs.
     *
     * @param node the gateway that restores GTP-U for them, or the anchor
     * @param anchor GTP-U ends at the node, which routes the inner packets of UEs
     * @param upfs the addresses to which gNBs send GTP-U, one at least, all of one family
     */
    public record Core(String node, boolean anchor, List<IpAddress> upfs) {
        public Core {
            upfs = List.copyOf(upfs);
            if (upfs.stream().map(Family::of).distinct().count() != 1) {
                throw new IllegalArgumentException("UPFs have addresses of one family");
            }
        }

        public Family family() {
            return Family.of(upfs.get(0));
        }
    }

    /** The family of the outer header of GTP-U. */
    public Family family() {
        return access.family();
    }

    public static void checkName(String name) {
        if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,30}")) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is not a name of 31 letters, digits, '.', '_', '-' at most");
        }
    }
}
