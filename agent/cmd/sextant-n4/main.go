// SPDX-License-Identifier: Apache-2.0

// Command sextant-n4 makes the fabric a UPF: SMFs speak PFCP to it, and their sessions become mobile sessions of the controller.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// errUsage marks words that make no sense.
var errUsage = errors.New("see --help")

// Exit codes: the request failed; usage error.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := newCommand().ExecuteContext(ctx)
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "sextant-n4:", err)
	if errors.Is(err, errUsage) {
		os.Exit(exitUsage)
	}
	os.Exit(exitFailed)
}
