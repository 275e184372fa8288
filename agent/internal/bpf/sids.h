/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The SIDs and addresses of the node, by prefix. Each program has a table of its own, which lives and is adopted with it; it
 * defines its value, struct sid, before it includes this. SIDs of others and addresses are there too, so that a
 * program takes nothing that the kernel takes.
 */
#ifndef SIDS_H
#define SIDS_H

#include "prefix.h"

#define MAX_SIDS 8192

LPM(sids, struct prefix, struct sid, MAX_SIDS);

static __always_inline struct sid *find_sid(const __u8 *addr)
{
	struct prefix key = { .bits = 128 };

	__builtin_memcpy(key.addr, addr, 16);
	return bpf_map_lookup_elem(&sids, &key);
}

#endif
