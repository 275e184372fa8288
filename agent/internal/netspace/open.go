// SPDX-License-Identifier: Apache-2.0

// Package netspace opens network namespaces.
package netspace

import (
	"fmt"
	"strings"

	"github.com/vishvananda/netns"

	"sextant/agent/internal/contract"
)

// Open opens by name (as in `ip netns`) or by path. For "" it is None, which means where the process is: entering even that
// one by a handle would take CAP_SYS_ADMIN. The error is a *contract.Error with the remedy.
func Open(name, remedy string) (netns.NsHandle, error) {
	var handle netns.NsHandle
	var err error
	switch {
	case name == "":
		return netns.None(), nil
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

// FD is a namespace for libraries to which 0 is where the process is.
func FD(handle netns.NsHandle) int {
	if !handle.IsOpen() {
		return 0
	}
	return int(handle)
}

// Close closes the handle of Open.
func Close(handle netns.NsHandle) error {
	if !handle.IsOpen() {
		return nil
	}
	return handle.Close()
}
