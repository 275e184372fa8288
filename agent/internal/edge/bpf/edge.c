// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * The edge of the SR domain on Linux, docs/reference/edge.md, as pipeconfs/p4src/fixed/edge.p4
 * specifies it. Attached to TCX ingress of every port that has a role, and of every interface that
 * is no port, before all other programs.
 */
#include "probe.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline int drop(const struct __sk_buff *skb, __u32 port, __u32 reason)
{
	__u32 cell = port * REASONS + reason % REASONS;
	struct counters *counters = reason < REASONS ? bpf_map_lookup_elem(&edge_dropped, &cell) :
						       bpf_map_lookup_elem(&edge_drops_more, &cell);

	if (counters)
		count(counters, skb->len);
	return TC_ACT_SHOT;
}

static __always_inline int is_tag(__be16 type)
{
	return type == bpf_htons(ETHER_VLAN) || type == bpf_htons(ETHER_SERVICE_VLAN);
}

/*
 * Returns the EtherType behind all VLAN tags and its offset: the kernel passes a frame from one VLAN device to the
 * next, and removes any number of tags of VLAN 0. If the EtherType returned is a tag, the frame has more tags than are
 * read here.
 */
static __always_inline __be16 find_type(struct __sk_buff *skb, __u32 *at)
{
	__be16 type = skb->protocol, tag[2];

	for (int i = 0; i < MAX_TAGS; i++) {
		if (!is_tag(type) || load(skb, *at, tag, sizeof(tag)) < 0)
			break;
		type = tag[1];
		*at += sizeof(tag);
	}
	return type;
}

static __always_inline int is_of_another_port(const struct __sk_buff *skb)
{
	struct vlan vlan = { .index = skb->ifindex, .id = skb->vlan_tci & 0x0fff };

	return skb->vlan_present && bpf_map_lookup_elem(&edge_vlans, &vlan) != 0;
}

/* Addresses of the node in the range are the operator's: packets to them are not forwarded. */
static __noinline int is_forwarded(struct __sk_buff *skb, const struct ipv4 *ip)
{
	struct bpf_fib_lookup route = { .family = AF_INET, .ifindex = skb->ifindex };
	long verdict;

	__builtin_memcpy(&route.ipv4_src, ip->src, 4);
	__builtin_memcpy(&route.ipv4_dst, ip->dst, 4);
	verdict = bpf_fib_lookup(skb, &route, sizeof(route), 0);
	return verdict != BPF_FIB_LKUP_RET_NOT_FWDED && verdict != BPF_FIB_LKUP_RET_FWD_DISABLED;
}

static __always_inline int judge_ipv4(struct __sk_buff *skb, __u32 at, __u32 port, __u32 role)
{
	struct inside in = { .port = port };
	struct ipv4 ip;

	if (load(skb, at, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip))
		return PASSES;
	if (is_internal4(ip.dst) && is_forwarded(skb, &ip))
		return DROP_INTERNAL;
	/* A fragment is carried as it is. */
	if (!(role & ROLE_EXTERNAL) || ip.protocol != PROTO_UDP || ip.fragment & bpf_htons(0x3fff) || !is_gateway(ip.dst))
		return PASSES;
	in.walk.at = at + (ip.version_ihl & 15) * 4;
	in.walk.end = skb->len;
	in.walk.next = PROTO_UDP;
	return judge_inside(skb, &in);
}

/* The length of a super-packet (GSO) may differ from its Payload Length. */
static __always_inline __u32 end_of(const struct __sk_buff *skb, const struct ipv6 *ip, __u32 at)
{
	__u32 end = at + IPV6_BYTES + bpf_ntohs(ip->payload_len);

	return skb->gso_size || end > skb->len ? skb->len : end;
}

