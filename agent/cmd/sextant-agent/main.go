// SPDX-License-Identifier: Apache-2.0

// Command sextant-agent serves a Linux node's SRv6 data plane over P4Runtime and gNMI.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// errReported ends the process with code 1 after its reason was already printed.
var errReported = errors.New("reported")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := newCommand().ExecuteContext(ctx)
	switch {
	case err == nil:
	case errors.Is(err, errReported):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "sextant-agent:", err)
		os.Exit(1)
	}
}
