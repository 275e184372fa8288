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
    B6_ENCAPS_RED = 11,
    DEDUP = 12,
    GTP4_E = 13,
    GTP6_E = 14,
    GTP6_D = 15,
    MAP = 16
}

// What a target with mobile.p4 finds of GTP-U.
struct gtp_t {
    ipv6_t_addr src;   // of the outer header; IPv4 as ::ffff:0:0/96
    ipv6_t_addr dst;
    bit<32> teid;      // 0 where the packet has none to read
    bit<6> qfi;        // 0 without a PDU Session Container
    bit<6> dscp;       // of the outer header
    ipv6_t_addr inner_src;   // of the packet inside; :: where there is none that SRv6 can say
    ipv6_t_addr inner_dst;
}

struct metadata_t {
    // What a packet takes along when it passes the pipeline again (egress.p4).
    @field_list(ANOTHER_PASS)
    bit<8> passes;
    @field_list(ANOTHER_PASS)
    vrf_t vrf;
    @field_list(ANOTHER_PASS)
    bit<1> travelling;        // in a program that this node has pushed or moved on, and not ended
    @field_list(ANOTHER_PASS)
    next_hop_id_t next_hop;
    @field_list(ANOTHER_PASS)
    bit<1> next_hop_known;

    // Live-Live: whose copy this is (flow.p4, copy.p4). Group 0: of none.
    @field_list(ANOTHER_PASS)
    group_id_t copy_group;
    @field_list(ANOTHER_PASS)
    path_t copy_path;
    @field_list(ANOTHER_PASS)
    flow_id_t flow_id;
    @field_list(ANOTHER_PASS)
    epoch_t epoch;
    @field_list(ANOTHER_PASS)
    sequence_t sequence;

    // What of the frame is the packet, if less than all: this node took it out of another (my_sid.p4).
    @field_list(ANOTHER_PASS)
    bit<32> ip_bytes;
    @field_list(ANOTHER_PASS)
    bit<32> pushed_bytes;     // in all passes so far (encap.p4)

    // Set by the parser.
    bit<8> protocol;          // behind the extension headers of the outermost IP header
    bit<32> payload_bytes;    // of IPv6: what Payload Length leaves behind the extension headers
    bit<8> icmpv6_type;

    // Set by my_sid.
    behavior_t behavior;
    bit<8> block_length;
    bit<8> csid_length;

    path_t path;

    // Set by steering, copy and my_sid for encap.
    bit<1> encapsulate;
    bit<1> reduced;
    bit<1> numbered;          // a copy: the header carries the Live-Live TLV
    sid_list_id_t sid_list;
    bit<8> segment_count;
    ipv6_t_addr encap_source;

    bit<1> another_pass;
    bit<1> done;              // dropped or sent to the controller: nothing else applies

    gtp_t gtp;                // of a packet that is none: dst 0

    // Five-tuple of the innermost packet: what ECMP and weights hash, and what the flow label
    // of a pushed header carries on (RFC 6438). Fragments have no ports: only their first has them.
    bit<16> src_port;
    bit<16> dst_port;
    bit<8> flow_protocol;
    ipv6_t_addr flow_src;
    ipv6_t_addr flow_dst;
    bit<20> flow_label;
}

#endif
