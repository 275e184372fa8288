// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"encoding/binary"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/livelive"
)

// While pings run, both agents are replaced, two of the three wires are cut one after the other, and
// all rows are written once more: no packet is lost and none comes twice.
func TestALiveLiveFlowFeelsNeitherRestartsNorLostPaths(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	w := newTwins(t)
	ping(t, w.host[0], "fd00:3::2")
	flood := exec.Command("ip", "netns", "exec", w.host[0], "ping", "-q", "-c", "600", "-i", "0.005", "-W", "2", "fd00:3::2")
	var out strings.Builder
	flood.Stdout, flood.Stderr = &out, &out
	if err := flood.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range w.node {
		before := stored(t, w.node[i], "")
		if err := w.node[i].Close(); err != nil {
			t.Fatal(err)
		}
		w.node[i] = openNode(t, w.ns[i], w.state[i], w.ports())
		if after := stored(t, w.node[i], ""); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("node %d adopted %v, want %v", i, after, before)
		}
		in(t, w.ns[i], fmt.Sprintf("ip link set p%d down", i+1))
		mustApply(t, w.node[i], modify(w.rows(i)...))
	}
	if err := flood.Wait(); err != nil {
		t.Errorf("ping: %v", err)
	}
	if !strings.Contains(out.String(), "600 received, 0% packet loss") {
		t.Errorf("packets were lost or came twice:\n%s", out.String())
	}
}

// The state that a restarted agent finds again is exact: the next number, and a window that knows the old ones.
func TestARestartLosesNoNumberAndNoWindow(t *testing.T) {
	w := newTwins(t)
	tap := listen(t, w.ns[1], "p1")
	numbers := func() []uint64 {
		var all []uint64
		for _, p := range tap.all(func(p packet) bool { return p.dst == ad("fcbb:bbbb:200:f101::") }) {
			all = append(all, number(p))
		}
		return all
	}
	request := probe6("fd00:1::2", "fd00:3::2")
	send := func() { sendFrame(t, w.host[0], "eth0", frame(mac(w.ns[0], "p4"), mac(w.host[0], "eth0"), request)) }
	send()
	eventually(t, "the first copy", func() bool { return len(numbers()) == 1 })
	if err := w.node[0].Close(); err != nil {
		t.Fatal(err)
	}
	send() // while no agent runs
	eventually(t, "a copy while the agent is away", func() bool { return len(numbers()) == 2 })
	w.node[0] = openNode(t, w.ns[0], w.state[0], w.ports())
	send()
	eventually(t, "a copy after the restart", func() bool { return len(numbers()) == 3 })
	got := numbers()
	if got[1] != got[0]+1 || got[2] != got[0]+2 {
		t.Errorf("numbers %v, want three in a row", got)
	}
	if c := sent(t, w.node[0]); c.Packets != 3 {
		t.Errorf("the flow has counted %d packets over the restart, want 3", c.Packets)
	}

	if err := w.node[1].Close(); err != nil {
		t.Fatal(err)
	}
	w.node[1] = openNode(t, w.ns[1], w.state[1], w.ports())
	var last []byte
	for _, p := range tap.all(func(p packet) bool { return number(p) == got[2] }) {
		last = encapsulatedAgain(p)
	}
	before := cells(t, w.node[1], "dedup_late", 1)
	sendFrame(t, w.ns[0], "p1", frame(mac(w.ns[1], "p1"), mac(w.ns[0], "p1"), last))
	eventually(t, "the replayed copy is known to have come over its path", func() bool { return cells(t, w.node[1], "dedup_late", 1) == before+1 })
}

// A controller that reads the source back has no reason to write it, so an agent that remembers no rows has to find it.
func TestAnAgentWithoutItsMemoryCopiesFromTheSourceThatTheKernelHas(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	w := newTwins(t)
	ping(t, w.host[0], "fd00:3::2")
	if err := w.node[0].Close(); err != nil {
		t.Fatal(err)
	}
	w.node[0] = openNode(t, w.ns[0], stateDir(t), w.ports())
	if got := stored(t, w.node[0], ""); !slices.Equal(got, []string{contract.EncapSource{}.Key().String()}) {
		t.Fatalf("rows without a memory: %v, want the source that the kernel has", got)
	}
	mustApply(t, w.node[0], insert(w.rows(0)...))
	ping(t, w.host[0], "fd00:3::2")
}

