// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

const dropsMap = "drops"

// Reasons are the sentences to the numbers by which the programs of a plane count their drops.
type Reasons struct {
	Plane     string
	Sentences []string
	// Map is the name of the map, drops if there is none here.
	Map string
	// Each is how many cells each of several owners has in it, 0 for one owner.
	Each int
}

func (r Reasons) mapName() string { return cmp.Or(r.Map, dropsMap) }

// At reads the drops of a program at one of the pair's ends, whichever agent attached it; nothing where there is none.
func (r Reasons) At(p Pair, end, program string, load func() (*ebpf.CollectionSpec, error)) ([]contract.Drop, error) {
	spec, err := load()
	if err != nil {
		return nil, err
	}
	m, err := p.dropped(end, program, r.mapName(), spec.Maps[r.mapName()])
	if err != nil || m == nil {
		return nil, err
	}
	defer m.Close()
	return r.In(m)
}

// In reads a map of drops.
func (r Reasons) In(m *ebpf.Map) ([]contract.Drop, error) {
	var out []contract.Drop
	since, err := began(m)
	if err != nil {
		return nil, err
	}
	for i, reason := range r.Sentences {
		c, err := r.total(m, i)
		if err != nil {
			return nil, err
		}
		out = append(out, contract.Drop{Program: r.Plane, Reason: reason, Packets: c.Packets, Bytes: c.Bytes, Since: since})
	}
	return out, nil
}

// total of a reason, of all owners.
func (r Reasons) total(m *ebpf.Map, reason int) (total contract.Counters, err error) {
	owners := 1
	if r.Each > 0 {
		owners = int(m.MaxEntries()) / r.Each
	}
	if r.Each == len(r.Sentences) { // the last owner is none: it has the cell of the beginning
		owners--
	}
	for owner := range owners {
		c, err := Sum(m, uint32(owner*r.Each+reason))
		if err != nil {
			return total, err
		}
		total.Packets += c.Packets
		total.Bytes += c.Bytes
	}
	return total, nil
}

// The last cell of a map of drops is no reason's: there stands when it began to count, as nanoseconds since the machine started, the time
// that it was suspended included. So it goes with the map from agent to agent.
func beginningOf(m *ebpf.Map) uint32 { return m.MaxEntries() - 1 }

// Begin has a map of drops know since when it counts, if it does not yet.
func Begin(m *ebpf.Map) error {
	known, err := Sum(m, beginningOf(m))
	if err != nil || known.Packets != 0 {
		return err
	}
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	now, err := sinceStart()
	if err != nil {
		return err
	}
	cells := make([]Counters, cpus)
	cells[0].Packets = uint64(now)
	if err := m.Put(beginningOf(m), cells); err != nil {
		return fmt.Errorf("write map %s: %w", m, err)
	}
	return nil
}

// began is when a map began to count, nil if an agent that did not say so made it.
func began(m *ebpf.Map) (*time.Time, error) {
	at, err := Sum(m, beginningOf(m))
	if err != nil || at.Packets == 0 {
		return nil, err
	}
	now, err := sinceStart()
	if err != nil {
		return nil, err
	}
	since := time.Now().Add(time.Duration(at.Packets) - now).Truncate(time.Second)
	return &since, nil
}

func sinceStart() (time.Duration, error) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	return time.Duration(now.Nano()), nil
}

// Cell of a map of drops, 0 where its beginning stands.
func Cell(m *ebpf.Map, at uint32) (contract.Counters, error) {
	if at == beginningOf(m) {
		return contract.Counters{}, nil
	}
	return Sum(m, at)
}

// Cells reads count cells of a counter array of the contract, from an index on, each by read; 0 while nothing is loaded.
func Cells(array string, loaded bool, from, count int, read func(at uint32) (contract.Counters, error)) ([]contract.Counters, error) {
	out := make([]contract.Counters, count)
	if !loaded {
		return out, nil
	}
	for i := range out {
		var err error
		if out[i], err = read(uint32(from + i)); err != nil {
			return nil, fmt.Errorf("read counter %s, cell %d: %w", array, from+i, err)
		}
	}
	return out, nil
}

// NoSuchCells refuses a counter array that no plane has.
func NoSuchCells(array string) error {
	return contract.Errorf(contract.Unimplemented, "counter %s is not one of this node", array)
}

// dropped is the program's map of drops, nil where there is no program. The caller closes it.
func (p *Pair) dropped(end, program, name string, spec *ebpf.MapSpec) (*ebpf.Map, error) {
	l, err := p.Links.LinkByName(end)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", end, err)
	}
	attached, err := p.Attached(l.Attrs().Index, program)
	if err != nil || attached == nil {
		return nil, err
	}
	defer attached.Close()
	held := map[string]*ebpf.Map{}
	if err := p.Pins.Maps(attached, map[string]*ebpf.MapSpec{name: spec}, held); err != nil {
		return nil, err
	}
	if held[name] == nil {
		return nil, contract.Errorf(contract.Unimplemented, "the programs are those of an agent that counted no drops; start this one")
	}
	return held[name], nil
}

// Counters are struct counters of bpf/maps.h.
type Counters struct {
	Packets, Bytes uint64
}

// Sum adds up the counters of all CPUs in a map of counters.
func Sum(m *ebpf.Map, at uint32) (contract.Counters, error) {
	return SumOf(m, at, func(c Counters) Counters { return c })
}

// SumOf adds up the counters of all CPUs in a map of which counters are a part.
func SumOf[V any](m *ebpf.Map, at uint32, of func(V) Counters) (contract.Counters, error) {
	var perCPU []V
	var total contract.Counters
	if err := m.Lookup(at, &perCPU); err != nil {
		return total, fmt.Errorf("read map %s: %w", m, err)
	}
	for _, one := range perCPU {
		c := of(one)
		total.Packets += c.Packets
		total.Bytes += c.Bytes
	}
	return total, nil
}
