// SPDX-License-Identifier: Apache-2.0
// A packet whose destination this node has changed is looked up as a new one: its next SID may be
// this node's again, and behind a removed header stands a packet nobody has parsed ("submit the
// packet to the egress IPv6 FIB lookup", RFC 8986, 4.1; RFC 9800, 4.1.1). A copy that multicast has
// made passes again as well, to get the header of its path.
#ifndef EGRESS_P4
#define EGRESS_P4

#include "headers.p4"
#include "metadata.p4"

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {
        if (meta.copy_group != 0 && meta.copy_path == 0) {
            meta.copy_path = (path_t) standard_metadata.egress_rid;
        }
        if (meta.another_pass == 1) {
            recirculate_preserving_field_list(ANOTHER_PASS);
        }
    }
}

#endif
