// SPDX-License-Identifier: Apache-2.0
// Fields of a packet for firewalls (sera.p4), in a pass of its own: past all extension headers, the packet
// inside, and its first bytes behind its own ones. A packet that cannot be read is not judged: `whole` is 0.
//
//   ipv6 | ahead[…] | srh | later_segments  | skipped_segment | next_segment | srh_rest | behind[…]
//                           [0 … SL - 3]      [SL - 2]          [SL - 1]
//
// Nothing is read behind the end of Payload Length, nor behind that of the packet inside.
#ifndef SERA_PARSER_P4
#define SERA_PARSER_P4

#include "headers.p4"
#include "metadata.p4"
#include "sizes.p4"

// Bits of `has`: a field that a packet lacks has no value that a range, or its negation, could match.
const bit<5> HAS_PORTS = 1;         // of TCP, UDP, UDP-Lite, SCTP, DCCP; no later fragment
const bit<5> HAS_ICMP = 2;          // type and code of ICMP or ICMPv6; no later fragment
const bit<5> HAS_SRH = 4;
const bit<5> HAS_PREVIOUS_SID = 8;
const bit<5> HAS_NEXT_SID = 16;

// The offset in a fragmented packet, in 8 bytes, at which the flags of TCP are.
const bit<13> SECOND_BLOCK = 1;

const bit<4> INSIDE_IPV6 = 6;
const bit<4> INSIDE_IPV4 = 4;

