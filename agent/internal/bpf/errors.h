/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Errors that a program sends back: their checksums, and how many of them there may be. */
#ifndef ERRORS_H
#define ERRORS_H

#include "packet.h"

#define CHUNK 512 /* bytes that are summed up at a time */
#define CHUNK_ROOM (CHUNK + 8) /* with padding to whole words */
#define MIN_MTU_V6 1280
#define PACKET_TOO_BIG 2
#define PARAMETER_PROBLEM 4

MAP(told, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, 1); /* when this CPU has sent its last error */
#define BETWEEN_ERRORS_MICROS 1000

static __always_inline __be16 fold(__u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static __always_inline int may_tell(void)
{
	__u32 zero = 0;
	__u64 *last = bpf_map_lookup_elem(&told, &zero), now = micros();

	if (!last || now - *last < BETWEEN_ERRORS_MICROS)
		return 0;
	*last = now;
	return 1;
}

struct summing {
	struct __sk_buff *skb;
	__u8 *chunk;
	__u32 offset;
	__u32 left;
	__s64 sum;
};

static long sum_chunk(__u32 index, struct summing *s)
{
	__u32 bytes = s->left;

	if (bytes >= CHUNK) {
		if (load(s->skb, s->offset, s->chunk, CHUNK) < 0)
			goto failed;
		s->sum = bpf_csum_diff(0, 0, (__be32 *)s->chunk, CHUNK, s->sum);
		s->offset += CHUNK;
		s->left -= CHUNK;
		return s->left == 0;
	}
	if (bytes > 0 && bytes < CHUNK) {
		*(__u32 *)(s->chunk + (bytes & (CHUNK - 4))) = 0;
		if (load(s->skb, s->offset, s->chunk, bytes) < 0)
			goto failed;
		s->sum = bpf_csum_diff(0, 0, (__be32 *)s->chunk, (bytes + 3) & ~3, s->sum);
		s->left = 0;
	}
	return 1;
failed:
	s->sum = -1;
	return 1;
}

/*
 * The ones' complement sum of bytes of the packet, on top of another; negative if they are not there. The chunk has
 * CHUNK_ROOM and is of a map.
 */
static __always_inline __s64 sum_bytes(struct __sk_buff *skb, __u8 *chunk, __u32 offset, __u32 bytes, __u32 sum)
{
	struct summing s = { .skb = skb, .chunk = chunk, .offset = offset, .left = bytes, .sum = sum };

	bpf_loop(65536 / CHUNK + 1, sum_chunk, &s, 0);
	return s.sum;
}

struct icmpv6_error {
	struct ipv6 ip;
	__u8 type;
	__u8 code;
	__be16 checksum;
	__be32 value; /* an MTU, or where in the packet something is wrong */
};

/*
 * The packet, of which so many bytes are quoted as fit, becomes an ICMPv6 error (RFC 4443, 3.2 and 3.4), whose addresses
 * are there; negative if it does not.
 */
static __always_inline int make_icmpv6(struct __sk_buff *skb, struct icmpv6_error *m, __u8 *chunk, __u32 bytes, __u8 type,
				       __u32 value)
{
	__u32 most = MIN_MTU_V6 - sizeof(*m), quoted = bytes > most ? most : bytes;
	__be32 pseudo[2] = { bpf_htonl(8 + quoted), bpf_htonl(PROTO_ICMPV6) };
	__s64 sum;

	m->ip.flow = bpf_htonl(6 << 28);
	m->ip.payload_len = bpf_htons(8 + quoted);
	m->ip.next_hdr = PROTO_ICMPV6;
	m->ip.hop_limit = 64;
	m->type = type;
	m->code = 0;
	m->checksum = 0;
	m->value = bpf_htonl(value);
	sum = bpf_csum_diff(0, 0, pseudo, sizeof(pseudo), 0);
	sum = bpf_csum_diff(0, 0, (__be32 *)m->ip.src, 32 + 8, sum);
	if (bpf_skb_change_tail(skb, ETH_BYTES + quoted, 0) < 0)
		return -1;
	sum = sum_bytes(skb, chunk, ETH_BYTES, quoted, sum);
	if (sum < 0 || bpf_skb_adjust_room(skb, sizeof(*m), BPF_ADJ_ROOM_MAC, 0) < 0)
		return -1;
	m->checksum = fold(sum);
	return bpf_skb_store_bytes(skb, ETH_BYTES, m, sizeof(*m), BPF_F_RECOMPUTE_CSUM);
}

#endif
