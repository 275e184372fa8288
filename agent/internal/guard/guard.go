// SPDX-License-Identifier: Apache-2.0

// Package guard keeps one client of a gRPC server from taking the resources of the others: connections, calls, and
// memory for messages that never end. The cost of a call in a service is the service's to bound.
//
// A limit has two parts, so that a client that takes all there is shuts out no other: one for all together, and one
// that each connection has in any case.
package guard

import (
	"context"
	"fmt"
	"sync"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
)

// Limits of a server.
type Limits struct {
	// Connections that are open at once. A new one takes the place of one that has no call, the oldest of the machine that has most
	// of these; if all have calls, it is refused.
	Connections int
	// Calls that run at once, streams among them.
	Calls Limit
	// Methods have limits of their own, by their full names.
	Methods map[string]Limit
	// MessageBytes is how long a message may be.
	MessageBytes int
	// UnfinishedBytes of messages whose ends have not come: a connection with more is closed.
	UnfinishedBytes Limit
	// Patience is how long a client may take for a handshake and for the first message of a call, and leave a message unread.
	Patience time.Duration
}

// Limit is for all connections together, and for each.
type Limit struct {
	All, Each int
	// Always may each have, though all have theirs.
	Always int
}

// room says whether one with so many may have another.
func (l Limit) room(all, own int) bool { return own < l.Each && (all < l.All || own < l.Always) }

// DefaultLimits are several times the need of a controller, its backups and some monitors.
func DefaultLimits() Limits {
	return Limits{
		Connections: 256,
		Calls:       Limit{All: 1024, Each: 128, Always: 8},
		Methods: map[string]Limit{
			gpb.GNMI_Subscribe_FullMethodName:                           {All: 64, Each: 8, Always: 2},
			gpb.GNMI_Get_FullMethodName:                                 {All: 16, Each: 8, Always: 1},
			p4.P4Runtime_Write_FullMethodName:                           {All: 16, Each: 8, Always: 1},
			p4.P4Runtime_Read_FullMethodName:                            {All: 16, Each: 8, Always: 1},
			p4.P4Runtime_StreamChannel_FullMethodName:                   {All: 128, Each: 16, Always: 1},
			"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": {All: 16, Each: 4},
		},
		MessageBytes:    16 << 20, // a batch of 100,000 entries; gRPC's usual limit is 4 MiB
		UnfinishedBytes: Limit{All: 64 << 20, Each: 32 << 20, Always: 1 << 20},
		Patience:        10 * time.Second,
	}
}

// windowBytes of a call's messages may wait to be read.
const windowBytes = 64 << 10

// Guard holds a server to its limits.
type Guard struct {
	limits Limits

	mu         sync.Mutex // guards the fields below
	conns      map[*conn]struct{}
	order      uint64 // of the last connection
	calls      int
	methods    map[string]int
	unfinished int
}

// New makes a guard for one server.
func New(limits Limits) *Guard {
	return &Guard{limits: limits, conns: map[*conn]struct{}{}, methods: map[string]int{}}
}

// Options make a server keep the limits, whose clients come by these credentials.
func (g *Guard) Options(creds credentials.TransportCredentials) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.Creds(guarded{creds, g}),
		grpc.InTapHandle(g.admit),
		grpc.ChainUnaryInterceptor(g.unary),
		grpc.ChainStreamInterceptor(g.stream),
		grpc.MaxRecvMsgSize(g.limits.MessageBytes),
		grpc.MaxConcurrentStreams(uint32(2 * g.limits.Calls.Each)), // so that a client with too many receives the reason
		grpc.MaxHeaderListSize(16 << 10),
		// Windows of messages that wait to be read. Windows that grow with the traffic would hold 16 MiB for
		// each call.
		grpc.StaticStreamWindowSize(windowBytes),
		grpc.StaticConnWindowSize(16 * windowBytes),
		grpc.ConnectionTimeout(g.limits.Patience),
	}
}

