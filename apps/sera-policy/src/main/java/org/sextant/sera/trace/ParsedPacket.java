// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.kit.Family;
import org.sextant.sera.Protocols;

/**
 * A packet as a firewall parses it: its outer header with the segment routing header, and the fields of the first inner
 * packet.
 *
 * @param malformed the reason why it is dropped before any rule; empty if there is none
 * @param srhAt the offset of the segment routing header; -1: there is none
 */
record ParsedPacket(CapturedPacket packet, Header header, Facts facts, int srhAt, Optional<String> malformed) {
    private static final int IPV6_HEADER = 40;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int IPV4 = 4;
    private static final int IPV6 = 41;
    private static final int SRH = 4;
    private static final int MOST_EXTENSIONS = 8;
    private static final Set<Integer> EXTENSIONS =
            Set.of(HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION_OPTIONS);

    /** The destination of the inner packet. */
    IpAddress inside() {
        return ((Payload) header.inner()).destination().orElseThrow();
    }

    static ParsedPacket of(CapturedPacket packet) {
        return new Reader(packet).read();
    }

    /** A packet that a node drops as malformed. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String why) {
            super(why);
        }
    }

    /** Parses headers from the outermost inwards. */
    private static final class Reader {
        private final CapturedPacket in;
        private Facts facts = Facts.NONE;
        private Optional<Header.Srh> srh = Optional.empty();
        private int srhAt = -1;
        private int at = IPV6_HEADER;
        /** The end of the parsed packet; later bytes are ignored. */
        private int end;

        private int next;
        private Payload payload = Payload.of(Family.IPV6.inside());

        Reader(CapturedPacket in) {
            this.in = in;
            this.next = in.number(6, 1);
            this.end = in.size();
        }

        ParsedPacket read() {
            Optional<String> malformed = Optional.empty();
            facts = facts.with(KeyField.OUTER_SRC, in.ipv6(8));
            try {
                outer();
                if (next == IPV6 || next == IPV4) {
                    inside(next == IPV6);
                } else {
                    inserted();
                }
            } catch (Malformed e) {
                malformed = Optional.of(String.valueOf(e.getMessage()));
            }
            Header header = new Header(in.ipv6(24), srh, in.number(7, 1), payload);
            return new ParsedPacket(in, header, facts, srhAt, malformed);
        }

        private void require(int from, int length, String what) throws Malformed {
            if (from + length > end) {
                throw new Malformed("the packet ends within " + what);
            }
        }

        /** Extension headers of the outer header; the first routing header of type 4 is the one that matters. */
        private void outer() throws Malformed {
            for (int i = 0; EXTENSIONS.contains(next); i++) {
                few(i);
                require(at, 8, "an extension header");
                if (next == FRAGMENT && (in.number(at + 2, 2) & 0xfff9) != 0) {
                    throw new Malformed("the outer packet is a fragment");
                }
                if (next == ROUTING) {
                    routing();
                }
                extension();
            }
        }

        private static void few(int before) throws Malformed {
            if (before == MOST_EXTENSIONS) {
                throw new Malformed("there are more than " + MOST_EXTENSIONS + " extension headers");
            }
        }

        private void extension() throws Malformed {
            int words = in.number(at + 1, 1);
            int length = next == FRAGMENT ? 8 : next == AUTHENTICATION ? 4 * (words + 2) : 8 * (words + 1);
            require(at, length, "an extension header");
            next = in.number(at, 1);
            at += length;
        }

        private void routing() throws Malformed {
            int length = in.number(at + 1, 1);
            int type = in.number(at + 2, 1);
            int left = in.number(at + 3, 1);
            require(at, 8 * (length + 1), "a routing header");
            if (type != SRH && left > 0) {
                throw new Malformed("there is a routing header of type " + type + " with segments left");
            }
            if (type == SRH && srhAt < 0) {
                srh(length, left);
            }
        }

        private void srh(int length, int left) throws Malformed {
            int last = in.number(at + 4, 1);
            if (2 * (last + 1) > length) {
                throw new Malformed("the list has " + (last + 1) + " segments, and the header room for " + length / 2);
            }
            if (left > last + 1) {
                throw new Malformed("segments left is " + left + ", and the last entry " + last);
            }
            List<Ipv6> list = new ArrayList<>();
            for (int i = 0; i <= last; i++) {
                list.add(in.ipv6(at + 8 + 16 * i));
            }
            srhAt = at;
            srh = Optional.of(new Header.Srh(list, left));
            facts = facts.with(KeyField.SRH_NEXT_HDR, in.number(at, 1))
                    .with(KeyField.SRH_HDR_LEN, length)
                    .with(KeyField.SEGMENTS_LEFT, left)
                    .with(KeyField.LAST_ENTRY, last)
                    .with(KeyField.SRH_FLAGS, in.number(at + 5, 1))
                    .with(KeyField.SRH_TAG, in.number(at + 6, 2));
            if (left < last) {
                facts = facts.with(KeyField.PREVIOUS_SID, list.get(left + 1));
            }
        }

