// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"sextant/agent/internal/contract"
)

// steeringRows gives distinct /64 rows into one list.
func steeringRows(from, count int) []contract.Entry {
	rows := make([]contract.Entry, count)
	for i := range rows {
		k := from + i
		dst := netip.PrefixFrom(netip.AddrFrom16([16]byte{0xfd, 0x01, 4: byte(k >> 16), 5: byte(k >> 8), 6: byte(k)}), 64)
		rows[i] = contract.Steering{Dst: dst, SIDList: 7, Reduced: true}
	}
	return rows
}

// BenchmarkApply writes batches of steering rows, read back and journalled; ns/op is per row.
func BenchmarkApply(b *testing.B) {
	for _, size := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("batches of %d", size), func(b *testing.B) {
			n, ns := oneNode(b)
			mustApply(b, n, insert(hop(ns, 1, 1), list(7, "fcbb:bbbb:200:700:600:500:400::", "fcbb:bbbb:300:f00d::")))
			written := 0
			b.ResetTimer()
			for written < b.N {
				batch := insert(steeringRows(written, min(size, b.N-written))...)
				mustApply(b, n, batch)
				written += len(batch)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkEntries reads 10,000 rows with their counters.
func BenchmarkEntries(b *testing.B) {
	n, ns := oneNode(b)
	mustApply(b, n, insert(hop(ns, 1, 1), list(7, "fcbb:bbbb:200:f00d::")))
	mustApply(b, n, insert(steeringRows(0, 10_000)...))
	b.ResetTimer()
	for range b.N {
		rows, err := n.Entries(context.Background(), contract.TableSteeringV6)
		if err != nil || len(rows) != 10_000 {
			b.Fatalf("%d rows, %v", len(rows), err)
		}
	}
}
