/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The egress: which copy is the first of its kind (docs/reference/livelive.md, "De-duplication"). */
#ifndef DEDUP_H
#define DEDUP_H

#include "packet.h"

#ifndef BPF_F_ADJ_ROOM_DECAP_L3_IPV4 /* Linux 6.3 */
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV4 (1ULL << 7)
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV6 (1ULL << 8)
#endif

enum { NOT_MINE = -1, DROPPED = 0, DELIVERED = 1 };
enum { FIRST, DUPLICATE, LATE };

/* Epochs are serial numbers (RFC 1982); sequence numbers never wrap. */
static __always_inline int newer(__u64 one, __u64 other)
{
	__u16 ahead = (__u16)(one >> 48) - (__u16)(other >> 48);

	if (!other)
		return 1;
	return ahead ? ahead < 0x8000 : one > other;
}

/*
 * Only a larger number may replace what a slot holds, and compare-and-swap makes sure that of two CPUs
 * with the same number one wins. A CPU that loses to another number looks again; eight others in a
 * row would mean eight windows within this packet's time here.
 */
static __always_inline int decide(struct slot *slot, __u64 number)
{
	__u64 seen = *(volatile __u64 *)&slot->seen;

	for (int i = 0; i < 8; i++) {
		__u64 before;

		if (!newer(number, seen))
			return seen == number ? DUPLICATE : LATE;
		before = __sync_val_compare_and_swap(&slot->seen, seen, number);
		if (before == seen)
			return FIRST;
		seen = before;
	}
	return LATE;
}

/* Class 0 is below 128 us, each further one up to twice as long. */
static __always_inline __u32 delay_class(__u64 nanos)
{
	__u64 micros = nanos / 1000;
	__u32 class = 0;

	for (__u32 i = 1; i < DELAY_CLASSES; i++)
		if (micros >= 1ULL << (i + 6))
			class = i;
	return class;
}

static __always_inline int seen_before(struct __sk_buff *skb, __u32 flow_id, __u32 window, __u32 path,
				       __u64 number, __u32 index)
{
	__u32 at = window << 4 | path;
	struct cell *cell = bpf_map_lookup_elem(&cells, &at);
	void *slots = bpf_map_lookup_elem(&windows, &flow_id);
	__u64 now = bpf_ktime_get_ns();
	struct slot *slot;
	int verdict;

	if (!cell || !slots)
		return 1;
	slot = bpf_map_lookup_elem(slots, &index);
	if (!slot)
		return 1;
	verdict = decide(slot, number);
	if (verdict == FIRST) {
		slot->nanos = now;
		count(&cell->first, skb->len);
		return 0;
	}
	if (verdict == LATE) {
		count(&cell->late, skb->len);
	} else {
		__u64 first = *(volatile __u64 *)&slot->nanos;

		count(&cell->duplicate, skb->len);
		count(&cell->delay[delay_class(now > first ? now - first : 0) & (DELAY_CLASSES - 1)], skb->len);
	}
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
	    bpf_skb_store_bytes(skb, ETH_BYTES - 2, &type, sizeof(type), 0) < 0)
		return DROPPED;
	return DELIVERED;
}

static __always_inline int dedup(struct __sk_buff *skb, const struct ipv6 *ip)
{
	struct sid_key key = { .bits = 128 };
	struct path_cell *path_cell;
	struct tlv tlv = {};
	__u32 outer_bytes, path, flow_id, *window;
	__u64 sequence;
	struct sid *sid;
	__u8 inner = 0;

	__builtin_memcpy(key.addr, ip->dst, 16);
	sid = bpf_map_lookup_elem(&sids, &key);
	if (!sid || !sid->path)
		return NOT_MINE;
	count(&sid->arrived, skb->len);
	path = sid->path & 15;
	path_cell = bpf_map_lookup_elem(&path_cells, &path);
	if (!path_cell)
		return DROPPED;
	outer_bytes = read_copy(skb, ip, &tlv, &inner);
	if (!outer_bytes) {
		count(&path_cell->malformed, skb->len);
		return DROPPED;
	}
	flow_id = bpf_ntohl(tlv.flow_id);
	window = bpf_map_lookup_elem(&ends, &flow_id);
	if (!window) {
		count(&path_cell->stray, skb->len);
		return DROPPED;
	}
	sequence = bpf_be64_to_cpu(tlv.sequence);
	if (seen_before(skb, flow_id, *window & (MAX_WINDOWS - 1), path,
			(__u64)bpf_ntohs(tlv.epoch) << 48 | sequence >> 16, sequence & (SLOTS - 1)))
		return DROPPED;
	return decapsulate(skb, outer_bytes, inner);
}

#endif
