/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The walk over IPv6 extension headers (RFC 8200, 4; RFC 4302; RFC 8754), for every program:
 * programs that step over different headers, or over different numbers of them, would classify
 * packets differently.
 */
#ifndef EXTENSION_H
#define EXTENSION_H

#include "packet.h"

#define MAX_EXTENSIONS 8
#define SECOND_BLOCK 1 /* a fragment's offset, in 8 bytes */

/* How a walk ends: at a header that is no extension header; at the end of the packet; at one header more than are read. */
enum { CHAIN_READ, CHAIN_CUT, CHAIN_LONG };

/*
 * Flags of the headers found. HAS_SEGMENTS_LEFT: an SRH, any of them, has segments left; HAS_ENDED_ROUTING: a routing
 * header of another type has none left.
 */
enum {
	HAS_OPTIONS = 1, HAS_AUTHENTICATION = 2, HAS_FRAGMENT = 4, HAS_ONE_SRH = 8, HAS_MORE_SRHS = 16, HAS_SEGMENTS_LEFT = 32,
	HAS_ENDED_ROUTING = 64, HAS_OTHER_ROUTING = 128,
};

/* The part of a datagram that a packet carries. */
enum { UNFRAGMENTED, FIRST_FRAGMENT, LATER_FRAGMENT };

/* Before a walk: where the first header is, its kind, and where the packet ends. After it: the same of the next header. */
struct walk {
	__u32 at;
	__u32 end;
	__u32 srh_at;      /* the first segment routing header, 0: none */
	__u32 fragment_at; /* the last fragment header that leaves a fragment, 0: none */
	__u8 next;
	__u8 has;
	__u8 place; /* of a later fragment nothing is a header (RFC 7112, 5), and the walk ends */
	__u8 second; /* that fragment begins 8 bytes behind the first */
};

static __always_inline int is_extension(__u8 kind)
{
	return kind == PROTO_HOP_BY_HOP || kind == PROTO_ROUTING || kind == PROTO_FRAGMENT ||
	       kind == PROTO_AUTHENTICATION || kind == PROTO_DESTINATION_OPTIONS;
}

static __always_inline void note_routing(struct walk *w, const __u8 *head)
{
	if (head[2] != ROUTING_TYPE_SRH) {
		w->has |= head[3] ? HAS_OTHER_ROUTING : HAS_ENDED_ROUTING;
		return;
	}
	w->has |= (w->srh_at ? HAS_MORE_SRHS : HAS_ONE_SRH) | (head[3] ? HAS_SEGMENTS_LEFT : 0);
	if (!w->srh_at)
		w->srh_at = w->at;
}

static __always_inline void note_fragment(struct walk *w, const __u8 *head)
{
	int later = head[2] || head[3] & 0xf8;

	w->has |= HAS_FRAGMENT;
	if (!later && !(head[3] & 1)) /* a fragment that is the whole packet (RFC 6946) is none */
		return;
	w->place = later ? LATER_FRAGMENT : FIRST_FRAGMENT;
	w->second = !head[2] && head[3] >> 3 == SECOND_BLOCK;
	w->fragment_at = w->at;
}

/* A global function, which the verifier looks at once for all callers. */
__noinline int walk_extensions(struct __sk_buff *skb, struct walk *w)
{
	if (!w)
		return CHAIN_CUT;
	for (int i = 0; i < MAX_EXTENSIONS; i++) {
		__u8 head[4], kind = w->next;

		if (!is_extension(kind))
			return CHAIN_READ;
		if (w->at + 8 > w->end || load(skb, w->at, head, sizeof(head)) < 0)
			return CHAIN_CUT;
		w->next = head[0];
		if (kind == PROTO_FRAGMENT) {
			note_fragment(w, head);
			w->at += 8;
			if (w->place == LATER_FRAGMENT)
				return CHAIN_READ;
			continue;
		}
		if (kind == PROTO_ROUTING)
			note_routing(w, head);
		else
			w->has |= kind == PROTO_AUTHENTICATION ? HAS_AUTHENTICATION : HAS_OPTIONS;
		w->at += kind == PROTO_AUTHENTICATION ? (head[1] + 2) * 4 : (head[1] + 1) * 8;
		if (w->at > w->end)
			return CHAIN_CUT;
	}
	return is_extension(w->next) ? CHAIN_LONG : CHAIN_READ;
}

/* Walks over the headers of an IPv6 packet at an offset, of which the buffer holds so many bytes. */
static __always_inline int walk_ipv6(struct __sk_buff *skb, const struct ipv6 *ip, __u32 at, __u32 end, struct walk *w)
{
	w->at = at + IPV6_BYTES;
	w->end = end;
	w->srh_at = w->fragment_at = 0;
	w->next = ip->next_hdr;
	w->has = w->place = w->second = 0;
	return is_extension(ip->next_hdr) ? walk_extensions(skb, w) : CHAIN_READ;
}

#endif
