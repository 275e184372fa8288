/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The rule of a set that judges a packet: the number of lookups does not grow with the rules
 * (docs/reference/firewall-node.md).
 */
#ifndef MATCH_H
#define MATCH_H

#include "sera.h"

static __always_inline struct page *page_of(void *set, __u32 number)
{
	return bpf_map_lookup_elem(set, &number);
}

/* The last key that is not above a value. Without branches, so that the verifier walks one path and not 2^7. */
static __always_inline __u32 search(const struct keys *keys, __u64 hi, __u64 lo)
{
	__u64 at = 0;

#pragma unroll
	for (int step = 6; step >= 0; step--) {
		__u64 probe = (at | 1ULL << step) & (KEYS_OF_PAGE - 1);
		__u64 h = keys->hi[probe], l = keys->lo[probe], d, borrow;

		d = lo - l;
		borrow = ((~lo & l) | ((~lo | l) & d)) >> 63;
		d = hi - h - borrow;
		borrow = ((~hi & h) | ((~hi | h) & d)) >> 63; /* 1: the value is below the key */
		at |= (borrow ^ 1) << step;
	}
	return at & (KEYS_OF_PAGE - 1);
}

/* The class of an address, negative for a set that is broken. */
static __noinline int addr_class(void *set, const struct head *head, __u32 field, const __u64 *value)
{
	struct page *page;
	__u32 leaf;

	if (field >= ADDRS || !(page = page_of(set, head->table[field])))
		return -1;
	leaf = search(&page->keys, value[0], value[1]);
	if (!(head->deep & 1u << field))
		return page->keys.class[leaf];
	if (leaf >= head->leaves[field])
		leaf = head->leaves[field] - 1; /* all ones, as the rest of the page */
	page = page_of(set, head->table[field] + 1 + leaf);
	return page ? page->keys.class[search(&page->keys, value[0], value[1])] : -1;
}

static __always_inline int wide_class(void *set, const struct head *head, __u32 field, __u16 value)
{
	struct page *page = page_of(set, head->table[WIDE_FIELD + field] + value / WIDES_OF_PAGE);

	return page ? page->wides[value & (WIDES_OF_PAGE - 1)] : -1;
}

static __always_inline int byte_class(void *set, const struct head *head, __u32 field, __u8 value)
{
	struct page *page = page_of(set, head->byte_page + field / BYTES_OF_PAGE);

	return page ? page->bytes[field & (BYTES_OF_PAGE - 1)][value] : -1;
}


/* Where the lowest bit is: de Bruijn's way, as there is no instruction for it. */
static const __u8 places[64] = {
	0,  1,	48, 2,	57, 49, 28, 3,	61, 58, 50, 42, 38, 29, 17, 4,	62, 55, 59, 36, 53, 51, 43, 22, 45, 39, 33, 30, 24, 18, 12, 5,
	63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21, 44, 32, 23, 11, 46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,	13, 8,	7,  6,
};

static __always_inline __u32 lowest(__u64 x)
{
	return places[((x & -x) * 0x03f79d71b4cb0a89ULL) >> 58 & 63];
}

/* The first row of a set is good for all rules: that of a field that none looks at. */
#define USES(field) (head->used & 1u << (field))

#define ROW(row, field, class_of)                           \
	do {                                                \
		__u32 number = 0;                           \
		if (USES(field)) {                          \
			int class = class_of;               \
			if (class < 0)                      \
				return -2;                  \
			number = head->first_row[field] + class; \
		}                                           \
		page = page_of(set, 1 + number / ROWS_OF_PAGE); \
		if (!page)                                  \
			return -2;                          \
		row = &page->rows[number & (ROWS_OF_PAGE - 1)]; \
	} while (0)
#define ADDR_ROW(row, field) ROW(row, field, addr_class(set, head, field, facts->addr[field]))
#define WIDE_ROW(row, field) ROW(row, WIDE_FIELD + field, wide_class(set, head, field, facts->wide[field]))
#define BYTE_ROW(row, field) ROW(row, BYTE_FIELD + field, byte_class(set, head, field, facts->byte[field]))

