// SPDX-License-Identifier: Apache-2.0
// The flows that are copied over several paths: the ingress of Live-Live (docs/reference/livelive.md). The
// ternary twin of steering, and looked up before it.
//
//   flow_* hit ──> number the packet ──> multicast: one copy per path ──> egress.p4 ──> copy.p4
#ifndef FLOW_P4
#define FLOW_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

@noWarn("unused")
control flow_control(inout headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {

    @id(FLOW_V6_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) flow_v6_counter;

    @id(FLOW_V4_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) flow_v4_counter;

    // The last sequence number of every group.
    @hidden
    @id(LAST_SEQUENCE_REGISTER_ID)
    register<sequence_t>(GROUPS) last_sequence;

    bit<8> protocol = meta.protocol;
    bit<16> l4_src_port = 0;
    bit<16> l4_dst_port = 0;

    // The multicast group of `copies` copies, instances 1 to `copies`, is written with the program.
    @id(REPLICATE_ACTION_ID)
    action replicate(@id(1) flow_id_t flow_id, @id(2) group_id_t group, @id(3) path_t copies) {
        meta.flow_id = flow_id;
        meta.copy_group = group;
        standard_metadata.mcast_grp = (bit<16>) copies;
    }

    // A hit: the packet is numbered and copied over the paths of the group. Written by the controller,
    // one entry per Live-Live flow at its ingress; the highest priority wins.
    @id(FLOW_V6_TABLE_ID)
    table flow_v6 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv6.src_addr : ternary @id(2) @name("src");
            hdr.ipv6.dst_addr : ternary @id(3) @name("dst");
            protocol : ternary @id(4) @name("ip_protocol");
            l4_src_port : ternary @id(5) @name("l4_src_port");
            l4_dst_port : ternary @id(6) @name("l4_dst_port");
        }
        actions = {
            replicate;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = flow_v6_counter;
        size = FLOW_SIZE;
    }

    // The same for IPv4 packets.
    @id(FLOW_V4_TABLE_ID)
    table flow_v4 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv4.src_addr : ternary @id(2) @name("src");
            hdr.ipv4.dst_addr : ternary @id(3) @name("dst");
            protocol : ternary @id(4) @name("ip_protocol");
            l4_src_port : ternary @id(5) @name("l4_src_port");
            l4_dst_port : ternary @id(6) @name("l4_dst_port");
        }
        actions = {
            replicate;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = flow_v4_counter;
        size = FLOW_SIZE;
    }

    apply {
        // Ports of the packet itself, not of one inside of it.
        if (protocol == PROTO_TCP || protocol == PROTO_UDP) {
            l4_src_port = meta.src_port;
            l4_dst_port = meta.dst_port;
        }
        if (hdr.ipv4.isValid()) {
            flow_v4.apply();
        } else if (hdr.ipv6.isValid()) {
            flow_v6.apply();
        }
        if (meta.copy_group != 0) {
            @atomic {
                last_sequence.read(meta.sequence, (bit<32>) meta.copy_group);
                meta.sequence = meta.sequence + 1;
                last_sequence.write((bit<32>) meta.copy_group, meta.sequence);
            }
        }
    }
}

#endif
