// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/nftables"

	"sextant/agent/internal/contract"
)

// kernelState is all that the agent has a hand in.
func kernelState(t *testing.T, ns string) string {
	t.Helper()
	return in(t, ns, `ip -6 -d route show table all proto 200; ip -d route show table all proto 200; ip neigh show nud permanent | grep 'proto 200'
		ip -6 addr show dev lo; ip sr tunsrc show
		sysctl net.ipv4.ip_forward net.ipv6.conf.all.forwarding net.ipv6.conf.all.seg6_enabled net.ipv6.conf.p1.forwarding net.ipv6.conf.p1.seg6_enabled
		sysctl net.ipv4.conf.p1.rp_filter net.ipv4.conf.all.rp_filter net.ipv6.conf.sextant0.seg6_enabled net.ipv6.conf.p2.keep_addr_on_down`) + fmt.Sprint(counted(t, ns))
}

// nftablesOf a namespace, until the test ends.
func nftablesOf(t *testing.T, ns string) *nftables.Conn {
	t.Helper()
	space, err := openNamespace(ns)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.close() })
	nft, err := nftables.New(nftables.WithNetNSFd(space.fd()))
	if err != nil {
		t.Fatal(err)
	}
	return nft
}

// counted are the steering rows that nftables counts, and the number of rules.
func counted(t *testing.T, ns string) (all []string) {
	t.Helper()
	nft := nftablesOf(t, ns)
	tables, err := nft.ListTables()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		set := &nftables.Set{Table: table, Name: nftSetName, KeyType: nftables.MustConcatSetType(nftables.TypeMark, nftables.TypeIP6Addr)}
		elements, err := nft.GetSetElements(set)
		if err != nil {
			continue // gone
		}
		for _, e := range elements {
			all = append(all, fmt.Sprintf("%x", e.Key))
		}
		for _, chain := range []string{"arriving", "leaving"} {
			rules, err := nft.GetRules(table, &nftables.Chain{Name: chain, Table: table})
			all = append(all, fmt.Sprint(chain, len(rules), err))
		}
	}
	slices.Sort(all)
	return all
}

