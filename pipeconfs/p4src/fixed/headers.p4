// SPDX-License-Identifier: Apache-2.0
// A packet may carry three IP headers here: the one this node pushes (outer), the one it arrived
// with, and the one inside of that.
//
//   ethernet | outer_ipv6 outer_srh outer_segments | ipv6 srh segments tlvs | inner_ipv6 / inner_ipv4
//              pushed by h_encaps(_red), b6_…        removed by udt*, udx*
#ifndef HEADERS_P4
#define HEADERS_P4

#include "ids.p4"
#include "types.p4"
#include "sizes.p4"

@controller_header("packet_in")
@id(PACKET_IN_ID)
header packet_in_t {
    @id(1) port_t ingress_port;
    @id(2) @padding bit<7> _pad;
}

@controller_header("packet_out")
@id(PACKET_OUT_ID)
header packet_out_t {
    @id(1) port_t egress_port;
    @id(2) @padding bit<7> _pad;
}

header ethernet_t {
    mac_t dst_addr;
    mac_t src_addr;
    bit<16> ether_type;
}

header ipv4_t {
    bit<4> version;
    bit<4> ihl;
    bit<8> dscp_ecn;
    bit<16> total_len;
    bit<16> identification;
    bit<3> flags;
    bit<13> frag_offset;
    bit<8> ttl;
    bit<8> protocol;
    bit<16> hdr_checksum;
    ipv4_t_addr src_addr;
    ipv4_t_addr dst_addr;
}

header ipv4_options_t {
    varbit<320> data;
}

header ipv6_t {
    bit<4> version;
    bit<8> traffic_class;
    bit<20> flow_label;
    bit<16> payload_len;
    bit<8> next_hdr;
    bit<8> hop_limit;
    ipv6_t_addr src_addr;
    ipv6_t_addr dst_addr;
}

// RFC 8200, 4.3: what may stand before a routing header.
header hop_by_hop_t {
    bit<8> next_hdr;
    bit<8> hdr_ext_len;
    varbit<16368> data;
}

// RFC 8754, 2.
header srh_t {
    bit<8> next_hdr;
    bit<8> hdr_ext_len;
    bit<8> routing_type;
    bit<8> segments_left;
    bit<8> last_entry;
    bit<8> flags;
    bit<16> tag;
}

header segment_t {
    ipv6_t_addr sid;
}

header srh_tlvs_t {
    varbit<16320> data;
}

header l4_ports_t {
    bit<16> src_port;
    bit<16> dst_port;
}

header icmpv6_t {
    bit<8> type;
    bit<8> code;
}

struct headers_t {
    packet_in_t packet_in;
    packet_out_t packet_out;
    ethernet_t ethernet;
    ipv6_t outer_ipv6;
    srh_t outer_srh;
    segment_t[MAX_PARSED_SEGMENTS] outer_segments;
    segment_t outer_first_segment; // only the unreduced H.Encaps carries it
    ipv6_t ipv6;
    hop_by_hop_t hop_by_hop;
    srh_t srh;
    segment_t[MAX_PARSED_SEGMENTS] segments;
    srh_tlvs_t srh_tlvs;
    ipv4_t ipv4;
    ipv4_options_t ipv4_options;
    ipv6_t inner_ipv6;
    ipv4_t inner_ipv4;
    ipv4_options_t inner_ipv4_options;
    icmpv6_t icmpv6;
    l4_ports_t l4;
}

#endif
