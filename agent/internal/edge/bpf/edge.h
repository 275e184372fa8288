/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Map layouts and limits shared by the program and the agent (docs/reference/edge.md). All maps
 * live as long as the program is attached; a restarted agent finds them through it.
 */
#ifndef EDGE_H
#define EDGE_H

#include "extension.h"
#include "gtp.h"
#include "maps.h"
#include "packet.h"
#include "prefix.h"

#define ETHER_VLAN 0x8100
#define ETHER_SERVICE_VLAN 0x88a8
#define TCX_NEXT (-1)

/* As pipeconfs/p4src/fixed/sizes.p4 has them. */
#define MAX_PORTS 512
#define MAX_SIDS 4096
#define MAX_SOURCES 16384
#define MAX_PEERS 4096
#define MAX_VLANS 4096
#define MAX_GATEWAYS 1024 /* rules of gtp_rule */

#define MAX_PACKETS 4 /* read one inside of the other */
#define MAX_TAGS 2 /* VLAN tags within the frame, beside the one that the kernel has taken off */

/* Interfaces that are no ports have the role of this one, and count in its cells. */
#define NO_PORT 0
/* With the port: an interface without a link layer, as tunnels are. */
#define BARE 0x80000000u

/*
 * Cells are 4 * port + reason: of edge_dropped for the first four reasons, of edge_drops_more for the next four. Two maps,
 * so that counters of former agents continue.
 */
#define REASONS 4
enum { DROP_SID, DROP_SRH, DROP_SOURCE, DROP_UNKNOWN_SOURCE, DROP_UNREADABLE, DROP_INTERNAL, PASSES };

/*
 * The role of a port is one word in an array, which another one is written over: a packet sees this
 * or that, and never the next use of a freed element, as in a hash. ROLE_STRICT is drop_srh of an
 * external port, known_sources of an internal one.
 */
enum { ROLE_INTERNAL = 1, ROLE_EXTERNAL = 2, ROLE_STRICT = 4 };

/* A VLAN of an interface which is a port of its own: its frames are judged there. */
struct vlan {
	__u32 index;
	__u32 id;
};

/* Bits are counted from the port on, of which all are there. */
struct peer {
	__u32 bits;
	__u32 port;
	__u8 addr[16];
};

/* Prefixes have twice the room, so that new ones are there before old ones go. */
MAP(edge_ports, BPF_MAP_TYPE_HASH, __u32, __u32, MAX_PORTS); /* by ifindex */
MAP(edge_roles, BPF_MAP_TYPE_ARRAY, __u32, __u32, MAX_PORTS);
MAP(edge_vlans, BPF_MAP_TYPE_HASH, struct vlan, __u32, MAX_VLANS);
LPM(edge_sids, struct prefix, __u32, 2 * MAX_SIDS); /* 1: reachable */
LPM(edge_sources, struct prefix, __u32, 2 * MAX_SOURCES);
LPM(edge_gateways, struct prefix, __u32, 2 * MAX_GATEWAYS); /* where GTP-U goes that is taken off here */
LPM(edge_peers, struct peer, struct counters, 2 * MAX_PEERS);
MAP(edge_dropped, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counters, MAX_PORTS *REASONS);

MAP(edge_drops_more, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counters, MAX_PORTS *REASONS);

#endif
