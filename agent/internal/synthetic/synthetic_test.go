// SPDX-License-Identifier: Apache-2.0

package synthetic

import (
	"net/netip"
	"slices"
	"testing"
)

func TestEveryNextHopHasAnAddressOfItsOwn(t *testing.T) {
	for _, tc := range []struct{ family, want string }{{"::", "fd5e:7e00::102"}, {"0.0.0.0", "169.254.1.2"}} {
		got := For(netip.MustParseAddr(tc.family), 258)
		if got != netip.MustParseAddr(tc.want) || !Is(got) {
			t.Errorf("next_hop 258 is %s (%v), want %s", got, Is(got), tc.want)
		}
	}
	for _, other := range []string{"fd5e:7e00::1:0", "fd5e:7e01::1", "169.253.1.2", "fe80::1"} {
		if Is(netip.MustParseAddr(other)) {
			t.Errorf("%s is taken for a next hop's", other)
		}
	}
}

func TestSharesAreTheSmallestNumbersOfTheSameRatio(t *testing.T) {
	if got := Shares([]uint64{100, 300, 50}); !slices.Equal(got, []uint64{2, 6, 1}) {
		t.Errorf("100:300:50 is %v", got)
	}
	if got := Shares([]uint64{7}); !slices.Equal(got, []uint64{1}) {
		t.Errorf("7 alone is %v", got)
	}
}
