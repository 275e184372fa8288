// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"strings"
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

// The packets of docs/reference/firewall-node.md.
const (
	inside = "60000000000c114020010db800010000000000000000000120010db800020000000000000000000103e80035000cba7b73657261"
	plain  = "6000000000342940fcbbbbbb010000000000000000000001"
	four   = "4500002000004000401164cb0a0001010a00020103e80035000c00007365727a"
)

func TestARuleRemembersWhenItWasHitLast(t *testing.T) {
	hit, never := verdict(contract.FwGoNext), verdict(contract.FwDrop)
	never.Priority = 1
	b := loaded(t, container(7), hit, never)
	idle := func(e contract.Entry) *time.Duration {
		t.Helper()
		counts, err := b.counters([]contract.Entry{e})
		if err != nil {
			t.Fatal(err)
		}
		return counts[e.Key()].Idle
	}
	if got := idle(hit); got != nil {
		t.Errorf("before any packet it was hit %v ago", *got)
	}
	before := time.Now()
	b.run(t, mustHex(plain+"fcbbbbbb0200f23006000300f00d0000"+inside))
	first := idle(hit)
	if first == nil || *first > time.Since(before)+20*time.Millisecond { // the clock of the program ticks every few milliseconds
		t.Fatalf("it was hit %v ago, and the packet came %v ago", first, time.Since(before))
	}
	if later := idle(hit); *later < *first {
		t.Errorf("after %v it was hit %v ago", *first, *later)
	}
	if got := idle(never); got != nil {
		t.Errorf("the rule that no packet came to was hit %v ago", *got)
	}
	if got := idle(container(7)); got != nil {
		t.Errorf("a SID is no rule, and was hit %v ago", *got)
	}
	b.now(t, container(7))
	b.now(t, container(7), hit)
	if got := idle(hit); got != nil {
		t.Errorf("another row in its place was hit %v ago", *got)
	}
}

