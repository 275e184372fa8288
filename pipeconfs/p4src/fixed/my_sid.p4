// SPDX-License-Identifier: Apache-2.0
// The SIDs this node owns.
//
//   DA matches ──> un    argument != 0: shift the container ──────────────┐
//                        argument == 0: advance the SRH (End) ────────────┤
//              ──> end   advance the SRH; end_psp pops it at SL 0 ────────┼──> another pass:
//              ──> udt*  pop, look the inner packet up in a VRF ──────────┤    my_sid, steering, route
//              ──> dedup the same for the first copy only (dedup.p4) ─────┤
//              ──> b6_encaps_red  advance, then push a segment list ──────┘
//              ──> ua    as un, end_x as end, udx* pop ──────────────────────> next_hop
//
// Actions only announce the behavior; the apply block carries it out, because the checks of
// RFC 8986, 4.1 come before any of them changes the packet.
#ifndef MY_SID_P4
#define MY_SID_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"
#ifdef LIVE_LIVE
#include "dedup.p4"
#endif

control my_sid_control(inout headers_t hdr,
                       inout metadata_t meta,
                       inout standard_metadata_t standard_metadata) {

#ifdef LIVE_LIVE
    dedup_control() dedup_copies;
#endif

    @id(MY_SID_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) my_sid_counter;

    // RFC 9800, 4.1.1: End with the NEXT-CSID flavor.
    @id(UN_ACTION_ID)
    action un(@id(1) bit<8> block_length, @id(2) bit<8> csid_length) {
        meta.behavior = behavior_t.UN;
        meta.block_length = block_length;
        meta.csid_length = csid_length;
    }

    // RFC 9800, 4.1.2: End.X with the NEXT-CSID flavor.
    @id(UA_ACTION_ID)
    action ua(@id(1) bit<8> block_length, @id(2) bit<8> csid_length, @id(3) next_hop_id_t next_hop) {
        meta.behavior = behavior_t.UA;
        meta.block_length = block_length;
        meta.csid_length = csid_length;
        meta.next_hop = next_hop;
    }

    // RFC 8986, 4.1.
    @id(END_ACTION_ID)
    action end() {
        meta.behavior = behavior_t.END;
    }

    // RFC 8986, 4.1 with the PSP flavor of 4.16.1.
    @id(END_PSP_ACTION_ID)
    action end_psp() {
        meta.behavior = behavior_t.END_PSP;
    }

    // RFC 8986, 4.2.
    @id(END_X_ACTION_ID)
    action end_x(@id(1) next_hop_id_t next_hop) {
        meta.behavior = behavior_t.END_X;
        meta.next_hop = next_hop;
    }

    // RFC 8986, 4.6.
    @id(UDT6_ACTION_ID)
    action udt6(@id(1) vrf_t vrf) {
        meta.behavior = behavior_t.UDT6;
        meta.vrf = vrf;
    }

    // RFC 8986, 4.7.
    @id(UDT4_ACTION_ID)
    action udt4(@id(1) vrf_t vrf) {
        meta.behavior = behavior_t.UDT4;
        meta.vrf = vrf;
    }

    // RFC 8986, 4.8.
    @id(UDT46_ACTION_ID)
    @noWarn("unused")
    action udt46(@id(1) vrf_t vrf) {
        meta.behavior = behavior_t.UDT46;
        meta.vrf = vrf;
    }

    // RFC 8986, 4.4.
    @id(UDX6_ACTION_ID)
    action udx6(@id(1) next_hop_id_t next_hop) {
        meta.behavior = behavior_t.UDX6;
        meta.next_hop = next_hop;
    }

    // RFC 8986, 4.5.
    @id(UDX4_ACTION_ID)
    action udx4(@id(1) next_hop_id_t next_hop) {
        meta.behavior = behavior_t.UDX4;
        meta.next_hop = next_hop;
    }

    // RFC 8986, 4.14.
    @id(B6_ENCAPS_RED_ACTION_ID)
    @noWarn("unused")
    action b6_encaps_red(@id(1) sid_list_id_t sid_list) {
        meta.behavior = behavior_t.B6_ENCAPS_RED;
        meta.sid_list = sid_list;
    }

    // Live-Live's egress (docs/reference/livelive.md).
    @id(DEDUP_ACTION_ID)
    @noWarn("unused")
    action dedup(@id(1) vrf_t vrf, @id(2) path_t path) {
        meta.behavior = behavior_t.DEDUP;
        meta.vrf = vrf;
        meta.path = path;
    }

    // A hit: this node owns the SID. Written by the controller, one entry per local SID; a SID
    // with its local part fused (block:node:function) is longer and wins (RFC 9800, 4.1.1).
    @id(MY_SID_TABLE_ID)
    table my_sid {
        key = {
            hdr.ipv6.dst_addr : lpm @id(1) @name("sid");
        }
        actions = {
            un;
            ua;
            end;
            end_psp;
            end_x;
            udt6;
            udt4;
            MY_SID_UDT46
            udx6;
            udx4;
#ifndef WITHOUT_REDUCED_LISTS
            b6_encaps_red;
#endif
#ifdef LIVE_LIVE
            dedup;
#endif
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = my_sid_counter;
        size = MY_SID_SIZE;
    }

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

    // What was inside is a packet like one that just arrived: it may be steered, and is as long as the
    // outer header left room for. What stands behind that is padding of the link.
    @hidden
    action decapsulate() {
        hdr.ipv6.setInvalid();
        hdr.ended_srh.setInvalid();
        hdr.ended_segments.setInvalid();
        hdr.live_live.setInvalid();
        hdr.ended_rest.setInvalid();
        hdr.before.pop_front(MAX_EXTENSIONS);
        meta.ip_bytes = meta.payload_bytes;
        meta.travelling = 0;
        meta.another_pass = 1;
    }

    apply {
        if (!my_sid.apply().hit) {
            return;
        }
        bool six = meta.behavior == behavior_t.UDT6 || meta.behavior == behavior_t.UDT46
                || meta.behavior == behavior_t.UDX6;
        bool four = meta.behavior == behavior_t.UDT4 || meta.behavior == behavior_t.UDT46
                || meta.behavior == behavior_t.UDX4;
        ipv6_t_addr argument = hdr.ipv6.dst_addr << (meta.block_length + meta.csid_length);
        bool shifts = (meta.behavior == behavior_t.UN || meta.behavior == behavior_t.UA) && argument != 0;

#ifdef LIVE_LIVE
        if (meta.behavior == behavior_t.DEDUP) {
            bool first;
            dedup_copies.apply(hdr, meta, standard_metadata, first);
            if (!first) {
                drop();
            } else {
                if (hdr.inner_ipv4.isValid()) {
                    hdr.ethernet.ether_type = ETHER_IPV4;
                }
                decapsulate();
            }
        } else
#endif
        if (six || four) {
            // RFC 8986, 4.4 to 4.8: no segments left, and a payload of the right family.
            if (hdr.srh.isValid()) {
                drop();
            } else if (six && hdr.inner_ipv6.isValid()) {
                decapsulate();
            } else if (four && hdr.inner_ipv4.isValid()) {
                decapsulate();
                hdr.ethernet.ether_type = ETHER_IPV4;
            } else {
                drop();
            }
        } else if (hdr.ipv6.hop_limit <= 1) {
            drop();
        } else if (shifts) {
            meta.travelling = 1;
            meta.another_pass = 1;
            shift(argument);
        } else if (!hdr.srh.isValid()) {
            // The program ends at a SID that does not end programs, or its list is no list
            // (RFC 8986, 4.1, S02 to S11).
            drop();
        } else {
            meta.travelling = 1;
            meta.another_pass = 1;
            advance();
            if (meta.behavior == behavior_t.END_PSP && hdr.srh.segments_left == 0) {
                pop_srh();
            } else if (meta.behavior == behavior_t.B6_ENCAPS_RED) {
                meta.encapsulate = 1;
                meta.reduced = 1;
            }
        }
        if (meta.behavior == behavior_t.UA || meta.behavior == behavior_t.END_X) {
            meta.next_hop_known = 1;
            meta.another_pass = 0;
        } else if (meta.behavior == behavior_t.UDX6 || meta.behavior == behavior_t.UDX4) {
            meta.next_hop_known = 1;
        }
    }
}

#endif
