/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Into SRv6: H.M.GTP4.D, End.M.GTP6.D and .Di (RFC 9433, 6.7, 6.3, 6.4), and H.Encaps.Red of other
 * packets.
 *
 *   IPv6 | SRH: [kept destination] [the list from its last segment back to its second] | the rest
 */
#ifndef TO_SRV6_H
#define TO_SRV6_H

#include "gtpu.h"
#include "send.h"

/* The pushed headers. */
struct push {
	struct list *list; /* may be none */
	const __u8 *source; /* may be none */
	const __u8 *last; /* one more segment, may be none */
	__u8 args_at;
	__u8 args[SESSION_BYTES];
	__u8 address_at;
	__u8 address[IPV4_ADDRESS_BYTES];
	__u8 source_at;
	__u8 source_address[IPV4_ADDRESS_BYTES];
};

static __always_inline int put_into(__u8 *address, __u8 at, const __u8 *bytes, __u8 count)
{
	if (at > 16 - count)
		return -1;
	for (__u8 i = 0; i < count; i++)
		address[(at + i) & 15] = bytes[i];
	return 0;
}

/*
 * The session is in the last segment of the list, which is the destination where it is the only
 * one.
 */
static __always_inline int put_session(__u8 *segment, const struct push *push)
{
	if (push->args_at && put_into(segment, push->args_at, push->args, SESSION_BYTES) < 0)
		return -1;
	if (push->address_at && put_into(segment, push->address_at, push->address, IPV4_ADDRESS_BYTES) < 0)
		return -1;
	return 0;
}

/* The inner packet is one hop further (RFC 2473, 3.1); its sender has seen to it that one is left. */
static __always_inline int lower(struct __sk_buff *skb, struct packet *packet)
{
	__u8 hops = packet->hops - 1;

	if (packet->four && bpf_l3_csum_replace(skb, ETH_BYTES + 10, bpf_htons(packet->hops << 8), bpf_htons(hops << 8), 2) < 0)
		return -1;
	return store(skb, ETH_BYTES + (packet->four ? 8 : 7), &hops, 1);
}

/*
 * Takes off the bytes of packet->strip, and leaves room for so many bytes; the packet is IPv6 then.
 */
static __always_inline int exchange(struct __sk_buff *skb, const struct packet *packet, __u32 bytes)
{
	__u64 flags = 0;
	int four = packet->four;

	if (packet->strip) {
		if (!four && packet->protocol == PROTO_IPV4) { /* it may be too short for IPv6 */
			flags = BPF_F_ADJ_ROOM_DECAP_L3_IPV4;
			four = 1;
		}
		/* Off first: then a checksum that was left for the device to fill in is known to be gone. */
		if (bpf_skb_adjust_room(skb, -(__s32)packet->strip, BPF_ADJ_ROOM_MAC, flags) < 0)
			return -1;
	}
	if (!four)
		return bpf_skb_adjust_room(skb, bytes, BPF_ADJ_ROOM_MAC, 0);
	/* Only taking off can say that the packet is another one now: adding would call it encapsulated, which a device
	 * passes on to a neighboring namespace that may have to encapsulate it again. */
	if (bpf_skb_adjust_room(skb, bytes + 8, BPF_ADJ_ROOM_MAC, 0) < 0)
		return -1;
	return bpf_skb_adjust_room(skb, -8, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_DECAP_L3_IPV6);
}

