// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"testing"
	"time"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/contract/p4info"
	"sextant/agent/internal/loopback"
)

const testDevice = 7

// patience is how long a test waits for something that must happen.
const patience = 10 * time.Second

// node is a server over a remembering data plane, reached by a real connection on loopback.
type node struct {
	t       *testing.T
	backend *memory.Backend
	rpc     p4.P4RuntimeClient
	server  *Server
	address string
}

func testPorts() []contract.Port {
	return []contract.Port{{ID: 1, Name: "eth1", Enabled: true, Up: true}, {ID: 2, Name: "eth2", Enabled: true, Up: true}}
}

// startNode starts a node that keeps its state in dir ("" for none).
func startNode(t *testing.T, dir string) *node {
	t.Helper()
	return serve(t, memory.New(testPorts()...), dir)
}

func serve(t *testing.T, backend *memory.Backend, dir string) *node {
	t.Helper()
	s, err := New(Options{DeviceID: testDevice, Tables: backend, Packets: backend, StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	g := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	p4.RegisterP4RuntimeServer(g, s)
	conn := loopback.Serve(t, g, s)
	return &node{t: t, backend: backend, rpc: p4.NewP4RuntimeClient(conn), server: s, address: conn.Target()}
}

// another reaches the same node by another connection.
func (n *node) another() *node {
	n.t.Helper()
	conn, err := grpc.NewClient(n.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { _ = conn.Close() })
	other := *n
	other.rpc = p4.NewP4RuntimeClient(conn)
	return &other
}

// session is a client with an open stream.
type session struct {
	node     *node
	election *p4.Uint128
	stream   p4.P4Runtime_StreamChannelClient
	end      context.CancelFunc
	// messages ends with the stream; then broken has how it ended.
	messages chan *p4.StreamMessageResponse
	broken   chan error
}

// connect opens a stream without sending anything.
func (n *node) connect() *session {
	n.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stream, err := n.rpc.StreamChannel(ctx)
	if err != nil {
		n.t.Fatal(err)
	}
	s := &session{node: n, stream: stream, end: cancel, messages: make(chan *p4.StreamMessageResponse, 4096), broken: make(chan error, 1)}
	go func() {
		for {
			m, err := stream.Recv()
			if err != nil {
				s.broken <- err
				close(s.messages)
				return
			}
			s.messages <- m
		}
	}()
	n.t.Cleanup(cancel)
	return s
}

func (s *session) send(m *p4.StreamMessageRequest) {
	s.node.t.Helper()
	if err := s.stream.Send(m); err != nil && !errors.Is(err, io.EOF) {
		s.node.t.Fatal(err)
	}
}

func (s *session) arbitrate(u *p4.MasterArbitrationUpdate) {
	s.node.t.Helper()
	s.election = u.GetElectionId()
	s.send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Arbitration{Arbitration: u}})
}

func (s *session) claim(id uint64) {
	s.node.t.Helper()
	s.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice, ElectionId: &p4.Uint128{Low: id}})
}

// next is the next message of the stream.
func (s *session) next() *p4.StreamMessageResponse {
	s.node.t.Helper()
	select {
	case m, open := <-s.messages:
		if !open {
			s.node.t.Fatalf("the stream broke: %v", <-s.broken)
		}
		return m
	case <-time.After(patience):
		s.node.t.Fatalf("no message within %v", patience)
	}
	return nil
}

// hears expects an arbitration notification: its status and the highest election id.
func (s *session) hears(code codes.Code, highest uint64) {
	s.node.t.Helper()
	u := s.next().GetArbitration()
	if u == nil || codes.Code(u.GetStatus().GetCode()) != code || u.GetElectionId().GetLow() != highest || u.GetDeviceId() != testDevice {
		s.node.t.Errorf("heard %v, want status %v and election id %d", u, code, highest)
	}
}

// breaks expects the server to end the stream.
func (s *session) breaks(code codes.Code) {
	s.node.t.Helper()
	select {
	case err := <-s.broken:
		if status.Code(err) != code {
			s.node.t.Errorf("the stream ended with %v, want %v", err, code)
		}
	case <-time.After(patience):
		s.node.t.Fatalf("the stream did not end within %v", patience)
	}
}

// primary is a session that is primary with election id 1 and has committed the pipeline config.
func (n *node) primary() *session {
	n.t.Helper()
	s := n.connect()
	s.claim(1)
	s.hears(codes.OK, 1)
	if err := s.commit(1); err != nil {
		n.t.Fatal(err)
	}
	return s
}

func (s *session) commit(cookie uint64) error {
	return s.setPipeline(p4.SetForwardingPipelineConfigRequest_VERIFY_AND_COMMIT, config(s.node.t, cookie))
}

func (s *session) setPipeline(action p4.SetForwardingPipelineConfigRequest_Action, c *p4.ForwardingPipelineConfig) error {
	_, err := s.node.rpc.SetForwardingPipelineConfig(context.Background(), &p4.SetForwardingPipelineConfigRequest{
		DeviceId: testDevice, ElectionId: s.election, Action: action, Config: c,
	})
	return err
}

func config(t *testing.T, cookie uint64) *p4.ForwardingPipelineConfig {
	t.Helper()
	info, err := p4info.Message()
	if err != nil {
		t.Fatal(err)
	}
	return &p4.ForwardingPipelineConfig{P4Info: info, Cookie: &p4.ForwardingPipelineConfig_Cookie{Cookie: cookie}}
}

func (s *session) write(updates ...*p4.Update) error {
	_, err := s.node.rpc.Write(context.Background(), &p4.WriteRequest{DeviceId: testDevice, ElectionId: s.election, Updates: updates})
	return err
}

func (s *session) mustWrite(updates ...*p4.Update) {
	s.node.t.Helper()
	if err := s.write(updates...); err != nil {
		s.node.t.Fatal(describe(err))
	}
}

// read returns the entities of a read and its error.
func (n *node) read(requests ...*p4.Entity) ([]*p4.Entity, error) {
	stream, err := n.rpc.Read(context.Background(), &p4.ReadRequest{DeviceId: testDevice, Entities: requests})
	if err != nil {
		return nil, err
	}
	var all []*p4.Entity
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, r.GetEntities()...)
	}
}

// details are the p4.v1.Error messages of a batch's status.
func details(err error) []*p4.Error {
	var out []*p4.Error
	for _, d := range status.Convert(err).Details() {
		if e, ok := d.(*p4.Error); ok {
			out = append(out, e)
		}
	}
	return out
}

func describe(err error) string {
	text := err.Error()
	for _, d := range details(err) {
		text += "\n  " + codes.Code(d.GetCanonicalCode()).String() + " " + d.GetMessage()
	}
	return text
}

func schema(t testing.TB) *Schema {
	t.Helper()
	info, err := p4info.Message()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSchema(info)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func insert(te *p4.TableEntry) *p4.Update { return update(p4.Update_INSERT, te) }

func update(typ p4.Update_Type, te *p4.TableEntry) *p4.Update {
	return &p4.Update{Type: typ, Entity: entity(te)}
}

func entity(te *p4.TableEntry) *p4.Entity {
	return &p4.Entity{Entity: &p4.Entity_TableEntry{TableEntry: te}}
}

// encode is the message of an entry; the round trip tests prove it right against literals.
func encode(t testing.TB, e contract.Entry) *p4.TableEntry {
	t.Helper()
	te, err := schema(t).Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return te
}

func addr(s string) netip.Addr     { return netip.MustParseAddr(s) }
func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }

func un(sid string) contract.MySID {
	return contract.MySID{SID: prefix(sid), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}}
}
