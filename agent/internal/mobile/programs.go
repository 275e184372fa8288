// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/pair"
)

// The pair, and where its programs hang.
const (
	nearDevice    = "sextant4"
	farDevice     = "sextant5"
	mobileProgram = "sextant_mobile"
	// A packet that enters a slice is no Live-Live flow: it is looked up before.
	liveLiveProgram = "sextant_port"
)

// programs are the eBPF half: the maps that the kernel holds, and where the programs are attached.
type programs struct {
	options   pair.Options
	pair      pair.Pair
	objects   *bpfObjects // nil while nothing is loaded
	cpus      int
	maskCount uint16
	own       []netip.Prefix // addresses that the kernel takes itself
}

// newPrograms touch nothing yet.
func newPrograms(options pair.Options) programs {
	return programs{options: options, pair: pairOf(options)}
}

func pairOf(o pair.Options) pair.Pair {
	return pair.Pair{
		Near: nearDevice, Far: farDevice, Checksums: true, Plane: "GTP", Links: o.Links, Do: o.Do, Pins: o.Pins, Programs: []string{mobileProgram}, Prepare: o.Prepare,
	}
}

// Close lets go of the program and its maps, which stay attached.
func (p *programs) Close() error {
	if p.objects == nil {
		return nil
	}
	err := p.objects.Close()
	p.objects = nil
	return err
}

// load brings the program into the kernel, over the maps that a former agent's still holds.
func (p *programs) load() (err error) {
	if err := p.pair.Make(); err != nil {
		return err
	}
	if p.objects != nil {
		return nil
	}
	if p.cpus, err = ebpf.PossibleCPU(); err != nil {
		return err
	}
	var objects bpfObjects
	formers := []pair.Former{{Index: p.pair.FarIndex, Program: mobileProgram}}
	err = p.pair.Load(formers, loadBpf, &objects, func() {
		p.options.Log("mobile: the maps of the former agent are laid out differently; counters begin anew")
	})
	if err != nil {
		return err
	}
	p.objects = &objects
	return pair.Begin(objects.Drops)
}

// settle writes the settings that all packets meet, and attaches the program where they arrive.
func (p *programs) settle(around pair.Around, held census) error {
	if err := p.setSettings(around, held); err != nil {
		return err
	}
	for _, index := range append([]int{p.pair.FarIndex}, slices.Sorted(slices.Values(around.Ports))...) {
		if err := p.pair.Attach(index, p.objects.SextantMobile, liveLiveProgram); err != nil {
			return err
		}
	}
	return p.pair.Sweep(mobileProgram, farDevice, around.Ports)
}

func (p *programs) setSettings(around pair.Around, held census) error {
	wanted := bpfSettings{
		Near: uint32(p.pair.NearIndex), Far: uint32(p.pair.FarIndex), Stack: uint32(around.StackIndex), StackMac: around.StackMAC, MaskCount: p.maskCount,
		HasUes: bit(held.ues > 0), HasUePrefixes: bit(held.ranges > 0),
	}
	if around.Source.IsValid() {
		wanted.Source = around.Source.As16()
	}
	for _, own := range around.Own {
		if a := own.Addr(); a.Is4() && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			wanted.Address = a.As4()
			break
		}
	}
	var now bpfSettings
	if err := p.objects.SettingsMap.Lookup(uint32(0), &now); err == nil && now == wanted {
		return nil
	}
	if err := p.objects.SettingsMap.Put(uint32(0), wanted); err != nil {
		return fmt.Errorf("write map settings: %w", err)
	}
	return nil
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// remove takes everything away, also where a part of it is gone already.
func (p *programs) remove() error {
	return errors.Join(p.pair.Remove(mobileProgram, farDevice), p.Close())
}
