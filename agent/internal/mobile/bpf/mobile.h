/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Map layouts and limits shared by the program and the agent (docs/reference/mobile-node.md). All
 * maps live as long as the program is attached; a restarted agent finds them through it. Positions
 * are in bytes here, addresses of IPv4 in keys are ::ffff:0:0/96.
 */
#ifndef MOBILE_H
#define MOBILE_H

#include "drops.h"
#include "extension.h"
#include "gtp.h"
#include "prefix.h"

#ifndef BPF_F_ADJ_ROOM_DECAP_L3_IPV4 /* Linux 6.3 */
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV4 (1ULL << 7)
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV6 (1ULL << 8)
#endif

#define SEGMENT_BYTES 16
#define SESSION_BYTES 5 /* Args.Mob.Session (RFC 9433, 6.1) */
#define IPV4_ADDRESS_BYTES 4
#define PROTO_ICMP 1
#define PACKET_HOST 0
#define TCX_NEXT (-1)

/* Reasons of drops: drops.go has the sentences, and gtp_dropped of the P4Info the cells. */
enum {
	DROP_MALFORMED, DROP_NO_RULE, DROP_SEGMENTS_LEFT, DROP_TOO_BIG, DROP_INNER, DROP_NO_SOURCE, DROP_LAST_HOP,
	DROP_ADDRESS, DROP_NO_ROOM, DROP_NO_LIST, DROP_DISCARDED, DROP_NO_ROUTE,
};

#define MAX_MASKS 128
#define MAX_RULES 1024
#define MAX_RULE_PLACES (2 * MAX_RULES) /* a rule is exchanged by one beside it */
#define MAX_LISTS 16384
#define MAX_TUNNELS 131072
#define MAX_UES 131072
#define MAX_SEGMENTS 16

struct settings {
	__u32 near; /* ifindexes of the pair: packets sent into the near end arrive at the far end whole and done */
	__u32 far;
	__u32 stack; /* ifindex and MAC address of a device whose arrivals the kernel routes */
	__u8 stack_mac[6];
	__u16 mask_count;
	__u8 source[16]; /* of outer headers where nothing else is said, and of ICMPv6 errors; :: is none */
	__u8 address[4]; /* of ICMP errors; 0.0.0.0 is none */
	__u8 has_ues;
	__u8 has_ue_prefixes;
	__u8 pad[2];
};

enum { SID_NONE, SID_GTP4_E, SID_GTP6_E, SID_GTP6_D, SID_MAP };

/* A my_sid row; SID_NONE is another one, or an address of the node: the kernel takes it. */
struct sid {
	__u8 kind;
	__u8 at;
	__u8 source_at;
	__u8 pdu_type;
	__u8 container; /* 0 never, 1 where QFI or RQI is not 0, 2 always */
	__u8 pad;
	__be16 udp_source;
	__u8 address[16]; /* GTP6_E: the source; MAP: the new destination */
	struct counters arrived;
};

#include "sids.h"

/* A sid_list row: the first segment is the destination; the others stand as in an SRH, the last one first. */
struct list {
	__u32 segments;
	__u32 pad;
	__u8 first[16];
	__u8 others[MAX_SEGMENTS - 1][16];
};

struct tunnel_key {
	__u8 dst[16];
	__be32 teid;
};

struct tunnel {
	__u16 class;
	__u16 pad[3];
	struct counters entered;
};

#define MATCH_WORDS 10

/* The match of a rule, under a mask. */
struct match {
	__u8 src[16];
	__u8 dst[16];
	__u8 inner_src[16]; /* :: where nothing is inside that could be translated */
	__u8 inner_dst[16];
	__be32 teid;
	__u16 class;
	__u8 qfi;
	__u8 dscp;
	__u16 mask; /* index of the mask */
	__u16 pad[3];
};

struct mask {
	__u64 bits[MATCH_WORDS];
	__u32 used;
	__u32 pad;
};

/*
 * How GTP-U may be taken: whole only, or translated, from either family, with or without a sequence number, and that once
 * for each PDU Session Container: Args.Mob.Session has no bit for its PDU type (RFC 9433, 6.1).
 */
