// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

func TestRowsComeBackWithTheirPort(t *testing.T) {
	n, ns := oneNode(t)
	mustApply(t, n, insert(everyRow(ns)...))
	all := stored(t, n, "")
	routes := func() string {
		return in(t, ns, "ip -6 route show table all proto 200; ip route show table all proto 200; ip neigh show nud permanent")
	}
	before := routes()
	for range 2 {
		if err := n.SetPortEnabled(context.Background(), "p1", false); err != nil {
			t.Fatal(err)
		}
		if got := stored(t, n, ""); !slices.Equal(got, all) {
			t.Errorf("while the port is down the rows are\n%s\nwant them all to wait", strings.Join(got, "\n"))
		}
		if ecmp := in(t, ns, "ip -6 route get fcbb:bbbb:300::1"); !strings.Contains(ecmp, "dev p2") {
			t.Errorf("while p1 is down ECMP takes %s", ecmp)
		}
		if alone := in(t, ns, "ip -6 route get fcbb:bbbb:200::1"); strings.Contains(alone, "dev p1") {
			t.Errorf("while p1 is down a route takes %s", alone)
		}
		in(t, ns, "ip link set p1 up") // as another program does it
		eventually(t, "the kernel holds what it held before", func() bool { return sameLines(routes(), before) })
		if got := stored(t, n, ""); !slices.Equal(got, all) {
			t.Errorf("after the port returned: rows\n%s", strings.Join(got, "\n"))
		}
	}
}

func sameLines(a, b string) bool {
	split := func(s string) []string { l := strings.Split(s, "\n"); slices.Sort(l); return l }
	return slices.Equal(split(a), split(b))
}

func TestALinkWithoutCarrierAttractsNoTraffic(t *testing.T) {
	b := newBench(t)
	mustApply(t, b.n, insert(via("fcbb:bbbb:300::/44", 1, 2), via("10.4.0.0/16", 1, 2)))
	all := stored(t, b.n, "")
	devices := func() string {
		var seen []string
		for i := range 8 {
			for _, dst := range []string{fmt.Sprintf("fcbb:bbbb:300::%d", i), fmt.Sprintf("10.4.0.%d", i)} {
				fields := strings.Fields(in(t, b.ns, "ip route get "+dst))
				seen = append(seen, fields[slices.Index(fields, "dev")+1])
			}
		}
		slices.Sort(seen)
		return strings.Join(slices.Compact(seen), " ")
	}
	if got := devices(); got != "p1 p2" {
		t.Errorf("with both links up, 16 flows take %s", got)
	}
	in(t, b.far, "ip link set f1 down")
	eventually(t, "all flows take p2", func() bool { return devices() == "p2" })
	if got := stored(t, b.n, ""); !slices.Equal(got, all) {
		t.Errorf("rows without carrier %v, want %v", got, all)
	}
	in(t, b.far, "ip link set f1 up")
	eventually(t, "both links are used again", func() bool { return devices() == "p1 p2" })
}

func TestRowsMayBeWrittenWhileTheirPortIsDown(t *testing.T) {
	n, ns := oneNode(t)
	if err := n.SetPortEnabled(context.Background(), "p1", false); err != nil {
		t.Fatal(err)
	}
	mustApply(t, n, insert(hop(ns, 1, 1), hop(ns, 2, 2), via("fd00:5::/64", 1), via("fd00:6::/64", 1, 2)))
	if err := n.SetPortEnabled(context.Background(), "p1", true); err != nil {
		t.Fatal(err)
	}
	got := in(t, ns, "ip -6 route show fd00:5::/64; ip -6 route show fd00:6::/64")
	if strings.Count(got, "dev p1") != 2 || strings.Count(got, "dev p2") != 1 {
		t.Errorf("routes after the port came up:\n%s", got)
	}
}

func TestAPortThatIsDeletedAndMadeAgainGetsItsRowsBack(t *testing.T) {
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	n := openNode(t, ns, t.TempDir(), map[contract.PortID]string{1: "p1"})
	mustApply(t, n, insert(hop(ns, 1, 1), via("fd00:5::/64", 1)))
	in(t, ns, "ip link del p1")
	eventually(t, "the port is gone", func() bool {
		ports, err := n.Ports(context.Background())
		return err == nil && ports[0].Index == 0 && !ports[0].Up
	})
	if got := stored(t, n, ""); len(got) != 2 {
		t.Errorf("rows %v, want both to wait", got)
	}
	wire(t, ns, "p1", far, "f1")
	eventually(t, "the route is back", func() bool { return strings.Contains(in(t, ns, "ip -6 route show fd00:5::/64"), "dev p1") })
	if got := in(t, ns, "cat /proc/sys/net/ipv6/conf/p1/ignore_routes_with_linkdown"); strings.TrimSpace(got) != "1" {
		t.Errorf("ignore_routes_with_linkdown of the new interface is %s", got)
	}
}

