// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"net/netip"
	"time"

	"sextant/agent/internal/n4/pfcp"
)

// Config is the operator's configuration. Zero durations and sizes have the defaults of New.
type Config struct {
	// Address is the Node ID, and that of our F-SEIDs.
	Address netip.Addr
	// Name begins the ids of the sessions that this n4 owns at the controller.
	Name string
	// N3 are the addresses of tunnels that are chosen here, at most one of each family; without: those of the slice.
	N3 []netip.Addr
	// Pools have the addresses of UEs that are chosen here, at most one of each family.
	Pools []netip.Prefix
	// Rules pick slices beside the controller's own rules.
	Rules  []SliceRule
	Ignore pfcp.Ignore
	// SMFs are the prefixes of permitted senders; without them, the SMF that associates first is the only one.
	SMFs []netip.Prefix
	// EndMarkers: the caller can send them.
	EndMarkers bool
	// PeerPort is where our requests go to.
	PeerPort uint16

	MaxSessions int
	// Patience is how long a request waits for the controller.
	Patience time.Duration
	// Lease is how long sessions outlive their SMF's silence.
	Lease time.Duration
	// HeartbeatEvery is how long an SMF may be silent before it is asked; RetryAfter and Retries are T1 and N1.
	HeartbeatEvery, RetryAfter time.Duration
	Retries                    int

	// FirstSEID and FirstTEID are where counting begins: somewhere else at each start, so that nothing is used again soon.
	FirstSEID uint64
	FirstTEID uint32
}

// Limits on the state that foreign senders can create.
const (
	maxAssociations = 1000
	// maxAssociationsOfAddress: an SMF has one, some behind one address have some.
	maxAssociationsOfAddress = 16
	// maxAlternatives are the addresses that an association names besides.
	maxAlternatives = 16
	maxParked       = 1000
	maxWaiting      = 8 // requests of one session
	maxWaitingBytes = 64 << 20
	maxQueued       = 100_000
	maxRules        = 64 // of a kind, of one session
	maxReplies      = 200_000
	replyLife       = time.Minute
	// BatchSize is how many changes go to the controller at once.
	BatchSize = 1000
)

func (c Config) withDefaults() Config {
	or(&c.Name, "n4")
	or(&c.PeerPort, 8805)
	or(&c.MaxSessions, 100_000)
	or(&c.Patience, 10*time.Second)
	or(&c.Lease, time.Minute)
	or(&c.HeartbeatEvery, 10*time.Second)
	or(&c.RetryAfter, 3*time.Second)
	or(&c.Retries, 3)
	or(&c.FirstSEID, 1)
	or(&c.FirstTEID, 1)
	return c
}

func or[T comparable](to *T, usual T) {
	var zero T
	if *to == zero {
		*to = usual
	}
}

func (c Config) features() pfcp.Features {
	return pfcp.Features{Tunnels: true, Addresses: len(c.Pools) > 0, EndMarkers: c.EndMarkers}
}
