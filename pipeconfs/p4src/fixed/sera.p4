// SPDX-License-Identifier: Apache-2.0
// Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).
//
//   a SID of the firewall ──> firewall   the packet inside, the segment routing header, the container
//                               ──> fw_go_next    accept: to the next segment, or the next uSID
//                               ──> fw_skip_next  past the next function
//                               ──> fw_go_last    to the last one
//                               ──> fw_eval_args  as the SID's own arguments say
//                               ──> fw_drop, also if no row matches
//
// A packet to such a SID passes again before it is judged: only then does the parser read the fields of rules
// (sera_parser.p4), so that no other packet pays for it. Verdicts are carried out by sera_program.p4.
#ifndef SERA_P4
#define SERA_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sera_parser.p4"
#include "sera_program.p4"
#include "sizes.p4"

// The meaning of arguments, where a rule leaves it to them.
const bit<16> ARGS_GO_NEXT = 0;
const bit<16> ARGS_SKIP_NEXT = 1;
const bit<16> ARGS_GO_LAST = 2;

// A SID of a firewall. Numbers of rule sets are never used again for another one, so that a node judges by
// all of the old rules until the row of the SID says the new number. Lengths are bits.
//   instance      of the firewall on this node, whatever its rules: whose counters and flows
//   csid_length   node and function together; 0 with usid_length
//   usid_length   0: the SID is none of a container (RFC 8986), and args its rightmost bits
//   args_length   of the SID's own arguments: the rightmost bits of the function
//   local_start   the first uSID that is local to the node before it
@id(SERA_ACTION_ID)
@noWarn("unused")
action sera(inout metadata_t meta,
            @id(1) firewall_id_t firewall,
            @id(2) firewall_instance_t instance,
            @id(3) bit<8> block_length,
            @id(4) bit<8> csid_length,
            @id(5) bit<8> usid_length,
            @id(6) bit<8> args_length,
            @id(7) bit<32> local_start) {
    meta.behavior = behavior_t.SERA;
    meta.firewall_sid.id = firewall;
    meta.firewall_sid.instance = instance;
    meta.firewall_sid.block_length = block_length;
    meta.firewall_sid.csid_length = csid_length;
    meta.firewall_sid.usid_length = usid_length;
    meta.firewall_sid.args_length = args_length;
    meta.firewall_sid.local_start = local_start;
}

// The same, and it remembers the flows that it lets through, at most that many.
@id(SERA_STATEFUL_ACTION_ID)
@noWarn("unused")
action sera_stateful(inout metadata_t meta,
                     @id(1) firewall_id_t firewall,
                     @id(2) firewall_instance_t instance,
                     @id(3) bit<8> block_length,
                     @id(4) bit<8> csid_length,
                     @id(5) bit<8> usid_length,
                     @id(6) bit<8> args_length,
                     @id(7) bit<32> local_start,
                     @id(8) bit<32> flows) {
    sera(meta, firewall, instance, block_length, csid_length, usid_length, args_length, local_start);
}

