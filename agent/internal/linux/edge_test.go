// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/edge"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/mobile"
	"sextant/agent/internal/sera"
)

// A border has a foreign host behind p1 and the network behind p2. It decapsulates at fcbb:bbbb:200:f00d::.
type border struct {
	ns, far, state string
	node           *Node
	out            *tap
}

const (
	ownSID  = "fcbb:bbbb:200:f00d::"
	nobody  = "2001:db8:1::1"
	another = "2001:db8:2::1"
)

func newBorder(t testing.TB) *border {
	t.Helper()
	needFeature(t, edge.FeatureName)
	b := &border{ns: newNamespace(t, "n"), far: newNamespace(t, "far"), state: stateDir(t)}
	wire(t, b.ns, "p1", b.far, "f1")
	wire(t, b.ns, "p2", b.far, "f2")
	b.node = open(t, b.options())
	mustApply(t, b.node, insert(hop(b.ns, 1, 1), hop(b.ns, 2, 2), via("2001:db8:2::/48", 2), via("fcbb:bbbb::/32", 2), un("fcbb:bbbb:200::/48"),
		local(ownSID+"/64", contract.Behavior{Action: contract.UDT6})))
	mustApply(t, b.node, insert(contract.EdgeSID{Dst: px("fcbb:bbbb::/32")}, contract.EdgeSource{Src: px("fcff:1::/48")}))
	b.out = listen(t, b.far, "f2")
	return b
}

func (b *border) options() Options {
	return Options{NetNS: b.ns, Ports: gatewayPorts(), StateDir: b.state}
}

// toSID is a packet inside another one to the own SID.
func (b *border) toSID(source string) []byte {
	p := encapsulated(ownSID, 0, nil, unix.IPPROTO_IPV6, probe6(nobody, another))
	copy(p[8:24], ad(source).AsSlice())
	return b.toNode(p)
}

func (b *border) toNode(p []byte) []byte { return frame(mac(b.ns, "p1"), mac(b.far, "f1"), p) }

func (b *border) plain() []byte { return b.toNode(probe6(nobody, another)) }

func (b *border) send(t testing.TB, frame []byte) {
	t.Helper()
	sendFrame(t, b.far, "f1", frame)
}

func (b *border) arrived() int { return len(b.out.all(to(another))) }

