// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Node;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.SidFormat;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;

/**
 * The SIDs of a node; the one place with the conventions. Every SID of a node is a prefix: block, node uSID and, for a
 * function that is local to the node, a uSID from the local range (LIB), fused into one entry, because the Linux kernel
 * matches node and function together.
 *
 * <pre>
 *   uSID, 16 bits      32 bits             entry (F3216, node 0x0100)         behavior
 *   (none)             (none)              fcbb:bbbb:100::/48                 uN
 *   e000 + port        e0000000 + port     fcbb:bbbb:100:e001::/64            uA over that port
 *   f00d               f00d0000            fcbb:bbbb:100:f00d::/64            decapsulate IPv6 into vrf 0
 *   f004               f0040000            fcbb:bbbb:100:f004::/64            decapsulate IPv4 into vrf 0
 *   f600 and on        f6000000 and on        GTP-U, see {@link GtpSids}
 *   f100 + 16 v + p    f1000000 + 16 v + p fcbb:bbbb:100:f102::/64            de-duplicate path p's copies into vrf v
 *   f200 + 16 k + a    f2000000 + 16 k + a fcbb:bbbb:100:f230::/60            firewall k, a its arguments: one entry for all
 *   f800 + k           f8000000 + k        fcbb:bbbb:100:f805::/64            binding SID k (0 to 1023), by controllers
 *   fc00 + k           fc000000 + k        fcbb:bbbb:100:fc01::/64            binding SID k (0 to 511), by operators
 *   fe00 + 2 vrf       fe000000 + 2 vrf    fcbb:bbbb:100:fe02::/64            uDT6 of the vrf
 *   fe01 + 2 vrf       fe000001 + 2 vrf    fcbb:bbbb:100:fe03::/64            uDT4 of the vrf
 * </pre>
 *
 * The /44 numbering of the uSID paper: where a node's 16-bit uSID ends in a zero nibble and no other node has one of the
 * uSIDs behind it, uSID|1 decapsulates IPv6 and
 * uSID|2 IPv4 without a uSID of their own, and others route to the node by a prefix four bits shorter.
 */
public record SidPlan(Srv6 srv6) {
    private static final int UA = 0xe000;
    private static final int MARKER_V6 = 0xf00d;
    private static final int MARKER_V4 = 0xf004;
    private static final int UDT = 0xfe00;
    private static final int DEDUP = 0xf100;
    private static final int FIREWALL = 0xf200;
    private static final int FIREWALL_ARGS_BITS = 4;
    private static final int BINDING = 0xf800;
    private static final int BINDINGS = 1024;
    private static final int CHOSEN_BINDING = 0xfc00;
    private static final int CHOSEN_BINDINGS = 512;
    private static final int DEDUP_PATHS = 16;
    private static final int NUMBERING_BITS = 4;

    /** The SIDs of a node; empty if it has no SRv6 configuration. */
    public static Optional<SidPlan> of(Node node) {
        return node.srv6().map(SidPlan::new);
    }

    public SidFormat format() {
        return srv6.format();
    }

    /** The node's own uSID. */
    public long usid() {
        return srv6.usid();
    }

    /**
     * The prefixes that others route to the node: its SIDs, and the source of its outer headers if it is not among them,
     * where its SIDs that make GTP-U are, and where those of repairs are.
     */
    public List<IpPrefix> reachedUnder() {
        List<IpPrefix> prefixes = new ArrayList<>(protectedUnder());
        if (!routed().contains(srv6.encapSource())) {
            prefixes.add(new IpPrefix(srv6.encapSource(), 128));
        }
        repairs().ifPresent(repairs -> prefixes.add(repairs.locator()));
        return List.copyOf(prefixes);
    }

    /**
     * The prefixes among these that a repair may protect: those of SIDs, without repair locators. An address is not
     * looked up behind a header that is removed at its own node (End.DT6 has one table).
     */
    public List<IpPrefix> protectedUnder() {
        List<IpPrefix> prefixes = new ArrayList<>(List.of(routed()));
        srv6.gtpLocator().ifPresent(prefixes::add);
        return List.copyOf(prefixes);
    }

