// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/canonical"
	"sextant/agent/internal/streams"
)

// StreamChannel serves one client: arbitration, packets out, and all notifications to it. It ends with the client, with
// the server, or with the client's first bad arbitration message.
func (s *Server) StreamChannel(stream p4.P4Runtime_StreamChannelServer) error {
	c := newClient(peerOf(stream.Context()))
	defer func() {
		if s.arbitration.remove(c) {
			s.log.Info("the primary controller left", "peer", c.from)
		}
	}()
	requests, broken := streams.Receive(&s.receivers, stream)
	for {
		select {
		case m := <-c.out:
			c.taken(m)
			if err := stream.Send(m); err != nil {
				return err
			}
		case request := <-requests:
			if err := s.handle(stream, c, request); err != nil {
				return err
			}
		case err := <-broken:
			return err
		case <-c.gone:
			return status.Error(codes.ResourceExhausted, c.why)
		case <-s.closing:
			return status.Error(codes.Unavailable, "the agent stops; its entries stay in the data plane")
		}
	}
}

func (s *Server) handle(stream p4.P4Runtime_StreamChannelServer, c *client, request *p4.StreamMessageRequest) error {
	switch u := request.GetUpdate().(type) {
	case *p4.StreamMessageRequest_Arbitration:
		if err := s.arbitration.update(c, u.Arbitration); err != nil {
			return err
		}
		if s.arbitration.current() == c {
			s.log.Info("a controller is primary", "election_id", newElectionID(u.Arbitration.GetElectionId()).String(), "peer", c.from)
		}
	case *p4.StreamMessageRequest_Packet:
		if err := s.packetOut(stream.Context(), c, u.Packet); err != nil {
			c.offer(streamError(err, &p4.StreamError{Details: &p4.StreamError_PacketOut{
				PacketOut: &p4.PacketOutError{PacketOut: u.Packet},
			}}))
		}
	case *p4.StreamMessageRequest_DigestAck:
		c.offer(streamError(invalid("the P4Info has no digest"), &p4.StreamError{Details: &p4.StreamError_DigestListAck{
			DigestListAck: &p4.DigestListAckError{DigestListAck: u.DigestAck},
		}}))
	default:
		c.offer(streamError(invalid("the stream takes arbitration and packets only"), &p4.StreamError{
			Details: &p4.StreamError_Other{Other: &p4.StreamOtherError{Other: request.GetOther()}},
		}))
	}
	return nil
}

// peerOf is the address of a client, for the log.
func peerOf(ctx context.Context) string {
	if p, ok := peer.FromContext(ctx); ok {
		return p.Addr.String()
	}
	return ""
}

func streamError(err error, e *p4.StreamError) *p4.StreamMessageResponse {
	e.CanonicalCode = int32(canonical.Code(err))
	e.Message = err.Error()
	return &p4.StreamMessageResponse{Update: &p4.StreamMessageResponse_Error{Error: e}}
}
