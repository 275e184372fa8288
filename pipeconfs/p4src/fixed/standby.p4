// SPDX-License-Identifier: Apache-2.0
// Backup routes: where packets to a prefix go when no member of its route can be used (TI-LFA, RFC 9855). A
// node that has this table takes a port without carrier out of a route by itself, so the route to a prefix
// all of whose members have lost theirs is no hit.
#ifndef STANDBY_P4
#define STANDBY_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

@noWarn("unused")
control standby_control(inout headers_t hdr, inout metadata_t meta) {

    // H.Encaps.Red (RFC 8986, 5.2) with the segment list of the repair, whatever the packet is: one that
    // travels a program already gets another header around it. The first SID may be one of the node's own,
    // which picks the link that the repair begins with.
    @id(REPAIR_ACTION_ID)
    action repair(@id(1) sid_list_id_t sid_list) {
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.sid_list = sid_list;
    }

    // A hit: the packet is encapsulated with the list. Written by the controller, one entry per locator that
    // it can protect.
    @id(STANDBY_V6_TABLE_ID)
    table standby_v6 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv6.dst_addr : lpm @id(2) @name("dst");
        }
        actions = {
            repair;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = ROUTE_SIZE;
    }

    apply {
        if (meta.next_hop_known == 0 && !hdr.ipv4.isValid() && hdr.ipv6.isValid()) {
            standby_v6.apply();
        }
    }
}

#endif
