// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/sera"
)

// A guard has everything behind two ports: p1, where packets come from, and p2, where they go.
type guard struct {
	ns, far, state string
	node           *Node
	log            *lines
}

// lines of a log, as it grows.
type lines struct{ ch chan string }

func (l *lines) Log(format string, a ...any) {
	select {
	case l.ch <- fmt.Sprintf(format, a...):
	default:
	}
}

func newGuard(t testing.TB) *guard {
	t.Helper()
	needFeature(t, sera.FeatureName)
	g := &guard{ns: newNamespace(t, "n"), far: newNamespace(t, "far"), state: stateDir(t), log: &lines{make(chan string, 10000)}}
	wire(t, g.ns, "p1", g.far, "f1")
	wire(t, g.ns, "p2", g.far, "f2")
	g.node = open(t, Options{NetNS: g.ns, Ports: gatewayPorts(), StateDir: g.state, Log: g.log.Log})
	mustApply(t, g.node, insert(hop(g.ns, 1, 1), hop(g.ns, 2, 2), via("fcbb:bbbb:100::/48", 1), via("fcbb:bbbb:300::/48", 2), via("fcbb:bbbb:600::/48", 2)))
	mustApply(t, g.node, modify(contract.EncapSource{Source: ad("fcff:2::1")}))
	return g
}

func firewallSID(id contract.FirewallID) contract.MySID {
	return local("fcbb:bbbb:200:f230::/60", contract.Behavior{Action: contract.Sera, BlockLength: 32, CSIDLength: 32, SERA: contract.SERA{
		Firewall: id, Instance: 3, USIDLength: 16, ArgsLength: 4, LocalStart: 0xe000,
	}})
}

func firewallRule(id contract.FirewallID, priority int32, port uint16, v contract.Verdict) contract.Firewall {
	return contract.Firewall{
		Firewall: id, Priority: priority, IPProto: contract.Masked(17, 255), Has: contract.Masked(1, 1),
		DstPort: &contract.Range{Low: port, High: port}, Verdict: v,
	}
}

// guarded is UDP to a port at the firewall, and behind it 600, 300.f00d.
func guarded(t testing.TB, g *guard, sid string, hops byte, port uint16) []byte {
	t.Helper()
	p := unhex(t, "6000000000342940fcbbbbbb010000000000000000000001"+sid+
		"60000000000c114020010db800010000000000000000000120010db800020000000000000000000103e80035000cba7b73657261")
	p[7] = hops
	binary.BigEndian.PutUint16(p[82:], port)
	return frame(mac(g.ns, "p1"), [6]byte{2, 9}, p)
}

const guardedSID = "fcbbbbbb0200f23006000300f00d0000"

func (g *guard) send(t testing.TB, hops byte, port uint16) {
	t.Helper()
	sendFrame(t, g.far, "f1", guarded(t, g, guardedSID, hops, port))
}

func to(dst string) func(packet) bool { return func(p packet) bool { return p.dst == ad(dst) } }

