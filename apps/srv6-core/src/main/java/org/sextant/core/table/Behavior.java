// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.TableEntry.Call;

/**
 * An endpoint behavior with its arguments. Lengths are in bits. A behavior answers all questions about itself; its
 * decoding from a row is listed once, in {@link Behaviors}.
 */
public interface Behavior {

    /** The action of table my_sid. */
    Action contract();

    /** The my_sid action of the contract, as P4Info spells it. */
    default String action() {
        return contract().name();
    }

    /** The action with its arguments. */
    default Call call() {
        return Call.of(contract());
    }

    /** In one line for operators: {@code ua 32 32 next_hop 1}. */
    default String text() {
        return action();
    }

    /**
     * The name in the standards.
     *
     * @param whole the SID has all 128 bits (RFC 8986); else it stands in a container (RFC 9800)
     */
    String name(boolean whole);

    /** Ids of the adjacencies by which packets leave that it sends there itself. */
    default Set<Integer> leavesBy() {
        return Set.of();
    }

    /** The segment list that it sends packets into. */
    default OptionalInt sendsInto() {
        return OptionalInt.empty();
    }

    /** Applies the behavior to a packet, step by step. */
    <R> R process(Packet<R> packet);

    /**
     * A packet that is at the SID, and the steps that behaviors consist of. Each is the last step of a behavior.
     *
     * @param <R> the result for the packet
     */
    interface Packet<R> {

        /** While the argument behind block and uSIDs is not zero, shifts (RFC 9800, 4.1.1 and 4.1.2); then ends. */
        R shiftOrEnd(int blockLength, int csidLength, Optional<Integer> nextHop);

        /** Makes the next segment the destination (RFC 8986, 4.1), and leaves by the adjacency if there is one (4.2). */
        R end(boolean psp, Optional<Integer> nextHop);

        /** Takes the outer header off (RFC 8986, 4.4 to 4.8), and leaves by the adjacency or a lookup in the VRF. */
        R decapsulate(Family accepts, int vrf, Optional<Integer> nextHop);

        /** Makes the next segment active and pushes another header (RFC 8986, 4.14). */
        R encapsulate(int sidList);

        /**
         * Puts the inner packet into GTP-U (RFC 9433, 6.5 and 6.6), where so many segments are left. SRv6 ends there.
         */
        R toGtp(int segmentsLeft);

        /** Takes GTP-U only, which is no packet of an SR policy (RFC 9433, 6.3 and 6.4). */
        R fromGtp();

        /** Makes another SID the destination (RFC 9433, 6.2). */
        R map(Ipv6 sid);

        /** Applies the first rule that matches (docs/reference/firewall-node.md). */
        R judge(Sera firewall);
    }

    /** End with NEXT-CSID: shift by {@code csidLength} while the argument is not zero (RFC 9800, 4.1.1). */
    record Un(int blockLength, int csidLength) implements Behavior {
        public Un {
            Range.lengths(blockLength, csidLength);
        }

        @Override
        public Action contract() {
            return Actions.UN;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(blockLength), Values.number(csidLength));
        }

        @Override
        public String text() {
            return action() + " " + blockLength + " " + csidLength;
        }

