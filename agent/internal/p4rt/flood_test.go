// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"sync"
	"testing"
	"time"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
)

func TestWhoIsToBePrimaryIsServedThoughAllPlacesAreTaken(t *testing.T) {
	n := startNode(t, "")
	first := n.connect()
	first.claim(10)
	first.hears(codes.OK, 10)
	for range maxClients - 1 {
		s := n.connect()
		s.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
		s.hears(codes.AlreadyExists, 10)
	}
	lower := n.connect()
	lower.claim(9)
	lower.breaks(codes.ResourceExhausted)
	next := n.connect()
	next.claim(11)
	next.hears(codes.OK, 11)
	first.hears(codes.AlreadyExists, 11)
}

func TestWhoMayNotWriteDoesNotWaitForWhoMay(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	n.backend.Refuse(func(contract.Update) error {
		once.Do(func() { close(entered) })
		<-release
		return nil
	})
	result := make(chan error, 1)
	go func() { result <- primary.write(insert(encode(t, un("fcbb:bbbb:100::/48")))) }()
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := n.rpc.Write(ctx, &p4.WriteRequest{DeviceId: testDevice, ElectionId: &p4.Uint128{Low: 7}})
	if status.Code(err) != codes.PermissionDenied {
		t.Errorf("got %v, want PermissionDenied while another writes", err)
	}
	close(release)
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func TestThePrimaryReadsThoughAllOthersDo(t *testing.T) {
	n := startNode(t, "")
	n.primary()
	for range maxReads {
		n.server.reads <- struct{}{}
	}
	if _, err := n.read(entity(&p4.TableEntry{})); err != nil {
		t.Errorf("by the primary's connection: %v", err)
	}
	_, err := n.another().read(entity(&p4.TableEntry{}))
	wantStatus(t, err, codes.ResourceExhausted, "try again")
}

func TestOnlyAFewReadAtOnce(t *testing.T) {
	n := startNode(t, "")
	n.primary()
	other := n.another()
	for range maxTurns {
		n.server.turns <- struct{}{}
	}
	done := make(chan error, 1)
	go func() {
		_, err := other.read(entity(&p4.TableEntry{}))
		done <- err
	}()
	eventually(t, func() bool { return len(n.server.reads) == 1 })
	n.server.writes.Lock()   // writers do not wait for waiting readers
	n.server.writes.Unlock() //nolint:staticcheck // that it could be taken is all
	select {
	case err := <-done:
		t.Errorf("it did not wait: %v", err)
	default:
	}
	for range maxTurns {
		<-n.server.turns
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestWhatIsLeftUnreadIsNotKept(t *testing.T) {
	c := newClient("somewhere")
	large := &p4.StreamMessageResponse{Update: &p4.StreamMessageResponse_Packet{Packet: &p4.PacketIn{Payload: make([]byte, 9000)}}}
	kept := 0
	for c.offer(large) {
		kept++
	}
	if got := kept * 9000; got > queueBytes || got < queueBytes-20_000 {
		t.Errorf("%d bytes wait, at most %d may", got, queueBytes)
	}
	c.push(&p4.StreamMessageResponse{Update: &p4.StreamMessageResponse_Arbitration{Arbitration: &p4.MasterArbitrationUpdate{DeviceId: 1}}})
	if len(c.out) != kept+1 {
		t.Error("what must arrive was lost")
	}
	c.taken(<-c.out)
	if !c.offer(large) {
		t.Error("what was read makes no room")
	}
}

// slowPrimary becomes primary by a stream that nothing is read from.
func slowPrimary(t *testing.T, n *node, election uint64) *client {
	t.Helper()
	c := newClient("slow")
	if err := n.server.arbitration.update(c, &p4.MasterArbitrationUpdate{
		DeviceId: testDevice, ElectionId: &p4.Uint128{Low: election},
	}); err != nil {
		t.Fatal(err)
	}
	c.taken(<-c.out) // that it is primary
	return c
}

// Frames that wait, wait at the data plane, where each port has its own room: one queue for all ports would drop those of
// the quiet ones.
func TestASlowPrimaryLosesNoFrameThatTheDataPlaneHolds(t *testing.T) {
	n := startNode(t, "")
	n.primary()
	slow := slowPrimary(t, n, 100)
	const frames = 100
	go func() {
		for i := range frames {
			n.backend.Punt(contract.Packet{InPort: contract.PortID(i + 1), Frame: make([]byte, 9000)})
		}
	}()
	eventually(t, func() bool { return slow.waiting.Load() > queueBytes-10_000 })
	for i := range frames {
		select {
		case m := <-slow.out:
			slow.taken(m)
			if got := len(m.GetPacket().GetPayload()); got != 9000 {
				t.Fatalf("message %d is %v, want a frame", i, m)
			}
		case <-time.After(patience):
			t.Fatalf("%d of %d frames arrived", i, frames)
		}
	}
}

func TestAFrameDoesNotWaitForAPrimaryThatIsNoLongerOne(t *testing.T) {
	n := startNode(t, "")
	n.primary()
	slow := slowPrimary(t, n, 100)
	for slow.waiting.Load() < queueBytes-10_000 {
		n.backend.Punt(contract.Packet{InPort: 1, Frame: make([]byte, 9000)})
		eventually(t, func() bool { return len(n.backend.Packets()) == 0 })
	}
	n.backend.Punt(contract.Packet{InPort: 2, Frame: make([]byte, 9000)})
	next := n.another().connect()
	next.claim(101)
	next.hears(codes.OK, 101)
	if got := len(next.next().GetPacket().GetPayload()); got != 9000 {
		t.Errorf("got %d bytes, want the frame that waited", got)
	}
	n.server.arbitration.remove(slow)
}
