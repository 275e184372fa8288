// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Mobile sessions on Linux, docs/reference/mobile-node.md: one program, attached to TCX ingress at every port and at the
 * far end of the agent's pair.
 *
 *   port ── SID? GTP-U? a session's address? ──> another packet ──> out of a port, or to the kernel
 *              │
 *              └── not done ──> near end ──> far end: once more, cut and summed up
 */
#include "relay.h"
#include "to_srv6.h"

char LICENSE[] SEC("license") = "GPL";

/* A frame of a VLAN is not this port's. */
static __always_inline int is_mine(const struct __sk_buff *skb, const struct settings *settings)
{
	if (device(skb) == settings->far)
		return 1;
	return skb->pkt_type == PACKET_HOST && !(skb->vlan_present && skb->vlan_tci & 0x0fff);
}

static __always_inline int to_pair(struct __sk_buff *skb, const struct settings *settings)
{
	if (device(skb) == settings->far)
		return drop(skb, DROP_NO_ROOM); /* the pair cuts everything */
	return bpf_redirect(settings->near, 0);
}

static __always_inline struct ue *find_ue(const struct settings *settings, const __u8 *dst)
{
	struct prefix key = { .bits = 128 };
	struct ue *ue = 0;

	__builtin_memcpy(key.addr, dst, 16);
	if (settings->has_ues)
		ue = bpf_map_lookup_elem(&ues, &key);
	if (ue || !settings->has_ue_prefixes)
		return ue;
	ue = bpf_map_lookup_elem(&ue_prefixes, &key);
	/* Packets that the node takes itself are no session's, however wide its prefix is. */
	return ue && find_sid(dst) ? 0 : ue;
}

static __always_inline int plain(struct __sk_buff *skb, const struct settings *settings, struct packet *packet)
{
	struct ue *ue = find_ue(settings, packet->dst);

	if (!ue || packet->hops <= 1) /* on its last hop it is the kernel's to answer */
		return leave_alone(skb, settings);
	if (segments_of(skb))
		return to_pair(skb, settings);
	if (!read_inner(skb, ETH_BYTES, packet->bytes, packet))
		return leave_alone(skb, settings);
	return send_to(skb, settings, packet, ue);
}

static __always_inline int from_ipv4(struct __sk_buff *skb, const struct settings *settings)
{
	struct work *w = work();
	struct session *session;
	struct packet *packet;
	struct ipv4 ip;
	__u32 header;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	packet = &w->packet;
	session = &w->session;
	__builtin_memset(packet, 0, sizeof(*packet));
	__builtin_memset(session, 0, sizeof(*session));
	packet->four = 1;
	if (load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip))
		return TCX_NEXT;
	header = (ip.version_ihl & 15) * 4;
	packet->bytes = bpf_ntohs(ip.total_len);
	packet->tos = ip.tos;
	packet->hops = ip.ttl;
	map_ipv4(packet->src, ip.src);
	map_ipv4(packet->dst, ip.dst);
	if (!segments_of(skb) && (packet->bytes > frame_bytes(skb) - ETH_BYTES || packet->bytes < header))
		return leave_alone(skb, settings);
	if (ip.protocol == PROTO_UDP && settings->mask_count && ip.ttl > 1) {
		int later = (ip.fragment & bpf_htons(0x1fff)) != 0, answer;

		packet->flow = mix(mix(1, *(__u32 *)ip.src), *(__u32 *)ip.dst) | 1;
		if (later || read_gtpu(skb, ETH_BYTES + header, packet->bytes - header, packet, session)) {
			/* Neither a fragment nor a header with options can be expressed. */
			if (ip.fragment & bpf_htons(0x3fff) || header != IPV4_BYTES)
				session->translatable = 0;
			if (segments_of(skb))
				return to_pair(skb, settings);
			answer = enter(skb, settings, packet, session, 0);
			if (answer != NO_ROW)
				return answer;
		}
	}
	return plain(skb, settings, packet);
}

