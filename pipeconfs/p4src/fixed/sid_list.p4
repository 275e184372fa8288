// SPDX-License-Identifier: Apache-2.0
// What a sid_list id stands for: one of its weighted members, picked by the flow.
//
//   segments_n(s1 … sn), in travel order:   DA = s1    Segment List = [sn, …, s2] and, for the
//   unreduced H.Encaps only, s1 behind them (RFC 8754, 4.1; RFC 8986, 5.2)
//
// How long a list a target can push is how many of these actions its table has.
#ifndef SID_LIST_P4
#define SID_LIST_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

control sid_list_control(inout headers_t hdr, inout metadata_t meta) {

    @id(SID_LIST_SELECTOR_ID)
    @max_group_size(MAX_GROUP_SIZE)
    action_selector(HashAlgorithm.crc16, SELECTOR_SIZE, 16) sid_list_selector;

    @hidden
    action first(ipv6_t_addr segment, bit<8> count) {
        hdr.outer_ipv6.setValid();
        hdr.outer_ipv6.dst_addr = segment;
        hdr.outer_first_segment.setValid();
        hdr.outer_first_segment.sid = segment;
        meta.segment_count = count;
    }

    @id(SEGMENTS_1_ACTION_ID)
    action segments_1(
            @id(1) ipv6_t_addr segment_1) {
        first(segment_1, 1);
    }

    @id(SEGMENTS_2_ACTION_ID)
    action segments_2(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2) {
        first(segment_1, 2);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_2;
    }

    @id(SEGMENTS_3_ACTION_ID)
    action segments_3(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3) {
        first(segment_1, 3);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_3;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_2;
    }

    @id(SEGMENTS_4_ACTION_ID)
    action segments_4(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4) {
        first(segment_1, 4);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_4;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_3;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_2;
    }

    @id(SEGMENTS_5_ACTION_ID)
    action segments_5(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5) {
        first(segment_1, 5);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_5;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_4;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_3;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_2;
    }

    @id(SEGMENTS_6_ACTION_ID)
    action segments_6(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6) {
        first(segment_1, 6);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_6;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_5;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_4;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_3;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_2;
    }

    @id(SEGMENTS_7_ACTION_ID)
    @noWarn("unused")
    action segments_7(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7) {
        first(segment_1, 7);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_7;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_6;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_5;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_4;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_3;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_2;
    }

    @id(SEGMENTS_8_ACTION_ID)
    @noWarn("unused")
    action segments_8(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8) {
        first(segment_1, 8);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_8;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_7;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_6;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_5;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_4;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_3;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_2;
    }

    @id(SEGMENTS_9_ACTION_ID)
    @noWarn("unused")
    action segments_9(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9) {
        first(segment_1, 9);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_9;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_8;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_7;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_6;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_5;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_4;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_3;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_2;
    }

    @id(SEGMENTS_10_ACTION_ID)
    @noWarn("unused")
    action segments_10(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10) {
        first(segment_1, 10);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_10;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_9;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_8;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_7;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_6;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_5;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_4;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_3;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_2;
    }

    @id(SEGMENTS_11_ACTION_ID)
    @noWarn("unused")
    action segments_11(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10,
            @id(11) ipv6_t_addr segment_11) {
        first(segment_1, 11);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_11;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_10;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_9;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_8;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_7;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_6;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_5;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_4;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_3;
        hdr.outer_segments[9].setValid();
        hdr.outer_segments[9].sid = segment_2;
    }

    @id(SEGMENTS_12_ACTION_ID)
    @noWarn("unused")
    action segments_12(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10,
            @id(11) ipv6_t_addr segment_11,
            @id(12) ipv6_t_addr segment_12) {
        first(segment_1, 12);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_12;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_11;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_10;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_9;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_8;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_7;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_6;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_5;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_4;
        hdr.outer_segments[9].setValid();
        hdr.outer_segments[9].sid = segment_3;
        hdr.outer_segments[10].setValid();
        hdr.outer_segments[10].sid = segment_2;
    }

    @id(SEGMENTS_13_ACTION_ID)
    @noWarn("unused")
    action segments_13(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10,
            @id(11) ipv6_t_addr segment_11,
            @id(12) ipv6_t_addr segment_12,
            @id(13) ipv6_t_addr segment_13) {
        first(segment_1, 13);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_13;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_12;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_11;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_10;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_9;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_8;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_7;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_6;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_5;
        hdr.outer_segments[9].setValid();
        hdr.outer_segments[9].sid = segment_4;
        hdr.outer_segments[10].setValid();
        hdr.outer_segments[10].sid = segment_3;
        hdr.outer_segments[11].setValid();
        hdr.outer_segments[11].sid = segment_2;
    }

    @id(SEGMENTS_14_ACTION_ID)
    @noWarn("unused")
    action segments_14(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10,
            @id(11) ipv6_t_addr segment_11,
            @id(12) ipv6_t_addr segment_12,
            @id(13) ipv6_t_addr segment_13,
            @id(14) ipv6_t_addr segment_14) {
        first(segment_1, 14);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_14;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_13;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_12;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_11;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_10;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_9;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_8;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_7;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_6;
        hdr.outer_segments[9].setValid();
        hdr.outer_segments[9].sid = segment_5;
        hdr.outer_segments[10].setValid();
        hdr.outer_segments[10].sid = segment_4;
        hdr.outer_segments[11].setValid();
        hdr.outer_segments[11].sid = segment_3;
        hdr.outer_segments[12].setValid();
        hdr.outer_segments[12].sid = segment_2;
    }

    @id(SEGMENTS_15_ACTION_ID)
    @noWarn("unused")
    action segments_15(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10,
            @id(11) ipv6_t_addr segment_11,
            @id(12) ipv6_t_addr segment_12,
            @id(13) ipv6_t_addr segment_13,
            @id(14) ipv6_t_addr segment_14,
            @id(15) ipv6_t_addr segment_15) {
        first(segment_1, 15);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_15;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_14;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_13;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_12;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_11;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_10;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_9;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_8;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_7;
        hdr.outer_segments[9].setValid();
        hdr.outer_segments[9].sid = segment_6;
        hdr.outer_segments[10].setValid();
        hdr.outer_segments[10].sid = segment_5;
        hdr.outer_segments[11].setValid();
        hdr.outer_segments[11].sid = segment_4;
        hdr.outer_segments[12].setValid();
        hdr.outer_segments[12].sid = segment_3;
        hdr.outer_segments[13].setValid();
        hdr.outer_segments[13].sid = segment_2;
    }

    @id(SEGMENTS_16_ACTION_ID)
    @noWarn("unused")
    action segments_16(
            @id(1) ipv6_t_addr segment_1,
            @id(2) ipv6_t_addr segment_2,
            @id(3) ipv6_t_addr segment_3,
            @id(4) ipv6_t_addr segment_4,
            @id(5) ipv6_t_addr segment_5,
            @id(6) ipv6_t_addr segment_6,
            @id(7) ipv6_t_addr segment_7,
            @id(8) ipv6_t_addr segment_8,
            @id(9) ipv6_t_addr segment_9,
            @id(10) ipv6_t_addr segment_10,
            @id(11) ipv6_t_addr segment_11,
            @id(12) ipv6_t_addr segment_12,
            @id(13) ipv6_t_addr segment_13,
            @id(14) ipv6_t_addr segment_14,
            @id(15) ipv6_t_addr segment_15,
            @id(16) ipv6_t_addr segment_16) {
        first(segment_1, 16);
        hdr.outer_segments[0].setValid();
        hdr.outer_segments[0].sid = segment_16;
        hdr.outer_segments[1].setValid();
        hdr.outer_segments[1].sid = segment_15;
        hdr.outer_segments[2].setValid();
        hdr.outer_segments[2].sid = segment_14;
        hdr.outer_segments[3].setValid();
        hdr.outer_segments[3].sid = segment_13;
        hdr.outer_segments[4].setValid();
        hdr.outer_segments[4].sid = segment_12;
        hdr.outer_segments[5].setValid();
        hdr.outer_segments[5].sid = segment_11;
        hdr.outer_segments[6].setValid();
        hdr.outer_segments[6].sid = segment_10;
        hdr.outer_segments[7].setValid();
        hdr.outer_segments[7].sid = segment_9;
        hdr.outer_segments[8].setValid();
        hdr.outer_segments[8].sid = segment_8;
        hdr.outer_segments[9].setValid();
        hdr.outer_segments[9].sid = segment_7;
        hdr.outer_segments[10].setValid();
        hdr.outer_segments[10].sid = segment_6;
        hdr.outer_segments[11].setValid();
        hdr.outer_segments[11].sid = segment_5;
        hdr.outer_segments[12].setValid();
        hdr.outer_segments[12].sid = segment_4;
        hdr.outer_segments[13].setValid();
        hdr.outer_segments[13].sid = segment_3;
        hdr.outer_segments[14].setValid();
        hdr.outer_segments[14].sid = segment_2;
    }

    // A hit: the packet gets the chosen member's segments. Written by the controller with one-shot
    // action sets, one per policy and direction.
    @id(SID_LIST_TABLE_ID)
    @oneshot
    table sid_list {
        key = {
            meta.sid_list : exact @id(1) @name("id");
            meta.flow_src : selector;
            meta.flow_dst : selector;
            meta.flow_protocol : selector;
            meta.src_port : selector;
            meta.dst_port : selector;
        }
        actions = {
            SID_LIST_ACTIONS
            @defaultonly NoAction;
        }
        implementation = sid_list_selector;
        size = SID_LIST_SIZE;
    }

    apply {
        sid_list.apply();
    }
}

#endif