func TestWatchersHearOfPortsAndEndWithTheirContext(t *testing.T) {
	n, ns := oneNode(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changes, err := n.WatchPorts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	next := func(what string, want func(contract.Port) bool) {
		t.Helper()
		timeout := time.NewTimer(10 * time.Second)
		defer timeout.Stop()
		for {
			select {
			case p := <-changes:
				if want(p) {
					return
				}
			case <-timeout.C:
				t.Fatalf("waited 10 s in vain: %s", what)
			}
		}
	}
	in(t, ns, "ip link set p2 down")
	next("p2 is disabled", func(p contract.Port) bool { return p.ID == 2 && !p.Enabled && !p.Up })
	in(t, ns, "ip link set p2 up")
	next("p2 is up", func(p contract.Port) bool { return p.ID == 2 && p.Enabled && p.Up })
	in(t, ns, "ip link set p1 mtu 1400")
	next("p1 has another MTU", func(p contract.Port) bool { return p.ID == 1 && p.MTUBytes == 1400 })
	if got := in(t, ns, "ip link show sextant1"); !strings.Contains(got, "mtu 1400") {
		t.Errorf("the tunnel device keeps its MTU: %s", got)
	}
	cancel()
	eventually(t, "the channel is closed", func() bool {
		select {
		case _, open := <-changes:
			return !open
		default:
			return false
		}
	})
}

func TestPortsAreDescribed(t *testing.T) {
	n, ns := oneNode(t)
	in(t, ns, "ip addr add fd00:7::1/64 dev p1 nodad; ip addr add 10.7.0.1/24 dev p1")
	ports, err := n.Ports(context.Background())
	if err != nil || len(ports) != 2 {
		t.Fatalf("Ports = %v, %v", ports, err)
	}
	p := ports[0]
	if p.ID != 1 || p.Name != "p1" || p.MAC != mac(ns, "p1") || p.MTUBytes != 1500 || !p.Enabled || !p.Up || p.Index == 0 {
		t.Errorf("port %+v", p)
	}
	if p.Speed != (contract.PortSpeed{}) {
		t.Errorf("a veth says that it is as fast as %+v, which the kernel makes up", p.Speed)
	}
	if !slices.Contains(p.Addresses, px("fd00:7::1/64")) || !slices.Contains(p.Addresses, px("10.7.0.1/24")) {
		t.Errorf("addresses %v", p.Addresses)
	}
	if err := n.SetPortEnabled(context.Background(), "lo", false); err == nil || !strings.Contains(err.Error(), "not a port") {
		t.Errorf("SetPortEnabled(lo) = %v", err)
	}
}

func TestPuntedAndSentFrames(t *testing.T) {
	b := newBench(t)
	lldp := append(append([]byte{0x01, 0x80, 0xc2, 0, 0, 0x0e}, 2, 0, 0, 0, 0, 9), 0x88, 0xcc, 1, 2, 3, 4)
	other := append(append([]byte{0x01, 0x80, 0xc2, 0, 0, 0x0e}, 2, 0, 0, 0, 0, 9), 0x88, 0xb5, 1, 2, 3, 4)
	any := contract.Punt{Priority: 10, EtherType: contract.Masked(0x88cc, 0xffff)}
	onTwo := contract.Punt{Priority: 20, EtherType: contract.Masked(0x88cc, 0xffff), InPort: contract.Masked(2, 0x1ff)}
	received := func() contract.Packet {
		t.Helper()
		timeout := time.NewTimer(10 * time.Second)
		defer timeout.Stop()
		select {
		case p := <-b.n.Packets():
			return p
		case <-timeout.C:
			t.Fatal("waited 10 s in vain for a punted frame")
			return contract.Packet{}
		}
	}
	mustApply(t, b.n, insert(any, onTwo))
	sendFrame(t, b.far, "f2", other) // selected by nothing
	sendFrame(t, b.far, "f2", lldp)
	if p := received(); p.InPort != 2 || !bytes.Equal(p.Frame, lldp) {
		t.Errorf("punted %+v", p)
	}
	mustApply(t, b.n, remove(any))
	sendFrame(t, b.far, "f1", lldp) // no longer selected
	sendFrame(t, b.far, "f2", lldp)
	if p := received(); p.InPort != 2 {
		t.Errorf("punted from port %d, want only 2", p.InPort)
	}
	if got := len(b.n.Packets()); got != 0 {
		t.Errorf("%d more frames were punted, although two rows select the same one", got)
	}

	if err := b.n.Send(context.Background(), 2, frame(mac(b.far, "f2"), mac(b.ns, "p2"), probe6("fd00:1::2", "fd00:66::1"))); err != nil {
		t.Fatal(err)
	}
	b.out.first(t, "the frame that was sent", func(p packet) bool { return p.dst == ad("fd00:66::1") })
	for port, part := range map[contract.PortID]string{7: "not a port"} {
		if err := b.n.Send(context.Background(), port, lldp); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Send to port %d = %v", port, err)
		}
	}
	if err := b.n.Send(context.Background(), 1, []byte{1}); err == nil || !strings.Contains(err.Error(), "no Ethernet frame") {
		t.Errorf("Send of a byte = %v", err)
	}
}
