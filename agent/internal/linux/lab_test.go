// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/mobile"
)

// needRoot skips a test without the right to make network namespaces.
func needRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to make network namespaces; run: sudo go test ./internal/linux/...")
	}
}

// optional features have tests that skip by themselves; all others a kernel from 6.6 on has.
var optional = []string{"VRF devices", "nftables with fib lookups", "netfilter within tunnels", "rules by ports and DSCP", livelive.FeatureName, mobile.FeatureName}

var kernelFeatures = sync.OnceValues(func() ([]contract.Feature, error) { return Check("") })

// needKernel skips on a kernel that lacks a feature of the agent, and says how to get it.
func needKernel(t testing.TB) {
	t.Helper()
	needRoot(t)
	features, err := kernelFeatures()
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	for _, f := range features {
		if f.Status == contract.Missing && !slices.Contains(optional, f.Name) {
			t.Skipf("this kernel lacks %q (%s); %s", f.Name, f.Detail, f.Remedy)
		}
	}
}

// needFeature skips on a kernel that runs nodes, but lacks this feature, by the name that a check gives it.
func needFeature(t testing.TB, name string) {
	t.Helper()
	needKernel(t)
	features, err := kernelFeatures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range features {
		if f.Name == name && f.Status != contract.OK {
			t.Skipf("%s: %s; %s", f.Name, f.Detail, f.Remedy)
		}
	}
}

// needTool skips where a program is missing, and says which Debian package has it.
func needTool(t testing.TB, tool, debianPackage string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("needs %s; run: sudo apt-get install %s", tool, debianPackage)
	}
}

var namespaces atomic.Int64

// newNamespace makes a network namespace that ends with the test.
func newNamespace(t testing.TB, label string) string {
	t.Helper()
	needRoot(t)
	needTool(t, "ip", "iproute2")
	name := fmt.Sprintf("sxl-%d-%d-%s", os.Getpid(), namespaces.Add(1), label)
	run(t, "ip", "netns", "add", name)
	t.Cleanup(func() { run(t, "ip", "netns", "del", name) })
	run(t, "ip", "-n", name, "link", "set", "lo", "up")
	return name
}

func run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// in runs a shell line in a namespace.
func in(t testing.TB, ns, line string) string {
	t.Helper()
	return run(t, "ip", "netns", "exec", ns, "sh", "-c", line)
}

// eventually waits for a condition, and names it when it does not come.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.NewTimer(10 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("waited 10 s in vain: %s", what)
		}
	}
}

// wire connects two namespaces by a veth with fixed MAC addresses, which mac returns.
func wire(t testing.TB, ns1, if1, ns2, if2 string) {
	t.Helper()
	run(t, "ip", "link", "add", if1, "netns", ns1, "address", macText(ns1, if1), "type", "veth",
		"peer", "name", if2, "netns", ns2, "address", macText(ns2, if2))
	run(t, "ip", "-n", ns1, "link", "set", if1, "up")
	run(t, "ip", "-n", ns2, "link", "set", if2, "up")
}

// mac is a made-up address that is the same for the same interface.
func mac(ns, name string) [6]byte {
	h := uint32(2166136261)
	for _, c := range ns + "/" + name {
		h = (h ^ uint32(c)) * 16777619
	}
	return [6]byte{2, 0x5e, byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h)}
}

func macText(ns, name string) string {
	m := mac(ns, name)
	return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5])
}

// openNode serves a namespace for the length of a test.
func openNode(t testing.TB, ns, state string, ports map[contract.PortID]string) *Node {
	t.Helper()
	return open(t, Options{NetNS: ns, Ports: ports, StateDir: state})
}

// pinning has nodes with programs find them by a bpffs, as an agent without CAP_SYS_ADMIN does.
const pinning = "SEXTANT_TEST_PINS"

