// SPDX-License-Identifier: Apache-2.0

// Command p4infogen turns a P4Info text file into the Go package the agent is built with: a copy of
// the text, to be embedded, and a file of constants with the ids and bit widths of tables, match
// fields, actions, parameters, direct counters and packet metadata.
//
// Run it through `go generate ./...`; its output is not committed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	"google.golang.org/protobuf/encoding/prototext"
)

func main() {
	in := flag.String("in", "", "P4Info text file to read")
	out := flag.String("out", ".", "folder to write constants.gen.go and p4info.gen.txtpb to")
	pkg := flag.String("package", "p4info", "name of the Go package")
	flag.Parse()
	if err := run(*in, *out, *pkg); err != nil {
		fmt.Fprintln(os.Stderr, "p4infogen:", err)
		os.Exit(1)
	}
}

func run(in, out, pkg string) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return fmt.Errorf("read P4Info: %w", err)
	}
	info := new(p4config.P4Info)
	if err := prototext.Unmarshal(text, info); err != nil {
		return fmt.Errorf("%s is no P4Info text: %w", in, err)
	}
	source, err := constants(info, pkg, filepath.Base(in))
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	if err := os.WriteFile(filepath.Join(out, "p4info.gen.txtpb"), text, 0o644); err != nil {
		return fmt.Errorf("write the copy of P4Info: %w", err)
	}
	if err := os.WriteFile(filepath.Join(out, "constants.gen.go"), source, 0o644); err != nil {
		return fmt.Errorf("write the constants: %w", err)
	}
	return nil
}
