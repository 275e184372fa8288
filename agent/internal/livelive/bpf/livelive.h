/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Map layouts and limits shared by the programs and the agent (docs/reference/livelive.md). All
 * maps live as long as the programs are attached; a restarted agent finds them through the
 * programs.
 */
#ifndef LIVELIVE_H
#define LIVELIVE_H

#include "drops.h"
#include "flow_key.h"

#define TLV_BYTES 16
#define TLV_HEAD 0x7c0e

/* Reasons of drops, besides those counted per path: counters.go has the sentences. */
enum {
	DROP_NO_WINDOW, DROP_NOT_UNWRAPPED, DROP_TAG, DROP_NO_RULE, DROP_LAST_HOP, DROP_SHORT, DROP_NO_SEQUENCE,
	DROP_NO_PATH, DROP_NO_ROOM, DROP_NOT_SENT,
};

#define MAX_MASKS 32
#define MAX_RULES 512
#define MAX_PATHS 15
#define MAX_WINDOWS 64
#define MAX_ENDS (2 * MAX_WINDOWS) /* a flow may take a window over before the one that had it goes */
#define SLOTS 65536
#define DELAY_CLASSES 16
#define MAX_SEGMENTS 16
#define MAX_HEADER (IPV6_BYTES + SRH_BYTES + 16 * (MAX_SEGMENTS - 1) + TLV_BYTES)
#define MIN_HEADER (IPV6_BYTES + SRH_BYTES + 16 + TLV_BYTES)

struct tlv {
	__be16 head;
	__be16 epoch;
	__be32 flow_id;
	__be64 sequence;
};

/* One row, written by the agent when it attaches the programs. */
struct settings {
	__u32 numbering; /* ifindex of the pair's near end, whose far end numbers arriving packets */
	__u32 stack; /* ifindex and MAC address of a device whose arrivals the kernel routes */
	__u8 stack_mac[6];
	__u16 mask_count; /* of the masks in use, the highest index + 1 */
};

#define KEY_WORDS (sizeof(struct flow_key) / 8)

/* Every distinct mask of flow rows once; not in use while its family is 0. */
struct flow_mask {
	__u64 bits[KEY_WORDS];
	__u32 used;
	__u32 pad;
};

/* A row of flow_v6 or flow_v4. */
struct flow {
	__u32 priority;
	__u32 rule; /* index of its rule */
};

struct rule {
	__u32 flow_id;
	__u32 group;
	__u32 paths; /* bits: those up to the number of copies */
	__u32 pad;
};

/*
 * A row of copy: everything in front of the inner packet; the program fills in the fields that
 * differ per packet.
 */
struct path {
	__u32 header_bytes;
	__u32 pad;
	__u8 header[MAX_HEADER];
};

/* The key of a path: group * 16 + number. */

/* A my_sid row with action dedup; path 0: an address or another SID that the kernel takes itself. */
struct sid {
	__u32 path;
	__u32 pad;
	struct counters arrived;
};

#include "sids.h"

/*
 * Where a flow remembers a packet. `seen` is its number: epoch and the upper 48 bits of the
 * sequence number, whose lower 16 are the slot's index; 0 is empty, as no epoch is 0. One
 * compare-and-swap of it decides which copy is the first. `told` is further knowledge about that
 * packet: when it came (microseconds, 40 bits), the lowest byte of the number it is about, and over
 * which paths it has come (bits 0 to 15). It is of another number for the moment between the two
 * writes.
 */
struct slot {
	__u64 seen;
	__u64 told;
};

/*
 * A flow that ends here; the agent writes the window. The last delivered number, and its time
 * (microseconds), need not be of the same packet: they are used only to see whether numbers jump
 * while the flow lives.
 */
struct end {
	__u32 window;
	__u32 pad;
	__u64 last;
	__u64 when;
};

struct cell {
	struct counters first;
	struct counters duplicate;
	struct counters late;
	struct counters delay[DELAY_CLASSES];
};

struct path_cell {
	struct counters stray;
	struct counters malformed;
};

MAP(settings_map, BPF_MAP_TYPE_ARRAY, __u32, struct settings, 1);
MAP(masks, BPF_MAP_TYPE_ARRAY, __u32, struct flow_mask, MAX_MASKS);
MAP(flows, BPF_MAP_TYPE_HASH, struct flow_key, struct flow, MAX_RULES);
MAP(rules, BPF_MAP_TYPE_ARRAY, __u32, struct rule, MAX_RULES);
MAP(rule_counts, BPF_MAP_TYPE_ARRAY, __u32, struct counters, MAX_RULES);
/* The last sequence number of a group; only the programs write it once it is there. */
MAP(sequences, BPF_MAP_TYPE_HASH, __u32, __u64, MAX_RULES);
/* The paths of a group, as bits. */
MAP(groups, BPF_MAP_TYPE_HASH, __u32, __u32, MAX_RULES);
MAP(paths, BPF_MAP_TYPE_HASH, __u32, struct path, 1024);
MAP(path_counts, BPF_MAP_TYPE_HASH, __u32, struct counters, 1024);
MAP(cells, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct cell, MAX_WINDOWS * 16);
MAP(path_cells, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct path_cell, 16);
/* By flow id. */
MAP(ends, BPF_MAP_TYPE_HASH, __u32, struct end, MAX_ENDS);
/* The memory of a flow, by its id: made with the flow and gone with it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__type(key, __u32);
	__uint(max_entries, MAX_ENDS);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_ARRAY);
		__uint(key_size, sizeof(__u32));
		__uint(value_size, sizeof(struct slot));
		__uint(max_entries, SLOTS);
	});
} windows SEC(".maps");

#endif
