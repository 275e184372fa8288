// SPDX-License-Identifier: Apache-2.0

// Package livelive replicates and de-duplicates packets on Linux (docs/reference/livelive.md), with two
// eBPF programs on TCX ingress: one at every port, one behind a device pair that numbers and copies.
//
// Nothing is pinned. The programs are attached to devices of the node's namespace and hold the maps, so
// all of it lives exactly as long as the namespace: a restarted agent finds the maps through the attached
// programs and loses neither a sequence number nor a window, and a deleted namespace leaves nothing behind.
package livelive

//go:generate go tool bpf2go -go-package livelive -target bpfel -output-suffix .gen -cc clang -cflags "-O2 -Wall -Werror -mcpu=v3 -I../bpf -I/usr/include/x86_64-linux-gnu -I/usr/include/aarch64-linux-gnu" bpf bpf/livelive.c
