// SPDX-License-Identifier: Apache-2.0

// Package linux is the back end of a node whose data plane is the kernel of one network namespace:
// contract entries become seg6 and seg6local routes, neighbours and nftables rules.
//
// # Files
//
// translate_*.go turn entries into the kernel objects they want and know no kernel; apply.go and changes.go have the
// effects; readback.go compares the wanted objects with a dump; keep.go repairs foreign changes, which others.go and
// gateways.go detect; adopt.go takes over the state of a former agent; prepare.go makes a namespace a node; planes.go
// lists the planes, of which source.go, counters.go, unfinished.go punt.go, measuring.go, watching.go and restoring.go
// are here, and nftables.go is shared by two of them; switching.go has silent lists replaced; drops.go reads the drop
// counters of programs; features.go probes a kernel.
package linux

import (
	"time"

	"sextant/agent/internal/contract"
)

// DelayWindow is the time that a figure of measured delays covers.
const DelayWindow = 10 * time.Second

// Options of a node.
type Options struct {
	// NetNS is the name (as in `ip netns`) or the path of the network namespace to serve; "" is the
	// namespace of the process. No other namespace is ever touched.
	NetNS string
	// Ports gives the contract's port ids the interfaces of the namespace.
	Ports map[contract.PortID]string
	// StateDir holds the rows over a restart. It belongs to this node alone and is made if absent.
	StateDir string
	// Log receives messages for operators, one sentence per call; nil is silent.
	Log func(format string, args ...any)
	// MeasureDelay is between two test packets at each internal port that is up; 0 measures and reflects nothing.
	MeasureDelay time.Duration

	delayWindow time.Duration // DelayWindow if 0; for tests

	unattended bool // nothing is repaired but by Apply; for tests of detection
}
