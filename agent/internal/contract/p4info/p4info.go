// SPDX-License-Identifier: Apache-2.0

// Package p4info is the P4Info this agent serves: its text and its ids as Go constants. Everything
// but this file is generated from pipeconfs/p4info at build time; run `go generate ./...` in the
// agent's folder when a name of this package is undefined.
package p4info

//go:generate go run sextant/agent/tools/p4infogen -in ../../../../pipeconfs/p4info/linux.p4info.txtpb -out . -package p4info

import (
	"fmt"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	"google.golang.org/protobuf/encoding/prototext"
)

// Message parses Text. The caller owns the result.
func Message() (*p4config.P4Info, error) { return Parse(Text) }

// Parse reads a P4Info that is embedded in the agent.
func Parse(text string) (*p4config.P4Info, error) {
	info := new(p4config.P4Info)
	if err := prototext.Unmarshal([]byte(text), info); err != nil {
		return nil, fmt.Errorf("the embedded P4Info: %w", err)
	}
	return info, nil
}
