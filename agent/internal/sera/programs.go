// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/rows"
)

// The pair, and where its programs hang.
const (
	nearDevice  = "sextant6"
	farDevice   = "sextant7"
	seraProgram = "sextant_sera"
)

// laterPrograms look at a packet that has passed: it may be theirs then.
//
//nolint:gochecknoglobals // a constant
var laterPrograms = []string{"sextant_mobile", "sextant_port"}

// programs are the eBPF half: the maps that the kernel holds, and where the programs are attached.
type programs struct {
	options   pair.Options
	pair      pair.Pair
	objects   *bpfObjects // nil while nothing is loaded
	cpus      int
	installed map[contract.FirewallID]uint64 // the sets that the kernel holds, by their hashes
	places    map[contract.Key]uint32        // of rows' counters
	free      []uint32                       // places that were given back
	top       uint32                         // places from here on were never given away
	set       *ebpf.MapSpec                  // of a map of pages, once it was asked for
	log       *logger
	listeners *listeners
	swept     time.Time         // when silent flows were looked for
	inTurn    map[uint16]uint32 // how many flows firewalls remember, as their turns were last held to it
}

// newPrograms touch nothing yet.
func newPrograms(options pair.Options) programs {
	return programs{options: options, pair: pairOf(options), installed: map[contract.FirewallID]uint64{}, places: map[contract.Key]uint32{}, listeners: newListeners()}
}

func pairOf(o pair.Options) pair.Pair {
	return pair.Pair{Near: nearDevice, Far: farDevice, Uncut: true, Plane: "firewalls", Links: o.Links, Do: o.Do, Pins: o.Pins, Programs: []string{seraProgram}, Prepare: o.Prepare}
}

// makePair makes the pair, or mends it. At its far end the kernel takes no IPv6, so that packets that no program takes
// end there; its near end sends no neighbor solicitation.
func (p *programs) makePair() error {
	if err := p.pair.Make(); err != nil {
		return err
	}
	near, err := p.options.Links.LinkByName(nearDevice)
	if err != nil {
		return fmt.Errorf("find %s: %w", nearDevice, err)
	}
	far, err := p.options.Links.LinkByName(farDevice)
	if err != nil {
		return fmt.Errorf("find %s: %w", farDevice, err)
	}
	if near.Attrs().RawFlags&unix.IFF_NOARP == 0 {
		if err := p.options.Links.LinkSetARPOff(near); err != nil {
			return fmt.Errorf("have %s ask for no neighbors: %w", nearDevice, err)
		}
	}
	if !slices.Equal(near.Attrs().HardwareAddr, far.Attrs().HardwareAddr) {
		if err := p.options.Links.LinkSetHardwareAddr(far, near.Attrs().HardwareAddr); err != nil {
			return fmt.Errorf("set the address of %s: %w", farDevice, err)
		}
	}
	return p.options.Do(refuseIPv6)
}

func refuseIPv6() error {
	const name = "/proc/sys/net/ipv6/conf/" + farDevice + "/disable_ipv6"
	now, err := os.ReadFile(name)
	if err == nil && strings.TrimSpace(string(now)) == "1" {
		return nil
	}
	if err := os.WriteFile(name, []byte("1"), 0); err != nil {
		return fmt.Errorf("have %s take nothing: %w", farDevice, err)
	}
	return nil
}

// Close lets go of the program and its maps, which stay attached.
func (p *programs) Close() error {
	if p.objects == nil {
		return nil
	}
	p.log.close()
	err := p.objects.Close()
	p.objects, p.log = nil, nil
	return err
}

// load brings the program into the kernel, over the maps that a former agent's still holds.
func (p *programs) load() (err error) {
	if err := p.makePair(); err != nil {
		return err
	}
	if p.objects != nil {
		return nil
	}
	if p.cpus, err = ebpf.PossibleCPU(); err != nil {
		return err
	}
	var objects bpfObjects
	formers := []pair.Former{{Index: p.pair.FarIndex, Program: seraProgram}}
	err = p.pair.Load(formers, loadBpf, &objects, func() {
		p.options.Log("firewalls: the maps of the former agent are laid out differently; flows and counters begin anew")
	})
	if err != nil {
		return err
	}
	p.objects = &objects
	if p.log, err = newLogger(objects.Events, p.options.Log, p.listeners.tell); err != nil {
		return err
	}
	return pair.Begin(objects.FirewallDrops)
}

