/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Map layouts and limits shared by the programs and the agent (docs/reference/firewall-node.md).
 * All maps live as long as the program is attached; a restarted agent finds them through it.
 */
#ifndef SERA_H
#define SERA_H

#include "errors.h"
#include "maps.h"
#include "extension.h"
#include "packet.h"

#define PROTO_ICMP 1
#define PROTO_DCCP 33
#define PROTO_SCTP 132
#define PROTO_UDPLITE 136
#define PACKET_HOST 0
#define TCX_NEXT (-1)

#define MAX_RULES 4096
#define WORDS 64 /* of 64 rules: a summary of them is one word */
#define MAX_SETS 1024
#define MAX_COUNTERS (65536 + 8192) /* of rules and SIDs */
#define INSTANCES 256
#define REASONS 16
#define MAX_FLOWS 1048576
#define MAX_TCP_OPTIONS 40
#define OPTIONS_ROOM (64 + 64) /* every offset below 64, and the longest selective acknowledgment behind it */

/* Cells of firewall_dropped are 16 * instance + reason. */
enum { DROP_UNABLE, DROP_MALFORMED, DROP_BAD_ARGS, DROP_NO_RULE, DROP_LAST_HOP, DROP_FLOWS, FLOW_EVICTED /* no packet, but a flow */, NO_REASON = 0xff };

/* As the agent numbers the actions of the contract. */
enum { VERDICT_DROP, VERDICT_GO_NEXT, VERDICT_SKIP_NEXT, VERDICT_GO_LAST, VERDICT_EVAL_ARGS };

struct settings {
	__u32 far;   /* ifindex of the pair's far end */
	__u32 stack; /* ifindex and MAC address of a device whose arrivals the kernel routes */
	__u8 stack_mac[6];
	__u8 pad[2];
	__u8 source[16]; /* of ICMPv6 errors; :: is none */
};

enum { SID_NONE, SID_SERA };

/* A my_sid row; SID_NONE is another one, or an address of the node: the kernel takes it. */
struct sid {
	__u8 kind;
	__u8 stateful;
	__u16 instance;
	__u32 firewall;
	__u8 block; /* bits of it */
	__u8 bits;  /* of the SID: block, node and function */
	__u8 usid;  /* of one uSID; 0: the SID is none of a container */
	__u8 args;  /* of the arguments */
	__u32 local_start;
	__u32 flows;
	__u32 counter;
};

#include "sids.h"

/*
 * A compiled set of rules is one array of pages, which is exchanged whole. Page 0 says where the rest is. A field that rules
 * look at has classes of its values, and each class a row: which rules the value is good for. The rules that are good for
 * a packet are in the rows of all its fields; the first of them is the one that judges it.
 *
 * A former agent's program goes on over the same map until it is exchanged: a change of the layout
 * of pages, or of the meaning of a byte in them, gives the map another name, so that each reads its own.
 */
#define PAGE_BYTES 4160
#define ROWS_OF_PAGE 8
#define RULES_OF_PAGE 128
#define KEYS_OF_PAGE 128
#define WIDES_OF_PAGE 2048
#define BYTES_OF_PAGE 8

enum { ADDR_SRC, ADDR_DST, ADDR_PREVIOUS, ADDR_NEXT, ADDR_LAST, ADDR_OUTER, ADDRS };
enum { WIDE_SRC_PORT, WIDE_DST_PORT, WIDE_TAG, WIDE_ARGS, WIDES };
enum { BYTE_TRAITS, BYTE_PROTOCOL, BYTE_TCP_FLAGS, BYTE_ICMP_TYPE, BYTE_ICMP_CODE, BYTE_NEXT_HDR, BYTE_HDR_LEN, BYTE_LEFT, BYTE_LAST_ENTRY,
       BYTE_SRH_FLAGS, BYTES };

/* Numbers of fields: addresses, then wide ones, then bytes. */
#define WIDE_FIELD ADDRS
#define BYTE_FIELD (ADDRS + WIDES)
#define FIELDS (ADDRS + WIDES + BYTES)

/*
 * Bits of BYTE_TRAITS: `has` of the table, and fields of one bit. EXCEPTION is no column of the table: with ESTABLISHED the
 * packet is RELATED to a flow, without it INVALID.
 */
enum { HAS_PORTS = 1, HAS_ICMP = 2, HAS_SRH = 4, HAS_PREVIOUS = 8, HAS_NEXT = 16, ESTABLISHED = 32, FOUR = 64, EXCEPTION = 128 };

struct row {
	__u64 summary;
	__u64 word[WORDS];
};

struct rule {
	__u32 counter;
	__u32 priority;
	__u8 verdict;
	__u8 log;
	__u8 pad[6];
	__u64 hash; /* of the contract's row */
};

/* Keys in their order, the first one all zeros; the rest of a page is all ones. */
struct keys {
	__u64 hi[KEYS_OF_PAGE];
	__u64 lo[KEYS_OF_PAGE];
	__u16 class[KEYS_OF_PAGE];
};

struct head {
	__u32 used;	       /* a bit for each field that rules look at */
	__u32 deep;	       /* addresses whose first page selects among pages */
	__u32 rules;	       /* how many */
	__u32 first_rule_page;
	__u32 first_row[FIELDS];
	__u32 table[FIELDS]; /* of an address or a wide field: its first page */
	__u32 leaves[ADDRS];
	__u32 byte_page;
	__u32 asks_next; /* whether a rule asks where go_next leads */
	__u64 hash; /* of all rules */
};

struct page {
	union {
		struct head head;
		struct row rows[ROWS_OF_PAGE];
		struct rule rules[RULES_OF_PAGE];
		struct keys keys;
		__u16 wides[WIDES_OF_PAGE];
		__u16 bytes[BYTES_OF_PAGE][256];
		__u8 raw[PAGE_BYTES];
	};
};