// dropped at a port, by reason: a SID, an SRH, a source, an unknown source.
func (b *border) dropped(t testing.TB, port int) (cells [4]uint64) {
	t.Helper()
	read, err := b.node.Cells(context.Background(), "edge_dropped", 4*port, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range read {
		cells[i] = c.Packets
	}
	return cells
}

// drops checks that a packet does not arrive, though the packets sent behind it do.
func (b *border) drops(t testing.TB, frame []byte, cells [4]uint64) {
	t.Helper()
	had := b.arrived()
	b.send(t, frame)
	b.send(t, b.plain())
	eventually(t, "a packet to no SID arrives", func() bool { return b.arrived() > had })
	if got := b.arrived() - had; got != 1 {
		t.Errorf("%d packets arrive, want 1", got)
	}
	if got := b.dropped(t, 1); got != cells {
		t.Errorf("dropped are %v, want %v", got, cells)
	}
}

func (b *border) passes(t testing.TB, what string, frame []byte) {
	t.Helper()
	had := b.arrived()
	b.send(t, frame)
	eventually(t, what+" arrives", func() bool { return b.arrived() > had })
}

func outside(port contract.PortID) contract.EdgePort {
	return contract.EdgePort{Port: port, External: true}
}

func TestTheEdgeHangsWhereAPortHasARole(t *testing.T) {
	b := newBorder(t)
	at := func(device string) bool { return slices.Contains(programsAt(t, b.ns, device), "sextant_edge") }
	if at("p1") || at("p2") {
		t.Error("a port without a role has the program")
	}
	b.passes(t, "a packet to a SID", b.toSID(nobody))
	mustApply(t, b.node, insert(outside(1)))
	if !at("p1") || at("p2") {
		t.Error("the program is not at p1, or at p2")
	}
	b.drops(t, b.toSID(nobody), [4]uint64{1})
	mustApply(t, b.node, append(insert(contract.EdgePort{Port: 2}), remove(outside(1))...))
	if at("p1") || !at("p2") {
		t.Error("the program is not at p2, or at p1")
	}
	b.passes(t, "a packet to a SID", b.toSID(nobody))
	mustApply(t, b.node, remove(contract.EdgePort{Port: 2}))
	if at("p1") || at("p2") {
		t.Error("the program stays without a role")
	}
	if got, want := stored(t, b.node, contract.TableEdgeSID), []string{"edge_sid fcbb:bbbb::/32"}; !slices.Equal(got, want) {
		t.Errorf("rows are %v, want %v", got, want)
	}
	mustApply(t, b.node, insert(outside(1)))
	b.drops(t, b.toSID(nobody), [4]uint64{1})
	if err := b.node.Reset(context.Background()); err != nil || at("p1") {
		t.Errorf("the program stays without rows: %v", err)
	}
}

// A dropped packet is seen by no other program, in whatever order programs come to a port.
func TestTheEdgeIsBeforeAllOtherPrograms(t *testing.T) {
	b := newBorder(t)
	others := []contract.Entry{
		contract.Firewall{Firewall: 7, Priority: 1, Verdict: contract.FwGoNext},
		firewallSID(7),
		contract.GTPRule{Priority: 1, Action: contract.GTPDiscard},
		contract.Flow{Src: px("::/0"), Dst: px("fd00:7::/64"), Priority: 1, FlowID: 1, Group: 1, Copies: 1},
	}
	features, err := kernelFeatures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range features {
		if slices.Contains([]string{livelive.FeatureName, mobile.FeatureName, sera.FeatureName}, f.Name) && f.Status != contract.OK {
			t.Skipf("%s: %s; %s", f.Name, f.Detail, f.Remedy)
		}
	}
	mustApply(t, b.node, insert(others...))
	mustApply(t, b.node, insert(outside(1)))
	if got, want := programsAt(t, b.ns, "p1"), []string{"sextant_edge", "sextant_sera", "sextant_mobile", "sextant_port"}; !slices.Equal(got, want) {
		t.Errorf("behind others: %v, want %v", got, want)
	}
	mustApply(t, b.node, insert(outside(2)))
	b.restart(t)
	slices.Reverse(others)
	mustApply(t, b.node, remove(others...))
	slices.Reverse(others)
	mustApply(t, b.node, insert(others...))
	if got, want := programsAt(t, b.ns, "p2"), []string{"sextant_edge", "sextant_sera", "sextant_mobile", "sextant_port"}; !slices.Equal(got, want) {
		t.Errorf("others behind it: %v, want %v", got, want)
	}
}

// restart does the work of a killed agent and the next one: nothing is taken away in between.
func (b *border) restart(t testing.TB) {
	t.Helper()
	if err := b.node.Close(); err != nil {
		t.Fatal(err)
	}
	b.node = open(t, b.options())
}

// flood sends as fast as one can, until it is stopped; stop returns how many there were.
func (b *border) flood(t testing.TB, frame []byte) (stop func() uint64) {
	t.Helper()
	var ends atomic.Bool
	sent := make(chan uint64)
	send, done := sender(t, b.far, "f1")
	go func() {
		defer done()
		count := uint64(0)
		for ; !ends.Load(); count++ {
			send(frame)
		}
		sent <- count
	}()
	return func() uint64 { ends.Store(true); return <-sent }
}

// An agent that ends, however it does, and the next one let nothing in, and forget neither rows nor counters.
func TestTheEdgeStaysClosedWhileAgentsComeAndGo(t *testing.T) {
	b := newBorder(t)
	mustApply(t, b.node, insert(outside(1), contract.EdgePeer{Port: 1, Src: px("2001:db8:7::/48")}))
	b.passes(t, "a peer's packet", b.toSID("2001:db8:7::1"))
	stop := b.flood(t, b.toSID(nobody))
	for range 10 {
		b.restart(t)
	}
	sent := stop()
	b.passes(t, "a peer's packet", b.toSID("2001:db8:7::1"))
	if got := b.arrived(); got != 2 {
		t.Errorf("%d packets arrive, want 2", got)
	}
	if got := b.dropped(t, 1); got != [4]uint64{sent} {
		t.Errorf("of %d packets %v are dropped", sent, got)
	}
	rows, err := b.node.Entries(context.Background(), contract.TableEdgePeer)
	if err != nil || len(rows) != 1 || rows[0].Counters == nil || rows[0].Counters.Packets != 2 || rows[0].Counters.Bytes != 2*uint64(len(b.toSID(nobody))) {
		t.Errorf("peers are %+v, %v", rows, err)
	}
}

// TestRoleWriter is a process that is killed: it changes the role of p1 without end, and beside it prefixes and another port.
func TestRoleWriter(t *testing.T) {
	ns := os.Getenv(writerNamespace)
	if ns == "" {
		t.Skip("is run by TestTheEdgeStaysClosedWhenItsAgentIsKilled")
	}
	n, err := Open(Options{NetNS: ns, Ports: gatewayPorts(), StateDir: os.Getenv(writerState)})
	if err != nil {
		t.Fatal(err)
	}
	roles := []contract.EdgePort{{Port: 1, KnownSources: true}, outside(1)}
	others := []contract.Entry{outside(2), contract.EdgeSID{Dst: px("fcbb:bbbb:200::/48")}, contract.EdgePeer{Port: 1, Src: px("2001:db8:7::/48")}}
	n.Apply(context.Background(), remove(others...)) // the last one may have been killed between the two
	for k := 0; ; k++ {
		op := [2]contract.Op{contract.Insert, contract.Delete}[k%2]
		mustApply(t, n, append(modify(roles[k%2]), updates(op, others)...))
		fmt.Printf("acknowledged %d\n", k)
	}
}

// Whenever an agent is killed, both roles that it was about to exchange are closed.
func TestTheEdgeStaysClosedWhenItsAgentIsKilled(t *testing.T) {
	b := newBorder(t)
	mustApply(t, b.node, insert(outside(1)))
	if err := b.node.Close(); err != nil {
		t.Fatal(err)
	}
	stop := b.flood(t, b.toSID(nobody))
	for round := range 3 {
		killAfter(t, "TestRoleWriter", b.ns, b.state, 5+7*round)
	}
	b.node = open(t, b.options())
	sent, total := stop(), uint64(0)
	for _, count := range b.dropped(t, 1) {
		total += count
	}
	if got := b.arrived(); got != 0 || total != sent {
		t.Errorf("of %d packets %d arrive, and %d are dropped", sent, got, total)
	}
}

// A role is exchanged for another under traffic: packets that both drop never arrive, those that both pass always do.
func TestARoleChangesUnderTraffic(t *testing.T) {
	for name, roles := range map[string][2]contract.EdgePort{
		"the other kind":   {outside(1), {Port: 1, KnownSources: true}},
		"another setting":  {outside(1), {Port: 1, External: true, DropSRH: true}},
		"with other ports": {{Port: 1, External: true, DropSRH: true}, {Port: 1, KnownSources: true}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBorder(t)
			mustApply(t, b.node, insert(roles[0]))
			change := func() {
				for turn := range 50 {
					batch := modify(roles[(turn+1)%2])
					if name == "with other ports" {
						op := [2]contract.Op{contract.Insert, contract.Delete}[turn%2]
						batch = append(batch, contract.Update{Op: op, Entry: contract.EdgePort{Port: 2, External: true}})
					}
					mustApply(t, b.node, batch)
				}
			}
			stop := b.flood(t, b.toSID(nobody))
			change()
			sent, total := stop(), uint64(0)
			for _, count := range b.dropped(t, 1) {
				total += count
			}
			if got := b.arrived(); got != 0 || total != sent {
				t.Errorf("of %d packets %d arrive, and %d are dropped", sent, got, total)
			}
			before := b.received(t)
			stop = b.flood(t, b.plain())
			change()
			sent = stop()
			if got := b.received(t) - before; got < sent {
				t.Errorf("of %d packets %d arrive", sent, got)
			}
		})
	}
}

