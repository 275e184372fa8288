/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The columns of the table for a packet at a SID of a firewall. */
#ifndef PARSE_H
#define PARSE_H

#include "move.h"

/*
 * Ports, or an ICMP type, where the packet has them. Negative for a packet, or the first fragment
 * of one, that ends before its ports, its type, or (for TCP) its flags: rules could not see the
 * packet that the receiver puts together (RFC 1858, 3; RFC 7112, 5).
 */
static __always_inline int read_l4(struct __sk_buff *skb, struct work *w, __u32 at, __u32 end, __u8 protocol)
{
	struct facts *f = &w->facts;
	__be16 ports[2];
	__u8 flags = 0;

	w->l4_end = end;

	if (protocol == PROTO_ICMP || protocol == PROTO_ICMPV6) {
		__u8 icmp[2];

		if (at + 2 > end || load(skb, at, icmp, 2) < 0)
			return -1;
		f->byte[BYTE_ICMP_TYPE] = icmp[0];
		f->byte[BYTE_ICMP_CODE] = icmp[1];
		f->byte[BYTE_TRAITS] |= HAS_ICMP;
		w->l4 = at;
		return 0;
	}
	if (protocol != PROTO_TCP && protocol != PROTO_UDP && protocol != PROTO_UDPLITE && protocol != PROTO_SCTP && protocol != PROTO_DCCP)
		return 0;
	if (at + 4 > end || load(skb, at, ports, 4) < 0)
		return -1;
	if (protocol == PROTO_TCP && (at + 14 > end || load(skb, at + 13, &flags, 1) < 0))
		return -1;
	f->wide[WIDE_SRC_PORT] = bpf_ntohs(ports[0]);
	f->wide[WIDE_DST_PORT] = bpf_ntohs(ports[1]);
	f->byte[BYTE_TCP_FLAGS] = flags;
	f->byte[BYTE_TRAITS] |= HAS_PORTS;
	w->l4 = at;
	return 0;
}

/* RFC 3128, 2.1: a receiver that lets later fragments overwrite earlier ones takes the flags of TCP from this one. */
static __always_inline int overwrites_flags(__u8 protocol, int second)
{
	return second && protocol == PROTO_TCP;
}

static __always_inline int read_inner4(struct __sk_buff *skb, struct work *w, __u32 at)
{
	struct facts *f = &w->facts;
	__u32 end, header;
	struct ipv4 ip;

	if (at + IPV4_BYTES > w->end || load(skb, at, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip))
		return -1;
	header = (ip.version_ihl & 15) * 4;
	end = at + bpf_ntohs(ip.total_len);
	if (end > w->end) {
		if (!w->parted)
			return -1;
		end = w->end;
	}
	if (at + header > end)
		return -1;
	f->addr[ADDR_SRC][1] = 0xffff00000000ULL | bpf_ntohl(*(__be32 *)ip.src);
	f->addr[ADDR_DST][1] = 0xffff00000000ULL | bpf_ntohl(*(__be32 *)ip.dst);
	f->byte[BYTE_PROTOCOL] = ip.protocol;
	f->byte[BYTE_TRAITS] |= FOUR;
	w->later = !!(ip.fragment & bpf_htons(0x1fff));
	if (!w->later)
		return read_l4(skb, w, at + header, end, ip.protocol);
	return overwrites_flags(ip.protocol, (ip.fragment & bpf_htons(0x1fff)) == bpf_htons(SECOND_BLOCK)) ? -1 : 0;
}

static __always_inline int read_inner6(struct __sk_buff *skb, struct work *w, __u32 at)
{
	struct facts *f = &w->facts;
	struct walk inner;
	struct ipv6 ip;
	__u32 end;

	if (at + IPV6_BYTES > w->end || load(skb, at, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip))
		return -1;
	end = at + IPV6_BYTES + bpf_ntohs(ip.payload_len);
	if (w->parted && !ip.payload_len) /* so many that their length has no room */
		end = w->end;
	if (end > w->end) {
		if (!w->parted)
			return -1;
		end = w->end;
	}
	if (walk_ipv6(skb, &ip, at, end, &inner) != CHAIN_READ)
		return -1;
	be128(ip.src, f->addr[ADDR_SRC]);
	be128(ip.dst, f->addr[ADDR_DST]);
	f->byte[BYTE_PROTOCOL] = inner.next;
	w->later = inner.place == LATER_FRAGMENT;
	if (!w->later)
		return read_l4(skb, w, inner.at, inner.end, inner.next);
	return overwrites_flags(inner.next, inner.second) ? -1 : 0;
}

