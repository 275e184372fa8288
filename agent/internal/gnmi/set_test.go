// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract/memory"
)

func enabledOf(name string) *gpb.Path {
	return path("/interfaces/interface[name=" + name + "]/config/enabled")
}

func asBool(b bool) *gpb.TypedValue {
	return &gpb.TypedValue{Value: &gpb.TypedValue_BoolVal{BoolVal: b}}
}

func asIETF(text string) *gpb.TypedValue {
	return &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: []byte(text)}}
}

func (n *node) enabled() map[string]bool {
	n.t.Helper()
	ports, err := n.backend.Ports(context.Background())
	if err != nil {
		n.t.Fatal(err)
	}
	out := map[string]bool{}
	for _, p := range ports {
		out[p.Name] = p.Enabled
	}
	return out
}

func TestSetChangesWhetherAPortIsEnabled(t *testing.T) {
	for _, tc := range []struct {
		name    string
		request *gpb.SetRequest
		want    map[string]bool
		ops     []gpb.UpdateResult_Operation
	}{
		{
			name:    "update",
			request: &gpb.SetRequest{Update: []*gpb.Update{{Path: enabledOf("eth1"), Val: asBool(false)}}},
			want:    map[string]bool{"eth1": false, "eth2": false},
			ops:     []gpb.UpdateResult_Operation{gpb.UpdateResult_UPDATE},
		},
		{
			name:    "replace, with a prefix and JSON_IETF",
			request: &gpb.SetRequest{Prefix: path("/interfaces/interface[name=eth2]"), Replace: []*gpb.Update{{Path: path("/config/enabled"), Val: asIETF("true")}}},
			want:    map[string]bool{"eth1": true, "eth2": true},
			ops:     []gpb.UpdateResult_Operation{gpb.UpdateResult_REPLACE},
		},
		{
			name:    "a deletion puts the default back",
			request: &gpb.SetRequest{Delete: []*gpb.Path{enabledOf("eth2")}},
			want:    map[string]bool{"eth1": true, "eth2": true},
			ops:     []gpb.UpdateResult_Operation{gpb.UpdateResult_DELETE},
		},
		{
			name: "deletions come first, updates last",
			request: &gpb.SetRequest{
				Update: []*gpb.Update{{Path: enabledOf("eth2"), Val: asBool(false)}},
				Delete: []*gpb.Path{enabledOf("eth2")},
			},
			want: map[string]bool{"eth1": true, "eth2": false},
			ops:  []gpb.UpdateResult_Operation{gpb.UpdateResult_DELETE, gpb.UpdateResult_UPDATE},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := startNode(t)
			r, err := n.rpc.Set(context.Background(), tc.request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, n.enabled()); diff != "" {
				t.Errorf("ports (-want +got):\n%s", diff)
			}
			var ops []gpb.UpdateResult_Operation
			for _, one := range r.GetResponse() {
				ops = append(ops, one.GetOp())
			}
			if diff := cmp.Diff(tc.ops, ops); diff != "" {
				t.Errorf("operations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestABadSetIsRefusedAndChangesNothing(t *testing.T) {
	n := startNode(t)
	off := &gpb.Update{Path: enabledOf("eth1"), Val: asBool(false)}
	with := func(p *gpb.Path, v *gpb.TypedValue) *gpb.SetRequest {
		return &gpb.SetRequest{Update: []*gpb.Update{off, {Path: p, Val: v}}}
	}
	for _, tc := range []struct {
		name    string
		request *gpb.SetRequest
		code    codes.Code
		saying  string
	}{
		{"another leaf", with(path(eth1+"/config/id"), asIETF("3")), codes.InvalidArgument, "path /interfaces/interface[name=eth1]/config/id cannot be set; only"},
		{"state", with(path(eth1+"/state/enabled"), asBool(true)), codes.InvalidArgument, "cannot be set"},
		{"the container", with(path(eth1+"/config"), asIETF(`{"enabled":true}`)), codes.InvalidArgument, "cannot be set"},
		{"a path that does not exist", with(path(eth1+"/config/colour"), asBool(true)), codes.InvalidArgument, "nothing called"},
		{"no interface named", with(path("/interfaces/interface/config/enabled"), asBool(true)), codes.InvalidArgument, "a Set must name the interface"},
		{"any interface", with(enabledOf("*"), asBool(true)), codes.InvalidArgument, "a Set must name the interface"},
		{"an interface that is not a port", with(enabledOf("eth9"), asBool(true)), codes.NotFound, `interface "eth9" is not a port of this node`},
		{"text", with(enabledOf("eth2"), asIETF(`"true"`)), codes.InvalidArgument, "interface eth2: enabled:"},
		{"null", with(enabledOf("eth2"), asIETF(`null`)), codes.InvalidArgument, "is not true or false"},
		{"a number", with(enabledOf("eth2"), &gpb.TypedValue{Value: &gpb.TypedValue_IntVal{IntVal: 1}}), codes.InvalidArgument, "the value must be a boolean"},
		{"no value", with(enabledOf("eth2"), nil), codes.InvalidArgument, "the value must be a boolean"},
		{"deletion of an interface", &gpb.SetRequest{Update: []*gpb.Update{off}, Delete: []*gpb.Path{path(eth1)}}, codes.InvalidArgument, "cannot be set"},
		{"union replace", &gpb.SetRequest{Update: []*gpb.Update{off}, UnionReplace: []*gpb.Update{off}}, codes.Unimplemented, "union_replace is not served"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := n.rpc.Set(context.Background(), tc.request)
			wantCode(t, err, tc.code, tc.saying)
			if diff := cmp.Diff(map[string]bool{"eth1": true, "eth2": false}, n.enabled()); diff != "" {
				t.Errorf("ports (-want +got):\n%s", diff)
			}
		})
	}
}

// halfDead fails to change one of its ports.
type halfDead struct {
	*memory.Backend
	broken string
}

func (h halfDead) SetPortEnabled(ctx context.Context, name string, enabled bool) error {
	if name == h.broken {
		return errors.New("no such device")
	}
	return h.Backend.SetPortEnabled(ctx, name, enabled)
}

func TestASetThatFailsHalfwayIsUndone(t *testing.T) {
	n := startNode(t)
	s := New(Options{Ports: halfDead{n.backend, "eth2"}})
	_, err := s.Set(context.Background(), &gpb.SetRequest{Update: []*gpb.Update{
		{Path: enabledOf("eth1"), Val: asBool(false)}, {Path: enabledOf("eth2"), Val: asBool(true)},
	}})
	wantCode(t, err, codes.Aborted, "interface eth2: no such device; nothing was changed")
	if diff := cmp.Diff(map[string]bool{"eth1": true, "eth2": false}, n.enabled()); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}
