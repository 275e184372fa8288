// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.fd.io/govpp/adapter"
	"go.fd.io/govpp/binapi/acl"
	"go.fd.io/govpp/binapi/acl_types"

	"sextant/agent/internal/contract"
)

// asText is a rule as a person reads it.
func asText(rules []aclRule) []string {
	var lines []string
	for _, r := range rules {
		reasons := map[edgeReason]string{edgeSID: "SID", edgeSRH: "SRH", edgeSource: "source", edgeUnknownSource: "unknown source", edgeInternal: "internal", edgePasses: "passes"}
		line := fmt.Sprintf("%s > %s: %s", r.src, r.dst, reasons[r.reason])
		if r.protocol != 0 {
			line = fmt.Sprintf("%d %s", r.protocol, line)
		}
		if r.peer.IsValid() {
			line += " as peer"
		}
		lines = append(lines, line)
	}
	return lines
}

func edgeEntries() []contract.Entry {
	return []contract.Entry{
		contract.EdgeSID{Dst: pfx("fcbb:bbbb::/32")},
		contract.EdgeSID{Dst: pfx("fcbb:bbbb:100:a::/64"), Open: true},
		contract.EdgeSource{Src: pfx("fcff::/16")},
		contract.EdgePeer{Port: 1, Src: pfx("2001:db8::/32")},
		contract.EdgePeer{Port: 1, Src: pfx("2001:db8:7::/48")},
		contract.EdgePeer{Port: 2, Src: pfx("2001:db8:8::/48")},
	}
}

