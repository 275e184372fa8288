// SPDX-License-Identifier: Apache-2.0
// A session's own parts of the pushed header (docs/reference/mobile-node.md): arguments and an IPv4 address
// in the last SID of the list, one more segment behind it, an IPv4 address in the source.
//
//   outer_ipv6 | outer_srh: [last] [the list from its last segment back to its second]
#ifndef MOBILE_PUSH_P4
#define MOBILE_PUSH_P4

#include "headers.p4"
#include "metadata.p4"

const ipv6_t_addr SESSION_MASK = 0xffffffffff << 88;
const ipv6_t_addr IPV4_MASK = 0xffffffff << 96;
const bit<8> LAST_PLACE_OF_SESSION = 88;
const bit<8> LAST_PLACE_OF_IPV4 = 96;

@noWarn("unused")
control mobile_push_control(inout headers_t hdr,
                            inout metadata_t meta,
                            inout standard_metadata_t standard_metadata) {

    @hidden
    action drop(gtp_drop_t reason) {
        mark_to_drop(standard_metadata);
        meta.gtp_drop = reason;
        meta.done = 1;
    }

    @hidden
    action put_args(inout ipv6_t_addr sid) {
        sid = (sid & ~(SESSION_MASK >> meta.push.args_at))
            | ((ipv6_t_addr) meta.push.args << 88) >> meta.push.args_at;
    }

    @hidden
    action put_address(inout ipv6_t_addr sid) {
        sid = (sid & ~(IPV4_MASK >> meta.push.address_at))
            | ((ipv6_t_addr) meta.push.address << 96) >> meta.push.address_at;
    }

    @hidden
    action put_source_address() {
        meta.encap_source = (meta.encap_source & ~(IPV4_MASK >> meta.push.source_at))
            | ((ipv6_t_addr) meta.push.source_address << 96) >> meta.push.source_at;
    }

    // The destination, without an SRH.
    @hidden
    action push_last_alone() {
        hdr.outer_ipv6.setValid();
        hdr.outer_ipv6.dst_addr = meta.push.last;
        meta.segment_count = 1;
    }

    @hidden
    action push_last_behind() {
        hdr.outer_segments.push_front(1);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = meta.push.last;
        meta.segment_count = meta.segment_count + 1;
    }

    apply {
        if (meta.push.source != IPV6_UNSPECIFIED) {
            meta.encap_source = meta.push.source;
        }
        bool room = meta.push.args_at <= LAST_PLACE_OF_SESSION && meta.push.address_at <= LAST_PLACE_OF_IPV4
            && meta.push.source_at <= LAST_PLACE_OF_IPV4;
        bool listed = hdr.outer_ipv6.isValid();
        if (meta.encap_source == IPV6_UNSPECIFIED) {
            drop(gtp_drop_t.NO_SOURCE);
        } else if (!room || !listed && (meta.sid_list != 0 || meta.push.last == IPV6_UNSPECIFIED)) {
            drop(gtp_drop_t.NO_LIST);
        } else {
            ipv6_t_addr sid = meta.segment_count == 1 ? hdr.outer_ipv6.dst_addr : hdr.outer_segments[0].sid;
            if (meta.push.args_at != 0) {
                put_args(sid);
            }
            if (meta.push.address_at != 0) {
                put_address(sid);
            }
            if (meta.push.source_at != 0) {
                put_source_address();
            }
            if (!listed) {
                push_last_alone();
            } else {
                if (meta.segment_count == 1) {
                    hdr.outer_ipv6.dst_addr = sid;
                } else {
                    hdr.outer_segments[0].sid = sid;
                }
                if (meta.push.last != IPV6_UNSPECIFIED) {
                    push_last_behind();
                }
            }
        }
    }
}

#endif