func detach(t *testing.T, ns string, devices ...string) {
	t.Helper()
	for _, device := range devices {
		index, err := indexOf(ns, device)
		if err != nil {
			t.Fatal(err)
		}
		inside(t, ns, func() error {
			result, err := link.QueryPrograms(link.QueryOptions{Target: index, Attach: ebpf.AttachTCXIngress})
			if err != nil {
				return err
			}
			for _, one := range result.Programs {
				program, err := ebpf.NewProgramFromID(one.ID)
				if err != nil {
					return err
				}
				defer program.Close()
				if err := link.RawDetachProgram(link.RawDetachProgramOptions{Target: index, Program: program, Attach: ebpf.AttachTCXIngress}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func TestFirewallRowsAreReadBackAndLeaveNothing(t *testing.T) {
	g := newGuard(t)
	before := stored(t, g.node, "")
	rows := []contract.Entry{
		firewallRule(7, 100, 53, contract.FwSkipNext),
		contract.Firewall{Firewall: 7, Priority: 1, Verdict: contract.FwGoNext},
		firewallRule(8, 100, 53, contract.FwDrop), firewallSID(7),
	}
	mustApply(t, g.node, insert(rows...))
	for _, e := range rows {
		if !slices.Contains(stored(t, g.node, ""), e.Key().String()) {
			t.Errorf("%s is not read back", e.Key())
		}
	}
	if programs := programsAt(t, g.ns, "p1"); !slices.Contains(programs, "sextant_sera") {
		t.Errorf("p1 has the programs %v", programs)
	}
	slices.Reverse(rows)
	mustApply(t, g.node, remove(rows...))
	if after := stored(t, g.node, ""); !slices.Equal(after, before) {
		t.Errorf("left are %v, want %v", after, before)
	}
	if links := in(t, g.ns, "ip -br link"); strings.Contains(links, "sextant6") || len(programsAt(t, g.ns, "p1")) > 0 {
		t.Errorf("devices or programs are left:\n%s", links)
	}
}

func TestFirewallRowsThatCannotBeServed(t *testing.T) {
	g := newGuard(t)
	scattered := contract.Firewall{Firewall: 7, Priority: 1, Verdict: contract.FwDrop, Src: &contract.Ternary{Mask: contract.Number(uint64(0x8000000000000001))}}
	wantCode(t, g.node, insert(scattered)[0], contract.Unimplemented, "the mask of src has 126 holes")
	var rules []contract.Entry
	for i := range int32(4097) {
		rules = append(rules, contract.Firewall{Firewall: 7, Priority: i + 1, Verdict: contract.FwDrop})
	}
	mustApply(t, g.node, insert(rules[:4096]...))
	wantCode(t, g.node, insert(rules[4096])[0], contract.ResourceExhausted, "4097 rules, at most 4096")
}

// A packet takes its way whether it is judged at the port or behind the pair, and no hop more; without a program none passes.
func TestAFirewallFailsClosed(t *testing.T) {
	g := newGuard(t)
	tap := listen(t, g.far, "f2")
	g.send(t, 64, 53) // the SID is not installed yet
	mustApply(t, g.node, insert(firewallRule(7, 100, 53, contract.FwSkipNext), firewallSID(7)))
	passes := func(when string) {
		t.Helper()
		had := len(tap.all(to("fcbb:bbbb:300:f00d::")))
		g.send(t, 64, 53)
		eventually(t, "a packet passes "+when, func() bool { return len(tap.all(to("fcbb:bbbb:300:f00d::"))) > had })
		if p := tap.all(to("fcbb:bbbb:300:f00d::"))[had]; p.hopLimit != 63 {
			t.Errorf("%s it has the hop limit %d, want 63", when, p.hopLimit)
		}
	}
	passes("at a port")
	if err := g.node.Close(); err != nil { // it would repair the changes below
		t.Fatal(err)
	}
	detach(t, g.ns, "p1")
	passes("behind the pair")
	detach(t, g.ns, "sextant7")
	encapsulated := func(p packet) bool { return p.innerProto == unix.IPPROTO_IPV6 }
	had := len(tap.all(encapsulated))
	for range 5 {
		g.send(t, 64, 53)
	}
	// A packet of another SID, behind them, is there first.
	sendFrame(t, g.far, "f1", guarded(t, g, "fcbbbbbb060000000000000000000000", 64, 53))
	tap.first(t, "what is for nobody here", to("fcbb:bbbb:600::"))
	if got := len(tap.all(encapsulated)); got != had+1 {
		t.Errorf("without a program %d packets pass", got-had-1)
	}
	g.node = open(t, Options{NetNS: g.ns, Ports: gatewayPorts(), StateDir: g.state, Log: g.log.Log})
	passes("again")
	detach(t, g.ns, "p1", "sextant7")
	eventually(t, "the programs are back", func() bool {
		return slices.Contains(programsAt(t, g.ns, "p1"), "sextant_sera") && slices.Contains(programsAt(t, g.ns, "sextant7"), "sextant_sera")
	})
	in(t, g.ns, "ip link del sextant6")
	eventually(t, "the pair is back", func() bool {
		return strings.Contains(in(t, g.ns, "ip -6 route"), "dev sextant6") && slices.Contains(programsAt(t, g.ns, "sextant7"), "sextant_sera")
	})
	detach(t, g.ns, "p1")
	passes("behind a new pair")
}

func TestAFirewallBehindAnOwnSID(t *testing.T) {
	g := newGuard(t)
	tap := listen(t, g.far, "f2")
	mustApply(t, g.node, insert(un("fcbb:bbbb:200::/48"), firewallRule(7, 100, 53, contract.FwGoNext), firewallSID(7)))
	sendFrame(t, g.far, "f1", guarded(t, g, "fcbbbbbb02000200f23006000300f00d", 64, 53))
	if p := tap.first(t, "the packet", to("fcbb:bbbb:600:300:f00d::")); p.hopLimit != 63 {
		t.Errorf("its hop limit is %d, want 63", p.hopLimit)
	}
}

func TestTheLastHopIsTold(t *testing.T) {
	g := newGuard(t)
	back, tap := listen(t, g.far, "f1"), listen(t, g.far, "f2")
	mustApply(t, g.node, insert(firewallRule(7, 100, 53, contract.FwGoNext), firewallRule(7, 99, 54, contract.FwEvalArgs), firewallSID(7)))
	g.send(t, 1, 53)
	icmp := func(kind byte) func(packet) bool {
		return func(p packet) bool { return p.innerProto == 58 && len(p.inner) > 8 && p.inner[0] == kind }
	}
	if p := back.first(t, "Time Exceeded", icmp(3)); p.dst != ad("fcbb:bbbb:100::1") {
		t.Errorf("it is sent to %s", p.dst)
	}
	sendFrame(t, g.far, "f1", guarded(t, g, "fcbbbbbb0200f23f06000300f00d0000", 64, 54))
	if p := back.first(t, "Parameter Problem", icmp(4)); p.src != ad("fcff:2::1") || p.inner[1] != 0 || p.inner[7] != 24 {
		t.Errorf("it is %x", p.whole)
	}
	if passed := tap.all(to("fcbb:bbbb:600:300:f00d::")); len(passed) > 0 {
		t.Errorf("%d packets passed", len(passed))
	}
	cells, err := g.node.Cells(context.Background(), "firewall_dropped", 16*3, 6)
	if err != nil || cells[4].Packets != 1 || cells[2].Packets != 1 {
		t.Errorf("dropped are %v, %v", cells, err)
	}
	drops, err := Drops(g.ns)
	if err != nil || !slices.ContainsFunc(drops, func(d contract.Drop) bool {
		return d.Program == "firewall" && d.Packets == 1 && strings.Contains(d.Reason, "last hop")
	}) {
		t.Errorf("the node's drops are %v, %v", drops, err)
	}
}

func TestARuleLogs(t *testing.T) {
	g := newGuard(t)
	rule := firewallRule(7, 100, 53, contract.FwDrop)
	rule.Log = true
	events := make(chan contract.FirewallEvent, 256)
	defer g.node.FirewallEvents(func(e contract.FirewallEvent) { events <- e })()
	mustApply(t, g.node, insert(rule, firewallSID(7)))
	g.send(t, 64, 53)
	want := "firewall event=packet instance=3 firewall=7 priority=100 action=drop sid=fcbb:bbbb:200:f230:600:300:f00d:0 src=2001:db8:1::1 dst=2001:db8:2::1 protocol=17 src_port=1000 dst_port=53"
	var seen []string
	eventually(t, "a line", func() bool {
		for {
			select {
			case line := <-g.log.ch:
				seen = append(seen, line)
			default:
				return slices.Contains(seen, want)
			}
		}
	})
	e := <-events
	if e.Rule != rule.ID() || e.Instance != 3 || e.Firewall != 7 || e.Verdict != contract.FwDrop || e.Dropped != "" || *e.DstPort != 53 ||
		e.SID.String() != "fcbb:bbbb:200:f230:600:300:f00d:0" || e.ICMPType != nil || time.Since(e.At) > time.Minute {
		t.Errorf("the event is %+v", e)
	}
	for range 200 {
		g.send(t, 64, 53)
	}
	eventually(t, "all packets are counted", func() bool {
		got, err := g.node.Rows(context.Background(), []contract.Key{rule.Key()})
		return err == nil && got[0].Counters.Packets == 201
	})
	logged := 0
	for {
		select {
		case line := <-g.log.ch:
			if strings.HasPrefix(line, "firewall event=packet") {
				logged++
			}
			continue
		default:
		}
		break
	}
	if logged > 100 {
		t.Errorf("%d of 200 packets are logged", logged)
	}
}

// A rule set takes the place of another under traffic: each packet is judged by one of them, none is lost.
func TestAReplacedRuleSetJudgesNoPacketByHalves(t *testing.T) {
	g := newGuard(t)
	tap := listen(t, g.far, "f2")
	// Even versions let port 53 go next by a rule and drop the rest, odd ones let all skip but port 54: the rules of an odd one with
	// the rest of an even one would drop port 53.
	version := func(v int) []contract.Entry {
		id := contract.FirewallID(3<<24 | v)
		port, first, rest := uint16(53), contract.FwGoNext, contract.FwDrop
		if v%2 == 1 {
			port, first, rest = 54, contract.FwDrop, contract.FwSkipNext
		}
		rules := []contract.Entry{firewallRule(id, 100000, port, first), contract.Firewall{Firewall: id, Priority: 1, Verdict: rest}}
		for i := range int32(v % 5 * 100) {
			rules = append(rules, firewallRule(id, 1000+i, uint16(1000+i), contract.FwDrop))
		}
		return rules
	}
	mustApply(t, g.node, insert(append(version(0), firewallSID(3<<24))...))
	sent, stop, done := 0, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				g.send(t, 64, 53)
				sent++
			}
		}
	}()
	for v := 1; v <= 20; v++ {
		id := contract.FirewallID(3<<24 | v)
		mustApply(t, g.node, insert(version(v)...))
		mustApply(t, g.node, modify(firewallSID(id)))
		mustApply(t, g.node, remove(version(v-1)...))
		// Rows of a set that is in use change as one, too.
		mustApply(t, g.node, insert(firewallRule(id, 500, 9, contract.FwDrop), firewallRule(id, 501, 10, contract.FwDrop)))
		mustApply(t, g.node, remove(firewallRule(id, 500, 9, contract.FwDrop), firewallRule(id, 501, 10, contract.FwDrop)))
	}
	close(stop)
	<-done
	either := func(p packet) bool {
		return p.dst == ad("fcbb:bbbb:300:f00d::") || p.dst == ad("fcbb:bbbb:600:300:f00d::")
	}
	eventually(t, fmt.Sprintf("all %d packets come out", sent), func() bool { return len(tap.all(either)) == sent })
	if got := countedBy(t, g.node, firewallSID(0)); got != uint64(sent) {
		t.Errorf("the SID counts %d packets of %d", got, sent)
	}
	if len(tap.all(to("fcbb:bbbb:300:f00d::"))) == 0 || len(tap.all(to("fcbb:bbbb:600:300:f00d::"))) == 0 {
		t.Error("one of the versions judged nothing")
	}
}

// ruleSet lets port 53 go next, by the first of some rules.
func ruleSet(v int) []contract.Entry {
	id := contract.FirewallID(3<<24 | v)
	rules := []contract.Entry{firewallRule(id, 100000, 53, contract.FwGoNext), contract.Firewall{Firewall: id, Priority: 1, Verdict: contract.FwDrop}}
	for i := range int32(v % 50) {
		rules = append(rules, firewallRule(id, 1000+i, uint16(1000+i), contract.FwDrop))
	}
	return rules
}

// TestReplacer is a process that is killed: it replaces one rule set by the next without end.
func TestReplacer(t *testing.T) {
	ns := os.Getenv(writerNamespace)
	if ns == "" {
		t.Skip("is run by TestAFirewallFeelsNoAgentThatIsKilledInAReplacement")
	}
	n, err := Open(Options{NetNS: ns, Ports: gatewayPorts(), StateDir: os.Getenv(writerState)})
	if err != nil {
		t.Fatal(err)
	}
	for v := 1; ; v++ {
		mustApply(t, n, insert(ruleSet(v)...))
		mustApply(t, n, modify(firewallSID(contract.FirewallID(3<<24|v))))
		mustApply(t, n, remove(ruleSet(v-1)...))
		fmt.Printf("replaced %d\n", v)
	}
}

func TestAFirewallFeelsNoAgentThatIsKilledInAReplacement(t *testing.T) {
	g := newGuard(t)
	mustApply(t, g.node, insert(append(ruleSet(0), firewallSID(3<<24))...))
	if err := g.node.Close(); err != nil {
		t.Fatal(err)
	}
	child, said := startChild(t, "TestReplacer", writerNamespace+"="+g.ns, writerState+"="+g.state)
	tap := listen(t, g.far, "f2")
	sent, last := 0, 0
	for last < 20 && said.Scan() {
		if _, err := fmt.Sscanf(said.Text(), "replaced %d", &last); err == nil {
			g.send(t, 64, 53)
			sent++
		}
	}
	for range 10 { // at no moment in particular
		g.send(t, 64, 53)
		sent++
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for said.Scan() { // until it is dead
	}
	_ = child.Wait()
	g.send(t, 64, 53)
	g.node = open(t, Options{NetNS: g.ns, Ports: gatewayPorts(), StateDir: g.state, Log: g.log.Log})
	g.send(t, 64, 53)
	sent += 2
	eventually(t, fmt.Sprintf("all %d packets come out", sent), func() bool { return len(tap.all(to("fcbb:bbbb:600:300:f00d::"))) == sent })
	// The controller's next writes succeed, whatever was under way.
	mustApply(t, g.node, insert(ruleSet(100000)...))
	mustApply(t, g.node, modify(firewallSID(3<<24|100000)))
	before := countedBy(t, g.node, ruleSet(100000)[0])
	g.send(t, 64, 53)
	eventually(t, "the next rules judge", func() bool { return countedBy(t, g.node, ruleSet(100000)[0]) == before+1 })
}

func TestAFirewallFeelsNoKilledAgent(t *testing.T) {
	g := newGuard(t)
	rule := firewallRule(7, 100, 53, contract.FwGoNext)
	mustApply(t, g.node, insert(rule, firewallSID(7)))
	tap := listen(t, g.far, "f2")
	node, sent := throughARestart(t, g.node, g.ns, g.state, func() { g.send(t, 64, 53) })
	eventually(t, fmt.Sprintf("all %d packets come out", sent), func() bool { return len(tap.all(to("fcbb:bbbb:600:300:f00d::"))) == sent })
	got, err := node.Rows(context.Background(), []contract.Key{rule.Key()})
	if err != nil || len(got) != 1 || got[0].Counters == nil || got[0].Counters.Packets != uint64(sent) {
		t.Errorf("%s counts %+v, %v, want %d packets", rule.Key(), got, err, sent)
	}
	// A rule more does not have the others count anew.
	mustApply(t, node, insert(firewallRule(7, 101, 54, contract.FwDrop)))
	if got, err := node.Rows(context.Background(), []contract.Key{rule.Key()}); err != nil || got[0].Counters.Packets != uint64(sent) {
		t.Errorf("after one more rule %s counts %+v, %v, want %d packets", rule.Key(), got, err, sent)
	}
}

// TCP with segmentation offload passes in super-packets, at a port and behind the pair, and is counted as the packets
// that go on the wire.
func TestTCPPassesAFirewall(t *testing.T) {
	needFeature(t, sera.FeatureName)
	c := newChain(t, 0x100, 0x200, 0x300)
	tcp := contract.Firewall{Firewall: 7, Priority: 100, IPProto: contract.Masked(6, 255), Verdict: contract.FwGoNext}
	mustApply(t, c.nodes[0], insert(list(1, "fcbb:bbbb:200:f230:300:f00d::"), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true}))
	mustApply(t, c.nodes[1], insert(tcp, firewallSID(7)))
	mustApply(t, c.nodes[2], insert(list(1, "fcbb:bbbb:100:f00d::"), contract.Steering{Dst: px("fd00:1::/64"), SIDList: 1, Reduced: true}))
	data := bytes.Repeat([]byte("sextant "), 1<<18)
	through := func(where string) {
		t.Helper()
		before := countedBy(t, c.nodes[1], tcp)
		if transfer(t, c.left, c.right, "[fd00:3::2]:4242", data) != sha256.Sum256(data) {
			t.Errorf("%s other data arrive", where)
		}
		if got := countedBy(t, c.nodes[1], tcp) - before; got < uint64(len(data)/1500) {
			t.Errorf("%s %d packets are counted for %d bytes", where, got, len(data))
		}
	}
	through("at the port")
	// Behind an own SID a packet comes by the pair.
	mustApply(t, c.nodes[0], modify(list(1, "fcbb:bbbb:200:200:f230:300:f00d::")))
	through("behind the pair")
}

func countedBy(t *testing.T, n *Node, e contract.Entry) uint64 {
	t.Helper()
	got, err := n.Rows(context.Background(), []contract.Key{e.Key()})
	if err != nil || len(got) != 1 || got[0].Counters == nil {
		t.Fatalf("%s is %+v, %v", e.Key(), got, err)
	}
	return got[0].Counters.Packets
}

// The target of a verdict may be a SID of mobile sessions, and a packet that enters a slice is no Live-Live flow,
// whichever rows came first.
func TestAPortJudgesBeforeItLooksForSessionsAndFlows(t *testing.T) {
	sets := map[string][]contract.Entry{
		"firewalls": {firewallRule(7, 100, 53, contract.FwGoNext), firewallSID(7)},
		"sessions":  {list(2, "fcbb:bbbb:300:f004::"), contract.UE{Dst: px("10.60.0.1/32"), SIDList: 2}},
		"flows": {
			list(9, "fcbb:bbbb:300:f101::"),
			contract.Copy{Group: 1, Path: 1, SIDList: 9},
			contract.Flow{Priority: 1, Src: px("0.0.0.0/0"), Dst: px("198.51.100.0/24"), FlowID: 1, Group: 1, Copies: 1},
		},
	}
	want := []string{"sextant_sera", "sextant_mobile", "sextant_port"}
	for _, order := range [][]string{{"firewalls", "sessions", "flows"}, {"flows", "sessions", "firewalls"}, {"sessions", "firewalls", "flows"}, {"flows", "firewalls", "sessions"}} {
		t.Run(strings.Join(order, ", "), func(t *testing.T) {
			g := newGuard(t)
			for _, name := range order {
				mustApply(t, g.node, insert(sets[name]...))
			}
			if got := programsAt(t, g.ns, "p1"); !slices.Equal(got, want) {
				t.Errorf("p1 runs %v, want %v", got, want)
			}
		})
	}
}
