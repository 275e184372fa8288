// SPDX-License-Identifier: Apache-2.0
// Leaves the node: port, MAC addresses, and the one decrement of the hop limit or TTL that a
// forwarding node owes (RFC 8200, 3; RFC 1812, 5.3.1).
#ifndef NEXT_HOP_P4
#define NEXT_HOP_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control next_hop_control(inout headers_t hdr,
                         inout metadata_t meta,
                         inout standard_metadata_t standard_metadata) {

    @hidden
    action drop() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    @id(FORWARD_ACTION_ID)
    action forward(@id(1) port_t port, @id(2) mac_t src_mac, @id(3) mac_t dst_mac) {
        standard_metadata.egress_spec = port;
        hdr.ethernet.src_addr = src_mac;
        hdr.ethernet.dst_addr = dst_mac;
    }

    // A hit: the adjacency. Written by the controller, one entry per link and per attached host.
    @id(NEXT_HOP_TABLE_ID)
    table next_hop {
        key = {
            meta.next_hop : exact @id(1) @name("id");
        }
        actions = {
            forward;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = NEXT_HOP_SIZE;
    }

    apply {
        if (!next_hop.apply().hit) {
            drop();
        } else if (hdr.outer_ipv6.isValid()) {
            hdr.outer_ipv6.hop_limit = hdr.outer_ipv6.hop_limit - 1;
        } else if (hdr.ipv4.isValid()) {
            if (hdr.ipv4.ttl <= 1) {
                drop();
            }
            hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
        } else if (hdr.ipv6.isValid()) {
            if (hdr.ipv6.hop_limit <= 1) {
                drop();
            }
            hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
        }
    }
}

#endif
