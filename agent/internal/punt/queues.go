// SPDX-License-Identifier: Apache-2.0

package punt

import (
	"slices"
	"sync"
	"time"

	"sextant/agent/internal/contract"
)

// queues hold the frames of each port apart until the controller takes them.
//
//	port 1  ▮▮▮▮▮▮▮▮ full: its own frames are dropped ─┐
//	port 2  ▮                                        ├─ one frame of each port in turn
//	port 3  ▮▮                                       ─┘
//
// A port has its own rate and its own room, and ports are served in turn. So a flood at one port delays a frame of another
// by one frame, and drops none of it: a host that floods its own port cannot hide the LLDP frames of a link.
type queues struct {
	now func() time.Time

	mu    sync.Mutex
	ports map[contract.PortID]*portQueue
	turns []contract.PortID // ports with frames that wait, the next one first
	// ready has a token while there may be a frame to take.
	ready chan struct{}
}

// portQueue is the room and the rate of one port.
type portQueue struct {
	frames  [][]byte
	bytes   int
	tokens  float64 // frames that the rate allows now
	filled  time.Time
	dropped Drops
}

// Drops are the frames of a port that the controller did not get.
type Drops struct {
	OverRate uint64 // more than portRate a second, beyond a burst
	NoRoom   uint64 // the controller takes frames slower than they come
	Kernel   uint64 // the agent takes frames slower than they come
}

func (d Drops) total() uint64 { return d.OverRate + d.NoRoom + d.Kernel }

const (
	// portRate is the frames a second of one port, on average; a neighbor sends one LLDP frame in some seconds.
	portRate = 128
	// portBurst is how many frames of one port may come at once after a pause.
	portBurst = 128
	// portFrames and portBytes bound the waiting frames of one port: those of 510 ports take 64 MiB at most.
	portFrames = 128
	portBytes  = 128 << 10
)

func newQueues(now func() time.Time) *queues {
	return &queues{now: now, ports: map[contract.PortID]*portQueue{}, ready: make(chan struct{}, 1)}
}

// put queues a copy of the frame, or counts it as dropped.
func (q *queues) put(port contract.PortID, frame []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.port(port)
	switch {
	case !p.allowed(q.now()):
		p.dropped.OverRate++
	case len(p.frames) == portFrames || p.bytes+len(frame) > portBytes:
		p.dropped.NoRoom++
	default:
		if len(p.frames) == 0 {
			q.turns = append(q.turns, port)
		}
		p.frames = append(p.frames, slices.Clone(frame))
		p.bytes += len(frame)
		q.signal()
	}
}

// lost counts frames that the kernel dropped before the agent took them.
func (q *queues) lost(port contract.PortID, frames uint64) {
	if frames == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.port(port).dropped.Kernel += frames
}

func (q *queues) port(port contract.PortID) *portQueue {
	p := q.ports[port]
	if p == nil {
		p = &portQueue{tokens: portBurst, filled: q.now()}
		q.ports[port] = p
	}
	return p
}

func (q *queues) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns the oldest frame of the port whose turn it is; false if none waits.
func (q *queues) take() (contract.Packet, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turns) == 0 {
		return contract.Packet{}, false
	}
	port := q.turns[0]
	q.turns = q.turns[1:]
	p := q.ports[port]
	frame := p.frames[0]
	p.frames = slices.Delete(p.frames, 0, 1)
	p.bytes -= len(frame)
	if len(p.frames) > 0 {
		q.turns = append(q.turns, port)
	}
	return contract.Packet{InPort: port, Frame: frame}, true
}

// drops returns the frames dropped at each port until now; ports without drops are left out.
func (q *queues) drops() map[contract.PortID]Drops {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := map[contract.PortID]Drops{}
	for port, p := range q.ports {
		if p.dropped != (Drops{}) {
			all[port] = p.dropped
		}
	}
	return all
}

// allowed takes a token, if the rate leaves one.
func (p *portQueue) allowed(now time.Time) bool {
	p.tokens = min(portBurst, p.tokens+now.Sub(p.filled).Seconds()*portRate)
	p.filled = now
	if p.tokens < 1 {
		return false
	}
	p.tokens--
	return true
}
