// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Atom;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;

/**
 * The SIDs of a node that take and make GTP-U (RFC 9433). The form of the PDU Session Container is part of the SID, so
 * that slices with different forms share a node.
 *
 * <pre>
 *   F3216, node 0x0300               in a locator of its own          behavior
 *   fcbb:bbbb:304::/48               locator 04 (8 bits)              End.M.GTP4.E to gNBs, container always
 *   fcbb:bbbb:305::/48               locator 05                       the same to UPFs
 *   fcbb:bbbb:306::/48, 307          locator 06, 07                   container where QFI or RQI is not 0
 *   fcbb:bbbb:308::/48, 309          locator 08, 09                   never one
 *   fcbb:bbbb:300:f600::/64                                           End.M.GTP6.D
 *   fcbb:bbbb:300:f610::/64 to f615  locator 10 to 15                 End.M.GTP6.E, in the order of 304 to 309
 * </pre>
 *
 * End.M.GTP4.E needs 72 bits behind it. The /44 numbering of the uSID paper has the room, where a block is no longer
 * than 40 bits; all other nodes need a locator of their own ({@code gtpLocator}), and so does End.M.GTP6.E with 32-bit
 * uSIDs.
 */
public record GtpSids(SidPlan plan) {
    /** The IPv4 destination and Args.Mob.Session (RFC 9433, 6.6). */
    public static final int GTP4_BITS = 72;

    /** Args.Mob.Session (RFC 9433, 6.1). */
    public static final int SESSION_BITS = 40;

    private static final int FUNCTION_BITS = 8;
    private static final int GTP4_E = 0x4;
    private static final int GTP6_D = 0xf600;
    private static final int GTP6_E = 0xf610;
    private static final int GTP6_E_FUNCTION = 0x10;

    /** The direction of GTP-U: the PDU type of its PDU Session Container (TS 38.415). */
    public enum Way {
        /** To gNBs. */
        DOWNLINK(0),
        /** To UPFs. */
        UPLINK(1);

        private final int pduType;

        Way(int pduType) {
            this.pduType = pduType;
        }
    }

    /** When GTP-U that is made has a PDU Session Container. */
    public enum Container {
        NEVER(0, 4),
        /** Where QFI or RQI is not 0. */
        NONZERO(1, 2),
        ALWAYS(2, 0);

        private final int inContract;
        private final int firstSid;

        Container(int inContract, int firstSid) {
            this.inContract = inContract;
            this.firstSid = firstSid;
        }

        private int sid(Way way) {
            return firstSid + way.pduType;
        }
    }

    /**
     * A SID with arguments behind it.
     *
     * @param at the bit where they begin when the SID is looked up
     * @param end the last atom of a path to it, arguments included
     */
    public record Taking(MySid sid, int at, Atom end) {}

    /** End.M.GTP4.E; empty if the node has no room for it. */
    public Optional<Taking> gtp4E(Way way, Container container) {
        int offset = GTP4_E + container.sid(way);
        if (plan.srv6().gtpLocator().isPresent()) {
            IpPrefix prefix = function(offset);
            return Optional.of(alone(prefix, gtp4E(prefix.length(), way, container)));
        }
        long usid = plan.usid() | offset;
        IpPrefix prefix = plan.prefix(usid);
        if (!plan.numbered() || prefix.length() + GTP4_BITS > 128) {
            return Optional.empty();
        }
        Atom end = Atom.Compressed.of(plan.srv6().block(), plan.format(), usid).withArguments(GTP4_BITS);
        return Optional.of(new Taking(new MySid(prefix, gtp4E(prefix.length(), way, container)), prefix.length(), end));
    }

    private static Behavior gtp4E(int at, Way way, Container container) {
        return new Behavior.Gtp4E(at, at, way.pduType, container.inContract, 0);
    }

    /** End.M.GTP6.E, which sends from the node's {@link #gtp6D}; empty if the node has no room for it. */
    public Optional<Taking> gtp6E(Way way, Container container) {
        int offset = container.sid(way);
        if (plan.srv6().gtpLocator().isPresent()) {
            IpPrefix prefix = function(GTP6_E_FUNCTION + offset);
            return Optional.of(alone(prefix, gtp6E(prefix.length(), way, container)));
        }
        long usid = plan.local(GTP6_E, offset);
        IpPrefix prefix = plan.behind(usid);
        return ending(usid)
                .map(end ->
                        new Taking(new MySid(prefix, gtp6E(prefix.length(), way, container)), prefix.length(), end));
    }

    private Behavior gtp6E(int at, Way way, Container container) {
        Ipv6 source = (Ipv6) gtp6D().sid().address();
        return new Behavior.Gtp6E(at, source, way.pduType, container.inContract, 0);
    }

    /** End.M.GTP6.D: where gNBs may send GTP-U to. */
    public MySid gtp6D() {
        return new MySid(plan.behind(plan.local(GTP6_D, 0)), new Behavior.Gtp6D());
    }

    /**
     * The decapsulation of a family with a session's arguments behind it, which no node reads; empty if there is no
     * room.
     */
    public Optional<Atom> decapsulation(Behavior.Family family) {
        return ending(plan.markerUsid(family));
    }

    private Optional<Atom> ending(long local) {
        int used = plan.format().blockLength() + 2 * plan.format().usidLength();
        return used + SESSION_BITS > 128
                ? Optional.empty()
                : Optional.of(Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid(), local)
                        .withArguments(SESSION_BITS));
    }

    private IpPrefix function(int number) {
        IpPrefix locator = plan.srv6().gtpLocator().orElseThrow();
        Ipv6 address = (Ipv6) locator.address();
        return new IpPrefix(address.with(locator.length(), FUNCTION_BITS, number), locator.length() + FUNCTION_BITS);
    }

    private static Taking alone(IpPrefix prefix, Behavior behavior) {
        return new Taking(new MySid(prefix, behavior), prefix.length(), new Atom.Full((Ipv6) prefix.address()));
    }
}