static __always_inline int judge_external(struct __sk_buff *skb, const struct ipv6 *ip, __u32 at, __u32 port, __u32 role)
{
	struct counters *peer = find_peer(port, ip);
	struct inside in = { .port = port };
	__u32 *reachable;
	int chain;

	if (peer)
		count(peer, skb->len);
	else if (is_of_the_domain(ip))
		return DROP_SOURCE;
	reachable = find_sid(ip->dst);
	if (!peer && reachable && !*reachable)
		return DROP_SID;
	if (peer && !reachable)
		return PASSES;
	chain = walk_ipv6(skb, ip, at, end_of(skb, ip, at), &in.walk);
	if (chain == CHAIN_LONG)
		return DROP_UNREADABLE;
	/* Headers that end behind the packet may have been an SRH. */
	if (!peer && role & ROLE_STRICT && (chain == CHAIN_CUT || in.walk.srh_at))
		return DROP_SRH;
	if (!reachable)
		return PASSES;
	return chain == CHAIN_CUT ? DROP_UNREADABLE : judge_inside(skb, &in);
}

static __always_inline int judge_ipv6(struct __sk_buff *skb, __u32 at, __u32 port, __u32 role)
{
	struct ipv6 ip;
	__u32 *reachable;

	if (load(skb, at, &ip, sizeof(ip)) < 0 || !is_ipv6(&ip))
		return PASSES;
	if (is_internal6(ip.dst))
		return DROP_INTERNAL;
	if (role & ROLE_EXTERNAL)
		return judge_external(skb, &ip, at, port, role);
	if (role & ROLE_STRICT) {
		reachable = find_sid(ip.dst);
		if (reachable && !*reachable && !is_of_the_domain(&ip))
			return DROP_UNKNOWN_SOURCE;
	}
	if (may_be_probe(skb, &ip) && is_probe(skb, at)) {
		struct probes *probes = bpf_map_lookup_elem(&edge_probes, &port);

		if (probes)
			count(&probes->in, skb->len);
	}
	return PASSES;
}

/* A frame without a link layer begins with its IP header. */
static __always_inline int judge(struct __sk_buff *skb, __u32 port, __u32 role, int bare)
{
	__u32 at = bare ? 0 : ETH_BYTES;
	__be16 type = find_type(skb, &at);

	if (is_tag(type))
		return DROP_UNREADABLE;
	if (type == bpf_htons(ETHER_IPV6))
		return judge_ipv6(skb, at, port, role);
	return type == bpf_htons(ETHER_IPV4) ? judge_ipv4(skb, at, port, role) : PASSES;
}

SEC("tcx/ingress")
int sextant_edge(struct __sk_buff *skb)
{
	__u32 index = skb->ifindex, role;
	__u32 *port = bpf_map_lookup_elem(&edge_ports, &index), *word;
	__u32 number = port ? *port & ~BARE : NO_PORT;
	int reason;

	word = bpf_map_lookup_elem(&edge_roles, &number);
	if (!word)
		return TCX_NEXT;
	role = *(volatile __u32 *)word;
	if (!role || is_of_another_port(skb))
		return TCX_NEXT;
	reason = judge(skb, number, role, port && *port & BARE);
	return reason == PASSES ? TCX_NEXT : drop(skb, number, reason);
}

/* Counts the probes that an internal port sends; none at an interface without a link layer. Drops nothing. */
SEC("tcx/egress")
int sextant_probes(struct __sk_buff *skb)
{
	__u32 index = skb->ifindex, *port, *role;
	struct probes *probes;
	struct ipv6 ip;

	if (skb->protocol != bpf_htons(ETHER_IPV6) || skb->len > MOST_PROBE_BYTES ||
	    load(skb, ETH_BYTES, &ip, sizeof(ip)) < 0 || !may_be_probe(skb, &ip) || !is_probe(skb, ETH_BYTES))
		return TCX_NEXT;
	port = bpf_map_lookup_elem(&edge_ports, &index);
	role = port ? bpf_map_lookup_elem(&edge_roles, port) : 0;
	if (!role || !(*role & ROLE_INTERNAL))
		return TCX_NEXT;
	probes = bpf_map_lookup_elem(&edge_probes, port);
	if (probes)
		count(&probes->out, skb->len);
	return TCX_NEXT;
}
