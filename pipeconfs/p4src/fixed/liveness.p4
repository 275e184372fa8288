// SPDX-License-Identifier: Apache-2.0
// Watches segment lists (RFC 9256, 9.3): the node sends probes along lists of the same path that come back to
// it (STAMP in loopback: RFC 8762, RFC 9503), and packets for a list whose probes stay away are encapsulated
// with another one until they come again.
#ifndef LIVENESS_P4
#define LIVENESS_P4

#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

@noWarn("unused")
control liveness_control(inout metadata_t meta) {

    // The clock that judges the probes is the node's; a program has none.
    bit<1> silent = 0;

    // probe: the list that probes travel, a member for each member of the watched one, in the same order;
    // each ends in a decapsulating SID of this node. A probe of each member leaves every interval
    // (microseconds); when those of one member have stayed away multiplier times in a row the list is
    // silent, and backup is used in its place, whoever refers to it. It is used again once its probes have
    // come back without a gap for hold_down (milliseconds). backup 0: there is none, and the list is only
    // judged.
    @noWarn("unused")
    @id(WATCH_ACTION_ID)
    action watch(@id(1) sid_list_id_t probe,
                 @id(2) bit<32> interval,
                 @id(3) bit<8> multiplier,
                 @id(4) bit<32> hold_down,
                 @id(5) sid_list_id_t backup) {
        meta.sid_list = silent == 1 && backup != 0 ? backup : meta.sid_list;
    }

    // A hit: the list is watched. Written by the controller, one entry per candidate path that asks for it. A
    // backup may be watched itself.
    @id(LIVENESS_TABLE_ID)
    table liveness {
        key = {
            meta.sid_list : exact @id(1) @name("sid_list");
        }
        actions = {
            watch;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = SID_LIST_SIZE;
    }

    apply {
        liveness.apply();
    }
}

#endif