// reload takes nftables tables away, as a firewall does that is loaded anew.
func reload(t *testing.T, ns string, change func(*nftables.Conn)) {
	t.Helper()
	nft := nftablesOf(t, ns)
	change(nft)
	if err := nft.Flush(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatSomebodyTakesAwayIsBackWithinFiveSeconds(t *testing.T) {
	n, ns := oneNode(t)
	in(t, ns, "ip addr add 10.8.0.1/24 dev p1; ip -6 addr add fd00:8::1/64 dev p1; ip addr add 10.8.1.1/24 dev p2")
	mustApply(t, n, insert(everyRow(ns)...))
	mustApply(t, n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	all := stored(t, n, "")
	before := kernelState(t, ns)
	if n.counters != nil && !strings.Contains(before, "arriving") {
		t.Fatalf("nftables is not in what is compared:\n%s", before)
	}
	shell := func(line string) func() { return func() { in(t, ns, line) } }
	sabotages := map[string]func(){
		"the firewall is loaded anew": func() { reload(t, ns, func(nft *nftables.Conn) { nft.FlushRuleset() }) },
		"a table is deleted": func() {
			reload(t, ns, func(nft *nftables.Conn) {
				nft.DelTable(&nftables.Table{Name: nftTableName, Family: nftables.TableFamilyIPv4})
			})
		},
		"a set is flushed": func() {
			reload(t, ns, func(nft *nftables.Conn) {
				nft.FlushSet(&nftables.Set{Name: nftSetName, Table: &nftables.Table{Name: nftTableName, Family: nftables.TableFamilyIPv6}})
			})
		},
	}
	for _, line := range []string{
		"ip -6 route del fcbb:bbbb:100::/48",
		"ip -6 route replace fcbb:bbbb:100::/48 metric 1 proto 200 dev sextant0 encap seg6local action End",
		"ip -6 route replace fd00:3::/64 metric 2 proto 200 via fe80::1 dev sextant1 encap seg6 mode encap.red segs fcbb::9",
		"ip -6 route flush proto 200; ip route flush proto 200",
		"ip -6 route flush table 7; ip -6 route flush table $((0x5e7e0001))",
		"ip neigh del 169.254.0.1 dev p1; ip -6 neigh del fd5e:7e00::2 dev p2",
		"ip -6 neigh replace fd5e:7e00::1 lladdr 02:00:00:00:00:77 dev p1 nud permanent",
		"ip addr del 10.8.1.1/24 dev p2; ip addr add 10.8.1.1/24 dev p2", // the last one: the kernel drops all IPv4 routes of the port
		"ip addr flush dev lo scope global",
		"ip sr tunsrc set ::",
		"ip link del sextant0",
		"ip link set sextant0 down",
		"ip link set p1 down; ip link set p1 up",
		"sysctl -w net.ipv6.conf.all.forwarding=0 net.ipv4.ip_forward=0", // reaches all interfaces
		"sysctl -w net.ipv6.conf.p1.forwarding=0 net.ipv6.conf.p1.seg6_enabled=1",
		"sysctl -w net.ipv6.conf.all.seg6_enabled=1 net.ipv4.conf.p1.rp_filter=1 net.ipv6.conf.p2.keep_addr_on_down=0",
	} {
		sabotages[line] = shell(line)
	}
	for sabotage, do := range sabotages {
		do()
		start := time.Now()
		eventually(t, "the kernel holds after "+sabotage+" what it held before", func() bool { return sameLines(kernelState(t, ns), before) })
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("after %q: repaired after %s, want less than 5 s", sabotage, took)
		}
		if got := stored(t, n, ""); !slices.Equal(got, all) {
			t.Errorf("after %q: rows %v, want %v", sabotage, got, all)
		}
	}
}

// quarrel is a program that takes a prefix of the agent's.
func quarrels() []struct{ name, take, giveBack, owner string } {
	return []struct{ name, take, giveBack, owner string }{
		{
			"a better metric", "ip -6 route add fd00:3::/64 via fe80::9 dev p1 metric 1 proto bgp", "ip -6 route del fd00:3::/64 metric 1",
			"protocol 186, bgp, metric 1",
		},
		{
			"two of them, the better one last",
			"ip -6 route add fd00:3::/64 via fe80::9 dev p1 metric 20 proto isis; ip -6 route add fd00:3::/64 via fe80::9 dev p1 metric 1 proto bgp",
			"ip -6 route del fd00:3::/64 metric 1; ip -6 route del fd00:3::/64 metric 20", "protocol 186, bgp, metric 1",
		},
		{
			"two of them, the better one first",
			"ip -6 route add fd00:3::/64 via fe80::9 dev p1 metric 1 proto bgp; ip -6 route add fd00:3::/64 via fe80::9 dev p1 metric 20 proto isis",
			"ip -6 route del fd00:3::/64 metric 1; ip -6 route del fd00:3::/64 metric 20", "protocol 186, bgp, metric 1",
		},
		{"no way out", "ip -6 route add unreachable fd00:3::/64 metric 1", "ip -6 route del unreachable fd00:3::/64 metric 1", "protocol 3, boot, metric 1"},
		{
			"taken while it was away", "ip -6 route add fd00:3::/64 via fe80::9 dev p1 metric 20 proto isis; ip -6 route del fd00:3::/64 metric 2 proto 200",
			"ip -6 route del fd00:3::/64 metric 20", "protocol 187, isis, metric 20",
		},
	}
}

func TestARowWhosePrefixSomebodyElseTakesNamesHim(t *testing.T) {
	for _, tt := range quarrels() {
		t.Run(tt.name, func(t *testing.T) {
			n, ns := oneNode(t)
			steered := contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}
			mustApply(t, n, insert(hop(ns, 1, 1), list(7, "fcbb::1"), steered, via("fd00:4::/64", 1)))
			all := stored(t, n, "")
			left := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return k == steered.Key().String() })
			in(t, ns, tt.take)
			foreign := func() string { return in(t, ns, "ip -6 route show fd00:3::/64 | grep -v 'proto 200' || true") }
			before := foreign()
			for range 3 {
				if got := stored(t, n, ""); !slices.Equal(got, left) {
					t.Errorf("rows %v, want all but %s", got, steered.Key())
				}
				for _, u := range []contract.Update{insert(steered)[0], modify(steered)[0]} {
					if u.Op == contract.Modify && tt.name == "taken while it was away" {
						continue // a refusal there shows once the keeper has looked
					}
					wantCode(t, n, u, contract.FailedPrecondition, tt.owner)
				}
				n.look()
			}
			mustApply(t, n, modify(list(7, "fcbb::2"))) // the rows it refers to may change meanwhile
			if after := foreign(); after != before {
				t.Errorf("the foreign route was\n%sand is\n%s", before, after)
			}
			in(t, ns, tt.giveBack)
			eventually(t, "the row is back", func() bool { return slices.Equal(stored(t, n, ""), all) })
			if got := in(t, ns, "ip -6 route show fd00:3::/64"); !strings.Contains(got, "fcbb::2") {
				t.Errorf("the row that is back has the list of before: %s", got)
			}
		})
	}
}

