// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/upf"
)

// victim is an SMF with a session whose downlink leads to gnb.
func victim(w *world) (*smf, uint64) {
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	s.modify(seid, handover(gnb, 2))
	return s, seid
}

// unharmed checks that the victim's session still leads where its SMF directed it, and that the SMF is still served.
func (w *world) unharmed(s *smf, seid uint64) {
	w.t.Helper()
	if got := w.only("mbb"); got.Downlink == nil || got.Downlink.Endpoint.String() != gnb || got.Downlink.TEID != 2 {
		w.t.Errorf("the session became %+v", got)
	}
	w.start() // also after a restart from the journal
	if got := w.only("mbb"); got.Downlink == nil || got.Downlink.Endpoint.String() != gnb {
		w.t.Errorf("after a restart the session is %+v", got)
	}
	s.modify(seid, handover(gnb2, 3))
}

// setupCause asks for an association as any node, and gives the cause of the answer.
func (s *smf) setupCause(node *ie.IE, extra ...*ie.IE) uint8 {
	s.w.t.Helper()
	all := append([]*ie.IE{node, ie.NewRecoveryTimeStamp(s.recovery)}, extra...)
	r, is := s.send(message.NewAssociationSetupRequest(s.next(), all...)).(*message.AssociationSetupResponse)
	if !is {
		s.w.t.Fatalf("the answer is %v", r)
	}
	return cause(s.w.t, r.Cause)
}

func TestAnotherSenderNeitherEndsNorMovesSessions(t *testing.T) {
	for name, attack := range map[string]func(w *world, s, other *smf, seid uint64){
		"deletion": func(_ *world, _, other *smf, seid uint64) {
			other.refused(other.deletion(seid), ie.CauseSessionContextNotFound, 0)
		},
		"modification": func(_ *world, _, other *smf, seid uint64) {
			other.refused(other.modification(seid, handover("192.0.2.66", 66)), ie.CauseSessionContextNotFound, 0)
		},
		"modification that renames the session's other end": func(_ *world, _, other *smf, seid uint64) {
			other.refused(other.modification(seid, ie.NewFSEID(9, net.ParseIP("10.0.0.66").To4(), nil)), ie.CauseSessionContextNotFound, 0)
		},
		"setup": func(w *world, s, other *smf, _ uint64) {
			other.recovery = w.now
			if got := other.setupCause(s.node()); got != ie.CauseRequestRejected {
				w.t.Errorf("cause %d", got)
			}
		},
		"release": func(w *world, s, other *smf, _ uint64) {
			own := len(w.m.Status().Associations) == 2 // then it is that one which ends
			r := other.send(message.NewAssociationReleaseRequest(other.next(), s.node())).(*message.AssociationReleaseResponse)
			if got := cause(w.t, r.Cause); (got == ie.CauseRequestAccepted) != own {
				w.t.Errorf("cause %d", got)
			}
		},
		"update": func(w *world, s, other *smf, _ uint64) {
			r := other.send(message.NewAssociationUpdateRequest(other.next(), s.node(), ie.NewAlternativeSMFIPAddress(net.ParseIP("10.0.0.66").To4(), nil))).(*message.AssociationUpdateResponse)
			if got := cause(w.t, r.Cause); got != ie.CauseNoEstablishedPFCPAssociation {
				w.t.Errorf("cause %d", got)
			}
		},
		"establishment in the name of the other SMF": func(w *world, s, other *smf, _ uint64) {
			m := other.establishment(9, parts(9, "10.60.0.9")...)
			m.NodeID = s.node()
			other.refused(m, ie.CauseNoEstablishedPFCPAssociation, 0)
		},
		"heartbeats of another life": func(w *world, _, other *smf, _ uint64) {
			w.m.Receive(w.now, other.peer, bytesOf(w.t, message.NewHeartbeatRequest(7, ie.NewRecoveryTimeStamp(w.now), nil)))
			for i := range uint32(50) {
				w.m.Receive(w.now, other.peer, bytesOf(w.t, message.NewHeartbeatResponse(i, ie.NewRecoveryTimeStamp(w.now))))
			}
			w.settle()
		},
	} {
		for _, associated := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, associated %t", name, associated), func(t *testing.T) {
				w := newWorld(t)
				s, seid := victim(w)
				other := w.smf("10.0.0.66")
				other.sequence = 1000
				if associated {
					other.associate()
				}
				attack(w, s, other, seid)
				w.unharmed(s, seid)
			})
		}
	}
}

