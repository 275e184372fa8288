// SPDX-License-Identifier: Apache-2.0
// Reads the extension headers in the order of RFC 8200, 4.1, and cuts the SRH where End will read
// it. What cannot be read is payload: such a packet is forwarded by its destination address, and
// dropped only by a SID of this node that needs what could not be read.
#ifndef PARSER_P4
#define PARSER_P4

#include "headers.p4"
#include "metadata.p4"

parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {

    state start {
        transition select(standard_metadata.ingress_port) {
            CPU_PORT: parse_packet_out;
            default: parse_ethernet;
        }
    }

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
        meta.protocol = hdr.ipv6.next_hdr;
        meta.flow_src = hdr.ipv6.src_addr;
        meta.flow_dst = hdr.ipv6.dst_addr;
        meta.flow_label = hdr.ipv6.flow_label;
        transition select(hdr.ipv6.next_hdr) {
            PROTO_HOP_BY_HOP: parse_hop_by_hop;
            default: expect_routing_options;
        }
    }

    state parse_hop_by_hop {
        bit<16> head = packet.lookahead<bit<16>>();
        packet.extract(hdr.hop_by_hop, ((bit<32>) head[7:0] << 6) + 48);
        meta.protocol = hdr.hop_by_hop.next_hdr;
        transition expect_routing_options;
    }

    state expect_routing_options {
        transition select(meta.protocol) {
            PROTO_DESTINATION_OPTIONS: parse_routing_options;
            default: expect_routing;
        }
    }

    state parse_routing_options {
        bit<16> head = packet.lookahead<bit<16>>();
        packet.extract(hdr.routing_options, ((bit<32>) head[7:0] << 6) + 48);
        meta.protocol = hdr.routing_options.next_hdr;
        transition expect_routing;
    }

    // Only routing type 4 is an SRH; anything else is payload (RFC 8754, 2).
    state expect_routing {
        transition select(meta.protocol) {
            PROTO_ROUTING: parse_routing;
            default: expect_fragment;
        }
    }

    state parse_routing {
        bit<24> head = packet.lookahead<bit<24>>();
        transition select(head[7:0]) {
            ROUTING_TYPE_SRH: parse_srh;
            default: accept;
        }
    }

    // Hdr Ext Len counts 8 octets: the list must fit, and Segments Left may be one above Last
    // Entry in a reduced SRH (RFC 8754, 2 and 4.1.1).
    state parse_srh {
        packet.extract(hdr.srh);
        bit<9> listed = (bit<9>) hdr.srh.last_entry + 1;
        bool fits = hdr.srh.last_entry < MAX_SEGMENTS && (listed << 1) <= (bit<9>) hdr.srh.hdr_ext_len;
        bool inside = (bit<9>) hdr.srh.segments_left <= listed;
        transition select(fits && inside, hdr.srh.segments_left) {
            (true, 0): parse_srh_rest;
            (true, _): parse_segments;
            default: accept;
        }
    }

    state parse_segments {
        packet.extract(hdr.later_segments, ((bit<32>) hdr.srh.segments_left - 1) << 7);
        packet.extract(hdr.next_segment);
        transition parse_srh_rest;
    }

    state parse_srh_rest {
        bit<8> listed = hdr.srh.last_entry + 1;
        packet.extract(hdr.passed_segments, (bit<32>) (listed - hdr.srh.segments_left) << 7);
        transition select(hdr.srh.hdr_ext_len - (listed << 1)) {
            0 .. 1: parse_srh_tlvs;
            default: expect_live_live;
        }
    }

    // Of the TLVs only the first is read: it is where a Live-Live ingress puts its own.
    state expect_live_live {
        transition select(packet.lookahead<bit<16>>()) {
            LIVE_LIVE_HEAD: parse_live_live;
            default: parse_srh_tlvs;
        }
    }

    state parse_live_live {
        bit<8> tlv_words = hdr.srh.hdr_ext_len - (hdr.srh.last_entry + 1 << 1);
        packet.extract(hdr.live_live);
        packet.extract(hdr.srh_rest, (bit<32>) (tlv_words - 2) << 6);
        transition complete_srh;
    }

    state parse_srh_tlvs {
        bit<8> tlv_words = hdr.srh.hdr_ext_len - (hdr.srh.last_entry + 1 << 1);
        packet.extract(hdr.srh_rest, (bit<32>) tlv_words << 6);
        transition complete_srh;
    }

    state complete_srh {
        meta.srh_complete = 1;
        meta.protocol = hdr.srh.next_hdr;
        transition expect_fragment;
    }

    // A fragment is not decapsulated: nobody reassembles here. One that is whole is none (RFC 6946).
    state expect_fragment {
        meta.flow_protocol = meta.protocol;
        transition select(meta.protocol) {
            PROTO_FRAGMENT: parse_fragment;
            default: expect_destination_options;
        }
    }

    state parse_fragment {
        packet.extract(hdr.fragment);
        meta.flow_protocol = hdr.fragment.next_hdr;
        transition select(hdr.fragment.offset, hdr.fragment.more) {
            (0, 0): parse_whole_fragment;
            default: accept;
        }
    }

    state parse_whole_fragment {
        meta.protocol = hdr.fragment.next_hdr;
        transition expect_destination_options;
    }

    state expect_destination_options {
        transition select(meta.protocol) {
            PROTO_DESTINATION_OPTIONS: parse_destination_options;
            default: parse_payload_of_ipv6;
        }
    }

    state parse_destination_options {
        bit<16> head = packet.lookahead<bit<16>>();
        packet.extract(hdr.destination_options, ((bit<32>) head[7:0] << 6) + 48);
        meta.protocol = hdr.destination_options.next_hdr;
        transition parse_payload_of_ipv6;
    }

    state parse_payload_of_ipv6 {
        meta.flow_protocol = meta.protocol;
        transition select(meta.protocol) {
            PROTO_IPV6: parse_inner_ipv6;
            PROTO_IPV4: parse_inner_ipv4;
            PROTO_ICMPV6: parse_icmpv6;
            PROTO_TCP: parse_l4;
            PROTO_UDP: parse_l4;
            default: accept;
        }
    }

    state parse_icmpv6 {
        packet.extract(hdr.icmpv6);
        meta.icmpv6_type = hdr.icmpv6.type;
        transition accept;
    }

    // --- what is inside: for its flow, and to know that it is there

    state parse_inner_ipv6 {
        packet.extract(hdr.inner_ipv6);
        meta.flow_protocol = hdr.inner_ipv6.next_hdr;
        meta.flow_src = hdr.inner_ipv6.src_addr;
        meta.flow_dst = hdr.inner_ipv6.dst_addr;
        transition select(hdr.inner_ipv6.next_hdr) {
            PROTO_TCP: parse_l4;
            PROTO_UDP: parse_l4;
            default: accept;
        }
    }

    state parse_inner_ipv4 {
        packet.extract(hdr.inner_ipv4);
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
        transition select(hdr.inner_ipv4.protocol, hdr.inner_ipv4.frag_offset, hdr.inner_ipv4.flags) {
            (PROTO_TCP, 0, 0 &&& IPV4_MORE_FRAGMENTS): parse_l4;
            (PROTO_UDP, 0, 0 &&& IPV4_MORE_FRAGMENTS): parse_l4;
            default: accept;
        }
    }

    // --- IPv4 outside

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
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
        transition select(hdr.ipv4.protocol, hdr.ipv4.frag_offset, hdr.ipv4.flags) {
            (PROTO_TCP, 0, 0 &&& IPV4_MORE_FRAGMENTS): parse_l4;
            (PROTO_UDP, 0, 0 &&& IPV4_MORE_FRAGMENTS): parse_l4;
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
