/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Out of SRv6: End.M.GTP4.E and End.M.GTP6.E (RFC 9433, 6.6 and 6.5). */
#ifndef TO_GTP_H
#define TO_GTP_H

#include "gtpu.h"
#include "send.h"

#define FIRST_DYNAMIC_PORT 49152
#define DONT_FRAGMENT 0x4000

/* The fields of the outer header besides addresses. */
struct ended {
	__u32 srh_at; /* 0: there is none */
	__u8 segments_left;
};

/*
 * Reads the headers in front of the inner packet: its protocol, negative for a drop whose reason is
 * -1 - it.
 */
static __always_inline int read_outer(struct __sk_buff *skb, const struct ipv6 *ip, struct packet *packet, struct ended *ended)
{
	struct work *w = work();
	struct walk *walk;
	struct srh srh;
	int chain;

	if (!w)
		return -1 - DROP_NO_ROOM;
	walk = &w->walk;
	chain = walk_ipv6(skb, ip, ETH_BYTES, ETH_BYTES + packet->bytes, walk);
	if (chain == CHAIN_CUT || walk->has & (HAS_MORE_SRHS | HAS_ENDED_ROUTING | HAS_OTHER_ROUTING))
		return -1 - DROP_MALFORMED;
	/* This node neither reassembles fragments nor verifies an authentication header. */
	if (walk->has & (HAS_FRAGMENT | HAS_AUTHENTICATION))
		return -1 - DROP_INNER;
	if (walk->srh_at) {
		if (load(skb, walk->srh_at, &srh, sizeof(srh)) < 0 || 2 * (srh.last_entry + 1) > srh.hdr_ext_len ||
		    srh.segments_left > srh.last_entry + 1)
			return -1 - DROP_MALFORMED;
		ended->srh_at = walk->srh_at;
		ended->segments_left = srh.segments_left;
	}
	packet->strip = walk->at - ETH_BYTES;
	return walk->next;
}

static __always_inline __u32 make_tunnel(struct tunnel_header *h, const struct sid *sid, const __u8 *args, __u32 inner,
					 const struct packet *packet)
{
	__u8 qfi = args[0] >> 2, rqi = args[0] >> 1 & 1;
	int container = sid->container == 2 || (sid->container == 1 && (qfi || rqi));
	__u32 bytes = UDP_BYTES + GTP_BYTES + (container ? 8 : 0);

	h->udp.src = sid->udp_source ? sid->udp_source : bpf_htons(FIRST_DYNAMIC_PORT | (packet->flow & 0x3fff));
	h->udp.dst = bpf_htons(GTP_PORT);
	h->udp.len = bpf_htons(bytes + inner);
	h->gtp.flags = GTPV1 | (container ? GTP_EXTENSION : 0);
	h->gtp.type = G_PDU;
	h->gtp.len = bpf_htons(bytes - UDP_BYTES - GTP_BYTES + inner);
	__builtin_memcpy(&h->gtp.teid, args + 1, 4);
	if (container) {
		h->optional.next = PDU_SESSION_CONTAINER;
		h->optional.container[0] = 1;
		h->optional.container[1] = sid->pdu_type << 4;
		/* An uplink has no RQI (TS 38.415, 5.5.2.2). */
		h->optional.container[2] = qfi | (sid->pdu_type == DOWNLINK ? rqi << 6 : 0);
	}
	return bytes;
}

static __always_inline int is_no_host(const __u8 *four)
{
	return four[0] == 0 || four[0] == 127 || four[0] >= 224 || is_internal4(four);
}

