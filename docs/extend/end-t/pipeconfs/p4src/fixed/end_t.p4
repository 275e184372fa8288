// SPDX-License-Identifier: Apache-2.0
// End.T (RFC 8986, 4.3): End, and the next segment is looked up in a table of its own. It is carried out
// as End (transit_sid.p4); the pass that follows asks the routes of the VRF.
#ifndef END_T_P4
#define END_T_P4

#include "ids.p4"
#include "metadata.p4"

@id(END_T_ACTION_ID)
@noWarn("unused")
action end_t(inout metadata_t meta, @id(1) vrf_t vrf) {
    meta.behavior = behavior_t.END;
    meta.vrf = vrf;
}

#endif
