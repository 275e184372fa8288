// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// A line is a rule as ip6tables says it, and as rows.
type line struct {
	text string
	rows []contract.Firewall
}

// someLine is in the words that both have: ip6tables tests the packet itself, a row the packet inside.
func someLine(r *rand.Rand) line {
	e := contract.Firewall{IPVersion: contract.Masked(6, 15), Verdict: contract.FwDrop}
	var text []string
	address := func(option string) *contract.Ternary {
		mask := contract.PrefixMask([]int{48, 64, 64, 128}[r.IntN(4)], 128)
		if r.IntN(6) == 0 {
			mask[6] &^= 1 // a hole
		}
		value := contract.Bits(someAddress(r, true).As16())
		for i := range value {
			value[i] &= mask[i]
		}
		text = append(text, fmt.Sprintf("%s %s/%s", option, netip.AddrFrom16(value), netip.AddrFrom16(mask)))
		return &contract.Ternary{Value: value, Mask: mask}
	}
	either := r.IntN(4)
	if either > 0 {
		e.Src = address("-s")
	}
	if either != 1 {
		e.Dst = address("-d")
	}
	rows := []contract.Firewall{e}
	each := func(do func(*contract.Firewall)) {
		for i := range rows {
			do(&rows[i])
		}
	}
	protocol := func(name string, number uint64) {
		text = append(text, "-p "+name)
		each(func(e *contract.Firewall) { e.IPProto = contract.Masked(number, 255) })
	}
	ports := func() {
		low, high := somePort(r), somePort(r)
		if low > high {
			low, high = high, low
		}
		each(func(e *contract.Firewall) { e.Has = contract.Masked(contract.HasPorts, contract.HasPorts) })
		if low == 0 || high == 65535 || r.IntN(2) == 0 {
			text = append(text, fmt.Sprintf("--dport %d", high))
			each(func(e *contract.Firewall) { e.DstPort = &contract.Range{Low: high, High: high} })
			return
		}
		if r.IntN(2) == 0 {
			text = append(text, fmt.Sprintf("--sport %d:%d", low, high))
			each(func(e *contract.Firewall) { e.SrcPort = &contract.Range{Low: low, High: high} })
			return
		}
		text = append(text, fmt.Sprintf("! --dport %d:%d", low, high)) // a row below, a row above
		below, above := rows[0], rows[0]
		below.DstPort, above.DstPort = &contract.Range{Low: 0, High: low - 1}, &contract.Range{Low: high + 1, High: 65535}
		rows = []contract.Firewall{below, above}
	}
	switch r.IntN(7) {
	case 0, 1:
		protocol("udp", 17)
		ports()
	case 2:
		protocol("tcp", 6)
		ports()
	case 3:
		protocol("tcp", 6)
		text = append(text, "--tcp-flags SYN,ACK,FIN SYN")
		each(func(e *contract.Firewall) {
			e.Has, e.TCPFlags = contract.Masked(contract.HasPorts, contract.HasPorts), contract.Masked(2, 0x13)
		})
	case 4:
		protocol("icmpv6", 58)
		kind, code := []uint64{0, 3, 8, 128, 129}[r.IntN(5)], uint64(r.IntN(3))
		text = append(text, fmt.Sprintf("--icmpv6-type %d/%d", kind, code))
		each(func(e *contract.Firewall) {
			e.Has = contract.Masked(contract.HasICMP, contract.HasICMP)
			e.ICMPType, e.ICMPCode = contract.Masked(kind, 255), contract.Masked(code, 255)
		})
	case 5:
		number := []uint64{1, 6, 17, 33, 58, 132, 136}[r.IntN(7)]
		protocol(strconv.FormatUint(number, 10), number)
	}
	return line{strings.Join(text, " "), rows}
}

