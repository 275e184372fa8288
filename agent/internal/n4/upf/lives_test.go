// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/upf"
)

func TestARequestThatComesAgainIsAnsweredAgainAndNotDoneAgain(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	b := bytesOf(t, s.establishment(1, parts(0x1001, "10.60.0.1")...))
	first := s.sendBytes(b).(*message.SessionEstablishmentResponse)
	again := s.sendBytes(b).(*message.SessionEstablishmentResponse)
	a, _ := first.UPFSEID.FSEID()
	c, _ := again.UPFSEID.FSEID()
	if a.SEID != c.SEID || len(w.asked) != 1 {
		t.Errorf("SEIDs %d and %d, the controller was asked %d times", a.SEID, c.SEID, len(w.asked))
	}
	w.start() // killed, and started again
	third := s.sendBytes(b).(*message.SessionEstablishmentResponse)
	if d, _ := third.UPFSEID.FSEID(); d.SEID != a.SEID {
		t.Errorf("after a restart SEID %d, was %d", d.SEID, a.SEID)
	}
	w.only("mbb")
}

func TestARequestThatComesAgainWhileItIsBeingDoneWaits(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	w.stuck["mbb"] = true
	b := bytesOf(t, s.establishment(1, parts(1, "10.60.0.1")...))
	for range 3 {
		if m := s.sendBytes(b); m != nil {
			t.Errorf("answered by %v before the controller did", m)
		}
	}
	if got := w.m.Status().Sessions.All; got != 1 {
		t.Errorf("%d sessions, want 1", got)
	}
}

func TestSequenceNumbersOfAnotherLifeAreOtherRequests(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	for life := range 3 {
		s.sequence, s.recovery = 0, began.Add(time.Duration(life)*time.Second)
		s.associate()
		s.establish(1, parts(1, "10.60.0.1")...) // the same bytes in each life
		w.only("mbb")
	}
	if got := w.m.Status().Counters.Established; got != 3 {
		t.Errorf("%d sessions were established, want 3", got)
	}
}

func TestAnSMFThatSetsUpAnewHasNoSessionsUnlessItSaysSo(t *testing.T) {
	w := newWorld(t)
	s, other := w.smf("10.0.0.9"), w.smf("10.0.0.10")
	s.associate()
	other.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	other.establish(1, parts(2, "10.60.0.2")...)
	r := s.associate(ie.NewPFCPSessionRetentionInformation(ie.NewCPPFCPEntityIPAddress(s.peer.Addr().AsSlice(), nil)))
	if r.PFCPASRspFlags == nil || !r.PFCPASRspFlags.HasPSREI() || len(w.fabric["mbb"]) != 2 {
		t.Errorf("sessions were to be retained: flags %v, fabric %v", r.PFCPASRspFlags, w.fabric)
	}
	s.modify(seid, handover(gnb, 3))
	s.recovery = s.recovery.Add(time.Second)
	s.associate()
	if got := w.only("mbb"); got.Uplink.TEID != 2 {
		t.Errorf("left is %+v, want that of the other SMF", got)
	}
	s.refused(s.deletion(seid), ie.CauseSessionContextNotFound, 0)
}

func TestAnAssociationThatIsReleasedTakesItsSessionsAlong(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	// As pfcpsim 1.4.0: its Node ID is none.
	r, is := s.send(message.NewAssociationReleaseRequest(0, ie.NewNodeID("10.0.0.4:8805", "", ""))).(*message.AssociationReleaseResponse)
	if !is || cause(t, r.Cause) != ie.CauseRequestAccepted || len(w.fabric["mbb"]) != 0 {
		t.Errorf("answer %v, fabric %v", r, w.fabric)
	}
	s.refused(s.establishment(2, parts(2, "10.60.0.2")...), ie.CauseNoEstablishedPFCPAssociation, 0)
}

// heartbeats gives the Heartbeat Requests that were sent to the SMF since.
func (s *smf) heartbeats(after int) []*message.HeartbeatRequest {
	var out []*message.HeartbeatRequest
	for _, sent := range s.w.sent[after:] {
		if m, err := message.Parse(sent.Bytes); err == nil && sent.To.Addr() == s.peer.Addr() {
			if h, is := m.(*message.HeartbeatRequest); is {
				out = append(out, h)
			}
		}
	}
	return out
}

