/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The egress: which copy is the first of its kind (docs/reference/livelive.md, "De-duplication"). */
#ifndef DEDUP_H
#define DEDUP_H

#include "livelive.h"

#ifndef BPF_F_ADJ_ROOM_DECAP_L3_IPV4 /* Linux 6.3 */
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV4 (1ULL << 7)
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV6 (1ULL << 8)
#endif

enum { NOT_MINE = -1, DROPPED = 0, DELIVERED = 1 };
enum { FIRST, DUPLICATE, LATE };

/* While a flow lives its numbers do not jump: an ingress that begins anew was silent for longer. */
#define LIVES_MICROS (1ULL << 18)
#define MAX_AHEAD ((1ULL << 24) / SLOTS)
/*
 * A slot that has kept its number for so long keeps no packet out any more: no path is that much
 * slower than another.
 */
#define FORGET_MICROS (1ULL << 22)

#define TOLD_TIME_BITS 40
#define TOLD_TIME_SHIFT 24
#define TOLD_NUMBER_SHIFT 16

/* Epochs are serial numbers (RFC 1982); sequence numbers never wrap. */
static __always_inline int newer(__u64 one, __u64 other)
{
	__u16 ahead = (__u16)(one >> 48) - (__u16)(other >> 48);

	if (!other)
		return 1;
	return ahead ? ahead < 0x8000 : one > other;
}

static __always_inline int jumps(const struct end *end, __u64 number, __u64 now)
{
	__u64 last = *(volatile __u64 *)&end->last;

	return last && newer(number, last) && (number >> 48 != last >> 48 || number - last > MAX_AHEAD) &&
	       now - *(volatile __u64 *)&end->when < LIVES_MICROS;
}

static __always_inline int is_about(__u64 told, __u64 number)
{
	return (__u8)(told >> TOLD_NUMBER_SHIFT) == (__u8)number;
}

static __always_inline __u64 age(__u64 told, __u64 now)
{
	return (now - (told >> TOLD_TIME_SHIFT)) & ((1ULL << TOLD_TIME_BITS) - 1);
}

/*
 * Only a larger number may replace the one in a slot, but for one that has been there for long, and
 * compare-and-swap makes sure that of two CPUs with the same number one wins. A CPU that loses to
 * another number looks again; eight others in a row would mean eight windows within this packet's
 * time here.
 */
static __always_inline int decide(struct slot *slot, __u64 number, __u64 now)
{
	__u64 seen = *(volatile __u64 *)&slot->seen;

	for (int i = 0; i < 8; i++) {
		__u64 told = *(volatile __u64 *)&slot->told;
		__u64 before;

		if (seen == number)
			return DUPLICATE;
		if (!newer(number, seen) && !(is_about(told, seen) && age(told, now) >= FORGET_MICROS))
			return LATE;
		before = __sync_val_compare_and_swap(&slot->seen, seen, number);
		if (before == seen)
			return FIRST;
		seen = before;
	}
	return LATE;
}

/* Class 0 is below 128 us, each further one up to twice as long. */
static __always_inline __u32 delay_class(__u64 micros)
{
	__u32 class = 0;

	for (__u32 i = 1; i < DELAY_CLASSES; i++)
		if (micros >= 1ULL << (i + 6))
			class = i;
	return class;
}

/* A copy of a packet that was delivered. One that comes over its path again, as the network repeats it, is of no use. */
static __always_inline void count_duplicate(struct cell *cell, struct slot *slot, __u64 number, __u32 path, __u64 now,
					    __u32 bytes)
{
	__u64 told = *(volatile __u64 *)&slot->told;
	__u64 behind = 0;

	if (is_about(told, number)) {
		behind = age(told, now);
		told = __sync_fetch_and_or(&slot->told, 1ULL << path);
		if (told & 1ULL << path) {
			count(&cell->late, bytes);
			return;
		}
	}
	count(&cell->duplicate, bytes);
	count(&cell->delay[delay_class(behind) & (DELAY_CLASSES - 1)], bytes);
}

static __always_inline int seen_before(struct __sk_buff *skb, struct end *end, __u32 flow_id, __u32 path, __u64 number,
				       __u32 index)
{
	__u32 at = (end->window & (MAX_WINDOWS - 1)) << 4 | path;
	struct cell *cell = bpf_map_lookup_elem(&cells, &at);
	void *slots = bpf_map_lookup_elem(&windows, &flow_id);
	struct slot *slot;
	__u64 now = micros();
	int verdict;

	slot = cell && slots ? bpf_map_lookup_elem(slots, &index) : 0;
	if (!slot) {
		count_drop(skb, DROP_NO_WINDOW);
		return 1;
	}
	verdict = jumps(end, number, now) ? LATE : decide(slot, number, now);
	if (verdict == FIRST) {
		slot->told = now << TOLD_TIME_SHIFT | (__u64)(__u8)number << TOLD_NUMBER_SHIFT | 1ULL << path;
		end->last = number;
		end->when = now;
		count(&cell->first, skb->len);
		return 0;
	}
	if (verdict == LATE)
		count(&cell->late, skb->len);
	else
		count_duplicate(cell, slot, number, path, now, skb->len);
	return 1;
}

