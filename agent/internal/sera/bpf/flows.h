/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Flows that a firewall keeps, by the 5-tuple inside, both directions as one. The program opens them, follows their state
 * and refreshes them; the agent closes those that have timed out. The state of a packet is one of those of Linux's conntrack:
 *
 *   a packet ── fits no flow, and opens none ────────────────> INVALID
 *            ├─ an ICMP error about a packet of a flow ──────> RELATED
 *            ├─ of a flow that its other end has answered ───> ESTABLISHED
 *            └─ the first one of a flow, or not answered yet > NEW
 *
 * When a firewall has as many as it may, the flow that was opened first gives way to a new one, unless it is open: so
 * flows that were never open (a flood of SYNs, even if each is answered) take no room that others need. Turns are the
 * order in which flows were opened.
 */
#ifndef FLOWS_H
#define FLOWS_H

#include "tcp.h"

#define MOST_TURNS 1024 /* that one new flow looks at for room */

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

/* The states of a packet. */
enum { CT_NEW, CT_ESTABLISHED, CT_INVALID, CT_RELATED, CT_UNTRACKED };

/* The ends of a packet: addresses and, where it has them, ports. */
struct ends {
	const __u64 *src;
	const __u64 *dst;
	__u16 from;
	__u16 to;
	__u8 query; /* 1 of ICMP from the end that asks, 2 from the other one; else 0 */
};

/* Returns whether the sender is the higher end. */
static __always_inline int make_key(struct flow_key *key, const struct ends *e, __u8 protocol, __u16 instance)
{
	int swap = e->src[0] > e->dst[0] ||
		   (e->src[0] == e->dst[0] && (e->src[1] > e->dst[1] || (e->src[1] == e->dst[1] && e->from > e->to)));

	__builtin_memset(key, 0, sizeof(*key));
	__builtin_memcpy(key->low, swap ? e->dst : e->src, 16);
	__builtin_memcpy(key->high, swap ? e->src : e->dst, 16);
	key->low_port = swap ? e->to : e->from;
	key->high_port = swap ? e->from : e->to;
	key->instance = instance;
	key->protocol = protocol;
	key->asks = e->query ? 1 + (swap ^ (e->query - 1)) : 0;
	return swap;
}

/* The request that belongs to an ICMP type, 0: neither a request nor an answer (RFC 792, RFC 950, RFC 4443, RFC 4620). */
static __always_inline __u8 request_of(__u8 type, int four)
{
	if (four)
		return type == 0 ? 8 : type == 14 ? 13 : type == 16 ? 15 : type == 18 ? 17 : type == 8 || type == 13 || type == 15 || type == 17 ? type : 0;
	return type == 129 ? 128 : type == 140 ? 139 : type == 128 || type == 139 ? type : 0;
}

/* The identifier of a query stands for a port of the end that asks, its type and code for one of the other end. */
static __always_inline void ends_of_query(struct ends *e, const __u8 *icmp, __u8 request)
{
	__u16 id, query = request << 8 | icmp[1];

	id = icmp[4] << 8 | icmp[5];
	e->query = icmp[0] == request ? 1 : 2;
	e->from = icmp[0] == request ? id : query;
	e->to = icmp[0] == request ? query : id;
}

static __always_inline int is_icmp(const struct work *w)
{
	return w->facts.byte[BYTE_PROTOCOL] == (w->facts.byte[BYTE_TRAITS] & FOUR ? PROTO_ICMP : PROTO_ICMPV6);
}

static __always_inline int is_error(__u8 type, int four)
{
	return four ? type == 3 || type == 4 || type == 5 || type == 11 || type == 12 : type < 128;
}

/* Neighbor discovery and multicast listeners are of no flow (nf_conntrack_proto_icmpv6.c: noct_valid_new). */
static __always_inline int is_untracked(__u8 type, int four)
{
	return !four && ((type >= 130 && type <= 137) || type == 143);
}

/*
 * The flow key of a packet. Returns CT_NEW for a packet of a flow, or which may open one; else its state.
 */
static __always_inline int read_flow(struct __sk_buff *skb, struct work *w, const struct sid *s)
{
	const struct facts *f = &w->facts;
	struct ends e = { f->addr[ADDR_SRC], f->addr[ADDR_DST], f->wide[WIDE_SRC_PORT], f->wide[WIDE_DST_PORT], 0 };
	int four = !!(f->byte[BYTE_TRAITS] & FOUR), state = CT_NEW;
	__u8 icmp[8], protocol = f->byte[BYTE_PROTOCOL], request;

	if (w->later)
		return CT_UNTRACKED;
	if (is_icmp(w)) {
		if (w->l4 + 8 > w->l4_end || load(skb, w->l4, icmp, 8) < 0)
			return CT_INVALID;
		if (is_error(icmp[0], four))
			return CT_RELATED;
		if (is_untracked(icmp[0], four))
			return CT_UNTRACKED;
		request = request_of(icmp[0], four);
		if (!request)
			return CT_INVALID;
		ends_of_query(&e, icmp, request);
	}
	if (protocol == PROTO_UDP) {
		__be16 bytes;

		if (w->l4 + 8 > w->l4_end || load(skb, w->l4 + 4, &bytes, 2) < 0)
			return CT_INVALID;
		if (!w->parted && (bpf_ntohs(bytes) < 8 || w->l4 + bpf_ntohs(bytes) > w->l4_end))
			return CT_INVALID;
	}
	if (protocol == PROTO_TCP && read_segment(skb) < 0)
		return CT_INVALID;
	w->high_first = make_key(&w->flow, &e, protocol, s->instance);
	return state;
}

