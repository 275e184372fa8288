// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"sextant/agent/internal/plane"
	"sextant/agent/internal/tcx"
)

// FeatureName is what a check calls what the edge needs.
const FeatureName = "eBPF on TCX for the edge"

// Probe loads the program and attaches it to a device for a moment. The kernel's own error is in the one that comes back.
func Probe() plane.Probe {
	return plane.Probe{
		Name: FeatureName, Serves: "edge_port, edge_sid, edge_source, edge_peer (who from outside reaches SIDs)",
		Remedy: "use kernel 6.6 or newer with CONFIG_BPF_SYSCALL",
		Ask: func(s plane.Scratch) error {
			var objects bpfObjects
			if err := loadBpfObjects(&objects, nil); err != nil {
				return err
			}
			defer objects.Close()
			return tcx.Namespace{Do: s.Do}.Try(s.Device, objects.SextantEdge)
		},
	}
}
