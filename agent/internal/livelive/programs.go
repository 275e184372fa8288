// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"errors"
	"slices"

	"sextant/agent/internal/pair"
)

// The pair, and where its programs hang.
const (
	nearDevice    = "sextant2"
	farDevice     = "sextant3"
	portProgram   = "sextant_port"
	numberProgram = "sextant_number"
)

// programs are the eBPF half: the maps that the kernel holds, and where the programs are attached.
type programs struct {
	options pair.Options
	pair    pair.Pair
	objects *bpfObjects // nil while nothing is loaded
}

// newPrograms touch nothing yet.
func newPrograms(options pair.Options) programs {
	return programs{options: options, pair: pairOf(options)}
}

func pairOf(o pair.Options) pair.Pair {
	return pair.Pair{
		Near: nearDevice, Far: farDevice, Checksums: false, Plane: "Live-Live", Links: o.Links, Do: o.Do, Pins: o.Pins, Programs: []string{portProgram, numberProgram}, Prepare: o.Prepare,
	}
}

// Close lets go of the programs and maps, which stay attached.
func (p *programs) Close() error {
	if p.objects == nil {
		return nil
	}
	err := p.objects.Close()
	p.objects = nil
	return err
}

// load brings the programs into the kernel, over the maps that a former agent's programs still hold.
func (p *programs) load() error {
	if err := p.pair.Make(); err != nil {
		return err
	}
	if p.objects != nil {
		return nil
	}
	var objects bpfObjects
	formers := []pair.Former{{Index: p.pair.FarIndex, Program: numberProgram}, {Index: p.pair.NearIndex, Program: portProgram}}
	err := p.pair.Load(formers, loadBpf, &objects, func() {
		p.options.Log("livelive: the maps of the former agent are laid out differently; flows are numbered anew")
	})
	if err != nil {
		return err
	}
	p.objects = &objects
	return pair.Begin(objects.Drops)
}

// attachAll puts the programs where packets arrive. The near end has the ports' as well, where no packet
// arrives: so the maps that only it uses stay when every port is gone.
func (p *programs) attachAll(ports []int) error {
	if err := p.pair.Attach(p.pair.FarIndex, p.objects.SextantNumber); err != nil {
		return err
	}
	if err := p.pair.Attach(p.pair.NearIndex, p.objects.SextantPort); err != nil {
		return err
	}
	for _, index := range slices.Sorted(slices.Values(ports)) {
		if err := p.pair.Attach(index, p.objects.SextantPort); err != nil {
			return err
		}
	}
	return p.pair.Sweep(portProgram, nearDevice, ports)
}

// remove takes everything away, also where a part of it is gone already.
func (p *programs) remove() error {
	return errors.Join(p.pair.Remove(portProgram, nearDevice), p.Close())
}