/* The list of segments, which must be as long as it says. */
static __always_inline int read_srh(struct __sk_buff *skb, struct work *w)
{
	struct facts *f = &w->facts;
	struct srh *srh = &w->srh;

	if (load(skb, w->srh_at, srh, sizeof(*srh)) < 0)
		return -1;
	if (srh->segments_left > srh->last_entry + 1 || (srh->last_entry + 1) * 2 > srh->hdr_ext_len)
		return -1;
	f->byte[BYTE_TRAITS] |= HAS_SRH;
	f->byte[BYTE_NEXT_HDR] = srh->next_hdr;
	f->byte[BYTE_HDR_LEN] = srh->hdr_ext_len;
	f->byte[BYTE_LEFT] = srh->segments_left;
	f->byte[BYTE_LAST_ENTRY] = srh->last_entry;
	f->byte[BYTE_SRH_FLAGS] = srh->flags;
	f->wide[WIDE_TAG] = bpf_ntohs(srh->tag);
	if (load_segment(skb, w->srh_at, 0, f->addr[ADDR_LAST]) < 0)
		return -1;
	if (srh->segments_left + 1 <= srh->last_entry) {
		if (load_segment(skb, w->srh_at, srh->segments_left + 1, f->addr[ADDR_PREVIOUS]) < 0)
			return -1;
		f->byte[BYTE_TRAITS] |= HAS_PREVIOUS;
	}
	return 0;
}

/* Negative for a packet that is malformed. */
__noinline int read_packet(struct __sk_buff *skb, const struct sid *s)
{
	struct work *w = work();
	struct walk outer;
	struct facts *f;

	if (!w || !s)
		return -1;
	f = &w->facts;
	be128(w->ip.src, f->addr[ADDR_OUTER]);
	f->addr[ADDR_LAST][0] = w->da[0];
	f->addr[ADDR_LAST][1] = w->da[1];
	if (s->args) {
		__u64 args[2];

		shl(w->da, (s->bits - s->args) & 127, args);
		f->wide[WIDE_ARGS] = args[0] >> ((64 - s->args) & 63);
	}
	/*
	 * This node does not reassemble, and drops headers that it does not support: another routing type with segments left
	 * (RFC 8200, 4.4).
	 */
	if (walk_ipv6(skb, &w->ip, ETH_BYTES, w->end, &outer) != CHAIN_READ || outer.place != UNFRAGMENTED ||
	    outer.has & HAS_OTHER_ROUTING)
		return -1;
	w->srh_at = outer.srh_at;
	if (w->srh_at && read_srh(skb, w) < 0)
		return -1;
	if (outer.next == PROTO_IPV6)
		return read_inner6(skb, w, outer.at);
	if (outer.next == PROTO_IPV4)
		return read_inner4(skb, w, outer.at);
	/* Nothing is inside: an inserted header, whose list ends with where the packet is sent to. */
	f->addr[ADDR_SRC][0] = f->addr[ADDR_OUTER][0];
	f->addr[ADDR_SRC][1] = f->addr[ADDR_OUTER][1];
	f->addr[ADDR_DST][0] = w->srh_at && w->srh.segments_left ? f->addr[ADDR_LAST][0] : w->da[0];
	f->addr[ADDR_DST][1] = w->srh_at && w->srh.segments_left ? f->addr[ADDR_LAST][1] : w->da[1];
	f->byte[BYTE_PROTOCOL] = outer.next;
	return read_l4(skb, w, outer.at, w->end, outer.next);
}

#endif
