// SPDX-License-Identifier: Apache-2.0
// Finds the segment that End would make active while it walks the list, so that no control has to
// index a stack at run time. A list longer than MAX_PARSED_SEGMENTS ends the walk: such a packet
// is forwarded by its destination address, but not taken as one of this node's SIDs.
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

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        meta.protocol = hdr.ipv6.next_hdr;
        meta.flow_src = hdr.ipv6.src_addr;
        meta.flow_dst = hdr.ipv6.dst_addr;
        meta.flow_label = hdr.ipv6.flow_label;
        transition select(hdr.ipv6.next_hdr) {
            PROTO_HOP_BY_HOP: parse_hop_by_hop;
            PROTO_ROUTING: parse_routing;
            default: parse_payload_of_ipv6;
        }
    }

    state parse_hop_by_hop {
        bit<16> head = packet.lookahead<bit<16>>();
        packet.extract(hdr.hop_by_hop, (bit<32>) (((bit<16>) head[7:0] << 6) + 48));
        meta.protocol = hdr.hop_by_hop.next_hdr;
        transition select(hdr.hop_by_hop.next_hdr) {
            PROTO_ROUTING: parse_routing;
            default: parse_payload_of_ipv6;
        }
    }

    // Only routing type 4 is an SRH; anything else is payload (RFC 8754, 2).
    state parse_routing {
        bit<24> head = packet.lookahead<bit<24>>();
        transition select(head[7:0]) {
            ROUTING_TYPE_SRH: parse_srh;
            default: accept;
        }
    }

    state parse_srh {
        packet.extract(hdr.srh);
        meta.protocol = hdr.srh.next_hdr;
        meta.to_next_segment = hdr.srh.segments_left;
        meta.segments_to_parse = hdr.srh.last_entry + 1;
        // Hdr Ext Len counts 8 octets: the list must fit, and Segments Left may be one above
        // Last Entry in a reduced SRH (RFC 8754, 4.1.1).
        bit<9> list_units = ((bit<9>) hdr.srh.last_entry + 1) << 1;
        bit<1> too_long = list_units > (bit<9>) hdr.srh.hdr_ext_len ? 1w1 : 1w0;
        bit<1> beyond = (bit<9>) hdr.srh.segments_left > (bit<9>) hdr.srh.last_entry + 1 ? 1w1 : 1w0;
        meta.malformed_srh = too_long | beyond;
        transition select(meta.malformed_srh, hdr.srh.last_entry) {
            (1, _): accept;
            (0, 0 .. MAX_PARSED_SEGMENTS - 1): parse_segment;
            default: accept;
        }
    }

    state parse_segment {
        packet.extract(hdr.segments.next);
        meta.to_next_segment = meta.to_next_segment - 1;
        meta.segments_to_parse = meta.segments_to_parse - 1;
        transition select(meta.to_next_segment, meta.segments_to_parse) {
            (0, 0): take_next_segment_and_end;
            (0, _): take_next_segment;
            (_, 0): parse_srh_tlvs;
            default: parse_segment;
        }
    }

    state take_next_segment {
        meta.next_segment = hdr.segments.last.sid;
        transition parse_segment;
    }

    state take_next_segment_and_end {
        meta.next_segment = hdr.segments.last.sid;
        transition parse_srh_tlvs;
    }

    state parse_srh_tlvs {
        bit<16> bits = ((bit<16>) hdr.srh.hdr_ext_len << 6) - (((bit<16>) hdr.srh.last_entry + 1) << 7);
        packet.extract(hdr.srh_tlvs, (bit<32>) bits);
        transition parse_payload_of_ipv6;
    }

    state parse_payload_of_ipv6 {
        transition select(meta.protocol) {
            PROTO_IPV6: parse_inner_ipv6;
            PROTO_IPV4: parse_inner_ipv4;
            PROTO_ICMPV6: parse_icmpv6;
            PROTO_TCP: parse_l4;
            PROTO_UDP: parse_l4;
            default: accept;
        }
    }

    state parse_inner_ipv6 {
        packet.extract(hdr.inner_ipv6);
        meta.protocol = hdr.inner_ipv6.next_hdr;
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
        meta.protocol = hdr.inner_ipv4.protocol;
        meta.flow_src = (ipv6_t_addr) hdr.inner_ipv4.src_addr;
        meta.flow_dst = (ipv6_t_addr) hdr.inner_ipv4.dst_addr;
        transition select(hdr.inner_ipv4.ihl) {
            0 .. 4: accept;
            5: parse_l4_of_inner_ipv4;
            default: parse_inner_ipv4_options;
        }
    }

    state parse_inner_ipv4_options {
        packet.extract(hdr.inner_ipv4_options, (bit<32>) (((bit<16>) hdr.inner_ipv4.ihl - 5) << 5));
        transition parse_l4_of_inner_ipv4;
    }

    state parse_l4_of_inner_ipv4 {
        transition select(hdr.inner_ipv4.protocol, hdr.inner_ipv4.frag_offset) {
            (PROTO_TCP, 0): parse_l4;
            (PROTO_UDP, 0): parse_l4;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        meta.protocol = hdr.ipv4.protocol;
        meta.flow_src = (ipv6_t_addr) hdr.ipv4.src_addr;
        meta.flow_dst = (ipv6_t_addr) hdr.ipv4.dst_addr;
        transition select(hdr.ipv4.ihl) {
            0 .. 4: accept;
            5: parse_l4_of_ipv4;
            default: parse_ipv4_options;
        }
    }

    state parse_ipv4_options {
        packet.extract(hdr.ipv4_options, (bit<32>) (((bit<16>) hdr.ipv4.ihl - 5) << 5));
        transition parse_l4_of_ipv4;
    }

    state parse_l4_of_ipv4 {
        transition select(hdr.ipv4.protocol, hdr.ipv4.frag_offset) {
            (PROTO_TCP, 0): parse_l4;
            (PROTO_UDP, 0): parse_l4;
            default: accept;
        }
    }

    state parse_icmpv6 {
        packet.extract(hdr.icmpv6);
        meta.icmpv6_type = hdr.icmpv6.type;
        transition accept;
    }

    state parse_l4 {
        packet.extract(hdr.l4);
        meta.src_port = hdr.l4.src_port;
        meta.dst_port = hdr.l4.dst_port;
        transition accept;
    }
}

#endif
