// SPDX-License-Identifier: Apache-2.0

// Package edge is the edge of the SR domain on Linux (docs/reference/edge.md), with an eBPF program on TCX ingress at
// every port that has a role and at every interface that is no port (places.go), before all other programs. The program
// stays attached when the agent ends, and holds the maps, so that a restarted agent finds rows and counters through it,
// and no packet passes in between.
package edge

//go:generate go tool bpf2go -go-package edge -target bpfel -output-suffix .gen -cc clang -cflags "-O2 -Wall -Werror -mcpu=v3 -I../bpf -I/usr/include/x86_64-linux-gnu -I/usr/include/aarch64-linux-gnu" -type vlan -type prefix -type peer -type probes bpf bpf/edge.c
