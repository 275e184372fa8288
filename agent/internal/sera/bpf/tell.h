/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Events about packets go to the agent, which logs them, and errors to the sender of one whose
 * arguments mean nothing.
 */
#ifndef TELL_H
#define TELL_H

#include "sera.h"

#define DESTINATION_OFFSET 24 /* of an IPv6 header */
#define LOGGED_PER_SECOND 20 /* by instance */

struct event {
	__u64 hash; /* of the rule */
	__u32 firewall;
	__u32 priority;
	__u32 unlogged; /* packets since the last second, that were too many */
	__u16 instance;
	__u8 verdict;
	__u8 reason;
	__u8 protocol;
	__u8 traits;
	__u16 src_port;
	__u16 dst_port;
	__u8 icmp_type;
	__u8 icmp_code;
	__u64 src[2];
	__u64 dst[2];
	__u64 sid[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} events SEC(".maps");

struct budget {
	__u64 second;
	__u32 logged;
	__u32 unlogged;
};

MAP(budgets, BPF_MAP_TYPE_ARRAY, __u32, struct budget, INSTANCES);

static __always_inline void log_packet(const struct sid *s, const struct work *w, const struct rule *rule, __u8 verdict, __u8 reason)
{
	__u32 instance = s->instance & (INSTANCES - 1), unlogged = 0;
	struct budget *b = bpf_map_lookup_elem(&budgets, &instance);
	__u64 second = bpf_ktime_get_ns() >> 30;
	struct event *e;

	if (!b)
		return;
	if (b->second != second) {
		b->second = second;
		b->logged = 0;
		unlogged = b->unlogged;
		b->unlogged = 0;
	}
	if (__sync_fetch_and_add(&b->logged, 1) >= LOGGED_PER_SECOND || !(e = bpf_ringbuf_reserve(&events, sizeof(*e), 0))) {
		__sync_fetch_and_add(&b->unlogged, unlogged + 1);
		return;
	}
	__builtin_memset(e, 0, sizeof(*e));
	e->hash = rule->hash;
	e->priority = rule->priority;
	e->firewall = s->firewall;
	e->instance = s->instance;
	e->unlogged = unlogged;
	e->verdict = verdict;
	e->reason = reason;
	e->protocol = w->facts.byte[BYTE_PROTOCOL];
	e->traits = w->facts.byte[BYTE_TRAITS];
	e->src_port = w->facts.wide[WIDE_SRC_PORT];
	e->dst_port = w->facts.wide[WIDE_DST_PORT];
	e->icmp_type = w->facts.byte[BYTE_ICMP_TYPE];
	e->icmp_code = w->facts.byte[BYTE_ICMP_CODE];
	__builtin_memcpy(e->src, w->facts.addr[ADDR_SRC], 16);
	__builtin_memcpy(e->dst, w->facts.addr[ADDR_DST], 16);
	__builtin_memcpy(e->sid, w->da, 16);
	bpf_ringbuf_submit(e, 0);
}

static __always_inline int to_stack(struct __sk_buff *skb, const struct settings *settings)
{
	if (bpf_skb_store_bytes(skb, 0, settings->stack_mac, 6, 0) < 0)
		return TC_ACT_SHOT;
	return bpf_redirect(settings->stack, BPF_F_INGRESS);
}

/* RFC 4443, 2.4: no answer to an error, nor to a packet without a sender. */
static __always_inline int may_be_answered(const struct work *w)
{
	const __u8 *src = w->ip.src;

	if (src[0] == 0xff || !(w->facts.addr[ADDR_OUTER][0] | w->facts.addr[ADDR_OUTER][1]))
		return 0;
	return !(w->ip.next_hdr == PROTO_ICMPV6 && w->facts.byte[BYTE_ICMP_TYPE] < 128);
}

/* The packet becomes an ICMPv6 Parameter Problem about its destination: the active SID (RFC 8754, 4.3.2; RFC 4443, 3.4). */
static __noinline int tell_bad_args(struct __sk_buff *skb, const struct settings *settings)
{
	struct work *w = work();

	if (!w || !may_be_answered(w) || !(*(__u64 *)settings->source | *(__u64 *)(settings->source + 8)) || !may_tell())
		return TC_ACT_SHOT;
	__builtin_memcpy(w->error.ip.src, settings->source, 16);
	__builtin_memcpy(w->error.ip.dst, w->ip.src, 16);
	if (make_icmpv6(skb, &w->error, w->chunk, w->end - ETH_BYTES, PARAMETER_PROBLEM, DESTINATION_OFFSET) < 0)
		return TC_ACT_SHOT;
	return to_stack(skb, settings);
}

#endif
