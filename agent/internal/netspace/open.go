// SPDX-License-Identifier: Apache-2.0

// Package netspace opens network namespaces.
package netspace

import (
	"fmt"
	"strings"

	"github.com/vishvananda/netns"

	"sextant/agent/internal/contract"
)

// Open opens by name (as in `ip netns`), by path, or the one of the process for "". The error is a
// *contract.Error with the remedy.
func Open(name, remedy string) (netns.NsHandle, error) {
	var handle netns.NsHandle
	var err error
	switch {
	case name == "":
		handle, err = netns.Get()
	case strings.Contains(name, "/"):
		handle, err = netns.GetFromPath(name)
	default:
		handle, err = netns.GetFromName(name)
	}
	if err != nil {
		return netns.None(), &contract.Error{
			Code:    contract.FailedPrecondition,
			Message: fmt.Sprintf("network namespace %q cannot be opened", name),
			Remedy:  remedy,
			Err:     err,
		}
	}
	return handle, nil
}
