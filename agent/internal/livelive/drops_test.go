// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"encoding/binary"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
)

func TestEveryReasonOfTheProgramsHasASentence(t *testing.T) {
	header, err := os.ReadFile("bpf/livelive.h")
	if err != nil {
		t.Fatal(err)
	}
	_, enum, _ := strings.Cut(string(header), "enum {")
	enum, _, _ = strings.Cut(enum, "};")
	if declared := len(regexp.MustCompile(`DROP_\w+`).FindAllString(enum, -1)); declared != len(dropReasons().Sentences) || declared > 16 {
		t.Errorf("%d reasons, %d sentences, room for 16", declared, len(dropReasons().Sentences))
	}
}

// No drop is invisible: the last verdict of a packet whose copies were sent is no drop.
func TestEveryDropIsCounted(t *testing.T) {
	for _, file := range []string{"dedup.h", "replicate.h", "livelive.c"} {
		text, err := os.ReadFile("bpf/" + file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			if !strings.Contains(line, "return DROPPED") && !strings.Contains(line, "return TC_ACT_SHOT") {
				continue
			}
			before := strings.Join(lines[max(0, i-4):i], "\n")
			if !regexp.MustCompile(`count\(|count_drop\(|seen_before\(|== DROPPED\)|left\)`).MatchString(before) {
				t.Errorf("%s:%d drops without a reason:\n%s\n%s", file, i+1, before, line)
			}
		}
	}
}

// reasons are those that have counted something.
func reasons(t *testing.T, p *programs) map[string]uint64 {
	t.Helper()
	drops, err := dropReasons().In(p.objects.Drops)
	if err != nil {
		t.Fatal(err)
	}
	some := map[string]uint64{}
	for _, d := range drops {
		if d.Packets > 0 {
			some[d.Reason] = d.Packets
		}
	}
	return some
}

func TestADropIsCountedUnderItsReason(t *testing.T) {
	p := egress(t)
	if err := p.objects.Windows.Delete(uint32(flow)); err != nil {
		t.Fatal(err)
	}
	if answer, _ := runPort(t, p, copyOf(1, 1, 1)); answer != dropped {
		t.Errorf("a copy without a window: answer %#x, want a drop", answer)
	}
	frame := ipv6Frame(17, udp(5000))
	for range 2 {
		out := make([]byte, len(frame)+256)
		if answer, err := p.objects.SextantNumber.Run(&ebpf.RunOptions{Data: frame, DataOut: out}); err != nil || answer != dropped {
			t.Errorf("a packet without a rule: answer %#x, %v, want a drop", answer, err)
		}
	}
	got := reasons(t, p)
	if got[dropReasons().Sentences[0]] != 1 || got[dropReasons().Sentences[3]] != 2 || len(got) != 2 {
		t.Errorf("dropped for %v", got)
	}
}

func TestAGroupWithoutPathsDropsAndSaysSo(t *testing.T) {
	p := ingress(t, ofPort("fd00::/8"))
	if err := p.objects.Sequences.Put(uint32(1), uint64(7)); err != nil {
		t.Fatal(err)
	}
	frame := ipv6Frame(17, udp(5000))
	buffer := make([]byte, 192) // a __sk_buff
	binary.NativeEndian.PutUint32(buffer[8:], 1)
	options := ebpf.RunOptions{Data: frame, DataOut: make([]byte, len(frame)+256), Context: buffer}
	if answer, err := p.objects.SextantNumber.Run(&options); err != nil || answer != dropped {
		t.Errorf("answer %#x, %v, want a drop", answer, err)
	}
	if got := reasons(t, p); got[dropReasons().Sentences[7]] != 1 || len(got) != 1 {
		t.Errorf("dropped for %v, want %q", got, dropReasons().Sentences[7])
	}
}
