/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The ingress: which packets are of a flow, and one copy per path of each (docs/reference/livelive.md).
 *
 *   port ── flow? ──> near end of a veth pair without segmentation offload ──> far end: number, copy
 *
 * Between the two the kernel cuts super-packets into the packets that go on the wire, so that each
 * packet has a number of its own. The mark has the rule for the far end.
 */
#ifndef REPLICATE_H
#define REPLICATE_H

#include "livelive.h"

/* The fields of the outer header that differ from packet to packet. */
struct outer {
	__be32 flow;
	__u32 inner_bytes;
	__u8 hop_limit;
	__u8 protocol; /* of the inner packet */
	__be32 flow_id;
	__be64 sequence;
};

/*
 * The best row for a packet: its priority in the upper half, its rule + 1 in the lower; 0 for none. Not static, so that
 * the verifier looks at it once, not once for every kind of packet that leads here (Linux 5.6).
 */
__noinline __u64 find_flow(const struct flow_key *packet, __u32 mask_count)
{
	__u64 best = 0;

	if (!packet)
		return 0;
	for (__u32 i = 0; i < MAX_MASKS; i++) {
		union {
			struct flow_key key;
			__u64 words[KEY_WORDS];
		} masked;
		struct flow_mask *mask;
		struct flow *found;
		__u32 at = i;

		if (i >= mask_count)
			break;
		mask = bpf_map_lookup_elem(&masks, &at);
		if (!mask || !mask->used)
			continue;
		masked.key = *packet;
		for (__u32 word = 0; word < KEY_WORDS; word++)
			masked.words[word] &= mask->bits[word];
		masked.key.mask = i;
		found = bpf_map_lookup_elem(&flows, &masked.key);
		if (found && (!best || found->priority > best >> 32))
			best = (__u64)found->priority << 32 | (found->rule + 1);
	}
	return best;
}

/* One hop less for the inner packet (RFC 2473, 3.1); its sender has seen to it that one is left. */
static __always_inline int lower(struct __sk_buff *skb, struct outer *outer)
{
	if (skb->protocol == bpf_htons(ETHER_IPV6)) {
		struct ipv6 ip;

		if (load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || ip.hop_limit <= 1)
			return -1;
		outer->flow = ip.flow;
		outer->protocol = PROTO_IPV6;
		outer->hop_limit = ip.hop_limit--;
		outer->inner_bytes = bpf_ntohs(ip.payload_len) + IPV6_BYTES;
		return bpf_skb_store_bytes(skb, ETH_BYTES + 7, &ip.hop_limit, 1, 0);
	}
	struct ipv4 ip;
	__be16 before, after;

	if (load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || ip.ttl <= 1)
		return -1;
	outer->protocol = PROTO_IPV4;
	outer->flow = bpf_htonl(6 << 28 | ip.tos << 20);
	outer->hop_limit = 64;
	outer->inner_bytes = bpf_ntohs(ip.total_len);
	before = bpf_htons(ip.ttl << 8 | ip.protocol);
	after = bpf_htons((ip.ttl - 1) << 8 | ip.protocol);
	ip.ttl--;
	if (bpf_l3_csum_replace(skb, ETH_BYTES + 10, before, after, 2) < 0)
		return -1;
	return bpf_skb_store_bytes(skb, ETH_BYTES + 8, &ip.ttl, 1, 0);
}

/*
 * Makes the room in front of the inner packet, from that of a former path, exactly as large as this
 * one needs.
 */
static __always_inline int make_room(struct __sk_buff *skb, __u32 have, __u32 want)
{
	__u64 flags = have ? 0 : BPF_F_ADJ_ROOM_ENCAP_L3_IPV6;

	if (have == want)
		return 0;
	return bpf_skb_adjust_room(skb, (__s32)want - (__s32)have, BPF_ADJ_ROOM_MAC, flags);
}

