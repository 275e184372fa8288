/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Reads headers by copying them: safe wherever the bytes of a socket buffer lie. */
#ifndef PACKET_H
#define PACKET_H

#include "livelive.h"

#define ETHER_IPV4 0x0800
#define ETHER_IPV6 0x86dd
#define PROTO_HOP_BY_HOP 0
#define PROTO_IPV4 4
#define PROTO_TCP 6
#define PROTO_UDP 17
#define PROTO_IPV6 41
#define PROTO_ROUTING 43
#define PROTO_FRAGMENT 44
#define PROTO_DESTINATION_OPTIONS 60
#define ROUTING_TYPE_SRH 4
#define AF_INET6 10
#define DATAGRAM_MICROS 30000000ULL /* no kernel waits longer for the rest of a datagram (net.ipv4.ipfrag_time) */

struct ethernet {
	__u8 dst[6];
	__u8 src[6];
	__be16 type;
} __attribute__((packed));

struct ipv6 {
	__be32 flow; /* version, traffic class, flow label */
	__be16 payload_len;
	__u8 next_hdr;
	__u8 hop_limit;
	__u8 src[16];
	__u8 dst[16];
};

struct ipv4 {
	__u8 version_ihl;
	__u8 tos;
	__be16 total_len;
	__be16 id;
	__be16 fragment;
	__u8 ttl;
	__u8 protocol;
	__be16 checksum;
	__u8 src[4];
	__u8 dst[4];
};

struct srh {
	__u8 next_hdr;
	__u8 hdr_ext_len;
	__u8 type;
	__u8 segments_left;
	__u8 last_entry;
	__u8 flags;
	__be16 tag;
};

struct tlv {
	__be16 head;
	__be16 epoch;
	__be32 flow_id;
	__be64 sequence;
};

static __always_inline int load(struct __sk_buff *skb, __u32 offset, void *to, __u32 bytes)
{
	return bpf_skb_load_bytes(skb, offset, to, bytes);
}

static __always_inline int is_ipv6(const struct ipv6 *ip)
{
	return bpf_ntohl(ip->flow) >> 28 == 6;
}

static __always_inline int is_ipv4(const struct ipv4 *ip)
{
	return ip->version_ihl >> 4 == 4 && (ip->version_ihl & 15) >= 5;
}

/* What a packet is of a datagram. Only of fragments the rest is filled in. */
enum { WHOLE, BEGINNING, REST };

struct fragment {
	__u32 place;
	__u32 l4; /* where the datagram's header of layer four begins, in its first fragment */
	struct datagram_key of;
	__u8 protocol;
};

/* The two ports, where the packet has them: TCP and UDP. */
static __always_inline void load_ports(struct __sk_buff *skb, __u32 offset, struct flow_key *key)
{
	__u16 ports[2];

	if (key->protocol != PROTO_TCP && key->protocol != PROTO_UDP)
		return;
	if (load(skb, offset, ports, sizeof(ports)) < 0)
		return;
	key->src_port = ports[0];
	key->dst_port = ports[1];
}

/*
 * The 5-tuple of an IPv6 packet: behind hop-by-hop, destination options and routing headers; a fragment
 * is one of protocol 44 without ports (RFC 8200, 4.1).
 */
static __always_inline void read_ipv6_key(struct __sk_buff *skb, const struct ipv6 *ip,
					  struct flow_key *key, struct fragment *fragment)
{
	__u32 offset = ETH_BYTES + IPV6_BYTES;
	__u8 next = ip->next_hdr;
	__u8 head[8];

	key->family = 6;
	__builtin_memcpy(key->src, ip->src, 16);
	__builtin_memcpy(key->dst, ip->dst, 16);
	for (int i = 0; i < 5; i++) {
		if (next != PROTO_HOP_BY_HOP && next != PROTO_ROUTING && next != PROTO_FRAGMENT &&
		    next != PROTO_DESTINATION_OPTIONS)
			break;
		if (load(skb, offset, head, sizeof(head)) < 0)
			break;
		if (next != PROTO_FRAGMENT) {
			offset += (head[1] + 1) * 8;
		} else {
			/* A fragment that is the whole packet (RFC 6946) is none. */
			if (head[2] || head[3] & ~6) {
				fragment->place = head[2] || head[3] & ~7 ? REST : BEGINNING;
				__builtin_memcpy(&fragment->of.id, head + 4, 4);
				fragment->of.family = 6;
			}
			offset += 8;
		}
		next = head[0];
		if (fragment->place == REST)
			break;
	}
	if (fragment->place == WHOLE) {
		key->protocol = next;
		load_ports(skb, offset, key);
		return;
	}
	key->protocol = PROTO_FRAGMENT;
	fragment->protocol = next;
	fragment->l4 = offset;
}

static __always_inline void read_ipv4_key(struct __sk_buff *skb, const struct ipv4 *ip,
					  struct flow_key *key, struct fragment *fragment)
{
	__u32 l4 = ETH_BYTES + (ip->version_ihl & 15) * 4;

	key->family = 4;
	key->protocol = ip->protocol;
	__builtin_memcpy(key->src, ip->src, 4);
	__builtin_memcpy(key->dst, ip->dst, 4);
	if (!(ip->fragment & bpf_htons(0x3fff))) {
		load_ports(skb, l4, key);
		return;
	}
	fragment->place = ip->fragment & bpf_htons(0x1fff) ? REST : BEGINNING;
	fragment->protocol = ip->protocol;
	fragment->l4 = l4;
	fragment->of.id = ip->id;
	fragment->of.family = 4;
	fragment->of.protocol = ip->protocol;
}

/*
 * Makes a fragment's key the one of its datagram: what its first fragment says, which is remembered for those behind it.
 * False for one whose first has not come, or so long ago that its number may be another datagram's by now.
 */
static __always_inline int complete(struct __sk_buff *skb, struct fragment *fragment, struct flow_key *key)
{
	struct datagram *known, fresh = {};

	__builtin_memcpy(fragment->of.src, key->src, 16);
	__builtin_memcpy(fragment->of.dst, key->dst, 16);
	if (fragment->place == BEGINNING) {
		key->protocol = fragment->protocol;
		load_ports(skb, fragment->l4, key);
		fresh.protocol = key->protocol;
		fresh.src_port = key->src_port;
		fresh.dst_port = key->dst_port;
		fresh.when = micros();
		bpf_map_update_elem(&datagrams, &fragment->of, &fresh, BPF_ANY);
		return 1;
	}
	known = bpf_map_lookup_elem(&datagrams, &fragment->of);
	if (!known || micros() - known->when > DATAGRAM_MICROS)
		return 0;
	key->protocol = known->protocol;
	key->src_port = known->src_port;
	key->dst_port = known->dst_port;
	return 1;
}

#endif