// recall reads the kernel's maps: the sets, and where rules and SIDs have their counters.
func (p *programs) recall(held *census) error {
	p.installed = map[contract.FirewallID]uint64{}
	taken := map[uint64]uint32{} // by the hash of a rule
	sets, err := pair.Contents[uint32, uint32](p.objects.RuleSets)
	if err != nil {
		return err
	}
	for number, id := range sets {
		head, rules, err := p.readSet(ebpf.MapID(id))
		if err != nil {
			return err
		}
		p.installed[contract.FirewallID(number)] = head.Hash
		for _, r := range rules {
			taken[r.Hash] = r.Counter
		}
	}
	for _, s := range held.sets {
		for key, r := range s.rules {
			if place, there := taken[r.ID()]; there {
				p.places[key] = place
			}
		}
	}
	sids, err := pair.Contents[bpfPrefix, bpfSid](p.objects.Sids)
	if err != nil {
		return err
	}
	for key, sid := range held.sids {
		if s := sids[prefixOf(sid.SID)]; s.Kind != 0 {
			p.places[key] = s.Counter
		}
	}
	p.recount(taken)
	return nil
}

// recount finds the free places, behind those of rules and those in which the kernel still counts.
func (p *programs) recount(taken map[uint64]uint32) {
	used := map[uint32]bool{}
	for _, place := range taken {
		used[place] = true
	}
	for _, place := range p.places {
		used[place] = true
	}
	p.free, p.top = nil, 0
	for place := range used {
		p.top = max(p.top, place+1)
	}
	for place := range p.top {
		if !used[place] {
			p.free = append(p.free, place)
		}
	}
}

// readSet reads the head of a set and its rules.
func (p *programs) readSet(id ebpf.MapID) (head bpfHead, list []bpfRule, err error) {
	m, err := p.options.Pins.Map(id)
	if err != nil {
		return head, nil, fmt.Errorf("open a set of rules: %w", err)
	}
	defer m.Close()
	page, err := m.LookupBytes(uint32(0))
	if err != nil {
		return head, nil, fmt.Errorf("read a set of rules: %w", err)
	}
	if _, err := binary.Decode(page, binary.LittleEndian, &head); err != nil {
		return head, nil, err
	}
	for i := range head.Rules {
		if i%rulesOfPage == 0 {
			if page, err = m.LookupBytes(head.FirstRulePage + i/rulesOfPage); err != nil || page == nil {
				return head, nil, fmt.Errorf("read a set of rules: %w", err)
			}
		}
		var r bpfRule
		if _, err := binary.Decode(page[int(i%rulesOfPage)*binary.Size(r):], binary.LittleEndian, &r); err != nil {
			return head, nil, err
		}
		list = append(list, r)
	}
	return head, list, nil
}

// install has the kernel hold the sets that SIDs refer to as they are now. A packet is judged by all of the old rules or
// all of the new ones: they, how many there are, and where they are, are one map that is exchanged for another.
func (p *programs) install(held *census) error {
	for _, id := range held.wanted() {
		s := held.sets[id]
		if _, there := p.installed[id]; there && !s.changed {
			continue
		}
		rules := s.ordered()
		hash := hashOfAll(rules)
		if now, there := p.installed[id]; !there || now != hash {
			if err := p.replace(id, rules, hash); err != nil {
				return fmt.Errorf("install the rules of firewall %d: %w", id, err)
			}
		}
		s.changed = false
	}
	return nil
}

func (p *programs) replace(id contract.FirewallID, rules []contract.Firewall, hash uint64) error {
	counters := make([]uint32, len(rules))
	for i, r := range rules {
		var err error
		if counters[i], err = p.place(r.Key()); err != nil {
			return err
		}
	}
	pages := compile(rules, counters, hash)
	m, err := p.newSet(pages)
	if err != nil {
		return err
	}
	defer m.Close()
	if err := p.options.Pins.KeepMap(seraProgram, m); err != nil { // before anything leads to it
		return err
	}
	former, err := p.held(id)
	if err != nil {
		return err
	}
	if err := p.objects.RuleSets.Put(uint32(id), m); err != nil {
		return err
	}
	p.installed[id] = hash
	return p.options.Pins.ForgetMap(seraProgram, former)
}

// held is the map of a set, 0 if there is none.
func (p *programs) held(id contract.FirewallID) (ebpf.MapID, error) {
	var held uint32
	if err := p.objects.RuleSets.Lookup(uint32(id), &held); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return 0, fmt.Errorf("read map rule_sets: %w", err)
	}
	return ebpf.MapID(held), nil
}

