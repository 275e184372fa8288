// SPDX-License-Identifier: Apache-2.0
// First of all controls: packets that the controller wants to see itself (LLDP; neighbor discovery where the
// node has no stack of its own) never reach the others.
#ifndef PUNT_P4
#define PUNT_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control punt_control(inout headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {

    @id(TO_CONTROLLER_ACTION_ID)
    action to_controller() {
        standard_metadata.egress_spec = CPU_PORT;
        hdr.packet_in.setValid();
        hdr.packet_in.ingress_port = standard_metadata.ingress_port;
        hdr.packet_in._pad = 0;
        meta.done = 1;
    }

    @id(DISCARD_ACTION_ID)
    @noWarn("unused")
    action discard() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    // A hit: the frame is the controller's business. Written by the controller when it starts to
    // manage a node.
    @id(PUNT_TABLE_ID)
    table punt {
        key = {
            standard_metadata.ingress_port : ternary @id(1) @name("in_port");
            hdr.ethernet.ether_type : ternary @id(2) @name("ether_type");
            meta.protocol : ternary @id(3) @name("ip_protocol");
            meta.icmpv6_type : ternary @id(4) @name("icmpv6_type");
        }
        actions = {
            to_controller;
            WITH_DISCARD(discard;)
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = PUNT_SIZE;
    }

    apply {
        punt.apply();
    }
}

#endif
