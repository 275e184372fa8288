// SPDX-License-Identifier: Apache-2.0

// Package sera is firewalls that understand segments on Linux (docs/reference/firewall-node.md), with an eBPF program on TCX
// ingress at every port and behind a device pair of its own, where the kernel routes the SIDs. Nothing is pinned: the program
// is attached to devices of the node's namespace and holds the maps, so a restarted agent finds rules, flows and counters
// through it, and a deleted namespace leaves nothing behind.
package sera

//go:generate go tool bpf2go -go-package sera -target bpfel -output-suffix .gen -cc clang -cflags "-O2 -Wall -Werror -mcpu=v3 -I../bpf -I/usr/include/x86_64-linux-gnu -I/usr/include/aarch64-linux-gnu" -type event -type rule -type head -type flow -type flow_key -type turn_key -type connection -type work bpf bpf/sera.c
