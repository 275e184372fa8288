// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/edge"
	"sextant/agent/internal/stamp"
)

// Neighbours are two nodes, port 1 of each on a link that takes time, port 2 of the first to a stranger:
//
//	stranger f2 ── p2 n p1 ── left [between] right ── p1 far
type neighbours struct {
	ns, far, stranger string
	n, other          *Node
	delay             *atomic.Int64 // of each frame on the link, in nanoseconds; negative: none arrives
	state             string
}

const (
	testInterval = 10 * time.Millisecond
	testWindow   = 200 * time.Millisecond
)

func newNeighbours(t testing.TB) *neighbours {
	t.Helper()
	needFeature(t, edge.FeatureName)
	g := &neighbours{ns: newNamespace(t, "n"), far: newNamespace(t, "far"), stranger: newNamespace(t, "s"), state: stateDir(t)}
	between := newNamespace(t, "between")
	wire(t, g.ns, "p1", between, "left")
	wire(t, g.far, "p1", between, "right")
	wire(t, g.ns, "p2", g.stranger, "f2")
	for _, one := range [][2]string{{g.ns, "p1"}, {g.far, "p1"}, {g.ns, "p2"}, {g.stranger, "f2"}} {
		in(t, one[0], "sysctl -qw net.ipv6.conf."+one[1]+".accept_dad=0")
	}
	g.delay = slowed(t, between, "left", "right")
	g.n = open(t, Options{
		NetNS: g.ns, Ports: gatewayPorts(), StateDir: g.state, MeasureDelay: testInterval, delayWindow: testWindow,
	})
	g.other = open(t, Options{
		NetNS: g.far, Ports: map[contract.PortID]string{1: "p1"}, StateDir: stateDir(t), MeasureDelay: testInterval, delayWindow: testWindow,
	})
	return g
}

func (g *neighbours) internal(t testing.TB) {
	t.Helper()
	for _, n := range []*Node{g.n, g.other} {
		mustApply(t, n, insert(contract.EdgePort{Port: 1}))
	}
}

// slowed passes frames on between two interfaces, after the given delay. It loses those to a port that is down.
func slowed(t testing.TB, ns, left, right string) *atomic.Int64 {
	t.Helper()
	delay := new(atomic.Int64)
	var running sync.WaitGroup
	var closing atomic.Bool
	var pending sync.WaitGroup
	for _, way := range [][2]string{{left, right}, {right, left}} {
		from := packets(t, ns, way[0])
		try, done := frameSocket(t, ns, way[1])
		running.Go(func() {
			for buf := make([]byte, 2048); !closing.Load(); {
				n, sender, err := unix.Recvfrom(from, buf, 0)
				link, is := sender.(*unix.SockaddrLinklayer)
				if err != nil || !is || link.Pkttype == unix.PACKET_OUTGOING || delay.Load() < 0 {
					continue // also the time-out, which looks for the end
				}
				frame := append([]byte(nil), buf[:n]...)
				pending.Add(1)
				time.AfterFunc(time.Duration(delay.Load()), func() {
					defer pending.Done()
					if !closing.Load() {
						_ = try(frame)
					}
				})
			}
		})
		t.Cleanup(func() {
			closing.Store(true)
			running.Wait()
			pending.Wait()
			done()
			_ = unix.Close(from)
		})
	}
	return delay
}

func packets(t testing.TB, ns, name string) (fd int) {
	t.Helper()
	handle, link := interfaceOf(t, ns, name)
	defer handle.Close()
	err := namespace{handle: handle, name: ns}.do(func() (err error) {
		if fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0); err != nil {
			return err
		}
		if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 50_000}); err != nil {
			return err
		}
		return unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: unix.ETH_P_ALL << 8, Ifindex: link.Attrs().Index})
	})
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

func measured(n *Node, port contract.PortID) (contract.LinkDelay, bool) {
	for _, d := range n.LinkDelays() {
		if d.Port == port {
			return d, true
		}
	}
	return contract.LinkDelay{}, false
}

// tells waits for a window that has the wanted values.
func tells(t testing.TB, n *Node, what string, want func(contract.LinkDelay) bool) contract.LinkDelay {
	t.Helper()
	var got contract.LinkDelay
	eventually(t, what, func() bool {
		d, there := measured(n, 1)
		got = d
		return there && want(d)
	})
	return got
}

