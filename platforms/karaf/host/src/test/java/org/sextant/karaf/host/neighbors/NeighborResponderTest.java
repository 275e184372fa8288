// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.neighbors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

/** The bytes of frames are written out; they were made by another implementation (scapy). */
@DisplayNameGeneration(ReplaceUnderscores.class)
class NeighborResponderTest {
    /** fd00:0:11::2 at 02:00:00:00:00:0b asks for fd00:0:11::1. */
    private static final String SOLICITATION = "3333ff000001" + "02000000000b" + "86dd"
            + "60000000" + "0020" + "3a" + "ff" + "fd000000001100000000000000000002"
            + "ff0200000000000000000001ff000001"
            + "8700" + "7d6c" + "00000000" + "fd000000001100000000000000000001" + "0101" + "02000000000b";

    private static final String ADVERTISEMENT = "02000000000b" + "025034010002" + "86dd"
            + "60000000" + "0020" + "3a" + "ff" + "fd000000001100000000000000000001"
            + "fd000000001100000000000000000002"
            + "8800" + "6816" + "e0000000" + "fd000000001100000000000000000001" + "0201" + "025034010002";

    /** The same station wants fd00:0:11::1 for itself (duplicate address detection). */
    private static final String CLAIM = "3333ff000001" + "02000000000b" + "86dd"
            + "60000000" + "0018" + "3a" + "ff" + "00000000000000000000000000000000"
            + "ff0200000000000000000001ff000001"
            + "8700" + "7d94" + "00000000" + "fd000000001100000000000000000001";

    private static final String OBJECTION = "333300000001" + "025034010002" + "86dd"
            + "60000000" + "0020" + "3a" + "ff" + "fd000000001100000000000000000001"
            + "ff020000000000000000000000000001"
            + "8800" + "a626" + "a0000000" + "fd000000001100000000000000000001" + "0201" + "025034010002";

    private static final String ARP_REQUEST = "ffffffffffff" + "02000000000b" + "0806" + "000108000604" + "0001"
            + "02000000000b" + "0a000b02" + "000000000000" + "0a000b01";
    private static final String ARP_REPLY = "02000000000b" + "025034010002" + "0806" + "000108000604" + "0002"
            + "025034010002" + "0a000b01" + "02000000000b" + "0a000b02" + "00".repeat(18);

    private final Network network = new Network(
            List.of(node(
                    "l1", port(2, "fd00:0:11::1", 64, "10.0.11.1", 24), port(3, "fd00:0:12::1", 64, "10.0.12.1", 24))),
            List.of(),
            List.of());
    private final List<String> sent = new ArrayList<>();
    private final NeighborResponder responder = new NeighborResponder(
            () -> network,
            (node, port, frame) ->
                    sent.add(node + "/" + port + " " + HexFormat.of().formatHex(frame)));

    @Test
    void a_solicitation_is_answered_at_its_port() {
        ask(SOLICITATION);
        assertThat(sent).containsExactly("l1/2 " + ADVERTISEMENT);
    }

    @Test
    void who_wants_the_address_for_itself_is_told_with_everybody_else() {
        ask(CLAIM);
        assertThat(sent).containsExactly("l1/2 " + OBJECTION);
    }

    @Test
    void an_arp_request_is_answered() {
        ask(ARP_REQUEST);
        assertThat(sent).containsExactly("l1/2 " + ARP_REPLY);
    }

    @Test
    void a_padded_arp_request_is_answered_too() {
        ask(ARP_REQUEST + "00".repeat(18));
        assertThat(sent).containsExactly("l1/2 " + ARP_REPLY);
    }

    @Test
    void nobody_answers_for_what_is_not_the_ports() {
        responder.received("l1", 3, bytes(SOLICITATION));
        responder.received("l1", 3, bytes(ARP_REQUEST));
        responder.received("l1", 9, bytes(SOLICITATION));
        responder.received("nobody", 2, bytes(SOLICITATION));
        ask(ARP_REQUEST.replace("0a000b01", "0a000b63"));
        assertThat(sent).isEmpty();
    }

    @Test
    void a_solicitation_with_any_bit_of_its_packet_changed_is_not_answered() {
        byte[] frame = bytes(SOLICITATION);
        // Traffic class and flow label are free; everything else is checked or covered by the checksum.
        for (int bit = 18 * 8; bit < frame.length * 8; bit++) {
            byte[] changed = frame.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            responder.received("l1", 2, changed);
            assertThat(sent).as("bit " + bit).isEmpty();
        }
    }

    @Test
    void torn_frames_are_passed_over() {
        for (String whole : List.of(SOLICITATION, CLAIM, ARP_REQUEST)) {
            byte[] frame = bytes(whole);
            for (int length = 0; length < frame.length; length++) {
                responder.received("l1", 2, Arrays.copyOf(frame, length));
                assertThat(sent).as("%s cut to %d bytes", whole, length).isEmpty();
            }
        }
    }

    @Test
    void questions_from_a_group_or_from_the_node_itself_are_passed_over() {
        ask(SOLICITATION.replaceFirst("02000000000b", "03000000000b"));
        ask(ARP_REQUEST.replace("02000000000b", "025034010002"));
        ask(ARP_REQUEST.replaceFirst("02000000000b", "02000000000c"));
        ask(ARP_REPLY);
        ask(ADVERTISEMENT);
        assertThat(sent).isEmpty();
    }

    private void ask(String hex) {
        responder.received("l1", 2, bytes(hex));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Port port(int number, String v6, int v6Length, String v4, int v4Length) {
        return new Port(
                number,
                Optional.empty(),
                Optional.of(new MacAddress(0x0250_3401_0000L + number)),
                0,
                true,
                List.of(
                        new Port.InterfaceAddress(IpAddress.parse(v6), v6Length),
                        new Port.InterfaceAddress(IpAddress.parse(v4), v4Length)));
    }

    private static Node node(String name, Port... ports) {
        Map<Integer, Port> byNumber = new TreeMap<>();
        for (Port port : ports) {
            byNumber.put(port.number(), port);
        }
        return new Node(name, "device:" + name, "", "", Optional.empty(), new TreeMap<>(byNumber), Optional.empty());
    }
}
