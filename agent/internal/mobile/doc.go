// SPDX-License-Identifier: Apache-2.0

// Package mobile turns GTP-U into SRv6 and back on Linux (docs/reference/mobile-node.md), with an eBPF program on TCX
// ingress at every port. Nothing is pinned: the program is attached to devices of the node's namespace and holds the maps,
// so a restarted agent finds rules, sessions and counters through it, and a deleted namespace leaves nothing behind.
package mobile

//go:generate go tool bpf2go -go-package mobile -target bpfel -output-suffix .gen -cc clang -cflags "-O2 -Wall -Werror -mcpu=v3 -I../bpf -I/usr/include/x86_64-linux-gnu -I/usr/include/aarch64-linux-gnu" bpf bpf/mobile.c
