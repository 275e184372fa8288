// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"fmt"
	"strings"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/p4info"
)

// packetOut emits a frame for the primary.
func (s *Server) packetOut(ctx context.Context, c *client, m *p4.PacketOut) error {
	if s.arbitration.current() != c {
		return contract.Errorf(contract.PermissionDenied, "only the primary may send packets")
	}
	if !s.pipeline.ready() {
		return errNoPipeline()
	}
	port, err := s.schema.egressPort(m)
	if err != nil {
		return err
	}
	if len(m.GetPayload()) == 0 {
		return invalid("packet_out: the payload is empty")
	}
	return s.packets.Send(ctx, port, m.GetPayload())
}

// egressPort reads the metadata of a packet-out: precisely one value per field of the header, of
// which padding may be left out.
func (s *Schema) egressPort(m *p4.PacketOut) (contract.PortID, error) {
	given := map[uint32]contract.Bits{}
	for _, md := range m.GetMetadata() {
		f, ok := fieldByID(s.packetOut, md.GetMetadataId())
		if !ok {
			return 0, invalid("packet_out has no metadata %d; it has %s", md.GetMetadataId(), strings.Join(names(s.packetOut), ", "))
		}
		if _, twice := given[f.id]; twice {
			return 0, invalid("packet_out: metadata %s is given twice", f.name)
		}
		v, err := contract.ParseBits(md.GetValue(), f.bits)
		if err != nil {
			return 0, within(err, "packet_out: metadata %s", f.name)
		}
		given[f.id] = v
	}
	for _, f := range s.packetOut {
		if _, ok := given[f.id]; !ok && !f.padding {
			return 0, invalid("packet_out: metadata %s is missing", f.name)
		}
	}
	return contract.PortID(given[p4info.PacketOutFieldEgressPort].Uint64()), nil
}

// packetIn is the message for a frame that a punt entry selected; padding is sent as zero, because
// a client may insist on every field of the header.
func (s *Schema) packetInMessage(p contract.Packet) *p4.StreamMessageResponse {
	in := &p4.PacketIn{Payload: p.Frame}
	for _, f := range s.packetIn {
		var v contract.Bits
		if f.id == p4info.PacketInFieldIngressPort {
			v = contract.Number(p.InPort)
		}
		in.Metadata = append(in.Metadata, &p4.PacketMetadata{MetadataId: f.id, Value: v.Canonical()})
	}
	return &p4.StreamMessageResponse{Update: &p4.StreamMessageResponse_Packet{Packet: in}}
}

// Run delivers packet-ins to the primary until ctx ends. A frame is lost when there is no primary or no pipeline config yet.
// While the primary reads too slowly no further frame is taken: the data plane has room for each port, one queue here would
// drop frames of all ports for one that is flooded.
func (s *Server) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case p, open := <-s.packets.Packets():
			if !open {
				return fmt.Errorf("the data plane delivers no more packets")
			}
			s.deliver(ctx, s.schema.packetInMessage(p))
		}
	}
}

// deliver queues a packet-in for the primary, when there is room for it.
func (s *Server) deliver(ctx context.Context, m *p4.StreamMessageResponse) {
	for {
		primary := s.arbitration.current()
		if primary == nil || !s.pipeline.ready() || primary.offer(m) {
			return
		}
		select {
		case <-primary.room:
		case <-s.arbitration.changed:
		case <-ctx.Done():
			return
		}
	}
}