func TestTheDelayOfALinkIsMeasuredFromBothItsEnds(t *testing.T) {
	g := newNeighbours(t)
	g.internal(t)
	for _, n := range []*Node{g.n, g.other} {
		d := tells(t, n, "a window with a delay", func(d contract.LinkDelay) bool { return d.Delay != nil })
		if d.Sent != d.Received+d.Lost || d.Received == 0 || d.Delay.Min > d.Delay.Avg || d.Delay.Avg > d.Delay.Max {
			t.Errorf("figures that do not fit: %+v %+v", d, d.Delay)
		}
	}
	g.delay.Store(int64(20 * time.Millisecond))
	for _, n := range []*Node{g.n, g.other} {
		tells(t, n, "the link is slow", func(d contract.LinkDelay) bool { return d.Delay != nil && d.Delay.Min >= 20*time.Millisecond })
	}
	g.delay.Store(0)
	tells(t, g.n, "it is fast again", func(d contract.LinkDelay) bool { return d.Delay != nil && d.Delay.Min < 20*time.Millisecond })
}

func TestWhatIsLostOnALinkIsToldAndIsNoDelay(t *testing.T) {
	g := newNeighbours(t)
	g.internal(t)
	tells(t, g.n, "a window with a delay", func(d contract.LinkDelay) bool { return d.Delay != nil })
	g.delay.Store(-1)
	lost := tells(t, g.n, "all is lost", func(d contract.LinkDelay) bool { return d.Delay == nil && d.Lost > 0 })
	if lost.Received != 0 || lost.Sent != lost.Lost {
		t.Errorf("got %+v", lost)
	}
}

func TestWindowsAreNumberedAndTold(t *testing.T) {
	g := newNeighbours(t)
	told := make(chan struct{}, 1)
	defer g.n.LinkDelayChanges(func() {
		select {
		case told <- struct{}{}:
		default:
		}
	})()
	g.internal(t)
	var last uint64
	for range 3 {
		select {
		case <-told:
		case <-time.After(time.Minute):
			t.Fatal("no window was told in a minute")
		}
		if d, there := measured(g.n, 1); there {
			if d.Window < last {
				t.Errorf("window %d comes after %d", d.Window, last)
			}
			last = d.Window
		}
	}
}

// A visitor has a UDP socket on the link of a port.
type visitor struct {
	fd, index int
}

func visit(t testing.TB, ns, name string, hops int) *visitor {
	t.Helper()
	handle, link := interfaceOf(t, ns, name)
	defer handle.Close()
	v := &visitor{index: link.Attrs().Index}
	err := namespace{handle: handle, name: ns}.do(func() (err error) {
		v.fd, err = unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(v.fd) })
	for _, option := range [][3]int{
		{unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_HOPS, hops},
		{unix.IPPROTO_IPV6, unix.IPV6_UNICAST_HOPS, hops},
		{unix.SOL_SOCKET, unix.SO_BINDTOIFINDEX, v.index},
	} {
		if err := unix.SetsockoptInt(v.fd, option[0], option[1], option[2]); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.SetsockoptTimeval(v.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 200_000}); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *visitor) send(t testing.TB, to string, payload []byte) {
	t.Helper()
	eventually(t, "a packet leaves", func() bool { // while an address is tentative none does
		return unix.Sendto(v.fd, payload, 0, &unix.SockaddrInet6{Addr: netip.MustParseAddr(to).As16(), Port: stamp.Port, ZoneId: uint32(v.index)}) == nil
	})
}

// answered is the number of the next answer, which must be one of a reflector.
func (v *visitor) answered(t testing.TB) (number uint32, ok bool) {
	t.Helper()
	buf := make([]byte, 256)
	n, from, err := unix.Recvfrom(v.fd, buf, 0)
	if err != nil {
		return 0, false
	}
	if at, is := from.(*unix.SockaddrInet6); !is || at.Port != stamp.Port || !netip.AddrFrom16(at.Addr).IsLinkLocalUnicast() {
		t.Errorf("it comes from %+v", from)
	}
	r, ok := stamp.ParseReflection(buf[:n])
	if !ok {
		t.Fatalf("no reflection: %x", buf[:n])
	}
	return r.Number, true
}

func test(number uint32) []byte { return stamp.Test(number, stamp.TimestampOf(time.Now())) }

func TestOnlyTestPacketsOfTheLinkItselfAreReflected(t *testing.T) {
	g := newNeighbours(t)
	mustApply(t, g.n, insert(contract.EdgePort{Port: 2}))
	in(t, g.stranger, "ip addr add 2001:db8:9::1/64 dev f2 nodad")
	near, far := visit(t, g.stranger, "f2", 255), visit(t, g.stranger, "f2", 64)
	global := visit(t, g.stranger, "f2", 255)
	if err := unix.Bind(global.fd, &unix.SockaddrInet6{Addr: netip.MustParseAddr("2001:db8:9::1").As16()}); err != nil {
		t.Fatal(err)
	}
	const everybody = "ff02::1"
	reaches := func(number uint32) { // again and again, as the node may have no address yet
		t.Helper()
		eventually(t, fmt.Sprintf("%d is answered", number), func() bool {
			near.send(t, everybody, test(number))
			got, ok := near.answered(t)
			if ok && got != number && got != 1 {
				t.Fatalf("%d is answered", got)
			}
			return ok && got == number
		})
	}
	reaches(1)
	far.send(t, everybody, test(2))                // over a router, as far as is known
	global.send(t, everybody, test(3))             // an address that may be anywhere
	near.send(t, everybody, append(test(4), 0, 0)) // longer than a test packet
	near.send(t, everybody, test(5)[:10])          // shorter
	near.send(t, "ff02::2", test(6))               // to routers only
	reaches(7)
	for _, v := range []*visitor{far, global} {
		if number, ok := v.answered(t); ok {
			t.Errorf("%d is answered", number)
		}
	}
}

