// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
	"sextant/agent/internal/netspace"
)

// nobody is a user that owns nothing here.
const nobody = 65534

// The environment of a process that is an agent with few privileges.
const (
	confinedState  = "SEXTANT_TEST_CONFINED_STATE"
	confinedListen = "127.0.0.1:9559"
)

// What docs/reference/privileges.md names: for a node without programs, and what these take besides.
const (
	forNetwork  = unix.CAP_NET_ADMIN
	forPackets  = unix.CAP_NET_RAW
	forPrograms = unix.CAP_SYS_ADMIN
)

// TestConfinedAgent is the process of the others here.
func TestConfinedAgent(t *testing.T) {
	state := os.Getenv(confinedState)
	if state == "" {
		t.Skip("is the process that other tests start")
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // what starts it ends it by its standard input
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	s := settings{backend: backendLinux, deviceID: device, ports: []string{"1=p1", "2=far"}, stateDir: state, listen: confinedListen, insecure: true}
	if err := run(ctx, s, newLogger(os.Stderr, false)); err != nil {
		t.Fatal(err)
	}
}

// confined starts an agent as nobody, with these capabilities and no way to more, in a namespace, and connects to it. The error is
// what it said instead of serving.
func confined(t *testing.T, ns, state string, capabilities []uintptr) (*grpc.ClientConn, func(), error) {
	t.Helper()
	binary, err := os.Open("/proc/self/exe") // in a folder that nobody may not enter
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	cmd := exec.Command("/proc/self/fd/3", "-test.run=^TestConfinedAgent$", "-test.v")
	cmd.Env = append(os.Environ(), confinedState+"="+state)
	cmd.ExtraFiles = []*os.File{binary}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential:  &syscall.Credential{Uid: nobody, Gid: nobody},
		AmbientCaps: capabilities, Pdeathsig: syscall.SIGKILL,
	}
	said := &logBuffer{news: make(chan struct{}, 1)}
	cmd.Stdout, cmd.Stderr = said, said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	handle, err := netspace.Open(ns, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = netspace.Close(handle) })
	if err := netspace.Do(handle, ns, cmd.Start); err != nil {
		t.Fatalf("start: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	stop := func() {
		_ = stdin.Close()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the agent ended with %v\n%s", err, said)
			}
		case <-time.After(testPatience):
			_ = cmd.Process.Kill()
			t.Errorf("the agent does not stop within %v\n%s", testPatience, said)
		}
	}
	deadline := time.After(testPatience)
	for !servingLine.MatchString(said.String()) {
		select {
		case <-said.news:
		case <-done:
			return nil, nil, errors.New(said.String())
		case <-deadline:
			_ = cmd.Process.Kill()
			t.Fatalf("the agent does not serve within %v\n%s", testPatience, said)
		}
	}
	if got, want := effective(t, cmd.Process.Pid), mask(capabilities); got != want {
		t.Fatalf("the agent has the capabilities %s, want %s", got, want)
	}
	conn, err := grpc.NewClient("passthrough:///agent", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (conn net.Conn, err error) {
			err = netspace.Do(handle, ns, func() error {
				conn, err = net.Dial("tcp", confinedListen)
				return err
			})
			return conn, err
		}))
	if err != nil {
		t.Fatal(err)
	}
	return conn, func() { _ = conn.Close(); stop() }, nil
}

// effective is what a process may do, as the kernel writes it.
func effective(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "CapEff:"); found {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("process %d has no capabilities:\n%s", pid, text)
	return ""
}

func mask(capabilities []uintptr) string {
	var bits uint64
	for _, one := range capabilities {
		bits |= 1 << one
	}
	return fmt.Sprintf("%016x", bits)
}

// ownState is a folder that nobody may write.
func ownState(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sextant-confined-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	return dir
}

// everything is an entry of every kind; what needs no eBPF of it are the plain ones.
func everything(entry func(contract.Entry) bool) []contract.Entry {
	all := append(paperEntries(), sample.Entries()...)
	all = append(all, contract.Punt{Priority: 1, EtherType: contract.Masked(0x88cc, 0xffff)})
	return slices.DeleteFunc(all, func(e contract.Entry) bool { return !entry(e) })
}

func plain(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.NextHop, contract.SIDList, contract.EncapSource, contract.Route, contract.Steering, contract.Punt:
		return true
	case contract.MySID:
		switch e.Behavior.Action {
		case contract.UN, contract.UA, contract.End, contract.EndPSP, contract.EndX, contract.UDT6, contract.UDT4, contract.UDX6, contract.UDX4:
			return true
		default: // needs an eBPF plane, or what plain nodes refuse
		}
	}
	return false
}

func anyKind(contract.Entry) bool { return true }

