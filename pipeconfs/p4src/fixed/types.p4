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

const bit<16> ETHER_IPV4 = 0x0800;
const bit<16> ETHER_IPV6 = 0x86dd;

const bit<8> PROTO_HOP_BY_HOP = 0;
const bit<8> PROTO_IPV4 = 4;
const bit<8> PROTO_TCP = 6;
const bit<8> PROTO_UDP = 17;
const bit<8> PROTO_IPV6 = 41;
const bit<8> PROTO_ROUTING = 43;
const bit<8> PROTO_ICMPV6 = 58;

const bit<8> ROUTING_TYPE_SRH = 4;

const bit<16> IPV6_HEADER_BYTES = 40;
const bit<16> SRH_FIXED_BYTES = 8;
const bit<8> OUTER_HOP_LIMIT = 64;

#endif
