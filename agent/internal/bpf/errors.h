/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Errors that a program sends back: their checksums, and how many of them there may be. */
#ifndef ERRORS_H
#define ERRORS_H

#include "maps.h"

MAP(told, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, 1); /* when this CPU has sent its last error */
#define BETWEEN_ERRORS_MICROS 1000

static __always_inline __be16 fold(__u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static __always_inline int may_tell(void)
{
	__u32 zero = 0;
	__u64 *last = bpf_map_lookup_elem(&told, &zero), now = micros();

	if (!last || now - *last < BETWEEN_ERRORS_MICROS)
		return 0;
	*last = now;
	return 1;
}

#endif
