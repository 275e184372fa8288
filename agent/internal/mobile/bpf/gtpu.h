/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Reads GTP-U (TS 29.281, 5.1 and 5.2; PDU Session Container: TS 38.415, 5.5.2) and finds the packet inside.
 *
 * Fields that Args.Mob.Session lacks (RFC 9433, 6.1: QFI, RQI and TEID) are not translatable, and
 * neither are malformed packets: another receiver may understand them.
 */
#ifndef GTPU_H
#define GTPU_H

#include "work.h"

#define PDU_SESSION_CONTAINER 0x85
#define DOWNLINK 0
#define UPLINK 1

static __always_inline __u32 mix(__u32 hash, __u32 word)
{
	hash = (hash ^ word) * 0x9e3779b1;
	return hash ^ hash >> 15;
}

/* Ports, where a packet that is no fragment has them. */
static __always_inline __u32 mix_ports(struct __sk_buff *skb, __u32 offset, __u8 protocol, __u32 hash)
{
	__u32 ports;

	hash = mix(hash, protocol);
	if ((protocol == PROTO_TCP || protocol == PROTO_UDP) && load(skb, offset, &ports, sizeof(ports)) == 0)
		hash = mix(hash, ports);
	return hash | 1;
}

/*
 * The IP packet at an offset, of which so many bytes are there: its length, 0 for none. The hash is the same for both
 * directions' parsers and for all packets of a flow.
 */
static __always_inline __u32 read_inner(struct __sk_buff *skb, __u32 offset, __u32 room, struct packet *packet)
{
	__u32 hash = 0, bytes;
	__u8 version;

	if (load(skb, offset, &version, 1) < 0)
		return 0;
	if (version >> 4 == 4) {
		struct ipv4 ip;

		if (load(skb, offset, &ip, sizeof(ip)) < 0 || !is_ipv4(&ip))
			return 0;
		bytes = bpf_ntohs(ip.total_len);
		if (bytes > room || bytes < (ip.version_ihl & 15) * 4)
			return 0;
		hash = mix(mix(hash, *(__u32 *)ip.src), *(__u32 *)ip.dst);
		map_ipv4(packet->inner_src, ip.src);
		map_ipv4(packet->inner_dst, ip.dst);
		packet->protocol = PROTO_IPV4;
		packet->flow = mix_ports(skb, offset + (ip.version_ihl & 15) * 4,
					 ip.fragment & bpf_htons(0x3fff) ? PROTO_FRAGMENT : ip.protocol, hash);
		return bytes;
	}
	if (version >> 4 == 6) {
		struct ipv6 ip;

		if (load(skb, offset, &ip, sizeof(ip)) < 0)
			return 0;
		bytes = bpf_ntohs(ip.payload_len) + IPV6_BYTES;
		if (bytes > room)
			return 0;
		for (int i = 0; i < 4; i++)
			hash = mix(mix(hash, ((__u32 *)ip.src)[i]), ((__u32 *)ip.dst)[i]);
		__builtin_memcpy(packet->inner_src, ip.src, 16);
		__builtin_memcpy(packet->inner_dst, ip.dst, 16);
		packet->protocol = PROTO_IPV6;
		packet->flow = mix_ports(skb, offset + IPV6_BYTES, ip.next_hdr, hash);
		return bytes;
	}
	return 0;
}

/* One word of PDU session information. False for fields beyond QFI and RQI. */
static __always_inline int read_container(const __u8 *word, struct session *session)
{
	__u8 type = word[1] >> 4, information = word[2];

	if (word[0] != 1 || word[3] || type > UPLINK)
		return 0;
	session->container = type == UPLINK ? UPLINK_CONTAINER : DOWNLINK_CONTAINER;
	session->qfi = information & 0x3f;
	session->qos = session->qfi << 2;
	if (word[1] & 0x0f)
		return 0;
	if (type == UPLINK)
		return !(information & 0xc0);
	session->qos |= (information & 0x40) >> 5;
	return !(information & 0x80);
}

/*
 * Behind the UDP header at an offset, with so many bytes of the IP packet left from that header on.
 * False for packets that are no GTP-U at all.
 */
static __always_inline int read_gtpu(struct __sk_buff *skb, __u32 offset, __u32 room, struct packet *packet,
				     struct session *session)
{
	__u32 header = GTP_BYTES, length;
	__u8 word[4];
	struct udp udp;
	struct gtpu gtp;

	if (room < UDP_BYTES || load(skb, offset, &udp, sizeof(udp)) < 0 || udp.dst != bpf_htons(GTP_PORT))
		return 0;
	if (room < UDP_BYTES + GTP_BYTES || load(skb, offset + UDP_BYTES, &gtp, sizeof(gtp)) < 0 ||
	    (gtp.flags & GTP_VERSION_AND_TYPE) != GTPV1)
		return 1;
	session->teid = gtp.teid;
	length = bpf_ntohs(gtp.len) + GTP_BYTES;
	if (gtp.type != G_PDU || !gtp.teid || bpf_ntohs(udp.len) != room || length + UDP_BYTES != room)
		return 1;
	if (gtp.flags & (GTP_EXTENSION | GTP_SEQUENCE_OR_NPDU)) {
		header += 4;
		session->sequenced = (gtp.flags & GTP_SEQUENCE_OR_NPDU) != 0;
		if (length < header || load(skb, offset + UDP_BYTES + GTP_BYTES, word, sizeof(word)) < 0)
			return 1;
		if (gtp.flags & GTP_EXTENSION && word[3]) {
			if (word[3] != PDU_SESSION_CONTAINER || length < header + 4 ||
			    load(skb, offset + UDP_BYTES + header, word, sizeof(word)) < 0 || !read_container(word, session))
				return 1;
			header += 4;
		}
	}
	packet->strip = offset - ETH_BYTES + UDP_BYTES + header;
	length -= header;
	session->translatable = length && read_inner(skb, offset + UDP_BYTES + header, length, packet) == length;
	return 1;
}

#endif