// received is the count of the kernel behind p2: a tap may be too slow.
func (b *border) received(t testing.TB) (packets uint64) {
	t.Helper()
	if _, err := fmt.Sscan(in(t, b.far, "cat /sys/class/net/f2/statistics/rx_packets"), &packets); err != nil {
		t.Fatal(err)
	}
	return packets
}

func TestWhatOthersDoToTheEdgeIsRepaired(t *testing.T) {
	b := newBorder(t)
	mustApply(t, b.node, insert(outside(1)))
	detach(t, b.ns, "p1")
	eventually(t, "the program is back", func() bool { return slices.Contains(programsAt(t, b.ns, "p1"), "sextant_edge") })
	b.drops(t, b.toSID(nobody), [4]uint64{1})
	b.drops(t, b.toSID(nobody), [4]uint64{2})

	in(t, b.ns, "ip link del p1")
	eventually(t, "the port is gone", func() bool {
		ports, err := b.node.Ports(context.Background())
		return err == nil && ports[0].Index == 0
	})
	if got := stored(t, b.node, contract.TableEdgePort); !slices.Equal(got, []string{"edge_port in_port 1"}) {
		t.Errorf("without its interface the rows are %v", got)
	}
	wire(t, b.ns, "p1", b.far, "f1")
	eventually(t, "the new interface has the program", func() bool { return slices.Contains(programsAt(t, b.ns, "p1"), "sextant_edge") })
	b.drops(t, b.toSID(nobody), [4]uint64{3})
}

