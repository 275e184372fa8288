/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Flows that a firewall remembers, by the 5-tuple inside, both directions as one. The program opens them, follows their state
 * and refreshes them; the agent closes those that have timed out.
 *
 *   new ── the other end answers ──> answered ── the first end goes on ──> open ── FIN ──> closing
 *                                                                            └──── RST ──> reset ── data ──> new
 *
 * When a firewall remembers as many as it may, the flow that was opened first gives way to a new one, unless it is open: so
 * flows that were never open (a flood of SYNs, even if each is answered) take no room that others need. Turns are the
 * order in which flows were opened.
 */
#ifndef FLOWS_H
#define FLOWS_H

#include "sera.h"

#define TCP_FIN 1
#define TCP_SYN 2
#define TCP_RST 4
#define TCP_ACK 16
#define MOST_TURNS 1024 /* that one new flow looks at for room */

/* Former agents have the first two only: their flows are taken over in the same state. */
enum { FLOW_OPEN, FLOW_CLOSING, FLOW_RESET, FLOW_NEW, FLOW_ANSWERED };

struct flow {
	__u64 seen; /* microseconds since the machine's start */
	__u8 protocol;
	__u8 state;
	__u8 high_first; /* whether the higher end opened it */
	__u8 pad;
	__u32 turn;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, MAX_FLOWS);
	__type(key, struct flow_key);
	__type(value, struct flow);
} flows SEC(".maps");

/* Flows that the program opened, less those it evicted, and flows that the agent closed: each map has one writer. */
MAP(flows_opened, BPF_MAP_TYPE_ARRAY, __u32, __u64, INSTANCES);
MAP(flows_closed, BPF_MAP_TYPE_ARRAY, __u32, __u64, INSTANCES);

struct turn_key {
	__u32 place; /* the turn, modulo how many flows the firewall remembers */
	__u32 instance;
};

struct turns {
	__u64 next;  /* for the flow that is opened next */
	__u64 first; /* that was not asked to give way */
};

/*
 * The flow that was opened at a turn: the program writes, the agent removes those that no firewall
 * has any more.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, MAX_FLOWS);
	__type(key, struct turn_key);
	__type(value, struct flow_key);
} flows_in_turn SEC(".maps");

MAP(flow_turns, BPF_MAP_TYPE_ARRAY, __u32, struct turns, INSTANCES);

#define SECOND 1000000ULL

/* How long a flow is remembered that says nothing: flows.go has the same. */
static __always_inline __u64 patience(const struct flow *f)
{
	if (f->state == FLOW_NEW)
		return 30 * SECOND;
	if (f->state == FLOW_RESET)
		return 10 * SECOND;
	if (f->protocol != PROTO_TCP)
		return 180 * SECOND;
	return f->state == FLOW_OPEN ? 3600 * SECOND : 60 * SECOND;
}

static __always_inline int is_alive(const struct flow *f, __u64 now)
{
	return now < f->seen + patience(f);
}

/* An echo's identifier stands for its ports. */
static __always_inline void read_flow(struct __sk_buff *skb, struct work *w, const struct sid *s, struct flow_key *key)
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
	w->high_first = swap;
	__builtin_memcpy(key->low, f->addr[swap ? ADDR_DST : ADDR_SRC], 16);
	__builtin_memcpy(key->high, f->addr[swap ? ADDR_SRC : ADDR_DST], 16);
	key->low_port = swap ? to : from;
	key->high_port = swap ? from : to;
	key->instance = s->instance;
	key->protocol = f->byte[BYTE_PROTOCOL];
}

static __always_inline __u8 flags_of(const struct work *w)
{
	return w->flow.protocol == PROTO_TCP ? w->facts.byte[BYTE_TCP_FLAGS] : 0;
}

/* A SYN on a connection that has ended is another one, which rules judge as such. */
static __always_inline struct flow *find_flow(const struct work *w)
{
	struct flow *f = bpf_map_lookup_elem(&flows, &w->flow);
	__u8 flags = flags_of(w);

	if (!f || !is_alive(f, micros()))
		return 0;
	if ((f->state == FLOW_CLOSING || f->state == FLOW_RESET) && flags & TCP_SYN && !(flags & TCP_ACK))
		return 0;
	return f;
}

/* Updates a flow by a packet that passed. RFC 9293, 3.5: a connection is open once the first end acknowledges. */
static __always_inline void refresh(struct flow *f, const struct work *w)
{
	int first = f->high_first == w->high_first;
	__u8 flags = flags_of(w);

	f->seen = micros();
	if (flags & TCP_RST) {
		f->state = FLOW_RESET;
	} else if (flags & TCP_FIN) {
		f->state = FLOW_CLOSING;
	} else if (f->state == FLOW_RESET) { /* no end has accepted that RST */
		f->state = FLOW_NEW;
		f->high_first = w->high_first;
	} else if (f->state == FLOW_NEW && !first) {
		f->state = FLOW_ANSWERED;
	} else if (f->state == FLOW_ANSWERED && first && !(flags & TCP_SYN)) {
		f->state = FLOW_OPEN;
	}
}

