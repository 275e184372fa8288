// SPDX-License-Identifier: Apache-2.0

package contract

import "time"

// A Drop is a reason for which programs of a data plane drop packets, and how many there were.
type Drop struct {
	Program string `json:"program"`
	Reason  string `json:"reason"`
	Packets uint64 `json:"packets"`
	Bytes   uint64 `json:"bytes"`
	// Since is when the programs began to count; nil where that is unknown.
	Since *time.Time `json:"since,omitempty"`
}