func TestAnSMFThatAnswersWithALaterTimeStampHasRestarted(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	before := len(w.sent)
	w.pass(11 * time.Second)
	asked := s.heartbeats(before)
	if len(asked) == 0 {
		t.Fatal("a silent SMF was not asked")
	}
	s.send(message.NewHeartbeatResponse(asked[0].Sequence(), ie.NewRecoveryTimeStamp(s.recovery)))
	w.only("mbb")
	before = len(w.sent)
	// Now it says so itself; before anything ends it is asked.
	s.send(message.NewHeartbeatRequest(s.next(), ie.NewRecoveryTimeStamp(s.recovery.Add(time.Minute)), nil))
	w.only("mbb")
	asked = s.heartbeats(before)
	s.send(message.NewHeartbeatResponse(asked[0].Sequence(), ie.NewRecoveryTimeStamp(s.recovery.Add(time.Minute))))
	if len(w.fabric["mbb"]) != 0 || len(w.m.Status().Associations) != 0 {
		t.Errorf("after a restart of the SMF: %v, %v", w.fabric, w.m.Status().Associations)
	}
}

func TestAnSMFThatWritesThePresentTimeIntoHeartbeatsKeepsItsSessions(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	for range 60 { // pfcpsim: every 5 s, and it answers none of ours
		w.pass(5 * time.Second)
		if m, is := s.send(message.NewHeartbeatRequest(s.next(), ie.NewRecoveryTimeStamp(w.now), nil)).(*message.HeartbeatResponse); !is {
			t.Fatalf("a heartbeat is answered by %v", m)
		}
	}
	w.only("mbb")
}

func TestASilentSMFHasALease(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	w.pass(30 * time.Second)
	if got := w.m.Status().Associations[0].State; got != "lost" {
		t.Errorf("after 30 s of silence the association is %s", got)
	}
	w.only("mbb")
	s.send(message.NewHeartbeatRequest(s.next(), ie.NewRecoveryTimeStamp(s.recovery), nil))
	if got := w.m.Status().Associations[0].State; got != "up" {
		t.Errorf("heard again, the association is %s", got)
	}
	w.pass(2 * time.Minute)
	if len(w.fabric["mbb"]) != 0 || len(w.m.Status().Associations) != 0 {
		t.Errorf("after the lease: %v, %v", w.fabric, w.m.Status().Associations)
	}
}

func TestTheRecoveryTimeStampChangesOnlyWithTheMemory(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	stamp := func() time.Time {
		m := s.send(message.NewHeartbeatRequest(s.next(), ie.NewRecoveryTimeStamp(s.recovery), nil)).(*message.HeartbeatResponse)
		at, err := m.RecoveryTimeStamp.RecoveryTimeStamp()
		if err != nil {
			t.Fatal(err)
		}
		return at.UTC()
	}
	w.now = w.now.Add(time.Hour)
	w.start()
	if got := stamp(); got != began {
		t.Errorf("with its journal: %v, want %v", got, began)
	}
	w.journal = nil
	w.start()
	if got := stamp(); got != began.Add(time.Hour) {
		t.Errorf("without its journal: %v, want now", got)
	}
}

func TestAControllerThatIsAwayIsWaitedForAndNothingIsLeftOfWhatFailed(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	w.away = true
	before := len(w.sent)
	if m := s.send(s.establishment(1, parts(1, "10.60.0.1")...)); m != nil {
		t.Fatalf("answered by %v", m)
	}
	w.pass(3 * time.Second)
	w.away = false
	w.pass(6 * time.Second)
	if m, is := s.answer(before).(*message.SessionEstablishmentResponse); !is || cause(t, m.Cause) != ie.CauseRequestAccepted {
		t.Fatalf("after the controller is back: %v", m)
	}
	w.away = true
	before = len(w.sent)
	s.send(s.establishment(2, parts(2, "10.60.0.2")...))
	w.pass(11 * time.Second)
	if m, is := s.answer(before).(*message.SessionEstablishmentResponse); !is || cause(t, m.Cause) != ie.CauseSystemFailure {
		t.Fatalf("after its patience: %v", m)
	}
	w.away = false
	w.pass(10 * time.Second)
	if got := w.only("mbb"); got.Uplink.TEID != 1 || w.m.Status().Sessions.All != 1 {
		t.Errorf("left is %+v, %+v", got, w.m.Status().Sessions)
	}
}

