// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * The edge of the SR domain on Linux, docs/reference/edge.md; pipeconfs/p4src/fixed/edge.p4 is what it does. Attached to TCX
 * ingress of every port that has a role, and of what is no port, before all other programs.
 */
#include "edge.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline int drop(const struct __sk_buff *skb, __u32 port, __u32 reason)
{
	__u32 cell = port * REASONS + reason;
	struct counters *counters = bpf_map_lookup_elem(&edge_dropped, &cell);

	if (counters)
		count(counters, skb->len);
	return TC_ACT_SHOT;
}

/* Where the IPv6 header begins: behind all tags, as the kernel passes a frame from one VLAN device to the next. */
static __always_inline __u32 find_ipv6(struct __sk_buff *skb, __u32 at)
{
	__be16 type = skb->protocol, tag[2];

	for (int i = 0; i < MAX_TAGS; i++) {
		if (type != bpf_htons(ETHER_VLAN) && type != bpf_htons(ETHER_SERVICE_VLAN))
			break;
		if (load(skb, at, tag, sizeof(tag)) < 0)
			return NOWHERE;
		type = tag[1];
		at += sizeof(tag);
	}
	return type == bpf_htons(ETHER_IPV6) ? at : NOWHERE;
}

static __always_inline int is_of_another_port(const struct __sk_buff *skb)
{
	struct vlan vlan = { .index = skb->ifindex, .id = skb->vlan_tci & 0x0fff };

	return skb->vlan_present && bpf_map_lookup_elem(&edge_vlans, &vlan) != 0;
}

static __always_inline int is_sid(const struct ipv6 *ip)
{
	struct prefix key = { .bits = 128 };
	__u32 *reachable;

	__builtin_memcpy(key.addr, ip->dst, 16);
	reachable = bpf_map_lookup_elem(&edge_sids, &key);
	return reachable && !*reachable;
}

static __always_inline int is_of_the_domain(const struct ipv6 *ip)
{
	struct prefix key = { .bits = 128 };

	__builtin_memcpy(key.addr, ip->src, 16);
	return bpf_map_lookup_elem(&edge_sources, &key) != 0;
}

static __always_inline int is_peer(const struct __sk_buff *skb, __u32 port, const struct ipv6 *ip)
{
	struct peer key = { .bits = 160, .port = port };
	struct counters *counters;

	__builtin_memcpy(key.addr, ip->src, 16);
	counters = bpf_map_lookup_elem(&edge_peers, &key);
	if (counters)
		count(counters, skb->len);
	return counters != 0;
}

static __always_inline int is_extension(__u8 kind)
{
	return kind == PROTO_HOP_BY_HOP || kind == PROTO_ROUTING || kind == PROTO_FRAGMENT ||
	       kind == PROTO_DESTINATION_OPTIONS || kind == PROTO_AUTHENTICATION;
}

/*
 * Whether an SRH stands among the extension headers, or where nobody can read: behind the end of the packet, or too many
 * others. What stands behind the header of a later fragment is no header (RFC 7112, 5).
 */
static __always_inline int has_srh(struct __sk_buff *skb, const struct ipv6 *ip, __u32 at)
{
	__u32 end = at + IPV6_BYTES + bpf_ntohs(ip->payload_len);
	__u8 kind = ip->next_hdr, head[8];

	/* Of a super-packet the length may be another. */
	if (skb->gso_size || end > skb->len)
		end = skb->len;
	at += IPV6_BYTES;
	for (int i = 0; i < MAX_HEADERS; i++) {
		if (!is_extension(kind))
			return 0;
		if (at + sizeof(head) > end || load(skb, at, head, sizeof(head)) < 0)
			return 1;
		if (kind == PROTO_ROUTING && head[2] == ROUTING_TYPE_SRH)
			return 1;
		if (kind == PROTO_FRAGMENT) {
			if (head[2] || head[3] & ~7)
				return 0;
			at += 8;
		} else if (kind == PROTO_AUTHENTICATION) {
			at += (head[1] + 2) * 4;
		} else {
			at += (head[1] + 1) * 8;
		}
		if (at > end)
			return 1;
		kind = head[0];
	}
	return is_extension(kind);
}

/* What has no link layer begins with its IP header. */
static __always_inline int judge(struct __sk_buff *skb, __u32 port, __u32 role, int bare)
{
	__u32 at = find_ipv6(skb, bare ? 0 : ETH_BYTES);
	struct ipv6 ip;

	if (at == NOWHERE || load(skb, at, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip) || is_of_another_port(skb))
		return TCX_NEXT;
	if (role & ROLE_INTERNAL)
		return role & ROLE_STRICT && is_sid(&ip) && !is_of_the_domain(&ip) ? drop(skb, port, DROP_UNKNOWN_SOURCE) :
										      TCX_NEXT;
	if (is_peer(skb, port, &ip))
		return TCX_NEXT;
	if (is_of_the_domain(&ip))
		return drop(skb, port, DROP_SOURCE);
	if (is_sid(&ip))
		return drop(skb, port, DROP_SID);
	return role & ROLE_STRICT && has_srh(skb, &ip, at) ? drop(skb, port, DROP_SRH) : TCX_NEXT;
}

SEC("tcx/ingress")
int sextant_edge(struct __sk_buff *skb)
{
	__u32 index = skb->ifindex, role;
	__u32 *port = bpf_map_lookup_elem(&edge_ports, &index), *word;
	__u32 number = port ? *port & ~BARE : NO_PORT;

	word = bpf_map_lookup_elem(&edge_roles, &number);
	if (!word)
		return TCX_NEXT;
	role = *(volatile __u32 *)word;
	return role ? judge(skb, number, role, port && *port & BARE) : TCX_NEXT;
}
