// SPDX-License-Identifier: Apache-2.0
// Guaranteed table sizes of every target.
#ifndef SIZES_P4
#define SIZES_P4

#define PUNT_SIZE 64
#define MY_SID_SIZE 4096
#define STEERING_SIZE 16384
#define SID_LIST_SIZE 16384
#define ROUTE_SIZE 16384
#define NEXT_HOP_SIZE 1024
#define SELECTOR_SIZE 65536
#define FLOW_SIZE 256
#define FLOW_STEERING_SIZE 256
#define COPY_SIZE 1024

// Sessions of one node, and their addresses.
#define GTP_TUNNEL_SIZE 131072
#define GTP_RULE_SIZE 1024
#define UE_SIZE 131072
#define GTP_DROP_REASONS 16

// Rows of all firewalls of a node, of which one may have FIREWALL_RULES, and twice while a rule set replaces
// another; and the values of firewall_instance_t, each with cells of counters for the reasons to drop.
#define FIREWALL_SIZE 65536
#define FIREWALL_DROP_CELLS 4096

// The edge: values of port_t, each with cells of counters for 4 reasons to drop, and behind the cells of all
// ports as many for 4 more; blocks and locators of the domain; sources of its nodes; peers of a node.
#define EDGE_PORT_SIZE 512
#define EDGE_DROP_CELLS 4096
#define EDGE_SID_SIZE 4096
#define EDGE_SOURCE_SIZE 16384
#define EDGE_PEER_SIZE 4096

// Extension headers of GTP-U that the edge steps over.
#define MAX_GTP_EXTENSIONS 4

// Packets one inside of the other that the edge judges, behind the one that comes.
#define MAX_PACKETS_INSIDE 3

// Live-Live flows that end at one node: the values of window_t. Each has a window of at least 4,096
// packets, and cells of counters for the 16 values of path_t, of delays for 16 classes each.
#define DEDUP_FLOW_SIZE 64
#define WINDOW_SLOTS 262144
#define WINDOWS 64
#define DEDUP_CELLS 1024
#define DELAY_CELLS 16384
#define PATH_CELLS 16

// The values of group_id_t.
#define GROUPS 65536

// The sum of the weights of a group: 64 members of weight 256, which is the most of Linux.
#define MAX_GROUP_SIZE 16384

// A segment list of 16 whose first segment is the destination address.
#define MAX_PUSHED_SEGMENTS 15

// The headers of one packet that stand before an SRH that has segments left, or before the packet inside.
#define MAX_EXTENSIONS 6

// The headers that a firewall steps over: outside with the SRH, and inside. The number of pieces that it cuts
// the bytes behind the SRH into.
#define MAX_FIREWALL_EXTENSIONS 8
#define MAX_FIREWALL_PIECES 17

// bmv2 keeps 512 bytes free before a packet for the headers that are pushed while it is in the switch.
#define MAX_PUSHED_BYTES 512

// How often a packet may pass one node's pipeline: a policy that leads into itself ends here.
#define MAX_PASSES 32

#endif