func TestEdgeRowsThatCannotBeServed(t *testing.T) {
	b := newBorder(t)
	wantCode(t, b.node, insert(outside(7))[0], contract.InvalidArgument, "port 7 is not a port of this node")
	wantCode(t, b.node, insert(contract.EdgePeer{Port: 7, Src: px("::/0")})[0], contract.InvalidArgument, "port 7 is not a port of this node")
	var sids []contract.Entry
	for i := range 4096 {
		a := ad("fc00::").As16()
		binary.BigEndian.PutUint16(a[2:], uint16(i))
		sids = append(sids, contract.EdgeSID{Dst: netip.PrefixFrom(netip.AddrFrom16(a), 32)})
	}
	mustApply(t, b.node, insert(outside(1)))
	mustApply(t, b.node, insert(sids[1:]...))
	wantCode(t, b.node, insert(sids[0])[0], contract.ResourceExhausted, "edge_sid is full: at most 4096 rows fit")
	mustApply(t, b.node, append(remove(sids[1]), insert(sids[0])...))
	if got := len(stored(t, b.node, contract.TableEdgeSID)); got != 4096 {
		t.Errorf("%d rows are read back, want 4096", got)
	}
	b.drops(t, b.toSID(nobody), [4]uint64{1})
}

// needVLANs makes devices of VLANs, or skips.
func needVLANs(t testing.TB, ns, line string) {
	t.Helper()
	if out, err := exec.Command("ip", "netns", "exec", ns, "sh", "-c", line).CombinedOutput(); err != nil {
		t.Skipf("this kernel has no VLAN devices (%s); use one with CONFIG_VLAN_8021Q (modprobe 8021q)", strings.TrimSpace(string(out)))
	}
}

// tagged is a frame with VLAN tags.
func tagged(frame []byte, ids ...uint16) []byte {
	out := slices.Clone(frame[:12])
	for _, id := range ids {
		out = binary.BigEndian.AppendUint16(out, unix.ETH_P_8021Q)
		out = binary.BigEndian.AppendUint16(out, id)
	}
	return append(out, frame[12:]...)
}

// VLAN 0 is a priority only (IEEE 802.1Q, 6.9): to the kernel such a packet is like others.
func TestTheEdgeSeesBehindAPriority(t *testing.T) {
	b := newBorder(t)
	b.passes(t, "without a role a packet with a priority", tagged(b.toSID(nobody), 0))
	mustApply(t, b.node, insert(outside(1)))
	b.drops(t, tagged(b.toSID(nobody), 0), [4]uint64{1})
	b.passes(t, "a packet with a priority to no SID", tagged(b.plain(), 0xa000))
}

