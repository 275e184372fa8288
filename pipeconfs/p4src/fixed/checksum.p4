// SPDX-License-Identifier: Apache-2.0
// An IPv4 header with a wrong checksum is not forwarded (RFC 1812, 5.2.2). Fields that forwarding changes are
// updated where they are changed (next_hop.p4), so that no wrong checksum is ever made right.
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

// Checksums of headers that this node has written anew (mobile_end.p4). In a field list bmv2 leaves out
// headers that are not valid; the payload is the rest.
control compute_checksums(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(
            meta.begins_ipv4 == 1,
            {
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp_ecn, hdr.ipv4.total_len,
                hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset,
                hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src_addr, hdr.ipv4.dst_addr
            },
            hdr.ipv4.hdr_checksum,
            HashAlgorithm.csum16);
        update_checksum_with_payload(
            meta.begins_ipv6 == 1,
            {
                hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 16w0, hdr.gtp_udp.length, 24w0, PROTO_UDP,
                hdr.gtp_udp.src_port, hdr.gtp_udp.dst_port, hdr.gtp_udp.length,
                hdr.gtp.version, hdr.gtp.gtp, hdr.gtp.reserved, hdr.gtp.has_extension, hdr.gtp.has_sequence,
                hdr.gtp.has_npdu, hdr.gtp.type, hdr.gtp.length, hdr.gtp.teid,
                hdr.gtp_optional.sequence, hdr.gtp_optional.npdu, hdr.gtp_optional.next_extension,
                hdr.gtp_container.words, hdr.gtp_container.pdu_type, hdr.gtp_container.more,
                hdr.gtp_container.paging, hdr.gtp_container.rqi, hdr.gtp_container.qfi,
                hdr.gtp_container.next_extension,
                hdr.inner_ipv6.version, hdr.inner_ipv6.traffic_class, hdr.inner_ipv6.flow_label,
                hdr.inner_ipv6.payload_len, hdr.inner_ipv6.next_hdr, hdr.inner_ipv6.hop_limit,
                hdr.inner_ipv6.src_addr, hdr.inner_ipv6.dst_addr,
                hdr.inner_ipv4.version, hdr.inner_ipv4.ihl, hdr.inner_ipv4.dscp_ecn, hdr.inner_ipv4.total_len,
                hdr.inner_ipv4.identification, hdr.inner_ipv4.flags, hdr.inner_ipv4.frag_offset,
                hdr.inner_ipv4.ttl, hdr.inner_ipv4.protocol, hdr.inner_ipv4.hdr_checksum,
                hdr.inner_ipv4.src_addr, hdr.inner_ipv4.dst_addr, hdr.inner_ipv4_options.data,
                hdr.l4.src_port, hdr.l4.dst_port
            },
            hdr.gtp_udp.checksum,
            HashAlgorithm.csum16);
        // 0 is no checksum: it is written as the other zero (RFC 8200, 8.1).
        update_checksum(
            meta.begins_ipv6 == 1 && hdr.gtp_udp.checksum == 0,
            { 16w0 },
            hdr.gtp_udp.checksum,
            HashAlgorithm.csum16);
    }
}

#endif