func TestARowThatYieldedCanBeDeletedAndLeavesTheOther(t *testing.T) {
	for _, tt := range quarrels() {
		t.Run(tt.name, func(t *testing.T) {
			n, ns := oneNode(t)
			steered := contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}
			mustApply(t, n, insert(list(7, "fcbb::1"), steered))
			in(t, ns, tt.take)
			n.look()
			mustApply(t, n, remove(steered))
			if got := in(t, ns, "ip -6 route show fd00:3::/64"); strings.Contains(got, "proto 200") || strings.TrimSpace(got) == "" {
				t.Errorf("after the deletion there is %q, want the other's route alone", got)
			}
		})
	}
}

func TestAForeignRouteThatComesLaterAndStandsBehindIsNoObstacle(t *testing.T) {
	n, ns := oneNode(t)
	row := via("fd00:4::/64", 1)
	mustApply(t, n, insert(hop(ns, 1, 1), hop(ns, 2, 2), row))
	in(t, ns, "ip -6 route add fd00:4::/64 via fe80::9 dev p1 metric 20 proto isis")
	n.look()
	if got := stored(t, n, contract.TableRouteV6); len(got) != 1 {
		t.Errorf("rows %v, want it to stay: traffic follows it", got)
	}
	mustApply(t, n, modify(via("fd00:4::/64", 2)))
}

func TestAnAddressThatHostsNeedIsMissedByTheirRoutes(t *testing.T) {
	n, ns := oneNode(t)
	in(t, ns, "ip -6 addr add fd00:8::1/64 dev p1 nodad; ip addr add 10.8.0.1/24 dev p1; ip addr add 10.8.0.2/24 dev p1")
	rows := []contract.Entry{
		hop(ns, 1, 1), hop(ns, 2, 2),
		via("fd00:8::7/128", 1), via("10.8.0.7/32", 1), via("fd00:8::8/128", 2), via("fd00:9::/64", 1),
	}
	mustApply(t, n, insert(rows...))
	all := stored(t, n, "")
	in(t, ns, "ip -6 addr del fd00:8::1/64 dev p1; ip addr del 10.8.0.2/24 dev p1")
	want := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return k == "route_v6 vrf 0 fd00:8::7/128" })
	if got := stored(t, n, ""); !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	wantCode(t, n, insert(rows[2])[0], contract.FailedPrecondition, "port 1 (p1) has lost the address fd00:8::1/64")
	wantCode(t, n, insert(rows[2])[0], contract.FailedPrecondition, "add it again")
	if got := in(t, ns, "ip -6 route show fd00:8::7"); !strings.Contains(got, "proto 200") {
		t.Errorf("the route itself is gone: %q", got)
	}
	in(t, ns, "ip -6 addr add fd00:8::99/64 dev p1 nodad") // another one of the same network will do
	// The kernel notifies of a new IPv6 address a moment after it has it, also without duplicate address detection.
	eventually(t, "all rows are in service", func() bool { return slices.Equal(stored(t, n, ""), all) })
}

