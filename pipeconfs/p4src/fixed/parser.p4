// SPDX-License-Identifier: Apache-2.0
// Steps over extension headers in any order (RFC 8200, 4.1) up to the first SRH that has segments left, and
// cuts that where End will read it, or up to the packet inside. Bytes that cannot be read are payload: such a
// packet is forwarded by its destination address, and dropped only by a SID of this node that needs the
// unread part. Nothing is read behind the end of Payload Length or Total Length.
#ifndef PARSER_P4
#define PARSER_P4

#include "edge_parser.p4"
#include "headers.p4"
#include "metadata.p4"
#include "sera_parser.p4"

parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {

    bit<32> left;      // bytes of the IP packet that are not read yet
    bit<32> header_bytes;
    bit<1> odd_gtp = 0;         // has more extensions than SRv6 can say
    bit<8> gtp_extensions = 0;
    edge_parser() edge;
    WITH_FIREWALL(sera_parser() firewall;)

    state start {
        transition select(meta.firewall_sid.reads, standard_metadata.ingress_port) {
            WITH_FIREWALL((1, _): read_for_firewall;)
            (_, CPU_PORT): parse_packet_out;
            default: parse_ethernet;
        }
    }

    WITH_FIREWALL(
        state read_for_firewall {
            firewall.apply(packet, hdr, meta);
            transition accept;
        }
    )

    state parse_packet_out {
        packet.extract(hdr.packet_out);
        transition accept;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHER_IPV6: parse_ipv6;
            ETHER_IPV4: parse_ipv4;
            default: accept;
        }
    }

    // --- the outermost IPv6 header and its extension headers

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        left = (bit<32>) hdr.ipv6.payload_len;
        meta.protocol = hdr.ipv6.next_hdr;
        meta.flow_protocol = hdr.ipv6.next_hdr;
        meta.flow_src = hdr.ipv6.src_addr;
        meta.flow_dst = hdr.ipv6.dst_addr;
        meta.flow_label = hdr.ipv6.flow_label;
        transition select(hdr.ipv6.next_hdr) {
            PROTO_HOP_BY_HOP: expect_extension; // here, and nowhere else (RFC 8200, 4.1)
            PROTO_ROUTING: expect_ended_srh;
            default: expect_header;
        }
    }

    state expect_header {
        transition select(meta.protocol) {
            PROTO_DESTINATION_OPTIONS: expect_extension;
            PROTO_ROUTING: expect_routing;
            PROTO_FRAGMENT: expect_fragment;
            default: parse_payload_of_ipv6;
        }
    }

    state expect_extension {
        bit<16> head = packet.lookahead<bit<16>>();
        meta.stepped_over = 1;
        header_bytes = ((bit<32>) head[7:0] << 3) + 8;
        transition step_over;
    }

    // A fragment is not decapsulated: there is no reassembly here. One that is whole is none (RFC 6946).
    state expect_fragment {
        bit<32> head = packet.lookahead<bit<32>>();
        header_bytes = 8;
        meta.flow_protocol = head[31:24];
        meta.stepped_over = 1;
        transition select(head[15:3], head[0:0], head[31:24], left >= 8) {
            (0, 0, _, _): step_over;
            (0, 1, PROTO_UDP, true): parse_first_fragment;
            (_, _, PROTO_UDP, _): accept_later_fragment;
            default: read_for_edge;
        }
    }

    // It may be GTP-U of a session, which travels with the others.
    state parse_first_fragment {
        meta.chain_read = 1;
        packet.extract(hdr.before.next, 48);
        left = left - 8;
        transition expect_gtp_of_fragment;
    }

    state accept_later_fragment {
        meta.chain_read = 1;
        meta.gtp.later_fragment = 1;
        transition accept;
    }

    state step_over {
        transition select(header_bytes <= left) {
            true: parse_extension;
            default: accept;
        }
    }

    state parse_extension {
        packet.extract(hdr.before.next, (header_bytes << 3) - 16);
        left = left - header_bytes;
        meta.protocol = hdr.before.last.next_hdr;
        transition expect_header;
    }

    // A routing header without segments left is stepped over, whatever its type is, and whatever else it
    // says (RFC 8200, 4.4; RFC 8986, 4.1, S02). With some left it must be an SRH (RFC 8754, 2).
    state expect_routing {
        bit<32> head = packet.lookahead<bit<32>>();
        header_bytes = ((bit<32>) head[23:16] << 3) + 8;
        transition select(head[15:8], head[7:0]) {
            (ROUTING_TYPE_SRH, 0): expect_another_ended_srh;
            (_, 0): step_over_odd_routing;
            (ROUTING_TYPE_SRH, _): expect_srh;
            default: read_for_edge;
        }
    }

    state expect_another_ended_srh {
        meta.srh_found = 1;
        bit<40> head = packet.lookahead<bit<40>>();
        bit<9> listed = (bit<9>) head[7:0] + 1;
        transition select(head[7:0] < MAX_SEGMENTS && (listed << 1) <= (bit<9>) head[31:24]) {
            true: step_over;
            default: step_over_odd_routing;
        }
    }

    state step_over_odd_routing {
        meta.stepped_over = 1;
        meta.odd_routing = 1;
        transition step_over;
    }

    // Hdr Ext Len counts 8 octets: the list must fit, and Segments Left may be one above Last
    // Entry in a reduced SRH (RFC 8754, 2 and 4.1.1).
    state expect_srh {
        meta.srh_found = 1;
        bit<40> head = packet.lookahead<bit<40>>();
        bit<9> listed = (bit<9>) head[7:0] + 1;
        bool fits = head[7:0] < MAX_SEGMENTS && (listed << 1) <= (bit<9>) head[31:24];
        bool inside = (bit<9>) head[15:8] <= listed;
        transition select(fits && inside && header_bytes <= left) {
            true: parse_srh;
            default: accept;
        }
    }

    state parse_srh {
        packet.extract(hdr.srh);
        packet.extract(hdr.later_segments, ((bit<32>) hdr.srh.segments_left - 1) << 7);
        packet.extract(hdr.next_segment);
        packet.extract(hdr.srh_rest, (bit<32>) (hdr.srh.hdr_ext_len - (hdr.srh.segments_left << 1)) << 6);
        left = left - header_bytes;
        meta.protocol = hdr.srh.next_hdr;
        transition parse_payload_of_ipv6;
    }

    // --- an SRH behind the IPv6 header that has ended: its first TLV may be that of Live-Live

    state expect_ended_srh {
        bit<40> head = packet.lookahead<bit<40>>();
        bit<9> listed = (bit<9>) head[7:0] + 1;
        bool fits = head[7:0] < MAX_SEGMENTS && (listed << 1) <= (bit<9>) head[31:24];
        header_bytes = ((bit<32>) head[31:24] << 3) + 8;
        transition select(fits && header_bytes <= left, head[23:16], head[15:8]) {
            (true, ROUTING_TYPE_SRH, 0): parse_ended_srh;
            default: expect_header;
        }
    }

    state parse_ended_srh {
        meta.srh_found = 1;
        packet.extract(hdr.ended_srh);
        packet.extract(hdr.ended_segments, ((bit<32>) hdr.ended_srh.last_entry + 1) << 7);
        left = left - header_bytes;
        meta.protocol = hdr.ended_srh.next_hdr;
        transition select(hdr.ended_srh.hdr_ext_len - (hdr.ended_srh.last_entry + 1 << 1)) {
            0: expect_header;
            1: parse_ended_tlvs;
            default: expect_live_live;
        }
    }

    // Only the first TLV is read: it is where a Live-Live ingress puts its own.
    state expect_live_live {
        transition select(packet.lookahead<bit<16>>()) {
            LIVE_LIVE_HEAD: parse_live_live;
            default: parse_ended_tlvs;
        }
    }

    state parse_live_live {
        bit<8> tlv_words = hdr.ended_srh.hdr_ext_len - (hdr.ended_srh.last_entry + 1 << 1);
        packet.extract(hdr.live_live);
        packet.extract(hdr.ended_rest, (bit<32>) (tlv_words - 2) << 6);
        transition expect_header;
    }

    state parse_ended_tlvs {
        bit<8> tlv_words = hdr.ended_srh.hdr_ext_len - (hdr.ended_srh.last_entry + 1 << 1);
        packet.extract(hdr.ended_rest, (bit<32>) tlv_words << 6);
        transition expect_header;
    }

    // --- the inner packet: for its flow, and to know that it is there

    state parse_payload_of_ipv6 {
        meta.chain_read = 1;
        meta.payload_bytes = left;
        meta.flow_protocol = meta.protocol;
        transition select(meta.protocol, left >= IPV6_HEADER_BYTES, left >= IPV4_HEADER_BYTES, left >= 2) {
            (PROTO_IPV6, true, _, _): parse_inner_ipv6;
            (PROTO_IPV4, _, true, _): parse_inner_ipv4;
            (PROTO_ICMPV6, _, _, true): parse_icmpv6;
            (PROTO_HOP_BY_HOP, _, _, _): read_for_edge;
            (PROTO_AUTHENTICATION, _, _, _): read_for_edge;
            (PROTO_DESTINATION_OPTIONS, _, _, _): read_for_edge; // behind an SRH that is not read over
            (PROTO_ROUTING, _, _, _): read_for_edge;
            (PROTO_FRAGMENT, _, _, _): read_for_edge;
            default: expect_gtp;
        }
    }

    // No SID reads on here, but the edge asks.
    state read_for_edge {
        edge.apply(packet, hdr.behind, meta, left);
        transition accept;
    }

    // ICMPv6 behind an SRH is no message of this link (RFC 4861): it is not punted as one.
    state parse_icmpv6 {
        packet.extract(hdr.icmpv6);
        transition select(meta.srh_found) {
            0: read_icmpv6;
            default: accept;
        }
    }

    state read_icmpv6 {
        meta.icmpv6_type = hdr.icmpv6.type;
        transition accept;
    }

    state parse_inner_ipv6 {
        packet.extract(hdr.inner_ipv6);
        left = left - IPV6_HEADER_BYTES;
        meta.flow_protocol = hdr.inner_ipv6.next_hdr;
        meta.flow_src = hdr.inner_ipv6.src_addr;
        meta.flow_dst = hdr.inner_ipv6.dst_addr;
        transition expect_l4;
    }

    state parse_inner_ipv4 {
        packet.extract(hdr.inner_ipv4);
        left = left - ((bit<32>) hdr.inner_ipv4.ihl << 2);
        meta.flow_protocol = hdr.inner_ipv4.protocol;
        meta.flow_src = (ipv6_t_addr) hdr.inner_ipv4.src_addr;
        meta.flow_dst = (ipv6_t_addr) hdr.inner_ipv4.dst_addr;
        transition select(hdr.inner_ipv4.ihl) {
            0 .. 4: accept;
            5: parse_l4_of_inner_ipv4;
            default: parse_inner_ipv4_options;
        }
    }

    state parse_inner_ipv4_options {
        packet.extract(hdr.inner_ipv4_options, ((bit<32>) hdr.inner_ipv4.ihl - 5) << 5);
        transition parse_l4_of_inner_ipv4;
    }

    state parse_l4_of_inner_ipv4 {
        transition select(hdr.inner_ipv4.frag_offset, hdr.inner_ipv4.flags) {
            (0, 0 &&& IPV4_MORE_FRAGMENTS): expect_l4;
            default: accept;
        }
    }

    // --- IPv4 outside

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        left = (bit<32>) hdr.ipv4.total_len - ((bit<32>) hdr.ipv4.ihl << 2);
        meta.protocol = hdr.ipv4.protocol;
        meta.flow_protocol = hdr.ipv4.protocol;
        meta.flow_src = (ipv6_t_addr) hdr.ipv4.src_addr;
        meta.flow_dst = (ipv6_t_addr) hdr.ipv4.dst_addr;
        transition select(hdr.ipv4.ihl) {
            0 .. 4: accept;
            5: parse_l4_of_ipv4;
            default: parse_ipv4_options;
        }
    }

    state parse_ipv4_options {
        packet.extract(hdr.ipv4_options, ((bit<32>) hdr.ipv4.ihl - 5) << 5);
        transition parse_l4_of_ipv4;
    }

    state parse_l4_of_ipv4 {
        bool sane = left >= 4 && left <= MAX_IP_BYTES;
        transition select(hdr.ipv4.frag_offset, hdr.ipv4.flags, hdr.ipv4.protocol, sane) {
            (0, 0 &&& IPV4_MORE_FRAGMENTS, _, _): expect_gtp;
            (0, _, PROTO_UDP, true): expect_gtp_of_fragment;
            (_, _, PROTO_UDP, _): accept_later_fragment;
            default: accept;
        }
    }

    // --- GTP-U in the outermost packet (TS 29.281, 5.1 and 5.2): up to one PDU Session Container of one word
    // (TS 38.415, 5.5.2) that says QFI and RQI and nothing else, and a whole IP packet behind it. Other
    // extensions are stepped over for the edge, which asks for the inside.

    state expect_gtp {
        transition select(meta.flow_protocol, left >= UDP_BYTES && left <= MAX_IP_BYTES) {
            (PROTO_UDP, true): expect_gtp_port;
            default: expect_l4;
        }
    }

    state expect_gtp_port {
        bit<32> ports = packet.lookahead<bit<32>>();
        transition select(ports[15:0]) {
            GTP_PORT: read_ports_of_gtp;
            default: expect_l4;
        }
    }

    state read_ports_of_gtp {
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.src_port = ports[31:16];
        meta.dst_port = ports[15:0];
        transition parse_gtp_udp;
    }

    state expect_gtp_of_fragment {
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.gtp.in_a_fragment = 1;
        transition select(ports[15:0], left >= UDP_BYTES) {
            (GTP_PORT, true): parse_gtp_udp;
            default: accept;
        }
    }

    state parse_gtp_udp {
        packet.extract(hdr.gtp_udp);
        left = left - UDP_BYTES;
        transition select(left >= GTP_BYTES) {
            true: parse_gtp;
            default: accept;
        }
    }

    state parse_gtp {
        packet.extract(hdr.gtp);
        left = left - GTP_BYTES;
        transition select(hdr.gtp.version, hdr.gtp.gtp) {
            (GTP_VERSION, 1): read_gtp;
            default: accept;
        }
    }

    state read_gtp {
        meta.gtp.teid = hdr.gtp.teid;
        meta.gtp.sequenced = hdr.gtp.has_sequence | hdr.gtp.has_npdu;
        bool whole = (bit<32>) hdr.gtp_udp.length == left + UDP_BYTES + GTP_BYTES
            && (bit<32>) hdr.gtp.length == left;
        bool g_pdu = hdr.gtp.type == GTP_G_PDU && hdr.gtp.teid != 0;
        transition select(whole && g_pdu, hdr.gtp.has_extension, meta.gtp.sequenced, left >= GTP_WORD_BYTES) {
            (true, 0, 0, _): expect_t_pdu;
            (true, _, _, true): parse_gtp_optional;
            default: accept;
        }
    }

    state parse_gtp_optional {
        packet.extract(hdr.gtp_optional);
        left = left - GTP_WORD_BYTES;
        transition select(hdr.gtp.has_extension, hdr.gtp_optional.next_extension, left >= GTP_WORD_BYTES) {
            (0, _, _): expect_t_pdu;
            (1, 0, _): expect_t_pdu;
            (1, GTP_PDU_SESSION_CONTAINER, true): expect_gtp_container;
            (1, _, true): expect_gtp_extension;
            default: accept;
        }
    }

    state expect_gtp_container {
        transition select(packet.lookahead<bit<8>>()) {
            1: parse_gtp_container;
            default: expect_gtp_extension;
        }
    }

    state parse_gtp_container {
        packet.extract(hdr.gtp_container);
        left = left - GTP_WORD_BYTES;
        transition select(hdr.gtp_container.next_extension, hdr.gtp_container.pdu_type) {
            (0, PDU_TYPE_DOWNLINK): read_downlink;
            (0, PDU_TYPE_UPLINK): read_uplink;
            default: expect_more_of_gtp;
        }
    }

    state read_downlink {
        meta.gtp.qfi = hdr.gtp_container.qfi;
        meta.gtp.rqi = hdr.gtp_container.rqi;
        transition select(hdr.gtp_container.more, hdr.gtp_container.paging) {
            (0, 0): expect_t_pdu;
            default: expect_more_of_gtp;
        }
    }

    state read_uplink {
        meta.gtp.qfi = hdr.gtp_container.qfi;
        transition select(hdr.gtp_container.more, hdr.gtp_container.paging, hdr.gtp_container.rqi) {
            (0, 0, 0): expect_t_pdu;
            default: expect_more_of_gtp;
        }
    }

    state expect_more_of_gtp {
        odd_gtp = 1;
        transition select(hdr.gtp_container.next_extension, left >= GTP_WORD_BYTES) {
            (0, _): expect_t_pdu;
            (_, true): expect_gtp_extension;
            default: accept;
        }
    }

    // TS 29.281, 5.2.1: the first byte counts words, the last one is the next type.
    state expect_gtp_extension {
        odd_gtp = 1;
        header_bytes = (bit<32>) packet.lookahead<bit<8>>() << 2;
        gtp_extensions = gtp_extensions + 1;
        bool fits = header_bytes != 0 && header_bytes <= left;
        transition select(fits && gtp_extensions <= MAX_GTP_EXTENSIONS) {
            true: parse_gtp_extension;
            default: accept;
        }
    }

    state parse_gtp_extension {
        packet.extract(hdr.gtp_extensions.next, (header_bytes << 3) - 8);
        left = left - header_bytes;
        transition select(hdr.gtp_extensions.last.next_extension, left >= GTP_WORD_BYTES) {
            (0, _): expect_t_pdu;
            (_, true): expect_gtp_extension;
            default: accept;
        }
    }

    state expect_t_pdu {
        meta.gtp.bytes = left;
        transition select(left >= IPV4_HEADER_BYTES) {
            true: expect_version_of_t_pdu;
            default: accept_other_t_pdu;
        }
    }

    state expect_version_of_t_pdu {
        transition select(packet.lookahead<bit<4>>(), left >= IPV6_HEADER_BYTES) {
            (4, _): expect_ipv4_in_gtp;
            (6, true): expect_ipv6_in_gtp;
            default: accept_other_t_pdu;
        }
    }

    // No IP packet (TS 23.501, 5.6.10.2 and 5.6.10.3).
    state accept_other_t_pdu {
        meta.gtp.readable = 1;
        transition accept;
    }

    // Its length is all that GTP's leaves.
    state expect_ipv4_in_gtp {
        ipv4_t ip = packet.lookahead<ipv4_t>();
        meta.gtp.readable = 1;
        meta.gtp.protocol = PROTO_IPV4;
        meta.gtp.inner_protocol = ip.protocol;
        bool whole = ip.ihl >= 5 && (bit<32>) ip.total_len == left && (bit<32>) ip.ihl << 2 <= left;
        bool is_piece = ip.frag_offset != 0 || ip.flags & IPV4_MORE_FRAGMENTS != 0;
        bool has_ports = ip.ihl == 5 && !is_piece && left >= IPV4_HEADER_BYTES + 4;
        meta.gtp.inner_src = IPV4_MAPPED ++ ip.src_addr;
        meta.gtp.inner_dst = IPV4_MAPPED ++ ip.dst_addr;
        transition select(whole, has_ports, ip.protocol) {
            (true, true, PROTO_TCP): read_ports_of_ipv4_in_gtp;
            (true, true, PROTO_UDP): read_ports_of_ipv4_in_gtp;
            (true, _, _): accept_translatable;
            default: accept;
        }
    }

    state read_ports_of_ipv4_in_gtp {
        bit<192> head = packet.lookahead<bit<192>>();
        meta.gtp.inner_src_port = head[31:16];
        meta.gtp.inner_dst_port = head[15:0];
        transition accept_translatable;
    }

    state expect_ipv6_in_gtp {
        ipv6_t ip = packet.lookahead<ipv6_t>();
        meta.gtp.readable = 1;
        meta.gtp.protocol = PROTO_IPV6;
        meta.gtp.inner_protocol = ip.next_hdr;
        bool whole = (bit<32>) ip.payload_len + IPV6_HEADER_BYTES == left;
        bool has_ports = left >= IPV6_HEADER_BYTES + 4;
        meta.gtp.inner_src = ip.src_addr;
        meta.gtp.inner_dst = ip.dst_addr;
        transition select(whole, has_ports, ip.next_hdr) {
            (true, true, PROTO_TCP): read_ports_of_ipv6_in_gtp;
            (true, true, PROTO_UDP): read_ports_of_ipv6_in_gtp;
            (true, _, _): accept_translatable;
            default: accept;
        }
    }

    state read_ports_of_ipv6_in_gtp {
        bit<352> head = packet.lookahead<bit<352>>();
        meta.gtp.inner_src_port = head[31:16];
        meta.gtp.inner_dst_port = head[15:0];
        transition accept_translatable;
    }

    state accept_translatable {
        meta.gtp.translatable = ~odd_gtp;
        transition accept;
    }

    // An IPv4 header that says it is longer than its packet leaves less than nothing.
    state expect_l4 {
        transition select(meta.flow_protocol, left >= 4 && left <= MAX_IP_BYTES) {
            (PROTO_TCP, true): parse_l4;
            (PROTO_UDP, true): parse_l4;
            default: accept;
        }
    }

    state parse_l4 {
        packet.extract(hdr.l4);
        meta.src_port = hdr.l4.src_port;
        meta.dst_port = hdr.l4.dst_port;
        transition accept;
    }
}

#endif
