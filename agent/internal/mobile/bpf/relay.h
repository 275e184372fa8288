/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * A router on the way says Packet Too Big to where the packet came from: an address of a locator of
 * End.M.GTP4.E, with the GTP sender's IPv4 address in it. That sender gets a message about the
 * packet as it sent it.
 *
 *   IPv6 | Packet Too Big | [IPv6 | SRH | T-PDU …]     ->     IPv4 | Fragmentation Needed | [IPv4 | UDP | GTP]
 */
#ifndef RELAY_H
#define RELAY_H

#include "to_gtp.h"

#define ICMP_BYTES 8

/* Where the quoted packet's session is: in its last SID. */
static __always_inline int read_last_sid(struct __sk_buff *skb, __u32 offset, const struct ipv6 *quoted, __u8 *sid,
					 __u32 *outer_bytes)
{
	struct srh srh;

	*outer_bytes = IPV6_BYTES;
	if (quoted->next_hdr != PROTO_ROUTING) {
		__builtin_memcpy(sid, quoted->dst, 16);
		return 0;
	}
	if (load(skb, offset, &srh, sizeof(srh)) < 0 || srh.type != ROUTING_TYPE_SRH)
		return -1;
	*outer_bytes += (srh.hdr_ext_len + 1) * 8;
	return load(skb, offset + SRH_BYTES, sid, 16);
}

static __always_inline int is_whole(struct __sk_buff *skb, struct work *w, __u32 bytes)
{
	__s64 sum;

	/* The pseudo header (RFC 4443, 2.3). */
	w->words[0] = bpf_htonl(bytes);
	w->words[1] = bpf_htonl(PROTO_ICMPV6);
	sum = bpf_csum_diff(0, 0, w->words, 8, 0);
	sum = bpf_csum_diff(0, 0, (__be32 *)w->packet.src, 32, sum);
	sum = sum_bytes(skb, w->chunk, ETH_BYTES + IPV6_BYTES, bytes, sum);
	return sum >= 0 && !fold(sum);
}

static __noinline int relay_too_big(struct __sk_buff *skb, const struct settings *settings, __u32 at)
{
	__u32 offset = ETH_BYTES + IPV6_BYTES + ICMP_BYTES, outer_bytes, overhead, inner;
	struct work *w = work();
	struct relayed *m;
	struct ipv6 *quoted;
	struct way *way;
	__u8 icmp[ICMP_BYTES];
	__u8 *sid;

	if (!w || at > 16 - IPV4_ADDRESS_BYTES - SESSION_BYTES)
		return drop(skb, DROP_INNER);
	m = &w->relayed;
	quoted = &w->quoted;
	way = &w->way;
	sid = w->sid;
	if (load(skb, ETH_BYTES + IPV6_BYTES, icmp, sizeof(icmp)) < 0 || icmp[0] != PACKET_TOO_BIG || icmp[1] ||
	    load(skb, offset, quoted, sizeof(*quoted)) < 0 || !is_ipv6(quoted) ||
	    read_last_sid(skb, offset + IPV6_BYTES, quoted, sid, &outer_bytes) < 0)
		return drop(skb, DROP_INNER);
	for (int i = 0; i < 16; i++)
		if (quoted->src[i] != w->packet.dst[i])
			return drop(skb, DROP_INNER);
	if (!is_whole(skb, w, w->packet.bytes - IPV6_BYTES))
		return drop(skb, DROP_INNER);
	if (!may_tell())
		return drop(skb, DROP_TOO_BIG);
	__builtin_memset(m, 0, sizeof(*m));
	for (int i = 0; i < 4; i++) {
		m->quoted.src[i] = m->ip.dst[i] = w->packet.dst[(at + i) & 15];
		m->quoted.dst[i] = sid[(at + i) & 15];
		((__u8 *)&m->gtp.teid)[i] = sid[(at + 5 + i) & 15];
	}
	if (is_no_host(m->quoted.src) || is_no_host(m->quoted.dst))
		return drop(skb, DROP_ADDRESS);
	overhead = IPV4_BYTES + UDP_BYTES + GTP_BYTES + (sid[(at + 4) & 15] & 0xfe ? 8 : 0);
	inner = bpf_ntohs(quoted->payload_len) + IPV6_BYTES - outer_bytes;
	m->ip.version_ihl = m->quoted.version_ihl = 0x45;
	m->ip.ttl = m->quoted.ttl = 64;
	m->ip.total_len = bpf_htons(sizeof(*m));
	m->ip.protocol = PROTO_ICMP;
	__builtin_memcpy(m->ip.src, *(__u32 *)settings->address ? settings->address : m->quoted.dst, 4);
	m->ip.checksum = fold(bpf_csum_diff(0, 0, (__be32 *)&m->ip, sizeof(m->ip), 0));
	m->quoted.total_len = bpf_htons(inner + overhead);
	m->quoted.protocol = PROTO_UDP;
	m->quoted.fragment = bpf_htons(DONT_FRAGMENT);
	m->quoted.checksum = fold(bpf_csum_diff(0, 0, (__be32 *)&m->quoted, sizeof(m->quoted), 0));
	m->udp.src = m->udp.dst = bpf_htons(GTP_PORT);
	m->udp.len = bpf_htons(inner + overhead - IPV4_BYTES);
	m->gtp.flags = overhead == IPV4_BYTES + UDP_BYTES + GTP_BYTES ? GTPV1 : GTPV1 | GTP_EXTENSION;
	m->gtp.type = G_PDU;
	m->gtp.len = bpf_htons(inner + overhead - IPV4_BYTES - UDP_BYTES - GTP_BYTES);
	m->type = 3;
	m->code = 4;
	inner = (icmp[4] || icmp[5] ? 0xffff : icmp[6] << 8 | icmp[7]) - outer_bytes + overhead; /* the MTU that fits now */
	m->mtu = bpf_htons(inner > 0xffff ? MIN_MTU_V4 : inner);
	m->checksum = fold(bpf_csum_diff(0, 0, (__be32 *)&m->type, sizeof(*m) - sizeof(m->ip), 0));
	__builtin_memset(&w->route, 0, sizeof(w->route));
	w->route.family = AF_INET;
	w->route.ifindex = device(skb);
	__builtin_memcpy(&w->route.ipv4_src, m->ip.src, 4);
	__builtin_memcpy(&w->route.ipv4_dst, m->ip.dst, 4);
	find_way(skb, settings, &w->route, way);
	if (bpf_skb_adjust_room(skb, -IPV6_BYTES, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_DECAP_L3_IPV4) < 0 ||
	    bpf_skb_change_tail(skb, ETH_BYTES + sizeof(*m), 0) < 0 ||
	    store_link(skb, &way->ethernet, sizeof(way->ethernet), 0) < 0 || store(skb, ETH_BYTES, m, sizeof(*m)) < 0)
		return drop(skb, DROP_NO_ROOM);
	return bpf_redirect(way->to, way->flags);
}

#endif
