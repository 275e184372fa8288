// SPDX-License-Identifier: Apache-2.0
// SIDs that end a program: End.DT6, End.DT4, End.DT46, End.DX6 and End.DX4 (RFC 8986, 4.4 to 4.8).
#ifndef EGRESS_SID_P4
#define EGRESS_SID_P4

#include "decapsulate.p4"
#include "headers.p4"
#include "metadata.p4"

control egress_sid_control(inout headers_t hdr,
                           inout metadata_t meta,
                           inout standard_metadata_t standard_metadata) {

    decapsulate_control() decapsulate;

    @hidden
    action drop() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    apply {
        bool crosses = meta.behavior == behavior_t.UDX6 || meta.behavior == behavior_t.UDX4;
        bool six = meta.behavior == behavior_t.UDT6 || meta.behavior == behavior_t.UDT46
                || meta.behavior == behavior_t.UDX6;
        bool four = meta.behavior == behavior_t.UDT4 || meta.behavior == behavior_t.UDT46
                || meta.behavior == behavior_t.UDX4;
        if (!six && !four) {
            return;
        }
        // No segments left, and a payload of the right family.
        bool fits = six && hdr.inner_ipv6.isValid() || four && hdr.inner_ipv4.isValid();
        if (hdr.srh.isValid() || !fits) {
            drop();
            return;
        }
        decapsulate.apply(hdr, meta);
        if (crosses) {
            meta.next_hop_known = 1;
        }
    }
}

#endif
