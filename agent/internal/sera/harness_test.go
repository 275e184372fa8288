// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"bytes"
	"encoding/hex"
	"errors"
	"iter"
	"net/netip"
	"strings"
	"testing"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/tcx/tcxtest"
)

// Return codes of sextant_sera.
const (
	passed  = 0xffffffff // TCX_NEXT
	dropped = 2          // TC_ACT_SHOT
	sent    = 7          // TC_ACT_REDIRECT
)

const loopback = 1 // the device of packets that the kernel's test runs make

// A table is rows without a node.
type table map[contract.Key]contract.Entry

func (t table) Entry(key contract.Key) contract.Entry { return t[key] }

func (t table) Each() iter.Seq2[contract.Key, contract.Entry] {
	return func(yield func(contract.Key, contract.Entry) bool) {
		for key, e := range t {
			if !yield(key, e) {
				return
			}
		}
	}
}

func (table) EachUser(contract.Key) iter.Seq2[contract.Key, contract.Entry] {
	return func(func(contract.Key, contract.Entry) bool) {}
}

// A bench is a program that is attached nowhere, at a port.
type bench struct {
	programs
	held census
	rows table
}

func loaded(t testing.TB, entries ...contract.Entry) *bench {
	t.Helper()
	tcxtest.NeedRoot(t, "./internal/sera")
	tcxtest.Alone(t)
	var objects bpfObjects
	tcxtest.Loaded(t, loadBpfObjects(&objects, nil))
	t.Cleanup(func() { _ = objects.Close() })
	rows := table{}
	b := &bench{programs: newPrograms(pair.Options{Rows: rows, Log: t.Logf}), held: newCensus(), rows: rows}
	b.objects = &objects
	var err error
	if b.cpus, err = ebpf.PossibleCPU(); err != nil {
		t.Fatal(err)
	}
	b.arrivingAt(t, 99)
	b.now(t, entries...)
	return b
}

// arrivingAt says which device is the pair's far end; loopback has all packets arrive there.
func (b *bench) arrivingAt(t testing.TB, far uint32) {
	t.Helper()
	settings := bpfSettings{Far: far, Stack: 78, Source: a("fcff:1::1").As16()}
	if err := b.objects.SettingsMap.Put(uint32(0), settings); err != nil {
		t.Fatal(err)
	}
}

// now makes the maps match the rows.
func (b *bench) now(t testing.TB, entries ...contract.Entry) {
	t.Helper()
	fresh := table{}
	for _, e := range entries {
		if err := contract.Validate(e); err != nil {
			t.Fatal(err)
		}
		fresh[e.Key()] = e
	}
	for key, old := range b.rows {
		if fresh[key] == nil {
			b.held.remove(old)
			delete(b.rows, key)
		}
	}
	for key, e := range fresh {
		if err := b.held.exchange(b.rows[key], e); err != nil {
			t.Fatal(err)
		}
		b.rows[key] = e
	}
	if err := errors.Join(b.install(&b.held), b.syncSIDs(b.rows, nil), b.forget(&b.held)); err != nil {
		t.Fatal(err)
	}
}

// run has a packet, from its IPv6 header on, judged.
func (b *bench) run(t testing.TB, packet []byte) (uint32, []byte) {
	t.Helper()
	return tcxtest.Run(t, b.objects.SextantSera, packet)
}

// counted by a row.
func (b *bench) counted(t testing.TB, e contract.Entry) uint64 {
	t.Helper()
	counts, err := b.counters([]contract.Entry{e})
	if err != nil {
		t.Fatal(err)
	}
	if counts[e.Key()] == nil {
		return 0
	}
	return counts[e.Key()].Packets
}

// dropped lists, of an instance, how often each reason was counted.
func (b *bench) drops(t testing.TB, instance int) (reasons [7]uint64) {
	t.Helper()
	cells, err := b.cells(droppedArray, instance*reasonsOf, len(reasons))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		reasons[i] = c.Packets
	}
	return reasons
}

func a(text string) netip.Addr   { return netip.MustParseAddr(text) }
func p(text string) netip.Prefix { return netip.MustParsePrefix(text) }

func unhex(t testing.TB, parts ...string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(strings.Join(parts, ""), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func prefixed(text string) *contract.Ternary {
	of := p(text)
	bits := of.Bits()
	if of.Addr().Is4() {
		bits += 96
	}
	return &contract.Ternary{Value: of.Addr().As16(), Mask: contract.PrefixMask(bits, 128)}
}

// container is the firewall of the golden packets: f230 at the node 0200, F3216.
func container(firewall contract.FirewallID) contract.MySID {
	return contract.MySID{SID: p("fcbb:bbbb:200:f230::/60"), Behavior: contract.Behavior{
		Action: contract.Sera, BlockLength: 32, CSIDLength: 32,
		SERA: contract.SERA{Firewall: firewall, Instance: 3, USIDLength: 16, ArgsLength: 4, LocalStart: 0xe000},
	}}
}

func classic(firewall contract.FirewallID) contract.MySID {
	return contract.MySID{SID: p("fc00:2::f1:0/112"), Behavior: contract.Behavior{
		Action: contract.Sera, SERA: contract.SERA{Firewall: firewall, Instance: 4, ArgsLength: 16},
	}}
}

func verdict(v contract.Verdict) contract.Firewall {
	return contract.Firewall{Firewall: 7, Priority: 100, Verdict: v}
}

func wantPacket(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("the packet is\n%x, want\n%x", got, want)
	}
}
