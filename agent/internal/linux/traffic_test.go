// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"encoding/binary"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
)

// flows sends one packet of each of many flows to a destination, by source port.
func (b *bench) flows(t testing.TB, count int, dst string) {
	t.Helper()
	for i := range count {
		p := probe6("fd00:1::2", dst)
		if ad(dst).Is4() {
			p = probe4("10.1.0.2", dst)
		}
		binary.BigEndian.PutUint16(p[len(p)-12:], uint16(1024+i*7))
		sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), p))
	}
}

func TestWeightsShareTheFlows(t *testing.T) {
	const flows = 400
	for _, dst := range []string{"fd00:3::2", "10.3.0.2"} {
		t.Run(dst, func(t *testing.T) {
			b := newBench(t)
			mustApply(t, b.n, insert(via("fcbb:bbbb::/32", 2),
				contract.SIDList{ID: 7, Members: []contract.SIDListMember{member(300, "fcbb:bbbb:200:f00d::"), member(50, "fcbb:bbbb:300:f00d::"), member(50, "fcbb:bbbb:300:f00d::")}},
				contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true},
				contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 7, Reduced: true}))
			b.flows(t, flows, dst)
			count := func(sid string) int {
				return len(b.out.all(func(p packet) bool { return p.dst == ad(sid) }))
			}
			eventually(t, "every flow has come out", func() bool { return count("fcbb:bbbb:200:f00d::")+count("fcbb:bbbb:300:f00d::") == flows })
			// 3:1 of 400 is 300; the spread of a hash over 400 flows is about 9.
			if got := count("fcbb:bbbb:200:f00d::"); got < 260 || got > 340 {
				t.Errorf("%d of %d flows take the member of weight 3 in 4", got, flows)
			}
		})
	}
}

func TestEqualCostPathsShareEncapsulatedFlows(t *testing.T) {
	const flows = 200
	b := newBench(t)
	one := listen(t, b.far, "f1")
	mustApply(t, b.n, insert(via("fcbb:bbbb:200::/48", 1, 2), list(7, "fcbb:bbbb:200:f00d::"), un("fcbb:bbbb:100::/48")))
	for i := range flows {
		inner := probe6("fd00:1::2", "fd00:3::2")
		binary.BigEndian.PutUint16(inner[40:], uint16(1024+i*7))
		sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), encapsulated("fcbb:bbbb:100:200:f00d::", 0, nil, 41, inner)))
	}
	here := func(p packet) bool { return p.dst == ad("fcbb:bbbb:200:f00d::") }
	eventually(t, "every flow has come out", func() bool { return len(one.all(here))+len(b.out.all(here)) == flows })
	if got := len(one.all(here)); got < flows/4 || got > flows*3/4 {
		t.Errorf("%d of %d flows take one of two equal paths", got, flows)
	}
}

