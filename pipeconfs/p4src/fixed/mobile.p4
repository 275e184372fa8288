// SPDX-License-Identifier: Apache-2.0
// Mobile slices: GTP-U into SRv6 and back (RFC 9433; docs/reference/mobile-node.md).
//
//   GTP-U over IPv4, or at a gtp6_d SID
//        gtp_tunnel   tunnel endpoint and TEID ──> class of the session (0: none)
//        gtp_rule     class, addresses outside and inside, TEID, QFI, DSCP
//                       ──> gtp_d        H.M.GTP4.D, End.M.GTP6.D, .Di
//                       ──> carry        the whole packet into the slice
//                       ──> gtp_discard
//   plain packets
//        ue_*         destination ──> send_to: into the slice, to the session's own last SID
//
// The path of a slice is a sid_list, which all of its rules and sessions name: so a slice takes another path
// by one row.
//
// A packet that SRv6 cannot say is never translated: a gtp_d row does not match it, and the next one in
// priority may. Only a G-PDU of GTPv1 with a TEID, at most one PDU Session Container of one word that
// says QFI and RQI and nothing else, and one whole IP packet inside is.
//
// Which packets a row may take, `way` says in its key, as a ternary table knows no other order than that of
// its priorities: a target that looks rows up by a program of its own finds the next row by itself. It has
// bits for PDU types, too, as Args.Mob.Session (RFC 9433, 6.1) has none: End.M.GTP4.E and GTP6.E write
// the one of their direction, so a row of a direction leaves the containers of the other one alone.
#ifndef MOBILE_P4
#define MOBILE_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

typedef bit<16> session_class_t;

// Ways to take GTP-U; 0 is whole.
const way_t WAY_DOWNLINK = 16; // with a PDU Session Container that says so
const way_t WAY_UPLINK = 8;
const way_t WAY_TRANSLATABLE = 4;
const way_t WAY_OVER_IPV6 = 2;
const way_t WAY_SEQUENCED = 1;