func TestVerdictsMoveByAtoms(t *testing.T) {
	const (
		routed = "60000000004c2b40fcbbbbbb010000000000000000000001"
		longer = "60000000005c2b40fcbbbbbb010000000000000000000001"
	)
	for name, tc := range map[string]struct {
		verdict       contract.Verdict
		before, after string // "" is dropped
	}{
		"go next":                    {contract.FwGoNext, plain + "fcbbbbbb0200f23006000300f00d0000" + inside, plain + "fcbbbbbb06000300f00d000000000000" + inside},
		"skip next":                  {contract.FwSkipNext, plain + "fcbbbbbb0200f23006000300f00d0000" + inside, plain + "fcbbbbbb0300f00d0000000000000000" + inside},
		"go last":                    {contract.FwGoLast, plain + "fcbbbbbb0200f23006000300f00d0000" + inside, plain + "fcbbbbbb0300f00d0000000000000000" + inside},
		"arguments 0":                {contract.FwEvalArgs, plain + "fcbbbbbb0200f23006000300f00d0000" + inside, plain + "fcbbbbbb06000300f00d000000000000" + inside},
		"arguments 1":                {contract.FwEvalArgs, plain + "fcbbbbbb0200f23106000300f00d0000" + inside, plain + "fcbbbbbb0300f00d0000000000000000" + inside},
		"arguments 2":                {contract.FwEvalArgs, plain + "fcbbbbbb0200f23206000300f00d0000" + inside, plain + "fcbbbbbb0300f00d0000000000000000" + inside},
		"an atom of two uSIDs":       {contract.FwSkipNext, plain + "fcbbbbbb0200f2300600e0020300f00d" + inside, plain + "fcbbbbbb0300f00d0000000000000000" + inside},
		"one atom left to skip":      {contract.FwSkipNext, plain + "fcbbbbbb0200f2300300f00d00000000" + inside, ""},
		"the last is where it goes":  {contract.FwGoLast, plain + "fcbbbbbb0200f2300300f00d00000000" + inside, plain + "fcbbbbbb0300f00d0000000000000000" + inside},
		"nothing left":               {contract.FwGoNext, plain + "fcbbbbbb0200f2300000000000000000" + inside, ""},
		"nothing left to go last to": {contract.FwGoLast, plain + "fcbbbbbb0200f2300000000000000000" + inside, ""},
		"drop":                       {contract.FwDrop, plain + "fcbbbbbb0200f23006000300f00d0000" + inside, ""},
		"over the end of a container": {
			contract.FwSkipNext,
			routed + "fcbbbbbb0200f2300000000000000000 2902040100000000 fcbbbbbb06000300f00d000000000000" + inside,
			routed + "fcbbbbbb0300f00d0000000000000000 2902040000000000 fcbbbbbb06000300f00d000000000000" + inside,
		},
		"to the last segment": {
			contract.FwGoLast,
			longer + "fcbbbbbb0200f2300600050000000000 2904040201000000 fcbbbbbb04000300f00d000000000000 fcbbbbbb070008000000000000000000" + inside,
			longer + "fcbbbbbb0300f00d0000000000000000 2904040001000000 fcbbbbbb04000300f00d000000000000 fcbbbbbb070008000000000000000000" + inside,
		},
		"the last segment is of another block": {
			contract.FwGoLast,
			routed + "fcbbbbbb0200f2300600000000000000 2902040100000000 20010db800ff00000000000000000001" + inside,
			routed + "20010db800ff00000000000000000001 2902040000000000 20010db800ff00000000000000000001" + inside,
		},
		"a header whose list is done": {
			contract.FwGoNext,
			routed + "fcbbbbbb0200f2300300f00d00000000 2902040000000000 fcbbbbbb0200f2300300f00d00000000" + inside,
			routed + "fcbbbbbb0300f00d0000000000000000 2902040000000000 fcbbbbbb0200f2300300f00d00000000" + inside,
		},
		"no container, next": {
			contract.FwGoNext,
			longer + "fc0000020000000000000000 00f10000 2904040201000000 fc0000030000000000000000000000d6 fc00000600000000000000000000000a" + inside,
			longer + "fc00000600000000000000000000000a 2904040101000000 fc0000030000000000000000000000d6 fc00000600000000000000000000000a" + inside,
		},
		"no container, skip": {
			contract.FwSkipNext,
			longer + "fc0000020000000000000000 00f10000 2904040201000000 fc0000030000000000000000000000d6 fc00000600000000000000000000000a" + inside,
			longer + "fc0000030000000000000000000000d6 2904040001000000 fc0000030000000000000000000000d6 fc00000600000000000000000000000a" + inside,
		},
		"no container, last by arguments": {
			contract.FwEvalArgs,
			longer + "fc0000020000000000000000 00f10002 2904040201000000 fc0000030000000000000000000000d6 fc00000600000000000000000000000a" + inside,
			longer + "fc0000030000000000000000000000d6 2904040001000000 fc0000030000000000000000000000d6 fc00000600000000000000000000000a" + inside,
		},
		"no container, one segment left to skip": {
			contract.FwSkipNext,
			routed + "fc0000020000000000000000 00f10000 2902040100000000 fc0000030000000000000000000000d6" + inside, "",
		},
		"no container, none left": {contract.FwGoLast, plain + "fc0000020000000000000000 00f10000" + inside, ""},
		"IPv4 inside": {
			contract.FwSkipNext,
			strings.Replace(plain, "00342940", "00200440", 1) + "fcbbbbbb0200f23006000300f00d0000" + four,
			strings.Replace(plain, "00342940", "00200440", 1) + "fcbbbbbb0300f00d0000000000000000" + four,
		},
		"a header behind destination options": {
			contract.FwSkipNext,
			"6000000000543c40fcbbbbbb010000000000000000000001 fcbbbbbb0200f2300000000000000000 2b00010400000000 2902040100000000 fcbbbbbb06000300f00d000000000000" + inside,
			"6000000000543c40fcbbbbbb010000000000000000000001 fcbbbbbb0300f00d0000000000000000 2b00010400000000 2902040000000000 fcbbbbbb06000300f00d000000000000" + inside,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rule := verdict(tc.verdict)
			b := loaded(t, rule, container(7), classic(7))
			answer, out := b.run(t, unhex(t, tc.before))
			if b.counted(t, rule) != 1 {
				t.Errorf("the rule did not judge it; drops %v, %v", b.drops(t, 3), b.drops(t, 4))
			}
			if tc.after == "" {
				unable := b.drops(t, 3)[0] + b.drops(t, 4)[0]
				if answer != dropped || (unable == 1) == (tc.verdict == contract.FwDrop) {
					t.Errorf("answer %#x, %d counted as unable, want a drop", answer, unable)
				}
				return
			}
			if answer != passed {
				t.Fatalf("answer %#x, drops %v, want it to pass", answer, b.drops(t, 3))
			}
			wantPacket(t, out, unhex(t, tc.after))
		})
	}
}

