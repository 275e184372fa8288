// SPDX-License-Identifier: Apache-2.0
// The SR policies of packets: of plain ones, and those that a SID of this node just decapsulated (RFC 8986,
// 5). Packets that already travel a program are never steered again.
//
//   flow_steering_* hit ──> its list      by fields of the packet (RFC 9256, 8.6), before
//   steering_* hit ──> its list           by the destination (8.4)
#ifndef STEERING_P4
#define STEERING_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control steering_control(inout headers_t hdr,
                         inout metadata_t meta,
                         inout standard_metadata_t standard_metadata) {

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

    // Drop-upon-invalid (RFC 9256, 8.2): the policy has no valid path, and its traffic is to take no other.
    WITH_DROP_STEERED(
    @id(DROP_STEERED_ACTION_ID)
    action drop_steered() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    })

    // A hit: the packet is encapsulated with the list, or dropped. Written by the controller, one entry per
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
            WITH_DROP_STEERED(drop_steered;)
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
            WITH_DROP_STEERED(drop_steered;)
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = steering_v4_counter;
        size = STEERING_SIZE;
    }

    WITH_FLOW_STEERING(
    bit<16> l4_src_port = 0;
    bit<16> l4_dst_port = 0;
    bit<6> dscp = 0;

    // A hit: as in steering_v6, of packets of a flow, whatever route or steering_v6 has for their
    // destination; the highest priority wins. Packets that a SID of this node just decapsulated match as IPv4
    // alone: the kernel looks up IPv6 in a table that its rules do not choose. No counter, as the kernel's
    // rules have none. Written by the controller, one entry per policy and steered flow at the headend, none
    // of them for a destination with SIDs in it.
    @id(FLOW_STEERING_V6_TABLE_ID)
    table flow_steering_v6 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv6.src_addr : ternary @id(2) @name("src");
            hdr.ipv6.dst_addr : ternary @id(3) @name("dst");
            meta.protocol : ternary @id(4) @name("ip_protocol");
            l4_src_port : range @id(5) @name("l4_src_port");
            l4_dst_port : range @id(6) @name("l4_dst_port");
            dscp : ternary @id(7) @name("dscp");
        }
        actions = {
            WITH_REDUCED_LISTS(h_encaps_red;)
            h_encaps;
            WITH_DROP_STEERED(drop_steered;)
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = FLOW_STEERING_SIZE;
    }

    // The same for IPv4 packets.
    @id(FLOW_STEERING_V4_TABLE_ID)
    table flow_steering_v4 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv4.src_addr : ternary @id(2) @name("src");
            hdr.ipv4.dst_addr : ternary @id(3) @name("dst");
            meta.protocol : ternary @id(4) @name("ip_protocol");
            l4_src_port : range @id(5) @name("l4_src_port");
            l4_dst_port : range @id(6) @name("l4_dst_port");
            dscp : ternary @id(7) @name("dscp");
        }
        actions = {
            WITH_REDUCED_LISTS(h_encaps_red;)
            h_encaps;
            WITH_DROP_STEERED(drop_steered;)
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = FLOW_STEERING_SIZE;
    })

    apply {
        WITH_FLOW_STEERING(
        // Ports of the packet itself, not of one inside of it.
        if (meta.protocol == PROTO_TCP || meta.protocol == PROTO_UDP) {
            l4_src_port = meta.src_port;
            l4_dst_port = meta.dst_port;
        }
        if (hdr.ipv4.isValid()) {
            dscp = hdr.ipv4.dscp_ecn[7:2];
            flow_steering_v4.apply();
        } else if (meta.passes == 0 && hdr.ipv6.isValid()) {
            dscp = hdr.ipv6.traffic_class[7:2];
            flow_steering_v6.apply();
        }
        if (meta.encapsulate == 1 || meta.done == 1) {
            return;
        })
        if (hdr.ipv4.isValid()) {
            steering_v4.apply();
        } else if (hdr.ipv6.isValid()) {
            steering_v6.apply();
        }
    }
}

#endif
