// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
)

func TestARowThatSomeoneDeletedIsMissingUntilItIsWrittenAgain(t *testing.T) {
	n, ns := unattended(t)
	rows := everyRow(ns)
	mustApply(t, n, insert(rows...))
	all := stored(t, n, "")
	for _, tt := range []struct {
		sabotage string
		row      contract.Entry
	}{
		{"ip -6 route del fcbb:bbbb:100::/48 proto 200", un("fcbb:bbbb:100::/48")},
		{"ip -6 route replace fcbb:bbbb:100::/48 metric 1 proto 200 dev sextant0 encap seg6local action End", un("fcbb:bbbb:100::/48")},
		{"ip -6 route del fd00:3::/64 proto 200 metric 2", contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}},
		{"ip route del 10.4.0.0/16 proto 200", via("10.4.0.0/16", 1, 65279)},
		{"ip -6 route replace fcbb:bbbb:300::/44 metric 3 proto 200 via fd5e:7e00::1 dev p1", via("fcbb:bbbb:300::/44", 1, 2)},
		{"ip -6 neigh del fd5e:7e00::feff dev p2", hop(ns, 65279, 2)},
		{"ip -6 route flush table $((0x5e7e0001))", local("fcf0:1::6/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7})},
	} {
		in(t, ns, tt.sabotage)
		want := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return k == tt.row.Key().String() })
		if got := stored(t, n, ""); !slices.Equal(got, want) {
			t.Errorf("after %q: rows\n%s\nwant all but %s", tt.sabotage, strings.Join(got, "\n"), tt.row.Key())
		}
		mustApply(t, n, insert(tt.row))
		if got := stored(t, n, ""); !slices.Equal(got, all) {
			t.Errorf("after %q and writing again: rows %v, want %v", tt.sabotage, got, all)
		}
	}
}

func TestARowThatSomeoneDeletedCanBeDeletedAndModified(t *testing.T) {
	n, ns := unattended(t)
	mustApply(t, n, insert(hop(ns, 1, 1), hop(ns, 2, 2), via("fd00:5::/64", 1), via("fd00:6::/64", 1)))
	in(t, ns, "ip -6 route del fd00:5::/64; ip -6 route del fd00:6::/64")
	mustApply(t, n, modify(via("fd00:5::/64", 2)))
	mustApply(t, n, remove(via("fd00:6::/64", 1)))
	if got, want := stored(t, n, contract.TableRouteV6), []string{"route_v6 vrf 0 fd00:5::/64"}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}

func TestWhoReloadsTheFirewallTakesNoNodeDown(t *testing.T) {
	needRoot(t)
	if _, err := exec.LookPath("nft"); err != nil {
		t.Skip("needs nft to take tables away: apt-get install nftables")
	}
	n, ns := oneNode(t)
	if n.counters == nil {
		t.Skip("needs nftables with fib lookups; run a kernel with CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6")
	}
	mustApply(t, n, insert(everyRow(ns)...))
	all := stored(t, n, "")
	ruleset := func() string {
		return in(t, ns, "for family in ip6 ip; do nft list table $family sextant 2>&1; done | sed 's/counter packets [0-9]* bytes [0-9]*//'")
	}
	whole := ruleset()
	if !strings.Contains(whole, "fd00:3::") {
		t.Fatalf("steering is not counted:\n%s", whole)
	}
	for _, sabotage := range []string{
		"nft flush ruleset", "nft delete table ip6 sextant", "nft delete table ip sextant", "nft flush set ip6 sextant steered",
		"nft flush chain ip6 sextant arriving", "nft flush table ip sextant", "true",
	} {
		in(t, ns, sabotage)
		if got := stored(t, n, ""); !slices.Equal(got, all) {
			t.Errorf("after %q: rows %v, want %v", sabotage, got, all)
		}
		if diff := cmp.Diff(whole, ruleset()); diff != "" {
			t.Errorf("after %q and a read (-want +got):\n%s", sabotage, diff)
		}
	}
	in(t, ns, "nft flush ruleset")
	more := contract.Steering{Dst: px("fd00:77::/65"), SIDList: 7, Reduced: true}
	mustApply(t, n, insert(more))
	stored(t, n, "")
	if got := ruleset(); !strings.Contains(got, "fd00:77::") || !strings.Contains(got, "fd00:3::") {
		t.Errorf("a row written after the firewall was reloaded is not counted:\n%s", got)
	}
}