static __always_inline int leave_over_ipv4(struct __sk_buff *skb, const struct settings *settings, const struct ipv6 *ip,
					   const struct sid *sid, const struct packet *packet)
{
	struct bpf_fib_lookup *route;
	__u32 inner = packet->bytes - packet->strip, bytes, net;
	__u8 args[IPV4_ADDRESS_BYTES + SESSION_BYTES];
	struct work *w = work();
	struct gtp4 *h;
	struct way *way;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	route = &w->route;
	way = &w->way;
	h = &w->gtp4;
	__builtin_memset(route, 0, sizeof(*route));
	__builtin_memset(h, 0, sizeof(*h));
	route->family = AF_INET;
	route->ifindex = device(skb);
	if (load(skb, ETH_BYTES + 24 + sid->at, args, sizeof(args)) < 0 ||
	    load(skb, ETH_BYTES + 8 + sid->source_at, h->ip.src, 4) < 0)
		return drop(skb, DROP_MALFORMED);
	__builtin_memcpy(h->ip.dst, args, 4);
	if (is_no_host(h->ip.src) || is_no_host(h->ip.dst))
		return drop(skb, DROP_ADDRESS);
	bytes = sizeof(h->ip) + make_tunnel(&h->tunnel, sid, args + IPV4_ADDRESS_BYTES, inner, packet);
	if (bytes + inner > 0xffff)
		return drop(skb, DROP_TOO_BIG);
	h->ip.version_ihl = 0x45;
	h->ip.tos = packet->tos;
	h->ip.total_len = bpf_htons(bytes + inner);
	h->ip.fragment = bpf_htons(DONT_FRAGMENT);
	h->ip.protocol = PROTO_UDP;
	route->tot_len = bytes + inner;
	route->tos = packet->tos & 0xfc;
	route->l4_protocol = PROTO_UDP;
	route->sport = h->tunnel.udp.src;
	route->dport = h->tunnel.udp.dst;
	__builtin_memcpy(&route->ipv4_src, h->ip.src, 4);
	__builtin_memcpy(&route->ipv4_dst, h->ip.dst, 4);
	find_way(skb, settings, route, way);
	if (way->mtu)
		return too_big(skb, settings, packet, way->mtu + packet->strip - bytes);
	h->ip.ttl = packet->hops - way->hops_less;
	h->ip.checksum = fold(bpf_csum_diff(0, 0, (__be32 *)&h->ip, sizeof(h->ip), 0));
	if (trim(skb, packet->bytes) < 0 ||
	    bpf_skb_adjust_room(skb, -(__s32)packet->strip, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_DECAP_L3_IPV4) < 0 ||
	    bpf_skb_adjust_room(skb, bytes, BPF_ADJ_ROOM_MAC, 0) < 0 ||
	    store_link(skb, &way->ethernet, sizeof(way->ethernet), 0) < 0)
		return drop(skb, DROP_NO_ROOM);
	net = bytes == sizeof(*h) ? store(skb, ETH_BYTES, h, sizeof(*h)) : store(skb, ETH_BYTES, h, sizeof(*h) - 8);
	if (net)
		return drop(skb, DROP_NO_ROOM);
	return bpf_redirect(way->to, way->flags);
}

