// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/livelive"
)

const paths = 3

// twins are two nodes with three wires between them and a host behind each; every packet between the
// hosts is copied over all wires, in both directions. Ports 1 to 3 are the wires, port 4 the host.
type twins struct {
	host, ns, state [2]string
	node            [2]*Node
}

func (w *twins) ports() map[contract.PortID]string {
	return map[contract.PortID]string{1: "p1", 2: "p2", 3: "p3", 4: "p4"}
}

func newTwins(t testing.TB) *twins {
	t.Helper()
	needFeature(t, livelive.FeatureName)
	w := &twins{}
	for i := range 2 {
		w.host[i], w.ns[i], w.state[i] = newNamespace(t, "h"), newNamespace(t, "n"), stateDir(t)
	}
	for p := 1; p <= paths; p++ {
		wire(t, w.ns[0], fmt.Sprintf("p%d", p), w.ns[1], fmt.Sprintf("p%d", p))
	}
	for i, net := range []string{"1", "3"} {
		wire(t, w.host[i], "eth0", w.ns[i], "p4")
		host(t, w.host[i], net, w.ns[i], "p4")
		w.node[i] = openNode(t, w.ns[i], w.state[i], w.ports())
		mustApply(t, w.node[i], modify(contract.EncapSource{Source: ad(fmt.Sprintf("fcff:%d::1", i+1))}))
		mustApply(t, w.node[i], insert(w.rows(i)...))
	}
	return w
}

// rows of one of the two: path p goes over wire p to a SID of its own.
func (w *twins) rows(i int) []contract.Entry {
	own, other := fmt.Sprintf("fcbb:bbbb:%d00", i+1), fmt.Sprintf("fcbb:bbbb:%d00", 2-i)
	far := []string{"fd00:3::/64", "fd00:1::/64"}[i]
	rows := []contract.Entry{contract.DedupFlow{FlowID: contract.FlowID(2 - i), Window: 5}}
	for p := contract.PathID(1); p <= paths; p++ {
		name, id := fmt.Sprintf("p%d", p), contract.NextHopID(p)
		segment := fmt.Sprintf("%s:f10%d::", other, p)
		rows = append(rows,
			contract.NextHop{ID: id, Port: contract.PortID(p), SrcMAC: mac(w.ns[i], name), DstMAC: mac(w.ns[1-i], name)},
			local(fmt.Sprintf("%s:f10%d::/64", own, p), contract.Behavior{Action: contract.Dedup, Path: p}),
			via(segment+"/64", id), list(contract.SIDListID(100+p), segment),
			contract.Copy{Group: 1, Path: p, SIDList: contract.SIDListID(100 + p)})
	}
	return append(rows, contract.Flow{
		Priority: 10, Src: px("::/0"), Dst: px(far), FlowID: contract.FlowID(i + 1), Group: 1, Copies: paths,
	})
}

// cells of a path at a node's window.
func cells(t testing.TB, n *Node, array string, path int) uint64 {
	t.Helper()
	got, err := n.Cells(context.Background(), array, 5<<4|path, 1)
	if err != nil {
		t.Fatal(err)
	}
	return got[0].Packets
}

// sent is the counter of a node's flow row.
func sent(t testing.TB, n *Node) contract.Counters {
	t.Helper()
	rows, err := n.Entries(context.Background(), contract.TableFlowV6)
	if err != nil || len(rows) != 1 || rows[0].Counters == nil {
		t.Fatalf("flow rows %v, %v", rows, err)
	}
	return *rows[0].Counters
}

