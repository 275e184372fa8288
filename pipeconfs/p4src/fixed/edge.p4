// SPDX-License-Identifier: Apache-2.0
// The edge of the SR domain (RFC 8754, 5.1; docs/reference/edge.md): limits packets from outside to SIDs, and
// drops those with a source of the domain itself. No other control, but for punted packets, sees a packet
// before.
//
// A port without a row takes everything. Segments are not looked at: the destination says where a packet
// goes, and a packet whose destination is no SID of the domain gets to its first one only as a packet to it.
//
// A packet from outside to a SID, by a peer or to one that is meant for others, may hold a packet that a node
// takes out. That is judged as if it had come plain, in a pass of its own, so that no other packet pays for
// it:
//
//   pass 0   the packet          may enter, and goes to a SID ──> edge_looks
//   pass 1   the packet inside   may enter, and goes to a SID ──> edge_looks_inside
//                                  taken out here: pass 2 looks into it; sent on: dropped, as it is not read
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
    bool has_role = false;
    bool goes_to_sid = false; // a SID that any source may reach, or not
    ipv6_t_addr src_addr = IPV6_UNSPECIFIED;
    ipv6_t_addr dst_addr = IPV6_UNSPECIFIED;
    bool is_sid = false;
    bool is_domain_source = false;
    bool is_peer = false;

    // Cells: 4 * port + reason for the first four: 0 a SID, 1 a foreign SRH, 2 the source is the domain's, 3
    // to a SID, and the source is not the domain's; and behind those of all ports for the next four: 4
    // headers that are not read to their end, 5 an address that nodes use inside themselves.
    @id(EDGE_DROPPED_ARRAY_ID)
    counter(EDGE_DROP_CELLS, CounterType.packets_and_bytes) edge_dropped;

    @id(EDGE_PEER_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) edge_peer_counter;

    // Behind the port is no node of the domain. drop_srh: packets with an SRH are dropped whatever their
    // destination; else those to no SID of the domain pass untouched.
    @id(EXTERNAL_ACTION_ID)
    action external(@id(1) bit<1> drop_srh) {
        has_role = true;
        is_external = true;
        drops_srh = drop_srh == 1;
    }

    // Behind the port is a node of the domain. known_sources: packets to SIDs come from sources of the
    // domain.
    @id(INTERNAL_ACTION_ID)
    action internal(@id(1) bit<1> known_sources) {
        has_role = true;
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
        goes_to_sid = true;
        is_sid = true;
    }

    // A SID that is meant for packets from outside (RFC 9433, 6.5: End.M.GTP6.D).
    @id(REACHABLE_ACTION_ID)
    action reachable() {
        goes_to_sid = true;
        is_sid = false;
    }

    // SIDs and locators of the domain; the longest prefix decides.
    @id(EDGE_SID_TABLE_ID)
    table edge_sid {
        key = {
            dst_addr : lpm @id(1) @name("dst");
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

    // Sources of the headers that nodes of the domain push, and those of other senders (edge_peer) to SIDs
    // behind any other node.
    @id(EDGE_SOURCE_TABLE_ID)
    table edge_source {
        key = {
            src_addr : lpm @id(1) @name("src");
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
            meta.edge_in_port : exact @id(1) @name("in_port");
            src_addr : lpm @id(2) @name("src");
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
        edge_drop_t reason = meta.edge_due;
        bool arrives = meta.passes == 0;
        bool has_ipv6 = arrives && hdr.ipv6.isValid();
        if (arrives) {
            meta.edge_in_port = standard_metadata.ingress_port;
            edge_port.apply();
        }
        bool looks = meta.edge_looks == 1 || arrives && is_external && hdr.ipv4.isValid();
        if (has_ipv6) {
            src_addr = hdr.ipv6.src_addr;
            dst_addr = hdr.ipv6.dst_addr;
        } else if (looks && hdr.inner_ipv6.isValid()) {
            src_addr = hdr.inner_ipv6.src_addr;
            dst_addr = hdr.inner_ipv6.dst_addr;
        } else if (looks && meta.gtp.readable == 1) {
            src_addr = meta.gtp.inner_src;
            dst_addr = meta.gtp.inner_dst;
        }
        if (has_ipv6 && has_role || looks && dst_addr != IPV6_UNSPECIFIED) {
            edge_sid.apply();
            edge_source.apply();
            // A row counts each look: a packet inside asks only where the answer matters.
            if (has_ipv6 && is_external || looks && is_domain_source) {
                edge_peer.apply();
            }
        }
        bool internal_v6 = dst_addr[127:97] == IPV6_INTERNAL
            || !has_ipv6 && dst_addr[127:16] == IPV4_MAPPED ++ IPV4_LINK_LOCAL;
        bool internal_v4 = arrives && hdr.ipv4.isValid() && hdr.ipv4.dst_addr[31:16] == IPV4_LINK_LOCAL
            || looks && hdr.inner_ipv4.isValid() && hdr.inner_ipv4.dst_addr[31:16] == IPV4_LINK_LOCAL;

        if (reason != edge_drop_t.NONE) {
            meta.edge_due = edge_drop_t.NONE;
        } else if (arrives && has_role && (hdr.ethernet.ether_type == ETHER_C_TAG
                || hdr.ethernet.ether_type == ETHER_S_TAG)) {
            reason = edge_drop_t.UNREADABLE;
        } else if (meta.edge_looks == 1 && meta.edge_decapsulations >= MAX_PACKETS_INSIDE) {
            reason = edge_drop_t.UNREADABLE;
        } else if ((arrives && has_role || meta.edge_looks == 1) && internal_v4) {
            reason = edge_drop_t.INTERNAL;
        } else if (has_ipv6 && has_role) {
            // A packet that is not read to its end may hold an SRH.
            bool has_srh = meta.srh_found == 1 || meta.chain_read == 0;
            bool is_long = standard_metadata.parser_error == error.StackOutOfBounds;
            if (internal_v6) {
                reason = edge_drop_t.INTERNAL;
            } else if (is_external && !is_peer) {
                if (is_domain_source) {
                    reason = edge_drop_t.SOURCE;
                } else if (is_sid) {
                    reason = edge_drop_t.SID;
                } else if (is_long) {
                    reason = edge_drop_t.UNREADABLE;
                } else if (drops_srh && has_srh) {
                    reason = edge_drop_t.SRH;
                }
            } else if (asks_source && is_sid && !is_domain_source) {
                reason = edge_drop_t.UNKNOWN_SOURCE;
            }
            if (reason == edge_drop_t.NONE && is_external && goes_to_sid) {
                bool holds_gtp = hdr.gtp.isValid() && hdr.gtp.version == GTP_VERSION && hdr.gtp.gtp == 1
                    && hdr.gtp.type == GTP_G_PDU && meta.gtp.in_a_fragment == 0;
                // Another node may step over headers that SIDs of this one do not.
                bool unread = meta.edge_packet_behind == 1 || holds_gtp && meta.gtp.readable == 0;
                if (meta.chain_read == 0 || unread) {
                    reason = edge_drop_t.UNREADABLE;
                } else if (hdr.inner_ipv6.isValid() || hdr.inner_ipv4.isValid() || holds_gtp) {
                    meta.edge_looks = 1;
                    meta.edge_waits = 1;
                    meta.another_pass = 1;
                }
            }
        } else if (looks && dst_addr != IPV6_UNSPECIFIED) {
            edge_drop_t inside = edge_drop_t.NONE;
            if (internal_v6) {
                inside = edge_drop_t.INTERNAL;
            } else if (is_domain_source && !is_peer) {
                inside = edge_drop_t.SOURCE;
            } else if (is_sid) {
                inside = edge_drop_t.SID;
            }
            bit<8> kind = meta.gtp.inner_protocol;
            if (hdr.inner_ipv6.isValid()) {
                kind = hdr.inner_ipv6.next_hdr;
                meta.edge_looks_inside = 0;
                if (goes_to_sid) {
                    meta.edge_looks_inside = 1;
                }
            }
            bool holds_more = goes_to_sid && kind != PROTO_TCP && kind != PROTO_ICMPV6;
            if (hdr.ipv4.isValid()) {
                // If a rule takes it out (ingress.p4), and it leaves for another node.
                meta.edge_gtp = holds_more && inside == edge_drop_t.NONE ? edge_drop_t.UNREADABLE : inside;
            } else {
                reason = inside;
                if (holds_more) {
                    meta.edge_unread = 1;
                }
            }
        } else if (looks && hdr.inner_ipv4.isValid()) {
            // GTP-U, which may be taken off once the packet is out.
            meta.edge_looks_inside = 1;
        }
        if (reason != edge_drop_t.NONE) {
            // Four cells of each port for the first reasons, and behind those of all ports four for the next.
            bit<32> place = (bit<32>) (bit<3>) reason - 1;
            bit<32> cell = ((bit<32>) meta.edge_in_port << 2) + (place & 3) + ((place >> 2) << 11);
            edge_dropped.count(cell);
            mark_to_drop(standard_metadata);
            meta.done = 1;
            meta.another_pass = 0;
        }
    }
}

#endif
