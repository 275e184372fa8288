// SPDX-License-Identifier: Apache-2.0
// The edge of the SR domain (RFC 8754, 5.1; docs/reference/edge.md): who from outside may send what to SIDs,
// and that nobody there speaks as the domain itself. Nothing else of the node, but what is punted, sees a
// packet before.
//
// A port without a row takes everything. Segments are not looked at: the destination says where a packet
// goes, and a packet whose destination is no SID of the domain gets to its first one only as a packet to it.
#ifndef EDGE_P4
#define EDGE_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control edge_control(in headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {

    bool is_external = false;
    bool drops_srh = false;
    bool asks_source = false;
    bool is_sid = false;
    bool is_domain_source = false;
    bool is_peer = false;

    // Cells: 4 * port + reason for the first four: 0 a SID, 1 a foreign SRH, 2 the source is the domain's,
    // 3 to a SID, and the source is not the domain's; and behind those of all ports for the next four:
    // 4 what cannot be read to its end, 5 an address that nodes use inside themselves.
    @id(EDGE_DROPPED_ARRAY_ID)
    counter(EDGE_DROP_CELLS, CounterType.packets_and_bytes) edge_dropped;

    @id(EDGE_PEER_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) edge_peer_counter;

    // Behind the port is no node of the domain. drop_srh: packets with an SRH are dropped whatever their
    // destination; else those to no SID of the domain pass untouched.
    @id(EXTERNAL_ACTION_ID)
    action external(@id(1) bit<1> drop_srh) {
        is_external = true;
        drops_srh = drop_srh == 1;
    }

    // Behind the port is a node of the domain. known_sources: packets to SIDs come from sources of the
    // domain.
    @id(INTERNAL_ACTION_ID)
    action internal(@id(1) bit<1> known_sources) {
        asks_source = known_sources == 1;
    }

    @id(EDGE_PORT_TABLE_ID)
    table edge_port {
        key = {
            standard_metadata.ingress_port : exact @id(1) @name("in_port");
        }
        actions = {
            external;
            internal;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = EDGE_PORT_SIZE;
    }

    @id(PROTECT_ACTION_ID)
    action protect() {
        is_sid = true;
    }

    // A SID that is meant for packets from outside (RFC 9433, 6.5: End.M.GTP6.D).
    @id(REACHABLE_ACTION_ID)
    action reachable() {
        is_sid = false;
    }

    // SIDs and locators of the domain; the longest prefix decides.
    @id(EDGE_SID_TABLE_ID)
    table edge_sid {
        key = {
            hdr.ipv6.dst_addr : lpm @id(1) @name("dst");
        }
        actions = {
            protect;
            reachable;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = EDGE_SID_SIZE;
    }

    @id(DOMAIN_SOURCE_ACTION_ID)
    action domain_source() {
        is_domain_source = true;
    }

    // What nodes of the domain write as source of the headers they push, and of whom else SIDs may be reached
    // by (edge_peer) behind any other node.
    @id(EDGE_SOURCE_TABLE_ID)
    table edge_source {
        key = {
            hdr.ipv6.src_addr : lpm @id(1) @name("src");
        }
        actions = {
            domain_source;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = EDGE_SOURCE_SIZE;
    }

    @id(PEER_ACTION_ID)
    action peer() {
        edge_peer_counter.count();
        is_peer = true;
    }

    // For whom the edge is open at a port: nothing of this control drops their packets.
    @id(EDGE_PEER_TABLE_ID)
    table edge_peer {
        key = {
            standard_metadata.ingress_port : exact @id(1) @name("in_port");
            hdr.ipv6.src_addr : lpm @id(2) @name("src");
        }
        actions = {
            peer;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = edge_peer_counter;
        size = EDGE_PEER_SIZE;
    }

    apply {
        edge_drop_t reason = edge_drop_t.NONE;
        if (hdr.ipv6.isValid()) {
            edge_port.apply();
            edge_sid.apply();
            edge_source.apply();
            if (is_external) {
                edge_peer.apply();
            }
            // What could not be read may hold one.
            bool has_srh = meta.srh_found == 1 || meta.chain_read == 0;
            if (is_external && !is_peer) {
                if (is_domain_source) {
                    reason = edge_drop_t.SOURCE;
                } else if (is_sid) {
                    reason = edge_drop_t.SID;
                } else if (drops_srh && has_srh) {
                    reason = edge_drop_t.SRH;
                }
            } else if (asks_source && is_sid && !is_domain_source) {
                reason = edge_drop_t.UNKNOWN_SOURCE;
            }
        }
        if (reason != edge_drop_t.NONE) {
            bit<32> cell = (bit<32>) standard_metadata.ingress_port << 2;
            edge_dropped.count(cell + (bit<32>) (bit<3>) reason - 1);
            mark_to_drop(standard_metadata);
            meta.done = 1;
        }
    }
}

#endif
