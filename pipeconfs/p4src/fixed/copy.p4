// SPDX-License-Identifier: Apache-2.0
// One copy of a Live-Live packet: which segment list it travels. From here on it is a packet like any
// other that is steered into a policy, but for the TLV that encap.p4 adds.
#ifndef COPY_P4
#define COPY_P4

#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

@noWarn("unused")
control copy_control(inout metadata_t meta, inout standard_metadata_t standard_metadata) {

    @id(COPY_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) copy_counter;

    @id(SEND_COPY_ACTION_ID)
    action send_copy(@id(1) sid_list_id_t sid_list) {
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.numbered = 1;
        meta.sid_list = sid_list;
    }

    // A hit: the group's path with this number. Written by the controller, one entry per path; a
    // path without an entry gets no copy.
    @id(COPY_TABLE_ID)
    table copy {
        key = {
            meta.copy_group : exact @id(1) @name("group");
            meta.copy_path : exact @id(2) @name("path");
        }
        actions = {
            send_copy;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = copy_counter;
        size = COPY_SIZE;
    }

    apply {
        if (!copy.apply().hit || meta.epoch == 0) {
            mark_to_drop(standard_metadata);
            meta.done = 1;
        }
        meta.copy_group = 0;
    }
}

#endif
