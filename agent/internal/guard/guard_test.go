// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"context"
	"encoding/binary"
	"net"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/guard"
)

const patience = 10 * time.Second

// talkative sends 64 KiB to a client as often as it can, and answers a Get with nothing.
type talkative struct {
	gpb.UnimplementedGNMIServer
	began chan struct{}
	ended chan error
}

func (s *talkative) Subscribe(stream gpb.GNMI_SubscribeServer) error {
	if _, err := stream.Recv(); err != nil {
		return err
	}
	s.began <- struct{}{}
	message := &gpb.SubscribeResponse{Response: &gpb.SubscribeResponse_Update{Update: &gpb.Notification{
		Prefix: &gpb.Path{Target: string(make([]byte, 64<<10))},
	}}}
	for {
		if err := stream.Send(message); err != nil {
			s.ended <- err
			return err
		}
	}
}

func (s *talkative) Get(context.Context, *gpb.GetRequest) (*gpb.GetResponse, error) {
	return new(gpb.GetResponse), nil
}

// served is the address of a server that keeps limits.
func served(t *testing.T, change func(*guard.Limits)) (string, *talkative) {
	t.Helper()
	limits := guard.DefaultLimits()
	change(&limits)
	service := &talkative{began: make(chan struct{}, 100), ended: make(chan error, 100)}
	g := grpc.NewServer(guard.New(limits).Options(insecure.NewCredentials())...)
	gpb.RegisterGNMIServer(g, service)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- g.Serve(listener) }()
	t.Cleanup(func() {
		g.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String(), service
}

func dial(t *testing.T, address string) gpb.GNMIClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return gpb.NewGNMIClient(conn)
}

// deaf subscribes and reads nothing.
func deaf(t *testing.T, client gpb.GNMIClient) gpb.GNMI_SubscribeClient {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	stream, err := client.Subscribe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_ = stream.Send(new(gpb.SubscribeRequest)) // the result is in the received message
	return stream
}

func get(client gpb.GNMIClient) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := client.Get(ctx, new(gpb.GetRequest), grpc.WaitForReady(true))
	return err
}

func wantCode(t *testing.T, err error, want codes.Code) {
	t.Helper()
	if status.Code(err) != want {
		t.Errorf("got %v, want %v", err, want)
	}
}

func TestWhoHasAllCallsLeavesOthersTheirs(t *testing.T) {
	address, service := served(t, func(l *guard.Limits) { l.Calls = guard.Limit{All: 4, Each: 4, Always: 1} })
	greedy, other := dial(t, address), dial(t, address)
	for range 4 {
		deaf(t, greedy)
		<-service.began
	}
	wantCode(t, get(greedy), codes.ResourceExhausted)
	wantCode(t, get(other), codes.OK)
	deaf(t, other)
	<-service.began
	wantCode(t, get(other), codes.ResourceExhausted)
}

func TestAMethodHasLimitsOfItsOwn(t *testing.T) {
	address, service := served(t, func(l *guard.Limits) {
		l.Methods = map[string]guard.Limit{gpb.GNMI_Subscribe_FullMethodName: {All: 1, Each: 1}}
	})
	client := dial(t, address)
	deaf(t, client)
	<-service.began
	_, err := deaf(t, client).Recv()
	wantCode(t, err, codes.ResourceExhausted)
	wantCode(t, get(client), codes.OK)
}

func TestWhatIsLeftUnreadEndsItsCall(t *testing.T) {
	address, service := served(t, func(l *guard.Limits) { l.Patience = 100 * time.Millisecond })
	client := dial(t, address)
	stream := deaf(t, client)
	<-service.began
	select {
	case <-service.ended:
	case <-time.After(patience):
		t.Fatal("the call goes on for ever")
	}
	var err error
	for err == nil { // the messages sent before
		_, err = stream.Recv()
	}
	wantCode(t, err, codes.ResourceExhausted)
	wantCode(t, get(client), codes.OK)
}

