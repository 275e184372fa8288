// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"maps"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

const (
	n3   = "198.51.100.1"
	gnb  = "192.0.2.1"
	gnb2 = "192.0.2.2"
)

var began = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// world is a machine with a controller that keeps to the contract, a journal and a clock that a test moves.
type world struct {
	t       *testing.T
	config  upf.Config
	m       *upf.Machine
	now     time.Time
	journal []upf.Record
	sent    []upf.Send
	notes   []upf.Note
	markers []upf.EndMarker

	slices  []fabric.Slice
	fabric  map[string]map[string]fabric.Session // by slice and id
	away    bool
	refuse  func(fabric.Change) *fabric.Outcome
	asked   []upf.Batch
	stuck   map[string]bool // slices whose batches do not come back
	slow    map[string]bool // of these, those whose batches are stored nevertheless
	flying  []upf.Batch
	patches int
}

func newWorld(t *testing.T, change ...func(*upf.Config)) *world {
	t.Helper()
	w := &world{
		t: t, now: began, fabric: map[string]map[string]fabric.Session{}, stuck: map[string]bool{}, slow: map[string]bool{},
		config: upf.Config{Address: netip.MustParseAddr("10.0.0.4"), FirstSEID: 100, FirstTEID: 1000, SMFs: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24")}},
		slices: []fabric.Slice{anchored("mbb", nil, "internet"), anchored("urllc", &fabric.SNSSAI{SST: 2, SD: "000001"})},
	}
	w.config.Rules = []upf.SliceRule{{Slice: "mbb", Default: true}, {Slice: "mbb", DNN: "internet"}}
	for _, c := range change {
		c(&w.config)
	}
	w.start()
	return w
}

func anchored(name string, snssai *fabric.SNSSAI, dnns ...string) fabric.Slice {
	s := fabric.Slice{Name: name, SNSSAI: snssai, DNNs: dnns}
	s.Core.Anchor, s.Core.UPFs = "u1", []string{n3}
	return s
}

// start makes a machine of the journal, and has it look at the controller.
func (w *world) start() {
	w.t.Helper()
	w.m = upf.New(w.now, w.config, w.journal, pfcp.Recovery(w.now.Unix()))
	w.journal = w.m.Snapshot()
	w.look()
}

func (w *world) look() {
	if w.away {
		return
	}
	for _, s := range w.slices {
		w.m.Reconcile(w.now, s.Name, slices.Collect(maps.Values(w.fabric[s.Name])))
	}
	w.m.Reconciled(w.now)
	w.m.Learn(w.now, w.slices)
	w.settle()
}

// settle carries out the machine's requests until there is none.
func (w *world) settle() {
	for range 1000 {
		w.m.Wind(w.now)
		w.take()
		batches := w.m.Next(w.now)
		if len(batches) == 0 && !w.m.Winding() {
			return
		}
		for _, b := range batches {
			if w.slow[b.Slice] { // stored at once, and answered later
				w.apply(b)
			}
			if w.stuck[b.Slice] {
				w.flying = append(w.flying, b)
				continue
			}
			w.asked = append(w.asked, b)
			w.m.Settle(w.now, b.Slice, w.apply(b))
		}
	}
	w.t.Fatal("the machine never has enough")
}

func (w *world) take() {
	e := w.m.Take()
	w.journal = append(w.journal, e.Records...)
	w.sent = append(w.sent, e.Sends...)
	w.notes = append(w.notes, e.Notes...)
	w.markers = append(w.markers, e.EndMarkers...)
	for _, d := range e.Doubts {
		found := map[string]*fabric.Session{}
		for _, id := range d.IDs {
			if s, there := w.fabric[d.Slice][id]; there {
				found[id] = &s
			} else {
				found[id] = nil
			}
		}
		if !w.away {
			w.m.Seen(w.now, d.Slice, found)
			w.take()
		}
	}
	if e.WantsSlices && !w.away {
		w.m.Learn(w.now, w.slices)
		w.take()
	}
}

func (w *world) apply(b upf.Batch) []fabric.Outcome {
	out := make([]fabric.Outcome, len(b.Changes))
	if w.fabric[b.Slice] == nil {
		w.fabric[b.Slice] = map[string]fabric.Session{}
	}
	for _, c := range b.Changes { // deletions go first
		if c.Want == nil && !w.away {
			delete(w.fabric[b.Slice], c.ID)
		}
	}
	for i, c := range b.Changes {
		switch {
		case w.away:
			out[i] = fabric.Outcome{Verdict: fabric.Unreachable, Text: "connection refused"}
		case c.Want == nil:
		case w.taken(*c.Want):
			out[i] = fabric.Outcome{Verdict: fabric.Refused, Status: 409, Field: "/uplink", Text: "is another's"}
		case w.refuse != nil && w.refuse(c) != nil:
			out[i] = *w.refuse(c)
		default:
			if c.Before != nil {
				w.patches++
			}
			w.fabric[b.Slice][c.ID] = *c.Want
		}
	}
	return out
}

// unstick lets batches come back.
func (w *world) unstick() {
	w.stuck = map[string]bool{}
	for _, b := range w.flying {
		w.m.Settle(w.now, b.Slice, w.apply(b))
	}
	w.flying = nil
	w.settle()
}

func (w *world) taken(s fabric.Session) bool {
	for _, in := range w.fabric {
		for id, o := range in {
			if id != s.ID && o.Uplink == s.Uplink {
				return true
			}
		}
	}
	return false
}

// pass lets time go by, second by second.
func (w *world) pass(d time.Duration) {
	for end := w.now.Add(d); w.now.Before(end); {
		w.now = w.now.Add(time.Second)
		w.m.Tick(w.now)
		w.settle()
	}
}

// only gives the one session of a slice.
func (w *world) only(slice string) fabric.Session {
	w.t.Helper()
	if len(w.fabric[slice]) != 1 {
		w.t.Fatalf("slice %s has %d sessions, want 1: %v", slice, len(w.fabric[slice]), w.fabric)
	}
	for _, s := range w.fabric[slice] {
		return s
	}
	panic("unreachable")
}

// smf is a peer: go-pfcp makes its messages and reads the answers.
type smf struct {
	w        *world
	peer     netip.AddrPort
	sequence uint32
	recovery time.Time
}

func (w *world) smf(address string) *smf {
	return &smf{w: w, peer: netip.MustParseAddrPort(address + ":8805"), recovery: began.Add(-time.Hour)}
}

func (s *smf) next() uint32 {
	s.sequence++
	return s.sequence
}

func bytesOf(t *testing.T, m message.Message) []byte {
	t.Helper()
	b := make([]byte, m.MarshalLen())
	if err := m.MarshalTo(b); err != nil {
		t.Fatal(err)
	}
	return b
}

// send gives the answer, nil: there is none yet.
func (s *smf) send(m message.Message) message.Message {
	s.w.t.Helper()
	return s.sendBytes(bytesOf(s.w.t, m))
}

func (s *smf) sendBytes(b []byte) message.Message {
	s.w.t.Helper()
	before := len(s.w.sent)
	s.w.m.Receive(s.w.now, s.peer, b)
	s.w.settle()
	return s.answer(before)
}

func (s *smf) answer(after int) message.Message {
	s.w.t.Helper()
	for _, out := range s.w.sent[after:] {
		if out.To != s.peer {
			continue
		}
		m, err := message.Parse(out.Bytes)
		if err != nil {
			s.w.t.Fatal(err)
		}
		if m.MessageType() != message.MsgTypeHeartbeatRequest {
			return m
		}
	}
	return nil
}

func (s *smf) node() *ie.IE { return ie.NewNodeID(s.peer.Addr().String(), "", "") }

func (s *smf) associate(extra ...*ie.IE) *message.AssociationSetupResponse {
	s.w.t.Helper()
	parts := append([]*ie.IE{s.node(), ie.NewRecoveryTimeStamp(s.recovery)}, extra...)
	r, is := s.send(message.NewAssociationSetupRequest(s.next(), parts...)).(*message.AssociationSetupResponse)
	if !is || cause(s.w.t, r.Cause) != ie.CauseRequestAccepted {
		s.w.t.Fatalf("association: %v", r)
	}
	return r
}

func cause(t *testing.T, i *ie.IE) uint8 {
	t.Helper()
	if i == nil {
		t.Fatal("an answer without a cause")
	}
	c, err := i.Cause()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Parts of a session: uplink PDR 1 with FAR 1, downlink PDR 2 with FAR 2, QER 1.
func uplinkPDR(fteid *ie.IE, more ...*ie.IE) *ie.IE {
	pdi := ie.NewPDI(append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceAccess), fteid}, more...)...)
	return ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(100), pdi, ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1), ie.NewQERID(1))
}

