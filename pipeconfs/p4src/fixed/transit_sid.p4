// SPDX-License-Identifier: Apache-2.0
// SIDs on the way: End, End.X and End.B6.Encaps.Red (RFC 8986, 4.1, 4.2, 4.14), and their NEXT-CSID flavor
// (RFC 9800, 4.1.1 and 4.1.2). The packet goes on to where its program says next.
#ifndef TRANSIT_SID_P4
#define TRANSIT_SID_P4

#include "headers.p4"
#include "metadata.p4"

control transit_sid_control(inout headers_t hdr,
                            inout metadata_t meta,
                            inout standard_metadata_t standard_metadata) {

    @hidden
    action drop() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    // RFC 9800, 4.1.1: the argument moves up behind the block, zeros come in from the right.
    @hidden
    action shift(in ipv6_t_addr argument) {
        ipv6_t_addr block = hdr.ipv6.dst_addr >> (8w128 - meta.block_length) << (8w128 - meta.block_length);
        hdr.ipv6.dst_addr = block | (argument >> meta.block_length);
    }

    // RFC 8986, 4.1, S12 to S14.
    @hidden
    action advance() {
        hdr.srh.segments_left = hdr.srh.segments_left - 1;
        hdr.ipv6.dst_addr = hdr.next_segment.sid;
    }

    // RFC 8986, 4.16.1: the header before it takes its Next Header over.
    @hidden
    action pop_srh() {
        if (hdr.before[5].isValid()) {
            hdr.before[5].next_hdr = hdr.srh.next_hdr;
        } else if (hdr.before[4].isValid()) {
            hdr.before[4].next_hdr = hdr.srh.next_hdr;
        } else if (hdr.before[3].isValid()) {
            hdr.before[3].next_hdr = hdr.srh.next_hdr;
        } else if (hdr.before[2].isValid()) {
            hdr.before[2].next_hdr = hdr.srh.next_hdr;
        } else if (hdr.before[1].isValid()) {
            hdr.before[1].next_hdr = hdr.srh.next_hdr;
        } else if (hdr.before[0].isValid()) {
            hdr.before[0].next_hdr = hdr.srh.next_hdr;
        } else if (hdr.ended_srh.isValid()) {
            hdr.ended_srh.next_hdr = hdr.srh.next_hdr;
        } else {
            hdr.ipv6.next_hdr = hdr.srh.next_hdr;
        }
        hdr.ipv6.payload_len = hdr.ipv6.payload_len
            - (bit<16>) SRH_FIXED_BYTES - ((bit<16>) hdr.srh.hdr_ext_len << 3);
        hdr.srh.setInvalid();
        hdr.later_segments.setInvalid();
        hdr.next_segment.setInvalid();
        hdr.srh_rest.setInvalid();
    }

    apply {
        bool csid = meta.behavior == behavior_t.UN || meta.behavior == behavior_t.UA;
        bool crosses = meta.behavior == behavior_t.UA || meta.behavior == behavior_t.END_X;
        if (!csid && !crosses && meta.behavior != behavior_t.END && meta.behavior != behavior_t.END_PSP
                && meta.behavior != behavior_t.B6_ENCAPS_RED) {
            return;
        }
        ipv6_t_addr argument = hdr.ipv6.dst_addr << (meta.block_length + meta.csid_length);
        bool shifts = csid && argument != 0;
        if (hdr.ipv6.hop_limit <= 1 || !shifts && !hdr.srh.isValid()) {
            // The last hop; or the program ends at a SID that does not end programs, or its list is no
            // list (RFC 8986, 4.1, S02 to S11).
            drop();
            return;
        }
        meta.travelling = 1;
        meta.another_pass = 1;
        if (shifts) {
            shift(argument);
        } else {
            advance();
            if (meta.behavior == behavior_t.END_PSP && hdr.srh.segments_left == 0) {
                pop_srh();
            } else if (meta.behavior == behavior_t.B6_ENCAPS_RED) {
                meta.encapsulate = 1;
                meta.reduced = 1;
            }
        }
        if (crosses) {
            meta.next_hop_known = 1;
            meta.another_pass = 0;
        }
    }
}

#endif