func TestAnSMFMaySpeakFromTheAddressesThatItNames(t *testing.T) {
	w := newWorld(t)
	s, seid := victim(w)
	// An address of its CP F-SEID.
	s.modify(seid, ie.NewFSEID(1, net.ParseIP("10.0.0.10").To4(), nil))
	entity := w.smf("10.0.0.10")
	entity.sequence = 2000
	entity.modify(seid, handover(gnb2, 3))
	// An alternative address of the association (TS 29.244, 5.22).
	alternative := w.smf("10.0.0.11")
	alternative.sequence = 3000
	alternative.refused(alternative.modification(seid, handover(gnb, 4)), ie.CauseSessionContextNotFound, 0)
	r := s.send(message.NewAssociationUpdateRequest(s.next(), s.node(), ie.NewAlternativeSMFIPAddress(net.ParseIP("10.0.0.11").To4(), nil))).(*message.AssociationUpdateResponse)
	if got := cause(t, r.Cause); got != ie.CauseRequestAccepted {
		t.Fatalf("update: cause %d", got)
	}
	w.start() // the sender that it named is remembered
	alternative.modify(seid, handover(gnb, 4))
	alternative.delete(seid)
}

func TestSetupCostsTheSameWithManySessions(t *testing.T) {
	w := newWorld(t)
	s, _ := victim(w)
	other := w.smf("10.0.0.20")
	setup := func() time.Duration {
		best := time.Hour
		for range 20 {
			b := bytesOf(t, message.NewAssociationSetupRequest(other.next(), other.node(), ie.NewRecoveryTimeStamp(other.recovery)))
			before := time.Now()
			w.m.Receive(w.now, other.peer, b)
			best = min(best, time.Since(before))
			w.settle()
		}
		return best
	}
	few := setup()
	for i := range uint32(4_000) {
		m := s.establishment(uint64(i)+2, parts(i+2, netip.AddrFrom4([4]byte{10, 61, byte(i >> 8), byte(i)}).String())...)
		w.m.Receive(w.now, s.peer, bytesOf(t, m))
		if i%1000 == 999 {
			w.settle()
		}
	}
	if got := w.m.Status().Sessions.All; got != 4_001 {
		t.Fatalf("%d sessions", got)
	}
	many := setup()
	t.Logf("an Association Setup takes %v with 1 session, %v with 4,001", few, many)
	if many > 10*few+200*time.Microsecond {
		t.Errorf("an Association Setup takes %v with 1 session, %v with 4,001", few, many)
	}
	// The one that ends them all, too: they leave afterwards, a few at a time.
	w.m.Receive(w.now, s.peer, bytesOf(t, message.NewAssociationSetupRequest(s.next(), s.node(), ie.NewRecoveryTimeStamp(w.now))))
	before := len(w.journal)
	if w.take(); len(w.journal) != before+1 || !w.m.Winding() {
		t.Errorf("an Association Setup that ends 4,001 sessions makes %d records at once, want its own", len(w.journal)-before)
	}
	w.settle()
	if got := w.m.Status().Sessions.All; got != 0 || len(w.fabric["mbb"]) != 0 {
		t.Errorf("%d sessions are left, %d in the fabric", got, len(w.fabric["mbb"]))
	}
}

func TestSetupsOfOneSenderDoNotFillTheTable(t *testing.T) {
	w := newWorld(t)
	other := w.smf("10.0.0.66")
	refused := 0
	for i := range 1100 {
		switch got := other.setupCause(ie.NewNodeID("", "", fmt.Sprintf("smf%d.example", i))); got {
		case ie.CauseRequestAccepted:
		case ie.CauseNoResourcesAvailable:
			refused++
		default:
			t.Fatalf("cause %d", got)
		}
	}
	if refused < 1000 {
		t.Errorf("%d of 1100 setups of one sender are refused", refused)
	}
	victim(w)
}

func TestAnEndedLifeIsOverAfterADeathAtAnyMoment(t *testing.T) {
	w := newWorld(t)
	s, seid := victim(w)
	s.recovery = w.now
	b := bytesOf(t, message.NewAssociationSetupRequest(s.next(), s.node(), ie.NewRecoveryTimeStamp(s.recovery)))
	w.m.Receive(w.now, s.peer, b)
	w.take() // the answer is out, nothing of the sessions is done
	w.start()
	s.refused(s.modification(seid, handover(gnb2, 3)), ie.CauseSessionContextNotFound, 0)
	if len(w.fabric["mbb"]) != 0 {
		t.Errorf("the fabric has %v", w.fabric["mbb"])
	}
	s.establish(1, parts(1, "10.60.0.1")...) // its tunnel is free
}

func TestWithoutAListTheSMFThatComesFirstIsTheOnlyOne(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.SMFs = nil })
	other := w.smf("10.0.0.66")
	heartbeat := message.NewHeartbeatRequest(1, ie.NewRecoveryTimeStamp(began), nil)
	if other.send(heartbeat) == nil {
		t.Error("before an SMF has come a heartbeat is not answered")
	}
	s, seid := victim(w)
	for _, m := range []message.Message{
		heartbeat, other.deletion(seid), other.modification(seid, handover("192.0.2.66", 66)), other.establishment(9, parts(9, "10.60.0.9")...),
		message.NewAssociationSetupRequest(other.next(), other.node(), ie.NewRecoveryTimeStamp(w.now)),
		message.NewAssociationSetupRequest(other.next(), s.node(), ie.NewRecoveryTimeStamp(w.now)),
	} {
		if answer := other.send(m); answer != nil {
			t.Errorf("%s of another address is answered by %v", m.MessageTypeName(), answer)
		}
	}
	if got := w.m.Status(); got.Counters.Strangers != 6 || len(got.Associations) != 1 {
		t.Errorf("%d messages of strangers, want 6; associations %v", got.Counters.Strangers, got.Associations)
	}
	notes := 0
	for _, n := range w.notes {
		if n.Text == "dropped a message: its sender may not speak" {
			notes++
		}
	}
	if notes != 1 {
		t.Errorf("strangers are noted %d times within a minute", notes)
	}
	w.unharmed(s, seid) // and after a restart, too
	if answer := other.send(heartbeat); answer != nil {
		t.Errorf("after a restart: %v", answer)
	}
	s.send(message.NewAssociationReleaseRequest(s.next(), s.node()))
	other.associate() // the place is free
}

