// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
)

func everything(device uint64) *p4.ReadRequest {
	return &p4.ReadRequest{DeviceId: device, Entities: []*p4.Entity{{Entity: &p4.Entity_TableEntry{TableEntry: &p4.TableEntry{}}}}}
}

// writes sends batches of 50,000 updates, of a client that may not write.
func writes(ctx context.Context, t *target) {
	request := &p4.WriteRequest{DeviceId: t.device, ElectionId: &p4.Uint128{Low: 1}}
	for range 50_000 {
		request.Updates = append(request.Updates, &p4.Update{Type: p4.Update_INSERT, Entity: &p4.Entity{Entity: &p4.Entity_TableEntry{
			TableEntry: &p4.TableEntry{TableId: 0x02000001, Metadata: make([]byte, 64)},
		}}})
	}
	together(ctx, 6, func(ctx context.Context, _ int) {
		conn := t.dial(ctx)
		defer func() { _ = conn.Close() }()
		_, err := p4.NewP4RuntimeClient(conn).Write(ctx, request)
		t.heard(err)
		t.begins(6)
	})
}

// reads asks for everything in a loop.
func reads(ctx context.Context, t *target) {
	together(ctx, 8, func(ctx context.Context, _ int) {
		conn := t.dial(ctx)
		defer func() { _ = conn.Close() }()
		together(ctx, 16, func(ctx context.Context, _ int) {
			stream, err := p4.NewP4RuntimeClient(conn).Read(ctx, everything(t.device))
			t.begins(8 * 16)
			for err == nil {
				_, err = stream.Recv()
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			t.heard(err)
		})
	})
}

// deafReaders asks for everything a thousand times over, and reads nothing of it.
func deafReaders(ctx context.Context, t *target) {
	request := &p4.ReadRequest{DeviceId: t.device}
	for range 16_000 {
		request.Entities = append(request.Entities, everything(t.device).GetEntities()...)
	}
	together(ctx, 20, func(ctx context.Context, _ int) {
		conn := t.dial(ctx, grpc.WithStaticStreamWindowSize(64<<10))
		defer func() { _ = conn.Close() }()
		together(ctx, 20, func(ctx context.Context, _ int) {
			stream, err := p4.NewP4RuntimeClient(conn).Read(ctx, request)
			t.begins(20 * 20)
			if err == nil {
				<-stream.Context().Done()
				err = stream.RecvMsg(new(p4.ReadResponse))
			}
			t.heard(err)
			pause(ctx)
		})
	})
}

// rawCodec sends bytes as they are.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }

func (rawCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = data
	return nil
}

func (rawCodec) Name() string { return "proto" }

var _ encoding.Codec = rawCodec{}

// garbage sends random bytes to every RPC.
func garbage(ctx context.Context, t *target) {
	methods := []string{
		p4.P4Runtime_Write_FullMethodName, p4.P4Runtime_Read_FullMethodName, p4.P4Runtime_SetForwardingPipelineConfig_FullMethodName,
		p4.P4Runtime_GetForwardingPipelineConfig_FullMethodName, p4.P4Runtime_Capabilities_FullMethodName,
		gpb.GNMI_Get_FullMethodName, gpb.GNMI_Set_FullMethodName, gpb.GNMI_Capabilities_FullMethodName, "/nobody.Serves/This",
	}
	together(ctx, 16, func(ctx context.Context, number int) {
		conn := t.dial(ctx, grpc.WithDefaultCallOptions(grpc.ForceCodec(rawCodec{})))
		defer func() { _ = conn.Close() }()
		for size := range 200 {
			t.begins(16 * 200)
			message, answer := make([]byte, size*number), []byte{}
			_, _ = rand.Read(message) // it never fails
			t.heard(conn.Invoke(ctx, methods[size%len(methods)], &message, &answer))
		}
	})
}

// elections bids in a storm, for this device and for others, with ids that are below those of the primary.
func elections(ctx context.Context, t *target) {
	together(ctx, 8, func(ctx context.Context, number int) {
		conn := t.dial(ctx)
		defer func() { _ = conn.Close() }()
		together(ctx, 32, func(ctx context.Context, member int) {
			stream, err := p4.NewP4RuntimeClient(conn).StreamChannel(ctx)
			t.begins(8 * 32)
			for low := uint64(32*number + member + 1); err == nil && low < 1<<20; low += 256 {
				bid := &p4.MasterArbitrationUpdate{DeviceId: t.device + low%3*1000, ElectionId: &p4.Uint128{Low: low}}
				err = stream.Send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Arbitration{Arbitration: bid}})
				if err == nil {
					_, err = stream.Recv()
				}
			}
			t.heard(err)
		})
	})
}

// deafBackups sends packets and never reads the errors.
func deafBackups(ctx context.Context, t *target) {
	out := &p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Packet{Packet: &p4.PacketOut{Payload: make([]byte, 9000)}}}
	together(ctx, 8, func(ctx context.Context, _ int) {
		conn := t.dial(ctx, grpc.WithStaticStreamWindowSize(64<<10))
		defer func() { _ = conn.Close() }()
		together(ctx, 32, func(ctx context.Context, _ int) {
			stream, err := p4.NewP4RuntimeClient(conn).StreamChannel(ctx)
			t.begins(8 * 32)
			for err == nil {
				err = stream.Send(out)
			}
			if stream != nil {
				err = stream.RecvMsg(new(p4.StreamMessageResponse))
			}
			t.heard(err)
			pause(ctx)
		})
	})
}
