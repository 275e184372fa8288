// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * N9 as GTP does it, to compare slices with (paper 003, Figure 4, option a): `swap` is UPF #1,
 * which forwards packets of a tunnel in the next UPF's tunnel; `end` is UPF #2 or #3, which takes
 * GTP off. IPv4 outside, no options, no fragments. Part of ./sextant bench mobile only: attached by
 * tc, as classifier with direct action.
 *
 *     gNB --(TEID 1, 2)--> UPF #1 --(TEID 3, 4)--> UPF #2 --> data network
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/pkt_cls.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define GTPU_PORT 2152
#define G_PDU 255
#define NEXT_UPF 0xc6336411 /* 198.51.100.17 */
#define TUNNELS 65536
#define AF_INET 2

struct gtpu {
	__u8 flags;
	__u8 type;
	__be16 length;
	__be32 teid;
};

struct headers {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	struct gtpu gtp;
} __attribute__((packed));

struct next {
	__be32 address;
	__be32 teid;
};

/* TEID to the next UPF's. A tunnel is made by its first packet: TEID n leads to n + 2. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TUNNELS);
	__type(key, __be32);
	__type(value, struct next);
} tunnels SEC(".maps");

static __always_inline struct headers *gtp(struct __sk_buff *skb)
{
	struct headers *h;

	if (bpf_skb_pull_data(skb, sizeof(*h)))
		return NULL;
	h = (void *)(long)skb->data;
	if ((void *)(h + 1) > (void *)(long)skb->data_end)
		return NULL;
	if (h->eth.h_proto != bpf_htons(ETH_P_IP) || h->ip.ihl != 5 || h->ip.protocol != IPPROTO_UDP ||
	    h->udp.dest != bpf_htons(GTPU_PORT) || h->gtp.type != G_PDU || h->ip.ttl < 2)
		return NULL;
	return h;
}

/* To where the kernel's routes lead, as the agent's programs do. */
static __always_inline int forward(struct __sk_buff *skb)
{
	struct bpf_fib_lookup fib = { .family = AF_INET, .ifindex = skb->ingress_ifindex };
	struct ethhdr *eth = (void *)(long)skb->data;
	struct iphdr *ip = (void *)(eth + 1);
	__u32 sum;

	if ((void *)(ip + 1) > (void *)(long)skb->data_end)
		return TC_ACT_SHOT;
	fib.tos = ip->tos;
	fib.l4_protocol = ip->protocol;
	fib.tot_len = bpf_ntohs(ip->tot_len);
	fib.ipv4_src = ip->saddr;
	fib.ipv4_dst = ip->daddr;
	if (bpf_fib_lookup(skb, &fib, sizeof(fib), 0))
		return TC_ACT_OK;
	eth = (void *)(long)skb->data;
	ip = (void *)(eth + 1);
	if ((void *)(ip + 1) > (void *)(long)skb->data_end)
		return TC_ACT_SHOT;
	ip->ttl--;
	sum = ip->check + bpf_htons(0x0100);
	ip->check = sum + (sum >> 16);
	__builtin_memcpy(eth->h_dest, fib.dmac, ETH_ALEN);
	__builtin_memcpy(eth->h_source, fib.smac, ETH_ALEN);
	return bpf_redirect(fib.ifindex, 0);
}

SEC("tc/swap")
int swap(struct __sk_buff *skb)
{
	struct headers *h = gtp(skb);
	__be32 teid, before[2], after[2];
	struct next *next, made;

	if (!h)
		return TC_ACT_OK;
	teid = h->gtp.teid;
	next = bpf_map_lookup_elem(&tunnels, &teid);
	if (!next) {
		made.address = bpf_htonl(NEXT_UPF);
		made.teid = bpf_htonl(bpf_ntohl(teid) + 2);
		bpf_map_update_elem(&tunnels, &teid, &made, BPF_ANY);
		next = bpf_map_lookup_elem(&tunnels, &teid);
		if (!next)
			return TC_ACT_SHOT;
	}
	h->gtp.teid = next->teid;
	h->udp.check = 0;
	before[0] = h->ip.saddr;
	before[1] = h->ip.daddr;
	after[0] = h->ip.daddr; /* UPF #1 itself */
	after[1] = next->address;
	bpf_skb_store_bytes(skb, ETH_HLEN + 12, after, 8, 0);
	bpf_l3_csum_replace(skb, ETH_HLEN + 10, 0,
			    bpf_csum_diff(before, 8, after, 8, 0), 0);
	return forward(skb);
}

SEC("tc/end")
int end(struct __sk_buff *skb)
{
	struct headers *h = gtp(skb);
	int octets = sizeof(struct iphdr) + sizeof(struct udphdr) + sizeof(struct gtpu);
	__u8 words;

	if (!h || h->ip.daddr != bpf_htonl(NEXT_UPF))
		return TC_ACT_OK;
	if (h->gtp.flags & 0x07) {
		octets += 4;
		if (h->gtp.flags & 0x04) { /* one extension header of 4 octets: a PDU Session Container */
			if (bpf_skb_load_bytes(skb, ETH_HLEN + octets, &words, 1) || words != 1)
				return TC_ACT_OK;
			octets += 4;
		}
	}
	if (bpf_skb_adjust_room(skb, -octets, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_FIXED_GSO))
		return TC_ACT_SHOT;
	return forward(skb);
}

char _license[] SEC("license") = "Dual BSD/GPL";