static __always_inline int store_header(struct __sk_buff *skb, const struct path *path, __u32 bytes,
					const struct outer *outer, __u8 hop_limit,
					const struct ethernet *ethernet)
{
	struct {
		__be32 flow;
		__be16 payload_len;
		__u8 next_hdr;
		__u8 hop_limit;
	} head = { outer->flow, bpf_htons(bytes - IPV6_BYTES + outer->inner_bytes), PROTO_ROUTING, hop_limit };
	struct {
		__be32 flow_id;
		__be64 sequence;
	} __attribute__((packed)) tail = { outer->flow_id, outer->sequence };

	if (bpf_skb_store_bytes(skb, 0, ethernet, sizeof(*ethernet), 0) < 0 ||
	    bpf_skb_store_bytes(skb, ETH_BYTES, path->header, bytes, 0) < 0 ||
	    bpf_skb_store_bytes(skb, ETH_BYTES, &head, sizeof(head), 0) < 0 ||
	    bpf_skb_store_bytes(skb, ETH_BYTES + IPV6_BYTES, &outer->protocol, 1, 0) < 0)
		return -1;
	return bpf_skb_store_bytes(skb, ETH_BYTES + bytes - sizeof(tail), &tail, sizeof(tail), 0);
}

/*
 * Sends the buffer as the copy of one path: directly where the kernel's routes name a neighbor,
 * else through the kernel, which follows the route (an own SID first) or reports why it cannot (too
 * big, no route). The last copy takes the buffer itself.
 */
static __always_inline int send_copy(struct __sk_buff *skb, const struct settings *settings,
				     const struct path *path, __u32 bytes, const struct outer *outer, int last)
{
	struct ethernet ethernet = { .type = bpf_htons(ETHER_IPV6) };
	struct bpf_fib_lookup route = { .family = AF_INET6, .ifindex = skb->ifindex };
	__u8 hop_limit = outer->hop_limit;
	__u32 to, flags;

	route.tot_len = bytes + outer->inner_bytes;
	route.flowinfo = outer->flow & bpf_htonl(0x0fffffff);
	__builtin_memcpy(route.ipv6_src, path->header + 8, 16);
	__builtin_memcpy(route.ipv6_dst, path->header + 24, 16);
	if (bpf_fib_lookup(skb, &route, sizeof(route), 0) == BPF_FIB_LKUP_RET_SUCCESS) {
		__builtin_memcpy(ethernet.dst, route.dmac, 6);
		__builtin_memcpy(ethernet.src, route.smac, 6);
		hop_limit--;
		to = route.ifindex;
		flags = 0;
	} else {
		__builtin_memcpy(ethernet.dst, settings->stack_mac, 6);
		to = settings->stack;
		flags = BPF_F_INGRESS;
	}
	if (store_header(skb, path, bytes, outer, hop_limit, &ethernet) < 0)
		return drop(skb, DROP_NO_ROOM);
	if (last)
		return bpf_redirect(to, flags);
	if (bpf_clone_redirect(skb, to, flags) < 0)
		count_drop(skb, DROP_NOT_SENT);
	return TC_ACT_SHOT;
}

static __always_inline int send_copies(struct __sk_buff *skb, __u32 group, __u32 wanted, const struct outer *outer)
{
	__u32 zero = 0, have = 0;
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);
	__u32 *present = bpf_map_lookup_elem(&groups, &group);
	__u32 left;

	left = present ? *present & wanted : 0;
	if (!settings || !left)
		return drop(skb, DROP_NO_PATH);
	for (__u32 number = 1; number <= MAX_PATHS; number++) {
		__u32 at = group << 4 | number, bytes;
		struct counters *counters;
		struct path *path;
		int verdict;

		if (!(left & 1 << number))
			continue;
		left &= ~(1 << number);
		path = bpf_map_lookup_elem(&paths, &at);
		counters = bpf_map_lookup_elem(&path_counts, &at);
		bytes = path ? path->header_bytes : 0;
		if (!path || !counters || bytes < MIN_HEADER || bytes > MAX_HEADER) {
			count_drop(skb, DROP_NO_PATH);
			continue;
		}
		if (make_room(skb, have, bytes) < 0)
			return drop(skb, DROP_NO_ROOM);
		have = bytes;
		count(counters, ETH_BYTES + bytes + outer->inner_bytes);
		verdict = send_copy(skb, settings, path, bytes, outer, !left);
		if (!left)
			return verdict;
	}
	return TC_ACT_SHOT;
}

#endif
