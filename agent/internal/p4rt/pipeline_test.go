// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract/memory"
)

func (n *node) config(typ p4.GetForwardingPipelineConfigRequest_ResponseType) *p4.ForwardingPipelineConfig {
	n.t.Helper()
	r, err := n.rpc.GetForwardingPipelineConfig(context.Background(), &p4.GetForwardingPipelineConfigRequest{DeviceId: testDevice, ResponseType: typ})
	if err != nil {
		n.t.Fatal(err)
	}
	return r.GetConfig()
}

func TestNothingIsReadOrWrittenBeforeAPipelineConfig(t *testing.T) {
	n := startNode(t, "")
	s := n.connect()
	s.claim(1)
	s.hears(codes.OK, 1)
	if err := s.write(insert(encode(t, un("fcbb:bbbb:100::/48")))); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("write: got %v, want FailedPrecondition", err)
	}
	if _, err := n.read(entity(&p4.TableEntry{})); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("read: got %v, want FailedPrecondition", err)
	}
	if c := n.config(p4.GetForwardingPipelineConfigRequest_ALL); c != nil {
		t.Errorf("got config %v, want none", c)
	}
}

func TestTheCommittedConfigIsReturnedInEachForm(t *testing.T) {
	n := startNode(t, "")
	s := n.primary()
	want := config(t, 77)
	want.P4DeviceConfig = []byte("opaque")
	if err := s.setPipeline(p4.SetForwardingPipelineConfigRequest_RECONCILE_AND_COMMIT, want); err != nil {
		t.Fatal(err)
	}
	cookie := want.GetCookie()
	for typ, want := range map[p4.GetForwardingPipelineConfigRequest_ResponseType]*p4.ForwardingPipelineConfig{
		p4.GetForwardingPipelineConfigRequest_ALL:                      want,
		p4.GetForwardingPipelineConfigRequest_COOKIE_ONLY:              {Cookie: cookie},
		p4.GetForwardingPipelineConfigRequest_P4INFO_AND_COOKIE:        {Cookie: cookie, P4Info: want.GetP4Info()},
		p4.GetForwardingPipelineConfigRequest_DEVICE_CONFIG_AND_COOKIE: {Cookie: cookie, P4DeviceConfig: []byte("opaque")},
	} {
		if diff := cmp.Diff(want, n.config(typ), protocmp.Transform()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", typ, diff)
		}
	}
}

func TestVerifyAndSaveCommitsNothingUntilCommit(t *testing.T) {
	n := startNode(t, "")
	s := n.connect()
	s.claim(1)
	s.hears(codes.OK, 1)
	if err := s.setPipeline(p4.SetForwardingPipelineConfigRequest_COMMIT, nil); status.Code(err) != codes.NotFound {
		t.Errorf("commit before a save: got %v, want NotFound", err)
	}
	for _, action := range []p4.SetForwardingPipelineConfigRequest_Action{
		p4.SetForwardingPipelineConfigRequest_VERIFY, p4.SetForwardingPipelineConfigRequest_VERIFY_AND_SAVE,
	} {
		if err := s.setPipeline(action, config(t, 5)); err != nil {
			t.Fatal(err)
		}
		if c := n.config(p4.GetForwardingPipelineConfigRequest_ALL); c != nil {
			t.Errorf("after %v: got a config, want none", action)
		}
	}
	if err := s.setPipeline(p4.SetForwardingPipelineConfigRequest_COMMIT, config(t, 6)); status.Code(err) != codes.InvalidArgument {
		t.Errorf("commit with a config: got %v, want InvalidArgument", err)
	}
	if err := s.setPipeline(p4.SetForwardingPipelineConfigRequest_COMMIT, nil); err != nil {
		t.Fatal(err)
	}
	if c := n.config(p4.GetForwardingPipelineConfigRequest_COOKIE_ONLY); c.GetCookie().GetCookie() != 5 {
		t.Errorf("got cookie %v, want 5", c)
	}
}

func TestConfigAndEntriesSurviveARestartAndACommit(t *testing.T) {
	dir, backend := t.TempDir(), memory.New(testPorts()...)
	sid := encode(t, un("fcbb:bbbb:100::/48"))
	first := serve(t, backend, dir)
	first.primary().mustWrite(insert(sid))

	second := serve(t, backend, dir) // the data plane stayed, the agent is a new one
	if c := second.config(p4.GetForwardingPipelineConfigRequest_COOKIE_ONLY); c.GetCookie().GetCookie() != 1 {
		t.Errorf("got cookie %v, want 1", c)
	}
	wantEntries(t, second, sid)
	second.primary() // commits again
	wantEntries(t, second, sid)
}

