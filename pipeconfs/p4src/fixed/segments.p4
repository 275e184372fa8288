// SPDX-License-Identifier: Apache-2.0
// Written by ./sextant fmt (lab/sextantlab/segments.py): do not edit. Included by sid_list.p4 in its control.

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

    // How long a list a target pushes: one of these is its SEGMENTS.
    #define SEGMENTS_1_TO_1 segments_1;
    #define SEGMENTS_1_TO_2 SEGMENTS_1_TO_1 segments_2;
    #define SEGMENTS_1_TO_3 SEGMENTS_1_TO_2 segments_3;
    #define SEGMENTS_1_TO_4 SEGMENTS_1_TO_3 segments_4;
    #define SEGMENTS_1_TO_5 SEGMENTS_1_TO_4 segments_5;
    #define SEGMENTS_1_TO_6 SEGMENTS_1_TO_5 segments_6;
    #define SEGMENTS_1_TO_7 SEGMENTS_1_TO_6 segments_7;
    #define SEGMENTS_1_TO_8 SEGMENTS_1_TO_7 segments_8;
    #define SEGMENTS_1_TO_9 SEGMENTS_1_TO_8 segments_9;
    #define SEGMENTS_1_TO_10 SEGMENTS_1_TO_9 segments_10;
    #define SEGMENTS_1_TO_11 SEGMENTS_1_TO_10 segments_11;
    #define SEGMENTS_1_TO_12 SEGMENTS_1_TO_11 segments_12;
    #define SEGMENTS_1_TO_13 SEGMENTS_1_TO_12 segments_13;
    #define SEGMENTS_1_TO_14 SEGMENTS_1_TO_13 segments_14;
    #define SEGMENTS_1_TO_15 SEGMENTS_1_TO_14 segments_15;
    #define SEGMENTS_1_TO_16 SEGMENTS_1_TO_15 segments_16;
