// SPDX-License-Identifier: Apache-2.0
// Decides if a copy of a Live-Live packet is the first one (docs/reference/livelive.md).
//
// A flow has a window of slots, of which sequence mod 4096 names one; a slot remembers the epoch and
// sequence number last seen there, and over which paths it came. A packet is new if its own are
// larger, a duplicate if equal, and too late if smaller. Epochs are compared as serial numbers
// (RFC 1982), sequence numbers never wrap.
//
//   slot:        flow id 32 | paths 16 | time 48 | epoch 16 | sequence 64
//   last_first:  flow id 32 | time 48 | epoch 16 | sequence 64       of the packet delivered last
//
// A slot of another flow, which had the window before, or of epoch 0 has seen nothing.
#ifndef DEDUP_P4
#define DEDUP_P4

#include "decapsulate.p4"
#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

typedef bit<6> window_t;

// Microseconds. While a flow lives its numbers do not jump, and a slot that is so old keeps no packet out any
// more.
const bit<48> LIVES = 1 << 18;
const bit<48> FORGET = 1 << 22;
const sequence_t MAX_AHEAD = 1 << 24;

@noWarn("unused")
control dedup_control(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {

    decapsulate_control() decapsulate;

    // Cells: window * 16 + path.
    @id(DEDUP_FIRST_ARRAY_ID)
    counter(DEDUP_CELLS, CounterType.packets_and_bytes) dedup_first;
    @id(DEDUP_DUPLICATE_ARRAY_ID)
    counter(DEDUP_CELLS, CounterType.packets_and_bytes) dedup_duplicate;
    @id(DEDUP_LATE_ARRAY_ID)
    counter(DEDUP_CELLS, CounterType.packets_and_bytes) dedup_late;

    // Cells: (window * 16 + path) * 16 + class. How long after the first a duplicate came: class 0 is
    // below 128 us, every further one up to twice as long, class 15 from 2^21 us on.
    @id(DEDUP_DELAY_ARRAY_ID)
    counter(DELAY_CELLS, CounterType.packets_and_bytes) dedup_delay;

    // Cells: path. Copies of no flow that ends here, and copies without a valid number.
    @id(DEDUP_STRAY_ARRAY_ID)
    counter(PATH_CELLS, CounterType.packets_and_bytes) dedup_stray;
    @id(DEDUP_MALFORMED_ARRAY_ID)
    counter(PATH_CELLS, CounterType.packets_and_bytes) dedup_malformed;

    @id(SLOTS_REGISTER_ID)
    register<bit<176>>(WINDOW_SLOTS) slots;

    @id(LAST_FIRST_REGISTER_ID)
    register<bit<160>>(WINDOWS) last_first;

    window_t window_index = 0;

    @id(DEDUPLICATE_ACTION_ID)
    action deduplicate(@id(1) @name("window") window_t number) {
        window_index = number;
    }

    // A hit: the flow ends at this node, and has that window to itself. Written by the controller,
    // one entry per Live-Live flow at its egress.
    @id(DEDUP_FLOW_TABLE_ID)
    table dedup_flow {
        key = {
            hdr.live_live.flow_id : exact @id(1) @name("flow_id");
        }
        actions = {
            deduplicate;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = DEDUP_FLOW_SIZE;
    }

    apply {
        if (meta.behavior != behavior_t.DEDUP) {
            return;
        }
        bool first = false;
        // As the ingress builds it: nothing before the SRH, nothing between it and the inner packet.
        bool direct = hdr.ended_srh.isValid() && !hdr.before[0].isValid() && !hdr.srh.isValid();
        bool whole = direct && hdr.live_live.isValid()
            && hdr.live_live.epoch != 0 && hdr.live_live.sequence != 0
            && (hdr.inner_ipv6.isValid() || hdr.inner_ipv4.isValid());
        if (!whole) {
            dedup_malformed.count((bit<32>) meta.path);
        } else if (!dedup_flow.apply().hit) {
            dedup_stray.count((bit<32>) meta.path);
        } else {
            bit<32> cell = (bit<32>) (window_index ++ meta.path);
            bit<32> slot = (bit<32>) (window_index ++ hdr.live_live.sequence[11:0]);
            bit<48> now = standard_metadata.ingress_global_timestamp;
            bit<176> seen;
            bit<160> last;
            bit<16> own_path = 16w1 << meta.path;
            bool late = false;
            @atomic {
                slots.read(seen, slot);
                last_first.read(last, (bit<32>) window_index);
                bool known = seen[79:64] != 0 && seen[175:144] == hdr.live_live.flow_id;
                epoch_t ahead = hdr.live_live.epoch - seen[79:64];
                bool newer = !known || ahead != 0 && ahead < 0x8000
                    || ahead == 0 && hdr.live_live.sequence > seen[63:0];
                bool forgotten = now - seen[127:80] >= FORGET;
                bool lives = last[79:64] != 0 && last[159:128] == hdr.live_live.flow_id
                    && now - last[127:80] < LIVES;
                epoch_t leap = hdr.live_live.epoch - last[79:64];
                bool jumps = lives && (leap != 0 && leap < 0x8000
                    || leap == 0 && hdr.live_live.sequence > last[63:0]
                        && hdr.live_live.sequence - last[63:0] > MAX_AHEAD);
                if (jumps) {
                    late = true;
                } else if (known && ahead == 0 && hdr.live_live.sequence == seen[63:0]) {
                    late = (seen[143:128] & own_path) != 0;
                    slots.write(slot, seen[175:144] ++ (seen[143:128] | own_path) ++ seen[127:0]);
                } else if (newer || forgotten) {
                    first = true;
                    slots.write(slot, hdr.live_live.flow_id ++ own_path ++ now
                        ++ hdr.live_live.epoch ++ hdr.live_live.sequence);
                    last_first.write((bit<32>) window_index,
                        hdr.live_live.flow_id ++ now ++ hdr.live_live.epoch ++ hdr.live_live.sequence);
                } else {
                    late = true;
                }
            }
            if (first) {
                dedup_first.count(cell);
            } else if (late) {
                dedup_late.count(cell);
            } else {
                dedup_duplicate.count(cell);
                bit<48> behind = now - seen[127:80];
                bit<4> class = 0;
                if (behind >= 1 << 7) { class = 1; }
                if (behind >= 1 << 8) { class = 2; }
                if (behind >= 1 << 9) { class = 3; }
                if (behind >= 1 << 10) { class = 4; }
                if (behind >= 1 << 11) { class = 5; }
                if (behind >= 1 << 12) { class = 6; }
                if (behind >= 1 << 13) { class = 7; }
                if (behind >= 1 << 14) { class = 8; }
                if (behind >= 1 << 15) { class = 9; }
                if (behind >= 1 << 16) { class = 10; }
                if (behind >= 1 << 17) { class = 11; }
                if (behind >= 1 << 18) { class = 12; }
                if (behind >= 1 << 19) { class = 13; }
                if (behind >= 1 << 20) { class = 14; }
                if (behind >= 1 << 21) { class = 15; }
                dedup_delay.count((bit<32>) (window_index ++ meta.path ++ class));
            }
        }
        if (first) {
            decapsulate.apply(hdr, meta);
        } else {
            mark_to_drop(standard_metadata);
            meta.done = 1;
        }
    }
}

#endif