func TestAKeptConfigThatCannotBeReadCountsAsNone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pipeline.pb"), []byte("not protobuf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := startNode(t, dir).config(p4.GetForwardingPipelineConfigRequest_ALL); c != nil {
		t.Errorf("got %v, want none", c)
	}
}

func TestPipelineConfigIsForThePrimaryOfThisDevice(t *testing.T) {
	n := startNode(t, "")
	n.primary()
	verify := p4.SetForwardingPipelineConfigRequest_VERIFY
	for _, tc := range []struct {
		name    string
		request *p4.SetForwardingPipelineConfigRequest
		code    codes.Code
	}{
		{"another device", &p4.SetForwardingPipelineConfigRequest{DeviceId: 8, Action: verify}, codes.NotFound},
		{"another role", &p4.SetForwardingPipelineConfigRequest{DeviceId: testDevice, Role: "x", Action: verify}, codes.NotFound},
		{"not the primary", &p4.SetForwardingPipelineConfigRequest{DeviceId: testDevice, Action: verify}, codes.PermissionDenied},
		{"no config", &p4.SetForwardingPipelineConfigRequest{DeviceId: testDevice, ElectionId: &p4.Uint128{Low: 1}, Action: verify}, codes.InvalidArgument},
		{"no action", &p4.SetForwardingPipelineConfigRequest{DeviceId: testDevice, ElectionId: &p4.Uint128{Low: 1}, Config: config(t, 1)}, codes.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := n.rpc.SetForwardingPipelineConfig(context.Background(), tc.request); status.Code(err) != tc.code {
				t.Errorf("got %v, want %v", err, tc.code)
			}
		})
	}
	if _, err := n.rpc.GetForwardingPipelineConfig(context.Background(), &p4.GetForwardingPipelineConfigRequest{DeviceId: 8}); status.Code(err) != codes.NotFound {
		t.Errorf("get from another device: got %v, want NotFound", err)
	}
}

func TestAnotherP4InfoIsRefusedNamingTheFirstDifference(t *testing.T) {
	n := startNode(t, "")
	s := n.primary()
	tableNamed := func(info *p4config.P4Info, alias string) *p4config.Table {
		i := slices.IndexFunc(info.GetTables(), func(t *p4config.Table) bool { return t.GetPreamble().GetAlias() == alias })
		return info.GetTables()[i]
	}
	for _, tc := range []struct {
		name   string
		change func(*p4config.P4Info)
		saying string // "" if it is the same pipeline
	}{
		{"nothing", func(*p4config.P4Info) {}, ""},
		{"another order", func(i *p4config.P4Info) {
			slices.Reverse(i.GetTables())
			slices.Reverse(i.GetActions())
			slices.Reverse(tableNamed(i, "punt").GetMatchFields())
			slices.Reverse(tableNamed(i, "my_sid").GetActionRefs())
		}, ""},
		{"what compilers add", func(i *p4config.P4Info) {
			i.PkgInfo = &p4config.PkgInfo{Doc: &p4config.Documentation{Brief: "a pipeline"}}
			i.GetTables()[0].GetPreamble().Doc = &p4config.Documentation{Brief: "punt"}
			i.GetActions()[0].GetPreamble().Annotations = []string{"@here"}
		}, ""},
		{
			"another pipeline", func(i *p4config.P4Info) { i.PkgInfo = &p4config.PkgInfo{Name: "org.sextant.bmv2"} },
			"it is that of org.sextant.bmv2, and this node is org.sextant.linux",
		},
		{
			"a field is wider", func(i *p4config.P4Info) { tableNamed(i, "next_hop").GetMatchFields()[0].Bitwidth = 32 },
			"tables next_hop (0x02000009): match_fields id: bitwidth is 32, expected 16",
		},
		{"a field matches otherwise", func(i *p4config.P4Info) {
			tableNamed(i, "next_hop").GetMatchFields()[0].Match = &p4config.MatchField_MatchType_{MatchType: p4config.MatchField_TERNARY}
		}, "tables next_hop (0x02000009): match_fields id: match_type is"},
		{"a field is gone", func(i *p4config.P4Info) {
			tableNamed(i, "route_v6").MatchFields = tableNamed(i, "route_v6").GetMatchFields()[1:]
		}, "tables route_v6 (0x02000007): match_fields vrf is missing"},
		{"a field is too many", func(i *p4config.P4Info) {
			t := tableNamed(i, "next_hop")
			t.MatchFields = append(t.MatchFields, &p4config.MatchField{Id: 9, Name: "vrf", Bitwidth: 16})
		}, "tables next_hop (0x02000009): match_fields vrf is not known"},
		{"a parameter is wider", func(i *p4config.P4Info) {
			a := i.GetActions()[slices.IndexFunc(i.GetActions(), func(a *p4config.Action) bool { return a.GetPreamble().GetAlias() == "udt6" })]
			a.GetParams()[0].Bitwidth = 32
		}, "params vrf: bitwidth is 32, expected 16"},
		{"a table has another's id", func(i *p4config.P4Info) {
			tableNamed(i, "copy").Preamble.Id = 0x02000077
		}, "tables copy (0x0200000c): is copy (0x02000077) there"},
		{"an id is another table's", func(i *p4config.P4Info) {
			tableNamed(i, "copy").Preamble.Alias = "filter"
		}, "tables copy (0x0200000c): is filter (0x0200000c) there"},
		{"a table without its selector", func(i *p4config.P4Info) {
			tableNamed(i, "route_v6").ImplementationId = 0
		}, "an action selector is false, expected true"},
		{"no P4Info", func(i *p4config.P4Info) { i.Reset() }, "none of this agent's tables"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, 1)
			tc.change(c.P4Info)
			err := s.setPipeline(p4.SetForwardingPipelineConfigRequest_VERIFY, c)
			if tc.saying == "" && err == nil {
				return
			}
			if status.Code(err) != codes.InvalidArgument || tc.saying == "" || !strings.Contains(err.Error(), tc.saying) {
				t.Errorf("got %v, want InvalidArgument saying %q", err, tc.saying)
			}
		})
	}
}