struct pages {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_INNER_MAP);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct page));
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, MAX_SETS);
	__type(key, __u32);
	__array(values, struct pages);
} rule_sets SEC(".maps");

MAP(settings_map, BPF_MAP_TYPE_ARRAY, __u32, struct settings, 1);
MAP(row_counts, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counters, MAX_COUNTERS);
MAP(row_hits, BPF_MAP_TYPE_ARRAY, __u32, __u64, MAX_COUNTERS); /* when rules were hit last, of the clock since boot; 0: never */
MAP(firewall_drops, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counters, INSTANCES * REASONS);

/*
 * The values of a packet in the columns of the table: numbers in the order of the host; 0 where it
 * has none, as `traits` says.
 */
struct facts {
	__u64 addr[ADDRS][2];
	__u16 wide[WIDES];
	__u8 byte[BYTES + 2];
};

/*
 * The position of a packet on its path: rest is the rest of the container, on the left, da and sl
 * the new destination and SL of the packet.
 */
struct cursor {
	__u64 rest[2];
	__u64 da[2];
	__u32 sl;
	__u32 srh_at; /* 0: there is none */
};

struct flow_key {
	__u8 low[16]; /* the lower end first, so that both directions have one key */
	__u8 high[16];
	__be16 low_port;
	__be16 high_port;
	__u16 instance;
	__u8 protocol;
	__u8 asks; /* of an ICMP query: 1 if the lower end asks, 2 if the higher one does; else 0 */
};

/* A segment of TCP as the connection sees it. */
struct segment {
	__u32 seq;
	__u32 ack;
	__u32 end;  /* behind its last octet; SYN and FIN count as one each */
	__u32 sack; /* the highest octet that it acknowledges, selectively or not */
	__u16 win;
	__u8 kind;
	__u8 has_ack;
	__u8 has_options;
	__u8 options; /* bits of struct stream */
	__u8 scale;
	__u8 has_sack;
};

/* The octets that one end of a connection has sent, and those that the other end permits it to send. */
struct stream {
	__u32 end;     /* behind the last octet that was sent */
	__u32 max_end; /* behind the last one that may be sent */
	__u32 max_win; /* the widest window that this end has offered; 0: it has sent nothing yet */
	__u32 max_ack; /* the highest octet that this end has acknowledged */
	__u8 scale;    /* of its windows (RFC 7323, 2.2) */
	__u8 flags;
	__u8 pad[2];
};

/* The part of a TCP connection's state that flows of other protocols do not have. */
struct connection {
	struct stream of[2]; /* of the end that opened it, of the other end */
	__u32 last_seq;
	__u32 last_ack;
	__u32 last_end;
	__u16 last_win;
	__u8 last_kind;
	__u8 last_end_of; /* index of the end that sent it */
	__u8 last_flags;
	__u8 last_scale;
	__u8 repeated; /* acknowledgments in a row that are alike */
	__u8 last_passed_by; /* the last segment was ignored */
};

/* The data about a packet on its path through the program. A change of its layout changes the name of its map. */
struct work {
	struct facts facts;
	struct ipv6 ip;
	struct srh srh;
	struct cursor cursor;
	struct flow_key flow;
	__u64 da[2];
	__u32 srh_at; /* 0: there is none */
	__u32 end;    /* of the packet, without the link's padding */
	__u32 l4;     /* where the inner header of layer four begins; 0 where it is not to be read */
	__u32 l4_end; /* where the inner packet ends */
	__u8 parted; /* more than one packet: lengths inside are those of all */
	__u8 high_first; /* whether the higher end of its flow has sent it */
	__u8 later;	 /* a later fragment */
	__u8 known;	 /* its flow is there already */
	__u8 options[OPTIONS_ROOM];
	struct segment segment;
	struct connection connection;
	__u8 chunk[CHUNK_ROOM];
	struct icmpv6_error error;
};

MAP(workspace, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct work, 1);

static __always_inline struct work *work(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&workspace, &zero);
}

/* A super-packet counts as the packets that it becomes on the wire. */
static __always_inline void count_skb(struct counters *c, const struct __sk_buff *skb)
{
	__sync_fetch_and_add(&c->packets, skb->gso_segs ?: 1);
	__sync_fetch_and_add(&c->bytes, skb->wire_len);
}

static __always_inline void count_row(const struct __sk_buff *skb, __u32 counter)
{
	struct counters *c = bpf_map_lookup_elem(&row_counts, &counter);

	if (c)
		count_skb(c, skb);
}

/*
 * All processors write to one place, so only a changed time is written: the coarse clock goes on
 * every few milliseconds, and between its ticks packets only read.
 */
static __always_inline void hit_row(__u32 counter)
{
	__u64 now = bpf_ktime_get_coarse_ns(), *last = bpf_map_lookup_elem(&row_hits, &counter);

	if (last && *last != now)
		*last = now;
}

static __always_inline int drop(const struct __sk_buff *skb, const struct sid *sid, __u32 reason)
{
	__u32 cell = (sid->instance & (INSTANCES - 1)) * REASONS + reason;
	struct counters *c = bpf_map_lookup_elem(&firewall_drops, &cell);

	if (c)
		count_skb(c, skb);
	return TC_ACT_SHOT;
}

static __always_inline void be128(const __u8 *a, __u64 *out)
{
	__u64 w[2];

	__builtin_memcpy(w, a, 16);
	out[0] = bpf_be64_to_cpu(w[0]);
	out[1] = bpf_be64_to_cpu(w[1]);
}

#endif
