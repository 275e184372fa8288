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
// What a slice travels is a sid_list, which all of its rules and sessions name: so a slice takes
// another path by one row.
//
// A packet that SRv6 cannot say is never translated: a gtp_d row does not match it, and the next one in
// priority may. Only a G-PDU of GTPv1 with a TEID, at most one PDU Session Container of one word that
// says QFI and RQI and nothing else, and one whole IP packet inside is.
//
// Targets serve these tables by programs of their own; no P4 program here rewrites GTP yet.
#ifndef MOBILE_P4
#define MOBILE_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

typedef bit<16> session_class_t;
typedef bit<40> mobile_session_t;

// RFC 9433, 6.6. The SID holds the IPv4 destination at bit `at` and Args.Mob.Session behind it, the
// source address of the packet the IPv4 source at bit `source_at`. pdu_type: of the PDU Session
// Container, 0 downlink, 1 uplink. container: 0 never one, 1 where QFI or RQI is not 0, 2 always.
// udp_source: 0 is a hash of the flow inside.
@id(GTP4_E_ACTION_ID)
@noWarn("unused")
action gtp4_e(inout metadata_t meta,
              @id(1) bit<8> at,
              @id(2) bit<8> source_at,
              @id(3) bit<4> pdu_type,
              @id(4) bit<2> container,
              @id(5) bit<16> udp_source) {
    meta.behavior = behavior_t.GTP4_E;
}

// RFC 9433, 6.5. The SID holds Args.Mob.Session at bit `at`; the next segment is the GTP endpoint.
@id(GTP6_E_ACTION_ID)
@noWarn("unused")
action gtp6_e(inout metadata_t meta,
              @id(1) bit<8> at,
              @id(2) ipv6_t_addr source,
              @id(3) bit<4> pdu_type,
              @id(4) bit<2> container,
              @id(5) bit<16> udp_source) {
    meta.behavior = behavior_t.GTP6_E;
}

// RFC 9433, 6.3 and 6.4: what becomes of GTP-U that arrives at the SID, gtp_rule says. Everything else
// to it is routed as if it were no SID.
@id(GTP6_D_ACTION_ID)
@noWarn("unused")
action gtp6_d(inout metadata_t meta) {
    meta.behavior = behavior_t.GTP6_D;
}

// RFC 9433, 6.2: End.MAP.
@id(MAP_ACTION_ID)
@noWarn("unused")
action map(inout metadata_t meta, @id(1) ipv6_t_addr sid) {
    meta.behavior = behavior_t.MAP;
}

@noWarn("unused")
control mobile_control(in headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {

    @id(GTP_TUNNEL_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) gtp_tunnel_counter;

    @id(GTP_RULE_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) gtp_rule_counter;

    @id(UE_V6_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) ue_v6_counter;

    @id(UE_V4_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) ue_v4_counter;

    // Cells, by reason: 0 malformed, 1 no rule for the tunnel, 2 segments left, 3 too big, 4 the packet
    // inside, 5 no source, 6 last hop, 7 address, 8 no room, 9 no list.
    @id(GTP_DROPPED_ARRAY_ID)
    counter(GTP_DROP_REASONS, CounterType.packets_and_bytes) gtp_dropped;

    session_class_t session_class = 0;

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
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.sid_list = sid_list;
    }

    // H.Encaps.Red around all of it, as it is.
    @id(CARRY_ACTION_ID)
    action carry(@id(1) sid_list_id_t sid_list) {
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.sid_list = sid_list;
    }

    @id(GTP_DISCARD_ACTION_ID)
    action gtp_discard() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    // A hit: what becomes of GTP-U; the highest priority wins. Written by the controller, a few entries
    // per slice. IPv4 that nothing matches is routed as it is; GTP at a gtp6_d SID is dropped.
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
        meta.encapsulate = 1;
        meta.reduced = 1;
        meta.sid_list = sid_list;
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

    apply {
        bool plain = meta.behavior == behavior_t.NONE && meta.travelling == 0;
        if (meta.done == 1 || meta.encapsulate == 1 || !plain && meta.behavior != behavior_t.GTP6_D) {
            return;
        }
        if (meta.gtp.dst != 0) {
            gtp_tunnel.apply();
            if (!gtp_rule.apply().hit && hdr.ipv6.isValid()) {
                gtp_dropped.count(1);
                gtp_discard();
            }
        } else if (plain && hdr.ipv4.isValid()) {
            ue_v4.apply();
        } else if (plain && hdr.ipv6.isValid()) {
            ue_v6.apply();
        }
    }
}

#endif