enum { WHOLE, FROM_IPV4, FROM_IPV4_SEQUENCED, FROM_IPV6, FROM_IPV6_SEQUENCED };
enum { NO_CONTAINER, DOWNLINK_CONTAINER, UPLINK_CONTAINER, CONTAINERS };
#define WAYS_OF_CONTAINER FROM_IPV6_SEQUENCED
#define WAYS (1 + CONTAINERS * WAYS_OF_CONTAINER)

/* The best rows of one match, by the packets they take: the rule's index + 1, 0 for none. */
struct choice {
	struct {
		__u32 priority;
		__u32 rule;
	} ways[WAYS];
};

enum { RULE_NONE, RULE_TRANSLATE, RULE_CARRY, RULE_DISCARD };

struct rule {
	__u32 action;
	__u32 list;
	__u8 args_at; /* these three: 0 is not written */
	__u8 address_at;
	__u8 source_at;
	__u8 keep_destination;
	__u8 has_source;
	__u8 way_value; /* as the row says it, to distinguish it from others of its match; the program knows */
	__u8 way_mask;
	__u8 pad;
	__u8 source[16];
};

/* A ue row. */
struct ue {
	__u32 list; /* 0: none */
	__u8 args_at; /* 0 is not written */
	__u8 args[SESSION_BYTES];
	__u8 has_last;
	__u8 has_source;
	__u8 last[16];
	__u8 source[16];
	__u8 pad[4];
	struct counters sent;
};

MAP(settings_map, BPF_MAP_TYPE_ARRAY, __u32, struct settings, 1);
MAP(masks, BPF_MAP_TYPE_ARRAY, __u32, struct mask, MAX_MASKS);
MAP(choices, BPF_MAP_TYPE_HASH, struct match, struct choice, MAX_RULE_PLACES);
MAP(rules, BPF_MAP_TYPE_ARRAY, __u32, struct rule, MAX_RULE_PLACES);
MAP(rule_counts, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counters, MAX_RULE_PLACES);

/* Not allocated beforehand: a node may use none of the room. */
#define LARGE_MAP(name, kind, k, v, size)                  \
	struct {                                           \
		__uint(type, kind);                        \
		__uint(map_flags, BPF_F_NO_PREALLOC);      \
		__type(key, k);                            \
		__type(value, v);                          \
		__uint(max_entries, size);                 \
	} name SEC(".maps")

LARGE_MAP(lists, BPF_MAP_TYPE_HASH, __u32, struct list, MAX_LISTS);
LARGE_MAP(tunnels, BPF_MAP_TYPE_HASH, struct tunnel_key, struct tunnel, MAX_TUNNELS);
/* Whole addresses, as nearly all are, and prefixes. */
LARGE_MAP(ues, BPF_MAP_TYPE_HASH, struct prefix, struct ue, MAX_UES);
LPM(ue_prefixes, struct prefix, struct ue, MAX_UES);

/* The verifier allows no pointer into the context, which a compiler would keep for the next time. */
#define READ_CONTEXT(name, field)                                                          \
	static __always_inline __u32 name(const struct __sk_buff *skb)                     \
	{                                                                                  \
		__u32 value;                                                               \
                                                                                           \
		asm volatile("%[value] = *(u32 *)(%[skb] + %[at])"                         \
			     : [value] "=r"(value)                                         \
			     : [skb] "r"(skb), [at] "i"(__builtin_offsetof(struct __sk_buff, field))); \
		return value;                                                              \
	}

READ_CONTEXT(device, ifindex)
READ_CONTEXT(segments_of, gso_size)
READ_CONTEXT(frame_bytes, len)

static __always_inline int is_zero(const __u8 *address)
{
	const __u32 *words = (const __u32 *)address;

	return !(words[0] | words[1] | words[2] | words[3]);
}

/* Bytes behind the link's header: skb->csum counts them where the device has summed them up. */
static __always_inline int store(struct __sk_buff *skb, __u32 offset, const void *from, __u32 bytes)
{
	return bpf_skb_store_bytes(skb, offset, from, bytes, BPF_F_RECOMPUTE_CSUM);
}

static __always_inline int store_link(struct __sk_buff *skb, const void *from, __u32 bytes, __u32 offset)
{
	return bpf_skb_store_bytes(skb, offset, from, bytes, 0);
}

#endif
