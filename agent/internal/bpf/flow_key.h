/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The key of a flow: the 5-tuple, also of fragments. */
#ifndef FLOW_KEY_H
#define FLOW_KEY_H

#include "extension.h"

#define MAX_DATAGRAMS 4096
#define DATAGRAM_MICROS 30000000ULL /* no kernel waits longer for the rest of a datagram (net.ipv4.ipfrag_time) */

/* A packet under a mask. IPv4 addresses stand in the first four bytes; ports are big-endian. */
struct flow_key {
	__u8 src[16];
	__u8 dst[16];
	__u16 src_port;
	__u16 dst_port;
	__u8 protocol;
	__u8 family; /* 4 or 6 */
	__u16 mask; /* index of the mask */
};

/* Fragments are those of a datagram by these (RFC 8200, 4.5; RFC 791, 2.3). The protocol is 0 for IPv6. */
struct datagram_key {
	__u8 src[16];
	__u8 dst[16];
	__u32 id;
	__u8 protocol;
	__u8 family;
	__u16 pad;
};

/* The ports of its first fragment, and the time when that came (microseconds). */
struct datagram {
	__u16 src_port;
	__u16 dst_port;
	__u8 protocol;
	__u8 pad[3];
	__u64 when;
};

/* Written and read by the programs alone. */
MAP(datagrams, BPF_MAP_TYPE_LRU_HASH, struct datagram_key, struct datagram, MAX_DATAGRAMS);

/* Only of fragments more than the place is filled in. */
struct fragment {
	__u32 place;
	__u32 l4; /* where the datagram's header of layer four begins, in its first fragment */
	struct datagram_key of;
	__u8 protocol;
};

/* The two ports, where the packet has them: TCP and UDP. */
static __always_inline void load_ports(struct __sk_buff *skb, __u32 offset, struct flow_key *key)
{
	__u16 ports[2];

	if (key->protocol != PROTO_TCP && key->protocol != PROTO_UDP)
		return;
	if (load(skb, offset, ports, sizeof(ports)) < 0)
		return;
	key->src_port = ports[0];
	key->dst_port = ports[1];
}

/*
 * The 5-tuple of an IPv6 packet, behind its extension headers; a fragment is one of protocol 44 without ports
 * (RFC 8200, 4.1).
 */
static __always_inline void read_ipv6_key(struct __sk_buff *skb, const struct ipv6 *ip,
					  struct flow_key *key, struct fragment *fragment)
{
	struct walk w;
	int chain = walk_ipv6(skb, ip, ETH_BYTES, skb->len, &w);

	key->family = 6;
	__builtin_memcpy(key->src, ip->src, 16);
	__builtin_memcpy(key->dst, ip->dst, 16);
	fragment->place = w.place;
	if (w.place == UNFRAGMENTED) {
		key->protocol = w.next;
		if (chain == CHAIN_READ)
			load_ports(skb, w.at, key);
		return;
	}
	key->protocol = PROTO_FRAGMENT;
	fragment->protocol = w.next;
	fragment->l4 = w.at;
	fragment->of.family = 6;
	load(skb, w.fragment_at + 4, &fragment->of.id, sizeof(fragment->of.id)); /* read before, as a part of the header */
}

static __always_inline void read_ipv4_key(struct __sk_buff *skb, const struct ipv4 *ip,
					  struct flow_key *key, struct fragment *fragment)
{
	__u32 l4 = ETH_BYTES + (ip->version_ihl & 15) * 4;

	key->family = 4;
	key->protocol = ip->protocol;
	__builtin_memcpy(key->src, ip->src, 4);
	__builtin_memcpy(key->dst, ip->dst, 4);
	if (!(ip->fragment & bpf_htons(0x3fff))) {
		load_ports(skb, l4, key);
		return;
	}
	fragment->place = ip->fragment & bpf_htons(0x1fff) ? LATER_FRAGMENT : FIRST_FRAGMENT;
	fragment->protocol = ip->protocol;
	fragment->l4 = l4;
	fragment->of.id = ip->id;
	fragment->of.family = 4;
	fragment->of.protocol = ip->protocol;
}

/*
 * Makes a fragment's key the one of its datagram: the ports of its first fragment, which are
 * remembered for the later ones. False for one whose first has not come, or so long ago that its
 * number may be another datagram's by now.
 */
static __always_inline int complete(struct __sk_buff *skb, struct fragment *fragment, struct flow_key *key)
{
	struct datagram *known, fresh = {};

	__builtin_memcpy(fragment->of.src, key->src, 16);
	__builtin_memcpy(fragment->of.dst, key->dst, 16);
	if (fragment->place == FIRST_FRAGMENT) {
		key->protocol = fragment->protocol;
		load_ports(skb, fragment->l4, key);
		fresh.protocol = key->protocol;
		fresh.src_port = key->src_port;
		fresh.dst_port = key->dst_port;
		fresh.when = micros();
		bpf_map_update_elem(&datagrams, &fragment->of, &fresh, BPF_ANY);
		return 1;
	}
	known = bpf_map_lookup_elem(&datagrams, &fragment->of);
	if (!known || micros() - known->when > DATAGRAM_MICROS)
		return 0;
	key->protocol = known->protocol;
	key->src_port = known->src_port;
	key->dst_port = known->dst_port;
	return 1;
}

#endif