func TestAHandoverThatFailedIsUndone(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	s.modify(seid, handover(gnb, 2))
	// The controller does it, and its answer is lost.
	s.w.m.Receive(w.now, s.peer, bytesOf(t, s.modification(seid, handover(gnb2, 3))))
	batch := w.m.Next(w.now)
	w.apply(batch[0])
	w.m.Settle(w.now, "mbb", []fabric.Outcome{{Verdict: fabric.Unreachable}})
	w.away = true
	w.pass(11 * time.Second)
	if got := w.only("mbb").Downlink.TEID; got != 3 {
		t.Fatalf("the controller has TEID %d, the test wants 3", got)
	}
	w.away = false
	w.pass(10 * time.Second)
	if got := w.only("mbb").Downlink.TEID; got != 2 {
		t.Errorf("the fabric has TEID %d, the SMF was told that it stayed 2", got)
	}
}

func TestADeletionIsDoneHoweverLongItTakes(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	w.away = true
	before := len(w.sent)
	s.send(s.deletion(seid))
	w.pass(11 * time.Second)
	if m, is := s.answer(before).(*message.SessionDeletionResponse); !is || cause(t, m.Cause) != ie.CauseSystemFailure {
		t.Fatalf("answered by %v", m)
	}
	w.start() // killed meanwhile
	w.away = false
	w.look()
	w.pass(10 * time.Second)
	if len(w.fabric["mbb"]) != 0 || w.m.Status().Sessions.All != 0 {
		t.Errorf("left is %v", w.fabric)
	}
}

func TestWhatTheControllerRefusesIsRefusedAndNothingIsLeft(t *testing.T) {
	for _, c := range []struct {
		outcome   fabric.Outcome
		cause     uint8
		offending uint16
	}{
		{fabric.Outcome{Verdict: fabric.Refused, Status: 409, Field: "/ue/0", Text: "10.60.0.1/32 is another's"}, ie.CauseRuleCreationModificationFailure, ie.UEIPAddress},
		{fabric.Outcome{Verdict: fabric.Refused, Status: 422, Field: "/uplink/endpoint", Text: "is no UPF of the slice"}, ie.CauseRuleCreationModificationFailure, ie.FTEID},
		{fabric.Outcome{Verdict: fabric.Refused, Status: 422, Field: "/forwarding", Text: "the slice does not forward"}, ie.CauseServiceNotSupported, ie.DestinationInterface},
		{fabric.Outcome{Verdict: fabric.Refused, Status: 404, Text: "there is no slice"}, ie.CauseNoResourcesAvailable, 0},
		{fabric.Outcome{Verdict: fabric.Refused, Status: 202, Text: "a node refuses"}, ie.CauseNoResourcesAvailable, 0},
	} {
		w := newWorld(t)
		s := w.smf("10.0.0.9")
		s.associate()
		w.refuse = func(fabric.Change) *fabric.Outcome { return &c.outcome }
		s.refused(s.establishment(1, parts(1, "10.60.0.1")...), c.cause, c.offending)
		w.refuse = nil
		if got := w.m.Status().Sessions.All; got != 0 || len(w.fabric["mbb"]) != 0 {
			t.Errorf("left are %d sessions, %v", got, w.fabric)
		}
		s.establish(1, parts(1, "10.60.0.1")...) // its tunnel is free
	}
}

func TestWhatTheControllerRefusesOfARepairIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	w.fabric["mbb"] = map[string]fabric.Session{}
	w.refuse = func(fabric.Change) *fabric.Outcome {
		return &fabric.Outcome{Verdict: fabric.Refused, Status: 422, Text: "the slice was changed"}
	}
	w.look()
	if got := w.m.Status().Sessions.Refused; got != 1 {
		t.Fatalf("%d sessions are refused, want 1", got)
	}
	w.pass(40 * time.Second) // its SMF is silent, but for less than the lease
	w.refuse = nil
	w.pass(31 * time.Second)
	w.only("mbb")
	if got := w.m.Status().Sessions.Refused; got != 0 {
		t.Errorf("%d sessions are refused, want 0", got)
	}
}