#define BIT(field) (1u << (field))
#define LAYER_FOUR (BIT(BYTE_FIELD + BYTE_TCP_FLAGS) | BIT(BYTE_FIELD + BYTE_ICMP_TYPE) | BIT(BYTE_FIELD + BYTE_ICMP_CODE))
#define SEGMENTS                                                                                                        \
	(BIT(WIDE_FIELD + WIDE_TAG) | BIT(WIDE_FIELD + WIDE_ARGS) | BIT(BYTE_FIELD + BYTE_NEXT_HDR) | BIT(BYTE_FIELD + BYTE_HDR_LEN) |  \
	 BIT(BYTE_FIELD + BYTE_LEFT) | BIT(BYTE_FIELD + BYTE_LAST_ENTRY) | BIT(BYTE_FIELD + BYTE_SRH_FLAGS))
#define SIDS (BIT(ADDR_PREVIOUS) | BIT(ADDR_NEXT) | BIT(ADDR_LAST) | BIT(ADDR_OUTER))

/* The number of the first rule that takes a packet, -1 for none, -2 for a set that is broken. */
static __noinline int classify(void *set, const struct head *head, const struct facts *facts)
{
	struct row *a, *b, *c, *d, *e, *f, *g = 0, *h = 0, *i = 0, *j = 0, *k = 0, *l = 0, *m = 0, *n = 0, *o = 0, *p = 0, *q = 0, *r = 0, *s = 0,
				   *t = 0;
	struct page *page;
	__u64 left;

	BYTE_ROW(a, BYTE_TRAITS);
	BYTE_ROW(b, BYTE_PROTOCOL);
	ADDR_ROW(c, ADDR_SRC);
	ADDR_ROW(d, ADDR_DST);
	WIDE_ROW(e, WIDE_SRC_PORT);
	WIDE_ROW(f, WIDE_DST_PORT);
	left = a->summary & b->summary & c->summary & d->summary & e->summary & f->summary;
	if (head->used & LAYER_FOUR) {
		BYTE_ROW(g, BYTE_TCP_FLAGS);
		BYTE_ROW(h, BYTE_ICMP_TYPE);
		BYTE_ROW(i, BYTE_ICMP_CODE);
		left &= g->summary & h->summary & i->summary;
	}
	if (head->used & SEGMENTS) {
		WIDE_ROW(j, WIDE_TAG);
		WIDE_ROW(k, WIDE_ARGS);
		BYTE_ROW(l, BYTE_NEXT_HDR);
		BYTE_ROW(m, BYTE_HDR_LEN);
		BYTE_ROW(n, BYTE_LEFT);
		BYTE_ROW(o, BYTE_LAST_ENTRY);
		BYTE_ROW(p, BYTE_SRH_FLAGS);
		left &= j->summary & k->summary & l->summary & m->summary & n->summary & o->summary & p->summary;
	}
	if (head->used & SIDS) {
		ADDR_ROW(q, ADDR_PREVIOUS);
		ADDR_ROW(r, ADDR_NEXT);
		ADDR_ROW(s, ADDR_LAST);
		ADDR_ROW(t, ADDR_OUTER);
		left &= q->summary & r->summary & s->summary & t->summary;
	}
	for (int words = 0; words < WORDS; words++) {
		__u32 at;
		__u64 w;

		if (!left)
			return -1;
		at = lowest(left) & (WORDS - 1);
		left &= left - 1;
		w = a->word[at] & b->word[at] & c->word[at] & d->word[at] & e->word[at] & f->word[at];
		if (g && h && i)
			w &= g->word[at] & h->word[at] & i->word[at];
		if (j && k && l && m && n && o && p)
			w &= j->word[at] & k->word[at] & l->word[at] & m->word[at] & n->word[at] & o->word[at] & p->word[at];
		if (q && r && s && t)
			w &= q->word[at] & r->word[at] & s->word[at] & t->word[at];
		if (w)
			return at * 64 + lowest(w);
	}
	return -1;
}

#endif
