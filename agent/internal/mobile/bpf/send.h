/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The next hop of a translated packet: directly where the kernel's routes name a neighbor, else
 * through the kernel, which follows the route (an own SID first) or reports why it cannot.
 */
#ifndef SEND_H
#define SEND_H

#include "errors.h"
#include "work.h"

#define MIN_MTU_V4 576

/*
 * The kernel discards a packet without a route, and answers it where it may: counted here, where it is known for a session's.
 * An address of the node itself has no route either, and stands among its SIDs.
 */
static __noinline int count_unroutable(struct __sk_buff *skb, const struct bpf_fib_lookup *route, __u32 verdict)
{
	struct work *w = work();

	if (!w || verdict < BPF_FIB_LKUP_RET_BLACKHOLE || verdict > BPF_FIB_LKUP_RET_NOT_FWDED)
		return 0;
	if (route->family == AF_INET)
		map_ipv4(w->own.addr, (const __u8 *)&route->ipv4_dst);
	else
		__builtin_memcpy(w->own.addr, route->ipv6_dst, 16);
	w->own.bits = 128;
	if (verdict != BPF_FIB_LKUP_RET_NOT_FWDED || !bpf_map_lookup_elem(&sids, &w->own))
		count_drop(skb, DROP_NO_ROUTE);
	return 0;
}

static __always_inline void find_way(struct __sk_buff *skb, const struct settings *settings, struct bpf_fib_lookup *route,
				     struct way *way)
{
	long verdict = bpf_fib_lookup(skb, route, sizeof(*route), 0);

	way->ethernet.type = route->family == AF_INET ? bpf_htons(ETHER_IPV4) : bpf_htons(ETHER_IPV6);
	way->mtu = verdict == BPF_FIB_LKUP_RET_FRAG_NEEDED ? route->mtu_result : 0;
	way->hops_less = verdict == BPF_FIB_LKUP_RET_SUCCESS;
	if (way->hops_less) {
		__builtin_memcpy(way->ethernet.dst, route->dmac, 6);
		__builtin_memcpy(way->ethernet.src, route->smac, 6);
		way->to = route->ifindex;
		way->flags = 0;
	} else {
		count_unroutable(skb, route, verdict);
		__builtin_memcpy(way->ethernet.dst, settings->stack_mac, 6);
		way->to = settings->stack;
		way->flags = BPF_F_INGRESS;
	}
}

/* A packet that the program leaves alone. At the far end of the pair the kernel would not take it. */
static __always_inline int leave_alone(struct __sk_buff *skb, const struct settings *settings)
{
	if (device(skb) != settings->far)
		return TCX_NEXT;
	if (store_link(skb, settings->stack_mac, 6, 0) < 0)
		return drop(skb, DROP_NO_ROOM);
	return bpf_redirect(settings->stack, BPF_F_INGRESS);
}

/* RFC 1191, 4. */
static __always_inline int too_big_v4(struct __sk_buff *skb, const struct settings *settings, const struct packet *packet,
				      __u32 mtu)
{
	__u32 quoted = packet->bytes > 548 ? 548 : packet->bytes; /* RFC 1812, 4.3.2.3 */
	struct work *w = work();
	struct too_big4 *m;
	__s64 sum;

	if (!w)
		return -1;
	m = &w->too_big4;
	__builtin_memset(m, 0, sizeof(*m));
	m->ip.version_ihl = 0x45;
	m->ip.ttl = 64;
	m->ip.protocol = PROTO_ICMP;
	m->type = 3;
	m->code = 4;
	m->mtu = bpf_htons(mtu);
	m->ip.total_len = bpf_htons(sizeof(*m) + quoted);
	__builtin_memcpy(m->ip.src, *(__u32 *)settings->address ? settings->address : packet->dst + 12, 4);
	__builtin_memcpy(m->ip.dst, packet->src + 12, 4);
	m->ip.checksum = fold(bpf_csum_diff(0, 0, (__be32 *)&m->ip, sizeof(m->ip), 0));
	sum = bpf_csum_diff(0, 0, (__be32 *)&m->type, 8, 0);
	if (bpf_skb_change_tail(skb, ETH_BYTES + quoted, 0) < 0)
		return -1;
	sum = sum_bytes(skb, w->chunk, ETH_BYTES, quoted, sum);
	if (sum < 0 || bpf_skb_adjust_room(skb, sizeof(*m), BPF_ADJ_ROOM_MAC, 0) < 0)
		return -1;
	m->checksum = fold(sum);
	return store(skb, ETH_BYTES, m, sizeof(*m));
}

/*
 * Reports the greatest length to the sender of a packet, which is as it came. At the far end of the
 * pair there is no sender to report it to: super-packets are already cut to their sender's MTU.
 */
static __noinline int too_big(struct __sk_buff *skb, const struct settings *settings, const struct packet *packet,
				   __u32 mtu)
{
	struct ethernet was, now;
	struct work *w = work();
	int failed;

	count_drop(skb, DROP_TOO_BIG);
	if (!w || device(skb) == settings->far || load(skb, 0, &was, sizeof(was)) < 0)
		return TC_ACT_SHOT;
	if (packet->four ? packet->src[12] == 0 || packet->src[12] == 127 || packet->src[12] >= 224 :
			   packet->src[0] == 0xff || is_zero(packet->src))
		return TC_ACT_SHOT;
	if (!may_tell())
		return TC_ACT_SHOT;
	__builtin_memcpy(w->error.ip.src, is_zero(settings->source) ? packet->dst : settings->source, 16);
	__builtin_memcpy(w->error.ip.dst, packet->src, 16);
	if (packet->four)
		failed = too_big_v4(skb, settings, packet, mtu < MIN_MTU_V4 ? MIN_MTU_V4 : mtu);
	else
		failed = make_icmpv6(skb, &w->error, w->chunk, packet->bytes, PACKET_TOO_BIG,
				     mtu < MIN_MTU_V6 ? MIN_MTU_V6 : mtu);
	if (failed < 0)
		return TC_ACT_SHOT;
	__builtin_memcpy(now.dst, was.src, 6);
	__builtin_memcpy(now.src, was.dst, 6);
	if (store_link(skb, &now, 12, 0) < 0)
		return TC_ACT_SHOT;
	return bpf_redirect(device(skb), 0);
}

/* Bytes behind the IP packet are padding of the link it came from, and stay here. */
static __always_inline int trim(struct __sk_buff *skb, __u32 bytes)
{
	return frame_bytes(skb) > ETH_BYTES + bytes ? bpf_skb_change_tail(skb, ETH_BYTES + bytes, 0) : 0;
}

#endif