func TestRequestsOfASessionAreDoneInTheirOrder(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	w.stuck["mbb"] = true
	before := len(w.sent)
	for teid := range uint32(5) {
		s.send(s.modification(seid, handover(gnb, 100+teid)))
	}
	s.send(s.deletion(seid))
	if len(w.flying) != 1 {
		t.Fatalf("%d batches of a slice at once", len(w.flying))
	}
	w.unstick()
	var order []string
	for _, out := range w.sent[before:] {
		m, _ := message.Parse(out.Bytes)
		order = append(order, m.MessageTypeName())
	}
	if len(order) != 6 || order[5] != "Session Deletion Response" || len(w.fabric["mbb"]) != 0 {
		t.Errorf("answers %v, fabric %v", order, w.fabric)
	}
}

func TestNothingIsAskedBeforeItIsKnownWhatTheControllerHas(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	const stray = "n4-00000000deadbeef"
	w.fabric["mbb"] = map[string]fabric.Session{stray: {ID: stray, Uplink: fabric.Tunnel{Endpoint: netip.MustParseAddr(n3), TEID: 1}}}
	w.away = true
	w.start()
	w.m.Learn(w.now, w.slices)
	w.m.Receive(w.now, s.peer, bytesOf(t, s.establishment(1, parts(1, "10.60.0.1")...)))
	if asked := w.m.Next(w.now); len(asked) != 0 {
		t.Fatalf("asked for %v", asked)
	}
	w.away = false
	w.look()
	if got := w.only("mbb"); len(got.UE) != 1 {
		t.Errorf("the fabric has %+v, want the new one", got)
	}
}

func TestATunnelThatIsAskedForIsNobodyElses(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	w.stuck["mbb"] = true
	s.send(s.establishment(1, parts(1, "10.60.0.1")...))
	s.refused(s.establishment(2, parts(1, "10.60.0.2")...), ie.CauseRuleCreationModificationFailure, ie.FTEID)
}

func TestATunnelWhoseSessionIsLeavingIsFree(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	w.stuck["mbb"] = true
	s.recovery = s.recovery.Add(time.Second)
	s.associate()
	before := len(w.sent)
	s.send(s.establishment(1, parts(1, "10.60.0.2")...))
	w.unstick()
	if m, is := s.answer(before).(*message.SessionEstablishmentResponse); !is || cause(t, m.Cause) != ie.CauseRequestAccepted {
		t.Fatalf("answered by %v", m)
	}
	if got := w.only("mbb"); got.UE[0].String() != "10.60.0.2/32" {
		t.Errorf("the fabric has %+v, want the new one", got)
	}
}

func TestASliceThatIsStuckHoldsUpNoOther(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	w.stuck["mbb"] = true
	s.send(s.establishment(1, parts(1, "10.60.0.1")...))
	s.establish(2, append(parts(2, "10.60.0.2"), ie.NewSNSSAI(2, 1))...)
	w.only("urllc")
}

func TestNothingIsLostWhenKilledAtAnyMoment(t *testing.T) {
	const sessions = 5
	for moment := range 40 {
		w := newWorld(t)
		s := w.smf("10.0.0.9")
		s.associate()
		var requests [][]byte
		for i := range sessions {
			requests = append(requests, bytesOf(t, s.establishment(uint64(i), parts(uint32(i)+1, fmt.Sprintf("10.60.0.%d", i+1))...)))
		}
		answered := map[uint32]uint64{}
		// One step at a time: a datagram, a batch at the controller, the journal, the answers.
		steps := w.steps(s, requests, answered)
		for i := 0; i < moment && i < len(steps); i++ {
			steps[i]()
		}
		w.start()
		for seq, seid := range answered {
			if !slices.ContainsFunc(slices.Collect(maps.Values(w.fabric["mbb"])), func(f fabric.Session) bool { return f.ID == fmt.Sprintf("n4-%016x", seid) }) {
				t.Errorf("killed at %d: request %d was answered, its session is lost", moment, seq)
			}
		}
		for _, b := range requests { // an SMF repeats requests that were not answered, or whose answer was lost
			m := s.sendBytes(b).(*message.SessionEstablishmentResponse)
			f, _ := m.UPFSEID.FSEID()
			if seid, was := answered[m.Sequence()]; was && seid != f.SEID {
				t.Errorf("killed at %d: session %x is now %x", moment, seid, f.SEID)
			}
		}
		if got := len(w.fabric["mbb"]); got != sessions || w.m.Status().Sessions.All != sessions {
			t.Errorf("killed at %d: the fabric has %d sessions, want %d", moment, got, sessions)
		}
	}
}

