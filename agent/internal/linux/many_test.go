// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/nftables"

	"sextant/agent/internal/contract"
)

// 10,000 rows in one batch: their counters once did not fit into one message to nftables, and ended.
func TestTenThousandSteeringRowsAreCounted(t *testing.T) {
	n, ns := oneNode(t)
	if n.counters == nil {
		t.Skip("needs nftables with fib lookups; run a kernel with CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6")
	}
	const count = 10_000
	var rows []contract.Entry
	for i := range count {
		rows = append(rows, contract.Steering{Dst: px(fmt.Sprintf("fd00:%x:%x::/%d", i>>8, i&0xff, 48+i%3*8)), SIDList: 7, Reduced: true})
	}
	mustApply(t, n, insert(list(7, "fcbb::1")))
	mustApply(t, n, insert(rows...))
	// A dump of a set that the kernel is just making larger may leave elements out; the next one has them.
	wantCounted := func(when string, want int) {
		t.Helper()
		eventually(t, fmt.Sprintf("%s all %d rows are counted", when, want), func() bool {
			stored, err := n.Entries(context.Background(), contract.TableSteeringV6)
			if err != nil || len(stored) != want {
				t.Fatalf("%s: %d rows, %v, want %d", when, len(stored), err, want)
			}
			return !slices.ContainsFunc(stored, func(s contract.Stored) bool { return s.Counters == nil })
		})
	}
	wantCounted("after one batch", count)
	mustApply(t, n, remove(rows[:count/2]...))
	wantCounted("with half of them deleted", count/2)
	reload(t, ns, func(nft *nftables.Conn) { nft.FlushRuleset() })
	wantCounted("after the firewall was loaded anew", count/2)
}
