// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"cmp"
	"errors"
	"net"

	"google.golang.org/grpc/credentials"
)

// guarded are credentials whose connections are counted, from before their handshakes on.
type guarded struct {
	credentials.TransportCredentials
	guard *Guard
}

// ServerHandshake makes room for the connection first.
func (c guarded) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	entry := &conn{guard: c.guard, raw: raw, source: sourceOf(raw), calls: map[*call]struct{}{}, methods: map[string]int{}, frames: newFrames()}
	if err := c.guard.enter(entry); err != nil {
		return nil, nil, errors.Join(err, raw.Close())
	}
	inner, info, err := c.TransportCredentials.ServerHandshake(raw)
	if err != nil {
		c.guard.leave(entry)
		return nil, nil, err
	}
	entry.Conn = inner
	return entry, info, nil
}

// Clone is for gRPC.
func (c guarded) Clone() credentials.TransportCredentials {
	return guarded{c.TransportCredentials.Clone(), c.guard}
}

// conn is a connection of a client; gRPC reads from it.
type conn struct {
	net.Conn
	guard *Guard
	raw   net.Conn
	// source is the address of the client's machine.
	source string

	// guarded by the guard's mutex
	number  uint64 // connections that came later have higher ones
	calls   map[*call]struct{}
	methods map[string]int
	// of the one goroutine that reads
	frames frames
	// guarded by the guard's mutex: the last count of frames
	unfinished int
}

// address has the connection of a call, as peer.Peer has no other place for that.
type address struct {
	net.Addr
	conn *conn
}

// RemoteAddr is the client's address.
func (c *conn) RemoteAddr() net.Addr { return address{c.Conn.RemoteAddr(), c} }

// Read fails when too many of the bytes read belong to messages that have no end.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.frames.read(p[:n])
	if c.frames.padded {
		return 0, errors.New("data with padding")
	}
	if !c.guard.holds(c, c.frames.unfinished) {
		return 0, errors.New("too many bytes of messages without an end")
	}
	return n, err
}

// Close ends the connection; it may be called twice.
func (c *conn) Close() error {
	c.guard.leave(c)
	return c.Conn.Close()
}

// sourceOf is one for all clients of a Unix socket.
func sourceOf(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		return ""
	}
	return host
}

// enter counts a connection, at the cost of an unused one.
func (g *Guard) enter(c *conn) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.conns) >= g.limits.Connections {
		victim := g.dispensable()
		if victim == nil {
			return refused(g.limits.Connections)
		}
		g.remove(victim)
		_ = victim.raw.Close() // its reader ends
	}
	g.order++
	c.number = g.order
	g.conns[c] = struct{}{}
	return nil
}

// dispensable is the oldest connection without a call, of the machine that has most of these; nil if there is none. Called with
// mu held.
func (g *Guard) dispensable() *conn {
	idle := map[string]int{}
	for c := range g.conns {
		if len(c.calls) == 0 {
			idle[c.source]++
		}
	}
	var found *conn
	for c := range g.conns {
		if len(c.calls) > 0 {
			continue
		}
		if found == nil || cmp.Or(-cmp.Compare(idle[c.source], idle[found.source]), cmp.Compare(c.number, found.number)) < 0 {
			found = c
		}
	}
	return found
}

func (g *Guard) leave(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(c)
}

// remove is called with mu held; calls count on until their contexts end.
func (g *Guard) remove(c *conn) {
	if _, there := g.conns[c]; there {
		delete(g.conns, c)
		g.unfinished -= c.unfinished
		c.unfinished = 0
	}
}

// holds records the bytes of unfinished messages of a connection, and returns whether that is allowed.
func (g *Guard) holds(c *conn, bytes int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, there := g.conns[c]; !there {
		return false
	}
	g.unfinished += bytes - c.unfinished
	c.unfinished = bytes
	limit := g.limits.UnfinishedBytes
	return bytes <= limit.Always || bytes <= limit.Each && g.unfinished <= limit.All
}
