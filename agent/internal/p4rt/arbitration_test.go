// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	"sextant/agent/internal/contract"
)

func TestTheHighestElectionIDIsPrimaryAndAllHearOfEachChange(t *testing.T) {
	n := startNode(t, "")
	a, b, c := n.connect(), n.connect(), n.connect()
	a.claim(5)
	a.hears(codes.OK, 5)
	b.claim(3) // a backup: only it is notified
	b.hears(codes.AlreadyExists, 5)
	c.claim(9) // a new primary: all are notified
	a.hears(codes.AlreadyExists, 9)
	b.hears(codes.AlreadyExists, 9)
	c.hears(codes.OK, 9)
	c.end() // the primary leaves: no client is primary, though b and a are there
	a.hears(codes.NotFound, 9)
	b.hears(codes.NotFound, 9)
	a.claim(8) // lower than the highest ever: stays a backup
	a.hears(codes.NotFound, 9)
	b.claim(9) // the highest ever, free again
	a.hears(codes.AlreadyExists, 9)
	b.hears(codes.OK, 9)
}

func TestAPrimaryMayStepDownAndComeBack(t *testing.T) {
	n := startNode(t, "")
	a, b := n.connect(), n.connect()
	a.claim(5)
	a.hears(codes.OK, 5)
	b.claim(4)
	b.hears(codes.AlreadyExists, 5)
	a.claim(2)
	a.hears(codes.NotFound, 5)
	b.hears(codes.NotFound, 5)
	a.claim(6)
	b.hears(codes.AlreadyExists, 6)
	a.hears(codes.OK, 6)
}

func TestThePrimaryMayRepeatItself(t *testing.T) {
	n := startNode(t, "")
	a := n.connect()
	for range 2 {
		a.claim(5)
		a.hears(codes.OK, 5)
	}
}

func TestAControllerThatReconnectsWithItsIDIsPrimaryAgain(t *testing.T) {
	n := startNode(t, "")
	watcher := n.connect()
	watcher.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
	watcher.hears(codes.NotFound, 0)
	first := n.primary()
	watcher.hears(codes.AlreadyExists, 1)
	first.mustWrite(insert(encode(t, un("fcbb:bbbb:100::/48"))))
	first.end()
	watcher.hears(codes.NotFound, 1)
	second := n.connect()
	second.claim(1)
	second.hears(codes.OK, 1)
	second.mustWrite(insert(encode(t, un("fcbb:bbbb:200::/48"))))
}

// There is no id above it, so the node would be lost until its agent starts again.
func TestTheLastElectionIDOfAllIsForgottenWithItsClient(t *testing.T) {
	last := &p4.Uint128{High: math.MaxUint64, Low: math.MaxUint64}
	for name, leave := range map[string]func(*session){
		"its stream ends": func(s *session) { s.end() },
		"it steps down": func(s *session) {
			s.claim(3)
			s.hears(codes.NotFound, 5)
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := startNode(t, "")
			controller, intruder := n.connect(), n.connect()
			controller.claim(5)
			controller.hears(codes.OK, 5)
			intruder.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice, ElectionId: last})
			said := controller.next().GetArbitration().GetStatus()
			if want := "the client at 127.0.0.1:"; !strings.HasPrefix(said.GetMessage(), want) {
				t.Errorf("heard %q, want it to name the client", said.GetMessage())
			}
			if want := "with election id 340282366920938463463374607431768211455"; !strings.HasSuffix(said.GetMessage(), want) {
				t.Errorf("heard %q, want the whole id", said.GetMessage())
			}
			intruder.hears(codes.OK, math.MaxUint64)
			controller.claim(6)
			controller.hears(codes.AlreadyExists, math.MaxUint64)
			controller.claim(5)
			controller.hears(codes.AlreadyExists, math.MaxUint64)
			leave(intruder)
			controller.hears(codes.NotFound, 5)
			controller.claim(6)
			controller.hears(codes.OK, 6)
			if err := controller.commit(1); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAClientWithoutElectionIDNeverIsPrimary(t *testing.T) {
	n := startNode(t, "")
	a, b := n.connect(), n.connect()
	for _, s := range []*session{a, b} { // two without an id do not collide
		s.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
		m := s.next().GetArbitration()
		if m.GetElectionId() != nil || codes.Code(m.GetStatus().GetCode()) != codes.NotFound {
			t.Errorf("heard %v, want no primary and no election id", m)
		}
	}
	if err := a.write(); status.Code(err) != codes.PermissionDenied {
		t.Errorf("got %v, want PermissionDenied", err)
	}
}

func TestTheHighHalfOfAnElectionIDCounts(t *testing.T) {
	n := startNode(t, "")
	a, b := n.connect(), n.connect()
	a.claim(1 << 63)
	a.hears(codes.OK, 1<<63)
	b.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice, ElectionId: &p4.Uint128{High: 1}})
	b.hears(codes.OK, 0)
	a.hears(codes.AlreadyExists, 0)
}

