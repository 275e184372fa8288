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
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
	"sextant/agent/internal/linux"
	"sextant/agent/internal/netspace"
)

// nobody is a user that owns nothing here.
const nobody = 65534

// The environment of a process that is an agent with few privileges.
const (
	confinedState  = "SEXTANT_TEST_CONFINED_STATE"
	confinedListen = "127.0.0.1:9559"
)

// Capabilities by docs/reference/privileges.md: for a node without programs, for the edge in addition, and for other
// programs.
const (
	forNetwork  = unix.CAP_NET_ADMIN
	forPackets  = unix.CAP_NET_RAW
	forEdge     = unix.CAP_BPF
	forPrograms = unix.CAP_PERFMON
)

// forAny is the capability to find programs where there is no bpffs.
const forAny uintptr = unix.CAP_SYS_ADMIN

// TestConfinedAgent is the process of the others here.
func TestConfinedAgent(t *testing.T) {
	state := os.Getenv(confinedState)
	if state == "" {
		t.Skip("is the process that other tests start")
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // the parent ends it by closing its standard input
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	s := settings{backend: backendLinux, deviceID: device, ports: []string{"1=p1", "2=far"}, stateDir: state, listen: confinedListen, insecure: true}
	s.measureDelay = leastMeasuring // of internal ports, which the others here do not have
	if err := run(ctx, s, newLogger(os.Stderr, false)); err != nil {
		t.Fatal(err)
	}
}

// A process is an agent with few privileges, and a connection to it. It is stopped or killed once.
type process struct {
	conn       *grpc.ClientConn
	stop, kill func()
}

// confined starts an agent as nobody, with these capabilities and no way to more, in a namespace, and connects to it.
// The error contains the output of an agent that did not serve.
func confined(t *testing.T, ns, state string, capabilities []uintptr) (*process, error) {
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
			return nil, errors.New(said.String())
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
	return &process{
		conn: conn,
		stop: func() { _ = conn.Close(); stop() },
		kill: func() {
			_ = conn.Close()
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			<-done
		},
	}, nil
}

// effective returns the effective capabilities of a process, as the kernel writes them.
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

// preparedState is a folder that nobody may write, with a bpffs.
func preparedState(t *testing.T) string {
	t.Helper()
	dir := ownState(t)
	prepare(t, newNamespace(t), dir)
	return dir
}

// prepare is done before each start, so also where it was done.
func prepare(t *testing.T, ns, state string) {
	t.Helper()
	t.Cleanup(func() {
		if err := unix.Unmount(filepath.Join(state, "bpf"), 0); err != nil {
			t.Errorf("unmount a bpffs: %v", err)
		}
	})
	for range 2 {
		if err := linux.Prepare(ns, state, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
}

// pinned are the pins of a state folder.
func pinned(t *testing.T, state string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(state, "bpf"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Dir(path) != filepath.Join(state, "bpf") { // where the kernel has files of its own
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
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

// everything is an entry of every kind; entries that need no eBPF are the plain ones.
func everything(entry func(contract.Entry) bool) []contract.Entry {
	all := append(paperEntries(), sample.Entries()...)
	all = append(all, contract.Punt{Priority: 1, EtherType: contract.Masked(0x88cc, 0xffff)}, contract.EdgePort{Port: 1, External: true})
	return slices.DeleteFunc(all, func(e contract.Entry) bool { return !entry(e) })
}

func plain(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.NextHop, contract.SIDList, contract.EncapSource, contract.Route, contract.Steering, contract.Punt, contract.Liveness, contract.Restoration:
		return true
	case contract.MySID:
		switch e.Behavior.Action {
		case contract.UN, contract.UA, contract.End, contract.EndPSP, contract.EndX, contract.UDT6, contract.UDT4, contract.UDX6, contract.UDX4:
			return true
		default: // needs an eBPF feature, or is refused by plain nodes
		}
	}
	return false
}

func plainOrEdge(e contract.Entry) bool {
	switch e.(type) {
	case contract.EdgePort, contract.EdgeSID, contract.EdgeSource, contract.EdgePeer:
		return true
	}
	return plain(e)
}

func anyKind(contract.Entry) bool { return true }

// answers writes entries one by one, and returns the answer to each.
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
	for _, node := range []struct {
		name         string
		state        func(*testing.T) string
		kind         func(contract.Entry) bool
		capabilities []uintptr
		programs     []string // at port 1, in their order
	}{
		{"without programs", ownState, plain, []uintptr{forNetwork, forPackets}, nil},
		{"with an edge", preparedState, plainOrEdge, []uintptr{forNetwork, forPackets, forEdge}, []string{"sextant_edge"}},
		{"with all programs", preparedState, anyKind, []uintptr{forNetwork, forPackets, forEdge, forPrograms}, allPrograms()},
		{"with all programs and no bpffs", ownState, anyKind, []uintptr{forNetwork, forPackets, forAny}, allPrograms()},
	} {
		t.Run(node.name, func(t *testing.T) {
			asRoot := start(t, settings{
				backend: backendLinux, netns: newNamespace(t), deviceID: device, ports: []string{"1=p1", "2=far"}, stateDir: t.TempDir(),
			}).controller(1)
			want := answers(asRoot, everything(node.kind))
			keys := asRoot.read()

			ns, state := newNamespace(t), node.state(t)
			shell(t, "ip", "-n", ns, "link", "set", "lo", "up")
			first, err := confined(t, ns, state, node.capabilities)
			if err != nil {
				t.Fatal(err)
			}
			c := controllerOf(t, first.conn, 1)
			if diff := cmp.Diff(want, answers(c, everything(node.kind))); diff != "" {
				t.Errorf("what entries are answered (-as root +confined):\n%s", diff)
			}
			if diff := cmp.Diff(keys, c.read()); diff != "" {
				t.Errorf("what is there (-as root +confined):\n%s", diff)
			}
			looped(c)
			counted(c)
			programs, maps := attached(t, ns)
			if diff := cmp.Diff(node.programs, programs); diff != "" {
				t.Errorf("programs at port 1 (-want +got):\n%s", diff)
			}
			first.stop()

			for _, end := range []func(*process){func(p *process) { p.kill() }, func(p *process) { p.stop() }} {
				next, err := confined(t, ns, state, node.capabilities)
				if err != nil {
					t.Fatalf("the next start: %v", err)
				}
				if diff := cmp.Diff(keys, controllerOf(t, next.conn, 0).read()); diff != "" {
					t.Errorf("what the next start finds (-as root +confined):\n%s", diff)
				}
				againPrograms, againMaps := attached(t, ns)
				if diff := cmp.Diff(programs, againPrograms); diff != "" {
					t.Errorf("programs at port 1 (-before +after a start):\n%s", diff)
				}
				if diff := cmp.Diff(maps, againMaps); diff != "" {
					t.Errorf("maps of the programs at port 1 (-before +after a start):\n%s", diff)
				}
				end(next)
			}
		})
	}
}

func allPrograms() []string {
	return []string{"sextant_edge", "sextant_sera", "sextant_mobile", "sextant_port"}
}

// attached are the programs at port 1, and the maps that each has but for constants, as root finds them.
func attached(t *testing.T, ns string) (names []string, maps map[string][]ebpf.MapID) {
	t.Helper()
	handle, err := netspace.Open(ns, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = netspace.Close(handle) }()
	maps = map[string][]ebpf.MapID{}
	err = netspace.Do(handle, ns, func() error {
		port, err := net.InterfaceByName("p1")
		if err != nil {
			return err
		}
		there, err := link.QueryPrograms(link.QueryOptions{Target: port.Index, Attach: ebpf.AttachTCXIngress})
		if err != nil {
			return err
		}
		for _, one := range there.Programs {
			program, err := ebpf.NewProgramFromID(one.ID)
			if err != nil {
				return err
			}
			info, err := program.Info()
			if err := errors.Join(err, program.Close()); err != nil {
				return err
			}
			names = append(names, info.Name)
			ids, _ := info.MapIDs()
			maps[info.Name] = slices.DeleteFunc(ids, func(id ebpf.MapID) bool { return constants(t, id) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, maps
}

// constants are each program's own.
func constants(t *testing.T, id ebpf.MapID) bool {
	t.Helper()
	m, err := ebpf.NewMapFromID(id)
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Info()
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	return strings.HasPrefix(info.Name, ".")
}

// counted says that there are counters.
func counted(c *controller) {
	c.t.Helper()
	counters, err := c.p4.Read(context.Background(), &p4.ReadRequest{DeviceId: device, Entities: []*p4.Entity{
		{Entity: &p4.Entity_DirectCounterEntry{DirectCounterEntry: &p4.DirectCounterEntry{TableEntry: &p4.TableEntry{}}}},
	}})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := counters.Recv(); err != nil {
		c.t.Errorf("counters: %v", err)
	}
}

// An agent with CAP_SYS_ADMIN and without a bpffs is followed by one with a bpffs and without the capability.
func TestProgramsOfAnAgentThatPinnedNothingAreFoundAfterAPreparation(t *testing.T) {
	ns, state := newNamespace(t), ownState(t)
	shell(t, "ip", "-n", ns, "link", "set", "lo", "up")
	before, err := confined(t, ns, state, []uintptr{forNetwork, forPackets, forAny})
	if err != nil {
		t.Fatal(err)
	}
	answers(controllerOf(t, before.conn, 1), everything(anyKind))
	programs, maps := attached(t, ns)
	before.stop()
	prepare(t, ns, state)
	after, err := confined(t, ns, state, []uintptr{forNetwork, forPackets, forEdge, forPrograms})
	if err != nil {
		t.Fatal(err)
	}
	defer after.stop()
	if len(controllerOf(t, after.conn, 0).read()) == 0 {
		t.Error("no row is there")
	}
	againPrograms, againMaps := attached(t, ns)
	if diff := cmp.Diff(programs, againPrograms) + cmp.Diff(maps, againMaps); diff != "" {
		t.Errorf("programs and maps (-before +after):\n%s", diff)
	}
}

// Objects that are gone are not held by a name either.
func TestPinsGoWithTheirPrograms(t *testing.T) {
	ns, state := newNamespace(t), preparedState(t)
	shell(t, "ip", "-n", ns, "link", "set", "lo", "up")
	all := []uintptr{forNetwork, forPackets, forEdge, forPrograms}
	one, err := confined(t, ns, state, all)
	if err != nil {
		t.Fatal(err)
	}
	answers(controllerOf(t, one.conn, 1), everything(anyKind))
	had := len(pinned(t, state))
	one.kill()
	next, err := confined(t, ns, state, all)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(pinned(t, state)); got != had || had == 0 {
		t.Errorf("%d pins after a restart, %d before", got, had)
	}
	next.stop()
	if err := run(context.Background(), settings{
		backend: backendLinux, netns: ns, deviceID: device, ports: []string{"1=p1"}, stateDir: state, flush: true,
	}, newLogger(io.Discard, false)); err != nil {
		t.Fatal(err)
	}
	if left := pinned(t, state); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	if left, _ := attached(t, ns); len(left) != 0 {
		t.Errorf("attached are %v", left)
	}
}

// STAMP's port is below 1024, and the agent has no CAP_NET_BIND_SERVICE.
func TestAnAgentWithFewCapabilitiesMeasuresAndReflects(t *testing.T) {
	ns := newNamespace(t)
	one, err := confined(t, ns, preparedState(t), []uintptr{forNetwork, forPackets, forEdge})
	if err != nil {
		t.Fatal(err)
	}
	defer one.stop()
	if err := controllerOf(t, one.conn, 1).write(p4.Update_INSERT, contract.EdgePort{Port: 1}); err != nil {
		t.Fatal(err)
	}
	const rawUDP = ":0011 "
	if got := shell(t, "ip", "netns", "exec", ns, "cat", "/proc/net/raw6"); !strings.Contains(got, rawUDP) {
		t.Errorf("nothing reflects:\n%s", got)
	}
	if got := shell(t, "ip", "netns", "exec", ns, "cat", "/proc/net/udp6"); strings.Count(got, "\n") != 2 { // with the heading
		t.Errorf("nothing waits for answers:\n%s", got)
	}
}

// Each of them is really needed: without one a feature is missing, and is reported.
func TestWithoutOneCapabilitySomethingIsMissing(t *testing.T) {
	all := []uintptr{forNetwork, forPackets, forEdge, forPrograms}
	for i, name := range []string{"CAP_NET_ADMIN", "CAP_NET_RAW", "CAP_BPF", "CAP_PERFMON"} {
		t.Run(name, func(t *testing.T) {
			missing(t, preparedState(t), append(append([]uintptr{}, all[:i]...), all[i+1:]...), notPermitted)
		})
	}
	t.Run("CAP_SYS_ADMIN or a bpffs", func(t *testing.T) {
		missing(t, ownState(t), all, func(text string) bool {
			return notPermitted(text) && strings.Contains(text, "`sextant-agent prepare` makes")
		})
	})
}

// missing says that an agent ends, or refuses some row, with such a sentence.
func missing(t *testing.T, state string, capabilities []uintptr, said func(string) bool) {
	t.Helper()
	ns := newNamespace(t)
	shell(t, "ip", "-n", ns, "link", "set", "lo", "up")
	one, err := confined(t, ns, state, capabilities)
	if err != nil {
		if !said(err.Error()) {
			t.Errorf("it ends without saying why: %v", err)
		}
		return
	}
	all := answers(controllerOf(t, one.conn, 1), everything(anyKind))
	one.stop()
	for _, answer := range all {
		if said(answer) {
			return
		}
	}
	// Only the next start may detect the missing capability.
	next, err := confined(t, ns, state, capabilities)
	if err == nil {
		next.stop()
		t.Errorf("everything is served without it: %v", all)
	}
}

func notPermitted(text string) bool {
	return strings.Contains(text, "not permitted") || strings.Contains(text, "permission denied")
}
