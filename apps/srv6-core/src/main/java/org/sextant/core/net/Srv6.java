// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.SidFormat;

/**
 * A node's SRv6 configuration.
 *
 * @param block the locator block of its SIDs, as long as the format requires
 * @param format how SIDs are cut into uSIDs
 * @param usid its node uSID, from the GIB, not 0
 * @param encapSource source address of outer headers it pushes
 * @param numbered true if the uSID paper's /44 numbering applies: the uSID's low nibble is 0, and the fifteen uSIDs
 *     behind it are global, too, and no other node's of the block
 * @param gtpLocator where its SIDs that make GTP-U are, if its uSIDs have no room for them; whole bytes, at most /48
 * @param edge how strict it is at its edge
 * @param protection the failures that it has repairs for
 * @param repairUsid the uSID under which repairs reach it, from the GIB; empty in a network without repairs
 */
public record Srv6(
        IpPrefix block,
        SidFormat format,
        long usid,
        Ipv6 encapSource,
        boolean numbered,
        Optional<IpPrefix> gtpLocator,
        EdgeSettings edge,
        Protection protection,
        OptionalLong repairUsid) {
    private static final int LONGEST_GTP_LOCATOR = 48;

    public Srv6 {
        Objects.requireNonNull(encapSource);
        Objects.requireNonNull(protection);
        gtpLocator.ifPresent(Srv6::gtpLocator);
        if (!block.isIpv6() || block.length() != format.blockLength()) {
            throw new IllegalArgumentException("block " + block + " does not fit format " + format.name()
                    + ", which wants /" + format.blockLength());
        }
        if (!format.isGlobal(usid)) {
            throw new IllegalArgumentException("node uSID 0x" + Long.toHexString(usid) + " is not within 1 to 0x"
                    + Long.toHexString(format.localStart() - 1) + ", the global range (GIB) of " + format.name());
        }
        if (repairUsid.isPresent() && (!format.isGlobal(repairUsid.getAsLong()) || repairUsid.getAsLong() == usid)) {
            throw new IllegalArgumentException("the uSID for repairs 0x" + Long.toHexString(repairUsid.getAsLong())
                    + " is not another one within 1 to 0x" + Long.toHexString(format.localStart() - 1)
                    + ", the global range (GIB) of " + format.name());
        }
        if (numbered && !canBeNumbered(format, usid)) {
            throw new IllegalArgumentException(
                    "the numbering wants sixteen 16-bit uSIDs of the GIB, from one whose low nibble is 0, not 0x"
                            + Long.toHexString(usid));
        }
    }

    /**
     * A prefix that can be a {@link #gtpLocator}: 8 bits of function and 72 of arguments fit behind it (RFC 9433, 6.6).
     *
     * @throws IllegalArgumentException with the reason if it cannot
     */
    static IpPrefix gtpLocator(IpPrefix prefix) {
        if (!prefix.isIpv6()
                || prefix.length() % 8 != 0
                || prefix.length() < 8
                || prefix.length() > LONGEST_GTP_LOCATOR) {
            throw new IllegalArgumentException(prefix + " is not an IPv6 prefix of 8 to " + LONGEST_GTP_LOCATOR
                    + " bits in whole bytes, which leave room for a function and 72 bits of arguments");
        }
        return prefix;
    }

    /** A node with the usual edge. */
    public Srv6(
            IpPrefix block,
            SidFormat format,
            long usid,
            Ipv6 encapSource,
            boolean numbered,
            Optional<IpPrefix> gtpLocator) {
        this(
                block,
                format,
                usid,
                encapSource,
                numbered,
                gtpLocator,
                EdgeSettings.DEFAULT,
                Protection.NONE,
                OptionalLong.empty());
    }

    /** A node without a GTP locator, and without a neighbor in uSID space: it is numbered if its uSID allows. */
    public Srv6(IpPrefix block, SidFormat format, long usid, Ipv6 encapSource) {
        this(
                block,
                format,
                usid,
                encapSource,
                canBeNumbered(format, usid),
                Optional.empty(),
                EdgeSettings.DEFAULT,
                Protection.NONE,
                OptionalLong.empty());
    }

    /** The same node with SIDs that make GTP-U elsewhere. */
    Srv6 with(IpPrefix locator) {
        return new Srv6(
                block,
                format,
                usid,
                encapSource,
                numbered,
                Optional.of(gtpLocator(locator)),
                edge,
                protection,
                repairUsid);
    }

    /** The same node with other settings of its edge. */
    public Srv6 with(EdgeSettings settings) {
        return new Srv6(block, format, usid, encapSource, numbered, gtpLocator, settings, protection, repairUsid);
    }

    /** The same node with repairs against other failures. */
    public Srv6 with(Protection other) {
        return new Srv6(block, format, usid, encapSource, numbered, gtpLocator, edge, other, repairUsid);
    }

    /** The same node with another uSID for repairs. */
    public Srv6 withRepairUsid(long other) {
        return new Srv6(
                block, format, usid, encapSource, numbered, gtpLocator, edge, protection, OptionalLong.of(other));
    }

    /** The configuration of the node under its repair uSID: that of any node, without numbering and GTP-U. */
    public Optional<Srv6> repairs() {
        return repairUsid.isPresent()
                ? Optional.of(new Srv6(
                        block,
                        format,
                        repairUsid.getAsLong(),
                        encapSource,
                        false,
                        Optional.empty(),
                        edge,
                        protection,
                        OptionalLong.empty()))
                : Optional.empty();
    }

    private static boolean canBeNumbered(SidFormat format, long usid) {
        return format.usidLength() == 16 && (usid & 0xf) == 0 && format.isGlobal(usid | 0xf);
    }

    /** The same node beside others that use the uSIDs of its numbering. */
    Srv6 unnumbered() {
        return new Srv6(block, format, usid, encapSource, false, gtpLocator, edge, protection, repairUsid);
    }
}
