// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Firewalls on Linux, docs/reference/firewall-node.md: one program, attached to TCX ingress at every port and at the far end
 * of the agent's pair, where the kernel's only route of the SIDs leads.
 *
 *   port ── a SID of a firewall? ──> its rules ──> another destination ──> the kernel routes it
 *              │                        └──> dropped
 *              └── no, or a tag in front ──> the kernel; for the SID: near end ──> far end ──> the same
 *
 * The program is the whole endpoint: without it nothing passes.
 */
#include "track.h"
#include "match.h"
#include "move.h"
#include "parse.h"
#include "tell.h"

char LICENSE[] SEC("license") = "GPL";

/* The types that the agent reads and writes besides values of maps. */
const struct event *unused_event __attribute__((unused));
const struct head *unused_head __attribute__((unused));
const struct rule *unused_rule __attribute__((unused));

/* A frame of a VLAN is not this port's. */
static __always_inline int is_mine(const struct __sk_buff *skb, const struct settings *settings)
{
	if (skb->ifindex == settings->far)
		return 1;
	return skb->pkt_type == PACKET_HOST && !(skb->vlan_present && skb->vlan_tci & 0x0fff);
}

/* Negative for a packet that is not whole. */
static __always_inline int measure(struct __sk_buff *skb, struct work *w)
{
	__u32 bytes = bpf_ntohs(w->ip.payload_len) + IPV6_BYTES;

	w->srh_at = 0;
	w->l4 = 0;
	w->later = 0;
	w->parted = skb->gso_segs > 1;
	w->end = w->parted ? skb->len : ETH_BYTES + bytes;
	return w->end > skb->len ? -1 : 0;
}

/* Only where rules ask: the destination that go_next would set. */
static __always_inline void find_next(struct __sk_buff *skb, const struct sid *s, struct work *w)
{
	start(s, w);
	if (move(skb, s, &w->cursor, VERDICT_GO_NEXT) < 0)
		return;
	w->facts.addr[ADDR_NEXT][0] = w->cursor.da[0];
	w->facts.addr[ADDR_NEXT][1] = w->cursor.da[1];
	w->facts.byte[BYTE_TRAITS] |= HAS_NEXT;
}

static __always_inline int rewrite(struct __sk_buff *skb, struct work *w, const struct cursor *c, int far)
{
	__u64 da[2] = { bpf_cpu_to_be64(c->da[0]), bpf_cpu_to_be64(c->da[1]) };
	__u8 left = c->sl, hops = w->ip.hop_limit + 1;

	if (w->srh_at && left != w->srh.segments_left &&
	    bpf_skb_store_bytes(skb, w->srh_at + 3, &left, 1, BPF_F_RECOMPUTE_CSUM) < 0)
		return -1;
	/* The hop that the pair has cost. */
	if (far && hops && bpf_skb_store_bytes(skb, ETH_BYTES + 7, &hops, 1, BPF_F_RECOMPUTE_CSUM) < 0)
		return -1;
	return bpf_skb_store_bytes(skb, ETH_BYTES + 24, da, 16, BPF_F_RECOMPUTE_CSUM);
}

static __always_inline int judge(struct __sk_buff *skb, const struct settings *settings, struct sid *s, struct work *w)
{
	int far = skb->ifindex == settings->far, number, room, state = CT_UNTRACKED;
	__u32 zero = 0, at, id;
	struct page *first, *page;
	struct rule *rule;
	__u8 verdict;
	void *set;

	if (measure(skb, w) < 0 || read_packet(skb, s) < 0)
		return drop(skb, s, DROP_MALFORMED);
	id = s->firewall;
	set = bpf_map_lookup_elem(&rule_sets, &id);
	if (!set || !(first = bpf_map_lookup_elem(set, &zero)))
		return drop(skb, s, DROP_NO_RULE);
	if (first->head.asks_next)
		find_next(skb, s, w);
	if (s->stateful) {
		state = track(skb, s);
		if (state == CT_ESTABLISHED || state == CT_RELATED)
			w->facts.byte[BYTE_TRAITS] |= ESTABLISHED;
		if (state == CT_INVALID || state == CT_RELATED)
			w->facts.byte[BYTE_TRAITS] |= EXCEPTION;
	}
	number = classify(set, &first->head, &w->facts);
	if (number < 0)
		return drop(skb, s, DROP_NO_RULE);
	at = number;
	page = page_of(set, first->head.first_rule_page + at / RULES_OF_PAGE);
	if (!page)
		return drop(skb, s, DROP_NO_RULE);
	rule = &page->rules[at & (RULES_OF_PAGE - 1)];
	count_row(skb, rule->counter);
	hit_row(rule->counter);
	verdict = rule->verdict;
	if (verdict == VERDICT_EVAL_ARGS)
		verdict = w->facts.wide[WIDE_ARGS] > 2 ? VERDICT_EVAL_ARGS : VERDICT_GO_NEXT + w->facts.wide[WIDE_ARGS];
	if (verdict == VERDICT_DROP) {
		if (rule->log)
			log_packet(s, w, rule, verdict, NO_REASON);
		return TC_ACT_SHOT;
	}
	if (verdict == VERDICT_EVAL_ARGS) {
		if (rule->log)
			log_packet(s, w, rule, verdict, DROP_BAD_ARGS);
		drop(skb, s, DROP_BAD_ARGS);
		return tell_bad_args(skb, settings);
	}
	if (!far && w->ip.hop_limit <= 1) {
		if (rule->log)
			log_packet(s, w, rule, verdict, DROP_LAST_HOP);
		drop(skb, s, DROP_LAST_HOP);
		return TCX_NEXT; /* the kernel's route of the SID costs the last hop: it says so to the sender */
	}
	start(s, w);
	if (move(skb, s, &w->cursor, verdict) < 0) {
		if (rule->log)
			log_packet(s, w, rule, verdict, DROP_UNABLE);
		return drop(skb, s, DROP_UNABLE);
	}
	room = 0;
	if (state == CT_NEW && !w->known)
		room = open_flow(s);
	if (rule->log)
		log_packet(s, w, rule, verdict, room < 0 ? DROP_FLOWS : NO_REASON);
	if (room < 0)
		return drop(skb, s, DROP_FLOWS);
	if (rewrite(skb, w, &w->cursor, far) < 0)
		return drop(skb, s, DROP_MALFORMED);
	return far ? to_stack(skb, settings) : TCX_NEXT;
}

static __always_inline int firewall(struct __sk_buff *skb, const struct settings *settings)
{
	int others = skb->ifindex == settings->far ? TC_ACT_SHOT : TCX_NEXT; /* the pair leads nowhere but here */
	struct work *w = work();
	struct sid *s;

	if (!w || skb->protocol != bpf_htons(ETHER_IPV6) || load(skb, ETH_BYTES, &w->ip, sizeof(w->ip)) < 0 || !is_ipv6(&w->ip))
		return others;
	s = find_sid(w->ip.dst);
	if (!s || s->kind != SID_SERA)
		return others;
	count_row(skb, s->counter);
	__builtin_memset(&w->facts, 0, sizeof(w->facts));
	be128(w->ip.dst, w->da);
	return judge(skb, settings, s, w);
}

SEC("tcx/ingress")
int sextant_sera(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);

	if (!settings || !is_mine(skb, settings))
		return TCX_NEXT;
	return firewall(skb, settings);
}