static __always_inline int leave_over_ipv6(struct __sk_buff *skb, const struct settings *settings, const struct ipv6 *ip,
					   const struct sid *sid, const struct packet *packet, const struct ended *ended)
{
	struct bpf_fib_lookup *route;
	__u32 inner = packet->bytes - packet->strip, bytes;
	__u8 args[SESSION_BYTES];
	struct work *w = work();
	struct gtp6 *h;
	struct way *way;
	__be32 pseudo[2];
	__s64 sum;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	route = &w->route;
	way = &w->way;
	h = &w->gtp6;
	__builtin_memset(route, 0, sizeof(*route));
	__builtin_memset(h, 0, sizeof(*h));
	route->family = AF_INET6;
	route->ifindex = device(skb);
	if (load(skb, ETH_BYTES + 24 + sid->at, args, sizeof(args)) < 0 ||
	    load(skb, ended->srh_at + SRH_BYTES, h->ip.dst, 16) < 0)
		return drop(skb, DROP_MALFORMED);
	if (h->ip.dst[0] == 0xff || is_zero(h->ip.dst) || is_internal6(h->ip.dst))
		return drop(skb, DROP_ADDRESS);
	bytes = make_tunnel(&h->tunnel, sid, args, inner, packet);
	if (bytes + inner > 0xffff)
		return drop(skb, DROP_TOO_BIG);
	h->ip.flow = bpf_htonl(6 << 28 | packet->tos << 20 | (packet->flow & 0xfffff));
	h->ip.payload_len = bpf_htons(bytes + inner);
	h->ip.next_hdr = PROTO_UDP;
	__builtin_memcpy(h->ip.src, sid->address, 16);
	route->tot_len = IPV6_BYTES + bytes + inner;
	route->flowinfo = h->ip.flow & bpf_htonl(0x0fffffff);
	route->l4_protocol = PROTO_UDP;
	route->sport = h->tunnel.udp.src;
	route->dport = h->tunnel.udp.dst;
	__builtin_memcpy(route->ipv6_src, h->ip.src, 16);
	__builtin_memcpy(route->ipv6_dst, h->ip.dst, 16);
	find_way(skb, settings, route, way);
	if (way->mtu)
		return too_big(skb, settings, packet, way->mtu + packet->strip - IPV6_BYTES - bytes);
	h->ip.hop_limit = packet->hops - way->hops_less;
	pseudo[0] = bpf_htonl(bytes + inner);
	pseudo[1] = bpf_htonl(PROTO_UDP);
	sum = bpf_csum_diff(0, 0, pseudo, sizeof(pseudo), 0);
	sum = bpf_csum_diff(0, 0, (__be32 *)h->ip.src, 32 + sizeof(h->tunnel), sum); /* fields not sent are 0 */
	sum = sum_bytes(skb, w->chunk, ETH_BYTES + packet->strip, inner, sum);
	if (sum < 0)
		return drop(skb, DROP_INNER);
	h->tunnel.udp.checksum = fold(sum);
	if (!h->tunnel.udp.checksum)
		h->tunnel.udp.checksum = 0xffff; /* RFC 8200, 8.1 */
	if (trim(skb, packet->bytes) < 0 ||
	    bpf_skb_adjust_room(skb, IPV6_BYTES + bytes - packet->strip, BPF_ADJ_ROOM_MAC, 0) < 0 ||
	    store_link(skb, &way->ethernet, sizeof(way->ethernet), 0) < 0)
		return drop(skb, DROP_NO_ROOM);
	if (bytes == sizeof(h->tunnel) ? store(skb, ETH_BYTES, h, sizeof(*h)) : store(skb, ETH_BYTES, h, sizeof(*h) - 8))
		return drop(skb, DROP_NO_ROOM);
	return bpf_redirect(way->to, way->flags);
}

/* True if each bit of the packet is final: nothing is left for a device to cut or to sum up. */
static __always_inline int is_done(struct __sk_buff *skb, const struct settings *settings)
{
	if (device(skb) == settings->far)
		return 1;
	return !segments_of(skb) && (bpf_csum_level(skb, BPF_CSUM_LEVEL_QUERY) >= 0 || bpf_csum_update(skb, 0) >= 0);
}

/* A packet at the SID; packet->bytes are there. */
static __always_inline int leave(struct __sk_buff *skb, const struct settings *settings, const struct ipv6 *ip,
				 const struct sid *sid, struct packet *packet)
{
	struct ended ended = {};
	__u32 inner;
	int next;

	if (ip->hop_limit <= 1)
		return drop(skb, DROP_LAST_HOP);
	next = read_outer(skb, ip, packet, &ended);
	if (next < 0)
		return drop(skb, -1 - next);
	if (ended.segments_left != (sid->kind == SID_GTP6_E))
		return drop(skb, DROP_SEGMENTS_LEFT);
	inner = read_inner(skb, ETH_BYTES + packet->strip, packet->bytes - packet->strip, packet);
	if (!inner || packet->protocol != next)
		return drop(skb, DROP_INNER);
	packet->bytes = packet->strip + inner; /* bytes behind it are padding */
	if (sid->kind == SID_GTP4_E)
		return leave_over_ipv4(skb, settings, ip, sid, packet);
	return leave_over_ipv6(skb, settings, ip, sid, packet, &ended);
}

#endif
