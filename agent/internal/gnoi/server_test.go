// SPDX-License-Identifier: Apache-2.0

package gnoi

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	spb "github.com/openconfig/gnoi/system"
	tpb "github.com/openconfig/gnoi/types"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/echo"
)

// fake answers with the round trip times it has, and reports the requests that it received.
type fake struct {
	asked chan echo.Request
	times []time.Duration
	fails error
	hold  chan struct{}
}

func (f *fake) Ping(_ context.Context, r echo.Request, each func(echo.Reply) error) (int, error) {
	f.asked <- r
	if f.hold != nil {
		<-f.hold
	}
	for i, rtt := range f.times {
		if err := each(echo.Reply{Sequence: i + 1, Bytes: r.Size + 8, HopLimit: 60, RTT: rtt}); err != nil {
			return i, err
		}
	}
	return r.Count, f.fails
}

func client(t *testing.T, pinger Pinger) spb.SystemClient {
	t.Helper()
	listener, server := bufconn.Listen(1<<20), grpc.NewServer()
	spb.RegisterSystemServer(server, New(pinger))
	go func() { _ = server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:///node", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); server.Stop() })
	return spb.NewSystemClient(conn)
}

func ping(t *testing.T, c spb.SystemClient, r *spb.PingRequest) ([]*spb.PingResponse, error) {
	t.Helper()
	stream, err := c.Ping(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var all []*spb.PingResponse
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, response)
	}
}

func TestRepliesAreStreamedAndSummedUp(t *testing.T) {
	f := &fake{asked: make(chan echo.Request, 1), times: []time.Duration{100, 300, 200}}
	got, err := ping(t, client(t, f), &spb.PingRequest{Destination: "2001:db8::2", Source: "2001:db8::1", Count: 4, Interval: 5e6, Wait: 1e9, Size: 100})
	if err != nil || len(got) != 4 {
		t.Fatalf("Ping() = %v, %v; want three replies and a summary", got, err)
	}
	if r := got[1]; r.GetSequence() != 2 || r.GetTime() != 300 || r.GetBytes() != 108 || r.GetTtl() != 60 || r.GetSent() != 0 {
		t.Errorf("the second reply is %v", r)
	}
	s := got[3]
	if s.GetBytes() != 0 || s.GetSent() != 4 || s.GetReceived() != 3 || s.GetMinTime() != 100 || s.GetAvgTime() != 200 || s.GetMaxTime() != 300 || s.GetStdDev() != 81 {
		t.Errorf("the summary is %v", s)
	}
	want := echo.Request{Count: 4, Interval: 5 * time.Millisecond, Wait: time.Second, Size: 100}
	asked := <-f.asked
	want.Destination, want.Source = asked.Destination, asked.Source
	if asked != want || asked.Source.String() != "2001:db8::1" {
		t.Errorf("asked for %+v, want %+v", asked, want)
	}
}

func TestWhatIsLeftOutHasADefault(t *testing.T) {
	f := &fake{asked: make(chan echo.Request, 1)}
	if _, err := ping(t, client(t, f), &spb.PingRequest{Destination: "192.0.2.1", L3Protocol: tpb.L3Protocol_IPV4}); err != nil {
		t.Fatal(err)
	}
	if r := <-f.asked; r.Count != 5 || r.Interval != time.Second || r.Wait != 2*time.Second || r.Size != 56 || r.Source.IsValid() {
		t.Errorf("asked for %+v", r)
	}
}

func TestBadRequests(t *testing.T) {
	c := client(t, &fake{asked: make(chan echo.Request, 1)})
	for says, r := range map[string]*spb.PingRequest{
		`destination "" is no address`:            {},
		`destination "h31" is no address`:         {Destination: "h31"},
		`is to be an IPv6 or IPv4 address`:        {Destination: "fe80::1%eth0"},
		`source ::ffff:192.0.2.1 and`:             {Destination: "::1", Source: "::ffff:192.0.2.1"},
		`ff02::1 is no address of one host`:       {Destination: "ff02::1"},
		`source "x" is no address`:                {Destination: "::1", Source: "x"},
		`are of two families`:                     {Destination: "::1", Source: "192.0.2.1"},
		`l3protocol is IPV4, 2001:db8::1 is not`:  {Destination: "2001:db8::1", L3Protocol: tpb.L3Protocol_IPV4},
		`count is -1: it is 1 to 1000`:            {Destination: "::1", Count: -1},
		`count is 1001: it is 1 to 1000`:          {Destination: "::1", Count: 1001},
		`interval is 1ns: it is 1ms to 1m0s`:      {Destination: "::1", Interval: 1},
		`interval is -1ns`:                        {Destination: "::1", Interval: -1},
		`wait is 1m0.000000001s: it is at most`:   {Destination: "::1", Wait: 60e9 + 1},
		`a size of 7: it is 8 to 65507 bytes`:     {Destination: "::1", Size: 7},
		`a size of 65508: it is 8 to 65507 bytes`: {Destination: "::1", Size: 65508},
		`a size of -2147483648: it is 8 to`:       {Destination: "::1", Size: -1 << 31},
	} {
		_, err := ping(t, c, r)
		if status.Code(err) != codes.InvalidArgument || !strings.Contains(status.Convert(err).Message(), says) {
			t.Errorf("%v: %v, want %q", r, err, says)
		}
	}
	if _, err := ping(t, c, &spb.PingRequest{Destination: "::1", NetworkInstance: "blue"}); status.Code(err) != codes.Unimplemented {
		t.Errorf("another network instance: %v, want UNIMPLEMENTED", err)
	}
}

func TestADataPlaneSaysWhyNot(t *testing.T) {
	none := contract.Errorf(contract.FailedPrecondition, "no packet can be sent to ::1")
	if _, err := ping(t, client(t, &fake{asked: make(chan echo.Request, 1), fails: none}), &spb.PingRequest{Destination: "::1"}); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("%v, want FAILED_PRECONDITION", err)
	}
	if _, err := ping(t, client(t, nil), &spb.PingRequest{Destination: "::1"}); status.Code(err) != codes.Unimplemented {
		t.Errorf("%v, want UNIMPLEMENTED", err)
	}
	if _, err := client(t, nil).Reboot(t.Context(), &spb.RebootRequest{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("Reboot: %v, want UNIMPLEMENTED", err)
	}
}

func TestOnlySoManyRunAtATime(t *testing.T) {
	f := &fake{asked: make(chan echo.Request, atOnce), hold: make(chan struct{})}
	c := client(t, f)
	ended := make(chan error, atOnce)
	for range atOnce {
		go func() { _, err := ping(t, c, &spb.PingRequest{Destination: "::1"}); ended <- err }()
	}
	for range atOnce {
		<-f.asked
	}
	if _, err := ping(t, c, &spb.PingRequest{Destination: "::1"}); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("one too many: %v, want RESOURCE_EXHAUSTED", err)
	}
	close(f.hold)
	for range atOnce {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
