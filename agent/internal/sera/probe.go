// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
)

// FeatureName is the name of the firewalls' feature in a check.
const FeatureName = "eBPF on TCX for firewalls"

// Probe loads the program and attaches it to a device for a moment, see pair.
func Probe() plane.Probe {
	return pair.Probe(FeatureName, "firewall and my_sid sera, sera_stateful (firewalls that understand segments)", loadBpf, seraProgram)
}