@noWarn("unused")
control mobile_control(inout headers_t hdr,
                       inout metadata_t meta,
                       inout standard_metadata_t standard_metadata) {

    @id(GTP_TUNNEL_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) gtp_tunnel_counter;

    @id(GTP_RULE_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) gtp_rule_counter;

    @id(UE_V6_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) ue_v6_counter;

    @id(UE_V4_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) ue_v4_counter;

    session_class_t session_class = 0;

    @hidden
    action drop(gtp_drop_t reason) {
        mark_to_drop(standard_metadata);
        meta.gtp_drop = reason;
        meta.done = 1;
    }

    @hidden
    action enter(sid_list_id_t sid_list) {
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.sid_list = sid_list;
        meta.push.enters = 1;
        meta.of_session = 1;
    }

    @id(SET_CLASS_ACTION_ID)
    action set_class(@id(1) @name("class") session_class_t number) {
        session_class = number;
    }

    // A hit: the session is of that class. Written by the controller, one entry per session and
    // direction of GTP that enters here.
    @id(GTP_TUNNEL_TABLE_ID)
    table gtp_tunnel {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            meta.gtp.dst : exact @id(2) @name("dst");
            meta.gtp.teid : exact @id(3) @name("teid");
        }
        actions = {
            set_class;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = gtp_tunnel_counter;
        size = GTP_TUNNEL_SIZE;
    }

    // RFC 9433, 6.3, 6.4 and 6.7: GTP goes, H.Encaps.Red with the list comes. Positions are in bits,
    // multiples of 8 where the target says so; 0: not written.
    //   args_at           of Args.Mob.Session in the last SID of the list
    //   address_at        of the IPv4 destination in it (for End.M.GTP4.E)
    //   source            of the outer header; ::: that of encap_source
    //   source_at         of the IPv4 source in that (for End.M.GTP4.E)
    //   keep_destination  the IPv6 destination becomes the last segment, behind the list (6.4)
    //   drop_sequence     also packets with a sequence or N-PDU number, which is lost
    @id(GTP_D_ACTION_ID)
    @noWarn("unused")
    action gtp_d(@id(1) sid_list_id_t sid_list,
                 @id(2) bit<8> args_at,
                 @id(3) bit<8> address_at,
                 @id(4) ipv6_t_addr source,
                 @id(5) bit<8> source_at,
                 @id(6) bit<1> keep_destination,
                 @id(7) bit<1> drop_sequence) {
        enter(sid_list);
        meta.push.translated = 1;
        meta.push.drop_sequence = drop_sequence;
        meta.push.args_at = args_at;
        meta.push.args = meta.gtp.qfi ++ meta.gtp.rqi ++ 1w0 ++ meta.gtp.teid;
        meta.push.address_at = address_at;
        meta.push.address = meta.gtp.dst[31:0];
        meta.push.source = source;
        meta.push.source_at = source_at;
        meta.push.source_address = meta.gtp.src[31:0];
        meta.push.last = keep_destination == 1 ? meta.gtp.dst : IPV6_UNSPECIFIED;
    }

    // H.Encaps.Red around all of it, as it is.
    @id(CARRY_ACTION_ID)
    action carry(@id(1) sid_list_id_t sid_list) {
        enter(sid_list);
    }

    @id(GTP_DISCARD_ACTION_ID)
    action gtp_discard() {
        drop(gtp_drop_t.DISCARDED);
    }

    // A hit: the treatment of GTP-U; the highest priority wins. Written by the controller, a few entries per
    // slice. IPv4 that nothing matches is routed as it is; GTP at a gtp6_d SID is dropped.
    @id(GTP_RULE_TABLE_ID)
    table gtp_rule {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            session_class : ternary @id(2) @name("class");
            meta.gtp.src : ternary @id(3) @name("src");
            meta.gtp.dst : ternary @id(4) @name("dst");
            meta.gtp.teid : ternary @id(5) @name("teid");
            meta.gtp.qfi : ternary @id(6) @name("qfi");
            meta.gtp.dscp : ternary @id(7) @name("dscp");
            meta.gtp.inner_src : ternary @id(8) @name("inner_src");
            meta.gtp.inner_dst : ternary @id(9) @name("inner_dst");
            meta.gtp.way : ternary @id(10) @name("way");
        }
        actions = {
            gtp_d;
            carry;
            gtp_discard;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = gtp_rule_counter;
        size = GTP_RULE_SIZE;
    }

    // H.Encaps.Red with the list (0: none), and the session's own part: `args` in the last SID of the
    // list at bit args_at (0: not written), `last` behind the list (::: nothing), and the source (:::
    // that of encap_source). For End.M.GTP4.E, `last` is the whole SID; for End.M.GTP6.E the endpoint's
    // address, and `args` stand in the SID before.
    @id(SEND_TO_ACTION_ID)
    @noWarn("unused")
    action send_to(@id(1) sid_list_id_t sid_list,
                   @id(2) bit<8> args_at,
                   @id(3) mobile_session_t args,
                   @id(4) ipv6_t_addr last,
                   @id(5) ipv6_t_addr source) {
        enter(sid_list);
        meta.push.args_at = args_at;
        meta.push.args = args;
        meta.push.last = last;
        meta.push.source = source;
    }

    // A hit: the packet is for a session. Written by the controller, one entry per session and address
    // at its anchor.
    @id(UE_V6_TABLE_ID)
    table ue_v6 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv6.dst_addr : lpm @id(2) @name("dst");
        }
        actions = {
            send_to;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = ue_v6_counter;
        size = UE_SIZE;
    }

    // The same for IPv4 packets.
    @id(UE_V4_TABLE_ID)
    table ue_v4 {
        key = {
            meta.vrf : exact @id(1) @name("vrf");
            hdr.ipv4.dst_addr : lpm @id(2) @name("dst");
        }
        actions = {
            send_to;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = ue_v4_counter;
        size = UE_SIZE;
    }

    // Fields of a packet that rules see.
    @hidden
    action read_outer_ipv4() {
        meta.gtp.src = IPV4_MAPPED ++ hdr.ipv4.src_addr;
        meta.gtp.dst = IPV4_MAPPED ++ hdr.ipv4.dst_addr;
        meta.gtp.dscp = hdr.ipv4.dscp_ecn[7:2];
        meta.push.traffic_class = hdr.ipv4.dscp_ecn;
        meta.push.hop_limit = hdr.ipv4.ttl;
    }

    @hidden
    action read_outer_ipv6() {
        meta.gtp.src = hdr.ipv6.src_addr;
        meta.gtp.dst = hdr.ipv6.dst_addr;
        meta.gtp.dscp = hdr.ipv6.traffic_class[7:2];
        meta.gtp.way = WAY_OVER_IPV6;
        meta.push.traffic_class = hdr.ipv6.traffic_class;
        meta.push.hop_limit = hdr.ipv6.hop_limit;
    }

    @hidden
    action read_whole() {
        meta.gtp.inner_src = IPV6_UNSPECIFIED;
        meta.gtp.inner_dst = IPV6_UNSPECIFIED;
        meta.gtp.way = 0;
    }

    @hidden
    action read_translatable() {
        meta.gtp.way = meta.gtp.way | WAY_TRANSLATABLE | (meta.gtp.sequenced == 1 ? WAY_SEQUENCED : 0);
    }

    @hidden
    action read_direction() {
        meta.gtp.way = meta.gtp.way
            | (hdr.gtp_container.pdu_type == PDU_TYPE_DOWNLINK ? WAY_DOWNLINK : WAY_UPLINK);
    }

    // The flow is that of the packet inside, which is the payload of the pushed header.
    @hidden
    action take_gtp_off() {
        meta.flow_label = 0;
        meta.flow_src = meta.gtp.inner_src;
        meta.flow_dst = meta.gtp.inner_dst;
        meta.flow_protocol = meta.gtp.inner_protocol;
        meta.src_port = meta.gtp.inner_src_port;
        meta.dst_port = meta.gtp.inner_dst_port;
        hdr.ipv4.setInvalid();
        hdr.ipv6.setInvalid();
        hdr.ended_srh.setInvalid();
        hdr.ended_segments.setInvalid();
        hdr.live_live.setInvalid();
        hdr.ended_rest.setInvalid();
        hdr.before.pop_front(MAX_EXTENSIONS);
        hdr.gtp_udp.setInvalid();
        hdr.gtp.setInvalid();
        hdr.gtp_optional.setInvalid();
        hdr.gtp_container.setInvalid();
    }

    apply {
        bool at_sid = meta.behavior == behavior_t.GTP6_D;
        bool plain = meta.behavior == behavior_t.NONE && meta.travelling == 0;
        bool gtp = hdr.gtp_udp.isValid() || meta.gtp.later_fragment == 1;
        if (meta.done == 1 || !plain && !at_sid) {
            return;
        }
        if (at_sid && hdr.srh.isValid()) {
            drop(gtp_drop_t.SEGMENTS_LEFT); // RFC 9433, 6.3
            return;
        }
        if (at_sid && !gtp) {
            meta.behavior = behavior_t.NONE; // routed as if it were no SID
            return;
        }
        if (gtp && (at_sid || hdr.ipv4.isValid())) {
            if (hdr.ipv4.isValid()) {
                read_outer_ipv4();
            } else if (hdr.ipv6.isValid()) {
                read_outer_ipv6();
            }
            if (meta.gtp.translatable == 0 || meta.gtp.in_a_fragment == 1 || meta.stepped_over == 1
                    || hdr.ipv4_options.isValid()) {
                read_whole();
            } else {
                read_translatable();
                if (hdr.gtp_container.isValid()) {
                    read_direction();
                }
            }
            gtp_tunnel.apply();
            bool taken = gtp_rule.apply().hit;
            if (meta.push.translated == 1) {
                bool writes4 = meta.push.address_at != 0 || meta.push.source_at != 0;
                bool keeps = meta.push.last != IPV6_UNSPECIFIED;
                bool fits = meta.gtp.way & WAY_TRANSLATABLE != 0
                    && (meta.gtp.sequenced == 0 || meta.push.drop_sequence == 1)
                    && (hdr.ipv4.isValid() ? !keeps : !writes4);
                if (fits) {
                    take_gtp_off();
                } else {
                    drop(gtp_drop_t.MALFORMED); // by a row without its way
                }
            } else if (!taken && at_sid) {
                drop(gtp_drop_t.NO_RULE);
            }
            plain = !taken;
        }
        if (plain && meta.done == 0) {
            if (hdr.ipv4.isValid()) {
                ue_v4.apply();
            } else if (hdr.ipv6.isValid()) {
                ue_v6.apply();
            }
        }
    }
}

#endif
