// SPDX-License-Identifier: Apache-2.0

package netspace

import (
	"errors"

	"github.com/vishvananda/netlink"
)

// dumpAttempts are many: each interruption is one foreign change of interfaces within microseconds.
const dumpAttempts = 50

// Whole repeats a netlink dump until none of it was missed. A dump that a change interrupts has answers all the same,
// but may lack any of them: an object that is not in it may be there.
func Whole[T any](dump func() ([]T, error)) ([]T, error) {
	for range dumpAttempts - 1 {
		if list, err := dump(); !errors.Is(err, netlink.ErrDumpInterrupted) {
			return list, err
		}
	}
	return dump()
}
