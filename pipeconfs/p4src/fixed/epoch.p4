// SPDX-License-Identifier: Apache-2.0
// How often a node has forgotten the sequence numbers of Live-Live, where the controller has to say so.
#ifndef EPOCH_P4
#define EPOCH_P4

#include "ids.p4"
#include "metadata.p4"

@noWarn("unused")
control epoch_control(inout metadata_t meta) {

    @id(SET_EPOCH_ACTION_ID)
    @name(".ingress.flow.set_epoch")
    action set_epoch(@id(1) epoch_t epoch) {
        meta.epoch = epoch;
    }

    // No key: its default entry is how often this node has forgotten its sequence numbers, from 1 on.
    // Written by the controller when it finds it unset; until then nothing is copied.
    @id(EPOCH_TABLE_ID)
    @name(".ingress.flow.epoch")
    table epoch {
        actions = {
            set_epoch;
            @defaultonly NoAction;
        }
        default_action = NoAction();
        size = 1;
    }

    apply {
        epoch.apply();
    }
}

#endif
