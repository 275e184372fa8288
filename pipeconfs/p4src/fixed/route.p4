// SPDX-License-Identifier: Apache-2.0
// The underlay: the destination decides, several members share by flow (ECMP).
#ifndef ROUTE_P4
#define ROUTE_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control route_control(inout headers_t hdr, inout metadata_t meta) {

    WITH_ROUTE_COUNTERS(
        @id(ROUTE_V6_COUNTER_ID)
        direct_counter(CounterType.packets_and_bytes) route_v6_counter;

        @id(ROUTE_V4_COUNTER_ID)
        direct_counter(CounterType.packets_and_bytes) route_v4_counter;
    )

    @id(ROUTE_V6_SELECTOR_ID)
    @max_group_size(MAX_GROUP_SIZE)
    action_selector(HashAlgorithm.crc16, SELECTOR_SIZE, 16) route_v6_selector;

    @id(ROUTE_V4_SELECTOR_ID)
    @max_group_size(MAX_GROUP_SIZE)
    action_selector(HashAlgorithm.crc16, SELECTOR_SIZE, 16) route_v4_selector;

    @id(SET_NEXT_HOP_ACTION_ID)
    action set_next_hop(@id(1) next_hop_id_t next_hop) {
        meta.next_hop = next_hop;
        meta.next_hop_known = 1;
    }

    // A hit: the packet leaves by one of the members. Written by the controller: locators of all
    // nodes, and the hosts behind this one.
    @id(ROUTE_V6_TABLE_ID)
    @oneshot
    table route_v6 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv6.dst_addr : lpm @id(2) @name("dst");
            meta.flow_label : selector;
            meta.flow_src : selector;
            meta.flow_dst : selector;
            meta.flow_protocol : selector;
            meta.src_port : selector;
            meta.dst_port : selector;
        }
        actions = {
            set_next_hop;
            @defaultonly NoAction;
        }
        implementation = route_v6_selector;
        WITH_ROUTE_COUNTERS(counters = route_v6_counter;)
        size = ROUTE_SIZE;
    }

    // The same for IPv4 packets that leave the SR domain here.
    @id(ROUTE_V4_TABLE_ID)
    @oneshot
    table route_v4 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv4.dst_addr : lpm @id(2) @name("dst");
            meta.flow_src : selector;
            meta.flow_dst : selector;
            meta.flow_protocol : selector;
            meta.src_port : selector;
            meta.dst_port : selector;
        }
        actions = {
            set_next_hop;
            @defaultonly NoAction;
        }
        implementation = route_v4_selector;
        WITH_ROUTE_COUNTERS(counters = route_v4_counter;)
        size = ROUTE_SIZE;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            route_v4.apply();
        } else if (hdr.ipv6.isValid()) {
            route_v6.apply();
        }
    }
}

#endif