// Frames with tags are judged whether there are devices of these VLANs or not: the kernel would pass frames on to them.
func TestTheEdgeSeesBehindTags(t *testing.T) {
	b := newBorder(t)
	mustApply(t, b.node, insert(outside(1)))
	b.drops(t, tagged(b.toSID(nobody), 5), [4]uint64{1})
	b.drops(t, tagged(b.toSID(nobody), 5, 6), [4]uint64{2})
	b.drops(t, tagged(b.toSID(nobody), 5, 6, 7), [4]uint64{3})
	b.drops(t, tagged(b.toSID(nobody), 0, 0), [4]uint64{4})
}

// A VLAN that is a port of its own has a role of its own.
func TestAVLANThatIsAPortIsJudgedThere(t *testing.T) {
	b := newBorder(t)
	needVLANs(t, b.ns, "ip link add link p1 name v5 type vlan id 5 && ip link set v5 up")
	if err := b.node.Close(); err != nil {
		t.Fatal(err)
	}
	o := b.options()
	o.Ports = map[contract.PortID]string{1: "p1", 2: "p2", 3: "v5"}
	b.node = open(t, o)
	mustApply(t, b.node, insert(outside(1), contract.EdgePort{Port: 3}))
	b.passes(t, "a packet of the VLAN", tagged(b.toSID(nobody), 5))
	b.drops(t, b.toSID(nobody), [4]uint64{1})
}

func TestDropsOfTheEdgeAreListed(t *testing.T) {
	b := newBorder(t)
	mustApply(t, b.node, insert(outside(1), contract.EdgePort{Port: 2, KnownSources: true}))
	b.drops(t, b.toSID(nobody), [4]uint64{1})
	b.drops(t, b.toSID("fcff:1::7"), [4]uint64{1, 0, 1})
	listed := func() string {
		drops, err := Drops(b.ns)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, d := range drops {
			if d.Program == "edge" && d.Packets > 0 {
				lines = append(lines, fmt.Sprintf("%d %s", d.Packets, d.Reason))
			}
		}
		return strings.Join(lines, "; ")
	}
	if got, want := listed(), "1 a packet from outside to a SID of the domain; 1 a packet from outside with a source of the domain"; got != want {
		t.Errorf("drops are %q, want %q", got, want)
	}
	if err := b.node.Close(); err != nil {
		t.Fatal(err)
	}
	if listed() == "" {
		t.Error("without an agent nobody knows of drops")
	}
}

// Counters begin with the first role and end with the last, whatever agents do.
func TestDropsAreCountedSinceTheFirstRole(t *testing.T) {
	b := newBorder(t)
	since := func() time.Time {
		drops, err := Drops(b.ns)
		if err != nil || len(drops) == 0 || drops[0].Since == nil {
			t.Fatalf("drops are %+v, %v", drops, err)
		}
		return *drops[0].Since
	}
	before := time.Now().Truncate(time.Second)
	mustApply(t, b.node, insert(outside(1)))
	first := since()
	if first.Before(before) || first.After(time.Now()) {
		t.Errorf("drops are counted since %v, the role is there since %v", first, before)
	}
	if cells := b.dropped(t, 511); cells != [4]uint64{} {
		t.Errorf("the time is told as drops of a port that is none: %v", cells)
	}
	eventually(t, "another second has begun", func() bool { return time.Since(first) > 2*time.Second })
	b.restart(t)
	if again := since(); again.Sub(first).Abs() > time.Second {
		t.Errorf("after a restart drops are counted since %v, before since %v", again, first)
	}
	mustApply(t, b.node, remove(outside(1)))
	mustApply(t, b.node, insert(outside(1)))
	if anew := since(); !anew.After(first) {
		t.Errorf("all was gone meanwhile, and drops are counted since %v", anew)
	}
}
