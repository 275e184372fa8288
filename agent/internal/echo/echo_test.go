// SPDX-License-Identifier: Apache-2.0

package echo

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netns"
	"golang.org/x/net/icmp"
	"golang.org/x/net/ipv6"

	"sextant/agent/internal/contract"
)

func sh(t *testing.T, line string) {
	t.Helper()
	if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// twoHosts gives the namespace of the first of two hosts on one link: 2001:db8::1 and ::2, 192.0.2.1 and .2.
func twoHosts(t *testing.T) netns.NsHandle {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to make network namespaces; run: sudo go test ./internal/echo")
	}
	a, b := fmt.Sprintf("sxe-%d-a", os.Getpid()), fmt.Sprintf("sxe-%d-b", os.Getpid())
	for _, name := range []string{a, b} {
		sh(t, "ip netns add "+name)
		t.Cleanup(func() { sh(t, "ip netns del "+name) })
	}
	sh(t, fmt.Sprintf("ip link add x netns %s type veth peer name x netns %s", a, b))
	for i, name := range []string{a, b} {
		sh(t, fmt.Sprintf("ip -n %s link set x up; ip -n %[1]s link set lo up", name))
		sh(t, fmt.Sprintf("ip -n %s address add 2001:db8::%d/64 dev x nodad; ip -n %[1]s address add 192.0.2.%[2]d/24 dev x", name, i+1))
	}
	handle, err := netns.GetFromName(a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

func request(destination string) Request {
	return Request{
		Destination: netip.MustParseAddr(destination), Count: 3, Size: 56, Interval: time.Millisecond, Wait: 10 * time.Second,
	}
}

func collect(t *testing.T, ns netns.NsHandle, r Request) (int, []Reply) {
	t.Helper()
	var replies []Reply
	sent, err := Send(t.Context(), int(ns), r, func(reply Reply) error { replies = append(replies, reply); return nil })
	if err != nil {
		t.Fatalf("Send(%+v) = %v", r, err)
	}
	return sent, replies
}

func TestAHostAnswers(t *testing.T) {
	ns := twoHosts(t)
	for _, ends := range [][2]string{{"2001:db8::1", "2001:db8::2"}, {"192.0.2.1", "192.0.2.2"}} {
		for _, size := range []int{MinSize, 56, 1400} {
			r := request(ends[1])
			r.Source, r.Size, r.DontFragment = netip.MustParseAddr(ends[0]), size, true
			sent, replies := collect(t, ns, r)
			if sent != 3 || len(replies) != 3 {
				t.Errorf("%s, %d bytes: %d sent, %d answered; want 3 and 3", ends[1], size, sent, len(replies))
			}
			for i, reply := range replies {
				if reply.Sequence != i+1 || reply.Bytes != size+8 || reply.HopLimit != 64 || reply.RTT <= 0 || reply.RTT > time.Second {
					t.Errorf("%s: reply %d is %+v", ends[1], i, reply)
				}
			}
		}
	}
}

func TestSilenceIsWaitedForAsLongAsWasSaid(t *testing.T) {
	ns := twoHosts(t)
	r := request("2001:db8::3")
	r.Wait = 20 * time.Millisecond
	if sent, replies := collect(t, ns, r); sent != 3 || len(replies) != 0 {
		t.Errorf("%d sent, %d answered; want 3 and 0", sent, len(replies))
	}
}

func TestWhatCannotBeSentIsSaid(t *testing.T) {
	ns := twoHosts(t)
	foreign, nowhere, large := request("2001:db8::2"), request("2001:db9::1"), request("192.0.2.2")
	foreign.Source = netip.MustParseAddr("2001:db8::77")
	large.Size, large.DontFragment = 3000, true
	for _, c := range []struct {
		name    string
		request Request
		code    contract.Code
		says    string
	}{
		{"the source is somebody else's", foreign, contract.InvalidArgument, "2001:db8::77 is no address of this node"},
		{"there is no route", nowhere, contract.FailedPrecondition, "network is unreachable"},
		{"larger than the link takes", large, contract.FailedPrecondition, "message too long"},
	} {
		sent, err := Send(t.Context(), int(ns), c.request, func(Reply) error { return nil })
		var e *contract.Error
		if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(err.Error(), c.says) || sent != 0 {
			t.Errorf("%s: %d sent, %v; want %q", c.name, sent, err, c.says)
		}
	}
}

func TestWhoGaveUpIsNotServedOn(t *testing.T) {
	ns := twoHosts(t)
	r := request("2001:db8::3")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Send(ctx, int(ns), r, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Send() = %v, want that it was canceled", err)
	}
	gaveUp := errors.New("the client is gone")
	if _, err := Send(t.Context(), int(ns), request("2001:db8::2"), func(Reply) error { return gaveUp }); !errors.Is(err, gaveUp) {
		t.Errorf("Send() = %v, want what the receiver said", err)
	}
}

func TestOnlyTheFirstReplyToARequestOfOursCounts(t *testing.T) {
	sending := &run{request: request("2001:db8::2"), mark: [10]byte{1, 2, 3, 4, 5, 6, 7, 8, 0xab, 0xcd}, sent: map[int]time.Time{1: time.Now()}}
	reply := func(kind icmp.Type, id, sequence int, data ...byte) packet {
		message, err := (&icmp.Message{Type: kind, Body: &icmp.Echo{ID: id, Seq: sequence, Data: data}}).Marshal(nil)
		if err != nil {
			t.Fatal(err)
		}
		return packet{message: message, at: time.Now()}
	}
	own := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for name, foreign := range map[string]packet{
		"another identifier": reply(ipv6.ICMPTypeEchoReply, 1, 1, own...),
		"another payload":    reply(ipv6.ICMPTypeEchoReply, 0xabcd, 1, 8, 7, 6, 5, 4, 3, 2, 1),
		"a short payload":    reply(ipv6.ICMPTypeEchoReply, 0xabcd, 1, 1, 2),
		"never asked":        reply(ipv6.ICMPTypeEchoReply, 0xabcd, 2, own...),
		"a request":          reply(ipv6.ICMPTypeEchoRequest, 0xabcd, 1, own...),
		"cut off":            {message: []byte{129, 0, 0}},
	} {
		if _, ours := sending.take(foreign); ours {
			t.Errorf("%s was taken for a reply", name)
		}
	}
	first := reply(ipv6.ICMPTypeEchoReply, 0xabcd, 1, own...)
	if _, ours := sending.take(first); !ours {
		t.Error("the reply was not taken")
	}
	if _, ours := sending.take(first); ours {
		t.Error("the reply was taken twice")
	}
}