@noWarn("unused")
control sera_control(inout headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {

    sera_next_control() find_next;
    sera_program_control() program;

    verdict_t verdict = verdict_t.DROP;
    bool evaluates = false;
    bool able = false;

    // Cells: 16 * instance + reason. 0 unable (nowhere to go), 1 malformed, 2 bad arguments, 3 no rule,
    // 4 last hop, 5 too many flows.
    @id(FIREWALL_DROPPED_ARRAY_ID)
    counter(FIREWALL_DROP_CELLS, CounterType.packets_and_bytes) firewall_dropped;

    @id(FIREWALL_COUNTER_ID)
    direct_counter(CounterType.packets_and_bytes) firewall_counter;

    // log: a target that keeps no log only counts.
    @id(FW_DROP_ACTION_ID)
    @noWarn("unused")
    action fw_drop(@id(1) bit<1> log) {
        verdict = verdict_t.DROP;
    }

    @id(FW_GO_NEXT_ACTION_ID)
    @noWarn("unused")
    action fw_go_next(@id(1) bit<1> log) {
        verdict = verdict_t.GO_NEXT;
    }

    @id(FW_SKIP_NEXT_ACTION_ID)
    @noWarn("unused")
    action fw_skip_next(@id(1) bit<1> log) {
        verdict = verdict_t.SKIP_NEXT;
    }

    @id(FW_GO_LAST_ACTION_ID)
    @noWarn("unused")
    action fw_go_last(@id(1) bit<1> log) {
        verdict = verdict_t.GO_LAST;
    }

    // Arguments 0: go next, 1: skip next, 2: go last; all others are dropped, and their sender told.
    @id(FW_EVAL_ARGS_ACTION_ID)
    @noWarn("unused")
    action fw_eval_args(@id(1) bit<1> log) {
        evaluates = true;
    }

    // A hit: the verdict on the packet; the highest priority wins. Written by the controller, the rows of one
    // rule set under one number. The addresses, ports and types are those of the packet inside; where none
    // is, of this one, with list[0] as its destination. IPv4 is ::ffff:0:0/96.
    @id(FIREWALL_TABLE_ID)
    table firewall {
        key = {
            meta.firewall_sid.id : exact @id(1) @name("firewall");
            meta.firewall.ip_version : ternary @id(2) @name("ip_version");
            meta.firewall.src : ternary @id(3) @name("src");
            meta.firewall.dst : ternary @id(4) @name("dst");
            meta.firewall.protocol : ternary @id(5) @name("ip_protocol");
            meta.firewall.has : ternary @id(6) @name("has");
            meta.firewall.src_port : range @id(7) @name("src_port");
            meta.firewall.dst_port : range @id(8) @name("dst_port");
            meta.firewall.tcp_flags : ternary @id(9) @name("tcp_flags");
            meta.firewall.icmp_type : ternary @id(10) @name("icmp_type");
            meta.firewall.icmp_code : ternary @id(11) @name("icmp_code");
            meta.firewall.srh_next_hdr : ternary @id(12) @name("srh_next_hdr");
            meta.firewall.srh_hdr_len : range @id(13) @name("srh_hdr_len");
            meta.firewall.segments_left : range @id(14) @name("segments_left");
            meta.firewall.last_entry : range @id(15) @name("last_entry");
            meta.firewall.srh_flags : ternary @id(16) @name("srh_flags");
            meta.firewall.srh_tag : ternary @id(17) @name("srh_tag");
            meta.firewall.previous_sid : ternary @id(18) @name("previous_sid");
            meta.firewall.next_sid : ternary @id(19) @name("next_sid");
            meta.firewall.last_sid : ternary @id(20) @name("last_sid");
            meta.firewall.outer_src : ternary @id(21) @name("outer_src");
            meta.firewall.args : ternary @id(22) @name("args");
            WITH_FLOW_STATE(meta.firewall.established : ternary @id(23) @name("established");)
        }
        actions = {
            fw_drop;
            fw_go_next;
            fw_skip_next;
            fw_go_last;
            fw_eval_args;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        counters = firewall_counter; WITH_LAST_HIT(support_timeout = true;)
        size = FIREWALL_SIZE;
    }

    // Arguments are the last ones of the SID's own bits in a container, else the last ones of the address.
    @hidden
    action read_args() {
        bit<8> sid_length = meta.firewall_sid.block_length + meta.firewall_sid.csid_length;
        bit<8> behind = meta.firewall_sid.usid_length == 0 ? 0 : 8w128 - sid_length;
        bit<16> ones = (16w1 << meta.firewall_sid.args_length) - 1;
        meta.firewall.args = (hdr.ipv6.dst_addr >> behind)[15:0] & ones;
    }

    @hidden
    action drop() {
        mark_to_drop(standard_metadata);
        meta.done = 1;
    }

    @hidden
    action refuse(firewall_drop_t reason) {
        drop();
        meta.firewall.drop = reason;
    }

    @hidden
    action read_packet() {
        meta.firewall_sid.reads = 1;
        meta.another_pass = 1;
    }

    // The rules may have been others' while the packet was between the passes: the SID says.
    @hidden
    action look_up_again() {
        meta.firewall_sid.reads = 0;
        meta.firewall_sid.missed = 1;
        meta.firewall_sid.missed_id = meta.firewall_sid.id;
        meta.another_pass = 1;
    }

    @hidden
    action pass_on() {
        meta.firewall_sid.reads = 0;
        meta.firewall_sid.missed = 0;
        meta.travelling = 1;
        meta.another_pass = 1;
    }

    apply {
        if (meta.firewall_sid.reads == 0 && meta.behavior != behavior_t.SERA) {
            return;
        }
        meta.behavior = behavior_t.SERA;
        if (meta.firewall_sid.reads == 0) {
            if (meta.firewall_sid.missed == 1 && meta.firewall_sid.id == meta.firewall_sid.missed_id) {
                refuse(firewall_drop_t.NO_RULE);
            } else {
                read_packet();
            }
        } else if (meta.firewall.whole == 0) {
            refuse(firewall_drop_t.MALFORMED);
        } else {
            read_args();
            find_next.apply(hdr, meta);
            if (!firewall.apply().hit) {
                look_up_again();
            } else if (!evaluates && verdict == verdict_t.DROP) {
                drop();
            } else if (evaluates && meta.firewall.args > ARGS_GO_LAST) {
                refuse(firewall_drop_t.BAD_ARGUMENTS);
            } else if (hdr.ipv6.hop_limit <= 1) {
                refuse(firewall_drop_t.LAST_HOP);
            } else {
                if (evaluates && meta.firewall.args == ARGS_GO_NEXT) {
                    verdict = verdict_t.GO_NEXT;
                } else if (evaluates && meta.firewall.args == ARGS_SKIP_NEXT) {
                    verdict = verdict_t.SKIP_NEXT;
                } else if (evaluates) {
                    verdict = verdict_t.GO_LAST;
                }
                program.apply(hdr, meta, verdict, able);
                if (able) {
                    pass_on();
                } else {
                    refuse(firewall_drop_t.UNABLE);
                }
            }
        }
        if (meta.firewall.drop != firewall_drop_t.NONE) {
            firewall_dropped.count((bit<32>) meta.firewall_sid.instance << 4
                | (bit<32>) (bit<4>) meta.firewall.drop - 1);
        }
    }
}

#endif
