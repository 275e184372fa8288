// SPDX-License-Identifier: Apache-2.0

// Package tcxtest is the common part of tests of programs that the kernel runs over packets without a device.
package tcxtest

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netns"
)

// NeedRoot skips a test of a package that may not load programs.
func NeedRoot(t testing.TB, pkg string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("needs root to load eBPF; run: sudo go test %s", pkg)
	}
}

// Loaded judges how loading went: a kernel that lacks the features is no fault.
func Loaded(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ebpf.ErrNotSupported) {
		t.Skipf("this kernel does not load the program (%v); use Linux 6.6 or newer with CONFIG_BPF_SYSCALL", err)
	}
	if err != nil {
		t.Fatalf("load: %+v", err)
	}
}

// Alone has the test's thread in a network namespace without routes, so that every packet is left to the kernel.
func Alone(t testing.TB) {
	t.Helper()
	runtime.LockOSThread()
	home, err := netns.Get()
	if err != nil {
		t.Fatal(err)
	}
	scratch, err := netns.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(netns.Set(home), home.Close(), scratch.Close()); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
}

// Run gives a program's answer and a packet as it leaves it; both without a link header.
func Run(t testing.TB, program *ebpf.Program, packet []byte) (uint32, []byte) {
	t.Helper()
	etherType := []byte{0x86, 0xdd}
	if packet[0]>>4 == 4 {
		etherType = []byte{8, 0}
	}
	frame := slices.Concat(make([]byte, 12), etherType, packet)
	options := ebpf.RunOptions{Data: frame, DataOut: make([]byte, len(frame)+512)}
	answer, err := program.Run(&options)
	if err != nil {
		t.Fatalf("run with %x: %v", packet, err)
	}
	return answer, options.DataOut[14:]
}
