// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/punt"
)

func TestEveryWrongUpdateSaysWhatIsWrong(t *testing.T) {
	n, ns := oneNode(t)
	mustApply(t, n, insert(hop(ns, 1, 1), list(7, "fcbb:bbbb:200::"), un("fcbb:bbbb:100::/48"),
		via("fd00:4::/64", 1), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}))
	insertOf := func(e contract.Entry) contract.Update { return contract.Update{Op: contract.Insert, Entry: e} }
	modifyOf := func(e contract.Entry) contract.Update { return contract.Update{Op: contract.Modify, Entry: e} }
	removeOf := func(e contract.Entry) contract.Update { return contract.Update{Op: contract.Delete, Entry: e} }
	sid := func(b contract.Behavior) contract.MySID { return local("fcbb:bbbb:100:e001::/64", b) }
	wrongSource := hop(ns, 9, 1)
	wrongSource.SrcMAC[5]++
	longList := contract.SIDList{ID: 9}
	for i := range 256 {
		segments := make([]string, 16)
		for k := range segments {
			segments[k] = "fcbb:bbbb::" + strings.Repeat("1", 1+i%4) + ":" + string("123456789abcdef"[k%15])
		}
		segments[0] = "fcbb:bbbb:1::" + string("0123456789abcdef"[i/16]) + string("0123456789abcdef"[i%16])
		longList.Members = append(longList.Members, member(1, segments...))
	}
	for _, tt := range []struct {
		name   string
		update contract.Update
		code   contract.Code
		part   string
	}{
		{"insert of an existing row", insertOf(un("fcbb:bbbb:100::/48")), contract.AlreadyExists, "exists already"},
		{"insert of an existing list", insertOf(list(7, "fcbb:bbbb:200::")), contract.AlreadyExists, "sid_list 7"},
		{"modify of a missing row", modifyOf(un("fcbb:bbbb:900::/48")), contract.NotFound, "my_sid fcbb:bbbb:900::/48"},
		{"delete of a missing row", removeOf(via("fd00:5::/64", 1)), contract.NotFound, "does not exist"},
		{"delete of a used next hop", removeOf(hop(ns, 1, 1)), contract.FailedPrecondition, "used by route_v6 vrf 0 fd00:4::/64"},
		{"delete of a used list", removeOf(list(7, "fcbb:bbbb:200::")), contract.FailedPrecondition, "used by steering_v6"},
		{"route to a missing next hop", insertOf(via("fd00:5::/64", 4)), contract.FailedPrecondition, "write next_hop 4 first"},
		{"steering into a missing list", insertOf(contract.Steering{Dst: px("fd00:6::/64"), SIDList: 99}), contract.FailedPrecondition, "sid_list 99"},
		{"SID to a missing next hop", insertOf(sid(contract.Behavior{Action: contract.EndX, NextHop: 4})), contract.FailedPrecondition, "next_hop 4"},
		{"port that is not there", insertOf(contract.NextHop{ID: 9, Port: 5, SrcMAC: [6]byte{2}, DstMAC: [6]byte{2}}), contract.InvalidArgument, "port 5"},
		{"source address of another interface", insertOf(wrongSource), contract.InvalidArgument, "src_mac"},
		{"reserved VRF", insertOf(sid(contract.Behavior{Action: contract.UDT6, VRF: 254})), contract.InvalidArgument, "reserves"},
		{"route in a reserved VRF", insertOf(contract.Route{VRF: 255, Dst: px("fd00:5::/64"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}}), contract.InvalidArgument, "vrf 255"},
		{"udt46", insertOf(sid(contract.Behavior{Action: contract.UDT46})), contract.Unimplemented, "udt46"},
		{"IPv4 into a VRF without device", insertOf(sid(contract.Behavior{Action: contract.UDT4, VRF: 3})), contract.FailedPrecondition, "ip link add vrf3"},
		{"lengths that are no bytes", insertOf(sid(contract.Behavior{Action: contract.UN, BlockLength: 36, CSIDLength: 12})), contract.Unimplemented, "multiples of 8"},
		{"no such action", insertOf(sid(contract.Behavior{Action: "end_q"})), contract.InvalidArgument, "end_q"},
		{"weights too far apart", insertOf(contract.SIDList{ID: 9, Members: []contract.SIDListMember{member(1, "fcbb::1"), member(257, "fcbb::2")}}), contract.Unimplemented, "1 to 256"},
		{"more than a route can hold", insertOf(longList), contract.Unimplemented, "65531"},
		{"punt without ether_type", insertOf(contract.Punt{Priority: 1}), contract.Unimplemented, "ether_type is missing"},
		{"punt of IPv6", insertOf(contract.Punt{Priority: 1, EtherType: contract.Masked(0x86dd, 0xffff)}), contract.Unimplemented, "handled by the node itself"},
		{"punt by protocol", insertOf(contract.Punt{Priority: 1, EtherType: contract.Masked(0x88cc, 0xffff), IPProto: contract.Masked(58, 0xff)}), contract.Unimplemented, "ip_protocol"},
		{"punt from a port that is not there", insertOf(contract.Punt{Priority: 1, EtherType: contract.Masked(0x88cc, 0xffff), InPort: contract.Masked(5, 0x1ff)}), contract.InvalidArgument, "port 5"},
		{"insert of the source", insertOf(contract.EncapSource{Source: ad("fcff::1")}), contract.InvalidArgument, "only be modified"},
		{"source that is none", modifyOf(contract.EncapSource{Source: ad("ff02::1")}), contract.InvalidArgument, "unicast"},
		{"operation that is none", contract.Update{Op: 9, Entry: un("fcbb:bbbb:100::/48")}, contract.InvalidArgument, "operation 9"},
		{"nothing", contract.Update{Op: contract.Insert}, contract.InvalidArgument, "needs an entry"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := stored(t, n, "")
			wantCode(t, n, tt.update, tt.code, tt.part)
			if after := stored(t, n, ""); strings.Join(before, "|") != strings.Join(after, "|") {
				t.Errorf("a failed update changed the rows from %v to %v", before, after)
			}
		})
	}
}