struct eviction {
	struct turns *turns;
	__u32 instance;
	__u32 flows; /* that the firewall remembers at most */
	int done;
};

/* The flow of the first turn gives way, unless it is open; 1 ends the search. */
static long give_way(__u64 at, struct eviction *e)
{
	struct turns *turns = e->turns;
	struct turn_key key = { .instance = e->instance };
	struct flow_key *held, of;
	struct flow *f;
	__u64 turn, next = turns->next;

	if (turns->first >= next)
		return 1;
	if (next - turns->first > e->flows) /* turns before these are overwritten */
		turns->first = next - e->flows;
	turn = __sync_fetch_and_add(&turns->first, 1);
	key.place = turn % e->flows;
	held = bpf_map_lookup_elem(&flows_in_turn, &key);
	if (!held)
		return 0;
	of = *held;
	f = bpf_map_lookup_elem(&flows, &of);
	if (!f || f->turn != (__u32)turn || (f->state == FLOW_OPEN && is_alive(f, micros())))
		return 0;
	if (bpf_map_delete_elem(&flows, &of) < 0)
		return 0;
	e->done = 1;
	return 1;
}

/* Evicts a flow of a firewall to make room for another; returns whether one was evicted. */
static __noinline int evict(__u32 instance, __u32 most)
{
	__u32 cell = (instance & (INSTANCES - 1)) * REASONS + FLOW_EVICTED;
	struct counters *evicted;
	__u64 *opened;
	struct eviction e = { .instance = instance & (INSTANCES - 1), .flows = most };

	e.turns = bpf_map_lookup_elem(&flow_turns, &e.instance);
	opened = bpf_map_lookup_elem(&flows_opened, &e.instance);
	evicted = bpf_map_lookup_elem(&firewall_drops, &cell);
	if (!most || !e.turns || !opened || !evicted)
		return 0;
	bpf_loop(MOST_TURNS, give_way, &e, 0);
	if (!e.done)
		return 0;
	__sync_fetch_and_add(opened, -1);
	__sync_fetch_and_add(&evicted->packets, 1);
	return 1;
}

/* A flow takes its turn. Where there is no room for that, it gives way to no other. */
static __always_inline __u32 take_turn(const struct flow_key *of, __u32 instance, const struct sid *s)
{
	struct turn_key key = { .instance = instance };
	struct turns *turns = bpf_map_lookup_elem(&flow_turns, &instance);
	__u64 turn;

	if (!turns || !s->flows)
		return 0;
	turn = __sync_fetch_and_add(&turns->next, 1);
	key.place = turn % s->flows;
	bpf_map_update_elem(&flows_in_turn, &key, of, BPF_ANY);
	return turn;
}

/* Negative if there is no room. A RST opens nothing. */
static __always_inline int open_flow(const struct work *w, const struct sid *s)
{
	struct flow fresh = { .seen = micros(), .protocol = w->flow.protocol, .state = FLOW_NEW, .high_first = w->high_first }, *known;
	__u32 instance = s->instance & (INSTANCES - 1);
	__u64 *opened, *closed, before;
	__u8 flags = flags_of(w);

	if (flags & TCP_RST)
		return 0;
	if (flags & TCP_FIN)
		fresh.state = FLOW_CLOSING;
	known = bpf_map_lookup_elem(&flows, &w->flow);
	if (known) { /* it ended or timed out: it begins anew */
		fresh.turn = take_turn(&w->flow, instance, s);
		*known = fresh;
		return 0;
	}
	opened = bpf_map_lookup_elem(&flows_opened, &instance);
	closed = bpf_map_lookup_elem(&flows_closed, &instance);
	if (!opened || !closed)
		return -1;
	before = __sync_fetch_and_add(opened, 1);
	if (before - *closed >= s->flows && !evict(instance, s->flows)) {
		__sync_fetch_and_add(opened, -1);
		return -1;
	}
	fresh.turn = take_turn(&w->flow, instance, s);
	if (bpf_map_update_elem(&flows, &w->flow, &fresh, BPF_NOEXIST) < 0) {
		__sync_fetch_and_add(opened, -1);
		return bpf_map_lookup_elem(&flows, &w->flow) ? 0 : -1; /* another CPU was first */
	}
	return 0;
}

#endif
