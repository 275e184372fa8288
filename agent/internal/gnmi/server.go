// SPDX-License-Identifier: Apache-2.0

// Package gnmi serves the node's ports over gNMI, in the OpenConfig models: openconfig-interfaces
// (state, counters, the administrative state as config), openconfig-if-ethernet (MAC address),
// openconfig-if-ip (addresses, of subinterface 0) and openconfig-p4rt (the port's number).
package gnmi

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"sextant/agent/internal/contract"
)

// Ports is the data plane's side of it.
type Ports interface {
	Ports(ctx context.Context) ([]contract.Port, error)
	WatchPorts(ctx context.Context) (<-chan contract.Port, error)
	SetPortEnabled(ctx context.Context, name string, enabled bool) error
}

// Options of a server.
type Options struct {
	Ports Ports
	// Now is the clock of notifications; nil is the real one.
	Now func() time.Time
	// Log hears about configuration changes; nil is silent.
	Log *slog.Logger
}

// Server implements the gNMI service. Register it with a gRPC server, let Run watch the ports, and
// Close it before the gRPC server is stopped.
type Server struct {
	gpb.UnimplementedGNMIServer
	ports Ports
	now   func() time.Time
	log   *slog.Logger
	root  *schemaNode
	// sets makes Set requests one at a time.
	sets sync.Mutex
	// looks makes readings of the ports one at a time.
	looks sync.Mutex
	lanes lanes
	gets  chan struct{} // holds one element per Get that is answered

	mu      sync.Mutex // guards what is below
	changed map[string]time.Time
	up      map[string]bool
	// news is closed and replaced at every change of a port.
	news chan struct{}
	// next is a reading that has not begun; nil for none.
	next *reading

	receivers sync.WaitGroup
	closing   chan struct{}
	closeOnce sync.Once
}

// New makes a server; nothing runs yet.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{
		ports: o.Ports, now: o.Now, log: o.Log, root: schema(), lanes: newLanes(), gets: make(chan struct{}, maxGets),
		changed: map[string]time.Time{}, up: map[string]bool{},
		news: make(chan struct{}), closing: make(chan struct{}),
	}
}

// Close ends all subscriptions and waits until nothing reads from them.
func (s *Server) Close() {
	s.closeOnce.Do(func() { close(s.closing) })
	s.receivers.Wait()
}

// Run watches the ports until ctx ends and wakes the ON_CHANGE subscriptions.
func (s *Server) Run(ctx context.Context) error {
	changes, err := s.ports.WatchPorts(ctx)
	if err != nil {
		return err
	}
	ports, err := s.ports.Ports(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	for _, p := range ports {
		s.up[p.Name] = p.Up
	}
	s.wake() // who subscribed before the watch began reads again
	s.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return nil
		case p, open := <-changes:
			if !open {
				if ctx.Err() != nil {
					return nil //nolint:nilerr // who asked has gone
				}
				return status.Error(codes.Internal, "the data plane no longer tells of its ports")
			}
			s.note(p)
		}
	}
}

// note records a change of a port and wakes who waits for news.
func (s *Server) note(p contract.Port) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, known := s.up[p.Name]; known && was != p.Up {
		s.changed[p.Name] = s.now()
	}
	s.up[p.Name] = p.Up
	s.wake()
}

// wake tells all that wait for news. Called with mu held.
func (s *Server) wake() {
	close(s.news)
	s.news = make(chan struct{})
}

// nextNews is closed at the next change. Take it before reading, so that no change falls between.
func (s *Server) nextNews() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.news
}

// reading is one look at the ports, for all that asked before it began.
type reading struct {
	done   chan struct{}
	leaves []leaf
	err    error
}

// snapshot is the state of the node, now or a little later.
func (s *Server) snapshot(ctx context.Context) ([]leaf, error) {
	s.mu.Lock()
	r := s.next
	if r == nil {
		r = &reading{done: make(chan struct{})}
		s.next = r
		s.receivers.Go(func() { s.look(context.WithoutCancel(ctx), r) })
	}
	s.mu.Unlock()
	select {
	case <-r.done:
		return r.leaves, r.err
	case <-ctx.Done():
		return nil, status.FromContextError(ctx.Err()).Err()
	}
}

// look reads the ports, one time after the other.
func (s *Server) look(ctx context.Context, r *reading) {
	defer close(r.done)
	s.looks.Lock()
	defer s.looks.Unlock()
	s.mu.Lock()
	s.next = nil // who asks from here on wants to know what is then
	s.mu.Unlock()
	ports, err := s.ports.Ports(ctx)
	if err != nil {
		r.err = status.Errorf(codes.Internal, "read the ports: %v", err)
		return
	}
	s.mu.Lock()
	changed := maps.Clone(s.changed)
	s.mu.Unlock()
	s.lanes.modest.do(func() { r.leaves = leaves(ports, changed) })
}

func models() []*gpb.ModelData {
	const organization = "OpenConfig working group"
	return []*gpb.ModelData{
		{Name: moduleInterfaces, Organization: organization, Version: "3.5.0"},
		{Name: moduleEthernet, Organization: organization},
		{Name: moduleIP, Organization: organization},
		{Name: moduleP4RT, Organization: organization, Version: "0.4.0"},
	}
}

// checkModels refuses a request for models that are not served.
func checkModels(wanted []*gpb.ModelData) error {
	for _, w := range wanted {
		known := false
		for _, m := range models() {
			known = known || m.GetName() == w.GetName()
		}
		if !known {
			return status.Errorf(codes.Unimplemented, "model %q is not served", w.GetName())
		}
	}
	return nil
}

// Capabilities tells the models and encodings.
func (s *Server) Capabilities(context.Context, *gpb.CapabilityRequest) (*gpb.CapabilityResponse, error) {
	version, ok := proto.GetExtension(gpb.File_github_com_openconfig_gnmi_proto_gnmi_gnmi_proto.Options(), gpb.E_GnmiService).(string)
	if !ok {
		return nil, status.Error(codes.Internal, "gnmi.proto does not tell its version")
	}
	return &gpb.CapabilityResponse{SupportedModels: models(), SupportedEncodings: encodings(), GNMIVersion: version}, nil
}
