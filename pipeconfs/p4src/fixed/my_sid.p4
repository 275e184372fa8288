// SPDX-License-Identifier: Apache-2.0
// The SIDs this node owns.
//
//   DA matches ──> un    argument != 0: shift the container ──────────────┐
//                        argument == 0: advance the SRH (End) ────────────┤
//              ──> end   advance the SRH; end_psp pops it at SL 0 ────────┼──> another pass:
//              ──> udt*  pop, look the inner packet up in a VRF ──────────┤    my_sid, steering, route
//              ──> dedup the same for the first copy only (dedup.p4) ─────┤
//              ──> b6_encaps_red  advance, then push a segment list ──────┤
//              ──> map   another SID takes its place ───────────────────┘
//              ──> gtp*_e  GTP-U begins again (mobile_end.p4) ───────────────> route
//              ──> gtp6_d  GTP-U ends (mobile.p4) ─────────────────────────────> sid_list
//              ──> sera  to where a firewall says (sera.p4) ──────────────────> another pass
//              ──> ua    as un, end_x as end, udx* pop ──────────────────────> next_hop
//
// Actions only announce the behavior; the control of its family carries it out, because the checks of
// RFC 8986, 4.1 come before any of them changes the packet. A family is a file: its control, applied
// here, does nothing to a packet whose behavior is another family's; its actions may stand beside it, as
// top-level actions that the table calls with (meta).
#ifndef MY_SID_P4
#define MY_SID_P4

#include "dedup.p4"
#include "egress_sid.p4"
#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "mobile_end.p4"
#include "sera.p4"
#include "sizes.p4"
#include "transit_sid.p4"

control my_sid_control(inout headers_t hdr,
                       inout metadata_t meta,
                       inout standard_metadata_t standard_metadata) {

    transit_sid_control() transit;
    egress_sid_control() egress_sid;
    WITH_LIVE_LIVE(dedup_control() dedup_copies;)
    WITH_MOBILE(mobile_end_control() mobile_end;)
    WITH_FIREWALL(sera_control() firewalls;)

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
            WITH_UDT46(udt46;)
            udx6;
            udx4;
            WITH_REDUCED_LISTS(b6_encaps_red;)
            WITH_LIVE_LIVE(dedup;)
            WITH_MOBILE(gtp4_e(meta);)
            WITH_MOBILE(gtp6_e(meta);)
            WITH_MOBILE(gtp6_d(meta);)
            WITH_MOBILE(map(meta);)
            WITH_FIREWALL(sera(meta);)
            WITH_FLOW_STATE(sera_stateful(meta);)
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = my_sid_counter;
        size = MY_SID_SIZE;
    }

    apply {
        // A firewall has been found in the pass before.
        if (WITH_FIREWALL(meta.firewall_sid.reads == 1 ||) my_sid.apply().hit) {
            transit.apply(hdr, meta, standard_metadata);
            egress_sid.apply(hdr, meta, standard_metadata);
            WITH_LIVE_LIVE(dedup_copies.apply(hdr, meta, standard_metadata);)
            WITH_MOBILE(mobile_end.apply(hdr, meta, standard_metadata);)
            WITH_FIREWALL(firewalls.apply(hdr, meta, standard_metadata);)
        }
    }
}

#endif
