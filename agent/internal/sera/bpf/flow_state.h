/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The state of a flow, and how long it is kept without packets. */
#ifndef FLOW_STATE_H
#define FLOW_STATE_H

#include "sera.h"

/*
 * Former agents have the first five only: their flows are taken over in the same state. For TCP, FLOW_NEW is SYN_SENT and
 * FLOW_ANSWERED is SYN_RECV. Other protocols have FLOW_NEW, FLOW_ANSWERED, FLOW_GOES_ON (the first end has sent again) and
 * FLOW_OPEN.
 */
enum {
	FLOW_OPEN, FLOW_TIME_WAIT, FLOW_CLOSE, FLOW_NEW, FLOW_ANSWERED, FLOW_GOES_ON, FLOW_FIN_WAIT, FLOW_CLOSE_WAIT, FLOW_LAST_ACK, FLOW_SYN_SENT2,
	FLOW_STATES,
};

/* flow.mark of TCP; 0 for flows of former agents, which have been answered and acknowledged. */
enum { PATIENCE_OF_STATE, PATIENCE_SHORT, PATIENCE_RESET, PATIENCE_BITS = 3, UNREPLIED = 4, UNASSURED = 8 };

/* flow.mark of other protocols: the flow's age is measured in these units, modulo 256. */
#define AGE_SHIFT 16
#define STREAM_AGE 32 /* 2.0 to 2.1 s */

struct flow {
	__u64 seen; /* microseconds since the machine's start */
	__u8 protocol;
	__u8 state;
	__u8 high_first; /* whether the higher end opened it */
	__u8 mark;
	__u32 turn;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, MAX_FLOWS);
	__type(key, struct flow_key);
	__type(value, struct flow);
} flows SEC(".maps");

/* The numbers of flows of TCP, beside them, as former agents have only those. Removed with the flow. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, MAX_FLOWS);
	__type(key, struct flow_key);
	__type(value, struct connection);
} connections SEC(".maps");

#define SECOND 1000000ULL

/* By state; nf_conntrack_proto_tcp.c: tcp_timeouts. flows.go has the same. */
static const __u32 tcp_seconds[FLOW_STATES] = { 5 * 86400, 120, 10, 120, 60, 60, 120, 60, 30, 120 };

/*
 * The time that a flow is kept without packets: timeouts of nf_conntrack_proto_{tcp,udp,icmp,icmpv6,generic}.c.
 * flows.go has the same.
 */
static __always_inline __u64 patience(const struct flow *f)
{
	if (f->protocol == PROTO_ICMP || f->protocol == PROTO_ICMPV6)
		return 30 * SECOND;
	if (f->protocol == PROTO_UDP || f->protocol == PROTO_UDPLITE)
		return f->state == FLOW_OPEN ? 120 * SECOND : 30 * SECOND;
	if (f->protocol != PROTO_TCP)
		return 600 * SECOND;
	if ((f->mark & PATIENCE_BITS) == PATIENCE_SHORT)
		return 300 * SECOND;
	if ((f->mark & PATIENCE_BITS) == PATIENCE_RESET)
		return 10 * SECOND;
	return tcp_seconds[f->state < FLOW_STATES ? f->state : FLOW_CLOSE] * SECOND;
}

static __always_inline int is_alive(const struct flow *f, __u64 now)
{
	return now < f->seen + patience(f);
}

/* True if a full firewall keeps a flow: TCP that both ends have acknowledged, others on which both ends have sent again. */
static __always_inline int is_kept(const struct flow *f)
{
	if (f->protocol == PROTO_TCP)
		return f->state == FLOW_OPEN && !(f->mark & UNASSURED);
	return f->state == FLOW_OPEN || f->state == FLOW_GOES_ON;
}

#endif
