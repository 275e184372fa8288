// SPDX-License-Identifier: Apache-2.0

package contract

// Status is the result of a probe of a data plane.
type Status string

// A probe that could not decide is not "missing": the reason may have nothing to do with the feature.
const (
	OK      Status = "ok"
	Missing Status = "missing"
	Unknown Status = "unknown"
)

// A Feature is something a back end wants of its data plane.
type Feature struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Needed says that no node works without it; otherwise Serves names the functions that the node then lacks.
	Needed bool   `json:"needed"`
	Serves string `json:"serves"`
	// Detail is the observation, Remedy how to get the feature; both may be empty for OK.
	Detail string `json:"detail,omitempty"`
	Remedy string `json:"remedy,omitempty"`
}
