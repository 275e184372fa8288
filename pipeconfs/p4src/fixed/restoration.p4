// SPDX-License-Identifier: Apache-2.0
// How long a port whose carrier is back stays out of routes (wait-to-restore, ITU-T G.808.1). Only a node
// that takes a port without carrier out of a route by itself has this table: elsewhere the controller's own
// wait is all.
#ifndef RESTORATION_P4
#define RESTORATION_P4

#include "ids.p4"
#include "sizes.p4"

@noWarn("unused")
control restoration_control(inout standard_metadata_t standard_metadata) {

    // The clock of the wait is the node's; a program has none. A port that was without carrier is a member
    // of routes again once it has had its carrier for millis without a gap, or once a route with it was
    // written. Until then a route uses its other members, or its standby; one that has neither uses the port
    // at once. Lost again within a minute, or twice its wait, after it was used again, the port waits twice
    // as long the next time, to 32 times as long.
    @noWarn("unused")
    @id(WAIT_TO_RESTORE_ACTION_ID)
    action wait_to_restore(@id(1) bit<32> millis) {
    }

    // A hit: the port waits. Written by the controller, one entry per port with a link, if the network
    // waits. A port without an entry, and one that has had its carrier since its entry was written, is used
    // at once.
    @id(RESTORATION_TABLE_ID)
    table restoration {
        key = {
            standard_metadata.egress_spec : exact @id(1) @name("port");
        }
        actions = {
            wait_to_restore;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = EDGE_PORT_SIZE;
    }

    apply {
        restoration.apply();
    }
}

#endif
