// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sextant/agent/internal/contract"
)

func TestOpenSaysWhatIsMissing(t *testing.T) {
	deaf := filepath.Join(t.TempDir(), "api.sock")
	listener, err := net.Listen("unix", deaf)
	if err != nil {
		t.Fatal(err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(*Options, *fakeVPP)
		want   string
	}{
		{"no socket", func(o *Options, _ *fakeVPP) { o.Socket = "/nowhere/api.sock" }, "start VPP, with `socksvr"},
		{"a socket that nobody serves", func(o *Options, _ *fakeVPP) { o.Socket = deaf }, "no process listens on this socket"},
		{"another version", func(_ *Options, f *fakeVPP) { f.unknown["sr_localsid_add_del_v2"] = true }, "vpe fake lacks messages, or has them with other fields: sr_localsid_add_del_v2_8da7805a"},
		{"no SRv6", func(_ *Options, f *fakeVPP) { f.sources = nil }, "has no SRv6"},
		{"an interface VPP does not have", func(o *Options, _ *fakeVPP) { o.Ports[2] = "host-p3" }, "--port 2=host-p3: VPP has no interface of that name; it has [host-p1 host-p2 local0]"},
		{"no state directory", func(o *Options, _ *fakeVPP) { o.StateDir = "" }, "state directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFakeVPP(t)
			options := testOptions(t, f, t.TempDir())
			tt.change(&options, f)
			n, err := Open(options)
			if err == nil {
				_ = n.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Open() = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestCheckSaysWhatThisVPPCanAndCannotDo(t *testing.T) {
	statuses := func(features []contract.Feature) map[string]contract.Status {
		found := map[string]contract.Status{}
		for _, f := range features {
			found[f.Name] = f.Status
			if f.Status != contract.OK && (f.Detail == "" || f.Remedy == "" || f.Serves == "") {
				t.Errorf("%s is %s without a word why, or what to do: %+v", f.Name, f.Status, f)
			}
		}
		return found
	}
	f := newFakeVPP(t)
	options := testOptions(t, f, t.TempDir())
	whole := map[string]contract.Status{
		"VPP's API": contract.OK, "version " + tested: contract.Unknown, // the fake's is "fake"
		"local SIDs": contract.OK, "SR policies": contract.OK, "SR steering": contract.OK, "routes and tables": contract.OK,
		"neighbours": contract.OK, "interfaces": contract.OK, "ACLs": contract.OK, "af_packet": contract.OK, "SRv6 in the FIB": contract.OK,
		"statistics":                   contract.Missing, // no socket is named
		"reduced lists (H.Encaps.Red)": contract.Missing, "End.DT46": contract.Missing, "Live-Live": contract.Missing,
	}
	if diff := cmp.Diff(whole, statuses(Check(options))); diff != "" {
		t.Errorf("a VPP that has all (-want +got):\n%s", diff)
	}
	if wrote := f.writes(); len(wrote) > 0 {
		t.Errorf("check changed VPP: %v", wrote)
	}
	f.unknown["sr_localsid_add_del_v2"], f.unknown["af_packet_dump"], f.unknown["acl_dump"] = true, true, true
	f.sources = nil
	got := statuses(Check(options))
	for name, want := range map[string]contract.Status{
		"local SIDs": contract.Missing, "af_packet": contract.Missing, "ACLs": contract.Missing, "SRv6 in the FIB": contract.Missing, "SR policies": contract.OK,
	} {
		if got[name] != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
	options.Socket = "/nowhere/api.sock"
	if got := statuses(Check(options)); len(got) != 1 || got["VPP's API"] != contract.Missing {
		t.Errorf("without a VPP: %v", got)
	}
}

func TestReachableTellsRights(t *testing.T) {
	err := unreachable("/run/vpp/api.sock", fmt.Errorf("dial: %w", errors.Join(error(net.ErrClosed), fs.ErrPermission)))
	wantError(t, err, contract.FailedPrecondition, "run the agent as root")
}