// admit counts a call that begins until its context ends, as it does with the call.
func (g *Guard) admit(ctx context.Context, info *tap.Info) (context.Context, error) {
	c := connOf(ctx)
	if c == nil {
		return nil, status.Error(codes.Internal, "a call without a connection")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	method := info.FullMethodName
	limit, limited := g.limits.Methods[method]
	switch {
	case !g.limits.Calls.room(g.calls, len(c.calls)):
		return nil, status.Errorf(codes.ResourceExhausted, "%d calls run, %d of them by this connection; end some first", g.calls, len(c.calls))
	case limited && !limit.room(g.methods[method], c.methods[method]):
		return nil, status.Errorf(codes.ResourceExhausted, "%d calls of %s run, %d of them by this connection; end some first",
			g.methods[method], method, c.methods[method])
	}
	ctx, cancel := context.WithCancel(ctx)
	one := &call{conn: c, method: method, cancel: cancel}
	g.calls++
	g.methods[method]++
	c.calls[one] = struct{}{}
	c.methods[method]++
	context.AfterFunc(ctx, func() { g.ended(one) })
	one.arriving = one.endAfter(ctx, g.limits.Patience)
	return context.WithValue(ctx, callKey{}, one), nil
}

// call is one that runs.
type call struct {
	conn   *conn
	method string
	cancel context.CancelFunc
	// arriving ends the call if its request does not come.
	arriving *time.Timer
}

type callKey struct{}

func (g *Guard) ended(one *call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls--
	g.methods[one.method]--
	delete(one.conn.calls, one)
	one.conn.methods[one.method]--
}

// unary lets a request take its time to arrive, and its answer to leave.
func (g *Guard) unary(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	one, err := callOf(ctx)
	if err != nil {
		return nil, err
	}
	one.arriving.Stop()
	answer, err := handler(ctx, request)
	one.endAfter(ctx, g.limits.Patience)
	return answer, err
}

// stream ends a call whose client sends no request, or leaves a message unread.
func (g *Guard) stream(server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	one, err := callOf(stream.Context())
	if err != nil {
		return err
	}
	one.arriving.Stop()
	return handler(server, &impatient{ServerStream: stream, patience: g.limits.Patience})
}

// endAfter breaks the call off if it has not ended by itself.
func (c *call) endAfter(ctx context.Context, patience time.Duration) *time.Timer {
	timer := time.AfterFunc(patience, c.cancel)
	context.AfterFunc(ctx, func() { timer.Stop() })
	return timer
}

type impatient struct {
	grpc.ServerStream
	patience time.Duration
	asked    bool // there was a message
}

// RecvMsg returns when a message is there. The first must come in time.
func (s *impatient) RecvMsg(m any) error {
	if s.asked {
		return s.ServerStream.RecvMsg(m)
	}
	s.asked = true
	return s.within("no request came", func() error { return s.ServerStream.RecvMsg(m) })
}

// SendMsg returns when the client's window has room for the message, or its time is over.
func (s *impatient) SendMsg(m any) error {
	return s.within("a message was left unread", func() error { return s.ServerStream.SendMsg(m) })
}

// within does not wait for ever: a function that still runs then ends with the call, which must end by this error.
func (s *impatient) within(what string, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- run() }()
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return status.Errorf(codes.ResourceExhausted, "%s for %v", what, s.patience)
	}
}

func callOf(ctx context.Context) (*call, error) {
	if one, ok := ctx.Value(callKey{}).(*call); ok {
		return one, nil
	}
	return nil, status.Error(codes.Internal, "a call that was not admitted")
}

// connOf is the connection of a call.
func connOf(ctx context.Context) *conn {
	if p, ok := peer.FromContext(ctx); ok {
		if a, ok := p.Addr.(address); ok {
			return a.conn
		}
	}
	return nil
}

func refused(limit int) error {
	return fmt.Errorf("%d connections are open, and all of them are used", limit)
}
