// SPDX-License-Identifier: Apache-2.0
// Leaves the node: port, MAC addresses, and one hop less. Bytes behind the IP packet are padding of the link
// it came from, and stay here.
#ifndef NEXT_HOP_P4
#define NEXT_HOP_P4

#include "headers.p4"
#include "hop.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control next_hop_control(inout headers_t hdr,
                         inout metadata_t meta,
                         inout standard_metadata_t standard_metadata) {

    lower_ttl_control() lower_ttl;
    lower_hop_limit_control() lower_hop_limit;

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
        } else if (hdr.ipv4.isValid()) {
            lower_ttl.apply(hdr.ipv4, meta, standard_metadata);
            truncate(ETHERNET_BYTES + (bit<32>) hdr.ipv4.total_len);
        } else if (hdr.ipv6.isValid()) {
            lower_hop_limit.apply(hdr.ipv6, meta, standard_metadata);
            truncate(ETHERNET_BYTES + IPV6_HEADER_BYTES + (bit<32>) hdr.ipv6.payload_len);
        }
    }
}

#endif