func TestOnlyNamedSMFsSpeak(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.SMFs = []netip.Prefix{netip.MustParsePrefix("10.0.0.9/32")} })
	other := w.smf("10.0.0.66")
	if answer := other.send(message.NewAssociationSetupRequest(1, other.node(), ie.NewRecoveryTimeStamp(w.now))); answer != nil {
		t.Errorf("an address that is not named is answered by %v", answer)
	}
	s, seid := victim(w)
	if answer := other.send(other.deletion(seid)); answer != nil {
		t.Errorf("an address that is not named is answered by %v", answer)
	}
	w.unharmed(s, seid)
}

func TestANodeIDThatIsAnAddressIsThatAddressesOwn(t *testing.T) {
	w := newWorld(t)
	other := w.smf("10.0.0.66")
	if got := other.setupCause(ie.NewNodeID("10.0.0.9", "", "")); got != ie.CauseRequestAccepted {
		t.Fatalf("cause %d", got) // so an SMF behind a translation of addresses is served
	}
	s, seid := victim(w) // and the address itself is not locked out
	if got := other.setupCause(s.node()); got != ie.CauseRequestRejected {
		t.Errorf("cause %d", got)
	}
	w.unharmed(s, seid)
}

func TestANodeIDIsFreeOnceItsSMFHasBeenSilentForTheLease(t *testing.T) {
	w := newWorld(t)
	name := ie.NewNodeID("", "", "smf.example")
	s, moved := w.smf("10.0.0.9"), w.smf("10.0.0.10")
	if got := s.setupCause(name); got != ie.CauseRequestAccepted {
		t.Fatalf("cause %d", got)
	}
	if got := moved.setupCause(name); got != ie.CauseRequestRejected {
		t.Errorf("cause %d", got)
	}
	w.pass(2 * time.Minute)
	if got := moved.setupCause(name); got != ie.CauseRequestAccepted {
		t.Errorf("cause %d", got)
	}
}

// TS 29.244, 5.22.3: another SMF of the set takes over with a modification that has its Node ID and CP F-SEID.
func TestAnSMFOfTheSetTakesASessionOver(t *testing.T) {
	for _, tc := range []struct {
		name  string
		smfs  []string
		first []*ie.IE
		takes bool
	}{
		{"the set of SMFs that are named one by one", []string{"10.0.0.9/32", "10.0.0.10/32"}, []*ie.IE{ie.NewSMFSetID("set1.example")}, true},
		{"another set", []string{"10.0.0.9/32", "10.0.0.10/32"}, []*ie.IE{ie.NewSMFSetID("set2.example")}, false},
		{"a set that any address of a prefix could name", []string{"10.0.0.0/24"}, []*ie.IE{ie.NewSMFSetID("set1.example")}, false},
		{"an alternative address", []string{"10.0.0.0/24"}, []*ie.IE{ie.NewAlternativeSMFIPAddress(net.ParseIP("10.0.0.10").To4(), nil)}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, func(c *upf.Config) {
				c.SMFs = nil
				for _, p := range tc.smfs {
					c.SMFs = append(c.SMFs, netip.MustParsePrefix(p))
				}
			})
			s, second := w.smf("10.0.0.9"), w.smf("10.0.0.10")
			s.associate(tc.first...)
			second.associate(ie.NewSMFSetID("set1.example"))
			seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
			takes := second.modification(seid, second.node(), ie.NewFSEID(77, second.peer.Addr().AsSlice(), nil), handover(gnb, 2))
			if !tc.takes {
				second.refused(takes, ie.CauseSessionContextNotFound, 0)
				return
			}
			r, is := second.send(takes).(*message.SessionModificationResponse)
			if !is || cause(t, r.Cause) != ie.CauseRequestAccepted || r.SEID() != 77 {
				t.Fatalf("got %v; %v", r, w.notes[len(w.notes)-1])
			}
			// The session is the other's now: the end of the first association does not end it.
			s.send(message.NewAssociationReleaseRequest(s.next(), s.node()))
			w.settle()
			w.start()
			if got := w.only("mbb"); got.Downlink == nil {
				t.Errorf("the session is %+v", got)
			}
			second.delete(seid)
		})
	}
}