// Fleet and controller are upgraded apart: the one may know tables, actions and sizes that the other does not.
func TestAP4InfoOfAnotherReleaseIsServedAsFarAsBothHaveIt(t *testing.T) {
	without := func(alias string) func(*p4config.P4Info) {
		return func(i *p4config.P4Info) {
			i.Tables = slices.DeleteFunc(i.Tables, func(t *p4config.Table) bool { return t.GetPreamble().GetAlias() == alias })
		}
	}
	for _, tc := range []struct {
		name   string
		change func(*p4config.P4Info)
	}{
		{"an older controller, without a table", without("copy")},
		{"a younger controller, with a table more", func(i *p4config.P4Info) {
			i.Tables = append(i.Tables, &p4config.Table{Preamble: &p4config.Preamble{Id: 0x02000077, Alias: "filter"}})
		}},
		{"smaller and larger tables", func(i *p4config.P4Info) { i.GetTables()[0].Size--; i.GetTables()[1].Size++ }},
		{"fewer actions", func(i *p4config.P4Info) { i.GetTables()[1].ActionRefs = i.GetTables()[1].GetActionRefs()[1:] }},
		{"smaller groups", func(i *p4config.P4Info) { i.GetActionProfiles()[0].MaxGroupSize = 16 }},
		{"shorter counters", func(i *p4config.P4Info) { i.GetCounters()[0].Size = 16 }},
		{"no registers", func(i *p4config.P4Info) { i.Registers = nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir, backend := t.TempDir(), memory.New(testPorts()...)
			n := serve(t, backend, dir)
			s := n.connect()
			s.claim(1)
			s.hears(codes.OK, 1)
			c := config(t, 77)
			tc.change(c.P4Info)
			if err := s.setPipeline(p4.SetForwardingPipelineConfigRequest_VERIFY_AND_COMMIT, c); err != nil {
				t.Fatal(err)
			}
			sid := encode(t, un("fcbb:bbbb:100::/48"))
			s.mustWrite(insert(sid))
			wantEntries(t, n, sid)
			for _, again := range []*node{n, serve(t, backend, dir)} { // the config survives a restart
				told := again.config(p4.GetForwardingPipelineConfigRequest_P4INFO_AND_COOKIE)
				if diff := cmp.Diff(config(t, 77), told, protocmp.Transform()); diff != "" && tc.name != "no registers" {
					t.Errorf("the node does not tell what it serves (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestATableThatOnlyTheControllerKnowsIsRefusedByName(t *testing.T) {
	n := startNode(t, "")
	s := n.primary()
	err := s.write(insert(&p4.TableEntry{TableId: 0x02000077}))
	if got := details(err); len(got) != 1 || !strings.Contains(got[0].GetMessage(), "table 0x02000077 is not in the P4Info; it has ") {
		t.Errorf("got %v", err)
	}
}