// number is the sequence number of a copy whose list has one segment: a tap takes the TLV for a segment.
func number(p packet) uint64 {
	if len(p.srh) != 2 {
		return 0
	}
	tlv := p.srh[1].As16()
	return binary.BigEndian.Uint64(tlv[8:])
}

// encapsulatedAgain is a copy that a tap has seen, as it was.
func encapsulatedAgain(p packet) []byte {
	again := encapsulated(p.dst.String(), 0, []string{p.srh[1].String(), p.dst.String()}, p.innerProto, p.inner)
	again[40+4] = 0 // Last Entry: one segment and a TLV
	return again
}

// Detached programs are put back with the next look at the tables; ports that are made anew get theirs.
func TestProgramsComeBack(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	w := newTwins(t)
	in(t, w.ns[0], "ip link del sextant2")
	eventually(t, "the pair is back", func() bool {
		stored(t, w.node[0], contract.TableFlowV6)
		return strings.Contains(in(t, w.ns[0], "ip -o link"), "sextant3")
	})
	ping(t, w.host[0], "fd00:3::2")
	arrived := func() uint64 {
		return cells(t, w.node[1], "dedup_first", 2) + cells(t, w.node[1], "dedup_duplicate", 2)
	}
	in(t, w.ns[1], "ip link del p2")
	before := arrived()
	wire(t, w.ns[1], "p2", w.ns[0], "p2")
	eventually(t, "the new port takes part", func() bool {
		ping(t, w.host[0], "fd00:3::2")
		return arrived() > before
	})
}

// programsAt lists the programs attached to a device's TCX ingress.
func programsAt(t *testing.T, ns, device string) []string {
	t.Helper()
	var names []string
	inside(t, ns, func() error {
		l, err := net.InterfaceByName(device)
		if err != nil {
			return err
		}
		result, err := link.QueryPrograms(link.QueryOptions{Target: l.Index, Attach: ebpf.AttachTCXIngress})
		if err != nil {
			return err
		}
		for _, one := range result.Programs {
			program, err := ebpf.NewProgramFromID(one.ID)
			if err != nil {
				return err
			}
			info, err := program.Info()
			if err != nil {
				return err
			}
			names = append(names, info.Name)
			_ = program.Close()
		}
		return nil
	})
	return names
}

func TestAPortThatIsNoneAnyMoreLosesItsProgram(t *testing.T) {
	needFeature(t, livelive.FeatureName)
	ns, far, state := newNamespace(t, "n"), newNamespace(t, "far"), stateDir(t)
	wire(t, ns, "p1", far, "f1")
	wire(t, ns, "p2", far, "f2")
	n := openNode(t, ns, state, map[contract.PortID]string{1: "p1", 2: "p2"})
	mustApply(t, n, insert(contract.DedupFlow{FlowID: 5, Window: 1}))
	if got := programsAt(t, ns, "p2"); len(got) != 1 {
		t.Fatalf("programs at a port: %v", got)
	}
	reopen := func() {
		if err := n.Close(); err != nil {
			t.Fatal(err)
		}
		n = openNode(t, ns, state, map[contract.PortID]string{1: "p1"})
	}
	reopen()
	if at1, at2 := programsAt(t, ns, "p1"), programsAt(t, ns, "p2"); len(at1) != 1 || len(at2) != 0 {
		t.Errorf("programs at the port that is left %v, at the one that is none %v; want one and none", at1, at2)
	}
	// Also where the pair was deleted: without rows nothing of Live-Live stays.
	in(t, ns, "ip link del sextant2")
	mustApply(t, n, remove(contract.DedupFlow{FlowID: 5}))
	if got := programsAt(t, ns, "p1"); len(got) != 0 {
		t.Errorf("programs at a port without any row: %v", got)
	}
}