// stateDir is a state folder of a node with programs.
func stateDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if os.Getenv(pinning) == "" {
		return dir
	}
	needRoot(t)
	if err := Prepare("", dir, 0, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(filepath.Join(dir, pinsFolder), 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func open(t testing.TB, o Options) *Node {
	t.Helper()
	needKernel(t)
	if o.Log == nil {
		o.Log = func(f string, a ...any) { t.Logf("[%s] "+f, append([]any{o.NetNS}, a...)...) }
	}
	n, err := Open(o)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return n
}

// oneNode is a node with two ports to nowhere in particular.
func oneNode(t testing.TB) (*Node, string) {
	t.Helper()
	ns := twoPorts(t)
	return openNode(t, ns, t.TempDir(), map[contract.PortID]string{1: "p1", 2: "p2"}), ns
}

// unattended is a node that repairs nothing by itself, so that the effect of a change can be looked at.
func unattended(t testing.TB) (*Node, string) {
	t.Helper()
	ns := twoPorts(t)
	return open(t, Options{NetNS: ns, Ports: map[contract.PortID]string{1: "p1", 2: "p2"}, StateDir: t.TempDir(), unattended: true}), ns
}

func twoPorts(t testing.TB) string {
	t.Helper()
	ns := newNamespace(t, "n")
	far := newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	wire(t, ns, "p2", far, "f2")
	return ns
}

func insert(entries ...contract.Entry) []contract.Update { return updates(contract.Insert, entries) }

func modify(entries ...contract.Entry) []contract.Update { return updates(contract.Modify, entries) }

func remove(entries ...contract.Entry) []contract.Update { return updates(contract.Delete, entries) }

func updates(op contract.Op, entries []contract.Entry) []contract.Update {
	var out []contract.Update
	for _, e := range entries {
		out = append(out, contract.Update{Op: op, Entry: e})
	}
	return out
}

// mustApply fails the test at the first update that fails.
func mustApply(t testing.TB, n *Node, batch []contract.Update) {
	t.Helper()
	for i, err := range n.Apply(context.Background(), batch) {
		if err != nil {
			t.Fatalf("Apply %+v: %v", batch[i].Entry, err)
		}
	}
}

// wantCode applies one update and compares the code and a part of the message of its error.
func wantCode(t testing.TB, n *Node, u contract.Update, code contract.Code, part string) {
	t.Helper()
	err := n.Apply(context.Background(), []contract.Update{u})[0]
	var e *contract.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(err.Error(), part) {
		t.Errorf("Apply %+v: got %v, want code %d with %q", u.Entry, err, code, part)
	}
}

func stored(t testing.TB, n *Node, table string) []string {
	t.Helper()
	rows, err := n.Entries(context.Background(), table)
	if err != nil {
		t.Fatalf("Entries: %v", err)
	}
	keys := []string{}
	for _, r := range rows {
		keys = append(keys, r.Entry.Key().String())
	}
	return keys
}

func px(s string) netip.Prefix { return netip.MustParsePrefix(s) }
func ad(s string) netip.Addr   { return netip.MustParseAddr(s) }

// hop is a next hop of oneNode towards its far end.
func hop(ns string, id contract.NextHopID, port contract.PortID) contract.NextHop {
	return contract.NextHop{ID: id, Port: port, SrcMAC: mac(ns, fmt.Sprintf("p%d", port)), DstMAC: [6]byte{2, 0, 0, 0, 0, byte(id)}}
}

func list(id contract.SIDListID, segments ...string) contract.SIDList {
	return contract.SIDList{ID: id, Members: []contract.SIDListMember{member(1, segments...)}}
}

func member(weight uint32, segments ...string) contract.SIDListMember {
	m := contract.SIDListMember{Weight: weight}
	for _, s := range segments {
		m.Segments = append(m.Segments, ad(s))
	}
	return m
}

func un(sid string) contract.MySID {
	return contract.MySID{SID: px(sid), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}}
}

func local(sid string, b contract.Behavior) contract.MySID {
	return contract.MySID{SID: px(sid), Behavior: b}
}

func via(dst string, hops ...contract.NextHopID) contract.Route {
	r := contract.Route{Dst: px(dst)}
	for _, h := range hops {
		r.Members = append(r.Members, contract.RouteMember{Weight: 1, NextHop: h})
	}
	return r
}
