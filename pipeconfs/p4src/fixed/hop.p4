// SPDX-License-Identifier: Apache-2.0
// The one hop that a forwarding node owes: a packet on its last is dropped (RFC 8200, 3; RFC 1812, 5.3.1).
#ifndef HOP_P4
#define HOP_P4

#include "headers.p4"
#include "metadata.p4"

control lower_hop_limit_control(inout ipv6_t ipv6,
                                inout metadata_t meta,
                                inout standard_metadata_t standard_metadata) {
    apply {
        if (ipv6.hop_limit <= 1) {
            mark_to_drop(standard_metadata);
            meta.done = 1;
        } else {
            ipv6.hop_limit = ipv6.hop_limit - 1;
        }
    }
}

// The checksum follows by RFC 1624, so that a wrong one stays as wrong as it was.
control lower_ttl_control(inout ipv4_t ipv4,
                          inout metadata_t meta,
                          inout standard_metadata_t standard_metadata) {
    apply {
        if (ipv4.ttl <= 1) {
            mark_to_drop(standard_metadata);
            meta.done = 1;
        } else {
            ipv4.ttl = ipv4.ttl - 1;
            bit<17> sum = (bit<17>) ipv4.hdr_checksum + TTL_IN_CHECKSUM;
            if (sum >= CHECKSUM_CARRY) {
                sum = sum + 1;
            }
            ipv4.hdr_checksum = sum[15:0];
        }
    }
}

#endif