    /** The SIDs by which repairs go over the node; empty in a network without repairs. */
    public Optional<RepairSids> repairs() {
        return srv6.repairs().map(SidPlan::new).map(RepairSids::new);
    }

    /** The SIDs that take and make GTP-U. */
    public GtpSids gtp() {
        return new GtpSids(this);
    }

    /** Block and node uSID: the match of uN. */
    public IpPrefix locator() {
        return prefix(srv6.usid());
    }

    /** The prefix under which others route to the node: the locator, four bits shorter where the numbering applies. */
    public IpPrefix routed() {
        IpPrefix locator = locator();
        return numbered() ? new IpPrefix(locator.address(), locator.length() - NUMBERING_BITS) : locator;
    }

    public MySid un() {
        return new MySid(locator(), new Behavior.Un(format().blockLength(), format().usidLength()));
    }

    /** The local uSID of the adjacency over {@code port}. */
    public long uaUsid(int port) {
        return local(UA, port);
    }

    /** The adjacency over {@code port}; its next hop has the number of the port. */
    public MySid ua(int port) {
        return new MySid(
                behind(uaUsid(port)), new Behavior.Ua(format().blockLength(), 2 * format().usidLength(), port));
    }

    /** The local uSID for decapsulation into vrf 0: f00d for IPv6, f004 for IPv4 inside. */
    public long markerUsid(Family family) {
        return local(single(family) == Family.IPV6 ? MARKER_V6 : MARKER_V4, 0);
    }

    public MySid marker(Family family) {
        return new MySid(behind(markerUsid(family)), new Behavior.Udt(single(family), 0));
    }

    /** The largest VRF that has a uDT of its own: 255 with 16-bit uSIDs, 65535 with 32-bit ones. */
    public int maxVrf() {
        return format().usidLength() == 16 ? 0xff : 0xffff;
    }

    /**
     * The local uSID that decapsulates into a VRF.
     *
     * @throws IllegalArgumentException if {@code vrf} is not within 0 to {@link #maxVrf}
     */
    public long udtUsid(Family family, int vrf) {
        if (vrf < 0 || vrf > maxVrf()) {
            throw new IllegalArgumentException("vrf " + vrf + " is not within 0 to " + maxVrf() + ", which is all that "
                    + format().name() + " can name");
        }
        return local(UDT, 2 * vrf + (single(family) == Family.IPV6 ? 0 : 1));
    }

    public MySid udt(Family family, int vrf) {
        return new MySid(behind(udtUsid(family, vrf)), new Behavior.Udt(family, vrf));
    }

    /**
     * The local uSID at which the copies of one path end (docs/reference/livelive.md).
     *
     * @throws IllegalArgumentException if {@code vrf} is not within 0 to 15 or {@code path} not within 1 to 15
     */
    public long dedupUsid(int vrf, int path) {
        if (vrf < 0 || vrf >= DEDUP_PATHS || path < 1 || path >= DEDUP_PATHS) {
            throw new IllegalArgumentException("vrf " + vrf + " or path " + path + " has no uSID that de-duplicates");
        }
        return local(DEDUP, DEDUP_PATHS * vrf + path);
    }

    public MySid dedup(int vrf, int path) {
        return new MySid(behind(dedupUsid(vrf, path)), new Behavior.Dedup(vrf, path));
    }

    /** The most firewalls of a node. */
    public static int maxFirewalls() {
        return 1 << FIREWALL_ARGS_BITS;
    }

    /**
     * The local uSID of a firewall without arguments, which are its low bits.
     *
     * @param firewall 0 to 15
     * @throws IllegalArgumentException if a node has no firewall of that number
     */
    public long firewallUsid(int firewall) {
        if (firewall < 0 || firewall >= maxFirewalls()) {
            throw new IllegalArgumentException("firewall " + firewall + " of node 0x" + Long.toHexString(usid())
                    + " has no uSID: a node has firewalls 0 to " + (maxFirewalls() - 1));
        }
        return local(FIREWALL, firewall << FIREWALL_ARGS_BITS);
    }

