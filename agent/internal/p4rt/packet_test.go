// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
)

func (s *session) packetOut(text string) {
	s.node.t.Helper()
	m := new(p4.PacketOut)
	if err := prototext.Unmarshal([]byte(text), m); err != nil {
		s.node.t.Fatal(err)
	}
	s.send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Packet{Packet: m}})
}

func TestAPacketOutLeavesByItsPort(t *testing.T) {
	n := startNode(t, "")
	s := n.primary()
	s.packetOut(`payload: "lldp" metadata { metadata_id: 1 value: "\x02" }`)
	s.packetOut(`payload: "arp" metadata { metadata_id: 1 value: "\x01" } metadata { metadata_id: 2 value: "\x00" }`)
	want := []contract.Packet{{InPort: 2, Frame: []byte("lldp")}, {InPort: 1, Frame: []byte("arp")}}
	eventually(t, func() bool { return len(n.backend.Sent()) == len(want) })
	if diff := cmp.Diff(want, n.backend.Sent()); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// eventually waits until the condition holds.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("it did not happen within %v", patience)
		}
	}
}

func TestABadPacketOutIsDroppedAndReported(t *testing.T) {
	n := startNode(t, "")
	s := n.primary()
	for _, tc := range []struct{ name, packet, saying string }{
		{"no port", `payload: "x"`, "metadata egress_port is missing"},
		{"port twice", `payload: "x" metadata { metadata_id: 1 value: "\x01" } metadata { metadata_id: 1 value: "\x01" }`, "metadata egress_port is given twice"},
		{"unknown metadata", `payload: "x" metadata { metadata_id: 1 value: "\x01" } metadata { metadata_id: 7 value: "\x01" }`, "packet_out has no metadata 7"},
		{"port too wide", `payload: "x" metadata { metadata_id: 1 value: "\x02\x01" }`, "does not fit into 9 bits"},
		{"no such port", `payload: "x" metadata { metadata_id: 1 value: "\x09" }`, "there is no port 9"},
		{"no payload", `metadata { metadata_id: 1 value: "\x01" }`, "the payload is empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.packetOut(tc.packet)
			e := s.next().GetError()
			if codes.Code(e.GetCanonicalCode()) != codes.InvalidArgument || !strings.Contains(e.GetMessage(), tc.saying) {
				t.Errorf("got %v, want InvalidArgument saying %q", e, tc.saying)
			}
			if e.GetPacketOut().GetPacketOut() == nil {
				t.Error("the error does not carry the packet")
			}
		})
	}
	if sent := n.backend.Sent(); len(sent) != 0 {
		t.Errorf("sent %v, want nothing", sent)
	}
}

func TestOnlyThePrimaryWithAPipelineSendsPackets(t *testing.T) {
	n := startNode(t, "")
	s, backup := n.connect(), n.connect()
	s.claim(1)
	s.hears(codes.OK, 1)
	backup.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
	backup.hears(codes.AlreadyExists, 1)
	const lldp = `payload: "lldp" metadata { metadata_id: 1 value: "\x02" }`
	s.packetOut(lldp)
	if e := s.next().GetError(); codes.Code(e.GetCanonicalCode()) != codes.FailedPrecondition {
		t.Errorf("before the pipeline config: got %v, want FailedPrecondition", e)
	}
	backup.packetOut(lldp)
	if e := backup.next().GetError(); codes.Code(e.GetCanonicalCode()) != codes.PermissionDenied {
		t.Errorf("from a backup: got %v, want PermissionDenied", e)
	}
}

func TestAPacketInGoesToThePrimaryAlone(t *testing.T) {
	n := startNode(t, "")
	s, backup := n.primary(), n.connect()
	backup.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
	backup.hears(codes.AlreadyExists, 1)
	n.backend.Punt(contract.Packet{InPort: 258, Frame: []byte("lldp")})
	want := new(p4.PacketIn)
	if err := prototext.Unmarshal([]byte(`payload: "lldp" metadata { metadata_id: 1 value: "\x01\x02" } metadata { metadata_id: 2 value: "\x00" }`), want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.next().GetPacket(), protocmp.Transform()); diff != "" {
		t.Errorf("packet-in (-want +got):\n%s", diff)
	}
	select {
	case m := <-backup.messages:
		t.Errorf("the backup got %v", m)
	default:
	}
}

func TestOtherStreamMessagesAreReported(t *testing.T) {
	s := startNode(t, "").primary()
	s.send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_DigestAck{DigestAck: &p4.DigestListAck{DigestId: 1}}})
	if e := s.next().GetError(); e.GetDigestListAck().GetDigestListAck().GetDigestId() != 1 {
		t.Errorf("got %v, want an error about the digest", e)
	}
	s.send(&p4.StreamMessageRequest{})
	if e := s.next().GetError(); e.GetOther() == nil {
		t.Errorf("got %v, want an error about the message", e)
	}
}