/* True if a packet that belongs to no flow may open one. */
static __always_inline int may_open(const struct work *w)
{
	if (w->flow.protocol == PROTO_TCP)
		return w->segment.kind == KIND_SYN || w->segment.kind == KIND_ACK;
	if (is_icmp(w)) {
		__u8 type = w->facts.byte[BYTE_ICMP_TYPE];

		return request_of(type, !!(w->facts.byte[BYTE_TRAITS] & FOUR)) == type;
	}
	return 1;
}

/* A flow of UDP is a stream, once both ends have sent and two seconds are over (nf_conntrack_proto_udp.c). */
static __always_inline void go_on(struct flow *f, int first)
{
	__u64 now = micros();
	__u8 age = (__u8)(now >> AGE_SHIFT) - f->mark;

	f->seen = now;
	if (f->state == FLOW_NEW) {
		if (!first)
			f->state = FLOW_ANSWERED;
	} else if (f->protocol == PROTO_ICMP || f->protocol == PROTO_ICMPV6) {
		return;
	} else if (age >= STREAM_AGE) {
		f->state = FLOW_OPEN;
	} else if (f->state == FLOW_ANSWERED && first) {
		f->state = FLOW_GOES_ON;
	}
}

static __always_inline void remove_flow(const struct flow_key *key)
{
	__u32 instance = key->instance & (INSTANCES - 1);
	__u64 *opened = bpf_map_lookup_elem(&flows_opened, &instance);

	if (opened && bpf_map_delete_elem(&flows, key) == 0)
		__sync_fetch_and_add(opened, -1);
	bpf_map_delete_elem(&connections, key);
}

static __always_inline struct connection *connection_of(struct work *w)
{
	struct connection *c = bpf_map_lookup_elem(&connections, &w->flow);

	if (c)
		return c;
	adopt(&w->connection);
	bpf_map_update_elem(&connections, &w->flow, &w->connection, BPF_ANY);
	return bpf_map_lookup_elem(&connections, &w->flow);
}

/* True if the flow of a packet is known; the flow is moved on by the packet, whatever rules decide then. */
__noinline int follow_flow(void)
{
	struct work *w = work();
	struct connection *c;
	int first, answered;
	struct flow *f;

	if (!w)
		return CT_UNTRACKED;
	f = bpf_map_lookup_elem(&flows, &w->flow);
	if (!f || !is_alive(f, micros()))
		return may_open(w) ? CT_NEW : CT_INVALID;
	first = f->high_first == w->high_first;
	if (w->flow.protocol != PROTO_TCP) {
		answered = !first || f->state != FLOW_NEW;
		go_on(f, first);
		w->known = 1;
		return answered ? CT_ESTABLISHED : CT_NEW;
	}
	answered = !first || !(f->mark & UNREPLIED);
	c = connection_of(w);
	if (c) {
		switch (follow(f, c, &w->segment, !first)) {
		case FOLLOWED_INVALID:
			return CT_INVALID;
		case FOLLOWED_BEGINS:
			return CT_NEW;
		case FOLLOWED_ENDS:
			remove_flow(&w->flow);
			w->known = 1;
			return answered ? CT_ESTABLISHED : CT_NEW;
		}
	}
	if (!first)
		f->mark &= ~UNREPLIED;
	w->known = 1;
	return answered ? CT_ESTABLISHED : CT_NEW;
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
	if (!f || f->turn != (__u32)turn || (is_kept(f) && is_alive(f, micros())))
		return 0;
	if (bpf_map_delete_elem(&flows, &of) < 0)
		return 0;
	bpf_map_delete_elem(&connections, &of);
	e->done = 1;
	return 1;
}

/* Evicts a flow of a firewall to make room for another; returns whether one was evicted. */
__noinline int evict(__u32 instance, __u32 most)
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

/* A flow as its first packet makes it. */
static __always_inline void begin_flow(struct flow *f, struct work *w)
{
	__u64 now = micros();

	__builtin_memset(f, 0, sizeof(*f));
	f->seen = now;
	f->protocol = w->flow.protocol;
	f->state = FLOW_NEW;
	f->high_first = w->high_first;
	f->mark = now >> AGE_SHIFT;
	if (w->flow.protocol != PROTO_TCP)
		return;
	connect(f, &w->connection, &w->segment);
	bpf_map_update_elem(&connections, &w->flow, &w->connection, BPF_ANY);
}

/* Negative if there is no room. Global, so that the verifier walks it once. */
__noinline int open_flow(const struct sid *s)
{
	__u64 *opened, *closed, first;
	struct flow fresh, *known;
	struct work *w = work();
	__u32 instance;

	if (!w || !s)
		return -1;
	instance = s->instance & (INSTANCES - 1);
	begin_flow(&fresh, w);
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
	first = __sync_fetch_and_add(opened, 1);
	if (first - *closed >= s->flows && !evict(instance, s->flows)) {
		__sync_fetch_and_add(opened, -1);
		bpf_map_delete_elem(&connections, &w->flow);
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
