// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;

/**
 * A captured GTP-U packet (TS 29.281).
 *
 * @param dscp of the outer header
 * @param teid unsigned
 * @param container the PDU Session Container (TS 38.415)
 * @param sequenced it has a sequence or N-PDU number
 * @param inside source and destination of the inner packet
 * @param obstacles the reasons why SRv6 cannot represent it, in sentences; none: it is translated
 */
record GtpPacket(
        IpAddress source,
        IpAddress destination,
        int dscp,
        int type,
        int teid,
        Optional<Container> container,
        boolean sequenced,
        Optional<Inside> inside,
        List<String> obstacles) {
    static final int PORT = 2152;
    private static final int UDP = 17;
    private static final int G_PDU = 255;
    private static final int PDU_SESSION_CONTAINER = 0x85;

    /** @param uplink true if its PDU type is uplink */
    record Container(boolean uplink, int qfi, boolean rqi) {}

    record Inside(IpAddress source, IpAddress destination) {}

    /** @throws org.sextant.core.ProblemException if it is not a GTP-U packet */
    static GtpPacket decode(String hex) {
        return new Decoder(Capture.parse(hex)).packet();
    }

    String typeText() {
        return switch (type) {
            case 1 -> "Echo Request";
            case 2 -> "Echo Response";
            case 26 -> "Error Indication";
            case 31 -> "Supported Extension Headers Notification";
            case 254 -> "End Marker";
            case G_PDU -> "G-PDU";
            default -> "message of type " + type;
        };
    }

    int qfi() {
        return container.map(Container::qfi).orElse(0);
    }

    boolean rqi() {
        return container.map(Container::rqi).orElse(false);
    }

    /** Decodes headers from the outermost inwards. */
    private static final class Decoder {
        private final Capture in;
        private final List<String> obstacles = new ArrayList<>();
        private Optional<Container> container = Optional.empty();
        private int dscp;

        Decoder(Capture in) {
            this.in = in;
        }

        GtpPacket packet() {
            in.require(1, "IP header");
            int version = in.at(0, 1) >> 4;
            if (version != 4 && version != 6) {
                throw Capture.broken("an IP packet begins with 4 or 6, not " + version);
            }
            boolean six = version == 6;
            in.require(six ? 40 : 20, "IP header");
            IpAddress source = in.address(six ? 8 : 12, six);
            IpAddress destination = in.address(six ? 24 : 16, six);
            if (six) {
                ipv6();
            } else {
                ipv4();
            }
            udp();
            return gtp(source, destination);
        }

        private void ipv4() {
            int header = 4 * (in.at(0, 1) & 15);
            int total = in.at(2, 2);
            dscp = in.at(1, 1) >> 2;
            if (header < 20 || total < header) {
                throw Capture.broken("the IPv4 header says that it has " + header + " of " + total + " bytes");
            }
            in.require(total, "IPv4 packet");
            in.limit(total);
            if ((in.at(6, 2) & 0x1fff) != 0) {
                throw Capture.broken("it is a later fragment: it has no GTP header, and is carried whole");
            }
            if ((in.at(6, 2) & 0x2000) != 0) {
                obstacles.add("it is the first fragment of a packet");
            }
            if (header > 20) {
                obstacles.add("it has IPv4 options");
            }
            protocol(in.at(9, 1));
            in.skip(header);
        }

        private void ipv6() {
            int payload = in.at(4, 2);
            dscp = in.at(0, 2) >> 6 & 63;
            in.require(40 + payload, "IPv6 packet");
            in.limit(40 + payload);
            protocol(in.at(6, 1));
            in.skip(40);
        }

        private static void protocol(int number) {
            if (number != UDP) {
                throw Capture.broken("it is not UDP but protocol " + number + ": no gateway touches it");
            }
        }

        private void udp() {
            in.require(8, "UDP header");
            if (in.at(2, 2) != PORT) {
                throw Capture.broken(
                        "it is UDP to port " + in.at(2, 2) + ", and GTP-U goes to " + PORT + ": no gateway touches it");
            }
            int length = in.at(4, 2);
            if (length < 8 || length > in.left()) {
                throw Capture.broken("UDP says that it has " + length + " bytes, and there are " + in.left());
            }
            if (length < in.left()) {
                obstacles.add("there are bytes behind what UDP says");
            }
            in.limit(length);
            in.skip(8);
        }

        private GtpPacket gtp(IpAddress source, IpAddress destination) {
            in.require(8, "GTP header");
            int flags = in.at(0, 1);
            int type = in.at(1, 1);
            int teid = in.at(4, 4);
            boolean sequenced = (flags & 3) != 0;
            if (flags >> 5 != 1 || (flags & 16) == 0) {
                obstacles.add((flags & 16) == 0 ? "it is GTP' (TS 32.295)" : "it is GTP of version " + (flags >> 5));
            } else if (in.at(2, 2) != in.left() - 8) {
                obstacles.add(
                        "GTP says that " + in.at(2, 2) + " bytes follow its header, and there are " + (in.left() - 8));
            } else if (type != G_PDU) {
                obstacles.add("it is no G-PDU");
            } else if (teid == 0) {
                obstacles.add("TEID 0 is reserved");
            }
            Optional<Inside> inside = Optional.empty();
            if (obstacles.isEmpty()) {
                in.skip(8);
                extensions(flags);
                inside = inside();
            }
            return new GtpPacket(
                    source, destination, dscp, type, teid, container, sequenced, inside, List.copyOf(obstacles));
        }

        /** The optional word is present if any of the three flags is set (TS 29.281, 5.1). */
        private void extensions(int flags) {
            if ((flags & 7) == 0) {
                return;
            }
            if (in.left() < 4) {
                obstacles.add("the optional word of the GTP header is missing");
                return;
            }
            int next = (flags & 4) == 0 ? 0 : in.at(3, 1);
            in.skip(4);
            while (next != 0) {
                int length = in.left() < 1 ? 0 : 4 * in.at(0, 1);
                if (length == 0 || length > in.left()) {
                    obstacles.add(
                            length == 0
                                    ? "an extension header has length 0, or is missing"
                                    : "an extension header is longer than the packet");
                    return;
                }
                extension(next, length);
                next = in.at(length - 1, 1);
                in.skip(length);
            }
        }

        private void extension(int type, int length) {
            if (type != PDU_SESSION_CONTAINER) {
                obstacles.add(String.format("it has an extension header of type 0x%02x", type));
            } else if (container.isPresent()) {
                obstacles.add("it has two PDU Session Containers");
            } else if (length != 4) {
                obstacles.add("its PDU Session Container has more than one word");
            } else {
                container(in.at(1, 1), in.at(2, 1));
            }
        }

        private void container(int first, int second) {
            int pduType = first >> 4;
            boolean uplink = pduType == 1;
            container = Optional.of(new Container(uplink, second & 63, !uplink && (second & 64) != 0));
            if (pduType > 1) {
                obstacles.add("its PDU Session Container is of type " + pduType);
            } else if ((first & 15) != 0 || (second & (uplink ? 0xc0 : 0x80)) != 0) {
                obstacles.add("its PDU Session Container says more than QFI and RQI");
            }
        }

        private Optional<Inside> inside() {
            if (!obstacles.isEmpty()) {
                return Optional.empty();
            }
            int version = in.left() < 1 ? 0 : in.at(0, 1) >> 4;
            boolean six = version == 6;
            if (version != 4 && !six) {
                obstacles.add("inside is no IP packet");
                return Optional.empty();
            }
            if (in.left() < (six ? 40 : 20)) {
                obstacles.add("the packet inside is shorter than its header");
                return Optional.empty();
            }
            int length = six ? 40 + in.at(4, 2) : in.at(2, 2);
            if (length != in.left()) {
                obstacles.add("the packet inside says that it has " + length + " bytes, and there are " + in.left());
                return Optional.empty();
            }
            return Optional.of(new Inside(in.address(six ? 8 : 12, six), in.address(six ? 24 : 16, six)));
        }
    }
}
