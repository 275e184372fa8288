// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// A doubled node has port 2, whose route is protected, and port 3, where repairs go; packets come in at port 1.
//
//	far f1 ── p1 node p2 ── f2     fcbb:bbbb:300::/48, the destination, by p2
//	               p3 ── f3        fcbb:bbbb:700::/48, where repairs lead, by p3
type doubled struct {
	*bench
	aside *tap // behind port 3
	ports map[contract.PortID]string
	state string
}

const (
	protected = "fcbb:bbbb:300::/48"
	repair    = "fcbb:bbbb:700:600:300::"
	ownFirst  = "fcbb:bbbb:100:e003:700:600::"
)

func newDoubled(t *testing.T) *doubled {
	t.Helper()
	g := &doubled{bench: &bench{ns: newNamespace(t, "n"), far: newNamespace(t, "far")}, state: t.TempDir()}
	g.ports = map[contract.PortID]string{1: "p1", 2: "p2", 3: "p3"}
	for _, id := range []contract.PortID{1, 2, 3} {
		wire(t, g.ns, g.ports[id], g.far, fmt.Sprintf("f%d", id))
	}
	g.n = openNode(t, g.ns, g.state, g.ports)
	for id, port := range g.ports {
		mustApply(t, g.n, insert(contract.NextHop{
			ID: contract.NextHopID(id), Port: id, SrcMAC: mac(g.ns, port), DstMAC: mac(g.far, fmt.Sprintf("f%d", id)),
		}))
	}
	mustApply(t, g.n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	mustApply(t, g.n, insert(via(protected, 2), via("fcbb:bbbb:700::/48", 3), un("fcbb:bbbb:100::/48"),
		local("fcbb:bbbb:100:e003::/64", contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 3}),
		list(7, repair), list(8, ownFirst), list(9, repair, "fcbb:bbbb:400::")))
	g.out, g.aside = listen(t, g.far, "f2"), listen(t, g.far, "f3")
	return g
}

func repairBy(id contract.SIDListID) contract.Standby {
	return contract.Standby{Dst: px(protected), SIDList: id}
}

// carrier takes a port's carrier away, or gives it back, and waits until the kernel knows.
func (g *doubled) carrier(t *testing.T, port contract.PortID, state string) {
	t.Helper()
	in(t, g.far, fmt.Sprintf("ip link set f%d %s", port, state))
	eventually(t, fmt.Sprintf("the routes of port %d are %s", port, state), func() bool {
		routes := in(t, g.ns, fmt.Sprintf("ip -6 route show dev p%d proto 200", port))
		return strings.Contains(routes, "linkdown") == (state == "down")
	})
}

var probed int

// sends sends a packet for the protected prefix and says how it came out: "by 2 to …" or "by 3 to …".
func (g *doubled) sends(t *testing.T) string {
	t.Helper()
	probed++
	inner := probe6("fd00:1::2", fmt.Sprintf("fd00:3::%x", probed))
	wrapped := encapsulated("fcbb:bbbb:300:f00d::", 0, nil, unix.IPPROTO_IPV6, inner)
	return g.emits(t, wrapped, ad(fmt.Sprintf("fd00:3::%x", probed)))
}

func (g *doubled) emits(t *testing.T, sent []byte, innermost netip.Addr) string {
	t.Helper()
	sendFrame(t, g.far, "f1", frame(mac(g.ns, "p1"), mac(g.far, "f1"), sent))
	mine := func(p packet) bool {
		return strings.HasSuffix(string(p.whole[:len(p.whole)-12]), string(innermost.AsSlice()))
	}
	out := ""
	eventually(t, "the packet comes out", func() bool {
		for port, tap := range map[int]*tap{2: g.out, 3: g.aside} {
			for _, p := range tap.all(mine) {
				out = fmt.Sprintf("by %d to %s", port, p.dst)
			}
		}
		return out != ""
	})
	return out
}

