// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// paperEntries are those of a small node: a neighbour, a uN, a policy over it and its steering.
func paperEntries() []contract.Entry {
	return []contract.Entry{
		contract.NextHop{ID: 1, Port: 1, SrcMAC: [6]byte{2, 0, 0, 0, 0, 1}, DstMAC: [6]byte{2, 0, 0, 0, 0, 2}},
		contract.MySID{SID: prefix("fcbb:bbbb:100::/48"), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}},
		contract.Route{Dst: prefix("fcbb:bbbb:200::/48"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}},
		contract.SIDList{ID: 9, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{addr("fcbb:bbbb:200:700:600:500:400:0"), addr("fcbb:bbbb:300:f00d::")}}}},
		contract.Steering{Dst: prefix("2001:db8:31::/64"), SIDList: 9, Reduced: true},
	}
}

func paperKeys() []string {
	var keys []string
	for _, e := range paperEntries() {
		keys = append(keys, e.Key().String())
	}
	slices.Sort(keys)
	return keys
}

func TestWhatAControllerWritesIsInTheKernelAndSurvivesTheAgent(t *testing.T) {
	ns := newNamespace(t)
	s := settings{backend: backendLinux, netns: ns, deviceID: device, ports: []string{"1=p1"}, stateDir: t.TempDir()}
	first := start(t, s)
	c := first.controller(42)
	if err := c.write(p4.Update_INSERT, paperEntries()...); err != nil {
		t.Fatal(err)
	}
	kernel := func() string { return shell(t, "ip", "-n", ns, "-6", "route", "show", "table", "all", "proto", "200") }
	before := kernel()
	for _, want := range []string{"fcbb:bbbb:100::/48", "next-csid", "2001:db8:31::/64", "segs 2 [ fcbb:bbbb:200:700:600:500:400:0 fcbb:bbbb:300:f00d:: ]"} {
		if !strings.Contains(before, want) {
			t.Errorf("the kernel lacks %q:\n%s", want, before)
		}
	}
	first.end()
	if after := kernel(); after != before {
		t.Errorf("stopping the agent changed the kernel:\n%s\nwas:\n%s", after, before)
	}

	second := start(t, s)
	c = second.controller(0) // the committed config is still there
	got := c.read()
	slices.Sort(got)
	if diff := cmp.Diff(paperKeys(), got); diff != "" {
		t.Errorf("entries after a restart (-want +got):\n%s", diff)
	}
	if got := c.config().GetCookie().GetCookie(); got != 42 {
		t.Errorf("cookie %v, want 42", got)
	}
	second.end()

	s.flush = true
	if err := run(context.Background(), s, newLogger(&bytes.Buffer{}, false)); err != nil {
		t.Fatal(err)
	}
	if left := kernel(); left != "" {
		t.Errorf("--flush left:\n%s", left)
	}
	s.flush = false
	if got := start(t, s).controller(0).config(); got != nil {
		t.Errorf("--flush left the pipeline config %v", got.GetCookie())
	}
}

func TestAControllerWithAnOpenStreamDoesNotKeepTheAgentFromStopping(t *testing.T) {
	ns := newNamespace(t)
	a := start(t, settings{backend: backendLinux, netns: ns, deviceID: device, ports: []string{"1=p1"}, stateDir: t.TempDir()})
	c := a.controller(1)
	a.end()
	for {
		if _, err := c.stream.Recv(); err != nil {
			return // the stream ended
		}
	}
}

func TestGNMIShowsAndSetsTheKernelsInterface(t *testing.T) {
	ns := newNamespace(t)
	a := start(t, settings{backend: backendLinux, netns: ns, deviceID: device, ports: []string{"1=p1"}, stateDir: t.TempDir()})
	c := a.controller(1)
	elems := func(names ...string) *gpb.Path {
		p := &gpb.Path{Elem: []*gpb.PathElem{{Name: "interfaces"}, {Name: "interface", Key: map[string]string{"name": "p1"}}}}
		for _, n := range names {
			p.Elem = append(p.Elem, &gpb.PathElem{Name: n})
		}
		return p
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream, err := c.gnmi.Subscribe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&gpb.SubscribeRequest{Request: &gpb.SubscribeRequest_Subscribe{Subscribe: &gpb.SubscriptionList{
		Encoding:     gpb.Encoding_PROTO,
		Subscription: []*gpb.Subscription{{Path: elems("state", "oper-status"), Mode: gpb.SubscriptionMode_ON_CHANGE}},
	}}}); err != nil {
		t.Fatal(err)
	}
	next := func() string {
		t.Helper()
		r, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if r.GetSyncResponse() {
			return "sync"
		}
		return r.GetUpdate().GetUpdate()[0].GetVal().GetStringVal()
	}
	got := []string{next(), next()}
	off := &gpb.TypedValue{Value: &gpb.TypedValue_BoolVal{}}
	if _, err := c.gnmi.Set(ctx, &gpb.SetRequest{Update: []*gpb.Update{{Path: elems("config", "enabled"), Val: off}}}); err != nil {
		t.Fatal(err)
	}
	if link := shell(t, "ip", "-n", ns, "link", "show", "p1"); !strings.Contains(link, "state DOWN") {
		t.Errorf("the kernel has %s, want it down", link)
	}
	got = append(got, next())
	shell(t, "ip", "-n", ns, "link", "set", "p1", "up")
	got = append(got, next())
	if diff := cmp.Diff([]string{"UP", "sync", "DOWN", "UP"}, got); diff != "" {
		t.Errorf("oper-status (-want +got):\n%s", diff)
	}
}

func TestCheckPrintsATableAndJSONAndFailsForWhatIsNeeded(t *testing.T) {
	fine := contract.Feature{Name: "seg6", Status: contract.OK, Needed: true, Serves: "all"}
	optional := contract.Feature{Name: "vrf", Status: contract.Missing, Serves: "udt4", Detail: "operation not supported", Remedy: "modprobe vrf"}
	needed := contract.Feature{Name: "veth", Status: contract.Missing, Needed: true, Serves: "all"}
	var text, raw bytes.Buffer
	if err := report(&text, []contract.Feature{fine, optional}, false); err != nil {
		t.Errorf("got %v, want success: nothing needed is missing", err)
	}
	want := "STATUS   FEATURE  SERVES\nok       seg6     all\nmissing  vrf      udt4\n\nvrf is missing: operation not supported\n  modprobe vrf\n"
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if err := report(&raw, []contract.Feature{fine, needed}, true); !errors.Is(err, errReported) {
		t.Errorf("got %v, want failure: veth is needed", err)
	}
	var back []contract.Feature
	if err := json.Unmarshal(raw.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]contract.Feature{fine, needed}, back); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}
