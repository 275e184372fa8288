// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"slices"
	"sync"
	"testing"

	"sextant/agent/internal/contract"
)

// Rule sets are exchanged while the kernel runs the program as fast as it can: each packet is counted by one rule of one of
// them, and none finds that no rule takes it.
func TestNoPacketIsJudgedByAMixture(t *testing.T) {
	// Even versions drop port 53 and have nothing for the rest; of odd ones the rest drops it. The rules of an odd
	// one with the rest of an even one have nothing for it. Their number, and the fields they look at, change too.
	version := func(v int) []contract.Entry {
		id := contract.FirewallID(v + 1)
		port := uint16(53 + v%2)
		rules := []contract.Entry{container(id), contract.Firewall{
			Firewall: id, Priority: 100000, Has: contract.Masked(1, 1), DstPort: &contract.Range{Low: port, High: port}, Verdict: contract.FwDrop,
		}}
		if v%2 == 1 {
			rules = append(rules, contract.Firewall{Firewall: id, Priority: 1, Verdict: contract.FwDrop})
		}
		for i := range int32(v % 7 * 30) {
			rule := contract.Firewall{Firewall: id, Priority: 1000 + i, IPVersion: contract.Masked(4, 15), Verdict: contract.FwDrop}
			if v%3 == 0 {
				rule.NextSID, rule.Has = prefixed("fcbb:bbbb:600::/48"), contract.Masked(16, 16)
			}
			rules = append(rules, rule)
		}
		return rules
	}
	b := loaded(t, version(0)...)
	frame := slices.Concat(make([]byte, 12), []byte{0x86, 0xdd}, mustHex(plain+"fcbbbbbb0200f23006000300f00d0000"+inside))
	const each = 2000
	var running sync.WaitGroup
	stop, runs, interrupted := make(chan struct{}), uint64(0), uint64(0)
	running.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			answer, _, err := b.objects.SextantSera.Benchmark(frame, each, func() { interrupted++ })
			if err != nil || answer != dropped {
				t.Errorf("answer %#x, %v", answer, err)
				return
			}
			runs += each
		}
	})
	judged := uint64(0)
	count := func(entries []contract.Entry) {
		t.Helper()
		for _, e := range entries[1:] {
			judged += b.counted(t, e)
		}
	}
	for v := 1; v <= 60; v++ {
		both := slices.Concat(version(v - 1)[1:], version(v)) // the new rows, and the SID, before the old rows go
		b.now(t, both...)
		count(version(v - 1))
		b.now(t, version(v)...)
	}
	close(stop)
	running.Wait()
	count(version(60))
	if drops := b.drops(t, 3); drops[3] != 0 || drops[1] != 0 {
		t.Errorf("dropped are %v: a packet found no rule", drops)
	}
	// The kernel does not say how many packets it ran before a signal interrupted it; the SID has counted them all.
	came := b.counted(t, version(60)[0])
	if judged != came {
		t.Errorf("rules have counted %d packets of %d", judged, came)
	}
	if came < runs || came > runs+interrupted*each {
		t.Errorf("the SID has counted %d packets of %d, and of %d runs that were interrupted", came, runs, interrupted)
	}
	t.Logf("%d packets, 60 rule sets", came)
}