// steps play an exchange in pieces between which a process may die.
func (w *world) steps(s *smf, requests [][]byte, answered map[uint32]uint64) []func() {
	var steps []func()
	for _, b := range requests {
		steps = append(steps, func() { w.m.Receive(w.now, s.peer, b) })
	}
	var batch upf.Batch
	var effects upf.Effects
	for range 5 {
		steps = append(steps,
			func() {
				for _, b := range w.m.Next(w.now) {
					batch = b
				}
			},
			func() {
				if len(batch.Changes) > 0 {
					outcomes := w.apply(batch)
					w.m.Settle(w.now, batch.Slice, outcomes)
					batch = upf.Batch{}
				}
			},
			func() { effects = w.m.Take() },
			func() { w.journal = append(w.journal, effects.Records...) },
			func() {
				for _, sent := range effects.Sends {
					if m, err := message.Parse(sent.Bytes); err == nil {
						if r, is := m.(*message.SessionEstablishmentResponse); is {
							f, _ := r.UPFSEID.FSEID()
							answered[r.Sequence()] = f.SEID
						}
					}
				}
			})
	}
	return steps
}

func TestWhatStrangersMakeOfTheSessionsIsMended(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	a, _ := s.establish(1, parts(1, "10.60.0.1")...)
	b, _ := s.establish(2, parts(2, "10.60.0.2")...)
	id := func(seid uint64) string { return fmt.Sprintf("n4-%016x", seid) }
	delete(w.fabric["mbb"], id(a))
	changed := w.fabric["mbb"][id(b)]
	changed.QFI = 1
	w.fabric["mbb"][id(b)] = changed
	w.fabric["mbb"]["n4-00000000deadbeef"] = fabric.Session{ID: "n4-00000000deadbeef"}
	w.fabric["mbb"]["imsi-5"] = fabric.Session{ID: "imsi-5"}
	w.look()
	got := slices.Sorted(maps.Keys(w.fabric["mbb"]))
	if want := []string{"imsi-5", id(a), id(b)}; !slices.Equal(got, want) || w.fabric["mbb"][id(b)].QFI != 9 {
		t.Errorf("the fabric has %v, QFI %d", got, w.fabric["mbb"][id(b)].QFI)
	}
}

func TestWhatCannotBeKeptIsNotAccepted(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	w.m.Full = true
	s.refused(s.establishment(1, parts(1, "10.60.0.1")...), ie.CauseNoResourcesAvailable, 0)
}

func TestTenThousandSessionsGoInBatchesOfAThousand(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	for i := range 10_000 {
		ue := netip.AddrFrom4([4]byte{10, 60, byte(i >> 8), byte(i)})
		w.m.Receive(w.now, s.peer, bytesOf(t, s.establishment(uint64(i), parts(uint32(i)+1, ue.String())...)))
	}
	w.settle()
	if got := len(w.fabric["mbb"]); got != 10_000 || len(w.asked) != 10 {
		t.Errorf("%d sessions in %d batches", got, len(w.asked))
	}
	w.start()
	if got := w.m.Status().Sessions; got.All != 10_000 || got.Busy != 0 || len(w.asked) != 10 {
		t.Errorf("after a restart %+v, %d batches", got, len(w.asked))
	}
	s.recovery = s.recovery.Add(time.Second)
	s.associate()
	if got := len(w.fabric["mbb"]); got != 0 {
		t.Errorf("the SMF restarted, %d sessions are left", got)
	}
}
