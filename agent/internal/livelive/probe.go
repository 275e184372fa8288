// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"errors"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// Probe loads the programs and attaches one to a device for a moment. The kernel's own error is in the
// one that comes back.
func Probe(do func(func() error) error, index int) error {
	var objects bpfObjects
	if err := loadBpfObjects(&objects, nil); err != nil {
		return err
	}
	defer objects.Close()
	return do(func() error {
		options := link.RawAttachProgramOptions{Target: index, Program: objects.SextantPort, Attach: ebpf.AttachTCXIngress}
		return errors.Join(link.RawAttachProgram(options), link.RawDetachProgram(link.RawDetachProgramOptions(options)))
	})
}