        @Override
        public String name(boolean whole) {
            return "uN";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.shiftOrEnd(blockLength, csidLength, Optional.empty());
        }
    }

    /** End.X with NEXT-CSID (RFC 9800, 4.1.2); {@code csidLength} counts node and function where they are fused. */
    record Ua(int blockLength, int csidLength, int nextHop) implements Behavior {
        public Ua {
            Range.lengths(blockLength, csidLength);
            Range.nextHop(nextHop);
        }

        @Override
        public Action contract() {
            return Actions.UA;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(blockLength), Values.number(csidLength), Values.number(nextHop));
        }

        @Override
        public String text() {
            return action() + " " + blockLength + " " + csidLength + " next_hop " + nextHop;
        }

        @Override
        public String name(boolean whole) {
            return "uA";
        }

        @Override
        public Set<Integer> leavesBy() {
            return Set.of(nextHop);
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.shiftOrEnd(blockLength, csidLength, Optional.of(nextHop));
        }
    }

    /** RFC 8986, 4.1; with {@code psp} the flavor of 4.16.1. */
    record End(boolean psp) implements Behavior {
        @Override
        public Action contract() {
            return psp ? Actions.END_PSP : Actions.END;
        }

        @Override
        public String name(boolean whole) {
            return psp ? "End with PSP" : "End";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.end(psp, Optional.empty());
        }
    }

    /** RFC 8986, 4.2. */
    record EndX(int nextHop) implements Behavior {
        public EndX {
            Range.nextHop(nextHop);
        }

        @Override
        public Action contract() {
            return Actions.END_X;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(nextHop));
        }

        @Override
        public String text() {
            return action() + " next_hop " + nextHop;
        }

        @Override
        public String name(boolean whole) {
            return "End.X";
        }

        @Override
        public Set<Integer> leavesBy() {
            return Set.of(nextHop);
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.end(false, Optional.of(nextHop));
        }
    }

    /** Decapsulate and look the inner packet up in a VRF (RFC 8986, 4.6 to 4.8). */
    record Udt(Family family, int vrf) implements Behavior {
        public Udt {
            Objects.requireNonNull(family);
            Range.vrf(vrf);
        }

        @Override
        public Action contract() {
            return switch (family) {
                case IPV6 -> Actions.UDT6;
                case IPV4 -> Actions.UDT4;
                case BOTH -> Actions.UDT46;
            };
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(vrf));
        }

        @Override
        public String text() {
            return action() + " vrf " + vrf;
        }

        @Override
        public String name(boolean whole) {
            return decapsulating(action(), whole);
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.decapsulate(family, vrf, Optional.empty());
        }
    }

    /** Decapsulate and cross-connect to an adjacency (RFC 8986, 4.4 and 4.5); {@code family} is not BOTH. */
    record Udx(Family family, int nextHop) implements Behavior {
        public Udx {
            if (family == Family.BOTH) {
                throw new IllegalArgumentException("a cross-connect carries one address family");
            }
            Range.nextHop(nextHop);
        }

        @Override
        public Action contract() {
            return family == Family.IPV6 ? Actions.UDX6 : Actions.UDX4;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(nextHop));
        }

        @Override
        public String text() {
            return action() + " next_hop " + nextHop;
        }

        @Override
        public String name(boolean whole) {
            return decapsulating(action(), whole);
        }

        @Override
        public Set<Integer> leavesBy() {
            return Set.of(nextHop);
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.decapsulate(family, 0, Optional.of(nextHop));
        }
    }

    /** Binding SID (RFC 8986, 4.14). */
    record B6EncapsRed(int sidList) implements Behavior {
        @Override
        public Action contract() {
            return Actions.B6_ENCAPS_RED;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(sidList));
        }

        @Override
        public OptionalInt sendsInto() {
            return OptionalInt.of(sidList);
        }

        @Override
        public String text() {
            return action() + " sid_list " + Integer.toUnsignedString(sidList);
        }

        @Override
        public String name(boolean whole) {
            return "End.B6.Encaps.Red";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.encapsulate(sidList);
        }
    }

    /**
     * Decapsulate the first copy of a Live-Live packet and look the inner one, of either family, up in a VRF; drop the
     * others (docs/reference/livelive.md). {@code path} is 1 to 15, as in {@link Copy}. A walk follows the first copy.
     */
    record Dedup(int vrf, int path) implements Behavior {
        public Dedup {
            Range.vrf(vrf);
            Range.path(path);
        }

        @Override
        public Action contract() {
            return Actions.DEDUP;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(vrf), Values.number(path));
        }

        @Override
        public String text() {
            return action() + " vrf " + vrf + " path " + path;
        }

        @Override
        public String name(boolean whole) {
            return "uDedup";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.decapsulate(Family.BOTH, vrf, Optional.empty());
        }
    }

    /**
     * End.M.GTP4.E (RFC 9433, 6.6). Positions are in bits.
     *
     * @param at of the IPv4 destination in the SID; Args.Mob.Session stands behind it
     * @param sourceAt of the IPv4 source in the packet's source address
     * @param pduType of the PDU Session Container: 0 downlink, 1 uplink
     * @param container 0 never, 1 where QFI or RQI is not 0, 2 always
     * @param udpSource the port; 0 is a hash of the flow inside
     */
    record Gtp4E(int at, int sourceAt, int pduType, int container, int udpSource) implements Behavior {
        public Gtp4E {
            Range.require("position of the IPv4 destination", at, 0, 128 - 72);
            Range.require("position of the IPv4 source", sourceAt, 0, 128 - 32);
            Range.gtp(pduType, container, udpSource);
        }

        @Override
        public Action contract() {
            return Actions.GTP4_E;
        }

        @Override
        public Call call() {
            return Call.of(
                    contract(),
                    Values.number(at),
                    Values.number(sourceAt),
                    Values.number(pduType),
                    Values.number(container),
                    Values.number(udpSource));
        }

        @Override
        public String text() {
            return action() + " at " + at + " source_at " + sourceAt + gtpText(pduType, container, udpSource);
        }

        @Override
        public String name(boolean whole) {
            return "End.M.GTP4.E";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.toGtp(0);
        }
    }

    /** End.M.GTP6.E (RFC 9433, 6.5), as {@link Gtp4E}; Args.Mob.Session stands at bit {@code at} of the SID. */
    record Gtp6E(int at, Ipv6 source, int pduType, int container, int udpSource) implements Behavior {
        public Gtp6E {
            Range.require("position of the arguments", at, 0, 128 - 40);
            Objects.requireNonNull(source);
            Range.gtp(pduType, container, udpSource);
        }

        @Override
        public Action contract() {
            return Actions.GTP6_E;
        }

        @Override
        public Call call() {
            return Call.of(
                    contract(),
                    Values.number(at),
                    Values.number(source),
                    Values.number(pduType),
                    Values.number(container),
                    Values.number(udpSource));
        }

        @Override
        public String text() {
            return action() + " at " + at + " source " + source + gtpText(pduType, container, udpSource);
        }

        @Override
        public String name(boolean whole) {
            return "End.M.GTP6.E";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.toGtp(1);
        }
    }

    /** End.M.GTP6.D and End.M.GTP6.D.Di (RFC 9433, 6.3 and 6.4): a {@link GtpRule} selects one of the two. */
    record Gtp6D() implements Behavior {
        @Override
        public Action contract() {
            return Actions.GTP6_D;
        }

        @Override
        public String name(boolean whole) {
            return "End.M.GTP6.D";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.fromGtp();
        }
    }

    /** End.MAP (RFC 9433, 6.2). */
    record Mapping(Ipv6 sid) implements Behavior {
        public Mapping {
            Objects.requireNonNull(sid);
        }

        @Override
        public Action contract() {
            return Actions.MAP;
        }

        @Override
        public Call call() {
            return Call.of(contract(), Values.number(sid));
        }

        @Override
        public String text() {
            return action() + " " + sid;
        }

        @Override
        public String name(boolean whole) {
            return "End.MAP";
        }

        @Override
        public <R> R process(Packet<R> packet) {
            return packet.map(sid);
        }
    }

    private static String gtpText(int pduType, int container, int udpSource) {
        return " pdu_type " + pduType + " container " + container + " udp_source " + udpSource;
    }

    /** The inner packets that a decapsulating behavior accepts. */
    enum Family {
        IPV6,
        IPV4,
        BOTH
    }

    /** {@code udt6} is End.DT6 as a whole SID and uDT6 in a container. */
    private static String decapsulating(String action, boolean whole) {
        return (whole ? "End." : "u") + action.substring(1).toUpperCase(Locale.ROOT);
    }
}
