// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"sextant/agent/internal/plane"
	"sextant/agent/internal/tcx"
)

// FeatureName is what a check calls what Live-Live needs.
const FeatureName = "eBPF on TCX"

// Probe loads the programs and attaches one to a device for a moment. The kernel's own error is in the
// one that comes back.
func Probe() plane.Probe {
	return plane.Probe{
		Name: FeatureName, Serves: "flow_v6, flow_v4, copy, my_sid dedup and dedup_flow (Live-Live)",
		Remedy: "use kernel 6.6 or newer with CONFIG_BPF_SYSCALL",
		Ask: func(s plane.Scratch) error {
			var objects bpfObjects
			if err := loadBpfObjects(&objects, nil); err != nil {
				return err
			}
			defer objects.Close()
			return tcx.Namespace{Do: s.Do}.Try(s.Device, objects.SextantPort)
		},
	}
}