func TestLiveLiveRowsAreReadBackAndLeaveNothing(t *testing.T) {
	needFeature(t, livelive.FeatureName)
	n, ns := oneNode(t)
	before := in(t, ns, "ip -o link")
	rows := []contract.Entry{
		list(7, "fcbb:bbbb:200:f101::"), list(8, "fcbb:bbbb:200::", "fcbb:bbbb:300:f102::"),
		contract.Copy{Group: 65535, Path: 1, SIDList: 7},
		contract.Copy{Group: 65535, Path: 15, SIDList: 8},
		contract.Flow{
			Priority: 9, Src: px("fd00:1::/64"), Dst: px("::/0"), IPProto: contract.Masked(6, 0xff),
			DstPort: contract.Masked(0x1400, 0xff00), FlowID: 0xffffffff, Group: 65535, Copies: 15,
		},
		contract.Flow{Priority: 1, Src: px("0.0.0.0/0"), Dst: px("10.3.0.0/24"), FlowID: 1, Group: 2, Copies: 1},
		contract.Flow{Priority: 2, Src: px("0.0.0.0/0"), Dst: px("10.3.0.0/24"), FlowID: 3, Group: 4, Copies: 1},
		local("fcbb:bbbb:100:f101::/64", contract.Behavior{Action: contract.Dedup, Path: 1}),
		contract.DedupFlow{FlowID: 5, Window: 0},
		contract.DedupFlow{FlowID: 6, Window: 63},
	}
	mustApply(t, n, insert(rows...))
	got, err := n.Entries(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[contract.Key]contract.Entry{}
	for _, s := range got {
		byKey[s.Entry.Key()] = s.Entry
	}
	for _, e := range rows {
		if diff := cmp.Diff(e, byKey[e.Key()], cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.Key(), diff)
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		mustApply(t, n, remove(rows[i]))
	}
	if after := in(t, ns, "ip -o link"); after != before {
		t.Errorf("devices were\n%s\nand are\n%s", before, after)
	}
}

func TestRowsThatLiveLiveCannotServe(t *testing.T) {
	needFeature(t, livelive.FeatureName)
	n, _ := oneNode(t)
	mustApply(t, n, insert(list(7, "fcbb::1"), contract.SIDList{ID: 8, Members: []contract.SIDListMember{member(1, "fcbb::1"), member(1, "fcbb::2")}},
		contract.DedupFlow{FlowID: 1, Window: 1}, contract.Copy{Group: 1, Path: 1, SIDList: 7}))
	flow := contract.Flow{Priority: 1, Src: px("::/0"), Dst: px("::/0"), FlowID: 1, Group: 1, Copies: 1}
	inVRF, other := flow, flow
	inVRF.VRF, other.Priority, other.Group = 7, 2, 2
	mustApply(t, n, insert(flow))
	for _, tt := range []struct {
		u    contract.Update
		code contract.Code
		part string
	}{
		{insert(inVRF)[0], contract.Unimplemented, "only vrf 0"},
		{insert(other)[0], contract.FailedPrecondition, "two sequences"},
		{insert(contract.Copy{Group: 1, Path: 2, SIDList: 8})[0], contract.Unimplemented, "2 members"},
		{insert(contract.Copy{Group: 1, Path: 2, SIDList: 9})[0], contract.FailedPrecondition, "sid_list 9"},
		{insert(local("fcbb:bbbb:100:f101::/64", contract.Behavior{Action: contract.Dedup, Path: 1, VRF: 7}))[0], contract.Unimplemented, "vrf 0"},
		{remove(list(7, "fcbb::1"))[0], contract.FailedPrecondition, "is used by copy"},
	} {
		wantCode(t, n, tt.u, tt.code, tt.part)
	}
	if got := stored(t, n, ""); len(got) != 5 {
		t.Errorf("rows after all refusals: %v", got)
	}
}

// A flow of all that a host sends: the host still finds its gateway, and talks to it.
func TestWhatIsForTheNodeItselfIsNotCopied(t *testing.T) {
	w := newTwins(t)
	all := contract.Flow{Priority: 1, Src: px("fd00:1::2/128"), Dst: px("::/0"), FlowID: 1, Group: 1, Copies: paths}
	four, back := all, all
	four.Src, four.Dst = px("10.1.0.2/32"), px("0.0.0.0/0")
	back.Src, back.Dst, back.FlowID = px("0.0.0.0/0"), px("10.1.0.0/24"), 2
	mustApply(t, w.node[0], insert(all, four))
	mustApply(t, w.node[1], insert(back))
	in(t, w.host[0], "ip neigh flush all")
	for _, address := range []string{"fd00:1::1", "10.1.0.1", "fd00:3::2", "10.3.0.2"} {
		ping(t, w.host[0], address)
	}
	in(t, w.ns[0], "ip addr add fd00:1::99/64 dev p4 nodad")
	if _, err := w.node[0].Entries(context.Background(), ""); err != nil { // as an audit does
		t.Fatal(err)
	}
	ping(t, w.host[0], "fd00:1::99")
}

// The host has segmentation offload: it gives packets of up to 64 KB to the node. If they shared a number, the other
// end would get no TCP connection worth the name.
func TestSuperPacketsAreCutBeforeTheyAreNumbered(t *testing.T) {
	w := newTwins(t)
	data := bytes.Repeat([]byte("sextant live-live "), 1<<18)
	if got, want := transfer(t, w.host[0], w.host[1], "[fd00:3::2]:5201", data), sha256.Sum256(data); got != want {
		t.Error("what arrived is not what was sent")
	}
	c := sent(t, w.node[0])
	if c.Packets < uint64(len(data)/1500) || c.Bytes/c.Packets > 1514 {
		t.Errorf("%d packets of %d bytes on average, the MTU is 1500", c.Packets, c.Bytes/c.Packets)
	}
	var first uint64
	for p := 1; p <= paths; p++ {
		first += cells(t, w.node[1], "dedup_first", p)
	}
	if first < uint64(len(data)/1500) || first > c.Packets {
		t.Errorf("%d packets were numbered and %d delivered", c.Packets, first)
	}
}

// transfer sends data by TCP from one namespace to another and gives the hash of the received data.
func transfer(t testing.TB, from, to, address string, data []byte) [sha256.Size]byte {
	t.Helper()
	var listener net.Listener
	inside(t, to, func() (err error) { listener, err = net.Listen("tcp", address); return err })
	defer listener.Close()
	arrived := make(chan [sha256.Size]byte, 1)
	go func() {
		defer close(arrived)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		hash := sha256.New()
		_, _ = io.Copy(hash, conn)
		arrived <- [sha256.Size]byte(hash.Sum(nil))
	}()
	inside(t, from, func() error {
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		if err != nil {
			return err
		}
		if err := conn.SetDeadline(time.Now().Add(60 * time.Second)); err != nil {
			return err
		}
		if _, err := conn.Write(data); err != nil {
			return err
		}
		return conn.Close()
	})
	select {
	case sum := <-arrived:
		return sum
	case <-time.After(60 * time.Second):
		t.Fatal("the transfer did not end within a minute")
		return [sha256.Size]byte{}
	}
}

// inside runs a function on a thread of its own in a namespace; sockets that it opens stay there.
func inside(t testing.TB, ns string, f func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		handle, err := netns.GetFromName(ns)
		if err == nil {
			defer handle.Close()
			err = netns.Set(handle)
		}
		if err == nil {
			err = f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatalf("in %s: %v", ns, err)
	}
}

// A datagram of 2,000 bytes goes as two fragments, of which the second has no ports.
func TestDatagramsThatAreFragmentedArriveOverAFlowOfAPort(t *testing.T) {
	w := newTwins(t)
	for _, ns := range w.ns {
		in(t, ns, "for p in p1 p2 p3; do ip link set $p mtu 1600; done") // room for the outer header
	}
	flows := []contract.Entry{}
	for _, dst := range []string{"fd00:3::/64", "10.3.0.0/24"} {
		src := "::/0"
		if px(dst).Addr().Is4() {
			src = "0.0.0.0/0"
		}
		flows = append(flows, contract.Flow{
			Priority: 10, Src: px(src), Dst: px(dst), IPProto: contract.Masked(unix.IPPROTO_UDP, 0xff),
			DstPort: contract.Masked(5000, 0xffff), FlowID: 1, Group: 1, Copies: paths,
		})
	}
	mustApply(t, w.node[0], remove(w.rows(0)[len(w.rows(0))-1]))
	mustApply(t, w.node[0], insert(flows...))
	for network, address := range map[string]string{"udp6": "[fd00:3::2]:5000", "udp4": "10.3.0.2:5000"} {
		var receiver, sender net.Conn
		inside(t, w.host[1], func() error {
			at, err := net.ResolveUDPAddr(network, address)
			if err != nil {
				return err
			}
			receiver, err = net.ListenUDP(network, at)
			return err
		})
		defer receiver.Close()
		inside(t, w.host[0], func() (err error) { sender, err = net.Dial(network, address); return err })
		defer sender.Close()
		sent, got := bytes.Repeat([]byte(network), 500), make([]byte, 4096)
		if _, err := sender.Write(sent); err != nil {
			t.Fatal(err)
		}
		if err := receiver.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if size, err := receiver.Read(got); err != nil || !bytes.Equal(got[:size], sent) {
			t.Errorf("%s: %d bytes arrived of %d: %v", network, size, len(sent), err)
		}
	}
}

// A VLAN is another network, whatever its packets' addresses are; VLAN 0 is none, but a priority.
func TestFramesOfAVLANAreOfNoFlow(t *testing.T) {
	w := newTwins(t)
	tagged := func(vlan uint16, sport byte) []byte {
		packet := probe6("fd00:1::2", "fd00:3::2")
		packet[41] = sport
		plain := frame(mac(w.ns[0], "p4"), mac(w.host[0], "eth0"), packet)
		tag := binary.BigEndian.AppendUint16([]byte{0x81, 0x00}, 5<<13|vlan)
		return append(append(append([]byte{}, plain[:12]...), tag...), plain[12:]...)
	}
	tap := listen(t, w.ns[1], "p1")
	sendFrame(t, w.host[0], "eth0", tagged(7, 1))
	sendFrame(t, w.host[0], "eth0", tagged(0, 2))
	copies := func() []packet {
		return tap.all(func(p packet) bool { return p.dst == ad("fcbb:bbbb:200:f101::") })
	}
	eventually(t, "the copy of the frame of VLAN 0", func() bool { return len(copies()) > 0 })
	if got := copies(); len(got) != 1 || got[0].inner[41] != 2 {
		t.Errorf("%d packets were copied, want the one of VLAN 0: %v", len(got), got)
	}
	if c := sent(t, w.node[0]); c.Packets != 1 {
		t.Errorf("the flow has %d packets, want 1", c.Packets)
	}
}

// brokenLive is a node with two flows whose numbering pair was replaced, while no agent ran, by something that is none.
func brokenLive(t *testing.T) (*Node, string) {
	t.Helper()
	needFeature(t, livelive.FeatureName)
	ns, far, state := newNamespace(t, "n"), newNamespace(t, "far"), stateDir(t)
	wire(t, ns, "p1", far, "f1")
	ports := map[contract.PortID]string{1: "p1"}
	n := openNode(t, ns, state, ports)
	mustApply(t, n, insert(contract.DedupFlow{FlowID: 5, Window: 1}, contract.DedupFlow{FlowID: 6, Window: 2}))
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	in(t, ns, "ip link del sextant2; ip link add sextant2 type bridge")
	return openNode(t, ns, state, ports), ns
}

func TestSIDsAreServedWhileLiveLiveIsNot(t *testing.T) {
	n, ns := brokenLive(t)
	mustApply(t, n, insert(un("fcbb:bbbb:100::/48")))
	if got := stored(t, n, ""); !slices.Equal(got, []string{un("fcbb:bbbb:100::/48").Key().String()}) {
		t.Errorf("rows with a broken Live-Live: %v, want the SID alone", got)
	}
	mustApply(t, n, remove(un("fcbb:bbbb:100::/48")))
	if routes := in(t, ns, "ip -6 route show proto 200"); strings.Contains(routes, "fcbb:bbbb:100::") {
		t.Errorf("the SID is deleted, and its route is there: %s", routes)
	}
	wantCode(t, n, insert(contract.DedupFlow{FlowID: 7, Window: 3})[0], contract.FailedPrecondition, "sextant2 is a bridge")
	wantCode(t, n, remove(contract.DedupFlow{FlowID: 5})[0], contract.FailedPrecondition, "sextant2 is a bridge")
	in(t, ns, "ip link del sextant2")
	if got := stored(t, n, ""); len(got) != 2 {
		t.Errorf("rows once it is whole again: %v, want both flows, of which none could be removed", got)
	}
	mustApply(t, n, insert(un("fcbb:bbbb:100::/48")))
	mustApply(t, n, remove(contract.DedupFlow{FlowID: 5}, contract.DedupFlow{FlowID: 6}))
	if got := in(t, ns, "ip -o link"); strings.Contains(got, "sextant2") {
		t.Errorf("the last row is gone, the pair is not:\n%s", got)
	}
}

func TestADeviceOfOthersIsNotDeletedWithTheLastRow(t *testing.T) {
	n, ns := brokenLive(t)
	if err := n.Reset(context.Background()); err != nil {
		t.Error(err)
	}
	if got := in(t, ns, "ip -o link"); !strings.Contains(got, "sextant2") {
		t.Errorf("the bridge was deleted, whose it was not: %s", got)
	}
}

// Programs follow a batch once, at its end; yet a row that they cannot have fails alone.
func TestAFlowThatCannotBeHadFailsAlone(t *testing.T) {
	n, ns := oneNode(t)
	flow := func(priority int32, id contract.FlowID, group contract.GroupID) contract.Flow {
		return contract.Flow{Priority: priority, Src: px("::/0"), Dst: px("fd00:3::/64"), FlowID: id, Group: group, Copies: 1}
	}
	if err := n.Apply(context.Background(), insert(flow(1, 1, 1)))[0]; err != nil {
		t.Skipf("needs eBPF on TCX: %v", err)
	}
	two := list(8, "fcbb::1")
	two.Members = append(two.Members, two.Members[0])
	batch := insert(flow(2, 2, 2), flow(3, 1, 2), list(7, "fcbb::1"), contract.Copy{Group: 1, Path: 1, SIDList: 7}, two, contract.Copy{Group: 1, Path: 2, SIDList: 8}, flow(4, 3, 3))
	batch = append(batch, modify(contract.SIDList{ID: 7, Members: two.Members})...)
	errs := n.Apply(context.Background(), batch)
	for i, saying := range []string{"", "two sequences", "", "", "", "2 members, a path is one", "", "copy group 1 path 1 uses it"} {
		if saying == "" && errs[i] != nil || saying != "" && (errs[i] == nil || !strings.Contains(errs[i].Error(), saying)) {
			t.Errorf("update %d: %v, want %q", i, errs[i], saying)
		}
	}
	want := []string{
		"copy group 1 path 1", "flow_v6 priority 1 vrf 0 ::/0 fd00:3::/64", "flow_v6 priority 2 vrf 0 ::/0 fd00:3::/64",
		"flow_v6 priority 4 vrf 0 ::/0 fd00:3::/64", "sid_list 7", "sid_list 8",
	}
	if got := stored(t, n, ""); !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	drops, err := Drops(ns)
	if err != nil || len(drops) == 0 {
		t.Errorf("drops %v, %v", drops, err)
	}
	for _, d := range drops {
		if d.Packets != 0 {
			t.Errorf("%d packets were dropped: %s", d.Packets, d.Reason)
		}
	}
}

// The kernel's own packets on the agent's pair, such as a report of its multicast groups, are no lost packets.
func TestTheKernelsOwnPacketsOnThePairAreNoDrops(t *testing.T) {
	n, ns := oneNode(t)
	row := contract.Flow{Priority: 1, Src: px("::/0"), Dst: px("fd00:3::/64"), FlowID: 1, Group: 1, Copies: 1}
	if err := n.Apply(context.Background(), insert(row))[0]; err != nil {
		t.Skipf("needs eBPF on TCX: %v", err)
	}
	report := append([]byte{0x33, 0x33, 0, 0, 0, 0x16, 2, 0, 0, 0, 0, 1, 0x86, 0xdd, 0x60}, make([]byte, 75)...)
	sendFrame(t, ns, "sextant2", report)
	drops, err := Drops(ns)
	if err != nil || len(drops) == 0 {
		t.Errorf("drops %v, %v", drops, err)
	}
	for _, d := range drops {
		if d.Packets != 0 {
			t.Errorf("%d packets were dropped: %s", d.Packets, d.Reason)
		}
	}
}

// BenchmarkFlows writes all the flow rows that fit in one batch.
func BenchmarkFlows(b *testing.B) {
	n, _ := oneNode(b)
	var rows []contract.Entry
	for i := range 512 {
		rows = append(rows, contract.Flow{
			Priority: 1, Src: px("::/0"), Dst: px(fmt.Sprintf("fd00:%x::/64", i)), FlowID: contract.FlowID(i), Group: contract.GroupID(i + 1), Copies: 1,
		})
	}
	for b.Loop() {
		mustApply(b, n, insert(rows...))
		mustApply(b, n, remove(rows...))
	}
}
