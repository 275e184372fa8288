/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Prefixes of addresses, as keys of tries: IPv4 is ::ffff:0:0/96 (RFC 4291, 2.5.5.2). */
#ifndef PREFIX_H
#define PREFIX_H

#include "packet.h"

struct prefix {
	__u32 bits;
	__u8 addr[16];
};

/* Elements come and go one by one: nothing is allocated beforehand. */
#define LPM(name, k, v, size)                         \
	struct {                                      \
		__uint(type, BPF_MAP_TYPE_LPM_TRIE);  \
		__uint(map_flags, BPF_F_NO_PREALLOC); \
		__type(key, k);                       \
		__type(value, v);                     \
		__uint(max_entries, size);            \
	} name SEC(".maps")

static __always_inline void map_ipv4(__u8 *to, const __u8 *four)
{
	__builtin_memset(to, 0, 10);
	to[10] = to[11] = 0xff;
	__builtin_memcpy(to + 12, four, 4);
}

/*
 * Addresses that nodes use inside themselves and that no packet goes to: those of next hops, of watched lists and of
 * policies (fd5e:7e00::/31), and of next hops in IPv4, where also no router takes them from a link (RFC 3927, 7).
 */
static __always_inline int is_internal6(const __u8 *addr)
{
	return addr[0] == 0xfd && addr[1] == 0x5e && addr[2] == 0x7e && !(addr[3] & 0xfe);
}

static __always_inline int is_internal4(const __u8 *addr)
{
	return addr[0] == 169 && addr[1] == 254;
}

#endif
