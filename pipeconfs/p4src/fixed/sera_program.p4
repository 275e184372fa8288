// SPDX-License-Identifier: Apache-2.0
// Where verdicts of a firewall send a packet (sera.p4). The program of a packet is the part behind the active
// SID: the rest of its container, then the segments of the list that are left, the last of which is list[0].
// It is made of atoms: a global uSID and the local ones behind it, or a segment of another block. Verdicts
// move by atoms, so a uSID never loses its function.
//
//   go next    rest of the container: shift                  none: next segment
//   skip next  rest of the container: less its first atom,   none: next segment less its first atom,
//              then go next                                  then go next
//   go last    segments left: list[0] from its last atom on  none: the rest from its last atom on
#ifndef SERA_PROGRAM_P4
#define SERA_PROGRAM_P4

#include "headers.p4"
#include "metadata.p4"
#include "sera_parser.p4"

enum bit<2> verdict_t {
    DROP = 0,
    GO_NEXT = 1,
    SKIP_NEXT = 2,
    GO_LAST = 3
}

// The most uSIDs that stand in a container, less one: those of 16 bits behind a block of 16.
#define EACH_USID(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__

// Where the packet would go next, which rules may ask for.
@noWarn("unused")
control sera_next_control(in headers_t hdr, inout metadata_t meta) {

    bit<8> behind_block = 8w128 - meta.firewall_sid.block_length;

    @hidden
    action open() {
        bit<8> sid_length = meta.firewall_sid.block_length + meta.firewall_sid.csid_length;
        meta.firewall.rest = hdr.ipv6.dst_addr << sid_length;
    }

    @hidden
    action shift() {
        meta.firewall.next_sid = hdr.ipv6.dst_addr >> behind_block << behind_block
            | meta.firewall.rest >> meta.firewall_sid.block_length;
        meta.firewall.has = meta.firewall.has | HAS_NEXT_SID;
    }

    @hidden
    action advance() {
        meta.firewall.next_sid = hdr.next_segment.sid;
        meta.firewall.has = meta.firewall.has | HAS_NEXT_SID;
    }

    apply {
        if (meta.firewall_sid.usid_length != 0) {
            open();
        }
        if (meta.firewall.rest != 0) {
            shift();
        } else if (hdr.next_segment.isValid()) {
            advance();
        }
    }
}

// Moves the packet on; able: if there is where to.
@noWarn("unused")
control sera_program_control(inout headers_t hdr, in metadata_t meta, in verdict_t verdict, out bool able) {

    ipv6_t_addr sid = hdr.ipv6.dst_addr;
    ipv6_t_addr rest = meta.firewall.rest;
    ipv6_t_addr next = 0;      // list[left - 1]
    bit<8> left = meta.firewall.segments_left;
    bool same_block = true;

    bit<8> at = 0;
    bit<8> last_global = 0;
    bit<32> usid = 0;
    bool goes_on = true;

    bit<8> behind_block = 8w128 - meta.firewall_sid.block_length;
    bit<8> behind_usid = 8w32 - meta.firewall_sid.usid_length;

    // A segment of another block is an atom, and no container to this node.
    @hidden
    action open(ipv6_t_addr segment) {
        same_block = meta.firewall_sid.usid_length != 0 && segment >> behind_block == sid >> behind_block;
        sid = segment;
        rest = same_block ? segment << meta.firewall_sid.block_length : 0;
    }

    @hidden
    action write_container() {
        sid = sid >> behind_block << behind_block | rest >> meta.firewall_sid.block_length;
    }

    @hidden
    action read_usid() {
        usid = (rest << at)[127:96] >> behind_usid;
    }

    // The first uSID, and the local ones directly behind it.
    @hidden
    action take_first_atom() {
        at = meta.firewall_sid.usid_length;
        EACH_USID(
            read_usid();
            goes_on = goes_on && usid != 0 && usid >= meta.firewall_sid.local_start;
            at = goes_on ? at + meta.firewall_sid.usid_length : at;
        )
        rest = rest << at;
    }

    // From the last global uSID on; where all are local they are one atom.
    @hidden
    action keep_last_atom() {
        EACH_USID(
            read_usid();
            last_global = usid != 0 && usid < meta.firewall_sid.local_start ? at : last_global;
            at = at + meta.firewall_sid.usid_length;
        )
        rest = rest << last_global;
    }

    @hidden
    action write_destination() {
        hdr.ipv6.dst_addr = sid;
    }

    @hidden
    action write_segments_left() {
        hdr.srh.segments_left = left;
    }

    apply {
        able = true;
        if (hdr.next_segment.isValid()) {
            next = hdr.next_segment.sid;
        }
        if (verdict == verdict_t.SKIP_NEXT) {
            if (rest == 0 && left != 0) {
                open(next);
                left = left - 1;
                if (hdr.skipped_segment.isValid()) {
                    next = hdr.skipped_segment.sid;
                }
            }
            if (rest != 0) {
                take_first_atom();
            }
        }
        if (verdict == verdict_t.GO_LAST) {
            if (left != 0) {
                open(meta.firewall.last_sid);
                left = 0;
            }
            if (same_block && rest == 0) {
                able = false;
            } else if (same_block) {
                keep_last_atom();
                write_container();
            }
        } else if (rest != 0) {
            write_container();
        } else if (left != 0) {
            sid = next;
            left = left - 1;
        } else {
            able = false;
        }
        if (able) {
            write_destination();
            if (hdr.srh.isValid()) {
                write_segments_left();
            }
        }
    }
}

#endif
