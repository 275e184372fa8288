// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"sextant/agent/internal/contract"
)

func TestASpeedIsOneOfTheModelOrUnknown(t *testing.T) {
	for bps, want := range map[uint64]string{
		0: "SPEED_UNKNOWN", 10e6: "SPEED_10MB", 1e9: "SPEED_1GB", 2500e6: "SPEED_2500MB", 10e9: "SPEED_10GB",
		56e9: "SPEED_UNKNOWN", 800e9: "SPEED_800GB", 1600e9: "SPEED_1600GB", 3200e9: "SPEED_UNKNOWN",
		10e9 + 1: "SPEED_UNKNOWN",
	} {
		if got := identity(bps); got != want {
			t.Errorf("%d bit/s is %s, want %s", bps, got, want)
		}
	}
}

func TestPortsSayHowFastTheyAre(t *testing.T) {
	n := startNode(t,
		contract.Port{ID: 3, Name: "eth3", Speed: contract.PortSpeed{Known: true, Bps: 25e9}},
		contract.Port{ID: 4, Name: "eth4", Speed: contract.PortSpeed{Known: true, Bps: 1e9, Negotiated: true}},
		contract.Port{ID: 5, Name: "eth5", Speed: contract.PortSpeed{Known: true}},
	)
	ethernet := func(name string) string { return "/interfaces/interface[name=" + name + "]/ethernet/state/" }
	for _, tc := range []struct {
		leaf string
		want []string
	}{
		{"port-speed", []string{
			ethernet("eth3") + "port-speed = SPEED_25GB",
			ethernet("eth4") + "port-speed = SPEED_1GB",
			ethernet("eth5") + "port-speed = SPEED_UNKNOWN",
		}},
		{"negotiated-port-speed", []string{ethernet("eth4") + "negotiated-port-speed = SPEED_1GB"}},
	} {
		r, err := n.rpc.Get(context.Background(), &gpb.GetRequest{
			Path: []*gpb.Path{path("/interfaces/interface[name=*]/ethernet/state/" + tc.leaf)}, Encoding: gpb.Encoding_PROTO,
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, flat(r.GetNotification()[0])); diff != "" {
			t.Errorf("ports without a speed say nothing (-want +got):\n%s", diff)
		}
	}
}
