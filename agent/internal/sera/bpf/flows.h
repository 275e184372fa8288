/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Flows that a firewall remembers, by the 5-tuple inside, both directions as one. The program opens them and refreshes them;
 * the agent closes those that nothing was heard of. What was opened and what was closed is counted apart, as each has one
 * writer.
 */
#ifndef FLOWS_H
#define FLOWS_H

#include "sera.h"

#define TCP_FIN 1
#define TCP_RST 4

enum { FLOW_OPEN, FLOW_CLOSING };

struct flow {
	__u64 seen; /* microseconds since the machine's start */
	__u8 protocol;
	__u8 state;
	__u8 pad[6];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, MAX_FLOWS);
	__type(key, struct flow_key);
	__type(value, struct flow);
} flows SEC(".maps");

MAP(flows_opened, BPF_MAP_TYPE_ARRAY, __u32, __u64, INSTANCES);
MAP(flows_closed, BPF_MAP_TYPE_ARRAY, __u32, __u64, INSTANCES);

#define SECOND 1000000ULL

/* How long a flow is remembered that says nothing: flows.go has the same. */
static __always_inline __u64 patience(const struct flow *f)
{
	if (f->protocol != PROTO_TCP)
		return 180 * SECOND;
	return f->state == FLOW_CLOSING ? 60 * SECOND : 3600 * SECOND;
}

static __always_inline int is_alive(const struct flow *f, __u64 now)
{
	return now < f->seen + patience(f);
}

/* An echo's identifier stands for its ports. */
static __always_inline void read_flow(struct __sk_buff *skb, const struct work *w, const struct sid *s, struct flow_key *key)
{
	const struct facts *f = &w->facts;
	__u16 from = f->wide[WIDE_SRC_PORT], to = f->wide[WIDE_DST_PORT];
	__u8 type = f->byte[BYTE_ICMP_TYPE];
	int swap;

	__builtin_memset(key, 0, sizeof(*key));
	if (f->byte[BYTE_TRAITS] & HAS_ICMP && (type == 0 || type == 8 || type == 128 || type == 129) && load(skb, w->l4 + 4, &from, 2) == 0)
		to = from;
	swap = f->addr[ADDR_SRC][0] > f->addr[ADDR_DST][0] ||
	       (f->addr[ADDR_SRC][0] == f->addr[ADDR_DST][0] &&
		(f->addr[ADDR_SRC][1] > f->addr[ADDR_DST][1] || (f->addr[ADDR_SRC][1] == f->addr[ADDR_DST][1] && from > to)));
	__builtin_memcpy(key->low, f->addr[swap ? ADDR_DST : ADDR_SRC], 16);
	__builtin_memcpy(key->high, f->addr[swap ? ADDR_SRC : ADDR_DST], 16);
	key->low_port = swap ? to : from;
	key->high_port = swap ? from : to;
	key->instance = s->instance;
	key->protocol = f->byte[BYTE_PROTOCOL];
}

static __always_inline struct flow *find_flow(const struct flow_key *key)
{
	struct flow *f = bpf_map_lookup_elem(&flows, key);

	return f && is_alive(f, micros()) ? f : 0;
}

static __always_inline void refresh(struct flow *f, const struct work *w)
{
	f->seen = micros();
	if (f->protocol == PROTO_TCP && w->facts.byte[BYTE_TCP_FLAGS] & (TCP_FIN | TCP_RST))
		f->state = FLOW_CLOSING;
}

/* Negative if there is no room. */
static __always_inline int open_flow(const struct flow_key *key, const struct work *w, const struct sid *s)
{
	struct flow fresh = { .seen = micros(), .protocol = key->protocol }, *known = bpf_map_lookup_elem(&flows, key);
	__u32 instance = s->instance & (INSTANCES - 1);
	__u64 *opened, *closed, before;

	if (known) { /* and nothing was heard of it for long: it begins anew */
		known->state = FLOW_OPEN;
		refresh(known, w);
		return 0;
	}
	opened = bpf_map_lookup_elem(&flows_opened, &instance);
	closed = bpf_map_lookup_elem(&flows_closed, &instance);
	if (!opened || !closed)
		return -1;
	before = __sync_fetch_and_add(opened, 1);
	if (before - *closed >= s->flows || bpf_map_update_elem(&flows, key, &fresh, BPF_NOEXIST) < 0) {
		__sync_fetch_and_add(opened, -1);
		return bpf_map_lookup_elem(&flows, key) ? 0 : -1; /* another CPU was first */
	}
	return 0;
}

#endif
