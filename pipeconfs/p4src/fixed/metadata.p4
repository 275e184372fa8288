// SPDX-License-Identifier: Apache-2.0
// What the controls tell each other about a packet.
#ifndef METADATA_P4
#define METADATA_P4

#include "types.p4"

// The behaviors of my_sid, as its actions announce them to its apply block.
enum bit<8> behavior_t {
    NONE = 0,
    UN = 1,
    UA = 2,
    END = 3,
    END_PSP = 4,
    END_X = 5,
    UDT6 = 6,
    UDT4 = 7,
    UDT46 = 8,
    UDX6 = 9,
    UDX4 = 10,
    B6_ENCAPS_RED = 11
}

struct metadata_t {
    // Set by the parser.
    bit<1> malformed_srh;
    bit<8> to_next_segment;   // counts down while the parser walks the list
    bit<8> segments_to_parse;
    ipv6_t_addr next_segment; // Segment List[Segments Left - 1], the one End makes active

    // Set by my_sid.
    behavior_t behavior;
    bit<8> block_length;
    bit<8> csid_length;
    bit<1> decapsulated;

    // The packet as steering and routing see it.
    vrf_t vrf;
    bit<1> encapsulate;
    bit<1> reduced;
    sid_list_id_t sid_list;
    bit<8> segment_count;
    ipv6_t_addr encap_source;
    next_hop_id_t next_hop;
    bit<1> next_hop_known;
    bit<1> done;              // dropped or sent to the controller: nothing else applies

    // Five-tuple of the innermost packet: what ECMP and weights hash, and what the flow label
    // of a pushed header carries on (RFC 6438).
    bit<16> src_port;
    bit<16> dst_port;
    bit<8> protocol;
    bit<8> icmpv6_type;
    ipv6_t_addr flow_src;
    ipv6_t_addr flow_dst;
    bit<20> flow_label;
}

#endif