    /** The entry's SID of a firewall: of all its arguments. */
    public IpPrefix firewallSid(int firewall) {
        IpPrefix whole = behind(firewallUsid(firewall));
        return IpPrefix.of(whole.address(), whole.length() - FIREWALL_ARGS_BITS);
    }

    /** The behavior of a firewall at its SID, with the rules of that number. */
    public Sera sera(int firewall, int rules) {
        SidFormat format = format();
        int size = format.usidLength();
        return new Sera(rules, firewall, format.blockLength(), 2 * size, size, FIREWALL_ARGS_BITS, format.localStart());
    }

    /** The number of binding SIDs that controllers allocate at a node. */
    public static int bindings() {
        return BINDINGS;
    }

    /** The SID of one of them, 0 to {@link #bindings} - 1. */
    public IpPrefix binding(int number) {
        if (number < 0 || number >= BINDINGS) {
            throw new IllegalArgumentException("a node has no binding SID " + number);
        }
        return behind(local(BINDING, number));
    }

    /** True if a SID of this node is in the range of binding SIDs that controllers allocate. */
    public boolean isBinding(IpPrefix sid) {
        return within(sid, BINDING, BINDINGS);
    }

    /** True if a SID of this node is in the range of binding SIDs that operators choose for policies. */
    public boolean isChosenBinding(IpPrefix sid) {
        return within(sid, CHOSEN_BINDING, CHOSEN_BINDINGS);
    }

    /** The first and the last SID that operators choose for policies of this node. */
    public List<IpPrefix> chosenBindings() {
        return List.of(behind(local(CHOSEN_BINDING, 0)), behind(local(CHOSEN_BINDING, CHOSEN_BINDINGS - 1)));
    }

    private boolean within(IpPrefix sid, int base16, int count) {
        int length = format().usidLength();
        if (sid.length() != locator().length() + length || !locator().contains((Ipv6) sid.address())) {
            return false;
        }
        long offset = ((Ipv6) sid.address()).bits(locator().length(), length) - local(base16, 0);
        return offset >= 0 && offset < count;
    }

    /** The prefix of a SID that stands right behind the node's uSID. */
    public IpPrefix fused(Ipv6 sid) {
        return IpPrefix.of(sid, locator().length() + format().usidLength());
    }

    /** True if the /44 numbering applies to this node. */
    public boolean numbered() {
        return srv6.numbered();
    }

    /** The node uSID that also decapsulates into vrf 0; empty unless {@link #numbered}. */
    public Optional<Long> numberedUsid(Family family) {
        return numbered() ? Optional.of(srv6.usid() | (single(family) == Family.IPV6 ? 1 : 2)) : Optional.empty();
    }

    public Optional<MySid> numberedUdt(Family family) {
        return numberedUsid(family).map(usid -> new MySid(prefix(usid), new Behavior.Udt(family, 0)));
    }

    IpPrefix prefix(long usid) {
        SidFormat format = format();
        Ipv6 block = (Ipv6) srv6.block().address();
        return new IpPrefix(
                block.with(format.blockLength(), format.usidLength(), usid),
                format.blockLength() + format.usidLength());
    }

    IpPrefix behind(long localUsid) {
        IpPrefix locator = locator();
        Ipv6 address = (Ipv6) locator.address();
        return new IpPrefix(
                address.with(locator.length(), format().usidLength(), localUsid),
                locator.length() + format().usidLength());
    }

    /** 16-bit conventions sit in the upper half of a 32-bit uSID; offsets count in the lower bits of either. */
    long local(int base16, int offset) {
        return ((long) base16 << format().usidLength() - 16) + offset;
    }

    private static Family single(Family family) {
        if (family == Family.BOTH) {
            throw new IllegalArgumentException("a node has one uDT per address family");
        }
        return family;
    }
}