func TestADeletedDevicePairIsMadeAgainWithTheRowsOnIt(t *testing.T) {
	for _, sabotage := range []string{"ip link del sextant0", "ip link set sextant1 down"} {
		t.Run(sabotage, func(t *testing.T) {
			n, ns := unattended(t)
			mustApply(t, n, insert(everyRow(ns)...))
			all := stored(t, n, "")
			in(t, ns, sabotage)
			if got := stored(t, n, ""); !slices.Equal(got, all) {
				t.Errorf("rows after the repair %v, want %v", got, all)
			}
		})
	}
}

func TestAReopenedNodeAdoptsWhatMatchesAndNothingElse(t *testing.T) {
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	wire(t, ns, "p2", far, "f2")
	dir, ports := t.TempDir(), map[contract.PortID]string{1: "p1", 2: "p2"}
	first, err := Open(Options{NetNS: ns, Ports: ports, StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, first, insert(everyRow(ns)...))
	mustApply(t, first, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	all := stored(t, first, "")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	monitored := func(what string, f func()) {
		t.Helper()
		before := in(t, ns, "ip -6 -d route show table all proto 200; ip -d route show table all proto 200; ip neigh show nud permanent")
		f()
		if after := in(t, ns, "ip -6 -d route show table all proto 200; ip -d route show table all proto 200; ip neigh show nud permanent"); after != before {
			t.Errorf("%s changed the kernel from\n%s\nto\n%s", what, before, after)
		}
	}
	monitored("adoption", func() {
		second := openNode(t, ns, dir, ports)
		if got := stored(t, second, ""); !slices.Equal(got, all) {
			t.Errorf("adopted rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(all, "\n"))
		}
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
	})

	in(t, ns, `ip -6 route del fcbb:bbbb:100:f00d::/64 proto 200
		ip -6 route add fd00:99::/64 dev p1 proto 200 metric 3
		ip -6 route add fd00:98::/64 dev p1 proto static`)
	third := openNode(t, ns, dir, ports)
	if got := stored(t, third, ""); !slices.Equal(got, all) {
		t.Errorf("rows after a loss\n%s\nwant them all again", strings.Join(got, "\n"))
	}
	if left := in(t, ns, "ip -6 route show fd00:99::/64"); left != "" {
		t.Errorf("a leftover stays: %s", left)
	}
	if left := in(t, ns, "ip -6 route show fd00:98::/64"); left == "" {
		t.Error("a foreign route is gone")
	}
	wantCode(t, third, contract.Update{Op: contract.Delete, Entry: list(7, "::1")}, contract.FailedPrecondition, "used by")
}

func TestAnotherNamespaceOfTheSameNameHasNoRows(t *testing.T) {
	dir := t.TempDir()
	var last []string
	for range 2 {
		ns, far := newNamespace(t, "n"), newNamespace(t, "far")
		wire(t, ns, "p1", far, "f1")
		n, err := Open(Options{NetNS: ns, Ports: map[contract.PortID]string{1: "p1"}, StateDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		last = stored(t, n, "")
		mustApply(t, n, insert(hop(ns, 1, 1), list(7, "fcbb::1")))
		if err := n.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(last) != 0 {
		t.Errorf("a new namespace starts with %v, want nothing", last)
	}
}

func TestADamagedJournalCostsRowsButNeverTheAgent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func([]byte) []byte
		all    bool // rows survive
	}{
		{"torn last record", func(b []byte) []byte { return append(b, []byte(`deadbeef {"rows":[`)...) }, true},
		{"torn end of a batch, which is then finished", func(b []byte) []byte { return b[:len(b)-10] }, true},
		{"cut in the middle", func(b []byte) []byte { return b[:len(b)/2] }, false},
		{"a flipped bit", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, false},
		{"empty", func([]byte) []byte { return nil }, false},
		{"something else", func([]byte) []byte { return []byte("\x7fELF\x00\n\n{}\n") }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ns, far := newNamespace(t, "n"), newNamespace(t, "far")
			wire(t, ns, "p1", far, "f1")
			dir, ports := t.TempDir(), map[contract.PortID]string{1: "p1"}
			n, err := Open(Options{NetNS: ns, Ports: ports, StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			mustApply(t, n, insert(hop(ns, 1, 1), via("fd00:5::/64", 1)))
			if err := n.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, journal.Name)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, tt.damage(data), 0o600); err != nil {
				t.Fatal(err)
			}
			n = openNode(t, ns, dir, ports)
			if got := len(stored(t, n, "")); tt.all && got != 2 || !tt.all && got != 0 {
				t.Errorf("%d rows survive", got)
			}
			routes := in(t, ns, "ip -6 route show proto 200")
			if !tt.all && routes != "" {
				t.Errorf("no row explains\n%s", routes)
			}
			if !tt.all {
				mustApply(t, n, insert(hop(ns, 1, 1), via("fd00:5::/64", 1)))
			}
		})
	}
}

func TestAnInterruptedBatchIsFinished(t *testing.T) {
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	dir, ports := t.TempDir(), map[contract.PortID]string{1: "p1"}
	n, err := Open(Options{NetNS: ns, Ports: ports, StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	steer := contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}
	mustApply(t, n, insert(hop(ns, 1, 1), list(7, "fcbb::1"), steer, via("fd00:5::/64", 1), via("fd00:6::/64", 1)))
	// The state after a kill -9 in the middle of a batch: its begin in the journal, half of it in the kernel.
	batch := append(insert(via("fd00:7::/64", 1), un("fcbb:bbbb:100::/48")), modify(list(7, "fcbb::2"))...)
	batch = append(batch, remove(via("fd00:5::/64", 1), via("fd00:6::/64", 1))...)
	before, err := os.ReadFile(filepath.Join(dir, journal.Name))
	if err != nil {
		t.Fatal(err)
	}
	identity, err := n.ns.identity()
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, n, []contract.Update{batch[0], batch[2], batch[3]})
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, journal.Name), before, 0o600); err != nil {
		t.Fatal(err)
	}
	interrupted(t, dir, identity, batch)
	n = openNode(t, ns, dir, ports)
	want := []string{
		"my_sid fcbb:bbbb:100::/48", "next_hop 1", "route_v6 vrf 0 fd00:7::/64", "sid_list 7", "steering_v6 vrf 0 fd00:3::/64",
	}
	if got := stored(t, n, ""); !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if got := in(t, ns, "ip -6 route show fd00:3::/64"); !strings.Contains(got, "fcbb::2") {
		t.Errorf("steering has the old list: %s", got)
	}
}

func TestResetAndUninstallLeaveNothingOfTheAgent(t *testing.T) {
	n, ns := oneNode(t)
	before := in(t, ns, "ip addr show dev lo")
	mustApply(t, n, insert(everyRow(ns)...))
	mustApply(t, n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	if err := n.Reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, n, ""); len(got) != 0 {
		t.Errorf("after Reset: %v", got)
	}
	if got := in(t, ns, "ip sr tunsrc show"); strings.Contains(got, "fcff:1::1") || len(n.private) != 0 {
		t.Errorf("after Reset: %s and tables %v", got, n.private)
	}
	mustApply(t, n, insert(everyRow(ns)...))
	if err := n.Uninstall(context.Background()); err != nil {
		t.Fatal(err)
	}
	if left := in(t, ns, "ip -6 route show table all proto 200; ip route show table all proto 200; ip link show type veth | grep sextant || true; nft list tables 2>/dev/null || true"); left != "" {
		t.Errorf("after Uninstall:\n%s", left)
	}
	if after := in(t, ns, "ip addr show dev lo"); after != before {
		t.Errorf("lo was\n%s\nand is\n%s", before, after)
	}
}

// interrupted makes the journal of an agent that was killed within a batch.
func interrupted(t *testing.T, dir, identity string, batch []contract.Update) {
	t.Helper()
	j, remembered, _, err := journal.Open(dir, identity, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	entries := func() []contract.Entry { return remembered }
	if err := errors.Join(j.Begin(journal.Batch(batch), entries), j.Close()); err != nil {
		t.Fatal(err)
	}
}