/*
 * The bytes in front of the inner packet, 0 if this is no copy. The SRH stands directly behind the IPv6
 * header and the inner packet directly behind the SRH: so the ingress builds them.
 */
static __always_inline __u32 read_copy(struct __sk_buff *skb, const struct ipv6 *ip, struct tlv *tlv,
				       __u8 *inner)
{
	__u32 payload_len = bpf_ntohs(ip->payload_len);
	__u32 listed, srh_bytes;
	struct srh srh;
	__u8 version;

	if (ip->next_hdr != PROTO_ROUTING || payload_len + IPV6_BYTES + ETH_BYTES > skb->len ||
	    load(skb, ETH_BYTES + IPV6_BYTES, &srh, sizeof(srh)) < 0)
		return 0;
	listed = srh.last_entry + 1;
	srh_bytes = (srh.hdr_ext_len + 1) * 8;
	if (srh.type != ROUTING_TYPE_SRH || srh.segments_left ||
	    SRH_BYTES + 16 * listed + TLV_BYTES > srh_bytes || srh_bytes >= payload_len)
		return 0;
	if (load(skb, ETH_BYTES + IPV6_BYTES + SRH_BYTES + 16 * listed, tlv, sizeof(*tlv)) < 0 ||
	    load(skb, ETH_BYTES + IPV6_BYTES + srh_bytes, &version, 1) < 0)
		return 0;
	if (tlv->head != bpf_htons(TLV_HEAD) || !tlv->epoch || !tlv->sequence)
		return 0;
	*inner = srh.next_hdr;
	if (!(srh.next_hdr == PROTO_IPV6 && version >> 4 == 6 && srh_bytes + IPV6_BYTES <= payload_len) &&
	    !(srh.next_hdr == PROTO_IPV4 && version >> 4 == 4 && srh_bytes + IPV4_BYTES <= payload_len))
		return 0;
	return IPV6_BYTES + srh_bytes;
}

static __always_inline int decapsulate(struct __sk_buff *skb, __u32 outer_bytes, __u8 inner)
{
	int four = inner == PROTO_IPV4;
	__be16 type = four ? bpf_htons(ETHER_IPV4) : bpf_htons(ETHER_IPV6);
	__u64 flags = four ? BPF_F_ADJ_ROOM_DECAP_L3_IPV4 : BPF_F_ADJ_ROOM_DECAP_L3_IPV6;

	if (bpf_skb_adjust_room(skb, -(__s32)outer_bytes, BPF_ADJ_ROOM_MAC, flags) < 0 ||
	    bpf_skb_store_bytes(skb, ETH_BYTES - 2, &type, sizeof(type), 0) < 0) {
		count_drop(skb, DROP_NOT_UNWRAPPED);
		return DROPPED;
	}
	return DELIVERED;
}

static __always_inline int dedup(struct __sk_buff *skb, const struct ipv6 *ip)
{
	struct path_cell *path_cell;
	struct tlv tlv = {};
	__u32 outer_bytes, path, flow_id;
	struct end *end;
	__u64 sequence;
	struct sid *sid;
	__u8 inner = 0;

	sid = find_sid(ip->dst);
	if (!sid || !sid->path)
		return NOT_MINE;
	count(&sid->arrived, skb->len);
	path = sid->path & 15;
	path_cell = bpf_map_lookup_elem(&path_cells, &path);
	if (!path_cell) {
		count_drop(skb, DROP_NO_WINDOW);
		return DROPPED;
	}
	outer_bytes = read_copy(skb, ip, &tlv, &inner);
	if (!outer_bytes) {
		count(&path_cell->malformed, skb->len);
		return DROPPED;
	}
	flow_id = bpf_ntohl(tlv.flow_id);
	end = bpf_map_lookup_elem(&ends, &flow_id);
	if (!end) {
		count(&path_cell->stray, skb->len);
		return DROPPED;
	}
	sequence = bpf_be64_to_cpu(tlv.sequence);
	if (seen_before(skb, end, flow_id, path, (__u64)bpf_ntohs(tlv.epoch) << 48 | sequence >> 16,
			sequence & (SLOTS - 1)))
		return DROPPED;
	return decapsulate(skb, outer_bytes, inner);
}

#endif
