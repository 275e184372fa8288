// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
)

func TestTheEncapsulationSourceIsResetAlsoWhenNoneIsSet(t *testing.T) {
	n, ns := oneNode(t)
	reset := []contract.Update{{Op: contract.Delete, Entry: contract.EncapSource{}}}
	before := in(t, ns, "ip -6 addr show dev lo")
	mustApply(t, n, reset)
	mustApply(t, n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	mustApply(t, n, reset)
	if got := in(t, ns, "ip sr tunsrc show"); !strings.Contains(got, "tunsrc addr ::\n") {
		t.Errorf("the kernel has %q, want ::", got)
	}
	if got := stored(t, n, contract.TableEncapSource); len(got) != 0 {
		t.Errorf("the node holds %v, want nothing", got)
	}
	if after := in(t, ns, "ip -6 addr show dev lo"); after != before {
		t.Errorf("addresses of lo:\n%s\nwant:\n%s", after, before)
	}
}

// Otherwise it goes on telling hosts of path MTUs of packets that are not this node's.
func TestTheRelayForgetsASourceThatIsReset(t *testing.T) {
	n, _ := oneNode(t)
	for name, reset := range map[string]func(){
		"deleted": func() { mustApply(t, n, remove(contract.EncapSource{})) },
		"reset with all rows": func() {
			if err := n.Reset(context.Background()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		mustApply(t, n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
		reset()
		if got := n.relay.source.Load(); got != nil {
			t.Errorf("%s: the relay speaks for %s", name, got)
		}
	}
}
