// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
)

// FeatureName is the name of Live-Live's feature in a check.
const FeatureName = "eBPF on TCX"

// Probe loads the programs and attaches one to a device for a moment, see pair.
func Probe() plane.Probe {
	return pair.Probe(FeatureName, "flow_v6, flow_v4, copy, my_sid dedup and dedup_flow (Live-Live)", loadBpf, portProgram)
}
