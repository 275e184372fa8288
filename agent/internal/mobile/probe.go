// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
)

// FeatureName is the name of GTP's feature in a check.
const FeatureName = "eBPF on TCX for GTP"

// Probe loads the program and attaches it to a device for a moment, see pair.
func Probe() plane.Probe {
	return pair.Probe(FeatureName, "gtp_tunnel, gtp_rule, ue_v6, ue_v4 and my_sid gtp4_e, gtp6_e, gtp6_d, map (mobile sessions)", loadBpf, mobileProgram)
}
