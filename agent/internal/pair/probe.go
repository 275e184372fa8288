// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"fmt"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/plane"
	"sextant/agent/internal/tcx"
)

// Probe loads the programs of a plane and attaches one to a device for a moment. The kernel's own error is in the one that comes back.
func Probe(name, serves string, specOf func() (*ebpf.CollectionSpec, error), program string) plane.Probe {
	return plane.Probe{
		Name: name, Serves: serves, Remedy: "use kernel 6.6 or newer with CONFIG_BPF_SYSCALL",
		Ask: func(s plane.Scratch) error {
			spec, err := specOf()
			if err != nil {
				return err
			}
			loaded, err := ebpf.NewCollection(spec)
			if err != nil {
				return err
			}
			defer loaded.Close()
			one := loaded.Programs[program]
			if one == nil {
				return fmt.Errorf("there is no program %s", program)
			}
			return tcx.Namespace{Do: s.Do}.Try(s.Device, one)
		},
	}
}