// answers writes entries one by one, and returns what each was answered.
func answers(c *controller, entries []contract.Entry) map[string]string {
	c.t.Helper()
	got := map[string]string{}
	for i, e := range entries {
		if _, err := c.schema.Encode(e); err != nil {
			continue // an action that only other targets have
		}
		answer := "taken"
		if err := c.write(p4.Update_INSERT, e); err != nil {
			answer = err.Error()
		}
		got[fmt.Sprintf("%02d %s", i, e.Key())] = answer
	}
	return got
}

// looped sends a packet out of port 1, which leads to port 2, and waits for it to come in there.
func looped(c *controller) {
	c.t.Helper()
	frame := append([]byte{1, 0x80, 0xc2, 0, 0, 0xe, 2, 0, 0, 0, 0, 1, 0x88, 0xcc}, make([]byte, 46)...)
	copy(frame[14:], "confined")
	out := &p4.PacketOut{Payload: frame, Metadata: []*p4.PacketMetadata{{MetadataId: 1, Value: []byte{1}}}}
	if err := c.stream.Send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Packet{Packet: out}}); err != nil {
		c.t.Fatal(err)
	}
	came := make(chan error, 1)
	go func() {
		for {
			m, err := c.stream.Recv()
			if err != nil || strings.Contains(string(m.GetPacket().GetPayload()), "confined") {
				came <- err
				return
			}
		}
	}()
	select {
	case err := <-came:
		if err != nil {
			c.t.Fatal(err)
		}
	case <-time.After(testPatience):
		c.t.Fatal("no packet came in")
	}
}

func TestAnAgentWithFewCapabilitiesServesWhatRootServes(t *testing.T) {
	t.Run("without programs", func(t *testing.T) { servesAsRoot(t, plain, []uintptr{forNetwork, forPackets}) })
	t.Run("with programs", func(t *testing.T) { servesAsRoot(t, anyKind, []uintptr{forNetwork, forPackets, forPrograms}) })
}

func servesAsRoot(t *testing.T, kind func(contract.Entry) bool, capabilities []uintptr) {
	t.Helper()
	asRoot := start(t, settings{
		backend: backendLinux, netns: newNamespace(t), deviceID: device, ports: []string{"1=p1", "2=far"}, stateDir: t.TempDir(),
	}).controller(1)
	want := answers(asRoot, everything(kind))
	keys := asRoot.read()

	ns, state := newNamespace(t), ownState(t)
	shell(t, "ip", "-n", ns, "link", "set", "lo", "up")
	conn, stop, err := confined(t, ns, state, capabilities)
	if err != nil {
		t.Fatal(err)
	}
	c := controllerOf(t, conn, 1)
	if diff := cmp.Diff(want, answers(c, everything(kind))); diff != "" {
		t.Errorf("what entries are answered (-as root +confined):\n%s", diff)
	}
	if diff := cmp.Diff(keys, c.read()); diff != "" {
		t.Errorf("what is there (-as root +confined):\n%s", diff)
	}
	looped(c)
	counters, err := c.p4.Read(context.Background(), &p4.ReadRequest{DeviceId: device, Entities: []*p4.Entity{
		{Entity: &p4.Entity_DirectCounterEntry{DirectCounterEntry: &p4.DirectCounterEntry{TableEntry: &p4.TableEntry{}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := counters.Recv(); err != nil {
		t.Errorf("counters: %v", err)
	}
	stop()

	conn, stop, err = confined(t, ns, state, capabilities)
	if err != nil {
		t.Fatalf("the next start: %v", err)
	}
	defer stop()
	if diff := cmp.Diff(keys, controllerOf(t, conn, 0).read()); diff != "" {
		t.Errorf("what the next start finds (-as root +confined):\n%s", diff)
	}
}

// Each of them is really needed: without one something is missing, and what was missing is said.
func TestWithoutOneCapabilitySomethingIsMissing(t *testing.T) {
	all := []uintptr{forNetwork, forPackets, forPrograms}
	for i, name := range []string{"CAP_NET_ADMIN", "CAP_NET_RAW", "CAP_SYS_ADMIN"} {
		t.Run(name, func(t *testing.T) {
			ns, state := newNamespace(t), ownState(t)
			shell(t, "ip", "-n", ns, "link", "set", "lo", "up")
			conn, stop, err := confined(t, ns, state, append(append([]uintptr{}, all[:i]...), all[i+1:]...))
			if err != nil {
				if !notPermitted(err.Error()) {
					t.Errorf("it ends without saying why: %v", err)
				}
				return
			}
			defer stop()
			for _, answer := range answers(controllerOf(t, conn, 1), everything(anyKind)) {
				if notPermitted(answer) {
					return
				}
			}
			t.Error("everything is served without it")
		})
	}
}

func notPermitted(text string) bool {
	return strings.Contains(text, "not permitted") || strings.Contains(text, "permission denied")
}
