/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The probes of nodes of the domain, of whichever node: packets of watched lists (docs/reference/liveness-node.md) and of
 * measured delays (docs/reference/link-delay.md), as internal/stamp writes them. Ports count them apart, since they are no
 * traffic.
 *
 * A probe of a watched list is the last bytes of its packet, however many headers are in front of it. Outside cannot
 * write one: the edge drops packets to the address of a list, plain and in packets to SIDs, and tunnels to
 * other destinations are no probes here.
 */
#ifndef PROBE_H
#define PROBE_H

#include "inside.h"

#define STAMP_PORT 862
#define PROBE_BYTES 112 /* IPv6, UDP, STAMP, Extra Padding */
#define TEST_BYTES 92 /* IPv6, UDP, STAMP */
#define MOST_PROBE_BYTES 1024 /* with 16 segments, and as many of a repair */
#define MOST_HOPS 255
#define DST_AT 24 /* in an IPv6 header */

/* By port. Counters of an internal port; another one has none. */
struct probes {
	struct counters in;
	struct counters out;
};

MAP(edge_probes, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct probes, MAX_PORTS);

/* Addresses of watched lists: fd5e:7e00:0:0:0:2::/96. */
static __always_inline int is_list(const __u8 *addr)
{
	__be32 words[4];

	__builtin_memcpy(words, addr, sizeof(words));
	return words[0] == bpf_htonl(0xfd5e7e00) && !words[1] && words[2] == bpf_htonl(2);
}

static __always_inline int is_link_local(const __u8 *addr)
{
	return addr[0] == 0xfe && (addr[1] & 0xc0) == 0x80;
}

static __always_inline int is_stamp(struct __sk_buff *skb, __u32 at, const struct ipv6 *ip, __u32 bytes)
{
	struct udp udp;

	if (ip->next_hdr != PROTO_UDP || ip->hop_limit != MOST_HOPS ||
	    ip->payload_len != bpf_htons(bytes - IPV6_BYTES) || load(skb, at + IPV6_BYTES, &udp, sizeof(udp)) < 0)
		return 0;
	return udp.dst == bpf_htons(STAMP_PORT) || udp.src == bpf_htons(STAMP_PORT);
}

/* True if all packets in front of the innermost one are to SIDs. */
static __always_inline int is_reached(struct __sk_buff *skb, struct ipv6 *ip, __u32 at, __u32 innermost)
{
	struct walk w;

	for (int i = 0; i < MAX_PACKETS && at < innermost; i++) {
		if (load(skb, at, ip, sizeof(*ip)) < 0 || !find_sid(ip->dst) ||
		    walk_ipv6(skb, ip, at, innermost, &w) != CHAIN_READ || w.next != PROTO_IPV6)
			return 0;
		at = w.at;
	}
	return at == innermost;
}

/* Reports whether the IPv6 packet at an offset, which ends the frame, is a probe. A global function, as walk_extensions. */
__noinline int is_probe(struct __sk_buff *skb, __u32 at)
{
	__u32 innermost = skb->len - PROBE_BYTES;
	struct ipv6 ip;

	if (load(skb, at, &ip, sizeof(ip)) < 0)
		return 0;
	if (is_link_local(ip.src)) /* never forwarded (RFC 4291, 2.5.6): the neighbor's, or this node's */
		return skb->len == at + TEST_BYTES && is_stamp(skb, at, &ip, TEST_BYTES);
	if (skb->len < at + IPV6_BYTES + PROBE_BYTES || load(skb, innermost, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip) ||
	    !is_list(ip.dst) || !is_stamp(skb, innermost, &ip, PROBE_BYTES))
		return 0;
	return is_reached(skb, &ip, at, innermost);
}

/* Most packets are no probes by their length or one address. */
static __always_inline int may_be_probe(struct __sk_buff *skb, const struct ipv6 *ip)
{
	__u8 dst[16];

	if (skb->len > MOST_PROBE_BYTES)
		return 0;
	if (ip->next_hdr == PROTO_UDP)
		return is_link_local(ip->src);
	return (ip->next_hdr == PROTO_IPV6 || ip->next_hdr == PROTO_ROUTING) &&
	       load(skb, skb->len - PROBE_BYTES + DST_AT, dst, sizeof(dst)) == 0 && is_list(dst);
}

#endif
