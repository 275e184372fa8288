// SPDX-License-Identifier: Apache-2.0
// Widths and numbers with a name.
#ifndef TYPES_P4
#define TYPES_P4

typedef bit<48> mac_t;
typedef bit<32> ipv4_t_addr;
typedef bit<128> ipv6_t_addr;
typedef bit<9> port_t;
typedef bit<16> vrf_t;
typedef bit<16> next_hop_id_t;
typedef bit<32> sid_list_id_t;
typedef bit<32> flow_id_t;
typedef bit<16> group_id_t;
typedef bit<4> path_t;
typedef bit<16> epoch_t;
typedef bit<64> sequence_t;
typedef bit<32> firewall_id_t;
typedef bit<16> firewall_instance_t;

const bit<16> ETHER_IPV4 = 0x0800;
const bit<16> ETHER_IPV6 = 0x86dd;
const bit<16> ETHER_C_TAG = 0x8100; // IEEE 802.1Q, 9.5
const bit<16> ETHER_S_TAG = 0x88a8;

const bit<8> PROTO_HOP_BY_HOP = 0;
const bit<8> PROTO_ICMP = 1;
const bit<8> PROTO_IPV4 = 4;
const bit<8> PROTO_TCP = 6;
const bit<8> PROTO_UDP = 17;
const bit<8> PROTO_DCCP = 33;
const bit<8> PROTO_IPV6 = 41;
const bit<8> PROTO_ROUTING = 43;
const bit<8> PROTO_FRAGMENT = 44;
const bit<8> PROTO_AUTHENTICATION = 51;
const bit<8> PROTO_ICMPV6 = 58;
const bit<8> PROTO_DESTINATION_OPTIONS = 60;
const bit<8> PROTO_SCTP = 132;
const bit<8> PROTO_UDP_LITE = 136;

const bit<3> IPV4_MORE_FRAGMENTS = 1;
const bit<3> IPV4_DONT_FRAGMENT = 2;

// GTP-U (TS 29.281, 4.4.2 and 5; TS 38.415, 5.5.2).
const bit<16> GTP_PORT = 2152;
const bit<3> GTP_VERSION = 1;
const bit<8> GTP_G_PDU = 255;
const bit<8> GTP_PDU_SESSION_CONTAINER = 0x85;
const bit<4> PDU_TYPE_DOWNLINK = 0;
const bit<4> PDU_TYPE_UPLINK = 1;
const bit<32> UDP_BYTES = 8;
const bit<32> GTP_BYTES = 8;
const bit<32> GTP_WORD_BYTES = 4;
// RFC 6335, 6: ports that are not assigned.
const bit<16> FIRST_DYNAMIC_PORT = 49152;
const bit<16> DYNAMIC_PORTS = 16384;

// In front of an IPv4 address in 128 bits (RFC 4291, 2.5.5.2).
const bit<96> IPV4_MAPPED = 0xffff;

const bit<8> ROUTING_TYPE_SRH = 4;
// The limit of Hdr Ext Len (RFC 8754, 2).
const bit<8> MAX_SEGMENTS = 127;

// Type and length of the Live-Live TLV (docs/reference/livelive.md); 124 is for experiments, and does
// not change on the way (RFC 8754, 2.1 and 8.2).
const bit<8> LIVE_LIVE_TYPE = 124;
const bit<8> LIVE_LIVE_LENGTH = 14;
const bit<16> LIVE_LIVE_HEAD = 0x7c0e;
const bit<32> LIVE_LIVE_BYTES = 16;

const vrf_t MAIN_VRF = 0;

// The index of the field list that another pass preserves.
const bit<8> ANOTHER_PASS = 1;

const bit<32> ETHERNET_BYTES = 14;
const bit<32> MAX_IP_BYTES = 0xffff;
const bit<32> IPV6_HEADER_BYTES = 40;
const bit<32> IPV4_HEADER_BYTES = 20;
const bit<32> SRH_FIXED_BYTES = 8;
const bit<32> TCP_BYTES_TO_FLAGS = 14;
const bit<8> OUTER_HOP_LIMIT = 64;

// One TTL, as a checksum counts it, and where its 16 bits overflow.
const bit<17> TTL_IN_CHECKSUM = 0x100;
const bit<17> CHECKSUM_CARRY = 0xffff;

const ipv6_t_addr IPV6_LOOPBACK = 1;
const bit<10> IPV6_LINK_LOCAL = 0x3fa;
const bit<8> IPV6_MULTICAST = 0xff;
const bit<8> IPV4_THIS_NETWORK = 0;
const bit<8> IPV4_LOOPBACK = 127;
const bit<16> IPV4_LINK_LOCAL = 0xa9fe;
const bit<31> IPV6_INTERNAL = 0x7eaf3f00; // fd5e:7e00::/31: next hops, probes and policies of nodes
const bit<8> IPV4_MULTICAST = 224;
const ipv6_t_addr IPV6_UNSPECIFIED = 0;

#endif
