// SPDX-License-Identifier: Apache-2.0
// A packet may carry three IP headers here: the one this node pushes (outer), the one it arrived
// with, and the one inside of that.
//
//   ethernet | outer_ipv6 outer_srh outer_segments | ipv6 … srh … | inner_ipv6 / inner_ipv4
//              pushed by h_encaps(_red), b6_…        removed by     read for its flow only
//                                                    udt*, udx*
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

// An extension header that this node only steps over: options, a routing header that has ended
// (Segments Left 0), a fragment header of a whole packet (RFC 8200, 4.3 to 4.6).
header ipv6_extension_t {
    bit<8> next_hdr;
    bit<8> hdr_ext_len; // of a fragment header: reserved
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

// Any number of segments, or segments and TLVs behind them.
header srh_part_t {
    varbit<16320> data;
}

// A header that a firewall steps over, of any kind.
header piece_t {
    varbit<16384> data;
}

// The Live-Live TLV (docs/reference/livelive.md).
header live_live_t {
    bit<8> type;
    bit<8> length;
    epoch_t epoch;
    flow_id_t flow_id;
    sequence_t sequence;
}

header l4_ports_t {
    bit<16> src_port;
    bit<16> dst_port;
}

header udp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> length;
    bit<16> checksum;
}

// TS 29.281, 5.1: the words that are always there, and the one that any of the last three flags adds.
header gtpu_t {
    bit<3> version;
    bit<1> gtp;               // 0: GTP'
    bit<1> reserved;
    bit<1> has_extension;
    bit<1> has_sequence;
    bit<1> has_npdu;
    bit<8> type;
    bit<16> length;
    bit<32> teid;
}

header gtpu_optional_t {
    bit<16> sequence;
    bit<8> npdu;
    bit<8> next_extension;
}

// TS 38.415, 5.5.2, of one word, as an extension header of GTP-U (TS 29.281, 5.2.2.7).
header pdu_session_container_t {
    bit<8> words;
    bit<4> pdu_type;
    bit<4> more;              // which further information follows
    bit<1> paging;            // of a downlink
    bit<1> rqi;               // of a downlink
    bit<6> qfi;
    bit<8> next_extension;
}

// Any extension header of GTP-U.
header gtpu_extension_t {
    varbit<8152> data;
    bit<8> next_extension;
}

header icmpv6_t {
    bit<8> type;
    bit<8> code;
}

// Behind the IPv6 header a packet may have extension headers in any order, and any number of them (RFC 8200,
// 4.1). A SID acts on the first routing header that has not ended: `srh`, cut where End will read it, so that
// no list is too long to walk. Headers before it are `before`; with no such SRH, `before` is all that a
// decapsulation removes.
//
//   ipv6 | ended_srh … ended_rest | before[0 …] | srh | later_segments       | next_segment        | srh_rest
//                                                       [0 … Segments Left-2]  [Segments Left - 1]
//
// srh_rest: the segments that have been passed, and TLVs.
// An SRH that has ended and is the first of all is read as well, for the TLV of a Live-Live copy:
//
//   ended_srh | ended_segments | live_live | ended_rest (other TLVs)
//
// A firewall reads a packet in a pass of its own (sera_parser.p4), and cuts it in another way:
//
//   ipv6 | ahead[0 …] | srh | later_segments       | skipped_segment | next_segment | srh_rest | behind[0 …]
//                             [0 … Segments Left-3]
//
// The inside of GTP-U is payload, of which the parser only takes note (meta.gtp).
struct headers_t {
    packet_in_t packet_in;
    packet_out_t packet_out;
    ethernet_t ethernet;
    ipv6_t outer_ipv6;
    srh_t outer_srh;
    segment_t[MAX_PUSHED_SEGMENTS] outer_segments;
    segment_t outer_first_segment; // only the unreduced H.Encaps carries it, and a TLV's list of one
    live_live_t outer_live_live;
    ipv6_t ipv6;
    srh_t ended_srh;
    srh_part_t ended_segments;
    live_live_t live_live;
    srh_part_t ended_rest;
    ipv6_extension_t[MAX_EXTENSIONS] before;
    piece_t[MAX_FIREWALL_EXTENSIONS] ahead;
    srh_t srh;
    srh_part_t later_segments;
    segment_t skipped_segment;
    segment_t next_segment;
    srh_part_t srh_rest;
    piece_t[MAX_FIREWALL_PIECES] behind;
    ipv4_t ipv4;
    ipv4_options_t ipv4_options;
    udp_t gtp_udp; // GTP-U that arrives, in the outermost packet only, or that this node pushes
    gtpu_t gtp;
    gtpu_optional_t gtp_optional;
    pdu_session_container_t gtp_container;
    gtpu_extension_t[MAX_GTP_EXTENSIONS] gtp_extensions;
    ipv6_t inner_ipv6;
    ipv4_t inner_ipv4;
    ipv4_options_t inner_ipv4_options;
    icmpv6_t icmpv6;
    l4_ports_t l4;
}

#endif