func TestSteeringCountsWhatItSteersAndNothingElse(t *testing.T) {
	b := newBench(t)
	mustApply(t, b.n, insert(via("fcbb:bbbb::/32", 2), list(7, "fcbb:bbbb:200:f00d::"), via("fd00:3:0:9::/64", 2),
		contract.Steering{Dst: px("fd00:3::/32"), SIDList: 7, Reduced: true},
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true},
		contract.Steering{Dst: px("10.0.0.0/8"), SIDList: 7, Reduced: true},
		contract.Steering{VRF: 7, Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}))
	if b.n.counters == nil {
		t.Skip("needs nftables with fib lookups; run a kernel with CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6")
	}
	b.flows(t, 3, "fd00:3::2")      // the longer one
	b.flows(t, 5, "fd00:3:0:1::2")  // the shorter one
	b.flows(t, 7, "fd00:3:0:9::2")  // a plain route within the shorter one
	b.flows(t, 11, "10.3.0.2")      // IPv4
	b.flows(t, 13, "fd00:99::1234") // nothing
	want := map[string]string{
		"steering_v6 vrf 0 fd00:3::/32": "5 packets 260 bytes", "steering_v6 vrf 0 fd00:3::/64": "3 packets 156 bytes",
		"steering_v4 vrf 0 10.0.0.0/8": "11 packets 352 bytes", "steering_v6 vrf 7 fd00:3::/64": "not counted",
	}
	read := func() map[string]string {
		got := map[string]string{}
		rows, err := b.n.Entries(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if _, ok := r.Entry.(contract.Steering); !ok {
				continue
			}
			got[r.Entry.Key().String()] = "not counted"
			if r.Counters != nil {
				got[r.Entry.Key().String()] = fmt.Sprintf("%d packets %d bytes", r.Counters.Packets, r.Counters.Bytes)
			}
		}
		return got
	}
	eventually(t, fmt.Sprintf("counters are %v", want), func() bool { return fmt.Sprint(read()) == fmt.Sprint(want) })
	if !strings.Contains(in(t, b.ns, "ping -c 1 -W 1 fd00:3:0:7::1 || true"), "1 packets transmitted") { // packets of the node itself
		t.Error("ping did not run")
	}
	want["steering_v6 vrf 0 fd00:3::/32"] = "6 packets 364 bytes"
	eventually(t, fmt.Sprintf("counters are %v", want), func() bool { return fmt.Sprint(read()) == fmt.Sprint(want) })
	mustApply(t, b.n, remove(contract.Steering{Dst: px("fd00:3::/64")}))
	b.flows(t, 4, "fd00:3::2")
	delete(want, "steering_v6 vrf 0 fd00:3::/64")
	want["steering_v6 vrf 0 fd00:3::/32"] = "10 packets 572 bytes"
	eventually(t, fmt.Sprintf("counters are %v", want), func() bool { return fmt.Sprint(read()) == fmt.Sprint(want) })
}

func TestAModifiedListMovesItsUsersAtOnce(t *testing.T) {
	b := newBench(t)
	binding := local("fcf0:1::6/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7})
	mustApply(t, b.n, insert(via("fcbb:bbbb::/32", 2), list(7, "fcbb:bbbb:200:f00d::"), binding,
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}, contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 7}))
	mustApply(t, b.n, modify(contract.SIDList{ID: 7, Members: []contract.SIDListMember{member(1, "fcbb:bbbb:300:f00d::"), member(1, "fcbb:bbbb:400:f00d::")}}))
	mustApply(t, b.n, modify(list(7, "fcbb:bbbb:500:f00d::")))
	b.flows(t, 1, "fd00:3::2")
	b.flows(t, 1, "10.3.0.2")
	in := encapsulated("fcf0:1::6", 1, []string{"fcf0:1::6", "fcf0:3::1"}, 41, probe6("fd00:1::2", "fd00:3::9"))
	sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), in))
	eventually(t, "all three take the new list", func() bool {
		return len(b.out.all(func(p packet) bool { return p.dst == ad("fcbb:bbbb:500:f00d::") })) == 3
	})
	if got := len(stored(t, b.n, "")); got != 8 {
		t.Errorf("%d rows are as they should be, want 8: %v", got, stored(t, b.n, ""))
	}
}

