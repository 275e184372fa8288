// SPDX-License-Identifier: Apache-2.0

package linux

import (
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
