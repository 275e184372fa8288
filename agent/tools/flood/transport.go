// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"net"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
)

const (
	largeBytes = 64 << 20
	// a client that may send 64 MiB may send this
	belowLargeBytes = 15 << 20
)

// largeMessages sends messages of 64 MiB.
func largeMessages(ctx context.Context, t *target) {
	request := &p4.WriteRequest{DeviceId: t.device, Updates: []*p4.Update{{Entity: &p4.Entity{Entity: &p4.Entity_TableEntry{
		TableEntry: &p4.TableEntry{Metadata: make([]byte, largeBytes-100)},
	}}}}}
	together(ctx, 4, func(ctx context.Context, _ int) {
		conn := t.dial(ctx, grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(2*largeBytes)))
		defer func() { _ = conn.Close() }()
		_, err := p4.NewP4RuntimeClient(conn).Write(ctx, request)
		t.heard(err)
		t.begins(4)
	})
}

// unfinishedMessages sends 100 messages by each of 10 connections, all of them without their last byte.
func unfinishedMessages(ctx context.Context, t *target) {
	together(ctx, 10, func(ctx context.Context, _ int) {
		t.begins(10)
		conn, err := t.connect(ctx)
		if err != nil {
			t.heard(err)
			pause(ctx)
			return
		}
		t.heard(sendUnfinished(ctx, conn, 100))
		_ = conn.Close()
	})
}

// connect makes a connection that speaks HTTP/2, by hand.
func (t *target) connect(ctx context.Context) (net.Conn, error) {
	conn, err := t.dialer().DialContext(ctx, "tcp", t.address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	if t.tls == nil {
		return conn, nil
	}
	config := t.tls.Clone()
	config.NextProtos = []string{"h2"}
	return tls.Client(conn, config), nil
}

// sendUnfinished returns when the connection breaks.
func sendUnfinished(ctx context.Context, conn net.Conn, streams uint32) error {
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		return err
	}
	framer := http2.NewFramer(conn, conn)
	if err := framer.WriteSettings(); err != nil {
		return err
	}
	window := newWindows()
	broken := make(chan error, 1)
	go func() { broken <- window.follow(framer) }()
	for number := range streams {
		if err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*number + 1, EndHeaders: true, BlockFragment: headers()}); err != nil {
			return err
		}
	}
	prefix := binary.BigEndian.AppendUint32([]byte{0}, belowLargeBytes)
	chunk := make([]byte, 16<<10)
	left := map[uint32]int{}
	for ctx.Err() == nil {
		sent := false
		for number := range streams {
			id := 2*number + 1
			if _, begun := left[id]; !begun {
				left[id] = belowLargeBytes - 1
				if err := framer.WriteData(id, false, prefix); err != nil {
					return err
				}
			}
			size := min(len(chunk), left[id])
			if size == 0 || !window.take(id, size) {
				continue
			}
			if err := framer.WriteData(id, false, chunk[:size]); err != nil {
				return err
			}
			left[id] -= size
			sent = true
		}
		if sent {
			continue
		}
		select {
		case err := <-broken:
			return err
		case <-window.news:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

func headers() []byte {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, field := range [][2]string{
		{":method", "POST"},
		{":scheme", "http"},
		{":path", p4.P4Runtime_Write_FullMethodName},
		{":authority", "agent"},
		{"content-type", "application/grpc"},
		{"te", "trailers"},
	} {
		if err := encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}); err != nil {
			fatal(err)
		}
	}
	return block.Bytes()
}

// manyStreams opens streams that say nothing, and keeps them.
func manyStreams(ctx context.Context, t *target) {
	together(ctx, 20, func(ctx context.Context, number int) {
		conn := t.dial(ctx)
		defer func() { _ = conn.Close() }()
		together(ctx, 500, func(ctx context.Context, _ int) {
			call, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			var stream grpc.ClientStream
			var err error
			if number%2 == 0 {
				stream, err = gpb.NewGNMIClient(conn).Subscribe(call)
			} else {
				stream, err = p4.NewP4RuntimeClient(conn).StreamChannel(call)
			}
			t.begins(20 * 500)
			if err == nil {
				err = stream.RecvMsg(new(gpb.SubscribeResponse)) // there will be none
			}
			t.heard(err)
			pause(ctx)
		})
	})
}

// manyConnections opens connections that speak HTTP/2 and ask for nothing.
func manyConnections(ctx context.Context, t *target) {
	t.connections(ctx, func(conn net.Conn) error {
		if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
			return err
		}
		framer := http2.NewFramer(conn, conn)
		if err := framer.WriteSettings(); err != nil {
			return err
		}
		for {
			frame, err := framer.ReadFrame()
			if err != nil {
				return err
			}
			if ping, ok := frame.(*http2.PingFrame); ok && !ping.IsAck() {
				if err := framer.WritePing(true, ping.Data); err != nil {
					return err
				}
			}
		}
	})
}

// silentConnections opens connections and never says a word.
func silentConnections(ctx context.Context, t *target) {
	t.connections(ctx, func(conn net.Conn) error {
		_, err := new(bytes.Buffer).ReadFrom(conn)
		return err
	})
}

func (t *target) connections(ctx context.Context, use func(net.Conn) error) {
	together(ctx, 2000, func(ctx context.Context, _ int) {
		conn, err := t.connect(ctx)
		t.begins(2000)
		if err == nil {
			err = use(conn)
			_ = conn.Close()
		}
		t.heard(err)
		pause(ctx)
	})
}