func TestTheKernelUsesTheStandbyWithoutAnAgentAndGoesBack(t *testing.T) {
	const before = "by 2 to fcbb:bbbb:300:f00d::"
	for _, tt := range []struct {
		name string
		list contract.SIDListID
		want string
	}{
		{"another node first", 7, "by 3 to " + repair},
		{"an own uA first", 8, "by 3 to fcbb:bbbb:700:600::"},
		{"two containers", 9, "by 3 to " + repair},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newDoubled(t)
			mustApply(t, g.n, insert(repairBy(tt.list)))
			if err := g.n.Close(); err != nil {
				t.Fatal(err)
			}
			if got := g.sends(t); got != before {
				t.Errorf("with the carrier: %s, want %s", got, before)
			}
			g.carrier(t, 2, "down")
			if got := g.sends(t); got != tt.want {
				t.Errorf("without the carrier: %s, want %s", got, tt.want)
			}
			g.carrier(t, 2, "up")
			if got := g.sends(t); got != before {
				t.Errorf("with the carrier again: %s, want %s", got, before)
			}
		})
	}
}

func TestThePacketInsideARepairIsWhole(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(9)))
	g.carrier(t, 2, "down")
	wrapped := encapsulated("fcbb:bbbb:300:f00d::", 0, nil, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:3::2"))
	sendFrame(t, g.far, "f1", frame(mac(g.ns, "p1"), mac(g.far, "f1"), wrapped))
	p := g.aside.first(t, "the repaired packet", func(p packet) bool { return p.dst == ad(repair) })
	if p.src != ad("fcff:1::1") || p.segmentsLeft != 1 || !slices.Equal(p.srh, []netip.Addr{ad("fcbb:bbbb:400::")}) || p.innerProto != unix.IPPROTO_IPV6 {
		t.Errorf("outer header %+v", p)
	}
	want := slices.Clone(wrapped)
	if !slices.Equal(p.inner, want) {
		t.Errorf("inside is\n%x, want\n%x", p.inner, want)
	}
}

func TestAMemberThatIsLeftGoesBeforeTheStandby(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, modify(via(protected, 2, 3)))
	mustApply(t, g.n, insert(repairBy(8)))
	g.carrier(t, 2, "down")
	for range 8 {
		if got, want := g.sends(t), "by 3 to fcbb:bbbb:300:f00d::"; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if got := stored(t, g.n, contract.TableStandbyV6); len(got) != 1 {
		t.Errorf("standbys %v, want one", got)
	}
}

// A port that is disabled takes its routes with it in the kernel, and the agent writes them again: the standby stays all
// the while.
func TestAStandbyHoldsWhileAPortIsDisabled(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(8)))
	all := stored(t, g.n, "")
	in(t, g.ns, "ip link set p2 down")
	if got, want := g.sends(t), "by 3 to fcbb:bbbb:700:600::"; got != want {
		t.Errorf("while the port is disabled: %s, want %s", got, want)
	}
	if got := stored(t, g.n, ""); !slices.Equal(got, all) {
		t.Errorf("rows %v, want %v", got, all)
	}
	in(t, g.ns, "ip link set p2 up")
	eventually(t, "the route is back", func() bool { return g.sends(t) == "by 2 to fcbb:bbbb:300:f00d::" })
}

func TestARouteAndItsStandbyComeAndGoApart(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(8)))
	mustApply(t, g.n, remove(via(protected, 2)))
	if got, want := g.sends(t), "by 3 to fcbb:bbbb:700:600::"; got != want {
		t.Errorf("without the route: %s, want %s", got, want)
	}
	mustApply(t, g.n, insert(via(protected, 2)))
	if got, want := g.sends(t), "by 2 to fcbb:bbbb:300:f00d::"; got != want {
		t.Errorf("with the route: %s, want %s", got, want)
	}
	mustApply(t, g.n, modify(repairBy(7)))
	mustApply(t, g.n, remove(repairBy(7)))
	if got := stored(t, g.n, contract.TableStandbyV6); len(got) != 0 {
		t.Errorf("standbys %v, want none", got)
	}
	if got, want := g.sends(t), "by 2 to fcbb:bbbb:300:f00d::"; got != want {
		t.Errorf("without the standby: %s, want %s", got, want)
	}
	if left := in(t, g.ns, "ip -6 route show "+protected+" metric 4"); left != "" {
		t.Errorf("the kernel keeps %s", left)
	}
}

