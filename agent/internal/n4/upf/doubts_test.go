// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
)

// A node is silent: the controller has stored the request, and answers when it has waited for the node.
func TestWhatTheControllerHasIsNoFailureHoweverLongItTakesToAnswer(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	w.stuck["mbb"], w.slow["mbb"] = true, true
	before := len(w.sent)
	s.send(s.modification(seid, handover(gnb, 2)))
	w.pass(9 * time.Second)
	if m := s.answer(before); m != nil {
		t.Fatalf("answered by %v within its patience", m)
	}
	w.pass(2 * time.Second)
	if m, is := s.answer(before).(*message.SessionModificationResponse); !is || cause(t, m.Cause) != ie.CauseRequestAccepted {
		t.Fatalf("the controller has it, and the answer is %v", m)
	}
	w.unstick()
	w.pass(5 * time.Second)
	if got := w.only("mbb").Downlink; got == nil || got.TEID != 2 {
		t.Errorf("downlink %v", got)
	}
	if c := w.m.Status().Counters; c.Repaired != 0 || c.Modified != 1 || w.m.Status().Sessions.Busy != 0 {
		t.Errorf("counters %+v", c)
	}
	s.modify(seid, handover(gnb2, 3))
}

func TestWhatTheControllerHasNotIsAFailureAtOnce(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	w.stuck["mbb"] = true
	before := len(w.sent)
	s.send(s.modification(seid, handover(gnb, 2)))
	w.pass(11 * time.Second)
	if m, is := s.answer(before).(*message.SessionModificationResponse); !is || cause(t, m.Cause) != ie.CauseSystemFailure {
		t.Fatalf("the controller has it not, and the answer is %v", m)
	}
	w.unstick() // it does it nevertheless, and it is undone
	w.pass(5 * time.Second)
	if got := w.only("mbb").Downlink; got != nil {
		t.Errorf("downlink %v, want none", got)
	}
}

// A node refuses a session afterwards that was answered yes: that is the state of the session, and is tried again.
func TestARefusalBehindAnEarlyAnswerIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	w.stuck["mbb"], w.slow["mbb"] = true, true
	s.send(s.modification(seid, handover(gnb, 2)))
	w.pass(11 * time.Second)
	w.refuse = func(fabric.Change) *fabric.Outcome {
		return &fabric.Outcome{Verdict: fabric.Refused, Status: 202, Text: "a node refuses"}
	}
	w.unstick()
	if got := w.m.Status().Sessions.Refused; got != 1 {
		t.Errorf("%d sessions are refused, want 1", got)
	}
	w.refuse = nil
	w.pass(31 * time.Second)
	if got := w.m.Status().Sessions.Refused; got != 0 || w.only("mbb").Downlink == nil {
		t.Errorf("%d sessions are refused, want 0; %+v", got, w.only("mbb"))
	}
}
