/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Reads headers by copying them: safe wherever the bytes of a socket buffer lie. */
#ifndef PACKET_H
#define PACKET_H

#include "maps.h"

#define ETH_BYTES 14
#define IPV6_BYTES 40
#define IPV4_BYTES 20
#define SRH_BYTES 8

#define ETHER_IPV4 0x0800
#define ETHER_IPV6 0x86dd
#define PROTO_HOP_BY_HOP 0
#define PROTO_IPV4 4
#define PROTO_TCP 6
#define PROTO_UDP 17
#define PROTO_IPV6 41
#define PROTO_ROUTING 43
#define PROTO_FRAGMENT 44
#define PROTO_AUTHENTICATION 51
#define PROTO_DESTINATION_OPTIONS 60
#define PROTO_ICMPV6 58
#define ROUTING_TYPE_SRH 4
#define AF_INET 2
#define AF_INET6 10

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

#endif