func TestACallWithoutARequestEnds(t *testing.T) {
	address, _ := served(t, func(l *guard.Limits) { l.Patience = 100 * time.Millisecond })
	stream, err := dial(t, address).Subscribe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = stream.Recv()
	wantCode(t, err, codes.ResourceExhausted)
}

func TestACallGoesOnThatIsQuiet(t *testing.T) {
	address, service := served(t, func(l *guard.Limits) { l.Patience = 300 * time.Millisecond })
	stream := deaf(t, dial(t, address))
	<-service.began
	until := time.Now().Add(time.Second)
	for time.Now().Before(until) {
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestANewConnectionTakesThePlaceOfOneThatNobodyUses(t *testing.T) {
	address, service := served(t, func(l *guard.Limits) { l.Connections = 3 })
	used := deaf(t, dial(t, address))
	<-service.began
	idle := [2]net.Conn{connect(t, address), connect(t, address)}
	for _, c := range idle { // the server has them
		if _, err := http2.NewFramer(c, c).ReadFrame(); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, get(dial(t, address)), codes.OK)
	closed := make(chan bool, len(idle))
	for _, c := range idle {
		go func() {
			await(t, c)
			closed <- true
		}()
	}
	<-closed
	if _, err := used.Recv(); err != nil {
		t.Errorf("the connection with a call was closed: %v", err)
	}
}

func TestAMachineWithManyConnectionsTakesNobodyElsesPlace(t *testing.T) {
	address, _ := served(t, func(l *guard.Limits) { l.Connections = 4 })
	other := connectFrom(t, "127.0.0.1", address) // the oldest of all
	for range 10 {
		c := connectFrom(t, "127.0.0.66", address)
		if _, err := http2.NewFramer(c, c).ReadFrame(); err != nil {
			t.Fatal(err)
		}
	}
	framer := http2.NewFramer(other, other)
	if err := framer.WritePing(false, [8]byte{1}); err != nil {
		t.Fatal(err)
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			t.Fatalf("the connection was closed: %v", err)
		}
		if ping, ok := frame.(*http2.PingFrame); ok && ping.IsAck() {
			return
		}
	}
}

// connect makes a connection by hand that has sent its preface.
func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	return connectFrom(t, "127.0.0.1", address)
}

func connectFrom(t *testing.T, source, address string) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(source)}}).Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	if err := http2.NewFramer(c, c).WriteSettings(); err != nil {
		t.Fatal(err)
	}
	return c
}

// await returns when the server closed the connection.
func await(t *testing.T, c net.Conn) {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	for framer := http2.NewFramer(c, c); ; {
		_, err := framer.ReadFrame()
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() { //nolint:errorlint // as Read returns it
			t.Fatal("the connection is still open")
		}
		if err != nil {
			return
		}
	}
}

func TestMessagesWithoutAnEndCloseTheirConnection(t *testing.T) {
	for name, limit := range map[string]guard.Limit{
		"of one":  {All: 1 << 30, Each: 40_000, Always: 1000},
		"of all":  {All: 40_000, Each: 1 << 30, Always: 1000},
		"neither": {All: 1 << 30, Each: 1 << 30},
	} {
		t.Run(name, func(t *testing.T) {
			address, _ := served(t, func(l *guard.Limits) { l.UnfinishedBytes = limit })
			c := connect(t, address)
			framer := http2.NewFramer(c, c)
			for stream := uint32(1); stream < 7; stream += 2 {
				begin := binary.BigEndian.AppendUint32([]byte{0}, 20_000)
				if err := framer.WriteData(stream, false, append(begin, make([]byte, 16_000)...)); err != nil {
					return // it is closed
				}
			}
			if name != "neither" {
				await(t, c)
			}
			wantCode(t, get(dial(t, address)), codes.OK)
		})
	}
}

func TestDataWithPaddingClosesItsConnection(t *testing.T) {
	address, _ := served(t, func(*guard.Limits) {})
	c := connect(t, address)
	if err := http2.NewFramer(c, c).WriteDataPadded(1, false, []byte("message"), make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	await(t, c)
}
