/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Maps and counters, for every program. All maps live as long as the programs that use them are attached. */
#ifndef MAPS_H
#define MAPS_H

#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define MAP(name, kind, k, v, size)           \
	struct {                              \
		__uint(type, kind);           \
		__type(key, k);               \
		__type(value, v);             \
		__uint(max_entries, size);    \
	} name SEC(".maps")

struct counters {
	__u64 packets;
	__u64 bytes;
};

static __always_inline __u64 micros(void)
{
	return bpf_ktime_get_ns() / 1000;
}

static __always_inline void count(struct counters *c, __u32 bytes)
{
	__sync_fetch_and_add(&c->packets, 1);
	__sync_fetch_and_add(&c->bytes, bytes);
}

#endif
