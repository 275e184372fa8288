/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The state of a packet, and of the packet that an ICMP error is about. */
#ifndef TRACK_H
#define TRACK_H

#include "flows.h"

/* The header of layer four of the packet in an error: addresses and protocol are read. Negative if it has no flow. */
static __always_inline int ends_in_error(struct __sk_buff *skb, struct work *w, struct ends *e, __u32 at, __u8 protocol, int four)
{
	__be16 ports[2];
	__u8 icmp[8], request;

	if (protocol == (four ? PROTO_ICMP : PROTO_ICMPV6)) {
		if (at + 8 > w->l4_end || load(skb, at, icmp, 8) < 0 || !(request = request_of(icmp[0], four)))
			return -1;
		ends_of_query(e, icmp, request);
		return 0;
	}
	if (protocol != PROTO_TCP && protocol != PROTO_UDP && protocol != PROTO_UDPLITE && protocol != PROTO_SCTP && protocol != PROTO_DCCP)
		return 0;
	if (at + 4 > w->l4_end || load(skb, at, ports, 4) < 0)
		return -1;
	e->from = bpf_ntohs(ports[0]);
	e->to = bpf_ntohs(ports[1]);
	return 0;
}

/* The packet in an error; negative for one that is cut, or a later fragment. */
static __always_inline int read_error4(struct __sk_buff *skb, struct work *w, __u64 *src, __u64 *dst, __u32 *at, __u8 *protocol)
{
	struct ipv4 ip;

	if (*at + IPV4_BYTES > w->l4_end || load(skb, *at, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip) || ip.fragment & bpf_htons(0x1fff))
		return -1;
	src[1] = 0xffff00000000ULL | bpf_ntohl(*(__be32 *)ip.src);
	dst[1] = 0xffff00000000ULL | bpf_ntohl(*(__be32 *)ip.dst);
	*at += (ip.version_ihl & 15) * 4;
	*protocol = ip.protocol;
	return 0;
}

static __always_inline int read_error6(struct __sk_buff *skb, struct work *w, __u64 *src, __u64 *dst, __u32 *at, __u8 *protocol)
{
	struct walk inner;
	struct ipv6 ip;

	if (*at + IPV6_BYTES > w->l4_end || load(skb, *at, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip))
		return -1;
	if (walk_ipv6(skb, &ip, *at, w->l4_end, &inner) != CHAIN_READ || inner.place == LATER_FRAGMENT)
		return -1;
	be128(ip.src, src);
	be128(ip.dst, dst);
	*at = inner.at;
	*protocol = inner.next;
	return 0;
}

/*
 * RELATED if the packet in an error (RFC 792, RFC 4443, 3) is of a flow and came from where the error goes, else INVALID
 * (nf_conntrack_proto_icmp.c: nf_conntrack_inet_error). An error does not prolong the flow.
 */
__noinline int track_error(struct __sk_buff *skb, __u32 instance)
{
	__u64 src[2] = {}, dst[2] = {};
	struct ends e = { src, dst, 0, 0, 0 };
	struct work *w = work();
	const __u64 *receiver;
	__u8 protocol = 0;
	struct flow *f;
	__u32 at;
	int four;

	if (!w)
		return CT_INVALID;
	four = !!(w->facts.byte[BYTE_TRAITS] & FOUR);
	receiver = w->facts.addr[ADDR_DST];
	at = w->l4 + 8;
	if (four && read_error4(skb, w, src, dst, &at, &protocol) < 0)
		return CT_INVALID;
	if (!four && read_error6(skb, w, src, dst, &at, &protocol) < 0)
		return CT_INVALID;
	if (ends_in_error(skb, w, &e, at, protocol, four) < 0 || src[0] != receiver[0] || src[1] != receiver[1])
		return CT_INVALID;
	make_key(&w->flow, &e, protocol, instance);
	f = bpf_map_lookup_elem(&flows, &w->flow);
	return f && is_alive(f, micros()) ? CT_RELATED : CT_INVALID;
}

/* The state of a packet. Global, so that the verifier walks it once. */
__noinline int track(struct __sk_buff *skb, const struct sid *s)
{
	struct work *w = work();
	int state;

	if (!w || !s)
		return CT_UNTRACKED;
	w->known = 0;
	state = read_flow(skb, w, s);
	if (state == CT_RELATED)
		return track_error(skb, s->instance);
	return state == CT_NEW ? follow_flow() : state;
}

#endif
