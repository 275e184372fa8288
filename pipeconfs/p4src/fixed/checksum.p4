// SPDX-License-Identifier: Apache-2.0
// An IPv4 header with a wrong checksum is not forwarded (RFC 1812, 5.2.2). What forwarding changes
// of it is updated where it is changed (next_hop.p4), so that no wrong checksum is ever made right.
#ifndef CHECKSUM_P4
#define CHECKSUM_P4

#include "headers.p4"
#include "metadata.p4"

control verify_checksums(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(
            hdr.ipv4.isValid() && !hdr.ipv4_options.isValid(),
            {
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp_ecn, hdr.ipv4.total_len,
                hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset,
                hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src_addr, hdr.ipv4.dst_addr
            },
            hdr.ipv4.hdr_checksum,
            HashAlgorithm.csum16);
        verify_checksum(
            hdr.ipv4.isValid() && hdr.ipv4_options.isValid(),
            {
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp_ecn, hdr.ipv4.total_len,
                hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset,
                hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src_addr, hdr.ipv4.dst_addr,
                hdr.ipv4_options.data
            },
            hdr.ipv4.hdr_checksum,
            HashAlgorithm.csum16);
    }
}

control no_checksum_to_compute(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

#endif
