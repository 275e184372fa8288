// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Live-Live on Linux, docs/reference/livelive.md. Both programs are attached to TCX ingress: the first at
 * every port, the second at the far end of the agent's numbering pair.
 */
#include "dedup.h"
#include "replicate.h"

#define PACKET_HOST 0
#define PACKET_MULTICAST 2
#define TCX_NEXT (-1)

char LICENSE[] SEC("license") = "GPL";

/*
 * Packets for a SID or an address of this node are no flow's, however wide the flow's prefixes are.
 */
static __always_inline int ends_here(const struct flow_key *packet)
{
	__u8 mapped[16];

	if (packet->family == 6)
		return find_sid(packet->dst) != 0;
	map_ipv4(mapped, packet->dst);
	return find_sid(mapped) != 0;
}

/*
 * Reads the key of a flow. False for packets that are no IP packets that may go on: the kernel
 * drops or answers them.
 */
static __always_inline int read_key(struct __sk_buff *skb, struct flow_key *key, struct fragment *fragment)
{
	__u32 bytes = skb->len - ETH_BYTES;

	if (skb->protocol == bpf_htons(ETHER_IPV6)) {
		struct ipv6 ip;

		if (load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip) || ip.hop_limit <= 1)
			return 0;
		/* The length of a super-packet may be another: it is cut first. */
		if (!skb->gso_size && bpf_ntohs(ip.payload_len) + IPV6_BYTES > bytes)
			return 0;
		read_ipv6_key(skb, &ip, key, fragment);
		return 1;
	}
	if (skb->protocol == bpf_htons(ETHER_IPV4)) {
		struct ipv4 ip;
		__u32 length;

		if (load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip) || ip.ttl <= 1)
			return 0;
		length = bpf_ntohs(ip.total_len);
		if (!skb->gso_size && (length > bytes || length < (ip.version_ihl & 15) * 4))
			return 0;
		read_ipv4_key(skb, &ip, key, fragment);
		return 1;
	}
	return 0;
}

/* The rule of a packet, as a mark; 0 for none. A packet on its last hop is the kernel's to answer. */
static __always_inline __u32 classify(struct __sk_buff *skb, const struct settings *settings)
{
	struct fragment fragment = {};
	struct flow_key key = {};
	__u64 flow, whole;

	if (!read_key(skb, &key, &fragment))
		return 0;
	flow = find_flow(&key, settings->mask_count);
	/* A fragment is looked up by its own key, and by that of its datagram. */
	if (fragment.place != UNFRAGMENTED && complete(skb, &fragment, &key)) {
		whole = find_flow(&key, settings->mask_count);
		if (!flow || whole >> 32 > flow >> 32)
			flow = whole;
	}
	return flow && !ends_here(&key) ? (__u32)flow : 0;
}

/* A frame of a VLAN is not this port's. The tag of VLAN 0 is a priority only (IEEE 802.1Q, 6.9), which ends here. */
static __always_inline int is_tagged(const struct __sk_buff *skb)
{
	return skb->vlan_present && skb->vlan_tci & 0x0fff;
}

SEC("tcx/ingress")
int sextant_port(struct __sk_buff *skb)
{
	__u32 zero = 0, mark;
	struct settings *settings = bpf_map_lookup_elem(&settings_map, &zero);

	if (!settings || skb->pkt_type != PACKET_HOST || is_tagged(skb))
		return TCX_NEXT;
	if (skb->protocol == bpf_htons(ETHER_IPV6)) {
		struct ipv6 ip;

		if (load(skb, ETH_BYTES, &ip, sizeof(ip)) == 0 && is_ipv6(&ip) && dedup(skb, &ip) == DROPPED)
			return TC_ACT_SHOT;
	}
	if (!settings->mask_count)
		return TCX_NEXT;
	mark = classify(skb, settings);
	if (!mark)
		return TCX_NEXT;
	if (skb->vlan_present && bpf_skb_vlan_pop(skb) < 0)
		return drop(skb, DROP_TAG);
	skb->mark = mark;
	return bpf_redirect(settings->numbering, 0);
}

SEC("tcx/ingress")
int sextant_number(struct __sk_buff *skb)
{
	__u32 at = skb->mark - 1, group;
	struct rule *rule = bpf_map_lookup_elem(&rules, &at);
	struct counters *counters = bpf_map_lookup_elem(&rule_counts, &at);
	struct outer outer = {};
	__u64 *sequence;

	/* The kernel's own, such as a report of its groups when the pair was made: no port has sent it here. */
	if (skb->pkt_type == PACKET_MULTICAST)
		return TCX_NEXT;
	skb->mark = 0;
	if (!rule || !counters)
		return drop(skb, DROP_NO_RULE);
	if (lower(skb, &outer) < 0)
		return drop(skb, DROP_LAST_HOP);
	/* Bytes behind the IP packet are padding of the link it came from, and stay here. */
	if (skb->len < ETH_BYTES + outer.inner_bytes)
		return drop(skb, DROP_SHORT);
	if (skb->len > ETH_BYTES + outer.inner_bytes &&
	    bpf_skb_change_tail(skb, ETH_BYTES + outer.inner_bytes, 0) < 0)
		return drop(skb, DROP_SHORT);
	if (!(outer.flow & bpf_htonl(0xfffff)))
		outer.flow |= bpf_htonl(bpf_get_hash_recalc(skb) & 0xfffff);
	group = rule->group;
	sequence = bpf_map_lookup_elem(&sequences, &group);
	if (!sequence)
		return drop(skb, DROP_NO_SEQUENCE);
	count(counters, skb->len);
	outer.flow_id = bpf_htonl(rule->flow_id);
	outer.sequence = bpf_cpu_to_be64(__sync_fetch_and_add(sequence, 1) + 1);
	return send_copies(skb, group, rule->paths, &outer);
}