// newSet is a map of pages.
func (p *programs) newSet(pages []byte) (*ebpf.Map, error) {
	if p.set == nil { // to read it takes longer than to make a map
		spec, err := loadBpf()
		if err != nil {
			return nil, err
		}
		p.set = spec.Maps["rule_sets"].InnerMap
	}
	inner := p.set.Copy()
	count := len(pages) / pageBytes
	inner.Name, inner.MaxEntries = "rules", uint32(count)
	m, err := ebpf.NewMap(inner)
	if err != nil {
		return nil, err
	}
	keys, values := make([]uint32, count), make([][pageBytes]byte, count)
	for i := range count {
		keys[i], values[i] = uint32(i), [pageBytes]byte(pages[i*pageBytes:])
	}
	if _, err := m.BatchUpdate(keys, values, nil); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// place gives a row the counter it has, or a free one, which begins at 0.
func (p *programs) place(key contract.Key) (uint32, error) {
	if place, there := p.places[key]; there {
		return place, nil
	}
	var place uint32
	if last := len(p.free) - 1; last >= 0 {
		place, p.free = p.free[last], p.free[:last]
	} else {
		place = p.top
		p.top++
	}
	if err := p.objects.RowCounts.Put(place, make([]bpfCounters, p.cpus)); err != nil {
		return 0, fmt.Errorf("write map row_counts: %w", err)
	}
	if err := p.objects.RowHits.Put(place, uint64(0)); err != nil {
		return 0, fmt.Errorf("write map row_hits: %w", err)
	}
	p.places[key] = place
	return place, nil
}

// syncSIDs writes the SIDs of the program, and the foreign parts of their prefixes.
func (p *programs) syncSIDs(all rows.Reader, own []netip.Prefix) error {
	sids := map[bpfPrefix]bpfSid{}
	for _, a := range own {
		sids[prefixOf(a)] = bpfSid{}
	}
	for _, e := range rows.Of[contract.MySID](all) {
		s := sidOf(e.Behavior)
		if e.Behavior.IsFirewall() {
			var err error
			if s.Counter, err = p.place(e.Key()); err != nil {
				return err
			}
		}
		sids[prefixOf(e.SID)] = s
	}
	if len(sids) > maxSIDs {
		return contract.Errorf(contract.ResourceExhausted, "%d SIDs and addresses of the node, at most %d fit", len(sids), maxSIDs)
	}
	return pair.Sync(p.objects.Sids, sids, pair.Equal)
}

// forget removes sets that no SID refers to any more, and the counters of rows that are gone.
func (p *programs) forget(held *census) error {
	wanted := held.wanted()
	for id := range p.installed {
		if slices.Contains(wanted, id) {
			continue
		}
		former, err := p.held(id)
		if err != nil {
			return err
		}
		if err := p.objects.RuleSets.Delete(uint32(id)); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete from map rule_sets: %w", err)
		}
		delete(p.installed, id)
		if err := p.options.Pins.ForgetMap(seraProgram, former); err != nil {
			return err
		}
	}
	for key, place := range p.places {
		if p.options.Rows.Entry(key) == nil {
			delete(p.places, key)
			p.free = append(p.free, place)
		}
	}
	return nil
}

// settle writes the settings that all packets meet, and attaches the program where they arrive.
func (p *programs) settle(around pair.Around) error {
	wanted := bpfSettings{Far: uint32(p.pair.FarIndex), Stack: uint32(around.StackIndex), StackMac: around.StackMAC, Source: sourceOf(around)}
	var now bpfSettings
	if err := p.objects.SettingsMap.Lookup(uint32(0), &now); err != nil || now != wanted {
		if err := p.objects.SettingsMap.Put(uint32(0), wanted); err != nil {
			return fmt.Errorf("write map settings: %w", err)
		}
	}
	for _, index := range append([]int{p.pair.FarIndex}, slices.Sorted(slices.Values(around.Ports))...) {
		if err := p.pair.Attach(index, p.objects.SextantSera, laterPrograms...); err != nil {
			return err
		}
	}
	return p.pair.Sweep(seraProgram, farDevice, around.Ports)
}

// sourceOf errors: where outer headers come from, else an address of the node.
func sourceOf(around pair.Around) [16]byte {
	if around.Source.IsValid() && !around.Source.IsUnspecified() {
		return around.Source.As16()
	}
	for _, own := range around.Own {
		if a := own.Addr(); a.Is6() && !a.IsLoopback() && !a.IsLinkLocalUnicast() && !a.IsMulticast() {
			return a.As16()
		}
	}
	return [16]byte{}
}

// remove takes everything away, also where a part of it is gone already.
func (p *programs) remove() error {
	p.installed, p.places, p.free, p.top = map[contract.FirewallID]uint64{}, map[contract.Key]uint32{}, nil, 0
	return errors.Join(p.pair.Remove(seraProgram, farDevice), p.Close())
}

func prefixOf(p netip.Prefix) bpfPrefix {
	bits := p.Bits()
	if p.Addr().Is4() {
		bits += 96
	}
	return bpfPrefix{Bits: uint32(bits), Addr: p.Addr().As16()}
}

func sidOf(b contract.Behavior) bpfSid {
	if !b.IsFirewall() {
		return bpfSid{}
	}
	s := bpfSid{
		Kind: 1, Instance: b.SERA.Instance, Firewall: uint32(b.SERA.Firewall), Bits: 128, Args: b.SERA.ArgsLength,
		Usid: b.SERA.USIDLength, LocalStart: b.SERA.LocalStart,
	}
	if b.SERA.USIDLength > 0 {
		s.Block, s.Bits = b.BlockLength, b.BlockLength+b.CSIDLength
	}
	if b.Action == contract.SeraStateful {
		s.Stateful, s.Flows = 1, b.SERA.Flows
	}
	return s
}
