// SPDX-License-Identifier: Apache-2.0
// What enters which SR policy: plain packets, and those that a SID of this node just decapsulated
// (RFC 8986, 5). Packets that already travel a program are never steered again.
#ifndef STEERING_P4
#define STEERING_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control steering_control(inout headers_t hdr, inout metadata_t meta) {

    @id(STEERING_V6_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) steering_v6_counter;

    @id(STEERING_V4_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) steering_v4_counter;

    // RFC 8986, 5.2.
    @id(H_ENCAPS_RED_ACTION_ID)
    @noWarn("unused")
    action h_encaps_red(@id(1) sid_list_id_t sid_list) {
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.sid_list = sid_list;
    }

    // RFC 8986, 5.1.
    @id(H_ENCAPS_ACTION_ID)
    action h_encaps(@id(1) sid_list_id_t sid_list) {
        meta.encapsulate = 1;
        meta.reduced = 0;
        meta.sid_list = sid_list;
    }

    // A hit: the packet is encapsulated with the list. Written by the controller, one entry per
    // policy and steered prefix at the headend.
    @id(STEERING_V6_TABLE_ID)
    table steering_v6 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv6.dst_addr : lpm @id(2) @name("dst");
        }
        actions = {
            WITH_REDUCED_LISTS(h_encaps_red;)
            h_encaps;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = steering_v6_counter;
        size = STEERING_SIZE;
    }

    // The same for IPv4 packets.
    @id(STEERING_V4_TABLE_ID)
    table steering_v4 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv4.dst_addr : lpm @id(2) @name("dst");
        }
        actions = {
            WITH_REDUCED_LISTS(h_encaps_red;)
            h_encaps;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = steering_v4_counter;
        size = STEERING_SIZE;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            steering_v4.apply();
        } else if (hdr.ipv6.isValid()) {
            steering_v6.apply();
        }
    }
}

#endif