@noWarn("unused")
parser sera_parser(packet_in packet, out headers_t hdr, inout metadata_t meta) {

    bit<32> left;          // bytes of the packet, or of the one inside, that are not read yet
    bit<32> header_bytes;
    bit<8> headers = 0;    // extension headers so far, outside or inside
    bool inside = false;

    state start {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv6);
        left = (bit<32>) hdr.ipv6.payload_len;
        meta.firewall.ip_version = INSIDE_IPV6;
        meta.firewall.protocol = hdr.ipv6.next_hdr;
        meta.firewall.src = hdr.ipv6.src_addr;
        meta.firewall.dst = hdr.ipv6.dst_addr;
        meta.firewall.outer_src = hdr.ipv6.src_addr;
        meta.firewall.last_sid = hdr.ipv6.dst_addr;
        transition expect_header;
    }

    state expect_header {
        transition select(inside, meta.firewall.protocol) {
            (_, PROTO_HOP_BY_HOP): expect_extension;
            (_, PROTO_DESTINATION_OPTIONS): expect_extension;
            (_, PROTO_AUTHENTICATION): expect_authentication;
            (_, PROTO_FRAGMENT): expect_fragment;
            (true, PROTO_ROUTING): expect_extension;
            (false, PROTO_ROUTING): expect_routing;
            (false, PROTO_IPV6): expect_inner_ipv6;
            (false, PROTO_IPV4): expect_inner_ipv4;
            default: expect_upper_layer;
        }
    }

    // RFC 8200, 4.2: in units of 8 bytes, not counting the first.
    state expect_extension {
        bit<16> head = packet.lookahead<bit<16>>();
        header_bytes = ((bit<32>) head[7:0] << 3) + 8;
        meta.firewall.protocol = head[15:8];
        transition step_over;
    }

    // RFC 4302, 2.2: in units of 4 bytes, less 2.
    state expect_authentication {
        bit<16> head = packet.lookahead<bit<16>>();
        header_bytes = ((bit<32>) head[7:0] << 2) + 8;
        meta.firewall.protocol = head[15:8];
        transition step_over;
    }

    // There is no reassembly here. A piece of the packet outside says too little to be judged; of one inside
    // the first piece says enough, and the others the kind of their packet. One that would write over the
    // flags of TCP is not judged (RFC 3128, 2.1).
    state expect_fragment {
        bit<32> head = packet.lookahead<bit<32>>();
        header_bytes = 8;
        meta.firewall.protocol = head[31:24];
        bool overwrites = head[31:24] == PROTO_TCP && head[15:3] == SECOND_BLOCK;
        bool readable = left >= 8 && headers < MAX_FIREWALL_EXTENSIONS && !overwrites;
        transition select(inside, head[15:3], head[0:0], readable) {
            (_, 0, 0, _): step_over;
            (true, 0, _, _): step_over;
            (true, _, _, true): accept_whole;
            default: accept;
        }
    }

    // RFC 8200, 4.4: a routing header that is no SRH is stepped over if it has ended, and else not for this
    // node to understand. The first SRH is that of the packet, wherever it stands; others are stepped over.
    state expect_routing {
        bit<40> head = packet.lookahead<bit<40>>();
        bit<9> listed = (bit<9>) head[7:0] + 1;
        bool fits = head[7:0] < MAX_SEGMENTS && (listed << 1) <= (bit<9>) head[31:24]
            && (bit<9>) head[15:8] <= listed;
        header_bytes = ((bit<32>) head[31:24] << 3) + 8;
        bool whole = fits && header_bytes <= left && headers < MAX_FIREWALL_EXTENSIONS;
        bool first = (meta.firewall.has & HAS_SRH) == 0;
        transition select(head[23:16], head[15:8], first, whole) {
            (ROUTING_TYPE_SRH, _, true, true): parse_srh;
            (ROUTING_TYPE_SRH, _, true, false): accept;
            (ROUTING_TYPE_SRH, _, false, _): expect_extension;
            (_, 0, _, _): expect_extension;
            default: accept;
        }
    }

    state step_over {
        headers = headers + 1;
        bool readable = header_bytes <= left && headers <= MAX_FIREWALL_EXTENSIONS;
        transition select(readable, inside, meta.firewall.has & HAS_SRH) {
            (true, false, 0): parse_ahead;
            (true, _, _): parse_behind;
            default: accept;
        }
    }

    state parse_ahead {
        packet.extract(hdr.ahead.next, header_bytes << 3);
        left = left - header_bytes;
        transition expect_header;
    }

    state parse_behind {
        packet.extract(hdr.behind.next, header_bytes << 3);
        left = left - header_bytes;
        transition expect_header;
    }

    // --- the SRH, cut where verdicts read it

    state parse_srh {
        packet.extract(hdr.srh);
        left = left - header_bytes;
        headers = headers + 1;
        meta.firewall.has = meta.firewall.has | HAS_SRH;
        meta.firewall.protocol = hdr.srh.next_hdr;
        meta.firewall.srh_next_hdr = hdr.srh.next_hdr;
        meta.firewall.srh_hdr_len = hdr.srh.hdr_ext_len;
        meta.firewall.segments_left = hdr.srh.segments_left;
        meta.firewall.last_entry = hdr.srh.last_entry;
        meta.firewall.srh_flags = hdr.srh.flags;
        meta.firewall.srh_tag = hdr.srh.tag;
        meta.firewall.last_sid = packet.lookahead<ipv6_t_addr>();
        transition select(hdr.srh.segments_left) {
            0: expect_previous_segment;
            1: parse_next_segment;
            default: parse_later_segments;
        }
    }

    state parse_later_segments {
        packet.extract(hdr.later_segments, ((bit<32>) hdr.srh.segments_left - 2) << 7);
        packet.extract(hdr.skipped_segment);
        transition parse_next_segment;
    }

    // Where segments are left, the destination of a packet that ends with its list is the last of them.
    state parse_next_segment {
        packet.extract(hdr.next_segment);
        meta.firewall.dst = meta.firewall.last_sid;
        transition expect_previous_segment;
    }

    state expect_previous_segment {
        transition select(hdr.srh.segments_left < hdr.srh.last_entry) {
            true: read_previous_segment;
            default: parse_srh_rest;
        }
    }

    state read_previous_segment {
        bit<256> segments = packet.lookahead<bit<256>>();
        meta.firewall.previous_sid = segments[127:0];
        meta.firewall.has = meta.firewall.has | HAS_PREVIOUS_SID;
        transition parse_srh_rest;
    }

    state parse_srh_rest {
        packet.extract(hdr.srh_rest, (bit<32>) (hdr.srh.hdr_ext_len - (hdr.srh.segments_left << 1)) << 6);
        transition expect_header;
    }

    // --- the packet inside

    state expect_inner_ipv6 {
        transition select(left >= IPV6_HEADER_BYTES) {
            true: read_inner_ipv6;
            default: accept;
        }
    }

    state read_inner_ipv6 {
        ipv6_t ip = packet.lookahead<ipv6_t>();
        meta.firewall.src = ip.src_addr;
        meta.firewall.dst = ip.dst_addr;
        meta.firewall.protocol = ip.next_hdr;
        bool whole = ip.version == 6 && (bit<32>) ip.payload_len + IPV6_HEADER_BYTES <= left;
        left = (bit<32>) ip.payload_len;
        inside = true;
        headers = 0;
        transition select(whole) {
            true: parse_inner_ipv6;
            default: accept;
        }
    }

    state parse_inner_ipv6 {
        packet.extract(hdr.behind.next, IPV6_HEADER_BYTES << 3);
        transition expect_header;
    }

    state expect_inner_ipv4 {
        transition select(left >= IPV4_HEADER_BYTES) {
            true: read_inner_ipv4;
            default: accept;
        }
    }

    state read_inner_ipv4 {
        ipv4_t ip = packet.lookahead<ipv4_t>();
        meta.firewall.ip_version = INSIDE_IPV4;
        meta.firewall.src = IPV4_MAPPED ++ ip.src_addr;
        meta.firewall.dst = IPV4_MAPPED ++ ip.dst_addr;
        meta.firewall.protocol = ip.protocol;
        header_bytes = (bit<32>) ip.ihl << 2;
        bit<32> bytes = (bit<32>) ip.total_len;
        bool overwrites = ip.protocol == PROTO_TCP && ip.frag_offset == SECOND_BLOCK;
        bool whole = ip.version == 4 && ip.ihl >= 5 && bytes >= header_bytes && bytes <= left && !overwrites;
        left = bytes - header_bytes;
        transition select(whole, ip.frag_offset) {
            (true, 0): parse_inner_ipv4;
            (true, _): accept_whole;
            default: accept;
        }
    }

    state parse_inner_ipv4 {
        packet.extract(hdr.behind.next, header_bytes << 3);
        transition expect_upper_layer;
    }

    // RFC 1858, 3; RFC 7112, 5: a packet that ends before the fields of rules ends unread.
    state expect_upper_layer {
        transition select(meta.firewall.protocol, left >= TCP_BYTES_TO_FLAGS, left >= 4, left >= 2) {
            (PROTO_TCP, true, _, _): read_tcp;
            (PROTO_UDP, _, true, _): read_ports;
            (PROTO_UDP_LITE, _, true, _): read_ports;
            (PROTO_SCTP, _, true, _): read_ports;
            (PROTO_DCCP, _, true, _): read_ports;
            (PROTO_ICMP, _, _, true): read_icmp;
            (PROTO_ICMPV6, _, _, true): read_icmp;
            (PROTO_TCP, _, _, _): accept;
            (PROTO_UDP, _, _, _): accept;
            (PROTO_UDP_LITE, _, _, _): accept;
            (PROTO_SCTP, _, _, _): accept;
            (PROTO_DCCP, _, _, _): accept;
            (PROTO_ICMP, _, _, _): accept;
            (PROTO_ICMPV6, _, _, _): accept;
            default: accept_whole;
        }
    }

    state read_tcp {
        bit<112> head = packet.lookahead<bit<112>>();
        meta.firewall.tcp_flags = head[7:0];
        transition read_ports;
    }

    state read_ports {
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.firewall.src_port = ports[31:16];
        meta.firewall.dst_port = ports[15:0];
        meta.firewall.has = meta.firewall.has | HAS_PORTS;
        transition accept_whole;
    }

    state read_icmp {
        bit<16> head = packet.lookahead<bit<16>>();
        meta.firewall.icmp_type = head[15:8];
        meta.firewall.icmp_code = head[7:0];
        meta.firewall.has = meta.firewall.has | HAS_ICMP;
        transition accept_whole;
    }

    state accept_whole {
        meta.firewall.whole = 1;
        transition accept;
    }
}

#endif