func TestWhatTheAgentDoesItselfIsNoReasonToLook(t *testing.T) {
	n, ns := unattended(t)
	mustApply(t, n, insert(everyRow(ns)...))
	mustApply(t, n, modify(list(8, "fcbb::8")))
	mustApply(t, n, remove(via("::/0", 2)))
	n.mu.Lock()
	defer n.mu.Unlock()
	n.others.touched = false
	n.rows.Get(un("fcbb:bbbb:100::/48").Key()).Objects.Routes[0].Metric++ // a look would repair it
	if err := n.keepRows(); err != nil {
		t.Fatal(err)
	}
	if got := in(t, ns, "ip -6 route show fcbb:bbbb:100::/48"); strings.Contains(got, "metric 2") {
		t.Error("the agent's own writes have it compare all rows")
	}
}

func TestAPortWithoutIPv6IsToldWithTheRemedy(t *testing.T) {
	n, ns := oneNode(t)
	row := via("fd00:4::/64", 1)
	mustApply(t, n, insert(hop(ns, 1, 1), row))
	in(t, ns, "sysctl -w net.ipv6.conf.p1.disable_ipv6=1")
	eventually(t, "the row is missing", func() bool { return len(stored(t, n, contract.TableRouteV6)) == 0 })
	wantCode(t, n, insert(row)[0], contract.FailedPrecondition, "disable_ipv6=0")
	in(t, ns, "sysctl -w net.ipv6.conf.p1.disable_ipv6=0")
	eventually(t, "the row is back", func() bool { return len(stored(t, n, contract.TableRouteV6)) == 1 })
}

// A row that the kernel refused for want of memory, say, is no event when it could be had again.
func TestWhatWasOutOfServiceIsTriedAgain(t *testing.T) {
	n, ns := unattended(t)
	row := un("fcbb:bbbb:100::/48")
	mustApply(t, n, insert(row))
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.conn.DeleteRoute(n.rows.Get(row.Key()).Objects.Routes[0]); err != nil { // by the agent itself: it does not look
		t.Fatal(err)
	}
	show := func() string { return in(t, ns, "ip -6 route show fcbb:bbbb:100::/48") }
	if err := n.keepRows(); err != nil || show() != "" {
		t.Fatalf("nothing has happened, and the agent looked (%v)", err)
	}
	n.note(row.Key(), errors.New("the kernel refuses it"))
	if err := n.keepRows(); err != nil || show() == "" {
		t.Errorf("what was out of service is not tried again: %v", err)
	}
	if len(n.outages) != 0 {
		t.Errorf("out of service are %v", n.outages)
	}
}

func TestWhoTakesAPrefixIsLoggedOnce(t *testing.T) {
	ns := twoPorts(t)
	var lines []string
	o := Options{NetNS: ns, Ports: map[contract.PortID]string{1: "p1"}, StateDir: t.TempDir(), unattended: true}
	o.Log = func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	n := open(t, o)
	mustApply(t, n, insert(hop(ns, 1, 1), via("fd00:4::/64", 1)))
	in(t, ns, "ip -6 route add fd00:4::/64 via fe80::9 dev p1 metric 1 proto bgp")
	for range 3 {
		n.look()
	}
	in(t, ns, "ip -6 route del fd00:4::/64 metric 1")
	n.look()
	if len(lines) != 2 || !strings.Contains(lines[0], "186, bgp") || !strings.Contains(lines[1], "as it should be again") {
		t.Errorf("logged was %q, want the owner and the end, once each", lines)
	}
}