func TestAModifiedNextHopMovesItsUsers(t *testing.T) {
	b := newBench(t)
	one := listen(t, b.far, "f1")
	mustApply(t, b.n, insert(via("fd00:3::/64", 2), via("10.3.0.0/24", 2), local("fcf0:1::3/128", contract.Behavior{Action: contract.EndX, NextHop: 2})))
	mustApply(t, b.n, modify(contract.NextHop{ID: 2, Port: 1, SrcMAC: mac(b.ns, "p1"), DstMAC: mac(b.far, "f1")}))
	b.flows(t, 1, "fd00:3::2")
	b.flows(t, 1, "10.3.0.2")
	in := encapsulated("fcf0:1::3", 1, []string{"fcf0:1::3", "fcf0:99::1"}, 41, probe6("fd00:1::2", "fd00:3::9"))
	sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), in))
	one.first(t, "IPv6 by port 1", func(p packet) bool { return p.dst == ad("fd00:3::2") && p.hopLimit == 63 })
	one.first(t, "IPv4 by port 1", func(p packet) bool { return p.inner4Dst == ad("10.3.0.2") && p.hopLimit == 63 })
	one.first(t, "the SID by port 1", func(p packet) bool { return p.dst == ad("fcf0:99::1") && p.hopLimit == 63 })
	if left := strings.TrimSpace(run(t, "ip", "-n", b.ns, "neigh", "show", "dev", "p2", "nud", "permanent")); strings.Contains(left, "fd5e:7e00::2") || strings.Contains(left, "169.254.0.2") {
		t.Errorf("the old port keeps a neighbour: %s", left)
	}
	changed := contract.NextHop{ID: 2, Port: 1, SrcMAC: mac(b.ns, "p1"), DstMAC: [6]byte{2, 0, 0, 0, 0, 77}}
	mustApply(t, b.n, modify(changed))
	if got := run(t, "ip", "-n", b.ns, "neigh", "show", "fd5e:7e00::2"); !strings.Contains(got, "02:00:00:00:00:4d") {
		t.Errorf("neighbour after another MAC address: %s", got)
	}
}

// An agent that is replaced must not be noticed by traffic: here 300 pings run while all three
// agents of a chain are closed, opened again, and given every row once more.
func TestTrafficDoesNotNoticeARestart(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	c := newChain(t, 0x100, 0x200, 0x300)
	mustApply(t, c.nodes[0], insert(list(1, "fcbb:bbbb:200:300:f00d::"), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true}))
	mustApply(t, c.nodes[2], insert(list(1, "fcbb:bbbb:200:100:f00d::"), contract.Steering{Dst: px("fd00:1::/64"), SIDList: 1, Reduced: true}))
	c.ping(t, "fd00:3::2")

	flood := exec.Command("ip", "netns", "exec", c.left, "ping", "-q", "-c", "300", "-i", "0.005", "-W", "2", "fd00:3::2")
	var out strings.Builder
	flood.Stdout, flood.Stderr = &out, &out
	if err := flood.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range c.nodes {
		before := stored(t, c.nodes[i], "")
		if err := c.nodes[i].Close(); err != nil {
			t.Fatal(err)
		}
		c.nodes[i] = openNode(t, c.ns[i], c.states[i], map[contract.PortID]string{1: "p1", 2: "p2"})
		if after := stored(t, c.nodes[i], ""); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("node %d adopted %v, want %v", i, after, before)
		}
		mustApply(t, c.nodes[i], modify(c.base(i)...))
	}
	if err := flood.Wait(); err != nil {
		t.Errorf("ping: %v", err)
	}
	if !strings.Contains(out.String(), "300 received") {
		t.Errorf("packets were lost:\n%s", out.String())
	}
}

// RFC 3927, 2.7. Packets behind it have passed the same queues.
func TestIPv4LinkLocalSourcesDoNotEnterAPolicy(t *testing.T) {
	b := newBench(t)
	if b.n.counters == nil {
		t.Skip("needs nftables with fib lookups; run a kernel with CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6")
	}
	mustApply(t, b.n, insert(via("fcbb:bbbb::/32", 2), list(7, "fcbb:bbbb:200:f004::"), contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 7, Reduced: true}))
	for _, source := range []string{"169.254.7.7", "169.253.7.7"} {
		sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), probe4(source, "10.3.0.2")))
	}
	here := func(p packet) bool { return p.dst == ad("fcbb:bbbb:200:f004::") }
	eventually(t, "the other one has come out", func() bool { return len(b.out.all(here)) > 0 })
	if got := len(b.out.all(here)); got != 1 {
		t.Errorf("%d packets entered the policy, want one", got)
	}
}