func tunnel(teid uint32) *ie.IE { return ie.NewFTEID(1, teid, net.ParseIP(n3), nil, 0) }

func choose() *ie.IE { return ie.NewFTEID(1|4, 0, nil, nil, 0) }

func downlinkPDR(ue string, more ...*ie.IE) *ie.IE {
	pdi := ie.NewPDI(append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewUEIPAddress(2|4, ue, "", 0, 0)}, more...)...)
	return ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100), pdi, ie.NewFARID(2), ie.NewQERID(1))
}

func uplinkFAR(action uint8) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(1), ie.NewApplyAction(action), ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceCore)))
}

func downlinkFAR(action uint8, more ...*ie.IE) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(2), ie.NewApplyAction(action),
		ie.NewForwardingParameters(append([]*ie.IE{ie.NewDestinationInterface(ie.DstInterfaceAccess)}, more...)...))
}

func outer(address string, teid uint32) *ie.IE {
	return ie.NewOuterHeaderCreation(0x0100, teid, address, "", 0, 0, 0)
}

func qer(qfi uint8, more ...*ie.IE) *ie.IE {
	return ie.NewCreateQER(append([]*ie.IE{ie.NewQERID(1), ie.NewGateStatus(0, 0), ie.NewQFI(qfi)}, more...)...)
}