func TestARestartedAgentKeepsAStandbyThatIsInUse(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(8)))
	g.carrier(t, 2, "down")
	if err := g.n.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := g.sends(t), "by 3 to fcbb:bbbb:700:600::"; got != want {
		t.Errorf("without an agent: %s, want %s", got, want)
	}
	again := openNode(t, g.ns, g.state, g.ports)
	if got, want := g.sends(t), "by 3 to fcbb:bbbb:700:600::"; got != want {
		t.Errorf("with the next agent: %s, want %s", got, want)
	}
	if got := stored(t, again, contract.TableStandbyV6); len(got) != 1 {
		t.Errorf("standbys %v, want one", got)
	}
	if got := stored(t, again, contract.TableRouteV6); len(got) != 2 {
		t.Errorf("routes %v, want two: one that waits for its carrier is as it should be", got)
	}
}

func TestSteeringGoesBeforeAStandbyToTheSamePrefix(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(8), list(11, "fcbb:bbbb:700:1::"), contract.Steering{Dst: px(protected), SIDList: 11, Reduced: true}))
	g.carrier(t, 2, "down")
	if got, want := g.sends(t), "by 3 to fcbb:bbbb:700:1::"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Both links are cut: the repair's own SID leads over a port that is dead, too.
func TestARepairOverADeadPortDropsPackets(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(8)))
	g.carrier(t, 2, "down")
	g.carrier(t, 3, "down")
	one := listen(t, g.far, "f1")
	wrapped := encapsulated("fcbb:bbbb:300:f00d::", 0, nil, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:3::77"))
	sendFrame(t, g.far, "f1", frame(mac(g.ns, "p1"), mac(g.far, "f1"), wrapped))
	g.carrier(t, 3, "up")
	if got, want := g.sends(t), "by 3 to fcbb:bbbb:700:600::"; got != want {
		t.Errorf("with one carrier again: %s, want %s", got, want)
	}
	for name, tap := range map[string]*tap{"1": one, "2": g.out, "3": g.aside} {
		lost := func(p packet) bool {
			return p.src != ad("fcff:99::1") && strings.Contains(string(p.whole), string(ad("fd00:3::77").AsSlice())) && p.innerProto != unix.IPPROTO_ICMPV6
		}
		if got := tap.all(lost); len(got) > 0 {
			t.Errorf("by port %s came %+v", name, got)
		}
	}
}

func TestAStandbyIsRefusedWithAReason(t *testing.T) {
	g := newDoubled(t)
	in(t, g.ns, "ip -6 route add fcbb:bbbb:900::/48 dev p3 metric 20 proto isis")
	for _, tt := range []struct {
		row  contract.Standby
		code contract.Code
		part string
	}{
		{contract.Standby{Dst: px(protected), SIDList: 99}, contract.FailedPrecondition, "sid_list"},
		{contract.Standby{Dst: px("10.0.0.0/8"), SIDList: 7}, contract.InvalidArgument, "is of IPv4"},
		{contract.Standby{VRF: 254, Dst: px(protected), SIDList: 7}, contract.InvalidArgument, "tables 253 to 255"},
		{contract.Standby{Dst: px("fcbb:bbbb:900::/48"), SIDList: 7}, contract.FailedPrecondition, "isis"},
	} {
		wantCode(t, g.n, contract.Update{Op: contract.Insert, Entry: tt.row}, tt.code, tt.part)
	}
	mustApply(t, g.n, insert(repairBy(7)))
	wantCode(t, g.n, contract.Update{Op: contract.Delete, Entry: list(7)}, contract.FailedPrecondition, "standby_v6")
}