/* At a SID of End.M.GTP6.D: GTP-U, directly or behind an SRH that is done. Everything else is routed. */
static __always_inline int arrive(struct __sk_buff *skb, const struct settings *settings, const struct ipv6 *ip,
				  struct packet *packet)
{
	struct work *w = work();
	struct session *session;
	struct walk *walk;
	int chain;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	session = &w->session;
	walk = &w->walk;
	__builtin_memset(session, 0, sizeof(*session));
	if (ip->hop_limit <= 1)
		return leave_alone(skb, settings);
	chain = walk_ipv6(skb, ip, ETH_BYTES, ETH_BYTES + packet->bytes, walk);
	if (walk->has & HAS_SEGMENTS_LEFT)
		return drop(skb, DROP_SEGMENTS_LEFT);
	if (chain != CHAIN_READ || walk->has & HAS_AUTHENTICATION || walk->next != PROTO_UDP)
		return leave_alone(skb, settings);
	packet->flow = mix(bpf_get_hash_recalc(skb), 1) | 1;
	if (walk->place != LATER_FRAGMENT &&
	    !read_gtpu(skb, walk->at, ETH_BYTES + packet->bytes - walk->at, packet, session))
		return leave_alone(skb, settings);
	if (walk->has & ~(HAS_ONE_SRH | HAS_MORE_SRHS))
		session->translatable = 0;
	return enter(skb, settings, packet, session, 1);
}

/* RFC 9433, 6.2. The kernel routes the packet on, which costs a hop. */
static __always_inline int map(struct __sk_buff *skb, const struct settings *settings, const struct ipv6 *ip, const struct sid *sid)
{
	if (ip->hop_limit <= 1)
		return drop(skb, DROP_LAST_HOP);
	if (store(skb, ETH_BYTES + 24, sid->address, 16) < 0)
		return drop(skb, DROP_NO_ROOM);
	return leave_alone(skb, settings);
}

static __always_inline int from_ipv6(struct __sk_buff *skb, const struct settings *settings)
{
	struct work *w = work();
	struct packet *packet;
	struct sid *sid;
	struct ipv6 ip;

	if (!w)
		return drop(skb, DROP_NO_ROOM);
	packet = &w->packet;
	__builtin_memset(packet, 0, sizeof(*packet));
	if (load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip))
		return TCX_NEXT;
	packet->bytes = bpf_ntohs(ip.payload_len) + IPV6_BYTES;
	packet->tos = bpf_ntohl(ip.flow) >> 20;
	packet->hops = ip.hop_limit;
	__builtin_memcpy(packet->src, ip.src, 16);
	__builtin_memcpy(packet->dst, ip.dst, 16);
	sid = find_sid(ip.dst);
	if (!segments_of(skb) && packet->bytes > frame_bytes(skb) - ETH_BYTES)
		return sid ? drop(skb, DROP_MALFORMED) : leave_alone(skb, settings);
	if (!sid)
		return plain(skb, settings, packet);
	if (sid->kind == SID_NONE)
		return leave_alone(skb, settings);
	if (sid->kind == SID_GTP4_E || sid->kind == SID_GTP6_E) {
		/*
		 * The Length of GTP, and a checksum over the inner packet, are of the packet as it
		 * goes on the wire.
		 */
		if (!is_done(skb, settings))
			return bpf_redirect(settings->near, 0);
		count(&sid->arrived, frame_bytes(skb));
		if (sid->kind == SID_GTP4_E && ip.next_hdr == PROTO_ICMPV6)
			return relay_too_big(skb, settings, sid->at);
		return leave(skb, settings, &ip, sid, packet);
	}
	if (segments_of(skb))
		return to_pair(skb, settings);
	count(&sid->arrived, frame_bytes(skb));
	if (sid->kind == SID_GTP6_D)
		return arrive(skb, settings, &ip, packet);
	return map(skb, settings, &ip, sid);
}

SEC("tcx/ingress")
int sextant_mobile(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);

	if (!settings || !is_mine(skb, settings))
		return TCX_NEXT;
	if (skb->protocol == bpf_htons(ETHER_IPV6))
		return from_ipv6(skb, settings);
	if (skb->protocol == bpf_htons(ETHER_IPV4))
		return from_ipv4(skb, settings);
	return TCX_NEXT;
}