func TestBadArbitrationEndsTheStream(t *testing.T) {
	n := startNode(t, "")
	first := n.connect()
	first.claim(1)
	first.hears(codes.OK, 1)
	one := &p4.Uint128{Low: 1}
	for _, tc := range []struct {
		name   string
		update *p4.MasterArbitrationUpdate
		code   codes.Code
	}{
		{"another device", &p4.MasterArbitrationUpdate{DeviceId: 8, ElectionId: one}, codes.NotFound},
		{"no device", &p4.MasterArbitrationUpdate{ElectionId: one}, codes.NotFound},
		{"an election id in use", &p4.MasterArbitrationUpdate{DeviceId: testDevice, ElectionId: one}, codes.InvalidArgument},
		{"a role", &p4.MasterArbitrationUpdate{DeviceId: testDevice, Role: &p4.Role{Name: "fabric"}}, codes.Unimplemented},
		{"a numbered role", &p4.MasterArbitrationUpdate{DeviceId: testDevice, Role: &p4.Role{Id: 3}}, codes.Unimplemented}, //nolint:staticcheck // deprecated in 1.4, still sent by older clients
		{"a config of the default role", &p4.MasterArbitrationUpdate{DeviceId: testDevice, Role: &p4.Role{Config: &anypb.Any{}}}, codes.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := n.connect()
			s.arbitrate(tc.update)
			s.breaks(tc.code)
		})
	}
	for _, tc := range []struct {
		name   string
		update *p4.MasterArbitrationUpdate
		code   codes.Code
	}{
		{"a live stream changes its device", &p4.MasterArbitrationUpdate{DeviceId: 8}, codes.FailedPrecondition},
		{"a live stream changes its role", &p4.MasterArbitrationUpdate{DeviceId: testDevice, Role: &p4.Role{Name: "fabric"}}, codes.FailedPrecondition},
		{"a live stream takes another's id", &p4.MasterArbitrationUpdate{DeviceId: testDevice, ElectionId: one}, codes.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := n.connect()
			s.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
			s.hears(codes.AlreadyExists, 1)
			s.arbitrate(tc.update)
			s.breaks(tc.code)
		})
	}
	first.claim(1) // it still is the primary
	first.hears(codes.OK, 1)
}

func TestOnlySoManyClientsAreServed(t *testing.T) {
	n := startNode(t, "")
	for range maxClients {
		s := n.connect()
		s.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
		s.hears(codes.NotFound, 0)
	}
	s := n.connect()
	s.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
	s.breaks(codes.ResourceExhausted)
}

// A write of the old primary is in the data plane when the new one claims: the new one is notified only after it ended,
// and the old one may write no more.
func TestANewPrimaryWaitsForTheOldOnesWrite(t *testing.T) {
	n := startNode(t, "")
	old := n.primary()
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	n.backend.Refuse(func(contract.Update) error {
		once.Do(func() { close(entered) })
		<-release
		return nil
	})
	result := make(chan error, 1)
	go func() { result <- old.write(insert(encode(t, un("fcbb:bbbb:100::/48")))) }()
	<-entered
	fresh := n.connect()
	fresh.claim(2)
	old.hears(codes.AlreadyExists, 2) // notified at once
	select {
	case m := <-fresh.messages:
		t.Errorf("the new primary heard %v while the old one's write ran", m)
	default:
	}
	close(release)
	if err := <-result; err != nil {
		t.Errorf("the write that had started failed: %v", err)
	}
	fresh.hears(codes.OK, 2)
	if err := old.write(); status.Code(err) != codes.PermissionDenied {
		t.Errorf("got %v, want PermissionDenied for the old primary", err)
	}
	fresh.mustWrite(insert(encode(t, un("fcbb:bbbb:200::/48"))))
}

func TestCapabilitiesNeedNoArbitration(t *testing.T) {
	c, err := startNode(t, "").rpc.Capabilities(context.Background(), &p4.CapabilitiesRequest{})
	if err != nil || c.GetP4RuntimeApiVersion() != "1.4.1" {
		t.Errorf("got %v, %v; want version 1.4.1", c, err)
	}
}
