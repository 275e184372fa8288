// SPDX-License-Identifier: Apache-2.0
// State of a packet that the controls share.
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
    MAP = 16,
    SERA = 17
}

typedef bit<5> way_t; // data of GTP-U before it is translated (mobile.p4)

// Findings about GTP-U in a target with mobile.p4.
struct gtp_t {
    // Set by the parser. It reads on as long as SRv6 can express the fields (RFC 9433, 6.1).
    bit<1> later_fragment;   // of UDP: whose, its first one says
    bit<1> in_a_fragment;
    bit<1> translatable;
    bit<1> readable;         // the addresses inside are known, or no IP packet is inside
    bit<1> sequenced;        // has a sequence or N-PDU number
    bit<32> teid;            // 0 where the packet has none to read
    bit<6> qfi;              // 0 without a PDU Session Container
    bit<1> rqi;
    bit<32> bytes;           // of the packet inside
    bit<8> inner_protocol;   // of its payload, and its ports: its flow
    bit<16> inner_src_port;
    bit<16> inner_dst_port;
    bit<8> protocol;         // the family of the packet inside, as IPv6 calls it
    ipv6_t_addr inner_src;   // IPv4 as ::ffff:0:0/96; :: where there is none, and for rules that SRv6 can say
    ipv6_t_addr inner_dst;

    // Set by mobile.p4.
    ipv6_t_addr src;         // of the outer header
    ipv6_t_addr dst;
    bit<6> dscp;
    way_t way;
}

// Args.Mob.Session (RFC 9433, 6.1): QFI, R, U, TEID.
typedef bit<40> mobile_session_t;

// Reasons of drops: one more than the cell of gtp_dropped (docs/reference/mobile-node.md).
enum bit<8> gtp_drop_t {
    NONE = 0,
    MALFORMED = 1,
    NO_RULE = 2,
    SEGMENTS_LEFT = 3,
    TOO_BIG = 4,
    INNER = 5,
    NO_SOURCE = 6,
    LAST_HOP = 7,
    NO_HOST = 8,
    NO_ROOM = 9,
    NO_LIST = 10,
    DISCARDED = 11,
    NO_ROUTE = 12
}

// The pushed parts of a packet on its path into a slice (mobile_push.p4). Positions are bits, 0 is not
// written; :: is none.
struct push_t {
    bit<1> enters;
    bit<1> translated;       // GTP is gone: the rest is the payload
    bit<1> drop_sequence;
    bit<8> args_at;
    mobile_session_t args;
    bit<8> address_at;
    ipv4_t_addr address;
    bit<8> source_at;
    ipv4_t_addr source_address;
    ipv6_t_addr source;
    ipv6_t_addr last;        // behind the list
    bit<8> traffic_class;
    bit<8> hop_limit;
}

// Reasons of drops at a firewall: one more than the cell of firewall_dropped, less 16 times the instance
// (docs/reference/firewall-node.md).
enum bit<4> firewall_drop_t {
    NONE = 0,
    UNABLE = 1,
    MALFORMED = 2,
    BAD_ARGUMENTS = 3,
    NO_RULE = 4,
    LAST_HOP = 5,
    FLOWS = 6
}

// The reason for a drop at the edge: one more than the reason in edge_dropped (edge.p4).
enum bit<3> edge_drop_t {
    NONE = 0,
    SID = 1,
    SRH = 2,
    SOURCE = 3,
    UNKNOWN_SOURCE = 4,
    UNREADABLE = 5,
    INTERNAL = 6
}

// A firewall SID, as its row says. It is known in the pass after the one that looks it up, in which the
// parser reads the fields of firewalls.
struct firewall_sid_t {
    bit<1> reads;
    bit<1> missed;           // no rule of this number has matched
    firewall_id_t missed_id;
    firewall_id_t id;
    firewall_instance_t instance;
    bit<8> block_length;
    bit<8> csid_length;
    bit<8> usid_length;
    bit<8> args_length;
    bit<32> local_start;
}

