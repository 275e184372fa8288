/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Reads a segment of TCP for the connection that it belongs to. */
#ifndef SEGMENT_H
#define SEGMENT_H

#include "sera.h"

#define TCP_BYTES 20
#define TCP_FIN 1
#define TCP_SYN 2
#define TCP_RST 4
#define TCP_PSH 8
#define TCP_ACK 16
#define TCP_URG 32

/* Kinds of segments, and of none. */
enum { KIND_SYN, KIND_SYN_ACK, KIND_FIN, KIND_ACK, KIND_RST, KINDS, KIND_NONE = KINDS };

/* Bits of stream.flags. */
enum { SCALES = 1, SACK_PERMITTED = 2, CLOSES_FIRST = 4, LIBERAL = 8, UNACKNOWLEDGED = 16, HAS_MAX_ACK = 32 };

/* Numbers of octets begin again at 0 (RFC 9293, 3.4). */
static __always_inline int before(__u32 a, __u32 b)
{
	return (__s32)(a - b) < 0;
}

static __always_inline int after(__u32 a, __u32 b)
{
	return before(b, a);
}

struct tcp {
	__be16 ports[2];
	__be32 seq;
	__be32 ack;
	__u8 offset;
	__u8 flags;
	__be16 win;
	__be16 checksum;
	__be16 urgent;
};

/* Flags that a sender may set together; PSH, ECE and CWR go with all of them (nf_conntrack_proto_tcp.c: tcp_valid_flags). */
static __always_inline int are_flags(__u8 flags)
{
	switch (flags & (TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK | TCP_URG)) {
	case TCP_SYN:
	case TCP_SYN | TCP_URG:
	case TCP_SYN | TCP_ACK:
	case TCP_RST:
	case TCP_RST | TCP_ACK:
	case TCP_FIN | TCP_ACK:
	case TCP_FIN | TCP_ACK | TCP_URG:
	case TCP_ACK:
	case TCP_ACK | TCP_URG:
		return 1;
	}
	return 0;
}

static __always_inline __u8 kind_of(__u8 flags)
{
	if (flags & TCP_RST)
		return KIND_RST;
	if (flags & TCP_SYN)
		return flags & TCP_ACK ? KIND_SYN_ACK : KIND_SYN;
	return flags & TCP_FIN ? KIND_FIN : KIND_ACK;
}

struct option_walk {
	struct work *work;
	__u32 at;
	__u32 end;
};

static __always_inline void read_sack(struct work *w, __u32 at, __u32 size)
{
	struct segment *s = &w->segment;

	s->has_sack = 1;
	for (__u32 block = 0; block < 4; block++) {
		__u32 right;

		if (block * 8 + 10 > size)
			return;
		__builtin_memcpy(&right, &w->options[(at & 63) + block * 8 + 6], 4);
		right = bpf_ntohl(right);
		if (after(right, s->sack))
			s->sack = right;
	}
}

/* The options that matter to windows: RFC 7323, 2.2 and RFC 2018, 2 and 3. 1 ends the walk. */
static long read_option(__u64 i, struct option_walk *walk)
{
	struct work *w = walk->work;
	__u32 at = walk->at & 63, end = walk->end;
	__u8 kind, size;

	if (walk->at >= end || !(kind = w->options[at]))
		return 1;
	if (kind == 1) {
		walk->at++;
		return 0;
	}
	size = w->options[at + 1];
	if (at + 2 > end || size < 2 || at + size > end)
		return 1;
	if (kind == 4 && size == 2) {
		w->segment.options |= SACK_PERMITTED;
	} else if (kind == 3 && size == 3) {
		w->segment.options |= SCALES;
		w->segment.scale = w->options[at + 2] > 14 ? 14 : w->options[at + 2];
	} else if (kind == 5 && size >= 10 && !((size - 2) & 7) && !w->segment.has_sack) {
		read_sack(w, at, size);
	}
	walk->at += size;
	return 0;
}

/* Negative for a segment that no sender makes: a header that is cut or too short, flags that exclude each other. */
__noinline int read_segment(struct __sk_buff *skb)
{
	struct work *w = work();
	struct segment *s;
	struct tcp tcp;
	__u32 header;

	if (!w)
		return -1;
	s = &w->segment;
	__builtin_memset(s, 0, sizeof(*s));
	if (w->l4 + TCP_BYTES > w->l4_end || load(skb, w->l4, &tcp, sizeof(tcp)) < 0)
		return -1;
	header = (tcp.offset >> 4) * 4;
	if (header < TCP_BYTES || w->l4 + header > w->l4_end || !are_flags(tcp.flags))
		return -1;
	s->seq = bpf_ntohl(tcp.seq);
	s->ack = s->sack = bpf_ntohl(tcp.ack);
	s->end = s->seq + (w->l4_end - w->l4) - header + !!(tcp.flags & TCP_SYN) + !!(tcp.flags & TCP_FIN);
	s->win = bpf_ntohs(tcp.win);
	s->kind = kind_of(tcp.flags);
	s->has_ack = !!(tcp.flags & TCP_ACK);
	header -= TCP_BYTES;
	if (header > 0 && header <= MAX_TCP_OPTIONS) {
		struct option_walk walk = { .work = w, .end = header };

		if (load(skb, w->l4 + TCP_BYTES, w->options, header) < 0)
			return -1;
		s->has_options = 1;
		bpf_loop(MAX_TCP_OPTIONS, read_option, &walk, 0);
	}
	return 0;
}

#endif
