// SPDX-License-Identifier: Apache-2.0
// Drops packets that no router may forward, whatever its tables say: frames to a group of the link, packets
// that are not whole (RFC 8200, 3; RFC 1812, 5.2.2), addresses that do not leave a link (RFC 4291, 2.5 and
// 2.7; RFC 1812, 5.3.7; RFC 3927, 7), and packets that have passed this node too often. Frames to another
// node's MAC address are not filtered: no table says which ones are this node's. Punted packets have left
// before (punt.p4).
#ifndef ADMISSION_P4
#define ADMISSION_P4

#include "headers.p4"
#include "metadata.p4"

control admission_control(in headers_t hdr,
                          inout metadata_t meta,
                          inout standard_metadata_t standard_metadata) {

    bit<32> ip_bytes = standard_metadata.packet_length - ETHERNET_BYTES;

    apply {
        if (meta.ip_bytes != 0) {
            ip_bytes = meta.ip_bytes;
        }
        bool admitted = false;
        if (hdr.ipv6.isValid()) {
            admitted = hdr.ipv6.version == 6
                && ip_bytes >= (bit<32>) hdr.ipv6.payload_len + IPV6_HEADER_BYTES
                && hdr.ipv6.src_addr > IPV6_LOOPBACK
                && hdr.ipv6.dst_addr > IPV6_LOOPBACK
                && hdr.ipv6.src_addr[127:118] != IPV6_LINK_LOCAL
                && hdr.ipv6.dst_addr[127:118] != IPV6_LINK_LOCAL
                && hdr.ipv6.src_addr[127:120] != IPV6_MULTICAST
                && hdr.ipv6.dst_addr[127:120] != IPV6_MULTICAST
                && hdr.ipv6.dst_addr[127:97] != IPV6_INTERNAL;
        } else if (hdr.ipv4.isValid()) {
            admitted = hdr.ipv4.version == 4
                && hdr.ipv4.ihl >= 5
                && hdr.ipv4.total_len >= (bit<16>) hdr.ipv4.ihl << 2
                && ip_bytes >= (bit<32>) hdr.ipv4.total_len
                && standard_metadata.checksum_error == 0
                && hdr.ipv4.src_addr[31:24] != IPV4_THIS_NETWORK
                && hdr.ipv4.dst_addr[31:24] != IPV4_THIS_NETWORK
                && hdr.ipv4.src_addr[31:24] != IPV4_LOOPBACK
                && hdr.ipv4.dst_addr[31:24] != IPV4_LOOPBACK
                && hdr.ipv4.src_addr[31:16] != IPV4_LINK_LOCAL
                && hdr.ipv4.dst_addr[31:16] != IPV4_LINK_LOCAL
                && hdr.ipv4.src_addr[31:24] < IPV4_MULTICAST
                && hdr.ipv4.dst_addr[31:24] < IPV4_MULTICAST;
        }
        // The group bit of a MAC address: a broadcast or multicast frame.
        if (!admitted || hdr.ethernet.dst_addr[40:40] == 1 || meta.passes > MAX_PASSES) {
            mark_to_drop(standard_metadata);
            meta.done = 1;
        }
    }
}

#endif
