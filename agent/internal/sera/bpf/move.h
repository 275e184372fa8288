/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Where a verdict sends a packet. Its program is the part behind the active SID: the rest of the
 * container, then the segments of the list that are left. It is made of atoms: a global uSID and
 * the local ones behind it, or a segment of another block; verdicts move by atoms.
 */
#ifndef MOVE_H
#define MOVE_H

#include "sera.h"

#define MAX_USIDS 16 /* of a container: of 8 bits behind the shortest block */

static __always_inline __u64 shl_hi(const __u64 *v, __u32 n) /* the upper half of v << n, n < 128 */
{
	if (n >= 64)
		return v[1] << (n & 63);
	return n ? v[0] << n | v[1] >> (64 - n) : v[0];
}

static __always_inline void shl(const __u64 *v, __u32 n, __u64 *out)
{
	__u64 hi = shl_hi(v, n);

	out[1] = n >= 64 ? 0 : v[1] << n;
	out[0] = hi;
}

static __always_inline void shr(const __u64 *v, __u32 n, __u64 *out)
{
	if (n >= 64) {
		out[1] = v[0] >> (n & 63);
		out[0] = 0;
		return;
	}
	out[1] = n ? v[1] >> n | v[0] << (64 - n) : v[1];
	out[0] = v[0] >> n;
}

static __always_inline void block_mask(const struct sid *s, __u64 *mask)
{
	mask[0] = s->block >= 64 ? ~0ULL : ~(~0ULL >> (s->block & 63));
	mask[1] = s->block > 64 ? ~(~0ULL >> ((s->block - 64) & 63)) : 0;
}

/* The block of the destination, and the rest behind it. */
static __always_inline void join(const struct sid *s, struct cursor *c)
{
	__u64 mask[2], behind[2];

	block_mask(s, mask);
	shr(c->rest, s->block & 127, behind);
	c->da[0] = (c->da[0] & mask[0]) | behind[0];
	c->da[1] = (c->da[1] & mask[1]) | behind[1];
}

static __always_inline int is_empty(const struct cursor *c)
{
	return !(c->rest[0] | c->rest[1]);
}

/* list[i]; 126 is the last that a header has room for. */
static __always_inline int load_segment(struct __sk_buff *skb, __u32 srh_at, __u32 i, __u64 *out)
{
	__u8 segment[16];

	if (!srh_at || i > 126 || load(skb, srh_at + SRH_BYTES + 16 * i, segment, 16) < 0)
		return -1;
	be128(segment, out);
	return 0;
}

/* One uSID off the front of a container. No loop here branches: the verifier walks one path, and not 2^16. */
static __always_inline void shift(const struct sid *s, const __u64 *v, __u64 *out)
{
	__u32 n = s->usid & 63;

	out[0] = v[0] << n | v[1] >> ((64 - n) & 63);
	out[1] = v[1] << n;
}

/* The kind of the uSID in front: global (1), or local or none (0). */
static __always_inline __u64 is_global(const struct sid *s, const __u64 *v, __u64 *there)
{
	__u64 usid = v[0] >> ((64 - s->usid) & 63);

	*there = -usid >> 63;
	return *there & ((usid - s->local_start) >> 63);
}

static __always_inline void choose(__u64 *v, const __u64 *other, __u64 if_one)
{
	v[0] ^= (v[0] ^ other[0]) & -if_one;
	v[1] ^= (v[1] ^ other[1]) & -if_one;
}

/* One atom off the front: a uSID, and the local ones behind it. */
static __always_inline void pop_atom(const struct sid *s, struct cursor *c)
{
	__u64 rest[2], next[2], there, going = 1;

	shift(s, c->rest, rest);
	for (int i = 1; i < MAX_USIDS; i++) {
		__u64 global = is_global(s, rest, &there);

		going &= there & ~global;
		shift(s, rest, next);
		choose(rest, next, going);
	}
	c->rest[0] = rest[0];
	c->rest[1] = rest[1];
}

/*
 * Only the last atom stays: from the last global uSID on. Local uSIDs with nothing global before
 * them are one atom.
 */
static __always_inline void keep_last_atom(const struct sid *s, struct cursor *c)
{
	__u64 rest[2] = { c->rest[0], c->rest[1] }, next[2], there;

	for (int i = 0; i < MAX_USIDS; i++) {
		choose(c->rest, rest, is_global(s, rest, &there));
		shift(s, rest, next);
		rest[0] = next[0];
		rest[1] = next[1];
	}
}

/*
 * A segment that stands in the list became the destination: if it is one of our block's, the rest
 * is its content.
 */
static __always_inline void open_container(const struct sid *s, const __u64 *before, struct cursor *c)
{
	__u64 mask[2];

	c->rest[0] = c->rest[1] = 0;
	block_mask(s, mask);
	if (s->usid && !((before[0] ^ c->da[0]) & mask[0]) && !((before[1] ^ c->da[1]) & mask[1]))
		shl(c->da, s->block & 127, c->rest);
}

static __always_inline int go_next(struct __sk_buff *skb, const struct sid *s, struct cursor *c)
{
	if (!is_empty(c)) {
		join(s, c);
		return 0;
	}
	if (!c->sl)
		return -1;
	c->sl--;
	return load_segment(skb, c->srh_at, c->sl, c->da);
}

static __always_inline int skip_next(struct __sk_buff *skb, const struct sid *s, struct cursor *c)
{
	if (is_empty(c)) {
		__u64 before[2] = { c->da[0], c->da[1] };

		if (!c->sl)
			return -1;
		c->sl--;
		if (load_segment(skb, c->srh_at, c->sl, c->da) < 0)
			return -1;
		open_container(s, before, c);
	}
	if (!is_empty(c))
		pop_atom(s, c);
	return go_next(skb, s, c);
}

static __always_inline int go_last(struct __sk_buff *skb, const struct sid *s, struct cursor *c)
{
	if (c->sl) {
		__u64 before[2] = { c->da[0], c->da[1] }, mask[2];

		c->sl = 0;
		if (load_segment(skb, c->srh_at, 0, c->da) < 0)
			return -1;
		block_mask(s, mask);
		if (!s->usid || (before[0] ^ c->da[0]) & mask[0] || (before[1] ^ c->da[1]) & mask[1])
			return 0;
		open_container(s, before, c);
	}
	if (is_empty(c))
		return -1;
	keep_last_atom(s, c);
	join(s, c);
	return 0;
}

/* Moves a cursor; negative if there is nothing to go to. Global, so that the verifier walks it once. */
__noinline int move(struct __sk_buff *skb, const struct sid *s, struct cursor *c, __u32 verdict)
{
	if (!s || !c || s->block > 127 || s->usid > 32)
		return -1;
	if (verdict == VERDICT_SKIP_NEXT)
		return skip_next(skb, s, c);
	if (verdict == VERDICT_GO_LAST)
		return go_last(skb, s, c);
	return go_next(skb, s, c);
}

static __always_inline void start(const struct sid *s, struct work *w)
{
	struct cursor *c = &w->cursor;

	c->da[0] = w->da[0];
	c->da[1] = w->da[1];
	c->sl = w->srh_at ? w->srh.segments_left : 0;
	c->srh_at = w->srh_at;
	c->rest[0] = c->rest[1] = 0;
	if (s->usid && s->bits < 128)
		shl(w->da, s->bits & 127, c->rest);
}

#endif
