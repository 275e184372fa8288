// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"sync"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
)

// A client is one open StreamChannel. Whoever has something for it pushes; only the stream's own
// handler takes from out and sends.
type client struct {
	from string // its address
	// election is guarded by the arbitration's mutex.
	election electionID
	out      chan *p4.StreamMessageResponse
	// stuck is closed when a message that must not be lost found out full.
	stuck     chan struct{}
	stuckOnce sync.Once
}

// queueLength is how many messages may wait for a client that reads slowly.
const queueLength = 1024

func newClient(from string) *client {
	return &client{from: from, out: make(chan *p4.StreamMessageResponse, queueLength), stuck: make(chan struct{})}
}

// push queues a message that must arrive. A client that leaves so many unread loses its stream: it
// would otherwise act on a wrong idea of who is primary.
func (c *client) push(m *p4.StreamMessageResponse) {
	if !c.offer(m) {
		c.stuckOnce.Do(func() { close(c.stuck) })
	}
}

// offer queues a message that may be lost, and says whether it was queued.
func (c *client) offer(m *p4.StreamMessageResponse) bool {
	select {
	case c.out <- m:
		return true
	default:
		return false
	}
}