func TestAPortThatIsNotInternalNeitherSendsNorReflects(t *testing.T) {
	g := newNeighbours(t)
	heard := listen(t, g.stranger, "f2")
	v := visit(t, g.stranger, "f2", 255)
	for _, role := range []string{"none", "external"} {
		if role == "external" {
			mustApply(t, g.n, insert(contract.EdgePort{Port: 2, External: true, DropSRH: true}))
		}
		v.send(t, "ff02::1", test(1))
		g.internalOnce(t)
		tells(t, g.n, "the other port is measured", func(d contract.LinkDelay) bool { return d.Delay != nil })
		if number, ok := v.answered(t); ok {
			t.Errorf("role %s: %d is answered", role, number)
		}
		if _, there := measured(g.n, 2); there {
			t.Errorf("role %s: the port is measured", role)
		}
	}
	own := in(t, g.stranger, "ip -6 -o addr show dev f2")
	sent := func(p packet) bool {
		return p.dst == netip.MustParseAddr("ff02::1") && p.innerProto == unix.IPPROTO_UDP && !strings.Contains(own, " "+p.src.String()+"/")
	}
	if got := heard.all(sent); len(got) != 0 {
		t.Errorf("it sends %v", got)
	}
}

// internalOnce makes port 1 internal, also if it is.
func (g *neighbours) internalOnce(t testing.TB) {
	t.Helper()
	if len(stored(t, g.n, contract.TableEdgePort)) == 0 || len(stored(t, g.other, contract.TableEdgePort)) == 0 {
		g.internal(t)
	}
}

func TestMeasuringFollowsTheRolesAndStatesOfPorts(t *testing.T) {
	g := newNeighbours(t)
	g.internal(t)
	has := func() bool { _, there := measured(g.n, 1); return there }
	eventually(t, "it is measured", has)
	run(t, "ip", "-n", g.ns, "link", "set", "p1", "down")
	eventually(t, "a port that is down is not measured", func() bool { return !has() })
	run(t, "ip", "-n", g.ns, "link", "set", "p1", "up")
	tells(t, g.n, "it is measured again", func(d contract.LinkDelay) bool { return d.Delay != nil })
	mustApply(t, g.n, modify(contract.EdgePort{Port: 1, External: true}))
	if has() {
		t.Error("a port that has become external is measured")
	}
	mustApply(t, g.n, modify(contract.EdgePort{Port: 1}))
	tells(t, g.n, "it is internal again", func(d contract.LinkDelay) bool { return d.Delay != nil })
	mustApply(t, g.n, remove(contract.EdgePort{Port: 1}))
	if has() {
		t.Error("a port without a role is measured")
	}
}

func TestAnotherAgentGoesOnMeasuring(t *testing.T) {
	g := newNeighbours(t)
	g.internal(t)
	tells(t, g.n, "it is measured", func(d contract.LinkDelay) bool { return d.Delay != nil })
	if err := g.n.Close(); err != nil {
		t.Fatal(err)
	}
	n := open(t, Options{NetNS: g.ns, Ports: gatewayPorts(), StateDir: g.state, MeasureDelay: testInterval, delayWindow: testWindow})
	tells(t, n, "the next agent measures", func(d contract.LinkDelay) bool { return d.Delay != nil })
}

func TestANodeThatDoesNotMeasureHasNoSocketForIt(t *testing.T) {
	needFeature(t, edge.FeatureName)
	n, ns := oneNode(t)
	mustApply(t, n, insert(contract.EdgePort{Port: 1}, contract.EdgePort{Port: 2}))
	if got := in(t, ns, "cat /proc/net/raw6"); strings.Contains(got, ":0011 ") {
		t.Errorf("a raw socket has UDP:\n%s", got)
	}
	if got := in(t, ns, "cat /proc/net/udp6"); strings.Count(got, "\n") != 1 { // the heading
		t.Errorf("a UDP socket is there:\n%s", got)
	}
	if got := fmt.Sprint(n.LinkDelays()); got != "[]" {
		t.Errorf("it tells %s", got)
	}
	n.LinkDelayChanges(func() {})()
}
