// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"sync"
	"sync/atomic"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/protobuf/proto"
)

// A client is one open StreamChannel. All senders push messages for it; only the stream's own handler takes from out
// and sends.
type client struct {
	from string // its address
	// election is guarded by the arbitration's mutex.
	election electionID
	out      chan *p4.StreamMessageResponse
	waiting  atomic.Int64  // bytes in out
	room     chan struct{} // has a token after a message was taken from out
	// gone is closed when the client loses its stream, for the reason why.
	gone     chan struct{}
	goneOnce sync.Once
	why      string
}

const (
	// queueLength is how many messages may wait for a client that reads slowly.
	queueLength = 1024
	// queueBytes is how long those may be together that may be lost.
	queueBytes = 512 << 10
)

func newClient(from string) *client {
	return &client{
		from: from, out: make(chan *p4.StreamMessageResponse, queueLength),
		room: make(chan struct{}, 1), gone: make(chan struct{}),
	}
}

// push queues a message that must arrive. A client that leaves so many unread loses its stream: it would otherwise act
// on a wrong idea of the primary.
func (c *client) push(m *p4.StreamMessageResponse) {
	if !c.queue(m, int64(proto.Size(m))) {
		c.end(fmt.Sprintf("%d messages wait unread", queueLength))
	}
}

// offer queues a message that may be lost, and says whether it was queued.
func (c *client) offer(m *p4.StreamMessageResponse) bool {
	size := int64(proto.Size(m))
	return c.waiting.Load()+size <= queueBytes && c.queue(m, size)
}

func (c *client) queue(m *p4.StreamMessageResponse, size int64) bool {
	c.waiting.Add(size)
	select {
	case c.out <- m:
		return true
	default:
		c.waiting.Add(-size)
		return false
	}
}

// taken accounts for a message that was taken from out.
func (c *client) taken(m *p4.StreamMessageResponse) {
	c.waiting.Add(-int64(proto.Size(m)))
	signal(c.room)
}

// signal leaves one token in a channel that has room for one.
func signal(token chan<- struct{}) {
	select {
	case token <- struct{}{}:
	default:
	}
}

// end takes the stream from the client.
func (c *client) end(why string) {
	c.goneOnce.Do(func() {
		c.why = why
		close(c.gone)
	})
}