const drop, forward, buffer = 1, 2, 4

// parts are those of an ordinary session, whose gNB is not known yet.
func parts(teid uint32, ue string) []*ie.IE {
	return []*ie.IE{uplinkPDR(tunnel(teid)), downlinkPDR(ue), uplinkFAR(forward), downlinkFAR(drop), qer(9)}
}

func (s *smf) establishment(seid uint64, parts ...*ie.IE) *message.SessionEstablishmentRequest {
	all := append([]*ie.IE{s.node(), ie.NewFSEID(seid, s.peer.Addr().AsSlice(), nil)}, parts...)
	return message.NewSessionEstablishmentRequest(0, 0, 0, s.next(), 0, all...)
}

// establish wants success, and gives the UPF's SEID and the answer.
func (s *smf) establish(seid uint64, parts ...*ie.IE) (uint64, *message.SessionEstablishmentResponse) {
	s.w.t.Helper()
	r, is := s.send(s.establishment(seid, parts...)).(*message.SessionEstablishmentResponse)
	if !is || cause(s.w.t, r.Cause) != ie.CauseRequestAccepted {
		s.w.t.Fatalf("establishment: %v; %v", r, s.w.notes[max(0, len(s.w.notes)-2):])
	}
	if r.SEID() != seid {
		s.w.t.Errorf("the answer goes to SEID %d, want %d", r.SEID(), seid)
	}
	f, err := r.UPFSEID.FSEID()
	if err != nil {
		s.w.t.Fatal(err)
	}
	return f.SEID, r
}

// refused wants a cause and an offending IE (0: none).
func (s *smf) refused(m message.Message, wantCause uint8, wantOffending uint16) message.Message {
	s.w.t.Helper()
	answer := s.send(m)
	var c, offending *ie.IE
	switch r := answer.(type) {
	case *message.SessionEstablishmentResponse:
		c, offending = r.Cause, r.OffendingIE
	case *message.SessionModificationResponse:
		c, offending = r.Cause, r.OffendingIE
	case *message.SessionDeletionResponse:
		c, offending = r.Cause, r.OffendingIE
	default:
		s.w.t.Fatalf("answer %T", answer)
	}
	if got := cause(s.w.t, c); got != wantCause {
		s.w.t.Errorf("cause %d, want %d; %v", got, wantCause, s.w.notes[max(0, len(s.w.notes)-1):])
	}
	got := uint16(0)
	if offending != nil {
		got, _ = offending.OffendingIE()
	}
	if got != wantOffending {
		s.w.t.Errorf("offending IE %d, want %d", got, wantOffending)
	}
	return answer
}

func (s *smf) modification(seid uint64, parts ...*ie.IE) *message.SessionModificationRequest {
	return message.NewSessionModificationRequest(0, 0, seid, s.next(), 0, parts...)
}

func (s *smf) modify(seid uint64, parts ...*ie.IE) *message.SessionModificationResponse {
	s.w.t.Helper()
	r, is := s.send(s.modification(seid, parts...)).(*message.SessionModificationResponse)
	if !is || cause(s.w.t, r.Cause) != ie.CauseRequestAccepted {
		s.w.t.Fatalf("modification: %v; %v", r, s.w.notes[max(0, len(s.w.notes)-1):])
	}
	return r
}

// handover names a gNB's end of the tunnel.
func handover(address string, teid uint32, more ...*ie.IE) *ie.IE {
	return ie.NewUpdateFAR(ie.NewFARID(2), ie.NewApplyAction(forward),
		ie.NewUpdateForwardingParameters(append([]*ie.IE{ie.NewDestinationInterface(ie.DstInterfaceAccess), outer(address, teid)}, more...)...))
}

func (s *smf) deletion(seid uint64) *message.SessionDeletionRequest {
	return message.NewSessionDeletionRequest(0, 0, seid, s.next(), 0)
}

func (s *smf) delete(seid uint64) {
	s.w.t.Helper()
	r, is := s.send(s.deletion(seid)).(*message.SessionDeletionResponse)
	if !is || cause(s.w.t, r.Cause) != ie.CauseRequestAccepted {
		s.w.t.Fatalf("deletion: %v", r)
	}
}