// ip6tables is the peer: every one of its counters is that of the same rule here, for the same packets.
func TestRulesCountWhatIP6TablesCounts(t *testing.T) {
	const restore = "ip6tables-legacy-restore"
	if _, err := exec.LookPath(restore); err != nil {
		t.Skipf("%s is not on PATH: apt-get install iptables", restore)
	}
	random := rand.New(rand.NewPCG(2018, 4))
	lines := make([]line, 400)
	for i := range lines {
		lines[i] = someLine(random)
	}
	lines = append(lines, line{"", []contract.Firewall{{Verdict: contract.FwDrop}}}) // all other packets
	priority := int32(100000)
	rows := []contract.Entry{container(7)}
	for i := range lines {
		for k := range lines[i].rows {
			lines[i].rows[k].Firewall, lines[i].rows[k].Priority = 7, priority
			rows = append(rows, lines[i].rows[k])
			priority--
		}
	}
	b := loaded(t, rows...)
	table := "*raw\n:PREROUTING ACCEPT\n"
	for _, l := range lines {
		table += "-A PREROUTING -i in " + l.text + " -j DROP\n"
	}
	index, mac := twoEnds(t)
	load := exec.Command(restore)
	load.Stdin = strings.NewReader(table + "COMMIT\n")
	if out, err := load.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "can't initialize") {
			t.Skipf("this kernel has no ip6tables (CONFIG_IP6_NF_RAW): %s", out)
		}
		t.Fatalf("%s: %v: %s", restore, err, out)
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	const count = 12000
	for sent := range count {
		if sent%400 == 0 { // more than a queue has room for
			counters(t, len(lines), sent)
		}
		var s sampled
		packet := s.ipv6(random)
		// Whatever its rules are, ip6tables drops truncated packets, TCP at fragment offset 1, and later fragments of an
		// extension header.
		for s.refused() || slices.Contains([]uint64{0, 43, 51, 60}, s.protocol) {
			s = sampled{}
			packet = s.ipv6(random)
		}
		frame := slices.Concat(mac, []byte{2, 0, 0, 0, 0, 9, 0x86, 0xdd}, packet)
		if err := unix.Sendto(fd, frame, 0, &unix.SockaddrLinklayer{Ifindex: index, Protocol: 0xdd86}); err != nil {
			t.Fatal(err)
		}
		outer := mustHex(plain)
		binary.BigEndian.PutUint16(outer[4:], uint16(len(packet)))
		b.run(t, slices.Concat(outer, mustHex("fcbbbbbb0200f23006000300f00d0000"), packet))
	}
	want := counters(t, len(lines), count)
	counts, err := b.counters(rows[1:])
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for i, l := range lines {
		got := uint64(0)
		for _, r := range l.rows {
			got += counts[r.Key()].Packets
		}
		if got != want[i] {
			t.Errorf("%q counts %d, ip6tables %d", l.text, got, want[i])
		}
		if got > 0 {
			judged++
		}
	}
	if judged < 20 || want[len(lines)-1] == count {
		t.Errorf("%d rules judged: the packets meet too few", judged)
	}
	t.Logf("%d of %d rules judged; dropped are %v", judged, len(lines), b.drops(t, 3))
}

// twoEnds are a device that packets are sent into, and the address of that at which they arrive.
func twoEnds(t *testing.T) (int, []byte) {
	t.Helper()
	veth := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "out"}, PeerName: "in"}
	if err := netlink.LinkAdd(veth); err != nil {
		t.Fatal(err)
	}
	// Nothing of its own comes out of it.
	if err := os.WriteFile("/proc/sys/net/ipv6/conf/out/disable_ipv6", []byte("1"), 0); err != nil {
		t.Fatal(err)
	}
	news, done := make(chan netlink.LinkUpdate, 64), make(chan struct{})
	t.Cleanup(func() { close(done) })
	if err := netlink.LinkSubscribe(news, done); err != nil {
		t.Fatal(err)
	}
	ends := []string{"out", "in"}
	for _, name := range ends {
		if err := netlink.LinkSetUp(endOf(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	// Until the kernel has noticed that the other end is up, it drops packets to it.
	for deadline := time.After(20 * time.Second); slices.ContainsFunc(ends, func(name string) bool {
		return endOf(t, name).Attrs().OperState != netlink.OperUp
	}); {
		select {
		case <-news:
		case <-deadline:
			t.Fatal("the ends do not come up")
		}
	}
	return endOf(t, "out").Attrs().Index, endOf(t, "in").Attrs().HardwareAddr
}

func endOf(t *testing.T, device string) netlink.Link {
	t.Helper()
	l, err := netlink.LinkByName(device)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// counters of ip6tables' rules, once all packets have been counted.
func counters(t *testing.T, rules, packets int) []uint64 {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		out, err := exec.Command("ip6tables-legacy-save", "-c", "-t", "raw").Output()
		if err != nil {
			t.Fatal(err)
		}
		var list []uint64
		total := uint64(0)
		for text := range strings.Lines(string(out)) {
			if !strings.Contains(text, "-A PREROUTING") {
				continue
			}
			n, err := strconv.ParseUint(text[1:strings.Index(text, ":")], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, n)
			total += n
		}
		if len(list) != rules {
			t.Fatalf("ip6tables has %d rules, want %d", len(list), rules)
		}
		if total >= uint64(packets) {
			return list
		}
		if time.Now().After(deadline) {
			t.Fatalf("ip6tables has counted %d packets of %d: %v", total, packets, list)
		}
	}
}
