// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.underlay.GtpSids;
import org.sextant.kit.Family;
import org.sextant.kit.path.Hop;

/**
 * What an operator asks for: sessions between some gNBs and UPFs travel a path of their own (mobile paper). An immutable
 * value; nothing in it was looked up in a network.
 *
 * @param name becomes the slice's id
 * @param snssai which slice of the mobile network it is
 * @param dnns data networks whose sessions are of it; PFCP picks a slice by these
 * @param uplink hops from the gateway at the gNBs to the one at the core
 * @param downlink hops of the way back; empty: those of the uplink in reverse
 * @param matches what it takes beside its sessions, each
 * @param isDefault it takes what no other slice takes between its gNBs and UPFs
 * @param container whether GTP-U that is given back has a PDU Session Container
 * @param carries what SRv6 cannot say is carried whole, else dropped
 * @param dropsSequence GTP-U with sequence or N-PDU numbers is translated, too, and loses them; else SRv6 cannot say it
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
        boolean dropsSequence) {

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
     * Where the gNBs are.
     *
     * @param gateway the node that takes their GTP-U
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
     * Where the UPFs are.
     *
     * @param node the gateway that gives GTP-U back to them, or the anchor
     * @param anchor GTP-U ends at the node: what UEs send is looked up there
     * @param upfs the addresses that gNBs send GTP-U to, one at least, all of one family
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

    /** GTP-U travels over it. */
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