func TestWhatIsDroppedIsCountedByItsReason(t *testing.T) {
	sid := "fcbbbbbb0200f23006000300f00d0000"
	routing := func(left, last, ext string) string {
		return "60000000004c2b40fcbbbbbb010000000000000000000001" + sid + "29" + ext + "04" + left + last + "000000 fcbbbbbb06000300f00d000000000000" + inside
	}
	for name, tc := range map[string]struct {
		packet string
		reason int
	}{
		"more segments left than there are": {routing("02", "00", "02"), 1},
		"255 segments left":                 {routing("ff", "00", "02"), 1},
		"a list longer than its header":     {routing("01", "01", "02"), 1},
		"a header longer than the packet":   {routing("01", "00", "ff"), 1},
		"IPv4 where IPv6 is said to be":     {plain + sid + strings.Replace(inside, "6", "4", 1), 1},
		"IPv4 with four words":              {strings.Replace(plain, "00342940", "00200440", 1) + sid + strings.Replace(four, "45", "44", 1), 1},
		"a truncated packet inside":         {strings.Replace(plain, "00342940", "00302940", 1) + sid + inside[:len(inside)-8], 1},
		"half a header inside":              {strings.Replace(plain, "00342940", "00102940", 1) + sid + inside[:32], 1},
		"a packet that is cut":              {plain + sid + inside[:len(inside)-8], 1},
		"nine extension headers":            {"600000000048 3c40 fcbbbbbb010000000000000000000001" + sid + strings.Repeat("3c00010400000000", 9), 1},
		"a piece of the packet":             {"60000000003c 2c40 fcbbbbbb010000000000000000000001" + sid + "2900000107070707" + inside, 1},
		"a later piece":                     {"60000000003c 2c40 fcbbbbbb010000000000000000000001" + sid + "2900000807070707" + inside, 1},
		"another routing header":            {"60000000003c 2b40 fcbbbbbb010000000000000000000001" + sid + "2900030100000000" + inside, 1},
		"unknown arguments":                 {plain + "fcbbbbbb0200f23306000300f00d0000" + inside, 2},
		"the last hop":                      {strings.Replace(plain, "2940", "2901", 1) + sid + inside, 4},
	} {
		t.Run(name, func(t *testing.T) {
			b := loaded(t, verdict(contract.FwEvalArgs), container(7))
			answer, _ := b.run(t, unhex(t, tc.packet))
			var want [7]uint64
			want[tc.reason] = 1
			if got := b.drops(t, 3); got != want {
				t.Errorf("dropped are %v, want %v (answer %#x)", got, want, answer)
			}
		})
	}
	for name, rows := range map[string][]contract.Entry{
		"no rule takes it":    {contract.Firewall{Firewall: 7, Priority: 1, IPProto: contract.Masked(6, 255), Verdict: contract.FwGoNext}, container(7)},
		"an unknown firewall": {container(8)},
	} {
		t.Run(name, func(t *testing.T) {
			b := loaded(t, rows...)
			if answer, _ := b.run(t, unhex(t, plain+sid+inside)); answer != dropped || b.drops(t, 3)[3] != 1 {
				t.Errorf("answer %#x, drops %v, want one without a rule", answer, b.drops(t, 3))
			}
		})
	}
}

// The kernel is asked to answer with the last hop: its route of the SID costs one.
func TestTheHopOfThePairIsGivenBack(t *testing.T) {
	b := loaded(t, verdict(contract.FwGoNext), container(7))
	if answer, _ := b.run(t, unhex(t, strings.Replace(plain, "2940", "2901", 1)+"fcbbbbbb0200f23006000300f00d0000"+inside)); answer != passed {
		t.Errorf("at a port the last hop is answered %#x", answer)
	}
	b.arrivingAt(t, loopback)
	answer, out := b.run(t, unhex(t, plain+"fcbbbbbb0200f23006000300f00d0000"+inside))
	if answer != sent {
		t.Fatalf("answer %#x", answer)
	}
	wantPacket(t, out, unhex(t, strings.Replace(plain, "2940", "2941", 1)+"fcbbbbbb06000300f00d000000000000"+inside))
	if answer, _ := b.run(t, unhex(t, plain+"fcbbbbbb0300f23006000300f00d0000"+inside)); answer != dropped {
		t.Errorf("what is for nobody is answered %#x behind the pair, want a drop", answer)
	}
}

func TestASIDOfSomebodyElseWithinAFirewallsPrefixIsHis(t *testing.T) {
	b := loaded(t, verdict(contract.FwDrop), container(7), contract.MySID{SID: p("fcbb:bbbb:200:f235::/64"), Behavior: contract.Behavior{Action: contract.UDT6}})
	if answer, _ := b.run(t, unhex(t, plain+"fcbbbbbb0200f2350000000000000000"+inside)); answer != passed {
		t.Errorf("answer %#x, want it left alone", answer)
	}
}

func TestASenderIsToldOfUnknownArguments(t *testing.T) {
	b := loaded(t, verdict(contract.FwEvalArgs), container(7))
	sentPacket := unhex(t, plain+"fcbbbbbb0200f23306000300f00d0000"+inside)
	answer, out := b.run(t, sentPacket)
	if answer != sent {
		t.Fatalf("answer %#x, want an error on its way", answer)
	}
	want := unhex(t, "6000000000643a40 fcff0001000000000000000000000001 fcbbbbbb010000000000000000000001 0400")
	if len(out) != 48+len(sentPacket) || string(out[:42]) != string(want) || string(out[44:48]) != "\x00\x00\x00\x18" {
		t.Errorf("told is %x", out)
	}
	wantPacket(t, out[48:], sentPacket)
	if sum := checksum(out); sum != 0xffff {
		t.Errorf("its checksum leaves %#x", sum)
	}
	if answer, _ := b.run(t, sentPacket); answer != dropped && answer != sent {
		t.Errorf("the next one is answered %#x", answer)
	}
}

// checksum of ICMPv6 with its pseudo header.
func checksum(packet []byte) uint32 {
	sum := uint32(len(packet)-40) + 58
	for i := 8; i < len(packet); i += 2 {
		word := uint32(packet[i]) << 8
		if i+1 < len(packet) {
			word |= uint32(packet[i+1])
		}
		sum += word
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return sum
}
