// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/rows"
)

// A rule that does something else goes on counting, and one above it with the same match takes its packets.
func TestARuleIsExchangedWithItsCounters(t *testing.T) {
	rule := fromGNB(contract.GTPRule{Dst: mapped("198.51.100.1", 32), SIDList: 1, AddressAt: 48, ArgsAt: 80, Source: a("fcbb:bbbb:104::"), SourceAt: 48})
	lists := []contract.Entry{list(1, "fcbb:bbbb:305::"), list(2, "fcbb:bbbb:306::")}
	g := loaded(t, append(lists, rule)...)
	send := func(sid byte) {
		t.Helper()
		if _, out := run(t, g, packet(t, in4)); out[24+5] != sid {
			t.Errorf("sent to %x, want the SID %x", out[24:40], sid)
		}
	}
	counted := func(of contract.GTPRule) uint64 {
		t.Helper()
		c, err := g.counters([]contract.Entry{of})
		if err != nil || c[of.Key()] == nil {
			t.Fatalf("%s: %v, %v", of.Key(), c, err)
		}
		return c[of.Key()].Packets
	}
	send(5)
	changed := rule
	changed.SIDList = 2
	g.now(t, append(lists, changed)...)
	send(6)
	if n := counted(changed); n != 2 {
		t.Errorf("the changed rule counts %d packets, want 2", n)
	}
	above := rule
	above.Priority = 99
	g.now(t, append(lists, changed, above)...)
	send(5)
	if n := counted(above); n != 1 {
		t.Errorf("the rule above counts %d packets, want 1", n)
	}
	g.now(t, append(lists, changed)...)
	send(6)
}

// someRows are the rows of a random node.
func someRows(random *rand.Rand) map[contract.Key]contract.Entry {
	out := map[contract.Key]contract.Entry{}
	add := func(e contract.Entry) { out[e.Key()] = e }
	for id := range contract.SIDListID(3) {
		segments := []string{"fcbb:bbbb:700::", "fcbb:bbbb:800::", "fcbb:bbbb:305::"}
		add(list(id+1, segments[random.IntN(3):]...))
	}
	pick := func() contract.SIDListID { return contract.SIDListID(1 + random.IntN(3)) }
	for i := range 12 {
		if random.IntN(2) == 0 {
			continue
		}
		rule := contract.GTPRule{Priority: int32(1 + random.IntN(4)), Action: contract.GTPCarry, SIDList: pick()}
		if random.IntN(2) == 0 {
			rule.TEID = &contract.Ternary{Value: contract.Number(uint32(i)), Mask: contract.Number(uint32(0xff))}
		}
		if random.IntN(2) == 0 {
			rule.Dst = mapped("198.51.100.0", 24+random.IntN(3))
		}
		if random.IntN(2) == 0 {
			rule.InnerSrc = []*contract.Ternary{mapped("0.0.0.0", 0), mapped("10.60.0.0", 16)}[random.IntN(2)]
		}
		if random.IntN(2) == 0 {
			rule.Action, rule.ArgsAt, rule.DropSequence = contract.GTPTranslate, 80, random.IntN(2) == 0
		}
		if random.IntN(2) == 0 {
			rule.Way = rule.TakenWay()
			if pduTypes := []uint64{0, 8, 16}[random.IntN(3)]; rule.Way != nil {
				rule.Way = contract.Masked(rule.Way.Value.Uint64(), rule.Way.Mask.Uint64()|pduTypes)
			}
		}
		add(rule)
	}
	for i := range 20 {
		if random.IntN(2) == 0 {
			add(contract.GTPTunnel{Dst: a("198.51.100.1"), TEID: uint32(i), Class: uint16(random.IntN(3))})
		}
		if random.IntN(2) == 0 {
			add(contract.UE{Dst: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i)}), []int{16, 32}[random.IntN(2)]), SIDList: pick()})
		}
	}
	if random.IntN(2) == 0 {
		add(gtp4E("fcbb:bbbb:305::/48", uint8(random.IntN(2)), 1))
	}
	return out
}

// Batch by batch the maps become equal to those that a comparison of all rows would make.
func TestWhatIsFollowedIsWhatIsCompared(t *testing.T) {
	random := rand.New(rand.NewPCG(29281, 0))
	g := loaded(t)
	held := map[contract.Key]contract.Entry{}
	for round := range 60 {
		wanted := someRows(random)
		changed := map[contract.Key]contract.Entry{}
		for key, e := range wanted {
			if old := held[key]; old == nil || !reflect.DeepEqual(old, e) {
				changed[key] = old
			}
		}
		for key, old := range held {
			if wanted[key] == nil {
				changed[key] = old
			}
		}
		var entries []contract.Entry
		for _, e := range wanted {
			if _, isList := e.(contract.SIDList); isList {
				entries = append([]contract.Entry{e}, entries...)
			} else {
				entries = append(entries, e)
			}
		}
		all := rowsOf(t, entries...)
		if err := g.follow(all, changed, true); err != nil {
			t.Fatal(err)
		}
		followed := g.image(t)
		if err := g.compare(all); err != nil {
			t.Fatal(err)
		}
		if compared := g.image(t); !maps.Equal(followed, compared) {
			t.Fatalf("round %d: followed\n%v\ncompared\n%v", round, followed, compared)
		}
		if want := len(rows.Of[contract.GTPTunnel](all)) + len(rows.Of[contract.UE](all)); want != g.sessions(t) {
			t.Fatalf("round %d: the maps have %d tunnels and addresses, want %d", round, g.sessions(t), want)
		}
		held = wanted
	}
}

// image is the content of the maps, whatever index a rule has.
func (p *programs) image(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	take(t, out, "list", first(pair.Contents[uint32, bpfList](p.objects.Lists)))
	take(t, out, "tunnel", first(pair.Contents[bpfTunnelKey, bpfTunnel](p.objects.Tunnels)))
	take(t, out, "ue", first(pair.Contents[bpfPrefix, bpfUe](p.objects.Ues)))
	take(t, out, "range", first(pair.Contents[bpfPrefix, bpfUe](p.objects.UePrefixes)))
	take(t, out, "sid", first(pair.Contents[bpfPrefix, bpfSid](p.objects.Sids)))
	_, _, at, err := p.heldRules()
	if err != nil {
		t.Fatal(err)
	}
	for where, index := range at {
		var rule bpfRule
		if err := p.objects.Rules.Lookup(index, &rule); err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprintf("rule %v %v", where, rule)] = true
	}
	return out
}

func first[K comparable, V any](m map[K]V, err error) map[K]V {
	if err != nil {
		panic(err)
	}
	return m
}

func take[K comparable, V any](t *testing.T, into map[string]bool, what string, m map[K]V) {
	t.Helper()
	for k, v := range m {
		into[fmt.Sprintf("%s %v %v", what, k, v)] = true
	}
}

func (p *programs) sessions(t *testing.T) int {
	t.Helper()
	count := 0
	for key := range p.image(t) {
		if len(key) > 2 && (key[:2] == "tu" || key[:2] == "ue" || key[:2] == "ra") {
			count++
		}
	}
	return count
}
