// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fakectl"
)

// smf sends requests until they are answered, as SMFs do.
type smf struct {
	t        *testing.T
	conn     *net.UDPConn
	requests map[uint32][]byte
	answers  map[uint32]message.Message
}

func newSMF(t *testing.T, to string) *smf {
	t.Helper()
	at, err := net.ResolveUDPAddr("udp", to)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialUDP("udp", nil, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &smf{t, conn, map[uint32][]byte{}, map[uint32]message.Message{}}
}

func (s *smf) add(m message.Message) {
	s.t.Helper()
	b := make([]byte, m.MarshalLen())
	if err := m.MarshalTo(b); err != nil {
		s.t.Fatal(err)
	}
	s.requests[m.Sequence()] = b
}

// send sends every request that has no answer yet.
func (s *smf) send() {
	for sequence, b := range s.requests {
		if s.answers[sequence] == nil {
			_, _ = s.conn.Write(b) // there may be no receiver
		}
	}
}

// collect reads answers until none comes for a while.
func (s *smf) collect(silence time.Duration) {
	s.t.Helper()
	b := make([]byte, 4096)
	for {
		_ = s.conn.SetReadDeadline(time.Now().Add(silence))
		n, err := s.conn.Read(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if err != nil {
			continue // refused: there is no receiver
		}
		m, err := message.Parse(append([]byte(nil), b[:n]...))
		if err != nil {
			s.t.Fatal(err)
		}
		if _, was := s.requests[m.Sequence()]; was {
			s.answers[m.Sequence()] = m
		}
	}
}

func establishment(sequence uint32) *message.SessionEstablishmentRequest {
	ue := net.IPv4(10, 60, byte(sequence>>8), byte(sequence)).String()
	return message.NewSessionEstablishmentRequest(0, 0, 0, sequence, 0, ie.NewNodeID("127.0.0.1", "", ""),
		ie.NewFSEID(uint64(sequence), net.IPv4(127, 0, 0, 1).To4(), nil),
		ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(0), ie.NewFTEID(1, sequence, net.ParseIP("198.51.100.1"), nil, 0)), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1)),
		ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(1), ie.NewUEIPAddress(2, ue, "", 0, 0)), ie.NewFARID(2)),
		ie.NewCreateFAR(ie.NewFARID(1), ie.NewApplyAction(2), ie.NewForwardingParameters(ie.NewDestinationInterface(1))),
		ie.NewCreateFAR(ie.NewFARID(2), ie.NewApplyAction(1)))
}

func (s *smf) seids() map[uint32]uint64 {
	out := map[uint32]uint64{}
	for sequence, m := range s.answers {
		r, is := m.(*message.SessionEstablishmentResponse)
		if !is {
			continue
		}
		if c, _ := r.Cause.Cause(); c != ie.CauseRequestAccepted {
			s.t.Fatalf("request %d: cause %d", sequence, c)
		}
		f, err := r.UPFSEID.FSEID()
		if err != nil {
			s.t.Fatal(err)
		}
		out[sequence] = f.SEID
	}
	return out
}

// Killed while the controller has taken a batch and not said so, after others were answered: nothing is lost, nothing is there twice.
func TestKilledInABatchNothingIsLost(t *testing.T) {
	const sessions, before = 1000, 300
	c := fakectl.New(fakectl.Anchored("mbb", "198.51.100.1"))
	listen, folder, url := freePort(t), t.TempDir(), served(t, c)
	args := []string{"--listen", listen, "--slice", "mbb=default"}
	p := launch(t, folder, url, args...)
	s := newSMF(t, listen)
	s.add(message.NewAssociationSetupRequest(1, ie.NewNodeID("127.0.0.1", "", ""), ie.NewRecoveryTimeStamp(time.Unix(1_700_000_000, 0))))
	eventually(t, "the association is there", func() bool {
		s.send()
		s.collect(100 * time.Millisecond)
		return len(s.answers) == 1
	})
	for i := range before {
		s.add(establishment(uint32(i) + 2))
	}
	eventually(t, "the first sessions are there", func() bool {
		s.send()
		s.collect(200 * time.Millisecond)
		return len(s.answers) == before+1
	})
	answered := s.seids()
	var posts atomic.Int32
	c.BeforeAnswer(func(r *http.Request) {
		if r.Method == http.MethodPost && posts.Add(1) == 1 {
			_ = p.command.Process.Kill()
		}
	})
	for i := before; i < sessions; i++ {
		s.add(establishment(uint32(i) + 2))
	}
	s.send()
	eventually(t, "it was killed", func() bool { return posts.Load() > 0 })
	p.kill()
	s.collect(200 * time.Millisecond)
	for sequence, seid := range s.seids() {
		answered[sequence] = seid
	}
	if len(answered) == sessions {
		t.Fatal("it answered all before it was killed")
	}
	c.BeforeAnswer(nil)

	launch(t, folder, url, args...)
	for sequence := range answered { // their answers were lost, too
		delete(s.answers, sequence)
	}
	eventually(t, "all sessions are there", func() bool {
		s.send()
		s.collect(200 * time.Millisecond)
		return len(s.answers) == sessions+1
	})
	for sequence, seid := range s.seids() {
		if was, there := answered[sequence]; there && was != seid {
			t.Errorf("request %d was answered SEID %x, and %x after the restart", sequence, was, seid)
		}
	}
	if held := len(c.Sessions("mbb")); held != sessions {
		t.Errorf("the controller has %d sessions, want %d", held, sessions)
	}
}