// Packets that the node steers itself take the path that its tunnel remembers, until the agent has it look anew.
func TestWhatIsSteeredHereFollowsTheCarrier(t *testing.T) {
	for _, tt := range []struct {
		name, first, before, after string
		agent                      bool
	}{
		{"with an agent", "fcbb:bbbb:300:f00d::", "by 2 to fcbb:bbbb:300:f00d::", "by 3 to fcbb:bbbb:700:600::", true},
		{"the own uSID first, without an agent", "fcbb:bbbb:100:300:f00d::", "by 2 to fcbb:bbbb:300:f00d::", "by 3 to fcbb:bbbb:700:600::", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newDoubled(t)
			mustApply(t, g.n, insert(repairBy(8), list(11, tt.first), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 11, Reduced: true}))
			if !tt.agent {
				if err := g.n.Close(); err != nil {
					t.Fatal(err)
				}
			}
			steered := func() string {
				probed++
				dst := fmt.Sprintf("fd00:3::%x", probed)
				return g.emits(t, probe6("fd00:1::2", dst), ad(dst))
			}
			for range 4 {
				if got := steered(); got != tt.before {
					t.Fatalf("with the carrier: %s, want %s", got, tt.before)
				}
			}
			g.carrier(t, 2, "down")
			if tt.agent {
				eventually(t, "the agent has had the tunnel look anew", func() bool { return g.reaches(t, 3) })
			}
			if got := steered(); got != tt.after {
				t.Errorf("without the carrier: %s, want %s", got, tt.after)
			}
			g.carrier(t, 2, "up")
			if got := steered(); got != tt.before {
				t.Errorf("with the carrier again: %s, want %s", got, tt.before)
			}
		})
	}
}

// reaches sends a steered packet, and returns whether any has come out of port 3 so far.
func (g *doubled) reaches(t *testing.T, port int) bool {
	t.Helper()
	sendFrame(t, g.far, "f1", frame(mac(g.ns, "p1"), mac(g.far, "f1"), probe6("fd00:1::2", "fd00:3::ffff")))
	tap := map[int]*tap{2: g.out, 3: g.aside}[port]
	return len(tap.all(func(p packet) bool { return strings.Contains(string(p.whole), string(ad("fd00:3::ffff").AsSlice())) })) > 0
}

func TestOnlyALostCarrierHasTunnelsLookAnew(t *testing.T) {
	there := func(dev int, losses uint32) rtnl.Carrier { return rtnl.Carrier{Dev: dev, Up: true, Losses: losses} }
	gone := func(dev int, losses uint32) rtnl.Carrier { return rtnl.Carrier{Dev: dev, Losses: losses} }
	c := &carriers{known: map[int]rtnl.Carrier{}}
	for _, tt := range []struct {
		what string
		now  []rtnl.Carrier
		want []int
	}{
		{"a carrier that is there", []rtnl.Carrier{there(7, 2)}, nil},
		{"is gone", []rtnl.Carrier{gone(7, 3)}, []int{7}},
		{"is gone still", []rtnl.Carrier{gone(7, 3)}, nil},
		{"is back", []rtnl.Carrier{there(7, 3)}, nil},
		{"one is gone, and another is there", []rtnl.Carrier{gone(7, 4), there(8, 0)}, []int{7}},
		{"one that was not known", []rtnl.Carrier{gone(9, 1)}, []int{9}},
		{"was gone for a moment, without a word of it", []rtnl.Carrier{there(8, 1)}, []int{8}},
		{"was back for a moment", []rtnl.Carrier{gone(9, 2)}, []int{9}},
		{"a kernel that does not count", []rtnl.Carrier{there(6, 0), gone(6, 0)}, []int{6}},
		{"nothing", nil, nil},
	} {
		if got := c.lost(tt.now); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
	}
}

// Packets of a program on the node pass a tunnel, and no SID of the node itself.
func TestWhatTheNodeItselfSendsIsRepairedUnlessAnOwnSIDIsFirst(t *testing.T) {
	for _, tt := range []struct {
		name string
		list contract.SIDListID
		want int
	}{
		{"another node first", 7, 1},
		{"an own uA first", 8, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newDoubled(t)
			mustApply(t, g.n, insert(repairBy(tt.list)))
			g.carrier(t, 2, "down")
			needTool(t, "bash", "bash")
			in(t, g.ns, "echo from the node itself | bash -c 'cat >/dev/udp/fcbb:bbbb:300:f00d::/4660'")
			g.sends(t) // packets behind it have passed the same queues
			sent := func(p packet) bool { return strings.Contains(string(p.whole), "from the node itself") }
			if got := len(g.aside.all(sent)); got != tt.want {
				t.Errorf("%d packets came out, want %d", got, tt.want)
			}
		})
	}
}
