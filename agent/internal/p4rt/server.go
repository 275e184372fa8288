// SPDX-License-Identifier: Apache-2.0

// Package p4rt serves the contract's tables over P4Runtime.
//
// Messages are decoded by pure functions (Schema) into contract entries and handed to a data plane; the entries that it
// really holds are read back and encoded. The server itself keeps only the primary (arbitration.go) and the committed
// pipeline config (pipeline.go).
package p4rt

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/canonical"
	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/p4info"
	"sextant/agent/internal/durable"
)

// APIVersion is the version of P4Runtime that this server speaks.
const APIVersion = "1.4.1"

// Tables is the data plane's side of reading and writing entries.
type Tables interface {
	Apply(ctx context.Context, updates []contract.Update) []error
	Entries(ctx context.Context, table string) ([]contract.Stored, error)
}

// Packets is the data plane's side of packet I/O.
type Packets interface {
	Send(ctx context.Context, port contract.PortID, frame []byte) error
	Packets() <-chan contract.Packet
}

// Options of a server.
type Options struct {
	// DeviceID is the only device the server answers for; it is not 0.
	DeviceID uint64
	Tables   Tables
	Packets  Packets
	// P4Info is the one that the data plane serves; nil is Linux's. Its ids are those of package p4info.
	P4Info *p4config.P4Info
	// StateDir keeps the committed pipeline config and the metadata of entries over a restart; ""
	// keeps nothing.
	StateDir string
	// Log receives messages about controllers and configs; nil is silent.
	Log *slog.Logger
}

// Server implements the P4Runtime service for one node. Register it with a gRPC server, let Run
// deliver packets, and Close it before the gRPC server is stopped.
type Server struct {
	p4.UnimplementedP4RuntimeServer
	deviceID uint64
	schema   *Schema
	tables   Tables
	packets  Packets
	log      *slog.Logger
	// writes makes writes one at a time, and reads see no half of one.
	writes      sync.RWMutex
	arbitration *arbitration
	pipeline    *pipeline
	cookies     *cookies      // guarded by writes
	reads       chan struct{} // holds one element per Read that runs, but for those of the primary
	turns       chan struct{} // one per such Read that is at work

	receivers sync.WaitGroup
	closing   chan struct{}
	closeOnce sync.Once
}

// New makes a server; nothing runs yet.
func New(o Options) (*Server, error) {
	if o.DeviceID == 0 {
		return nil, fmt.Errorf("device id 0 is reserved by P4Runtime, choose another one")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	info := o.P4Info
	if info == nil {
		var err error
		if info, err = p4info.Message(); err != nil {
			return nil, err
		}
	}
	schema, err := NewSchema(info)
	if err != nil {
		return nil, fmt.Errorf("the P4Info this agent was built with: %w", err)
	}
	pipeline, why, err := openPipeline(info, o.StateDir)
	if err != nil {
		return nil, err
	}
	if why != "" {
		o.Log.Warn("the kept pipeline config does not count, a controller must commit one", "reason", why)
	}
	cookies, err := openCookies(durable.OS{}, o.StateDir, func(format string, args ...any) { o.Log.Error(fmt.Sprintf(format, args...)) })
	if err != nil {
		return nil, err
	}
	s := &Server{
		deviceID: o.DeviceID, schema: schema, tables: o.Tables, packets: o.Packets, log: o.Log,
		pipeline: pipeline, cookies: cookies, reads: make(chan struct{}, maxReads), turns: make(chan struct{}, maxTurns), closing: make(chan struct{}),
	}
	s.arbitration = newArbitration(o.DeviceID, &s.writes)
	return s, nil
}

// Close ends all streams and waits until nothing reads from them.
func (s *Server) Close() {
	s.closeOnce.Do(func() { close(s.closing) })
	s.receivers.Wait()
}

// Sessions counts the streams of controllers, and says whether one of them is primary.
func (s *Server) Sessions() (controllers int, primary bool) { return s.arbitration.sessions() }

// Capabilities names the version of the protocol.
func (s *Server) Capabilities(context.Context, *p4.CapabilitiesRequest) (*p4.CapabilitiesResponse, error) {
	return &p4.CapabilitiesResponse{P4RuntimeApiVersion: APIVersion}, nil
}

// SetForwardingPipelineConfig checks a config against the P4Info of this agent and commits it.
func (s *Server) SetForwardingPipelineConfig(_ context.Context, r *p4.SetForwardingPipelineConfigRequest) (*p4.SetForwardingPipelineConfigResponse, error) {
	if err := s.authorize(r); err != nil {
		return nil, err
	}
	s.writes.Lock()
	defer s.writes.Unlock()
	if err := s.authorize(r); err != nil {
		return nil, err
	}
	if err := s.pipeline.set(r.GetAction(), r.GetConfig()); err != nil {
		return nil, canonical.Error(err)
	}
	s.log.Info("pipeline config", "action", r.GetAction().String(), "cookie", r.GetConfig().GetCookie().GetCookie())
	return &p4.SetForwardingPipelineConfigResponse{}, nil
}

// GetForwardingPipelineConfig returns the committed config, or none. Its P4Info is this node's where the controller's has
// tables, actions or sizes that this node does not.
func (s *Server) GetForwardingPipelineConfig(_ context.Context, r *p4.GetForwardingPipelineConfigRequest) (*p4.GetForwardingPipelineConfigResponse, error) {
	if r.GetDeviceId() != s.deviceID {
		return nil, unknownDevice(r.GetDeviceId(), s.deviceID)
	}
	config := s.pipeline.current()
	if config == nil {
		return &p4.GetForwardingPipelineConfigResponse{}, nil
	}
	answer := &p4.ForwardingPipelineConfig{Cookie: config.GetCookie()}
	switch r.GetResponseType() {
	case p4.GetForwardingPipelineConfigRequest_ALL:
		answer.P4Info, answer.P4DeviceConfig = s.pipeline.told(config.GetP4Info()), config.GetP4DeviceConfig()
	case p4.GetForwardingPipelineConfigRequest_COOKIE_ONLY:
	case p4.GetForwardingPipelineConfigRequest_P4INFO_AND_COOKIE:
		answer.P4Info = s.pipeline.told(config.GetP4Info())
	case p4.GetForwardingPipelineConfigRequest_DEVICE_CONFIG_AND_COOKIE:
		answer.P4DeviceConfig = config.GetP4DeviceConfig()
	default:
		return nil, status.Errorf(codes.InvalidArgument, "response_type %v is unknown", r.GetResponseType())
	}
	return &p4.GetForwardingPipelineConfigResponse{Config: answer}, nil
}

// changing has the common fields of the two RPCs that change something.
type changing interface {
	GetDeviceId() uint64
	GetRole() string
	GetElectionId() *p4.Uint128
}

// authorize runs the checks of a change in the order the protocol gives.
func (s *Server) authorize(r changing) error {
	switch {
	case r.GetDeviceId() != s.deviceID:
		return unknownDevice(r.GetDeviceId(), s.deviceID)
	case r.GetRole() != "":
		return unknownRole(r.GetRole())
	case !s.arbitration.isPrimary(newElectionID(r.GetElectionId())):
		return status.Errorf(codes.PermissionDenied, "election id %s is not the primary's; become primary on a StreamChannel first",
			newElectionID(r.GetElectionId()))
	}
	return nil
}

func unknownRole(role string) error {
	return status.Errorf(codes.NotFound, "role %q is not served, only the default role is; leave role unset", role)
}

func errNoPipeline() error {
	return contract.Errorf(contract.FailedPrecondition, "no pipeline config is committed; send SetForwardingPipelineConfig first")
}
