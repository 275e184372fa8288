// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
)

// FeatureName is the name of the edge's feature in a check.
const FeatureName = "eBPF on TCX for the edge"

// Probe loads the program and attaches it to a device for a moment, see pair.
func Probe() plane.Probe {
	return pair.Probe(FeatureName, "edge_port, edge_sid, edge_source, edge_peer (access to SIDs from outside the domain)", loadBpf, edgeProgram)
}
