// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"encoding/hex"
	"errors"
	"net/netip"
	"testing"

	"sextant/agent/internal/contract"
)

// The bytes are written out from docs/reference/livelive.md; fields filled in per packet are zero.
func TestHeadersAreTheReferences(t *testing.T) {
	a := netip.MustParseAddr
	for _, tt := range []struct {
		name     string
		segments []netip.Addr
		want     string
	}{
		{
			"one segment is listed",
			[]netip.Addr{a("fcbb:bbbb:300:f101::")},
			"60000000" + "0000" + "2b" + "00" + "fcff0001000000000000000000000001" + "fcbbbbbb0300f1010000000000000000" +
				"00" + "04" + "04" + "00" + "00" + "00" + "0000" + "fcbbbbbb0300f1010000000000000000" +
				"7c0e" + "0001" + "00000000" + "0000000000000000",
		},
		{
			"three segments in reverse, without the first",
			[]netip.Addr{a("fcbb::1"), a("fcbb::2"), a("fcbb::3")},
			"60000000" + "0000" + "2b" + "00" + "fcff0001000000000000000000000001" + "fcbb0000000000000000000000000001" +
				"00" + "06" + "04" + "02" + "01" + "00" + "0000" + "fcbb0000000000000000000000000003" + "fcbb0000000000000000000000000002" +
				"7c0e" + "0001" + "00000000" + "0000000000000000",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := hex.EncodeToString(header(a("fcff:1::1"), tt.segments)); got != tt.want {
				t.Errorf("got\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

func TestAStateThatCannotBeIsRefusedBeforeAnythingIsDone(t *testing.T) {
	any6 := netip.MustParsePrefix("::/0")
	row := func(id contract.FlowID, group contract.GroupID) contract.Flow {
		return contract.Flow{Priority: 1, Src: any6, Dst: any6, FlowID: id, Group: group, Copies: 2}
	}
	for _, tt := range []struct {
		name  string
		state State
		want  contract.Code
	}{
		{"more flows than can end here", State{Ends: make([]contract.DedupFlow, maxEnds+1)}, contract.ResourceExhausted},
		{"a flow over two groups", State{Flows: []contract.Flow{row(1, 1), row(1, 2)}}, contract.FailedPrecondition},
		{"more rows than fit", State{Copies: make([]Copy, maxPaths+1)}, contract.ResourceExhausted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var e *contract.Error
			if err := tt.state.fits(); !errors.As(err, &e) || e.Code != tt.want {
				t.Errorf("fits() = %v, want code %d", err, tt.want)
			}
		})
	}
}