static __always_inline int push_headers(struct __sk_buff *skb, const struct settings *settings, struct packet *packet,
					const struct push *push)
{
	struct list *list = push->list;
	__u32 listed = list ? list->segments - 1 : 0, others = listed * SEGMENT_BYTES;
	__u32 in_srh = listed + (list && push->last ? 1 : 0);
	__u32 bytes = IPV6_BYTES + (in_srh ? SRH_BYTES + SEGMENT_BYTES * in_srh : 0);
	__u32 stays = packet->bytes - packet->strip;
	struct work *w = work();
	struct bpf_fib_lookup *route;
	struct outer *outer;
	struct way *way;
	__u32 at;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	route = &w->route;
	outer = &w->outer;
	way = &w->way;
	__builtin_memset(route, 0, sizeof(*route));
	__builtin_memset(outer, 0, sizeof(*outer));
	route->family = AF_INET6;
	route->ifindex = device(skb);
	if (!push->source || is_zero(push->source))
		return drop(skb, DROP_NO_SOURCE);
	if (!list && !push->last)
		return drop(skb, DROP_NO_LIST);
	if (stays + bytes - IPV6_BYTES > 0xffff)
		return drop(skb, DROP_TOO_BIG);
	if (list)
		__builtin_memcpy(outer->ip.dst, list->first, 16);
	else
		__builtin_memcpy(outer->ip.dst, push->last, 16);
	__builtin_memcpy(outer->ip.src, push->source, 16);
	if (push->source_at && put_into(outer->ip.src, push->source_at, push->source_address, IPV4_ADDRESS_BYTES) < 0)
		return drop(skb, DROP_NO_LIST);
	if (list && !listed && put_session(outer->ip.dst, push) < 0)
		return drop(skb, DROP_NO_LIST);
	outer->ip.flow = bpf_htonl(6 << 28 | packet->tos << 20 | (packet->flow & 0xfffff));
	outer->ip.payload_len = bpf_htons(stays + bytes - IPV6_BYTES);
	outer->ip.next_hdr = in_srh ? PROTO_ROUTING : packet->protocol;
	route->tot_len = bytes + stays;
	route->flowinfo = outer->ip.flow & bpf_htonl(0x0fffffff);
	route->sport = packet->flow;
	__builtin_memcpy(route->ipv6_src, outer->ip.src, 16);
	__builtin_memcpy(route->ipv6_dst, outer->ip.dst, 16);
	find_way(skb, settings, route, way);
	if (way->mtu)
		return too_big(skb, settings, packet, way->mtu + packet->strip > bytes ? way->mtu + packet->strip - bytes : 0);
	outer->ip.hop_limit = packet->hops - way->hops_less;
	if (trim(skb, packet->bytes) < 0 || (!packet->strip && lower(skb, packet) < 0) || exchange(skb, packet, bytes) < 0 ||
	    store_link(skb, &way->ethernet, sizeof(way->ethernet), 0) < 0)
		return drop(skb, DROP_NO_ROOM);
	if (!in_srh) {
		if (store(skb, ETH_BYTES, outer, IPV6_BYTES) < 0)
			return drop(skb, DROP_NO_ROOM);
		return bpf_redirect(way->to, way->flags);
	}
	outer->srh.next_hdr = packet->protocol;
	outer->srh.hdr_ext_len = 2 * in_srh;
	outer->srh.type = ROUTING_TYPE_SRH;
	outer->srh.segments_left = in_srh;
	outer->srh.last_entry = in_srh - 1;
	at = ETH_BYTES + IPV6_BYTES + SRH_BYTES;
	if (push->last) {
		__builtin_memcpy(outer->last, push->last, 16);
		if (store(skb, ETH_BYTES, outer, sizeof(*outer)) < 0)
			return drop(skb, DROP_NO_ROOM);
		at += SEGMENT_BYTES;
	} else if (store(skb, ETH_BYTES, outer, IPV6_BYTES + SRH_BYTES) < 0) {
		return drop(skb, DROP_NO_ROOM);
	}
	if (list && others > 0 && others <= sizeof(list->others)) {
		__u8 segment[16];

		if (store(skb, at, list->others, others) < 0)
			return drop(skb, DROP_NO_ROOM);
		if (push->args_at || push->address_at) {
			__builtin_memcpy(segment, list->others[0], 16);
			if (put_session(segment, push) < 0 || store(skb, at, segment, sizeof(segment)) < 0)
				return drop(skb, DROP_NO_LIST);
		}
	}
	return bpf_redirect(way->to, way->flags);
}

/* The whole packet, as it is but for a hop, to a list. */
static __always_inline int carry(struct __sk_buff *skb, const struct settings *settings, struct packet *packet,
				 __u32 list)
{
	struct push push = { .source = settings->source };

	packet->strip = 0;
	packet->protocol = packet->four ? PROTO_IPV4 : PROTO_IPV6;
	push.list = bpf_map_lookup_elem(&lists, &list);
	return push_headers(skb, settings, packet, &push);
}

