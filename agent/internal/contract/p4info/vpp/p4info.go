// SPDX-License-Identifier: Apache-2.0

// Package vpp is the P4Info that an agent with the VPP back end serves. Its ids are those of package
// p4info, of which it lacks some; everything but this file is generated, as there.
package vpp

//go:generate go run sextant/agent/tools/p4infogen -in ../../../../../pipeconfs/p4info/vpp.p4info.txtpb -out . -package vpp

import (
	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"

	"sextant/agent/internal/contract/p4info"
)

// Message parses Text. The caller owns the result.
func Message() (*p4config.P4Info, error) { return p4info.Parse(Text) }