        /** Without an inner packet, the header was inserted, and the last segment is the packet's destination. */
        private void inserted() throws Malformed {
            Ipv6 destination = srh.filter(list -> list.segmentsLeft() > 0)
                    .map(list -> list.segments().get(0))
                    .orElse(in.ipv6(24));
            addresses(in.ipv6(8), destination);
            facts = facts.with(KeyField.IP_PROTOCOL, next);
            transport();
        }

        private void addresses(IpAddress source, IpAddress destination) {
            payload = Payload.to(destination);
            facts = facts.with(KeyField.IP_VERSION, source instanceof Ipv6 ? 6 : 4)
                    .with(KeyField.SRC, source)
                    .with(KeyField.DST, destination);
        }

        private void inside(boolean six) throws Malformed {
            require(at, six ? IPV6_HEADER : 20, "the header of the packet inside");
            int version = in.number(at, 1) >> 4;
            if (version != (six ? 6 : 4)) {
                throw new Malformed("the packet inside is of version " + version + ", and the next header says "
                        + (six ? "IPv6" : "IPv4"));
            }
            int offset = six ? inside6() : inside4();
            facts = facts.with(KeyField.IP_PROTOCOL, next);
            if (offset == 0) {
                transport();
            } else {
                later(offset);
            }
        }

        /** The offset of a fragment, in 8 bytes; 0 for a packet with its upper-layer header. */
        private int inside6() throws Malformed {
            require(at, IPV6_HEADER + in.number(at + 4, 2), "the packet inside");
            end = at + IPV6_HEADER + in.number(at + 4, 2);
            addresses(in.ipv6(at + 8), in.ipv6(at + 24));
            next = in.number(at + 6, 1);
            at += IPV6_HEADER;
            int offset = 0;
            for (int i = 0; offset == 0 && EXTENSIONS.contains(next); i++) {
                few(i);
                require(at, 8, "an extension header of the packet inside");
                offset = next == FRAGMENT ? in.number(at + 2, 2) >> 3 : 0;
                extension();
            }
            return offset;
        }

        /** As {@link #inside6()}. */
        private int inside4() throws Malformed {
            int header = 4 * (in.number(at, 1) & 15);
            if (header < 20) {
                throw new Malformed("the IPv4 header inside says that it has " + header + " bytes");
            }
            int length = in.number(at + 2, 2);
            if (length < header) {
                throw new Malformed("the IPv4 header inside says that the packet has " + length + " bytes");
            }
            require(at, length, "the packet inside");
            addresses(new Ipv4(in.number(at + 12, 4)), new Ipv4(in.number(at + 16, 4)));
            next = in.number(at + 9, 1);
            int offset = in.number(at + 6, 2) & 0x1fff;
            end = at + length;
            at += header;
            return offset;
        }

        /** RFC 1858, 3 and RFC 7112, 5: the first fragment has all fields that rules match. */
        private void transport() throws Malformed {
            boolean tcp = next == Protocols.TCP;
            if (Protocols.WITH_PORTS.contains(next)) {
                require(at, tcp ? 14 : 4, tcp ? "the flags of TCP" : "the ports");
                facts = facts.with(KeyField.SRC_PORT, in.number(at, 2)).with(KeyField.DST_PORT, in.number(at + 2, 2));
                facts = tcp ? facts.with(KeyField.TCP_FLAGS, in.number(at + 13, 1)) : facts;
            } else if (next == Protocols.ICMP || next == Protocols.ICMPV6) {
                require(at, 2, "the type of ICMP");
                facts = facts.with(KeyField.ICMP_TYPE, in.number(at, 1)).with(KeyField.ICMP_CODE, in.number(at + 1, 1));
            }
        }

        /**
         * RFC 3128, 2.1: a receiver that lets later fragments overwrite earlier ones takes the flags of TCP from this
         * one.
         */
        private void later(int offset) throws Malformed {
            if (next == Protocols.TCP && offset == 1) {
                throw new Malformed("a later fragment begins within the header of TCP");
            }
        }
    }
}
