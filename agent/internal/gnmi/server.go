// SPDX-License-Identifier: Apache-2.0

// Package gnmi serves the node's ports over gNMI, in the OpenConfig models: openconfig-interfaces
// (state, counters, the administrative state as config), openconfig-if-ethernet (MAC address),
// openconfig-if-ip (addresses, of subinterface 0) and openconfig-p4rt (the port's number); and its firewalls the segment
// lists that it watches and the delays of its links in models of this project's own, sextant-firewall, sextant-liveness and
// sextant-delay (agent/README.md).
package gnmi

import (
	"context"
	"log/slog"
	"maps"
	"slices"
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
	// Firewalls is nil for a node that has none.
	Firewalls Firewalls
	// Liveness is nil for a node that watches no lists.
	Liveness contract.LivenessTeller
	// Delays is nil for a node that measures none.
	Delays contract.LinkDelayTeller
	// Now is the clock of notifications; nil is the real one.
	Now func() time.Time
	// Log receives configuration changes; nil is silent.
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
	sets  sync.Mutex
	lanes lanes

	firewalls  Firewalls // nil where there are none
	interfaces shared[[]leaf]
	rules      shared[*firewallState]
	liveness   contract.LivenessTeller // nil where nothing is watched
	lists      shared[[]leaf]
	delays     contract.LinkDelayTeller // nil where nothing is measured

	mu      sync.Mutex // guards the fields below
	changed map[string]time.Time
	up      map[string]bool
	// news is closed and replaced at every change of a port.
	news chan struct{}
	// queues of the subscribers to events of firewalls.
	queues map[*queue]struct{}

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
	s := &Server{
		ports: o.Ports, firewalls: o.Firewalls, liveness: o.Liveness, delays: o.Delays, now: o.Now, log: o.Log, lanes: newLanes(),
		changed: map[string]time.Time{}, up: map[string]bool{}, queues: map[*queue]struct{}{},
		news: make(chan struct{}), closing: make(chan struct{}),
	}
	var own []*schemaNode
	if s.firewalls != nil {
		own = append(own, firewallSchema())
	}
	if s.liveness != nil {
		own = append(own, livenessSchema())
	}
	if s.delays != nil {
		own = append(own, delaySchema())
	}
	s.root = schema(own...)
	s.lists.read, s.lists.running = s.readLiveness, &s.receivers
	s.interfaces.read, s.interfaces.running = s.readInterfaces, &s.receivers
	s.rules.read, s.rules.running = s.readFirewalls, &s.receivers
	return s
}

// Close ends all subscriptions and waits until nothing reads from them.
func (s *Server) Close() {
	s.closeOnce.Do(func() { close(s.closing) })
	s.receivers.Wait()
}

// Run watches the ports and the firewalls until ctx ends and wakes the ON_CHANGE subscriptions.
func (s *Server) Run(ctx context.Context) error {
	if s.firewalls != nil {
		defer s.firewalls.FirewallEvents(s.tell)()
	}
	if s.liveness != nil {
		defer s.liveness.LivenessChanges(s.lookAgain)()
	}
	if s.delays != nil {
		defer s.delays.LinkDelayChanges(s.lookAgain)()
	}
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
	s.wake() // subscribers from before the watch began read again
	s.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return nil
		case p, open := <-changes:
			if !open {
				if ctx.Err() != nil {
					return nil // the client has gone
				}
				return status.Error(codes.Internal, "the data plane no longer reports its ports")
			}
			s.note(p)
		}
	}
}

// lookAgain has the waiting subscribers read.
func (s *Server) lookAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
}

// note records a change of a port and wakes the waiting subscribers.
func (s *Server) note(p contract.Port) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, known := s.up[p.Name]; known && was != p.Up {
		s.changed[p.Name] = s.now()
	}
	s.up[p.Name] = p.Up
	s.wake()
}

// wake notifies all that wait for news. Called with mu held.
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