func TestAFailedUpdateDoesNotStopTheOnesAfterIt(t *testing.T) {
	n, ns := oneNode(t)
	errs := n.Apply(context.Background(), insert(hop(ns, 1, 1), via("fd00:5::/64", 4), via("fd00:6::/64", 1)))
	if errs[0] != nil || errs[1] == nil || errs[2] != nil {
		t.Errorf("Apply = %v, want only the second to fail", errs)
	}
}

func TestForeignRoutesStayAsTheyAre(t *testing.T) {
	n, ns := oneNode(t)
	mustApply(t, n, insert(hop(ns, 1, 1), list(7, "fcbb:bbbb:200::")))
	in(t, ns, `ip addr add 10.9.0.1/24 dev p1; ip -6 addr add fd00:9::1/64 dev p1 nodad
		ip -6 route add fd00:5::/64 dev p1 metric 1; ip route add 10.5.0.0/24 dev p1
		ip -6 route add fd00:6::/64 dev p1 metric 2000 proto isis; ip -6 route add blackhole fd00:7::/64 metric 20 proto 210
		ip -6 neigh add fd00:5::9 lladdr 02:00:00:00:00:99 dev p1 nud permanent
		for i in $(seq 500); do ip -6 route show table local | grep -q '^anycast fd00:9::' && break; sleep 0.01; done`) // of a busy kernel the address comes later
	foreign := func() string {
		return in(t, ns, "ip -6 route show table all | grep -v 'proto 200'; ip route show table all | grep -v 'proto 200'; ip neigh show nud permanent | grep -v 'proto 200'")
	}
	before := foreign()
	for _, tt := range []struct {
		entry contract.Entry
		owner string
	}{
		{via("fd00:5::/64", 1), "protocol 3, boot, metric 1"},
		{via("10.5.0.0/24", 1), "protocol 3, boot, metric 0"},
		{via("10.9.0.0/24", 1), "protocol 2, kernel, metric 0"},
		{via("fd00:9::/64", 1), "protocol 2, kernel, metric 256"},
		{contract.Steering{Dst: px("fd00:5::/64"), SIDList: 7}, "protocol 3"},
		{local("fd00:5::/64", contract.Behavior{Action: contract.End}), "protocol 3"},
		{via("fd00:6::/64", 1), "protocol 187, isis, metric 2000"}, // behind ours, yet a routing daemon would withdraw it
		{un("fd00:6::/64"), "protocol 187, isis, metric 2000"},
		{contract.Steering{Dst: px("fd00:7::/64"), SIDList: 7}, "protocol 210, metric 20"},
		{via("10.9.0.1/32", 1), "10.9.0.1 is an address of this node itself"},
		{un("fd00:9::1/128"), "fd00:9::1 is an address of this node itself"},
	} {
		wantCode(t, n, contract.Update{Op: contract.Insert, Entry: tt.entry}, contract.FailedPrecondition, tt.owner)
	}
	in(t, ns, "ip -6 route del fd00:5::/64 dev p1")
	mustApply(t, n, insert(via("fd00:5::/64", 1)))
	mustApply(t, n, remove(via("fd00:5::/64", 1)))
	in(t, ns, "ip -6 route add fd00:5::/64 dev p1 metric 1")
	wantCode(t, n, contract.Update{Op: contract.Insert, Entry: via("fd00:5::/64", 1)}, contract.FailedPrecondition, "remove that route")
	if err := n.Reset(context.Background()); err != nil {
		t.Fatalf("Reset: %v", err)
	}
	if after := foreign(); sortedLines(after) != sortedLines(before) {
		t.Errorf("foreign routes and neighbours changed from\n%s\nto\n%s", before, after)
	}
}

func sortedLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines { // the age of a route is no property
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	needRoot(t)
	ns := newNamespace(t, "n")
	far := newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		options Options
		part    string
	}{
		{"no such namespace", Options{NetNS: "sxl-nowhere", StateDir: t.TempDir()}, "ip netns add sxl-nowhere"},
		{"no such interface", Options{NetNS: ns, StateDir: t.TempDir(), Ports: map[contract.PortID]string{1: "p9"}}, `no interface "p9"`},
		{"port out of range", Options{NetNS: ns, StateDir: t.TempDir(), Ports: map[contract.PortID]string{511: "p1"}}, "1 to 510"},
		{"no state directory", Options{NetNS: ns}, "state directory"},
		{"state directory is a file", Options{NetNS: ns, StateDir: file}, "state directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := Open(tt.options)
			if err == nil {
				t.Cleanup(func() { _ = n.Close() })
			}
			if err == nil || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("Open = %v, want an error with %q", err, tt.part)
			}
		})
	}
	dir := t.TempDir()
	openNode(t, ns, dir, map[contract.PortID]string{1: "p1"})
	if n, err := Open(Options{NetNS: ns, StateDir: dir}); err == nil {
		t.Error("a second agent took the same state directory", n.Close())
	}
}

// A namespace in which no socket can be opened.
func TestAPuntRowWhoseSocketCannotBeOpenedIsNotThere(t *testing.T) {
	n, _ := oneNode(t)
	nowhere, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	whole := n.punts
	n.punts = punt.Open(int(nowhere.Fd()), t.Logf)
	row := contract.Punt{Priority: 1, EtherType: contract.Masked(0x88cc, 0xffff)}
	if err := n.Apply(context.Background(), insert(row))[0]; err == nil {
		t.Error("the row is accepted")
	}
	if got := stored(t, n, ""); len(got) != 0 {
		t.Errorf("rows: %v, want none", got)
	}
	n.punts.Close()
	n.punts = whole
	mustApply(t, n, insert(row))
}
