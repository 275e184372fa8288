// SPDX-License-Identifier: Apache-2.0
// The members of a sid_list id: one of its weighted members, picked by the flow.
//
//   segments_n(s1 … sn), in travel order:   DA = s1    Segment List = [sn, …, s2] and, for the
//   unreduced H.Encaps only, s1 behind them (RFC 8754, 4.1; RFC 8986, 5.2)
//
// How long a list a target can push is how many of these actions its table has.
#ifndef SID_LIST_P4
#define SID_LIST_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control sid_list_control(inout headers_t hdr, inout metadata_t meta) {

    @id(SID_LIST_SELECTOR_ID)
    @max_group_size(MAX_GROUP_SIZE)
    action_selector(HashAlgorithm.crc16, SELECTOR_SIZE, 16) sid_list_selector;

    @hidden
    action first(ipv6_t_addr segment, bit<8> count) {
        hdr.outer_ipv6.setValid();
        hdr.outer_ipv6.dst_addr = segment;
        hdr.outer_first_segment.setValid();
        hdr.outer_first_segment.sid = segment;
        meta.segment_count = count;
    }

#include "segments.p4"

    // A hit: the packet gets the chosen member's segments. Written by the controller with one-shot
    // action sets, one per policy and direction.
    @id(SID_LIST_TABLE_ID)
    @oneshot
    table sid_list {
        key = {
            meta.sid_list : exact @id(1) @name("id");
            meta.flow_src : selector;
            meta.flow_dst : selector;
            meta.flow_protocol : selector;
            meta.src_port : selector;
            meta.dst_port : selector;
        }
        actions = {
            SEGMENTS
            @defaultonly NoAction;
        }
        implementation = sid_list_selector;
        size = SID_LIST_SIZE;
    }

    apply {
        sid_list.apply();
    }
}

#endif
