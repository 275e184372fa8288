// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// unitAddress is where an agent listens that systemd runs, in the namespace of this process, by sextant-agent.service.
const unitAddress = "SEXTANT_TEST_UNIT"

// TestTheUnitServes is run by lab/tests/test_booted.py where systemd is process 1: the sandbox of the unit takes
// nothing from the agent that it needs, and its entries outlive it.
func TestTheUnitServes(t *testing.T) {
	if os.Getenv(unitAddress) == "" {
		t.Skip("is run by lab/tests/test_booted.py")
	}
	asRoot := start(t, settings{
		backend: backendLinux, netns: newNamespace(t), deviceID: device, ports: []string{"1=p1", "2=far"}, stateDir: t.TempDir(),
	}).controller(1)
	want, keys := answers(asRoot, everything(anyKind)), asRoot.read()

	c := controllerOf(t, unit(t), 1)
	if diff := cmp.Diff(want, answers(c, everything(anyKind))); diff != "" {
		t.Errorf("what entries are answered (-as root +unit):\n%s", diff)
	}
	looped(c)
	counted(c)
	programs, maps := attached(t, "")
	if !slices.Equal(programs, allPrograms()) {
		t.Errorf("programs at port 1 are %v, want %v", programs, allPrograms())
	}
	for _, end := range [][]string{{"restart"}, {"kill", "--signal=SIGKILL"}} {
		before := mainPID(t)
		shell(t, append(append([]string{"systemctl"}, end...), "sextant-agent")...)
		waitFor(t, "another process of the unit", func() bool { now := mainPID(t); return now != before && now != "0" })
		if diff := cmp.Diff(keys, controllerOf(t, unit(t), 0).read()); diff != "" {
			t.Errorf("what is there after systemctl %v (-as root +unit):\n%s", end, diff)
		}
		againPrograms, againMaps := attached(t, "")
		if diff := cmp.Diff(programs, againPrograms) + cmp.Diff(maps, againMaps); diff != "" {
			t.Errorf("programs and maps (-before +after systemctl %v):\n%s", end, diff)
		}
	}
}

// unit is a connection to the agent, once it listens.
func unit(t *testing.T) *grpc.ClientConn {
	t.Helper()
	address := os.Getenv(unitAddress)
	waitFor(t, "somebody listens", func() bool {
		probe, err := net.Dial("tcp", address)
		return err == nil && probe.Close() == nil
	})
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// mainPID of the unit, 0 while it has none.
func mainPID(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(shell(t, "systemctl", "show", "--property=MainPID", "--value", "sextant-agent"))
}

func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testPatience); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", testPatience, what)
		}
		time.Sleep(50 * time.Millisecond) //nolint:forbidigo // no event reports the end of another process
	}
}
