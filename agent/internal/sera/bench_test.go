// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
)

// paperRules are those of the paper's Figures 6 to 9: all miss but the last, which drops.
func paperRules(count int, segments bool) []contract.Firewall {
	rules := make([]contract.Firewall, count)
	for i := range rules {
		e := contract.Firewall{
			Firewall: 7, Priority: int32(count - i), Verdict: contract.FwGoNext, IPProto: contract.Masked(17, 255), Has: contract.Masked(1, 1),
			Src: prefixed(fmt.Sprintf("2001:db8:%x:1::/64", i+0x100)), Dst: prefixed(fmt.Sprintf("2001:db8:%x:2::/64", i+0x100)),
			DstPort: &contract.Range{Low: uint16(i), High: uint16(i + 40)},
		}
		if i == count-1 {
			e.Src, e.Dst, e.Verdict = prefixed("2001:db8:1::/64"), prefixed("2001:db8:2::/64"), contract.FwDrop
			e.DstPort = &contract.Range{Low: 50, High: 60}
		}
		if segments {
			e.Has = contract.Masked(29, 29)
			e.SegmentsLeft, e.LastEntry = &contract.Range{Low: 0, High: 5}, &contract.Range{Low: 0, High: 9}
			e.SRHTag = contract.Masked(uint64(i%7), 0xffff)
			if i == count-1 {
				e.SRHTag = contract.Masked(3, 0xffff)
			}
			e.NextSID, e.PreviousSID = prefixed("fcbb:bbbb:600::/48"), prefixed("fcbb:bbbb:500::/48")
		}
		rules[i] = e
	}
	return rules
}

// BenchmarkRules has the kernel run the program over one packet again and again, which the last rule drops. A run is
// interrupted now and then: ns/packet is the least of all rounds.
func BenchmarkRules(b *testing.B) {
	routed := mustHex("60000000005c2b40fcbbbbbb010000000000000000000001" + "fcbbbbbb0200f23006000300f00d0000" + "2904040001000003" + "fcbbbbbb0300f00d0000000000000000" + "fcbbbbbb050000000000000000000000" + inside)
	for _, segments := range []bool{false, true} {
		packet, name := mustHex(plain+"fcbbbbbb0200f23006000300f00d0000"+inside), "5-tuple"
		if segments {
			packet, name = routed, "and five fields of segments"
		}
		for _, count := range []int{1, 64, 512, 4096} {
			b.Run(fmt.Sprintf("%s/%d", name, count), func(b *testing.B) {
				rules := paperRules(count, segments)
				l := loaded(b, entries(rules, container(7))...)
				measured(b, l, packet, dropped)
				if l.counted(b, rules[count-1]) == 0 {
					b.Error("the last rule judged nothing")
				}
			})
		}
	}
}

// BenchmarkMiss is the cost of a packet that is for no firewall.
func BenchmarkMiss(b *testing.B) {
	l := loaded(b, verdict(contract.FwDrop), container(7))
	measured(b, l, mustHex(plain+"fcbbbbbb0300f00d0000000000000000"+inside), passed)
}

// BenchmarkCompile is the cost of a rule set for the agent: made into pages, and written into the kernel.
func BenchmarkCompile(b *testing.B) {
	for _, count := range []int{64, 512, 4096} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			rules := paperRules(count, false)
			l := loaded(b, entries(rules, container(7))...)
			pages := 0
			for b.Loop() {
				compiled := compile(rules, make([]uint32, count), 1)
				pages = len(compiled)
				m, err := l.newSet(compiled)
				if err != nil {
					b.Fatal(err)
				}
				if err := l.objects.RuleSets.Put(uint32(7), m); err != nil {
					b.Fatal(err)
				}
				_ = m.Close()
			}
			b.ReportMetric(float64(pages)/1024, "KiB")
		})
	}
}

func measured(b *testing.B, l *bench, packet []byte, want uint32) {
	b.Helper()
	frame := slices.Concat(make([]byte, 12), []byte{0x86, 0xdd}, packet)
	least := math.Inf(1)
	for b.Loop() {
		answer, each, err := l.objects.SextantSera.Benchmark(frame, 20000, nil)
		if err != nil || answer != want {
			b.Fatalf("answer %#x, %v, dropped %v", answer, err, l.drops(b, 3))
		}
		least = min(least, float64(each.Nanoseconds()))
	}
	b.ReportMetric(least, "ns/packet")
}
