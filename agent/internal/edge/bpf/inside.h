/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Encapsulated packets from outside that a node of the domain decapsulates: in a packet to a SID that outside may
 * reach, or in GTP-U that a gateway here translates. After decapsulation such a packet comes from inside, so the edge
 * judges it where it enters, as if it had come without encapsulation.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "edge.h"

/* A packet whose headers are read so far. */
struct inside {
	struct walk walk;
	__u32 port;
};

static __always_inline __u32 *find_sid(const __u8 *addr)
{
	struct prefix key = { .bits = 128 };

	__builtin_memcpy(key.addr, addr, 16);
	return bpf_map_lookup_elem(&edge_sids, &key);
}

static __always_inline int is_of_the_domain(const struct ipv6 *ip)
{
	struct prefix key = { .bits = 128 };

	__builtin_memcpy(key.addr, ip->src, 16);
	return bpf_map_lookup_elem(&edge_sources, &key) != 0;
}

static __always_inline struct counters *find_peer(__u32 port, const struct ipv6 *ip)
{
	struct peer key = { .bits = 160, .port = port };

	__builtin_memcpy(key.addr, ip->src, 16);
	return bpf_map_lookup_elem(&edge_peers, &key);
}

static __always_inline int is_gateway(const __u8 *four)
{
	struct prefix key = { .bits = 128 };

	map_ipv4(key.addr, four);
	return bpf_map_lookup_elem(&edge_gateways, &key) != 0;
}

/* Where the packet in GTP-U begins that stands at an offset; 0 for none. */
__noinline __u32 find_payload(struct __sk_buff *skb, __u32 at, __u32 end)
{
	__u8 word[4];
	struct udp udp;
	struct gtpu gtp;

	if (load(skb, at, &udp, sizeof(udp)) < 0 || udp.dst != bpf_htons(GTP_PORT) ||
	    load(skb, at + UDP_BYTES, &gtp, sizeof(gtp)) < 0 ||
	    (gtp.flags & GTP_VERSION_AND_TYPE) != GTPV1 || gtp.type != G_PDU)
		return 0;
	at += UDP_BYTES + GTP_BYTES;
	if (!(gtp.flags & (GTP_EXTENSION | GTP_SEQUENCE_OR_NPDU)))
		return at < end ? at : 0;
	if (load(skb, at, word, sizeof(word)) < 0)
		return 0;
	at += GTP_OPTIONAL_BYTES;
	for (int i = 0; i < MAX_GTP_EXTENSIONS && gtp.flags & GTP_EXTENSION && word[3]; i++) {
		if (load(skb, at, word, 1) < 0 || !word[0])
			return 0;
		at += word[0] * 4;
		if (at > end || load(skb, at - 1, &word[3], 1) < 0)
			return 0;
	}
	return at < end ? at : 0;
}

/* A packet at an offset, of a family: a reason to drop it, PASSES, or -1 for one that is to be looked into. */
static __always_inline int judge_ipv4_inside(struct __sk_buff *skb, struct walk *w)
{
	struct ipv4 ip;

	if (load(skb, w->at, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip))
		return PASSES;
	if (is_internal4(ip.dst))
		return DROP_INTERNAL;
	if (ip.protocol != PROTO_UDP || ip.fragment & bpf_htons(0x3fff) || !is_gateway(ip.dst))
		return PASSES;
	w->at += (ip.version_ihl & 15) * 4;
	w->next = PROTO_UDP;
	return -1;
}

static __always_inline int judge_ipv6_inside(struct __sk_buff *skb, struct inside *in)
{
	struct walk *w = &in->walk;
	struct ipv6 ip;
	__u32 *reachable, end;
	int chain;

	if (load(skb, w->at, &ip, sizeof(ip)) < 0)
		return PASSES;
	if (is_internal6(ip.dst))
		return DROP_INTERNAL;
	if (is_of_the_domain(&ip) && !find_peer(in->port, &ip))
		return DROP_SOURCE;
	reachable = find_sid(ip.dst);
	if (!reachable)
		return PASSES;
	if (!*reachable)
		return DROP_SID;
	end = w->at + IPV6_BYTES + bpf_ntohs(ip.payload_len);
	chain = walk_ipv6(skb, &ip, w->at, end < w->end ? end : w->end, w);
	return chain == CHAIN_READ ? -1 : DROP_UNREADABLE;
}

/* The header in front determines the family: nodes take it from there, whatever version the inner packet states. */
static __always_inline int family_inside(struct __sk_buff *skb, struct walk *w)
{
	__u8 version;

	if (w->place == LATER_FRAGMENT)
		return 0;
	if (w->next == PROTO_IPV6 || w->next == PROTO_IPV4)
		return w->next == PROTO_IPV6 ? 6 : 4;
	if (w->next != PROTO_UDP)
		return 0;
	w->at = find_payload(skb, w->at, w->end);
	return w->at && load(skb, w->at, &version, 1) == 0 ? version >> 4 : 0;
}

/* A reason to drop a packet for its inner packets, or PASSES. A global function, as walk_extensions. */
__noinline int judge_inside(struct __sk_buff *skb, struct inside *in)
{
	if (!in)
		return PASSES;
	for (int i = 1; i < MAX_PACKETS; i++) {
		int family = family_inside(skb, &in->walk), verdict = PASSES;

		if (family == 6)
			verdict = judge_ipv6_inside(skb, in);
		else if (family == 4)
			verdict = judge_ipv4_inside(skb, &in->walk);
		if (verdict >= 0)
			return verdict;
	}
	return DROP_UNREADABLE;
}

#endif