func TestTheRulesOfAPortAreInTheOrderOfTheContract(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, edgeEntries()...)
	for _, tt := range []struct {
		name string
		role contract.EdgePort
		want []string
	}{
		{"external", contract.EdgePort{Port: 1, External: true}, []string{
			"2001:db8:7::/48 > ::/0: passes as peer", "2001:db8::/32 > ::/0: passes as peer", "fcff::/16 > ::/0: source",
			"::/0 > fcbb:bbbb:100:a::/64: passes", "::/0 > fcbb:bbbb::/32: SID",
		}},
		{"external, without SRHs", contract.EdgePort{Port: 2, External: true, DropSRH: true}, []string{
			"2001:db8:8::/48 > ::/0: passes as peer", "fcff::/16 > ::/0: source",
			"43 ::/0 > fcbb:bbbb:100:a::/64: SRH", "51 ::/0 > fcbb:bbbb:100:a::/64: SRH", "::/0 > fcbb:bbbb:100:a::/64: passes",
			"::/0 > fcbb:bbbb::/32: SID", "43 ::/0 > ::/0: SRH", "51 ::/0 > ::/0: SRH",
		}},
		{"internal", contract.EdgePort{Port: 1}, nil},
		{"internal, known sources", contract.EdgePort{Port: 1, KnownSources: true}, []string{
			"fcff::/16 > ::/0: passes", "::/0 > fcbb:bbbb:100:a::/64: passes", "::/0 > fcbb:bbbb::/32: unknown source",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := append([]string{"::/0 > fd5e:7e00::/31: internal", "0.0.0.0/0 > 169.254.0.0/16: internal"}, tt.want...)
			want = append(want, "::/0 > ::/0: passes", "0.0.0.0/0 > 0.0.0.0/0: passes")
			if got := asText(edgeRowsOf(n.rows).rules(tt.role)); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestAnACLIsExchangedInOneStepAndWhatItCountedStays(t *testing.T) {
	f := newFakeVPP(t)
	n := openCounting(t, f)
	role := contract.EdgePort{Port: 1, External: true}
	insert(t, n, append(edgeEntries(), role)...)
	f.set(func(f *fakeVPP) { // rules: 2 internal prefixes, 2 peers, a source, 2 SIDs
		f.matches[0] = []contract.Counters{{Packets: 20}, {Packets: 30}, {Packets: 1}, {Packets: 2}, {Packets: 3}, {Packets: 4}, {Packets: 5}, {Packets: 6}, {Packets: 7}}
	})
	f.writes()
	insert(t, n, contract.EdgeSource{Src: pfx("fcfe::/16")})
	if got, want := f.writes(), []string{"acl_add_replace", "acl_interface_set_acl_list", "acl_del"}; !slices.Equal(got, want) {
		t.Fatalf("writes %v, want %v", got, want)
	}
	f.set(func(f *fakeVPP) { f.matches[1][4] = contract.Counters{Packets: 10} }) // the source that is new
	cells, err := n.Cells(context.Background(), "edge_dropped", 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	if want := []contract.Counters{{Packets: 5}, {}, {Packets: 13}, {}}; !slices.Equal(cells, want) {
		t.Errorf("cells of port 1 are %v, want %v", cells, want)
	}
	further, err := n.Cells(context.Background(), "edge_dropped", 2048+4, 4)
	if err != nil {
		t.Fatal(err)
	}
	if want := []contract.Counters{{}, {Packets: 50}, {}, {}}; !slices.Equal(further, want) {
		t.Errorf("cells of port 1 for further reasons are %v, want %v", further, want)
	}
	if got := peerPackets(t, n); got["2001:db8:7::/48"] != 1 || got["2001:db8::/32"] != 2 {
		t.Errorf("peers counted %v", got)
	}
	if err := one(n, contract.Delete, role); err != nil {
		t.Fatal(err)
	}
	if cells, err = n.Cells(context.Background(), "edge_dropped", 6, 1); err != nil || cells[0].Packets != 13 {
		t.Errorf("without its role port 1 has counted %v, %v", cells, err)
	}
	if _, err := n.Cells(context.Background(), "gtp_dropped", 0, 1); err == nil {
		t.Error("an array that there is not was read")
	}
}

func TestAPeerThatIsWrittenAnewCountsFromZero(t *testing.T) {
	f := newFakeVPP(t)
	n := openCounting(t, f)
	peer := contract.EdgePeer{Port: 1, Src: pfx("2001:db8:7::/48")}
	insert(t, n, contract.EdgePort{Port: 1, External: true}, peer)
	f.set(func(f *fakeVPP) {
		for index := range f.acls {
			f.matches[index][2] = contract.Counters{Packets: 4}
		}
	})
	for _, op := range []contract.Op{contract.Delete, contract.Insert} {
		if err := one(n, op, peer); err != nil {
			t.Fatal(err)
		}
	}
	if got := peerPackets(t, n); got["2001:db8:7::/48"] != 0 {
		t.Errorf("counted %v", got)
	}
}

func peerPackets(t *testing.T, n *Node) map[string]uint64 {
	t.Helper()
	stored, err := n.Entries(context.Background(), contract.TableEdgePeer)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]uint64{}
	for _, s := range stored {
		out[s.Entry.(contract.EdgePeer).Src.String()] = s.Counters.Packets
	}
	return out
}

// openCounting serves a fake that counts matches of ACLs.
func openCounting(t *testing.T, f *fakeVPP) *Node {
	t.Helper()
	options := testOptions(t, f, t.TempDir())
	options.Stats = "of the test"
	options.statistics = func() adapter.StatsAPI { return aclStats{f: f} }
	n, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// Frames that VPP drops for their tags are in no port's cells; they count from the first role on, also when VPP restarts.
func TestFramesThatNoACLSeesForTheirTagsAreCounted(t *testing.T) {
	f := newFakeVPP(t)
	n := openCounting(t, f)
	tagged := func(frames uint64, want uint64) {
		t.Helper()
		f.set(func(f *fakeVPP) { f.unknownVLANs = frames })
		cells, err := n.Cells(context.Background(), "edge_dropped", 4*512, 1)
		if err != nil || cells[0].Packets != want {
			t.Errorf("after %d frames the cell has %v, %v, want %d", frames, cells, err, want)
		}
	}
	tagged(10, 0)
	insert(t, n, contract.EdgePort{Port: 1, External: true})
	tagged(17, 7)
	tagged(17, 7)
	tagged(2, 9)
	if err := one(n, contract.Delete, contract.EdgePort{Port: 1, External: true}); err != nil {
		t.Fatal(err)
	}
	tagged(50, 9)
	insert(t, n, contract.EdgePort{Port: 1, External: true})
	tagged(51, 10)
}

type aclStats struct {
	fakeStats
	f *fakeVPP
}

func (s aclStats) DumpStats(...string) (out []adapter.StatEntry, _ error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	out = append(out, adapter.StatEntry{
		StatIdentifier: adapter.StatIdentifier{Name: []byte("/err/ethernet-input/unknown vlan")},
		Data:           adapter.SimpleCounterStat{{adapter.Counter(s.f.unknownVLANs)}},
	})
	for index, rules := range s.f.matches {
		thread := make([]adapter.CombinedCounter, len(rules))
		for i, c := range rules {
			thread[i] = adapter.CombinedCounter{c.Packets, c.Bytes}
		}
		name := fmt.Sprintf("/acl/%d/matches", index)
		out = append(out, adapter.StatEntry{
			StatIdentifier: adapter.StatIdentifier{Name: []byte(name)}, Data: adapter.CombinedCounterStat{thread},
		})
	}
	return out, nil
}

func TestAPortThatOthersJudgeIsRefused(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	f.set(func(f *fakeVPP) {
		f.acls[7] = &acl.ACLDetails{ACLIndex: 7, Tag: "customer", R: []acl_types.ACLRule{{}}}
		f.aclLists[1] = aclList{input: []uint32{7}}
		f.aclLists[2] = aclList{output: []uint32{7}}
	})
	role := contract.EdgePort{Port: 1, External: true}
	wantError(t, one(n, contract.Insert, role), contract.FailedPrecondition, "ACL 7, which is not the agent's, judges what comes in by host-p1")
	if _, there := held(t, n)[role.Key()]; there {
		t.Error("it is read as if it were in service")
	}
	f.set(func(f *fakeVPP) { f.aclLists[1] = aclList{} })
	if err := one(n, contract.Insert, role); err != nil {
		t.Fatalf("once they do not: %v", err)
	}
	insert(t, n, contract.EdgePort{Port: 2, External: true})
	f.set(func(f *fakeVPP) {
		if at := f.aclLists[2]; len(at.input) != 1 || !slices.Equal(at.output, []uint32{7}) || f.acls[7] == nil {
			t.Errorf("their ACL of the output is not left alone: %+v", at)
		}
	})
}

func TestWhatSomebodyChangesOfTheEdgeComesBack(t *testing.T) {
	f := newFakeVPP(t)
	options := testOptions(t, f, t.TempDir())
	options.keepEvery = time.Millisecond
	n, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	insert(t, n, append(edgeEntries(), contract.EdgePort{Port: 1, External: true})...)
	judged := func() (rules int) {
		f.set(func(f *fakeVPP) {
			for _, index := range f.aclLists[1].input {
				rules += len(f.acls[index].R)
			}
		})
		return rules
	}
	whole := judged()
	for name, change := range map[string]func(*fakeVPP){
		"the ACL is taken off":     func(f *fakeVPP) { f.aclLists[1] = aclList{} },
		"a rule is taken away":     func(f *fakeVPP) { d := f.acls[f.aclLists[1].input[0]]; d.R = d.R[1:] },
		"a rule passes what drops": func(f *fakeVPP) { f.acls[f.aclLists[1].input[0]].R[0].IsPermit = acl_types.ACL_ACTION_API_PERMIT },
	} {
		var before int
		f.set(func(f *fakeVPP) { change(f); f.written = nil; before = len(f.commands) })
		eventually(t, name, func() bool {
			again := false
			f.set(func(f *fakeVPP) {
				again = len(f.commands) > before && slices.Contains(f.written, "acl_interface_set_acl_list")
			})
			return again && judged() == whole
		})
	}
}

func TestTheEdgeIsAdoptedAndWrittenAnewToAVPPThatRestarted(t *testing.T) {
	f := newFakeVPP(t)
	dir := t.TempDir()
	n := openNode(t, f, dir)
	insert(t, n, append(edgeEntries(), contract.EdgePort{Port: 1, External: true})...)
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	f.writes()
	f.set(func(f *fakeVPP) { f.acls[9] = &acl.ACLDetails{ACLIndex: 9, Tag: aclTag + "2"} })
	openNode(t, f, dir)
	if got := f.writes(); !slices.Equal(got, []string{"acl_del"}) {
		t.Errorf("an agent that restarts writes %v, and not only takes away what no row explains", got)
	}
	f.restart()
	eventually(t, "VPP has the ACL again", func() bool {
		there := false
		f.set(func(f *fakeVPP) { there = len(f.aclLists) == 1 })
		return there
	})
}

func TestWithoutACLsRowsOfTheEdgeAreRefused(t *testing.T) {
	f := newFakeVPP(t)
	f.unknown["acl_add_replace"] = true
	n := openNode(t, f, "")
	for _, e := range append(edgeEntries(), contract.EdgePort{Port: 1}) {
		wantError(t, one(n, contract.Insert, e), contract.Unimplemented, "has no ACLs")
	}
}
