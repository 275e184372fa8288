/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The program's data about a packet while it handles it, and the headers that it writes: more than
 * a stack has room for.
 */
#ifndef WORK_H
#define WORK_H

#include "errors.h"
#include "mobile.h"

/* A packet on its way through the program. */
struct packet {
	__u32 bytes; /* of the IP packet, without the link's padding */
	__u32 strip; /* of it: the headers in front of the part that stays */
	__u32 flow;  /* a hash of the flow inside, never 0 */
	__u8 four;   /* IPv4 outside */
	__u8 tos;
	__u8 hops;
	__u8 protocol; /* of the part that stays, as IPv6 calls it */
	__u8 src[16];
	__u8 dst[16];
	__u8 inner_src[16]; /* of the packet inside, once it is read */
	__u8 inner_dst[16];
};

struct session {
	__be32 teid;
	__u8 qfi;
	__u8 qos; /* the first byte of Args.Mob.Session: QFI, R, U = 0 */
	__u8 sequenced;
	__u8 translatable;
	__u8 container; /* NO_CONTAINER, or the PDU type's */
};

struct outer {
	struct ipv6 ip;
	struct srh srh;
	__u8 last[16];
};

/* The header behind the new IP header. */
struct tunnel_header {
	struct udp udp;
	struct gtpu gtp;
	struct {
		__be16 sequence;
		__u8 npdu;
		__u8 next;
		__u8 container[4];
	} optional;
};

struct gtp4 {
	struct ipv4 ip;
	struct tunnel_header tunnel;
};

struct gtp6 {
	struct ipv6 ip;
	struct tunnel_header tunnel;
};

struct too_big4 {
	struct ipv4 ip;
	__u8 type;
	__u8 code;
	__be16 checksum;
	__be16 unused;
	__be16 mtu;
};

struct relayed {
	struct ipv4 ip;
	__u8 type;
	__u8 code;
	__be16 checksum;
	__be16 unused;
	__be16 mtu;
	struct ipv4 quoted;
	struct udp udp;
	struct gtpu gtp;
};

struct way {
	struct ethernet ethernet;
	__u16 pad;
	__u32 to;
	__u32 flags;
	__u32 mtu; /* of a packet that does not fit, 0 if it does */
	__u8 hops_less;
};

struct work {
	struct packet packet;
	struct session session;
	struct walk walk;
	struct match match;
	union {
		struct match match;
		__u64 words[MATCH_WORDS];
	} masked;
	struct bpf_fib_lookup route;
	struct way way;
	union {
		struct outer outer;
		struct gtp4 gtp4;
		struct gtp6 gtp6;
		struct too_big4 too_big4;
		struct relayed relayed;
	};
	struct icmpv6_error error;
	struct ipv6 quoted;
	struct prefix own; /* an address that may be the node's */
	__u8 sid[16];
	__be32 words[2];
	__u8 chunk[CHUNK_ROOM];
};

/* By its size: the agent does not read it. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct work));
	__uint(max_entries, 1);
} works SEC(".maps");

static __always_inline struct work *work(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&works, &zero);
}

#endif
