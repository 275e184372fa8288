// SPDX-License-Identifier: Apache-2.0
// The headers that follow where a SID of this node would read no further (parser.p4): behind fragment and
// authentication headers, routing headers of other types, and an SRH that has segments left. The edge asks
// for an SRH and for a packet inside (edge.p4), and nothing else sees the result.
#ifndef EDGE_PARSER_P4
#define EDGE_PARSER_P4

#include "headers.p4"
#include "metadata.p4"
#include "sizes.p4"
#include "types.p4"

// Headers go to `behind`, as `before` is for those that SIDs step over; a firewall reads in another pass.
parser edge_parser(packet_in packet,
                   out piece_t[MAX_FIREWALL_PIECES] behind,
                   inout metadata_t meta,
                   in bit<32> bytes) {

    bit<32> left;          // bytes of the IP packet that are not read yet
    bit<32> header_bytes;
    bit<8> kind;           // of the header that is next

    state start {
        meta.chain_read = 0;
        left = bytes;
        kind = meta.protocol;
        transition expect_header;
    }

    state expect_header {
        transition select(kind, left >= 4) {
            (PROTO_HOP_BY_HOP, _): expect_extension;
            (PROTO_DESTINATION_OPTIONS, _): expect_extension;
            (PROTO_AUTHENTICATION, _): expect_authentication;
            (PROTO_ROUTING, _): expect_routing;
            (PROTO_FRAGMENT, _): expect_fragment;
            (PROTO_IPV6, _): accept_packet;
            (PROTO_IPV4, _): accept_packet;
            (PROTO_UDP, true): expect_gtp;
            default: accept_chain;
        }
    }

    // RFC 8200, 4.2: in units of 8 bytes, not counting the first.
    state expect_extension {
        bit<16> head = packet.lookahead<bit<16>>();
        kind = head[15:8];
        header_bytes = ((bit<32>) head[7:0] << 3) + 8;
        transition step_over;
    }

    // RFC 4302, 2.2: in units of 4 bytes, less 2.
    state expect_authentication {
        bit<16> head = packet.lookahead<bit<16>>();
        kind = head[15:8];
        header_bytes = ((bit<32>) head[7:0] << 2) + 8;
        transition step_over;
    }

    state expect_routing {
        bit<24> head = packet.lookahead<bit<24>>();
        transition select(head[7:0]) {
            ROUTING_TYPE_SRH: read_srh;
            default: expect_extension;
        }
    }

    state read_srh {
        meta.srh_found = 1;
        transition expect_extension;
    }

    // The header of a later fragment is the end: the rest is a piece of something (RFC 8200, 4.5).
    state expect_fragment {
        bit<32> head = packet.lookahead<bit<32>>();
        kind = head[31:24];
        header_bytes = 8;
        transition select(head[15:3]) {
            0: step_over;
            default: accept_chain;
        }
    }

    state step_over {
        transition select(header_bytes <= left) {
            true: parse_header;
            default: accept;
        }
    }

    state parse_header {
        packet.extract(behind.next, header_bytes << 3);
        left = left - header_bytes;
        transition expect_header;
    }

    state expect_gtp {
        bit<32> ports = packet.lookahead<bit<32>>();
        transition select(ports[15:0]) {
            GTP_PORT: accept_packet;
            default: accept_chain;
        }
    }

    state accept_packet {
        meta.edge_packet_behind = 1;
        transition accept_chain;
    }

    state accept_chain {
        meta.chain_read = 1;
        transition accept;
    }
}

#endif