static __always_inline int translate(struct __sk_buff *skb, const struct settings *settings, struct packet *packet,
				     const struct session *session, const struct rule *rule)
{
	struct push push = {};
	__u32 list = rule->list;

	push.list = bpf_map_lookup_elem(&lists, &list);
	push.source = rule->has_source ? rule->source : settings->source;
	push.args_at = rule->args_at;
	push.args[0] = session->qos;
	__builtin_memcpy(push.args + 1, &session->teid, 4);
	push.address_at = rule->address_at;
	__builtin_memcpy(push.address, packet->dst + 12, 4);
	push.source_at = rule->source_at;
	__builtin_memcpy(push.source_address, packet->src + 12, 4);
	if (rule->keep_destination)
		push.last = packet->dst;
	return push_headers(skb, settings, packet, &push);
}

/* A plain packet of a session. */
static __always_inline int send_to(struct __sk_buff *skb, const struct settings *settings, struct packet *packet, struct ue *ue)
{
	struct push push = {};

	count(&ue->sent, frame_bytes(skb));
	if (ue->list)
		push.list = bpf_map_lookup_elem(&lists, &ue->list);
	if (ue->list && !push.list)
		return drop(skb, DROP_NO_LIST);
	push.source = ue->has_source ? ue->source : settings->source;
	push.args_at = ue->args_at;
	__builtin_memcpy(push.args, ue->args, SESSION_BYTES);
	if (ue->has_last)
		push.last = ue->last;
	packet->strip = 0;
	return push_headers(skb, settings, packet, &push);
}

/* For each way of taking the packet, the best row: index + 1, 0 for none. */
__noinline int find_rule(const struct match *packet, __u32 mask_count, __u32 way)
{
	__u32 best = 0, priority = 0;
	struct work *w = work();

	if (!packet || way >= WAYS || !w)
		return 0;
	for (__u32 i = 0; i < MAX_MASKS; i++) {
		struct choice *found;
		struct mask *mask;
		__u32 at = i;

		if (i >= mask_count)
			break;
		mask = bpf_map_lookup_elem(&masks, &at);
		if (!mask || !mask->used)
			continue;
		w->masked.match = *packet;
		for (__u32 word = 0; word < MATCH_WORDS; word++)
			w->masked.words[word] &= mask->bits[word];
		w->masked.match.mask = i;
		found = bpf_map_lookup_elem(&choices, &w->masked.match);
		if (found && found->ways[way].rule && (!best || found->ways[way].priority > priority)) {
			best = found->ways[way].rule;
			priority = found->ways[way].priority;
		}
	}
	return best;
}

#define NO_ROW (-2) /* packets that no program answers */

/* GTP-U that enters here, if it has a row. */
static __always_inline int enter(struct __sk_buff *skb, const struct settings *settings, struct packet *packet,
				 const struct session *session, int at_sid)
{
	struct tunnel_key key = { .teid = session->teid };
	struct work *w = work();
	struct match *match;
	struct counters *counters;
	struct tunnel *tunnel;
	__u32 way = WHOLE, at;
	struct rule *rule;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	match = &w->match;
	__builtin_memset(match, 0, sizeof(*match));
	match->teid = session->teid;
	match->qfi = session->qfi;
	match->dscp = packet->tos >> 2;
	__builtin_memcpy(key.dst, packet->dst, 16);
	tunnel = bpf_map_lookup_elem(&tunnels, &key);
	if (tunnel) {
		count(&tunnel->entered, frame_bytes(skb));
		match->class = tunnel->class;
	}
	__builtin_memcpy(match->src, packet->src, 16);
	__builtin_memcpy(match->dst, packet->dst, 16);
	if (session->translatable) {
		__builtin_memcpy(match->inner_src, packet->inner_src, 16);
		__builtin_memcpy(match->inner_dst, packet->inner_dst, 16);
		way = (packet->four ? FROM_IPV4 : FROM_IPV6) + (session->sequenced ? 1 : 0) +
		      session->container * WAYS_OF_CONTAINER;
	}
	at = find_rule(match, settings->mask_count, way) - 1;
	rule = bpf_map_lookup_elem(&rules, &at);
	counters = bpf_map_lookup_elem(&rule_counts, &at);
	if (!rule || !counters)
		return at_sid ? drop(skb, DROP_NO_RULE) : NO_ROW;
	count(counters, frame_bytes(skb));
	if (rule->action == RULE_TRANSLATE)
		return translate(skb, settings, packet, session, rule);
	if (rule->action == RULE_CARRY)
		return carry(skb, settings, packet, rule->list);
	return drop(skb, DROP_DISCARDED);
}

#endif