// snapshot is the state of the node, now or a little later: all leaves whose changes are notified, and those leaves of
// firewalls that one of the patterns asks for.
func (s *Server) snapshot(ctx context.Context, patterns ...pattern) ([]leaf, error) {
	all, err := s.told(ctx, patterns...)
	if err != nil || s.firewalls == nil {
		return all, err
	}
	patterns = reaching(stepFirewalls, patterns)
	if len(patterns) == 0 {
		return all, nil
	}
	state, err := s.rules.ask(ctx)
	if err != nil {
		return nil, err
	}
	more, err := state.pick(patterns, s.lanes.of(len(patterns)))
	return slices.Concat(all, more), err
}

// told is the part of the state whose changes are notified: all ports, and all watched lists and delays of links where
// one of the patterns asks for any.
func (s *Server) told(ctx context.Context, patterns ...pattern) ([]leaf, error) {
	all, err := s.interfaces.ask(ctx)
	if err != nil {
		return nil, err
	}
	if s.liveness != nil && len(reaching(stepLiveness, patterns)) > 0 {
		more, err := s.lists.ask(ctx)
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, more)
	}
	if s.delays != nil && len(reaching(stepDelays, patterns)) > 0 {
		all = slices.Concat(all, s.readDelays())
	}
	return all, nil
}

// reaching are the patterns that may match something below a step on top.
func reaching(step string, patterns []pattern) []pattern {
	return slices.DeleteFunc(slices.Clone(patterns), func(p pattern) bool { return !p.mayReach([]elem{{name: step}}) })
}

// readInterfaces reads the ports.
func (s *Server) readInterfaces(ctx context.Context) (all []leaf, err error) {
	ports, err := s.ports.Ports(ctx)
	if err != nil {
		return nil, status.Errorf(codes.Internal, "read the ports: %v", err)
	}
	s.mu.Lock()
	changed := maps.Clone(s.changed)
	s.mu.Unlock()
	s.lanes.modest.do(func() { all = leaves(ports, changed) })
	return all, nil
}

func (s *Server) models() []*gpb.ModelData {
	const organization = "OpenConfig working group"
	all := []*gpb.ModelData{
		{Name: moduleInterfaces, Organization: organization, Version: "3.5.0"},
		{Name: moduleEthernet, Organization: organization},
		{Name: moduleIP, Organization: organization},
		{Name: moduleP4RT, Organization: organization, Version: "0.4.0"},
	}
	if s.firewalls != nil {
		all = append(all, &gpb.ModelData{Name: moduleFirewall, Organization: "Sextant", Version: "0.1.0"})
	}
	if s.liveness != nil {
		all = append(all, &gpb.ModelData{Name: moduleLiveness, Organization: "Sextant", Version: "0.1.0"})
	}
	if s.delays != nil {
		all = append(all, &gpb.ModelData{Name: moduleDelay, Organization: "Sextant", Version: "0.1.0"})
	}
	return all
}

// checkModels refuses a request for models that are not served.
func (s *Server) checkModels(wanted []*gpb.ModelData) error {
	for _, w := range wanted {
		known := false
		for _, m := range s.models() {
			known = known || m.GetName() == w.GetName()
		}
		if !known {
			return status.Errorf(codes.Unimplemented, "model %q is not served", w.GetName())
		}
	}
	return nil
}

// Capabilities returns the models and encodings.
func (s *Server) Capabilities(context.Context, *gpb.CapabilityRequest) (*gpb.CapabilityResponse, error) {
	version, ok := proto.GetExtension(gpb.File_github_com_openconfig_gnmi_proto_gnmi_gnmi_proto.Options(), gpb.E_GnmiService).(string)
	if !ok {
		return nil, status.Error(codes.Internal, "gnmi.proto has no version")
	}
	return &gpb.CapabilityResponse{SupportedModels: s.models(), SupportedEncodings: encodings(), GNMIVersion: version}, nil
}
