/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Every drop is counted under its reason, of which each program has its own. */
#ifndef DROPS_H
#define DROPS_H

#include "maps.h"

#define MAX_DROPS 16

MAP(drops, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counters, MAX_DROPS);

static __always_inline void count_drop(const struct __sk_buff *skb, __u32 reason)
{
	struct counters *counters = bpf_map_lookup_elem(&drops, &reason);

	if (counters)
		count(counters, skb->len);
}

static __always_inline int drop(const struct __sk_buff *skb, __u32 reason)
{
	count_drop(skb, reason);
	return TC_ACT_SHOT;
}

#endif