// Fields of a packet at a firewall SID, in a target with sera.p4. Set by the parser, but for next_sid, args
// and the ones below. `has`: bits as in sera_parser.p4; fields that a packet lacks are 0.
struct firewall_t {
    bit<1> whole;            // all of it could be read
    bit<5> has;
    bit<4> ip_version;
    ipv6_t_addr src;         // IPv4 as ::ffff:0:0/96
    ipv6_t_addr dst;
    bit<8> protocol;
    bit<16> src_port;
    bit<16> dst_port;
    bit<8> tcp_flags;
    bit<8> icmp_type;
    bit<8> icmp_code;
    bit<8> srh_next_hdr;     // of the SRH, all of them 0 where there is none
    bit<8> srh_hdr_len;
    bit<8> segments_left;
    bit<8> last_entry;
    bit<8> srh_flags;
    bit<16> srh_tag;
    ipv6_t_addr previous_sid;
    ipv6_t_addr next_sid;
    ipv6_t_addr last_sid;
    ipv6_t_addr outer_src;
    bit<16> args;
    ipv6_t_addr rest;        // of the container behind the SID, left-aligned
    bit<1> established;
    firewall_drop_t drop;
}

// Parameters of the GTP that begins at a SID (mobile_end.p4); address: the source of End.M.GTP6.E, the new
// destination of End.MAP.
struct mobile_end_t {
    bit<8> at;
    bit<8> source_at;
    bit<4> pdu_type;
    bit<2> container;
    bit<16> udp_source;
    ipv6_t_addr address;
}

struct metadata_t {
    // State that a packet takes along when it passes the pipeline again (egress.p4).
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

    // Length of the packet in the frame, if less than all: this node took it out of another (my_sid.p4).
    @field_list(ANOTHER_PASS)
    bit<32> ip_bytes;
    @field_list(ANOTHER_PASS)
    bit<32> pushed_bytes;     // in all passes so far (encap.p4)

    @field_list(ANOTHER_PASS)
    bit<1> of_session;        // a mobile session's, which this node has made another packet (mobile.p4)

    // State of the edge for packets from an external port (edge.p4).
    @field_list(ANOTHER_PASS)
    port_t edge_in_port;
    @field_list(ANOTHER_PASS)
    bit<1> edge_looks;        // the packet goes to a SID: its inside is judged in this pass
    @field_list(ANOTHER_PASS)
    bit<1> edge_looks_inside; // so does the packet inside: judged once that is taken out
    @field_list(ANOTHER_PASS)
    bit<8> edge_decapsulations;
    @field_list(ANOTHER_PASS)
    edge_drop_t edge_due;     // the packet is dropped and counted in this pass
    bit<1> edge_packet_behind; // headers that no SID of this node reads over hold a packet, or GTP-U
    bit<1> edge_waits;        // nothing but the edge sees the packet before the next pass
    bit<1> edge_unread;       // another packet stands in the one inside, for a SID
    edge_drop_t edge_gtp;     // why the packet in GTP-U over IPv4 may not enter, if it is taken out

    // Set by the parser.
    bit<8> protocol;          // behind the extension headers of the outermost IP header
    bit<32> payload_bytes;    // of IPv6: Payload Length less the extension headers
    bit<8> icmpv6_type;
    bit<1> stepped_over;      // headers that are no SRH
    bit<1> odd_routing;       // a routing header that is no SRH, or not a whole one
    bit<1> srh_found;         // a routing header of type 4, whatever else it says
    bit<1> chain_read;        // the outermost extension headers are known to their end, or to an SRH

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

    // Mobile sessions.
    gtp_t gtp;
    push_t push;
    mobile_end_t end;
    bit<1> begins_ipv4;       // this node has written the IPv4 header: its checksum is due
    bit<1> begins_ipv6;       // the same for IPv6, and the checksum of UDP
    gtp_drop_t gtp_drop;

    // Firewalls.
    @field_list(ANOTHER_PASS)
    firewall_sid_t firewall_sid;
    firewall_t firewall;

    // Five-tuple of the innermost packet: the input of ECMP and weights, and of the flow label of a pushed
    // header (RFC 6438). Fragments have no ports: only their first has them.
    bit<16> src_port;
    bit<16> dst_port;
    bit<8> flow_protocol;
    ipv6_t_addr flow_src;
    ipv6_t_addr flow_dst;
    bit<20> flow_label;
}

#endif
