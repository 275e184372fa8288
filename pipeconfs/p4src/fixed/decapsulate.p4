// SPDX-License-Identifier: Apache-2.0
// The packet inside becomes the packet.
#ifndef DECAPSULATE_P4
#define DECAPSULATE_P4

#include "headers.p4"
#include "metadata.p4"
#include "sizes.p4"

control decapsulate_control(inout headers_t hdr, inout metadata_t meta) {

    // The inner packet is like one that just arrived: it may be steered, and is as long as the outer header
    // left room for. Bytes behind that are padding of the link.
    apply {
        if (hdr.inner_ipv4.isValid()) {
            hdr.ethernet.ether_type = ETHER_IPV4;
        }
        hdr.ipv6.setInvalid();
        hdr.ended_srh.setInvalid();
        hdr.ended_segments.setInvalid();
        hdr.live_live.setInvalid();
        hdr.ended_rest.setInvalid();
        hdr.before.pop_front(MAX_EXTENSIONS);
        meta.ip_bytes = meta.payload_bytes;
        meta.travelling = 0;
        meta.of_session = 0;
        meta.another_pass = 1;
        meta.edge_looks = meta.edge_looks_inside;
        meta.edge_decapsulations = meta.edge_decapsulations + 1;
        meta.edge_looks_inside = 0;
    }
}

#endif
