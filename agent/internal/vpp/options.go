// SPDX-License-Identifier: Apache-2.0

// Package vpp is the back end of a node whose data plane is a VPP router, programmed through VPP's
// binary API: contract entries become local SIDs, SR policies, steering, routes and neighbours.
//
// # Files
//
// translate*.go turn entries into the objects they want VPP to hold and know no API; change.go has the effects;
// holdings.go reads VPP back and compares; keep.go repairs foreign changes; reconcile.go reconciles VPP with the rows
// when either of the two was restarted; conn.go talks to the API and waits no longer than it should.
package vpp

import (
	"time"

	"go.fd.io/govpp/adapter"
	"go.fd.io/govpp/adapter/socketclient"
	"go.fd.io/govpp/adapter/statsclient"

	"sextant/agent/internal/contract"
)

// Options of a node.
type Options struct {
	// Socket is the path of VPP's binary API (`socksvr { socket-name … }` of its configuration).
	Socket string
	// Stats is the path of VPP's statistics (`statseg { socket-name … }`); without them steering rows
	// and ports have no counters.
	Stats string
	// NetNS is the network namespace whose packet interfaces VPP uses; "" is that of the process. The
	// agent listens there for LLDP and looks at carriers, and changes nothing.
	NetNS string
	// Ports gives the contract's port ids the interfaces of VPP, by their names in VPP.
	Ports map[contract.PortID]string
	// StateDir holds the rows over a restart. It belongs to this node alone and is made if absent.
	StateDir string
	// Log receives messages for operators, one sentence per call; nil is silent.
	Log func(format string, args ...any)

	// binary and statistics make the two connections; tests put VPP's part in their place.
	binary     func() adapter.VppAPI
	statistics func() adapter.StatsAPI
	// patience is how long an answer may take, pulse how often VPP and its ports are looked at, keepEvery how often
	// its objects are.
	patience, pulse, keepEvery time.Duration
}

// DefaultSocket is where VPP serves its API unless its configuration says otherwise.
const DefaultSocket = adapter.DefaultBinapiSocket

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.binary == nil {
		o.binary = func() adapter.VppAPI { return socketclient.NewVppClient(o.Socket) }
	}
	if o.statistics == nil {
		o.statistics = func() adapter.StatsAPI { return statsclient.NewStatsClient(o.Stats) }
	}
	if o.patience == 0 {
		o.patience = 5 * time.Second
	}
	if o.pulse == 0 {
		o.pulse = time.Second
	}
	if o.keepEvery == 0 {
		o.keepEvery = keepEvery
	}
	return o
}
