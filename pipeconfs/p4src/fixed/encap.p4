// SPDX-License-Identifier: Apache-2.0
// Pushes the outer IPv6 header and SRH around whatever the packet is now (RFC 8986, 5.1 and 5.2).
// The length of the new header follows from the list: 40 for one segment reduced, else
// 40 + 8 + 16 n with n - 1 (reduced) or n segments in the SRH (uSID paper, IV).
#ifndef ENCAP_P4
#define ENCAP_P4

#include "headers.p4"
#include "hop.p4"
#include "ids.p4"
#include "metadata.p4"
#include "mobile_push.p4"
#include "sizes.p4"

control encap_control(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {

    lower_ttl_control() lower_ttl;
    lower_hop_limit_control() lower_hop_limit;
    WITH_MOBILE(mobile_push_control() mobile_push;)

    // Length of the bytes behind the pushed header, in 32 bits: Payload Length has 16.
    bit<32> payload_bytes = 0;

    @id(SET_ENCAP_SOURCE_ACTION_ID)
    action set_encap_source(@id(1) ipv6_t_addr source) {
        meta.encap_source = source;
    }

    // No key: its default entry is the source address of every outer header this node pushes.
    @id(ENCAP_SOURCE_TABLE_ID)
    table encap_source {
        actions = {
            set_encap_source;
            @defaultonly NoAction;
        }
        default_action = NoAction();
        size = 1;
    }

    @hidden
    action drop() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    @hidden
    action push_ipv6(bit<32> inner_bytes, bit<8> next_hdr, bit<8> traffic_class, bit<8> hop_limit) {
        payload_bytes = inner_bytes;
        hdr.outer_ipv6.version = 6;
        hdr.outer_ipv6.traffic_class = traffic_class;
        hdr.outer_ipv6.flow_label = meta.flow_label;
        hdr.outer_ipv6.next_hdr = next_hdr;
        hdr.outer_ipv6.hop_limit = hop_limit;
        hdr.outer_ipv6.src_addr = meta.encap_source;
        hdr.ethernet.ether_type = ETHER_IPV6;
    }

    @hidden
    action push_srh(bit<8> listed) {
        hdr.outer_srh.setValid();
        hdr.outer_srh.next_hdr = hdr.outer_ipv6.next_hdr;
        hdr.outer_srh.hdr_ext_len = listed << 1;
        hdr.outer_srh.routing_type = ROUTING_TYPE_SRH;
        hdr.outer_srh.segments_left = meta.segment_count - 1;
        hdr.outer_srh.last_entry = listed - 1;
        hdr.outer_srh.flags = 0;
        hdr.outer_srh.tag = 0;
        hdr.outer_ipv6.next_hdr = PROTO_ROUTING;
        payload_bytes = payload_bytes + SRH_FIXED_BYTES + ((bit<32>) listed << 4);
    }

    // The TLV stands behind the list (docs/reference/livelive.md).
    @hidden
    action push_live_live() {
        hdr.outer_live_live.setValid();
        hdr.outer_live_live.type = LIVE_LIVE_TYPE;
        hdr.outer_live_live.length = LIVE_LIVE_LENGTH;
        hdr.outer_live_live.epoch = meta.epoch;
        hdr.outer_live_live.flow_id = meta.flow_id;
        hdr.outer_live_live.sequence = meta.sequence;
        hdr.outer_srh.hdr_ext_len = hdr.outer_srh.hdr_ext_len + 2;
        payload_bytes = payload_bytes + LIVE_LIVE_BYTES;
    }

    // The label of the sender, else a hash of the flow, never 0: so ECMP on the way keeps flows
    // together, and apart, without looking inside (RFC 6437, 3; RFC 6438, 3).
    @hidden
    action label_of_flow() {
        hash(meta.flow_label,
             HashAlgorithm.crc32,
             (bit<20>) 1,
             { meta.flow_src, meta.flow_dst, meta.flow_protocol, meta.src_port, meta.dst_port },
             (bit<20>) 0xfffff);
    }

    apply {
        encap_source.apply();
        WITH_MOBILE(if (meta.push.enters == 1) { mobile_push.apply(hdr, meta, standard_metadata); })
        if (!hdr.outer_ipv6.isValid() || meta.encap_source == 0) {
            // No such list, or no address to send from: :: is none (RFC 4291, 2.5.2).
            drop();
            return;
        }
        if (meta.flow_label == 0) {
            label_of_flow();
        }
        bit<32> inner_bytes = 0;
        // RFC 8986, 5.1 with RFC 2473, 3.1: the inner packet is forwarded into the tunnel, at the cost
        // of a hop. The outer hop limit starts where the inner one did, as on Linux.
        if (meta.push.translated == 1) {
            // RFC 9433, 6.3 and 6.7: the hop is that of the header that is gone.
            inner_bytes = meta.gtp.bytes;
            push_ipv6(inner_bytes, meta.gtp.protocol, meta.push.traffic_class, meta.push.hop_limit);
        } else if (hdr.ipv4.isValid()) {
            inner_bytes = (bit<32>) hdr.ipv4.total_len;
            bit<8> hop_limit = meta.push.enters == 1 ? hdr.ipv4.ttl : OUTER_HOP_LIMIT;
            push_ipv6(inner_bytes, PROTO_IPV4, hdr.ipv4.dscp_ecn, hop_limit);
            lower_ttl.apply(hdr.ipv4, meta, standard_metadata);
        } else if (hdr.ipv6.isValid()) {
            inner_bytes = (bit<32>) hdr.ipv6.payload_len + IPV6_HEADER_BYTES;
            push_ipv6(inner_bytes, PROTO_IPV6, hdr.ipv6.traffic_class, hdr.ipv6.hop_limit);
            lower_hop_limit.apply(hdr.ipv6, meta, standard_metadata);
        }
        if (meta.reduced == 0 || meta.numbered == 1 && meta.segment_count == 1) {
            // A TLV needs an SRH, and an SRH a list: a single segment stands in it.
            push_srh(meta.segment_count);
        } else {
            hdr.outer_first_segment.setInvalid();
            if (meta.segment_count > 1) {
                push_srh(meta.segment_count - 1);
            }
        }
        if (meta.numbered == 1) {
            push_live_live();
        }
        hdr.outer_ipv6.payload_len = payload_bytes[15:0];
        meta.pushed_bytes = meta.pushed_bytes + payload_bytes + IPV6_HEADER_BYTES - inner_bytes;
        if (payload_bytes > MAX_IP_BYTES || meta.pushed_bytes > MAX_PUSHED_BYTES) {
            drop();
        }
        // The outer packet travels in the main table, wherever the inner one came from.
        meta.ip_bytes = 0;
        meta.vrf = MAIN_VRF;
        meta.travelling = 1;
        meta.another_pass = 1;
    }
}

#endif
