// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"encoding/binary"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mdlayher/socket"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

func TestHostsLearnThePathMTUThroughAPolicy(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	c := newChain(t, 0x100, 0x200, 0x300)
	mustApply(t, c.nodes[0], insert(
		list(1, "fcbb:bbbb:200::", "fcbb:bbbb:300:f00d::"), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true},
		list(2, "fcbb:bbbb:200:300:f004::"), contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 2, Reduced: true}))
	mustApply(t, c.nodes[2], insert(
		list(1, "fcbb:bbbb:200:100:f00d::"), contract.Steering{Dst: px("fd00:1::/64"), SIDList: 1, Reduced: true},
		list(2, "fcbb:bbbb:200:100:f004::"), contract.Steering{Dst: px("10.1.0.0/24"), SIDList: 2, Reduced: true}))
	narrowMiddle := func() {
		in(t, c.ns[1], "ip link set p2 mtu 1400")
		in(t, c.ns[2], "ip link set p1 mtu 1400")
	}
	for _, tt := range []struct {
		what           string
		change         func()
		sizeV6, sizeV4 string // payload of a ping that does not fit
		v6, v4         string // expected output of ping
	}{
		{"the headend's own link is the narrowest", func() {}, "1452", "1472", "mtu=1436", "mtu = 1460"}, // 1500 - 64, 1500 - 40
		{"a link in the middle is the narrowest", narrowMiddle, "1380", "1400", "mtu=1336", "mtu = 1360"},
	} {
		tt.change()
		for _, try := range []struct{ dst, size, want string }{{"fd00:3::2", tt.sizeV6, tt.v6}, {"10.3.0.2", tt.sizeV4, tt.v4}} {
			eventually(t, tt.what+", and ping "+try.dst+" is told "+try.want, func() bool {
				out, _ := exec.Command("ip", "netns", "exec", c.left, "ping", "-c", "2", "-i", "0.05", "-W", "1", "-s", try.size, "-M", "do", try.dst).CombinedOutput()
				return strings.Contains(string(out), try.want)
			})
		}
		eventually(t, tt.what+", and a packet that fits arrives", func() bool {
			return exec.Command("ip", "netns", "exec", c.left, "ping", "-c", "1", "-W", "2", "-s", "1280", "-M", "do", "fd00:3::2").Run() == nil
		})
		in(t, c.left, "ip route flush cache; ip -6 route flush cache")
	}
}

// Without a role the port accepts every message, and the first one shows that the second would do harm.
func TestNoHostMakesThePacketsOfAPolicySmaller(t *testing.T) {
	c := newChain(t, 0x100, 0x200, 0x300)
	mustApply(t, c.nodes[0], insert(list(1, "fcbb:bbbb:200::", "fcbb:bbbb:300:f00d::"), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true}))
	complain := func(from string, mtu uint32) {
		echo := probe6("fd00:1::2", "fd00:3::2")
		echo[6], echo[40], echo[41] = unix.IPPROTO_ICMPV6, 128, 0 // for UDP a host accepts only messages about packets that its sockets sent
		quoted := encapsulated("fcbb:bbbb:200::", 0, nil, unix.IPPROTO_IPV6, echo)
		source := ad("fcff:100::1").As16()
		copy(quoted[8:], source[:])
		message := append(binary.BigEndian.AppendUint32([]byte{icmpv6TooBig, 0, 0, 0}, mtu), quoted...)
		sendICMPv6(t, from, ad("fcff:100::1"), message)
	}
	learned := func() string { return in(t, c.left, "ip -6 route get fd00:3::2") }
	complain(c.left, 1390)
	eventually(t, "a port without a role lets a host complain", func() bool { return strings.Contains(learned(), "mtu 1350") })
	in(t, c.left, "ip -6 route flush cache")
	mustApply(t, c.nodes[0], insert(contract.EdgePort{Port: 1, External: true}))
	complain(c.left, 1390)
	complain(c.ns[1], 1450) // a node on the path; the message before is through, and a larger MTU would not replace it
	eventually(t, "a node on the way is believed", func() bool { return strings.Contains(learned(), "mtu ") })
	if got := learned(); !strings.Contains(got, "mtu 1410") {
		t.Errorf("the host thinks %s", got)
	}
	in(t, c.left, "ip -6 route flush cache")
	mustApply(t, c.nodes[0], remove(contract.EdgePort{Port: 1, External: true}))
	complain(c.left, 1390)
	eventually(t, "without the role it is as it was", func() bool { return strings.Contains(learned(), "mtu 1350") })
	in(t, c.left, "ip -6 route flush cache")
	mustApply(t, c.nodes[0], insert(contract.EdgeSource{Src: px("fcff::/16")}))
	complain(c.left, 1390)  // by a port of the domain, as from a host behind another node
	complain(c.ns[1], 1450) // one after the other: the message before is through
	eventually(t, "a source of the domain is believed", func() bool { return strings.Contains(learned(), "mtu ") })
	if got := learned(); !strings.Contains(got, "mtu 1410") {
		t.Errorf("the host believed who is not of the domain: %s", got)
	}
}

// sendICMPv6 sends a message as a program in a namespace would.
func sendICMPv6(t *testing.T, ns string, to netip.Addr, message []byte) {
	t.Helper()
	fd, err := os.Open("/run/netns/" + ns)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fd.Close() }()
	conn, err := socket.Socket(unix.AF_INET6, unix.SOCK_RAW, unix.IPPROTO_ICMPV6, "icmp6", &socket.Config{NetNS: int(fd.Fd())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.Sendto(t.Context(), message, 0, &unix.SockaddrInet6{Addr: to.As16()}); err != nil {
		t.Fatal(err)
	}
}

func TestTooBigMessagesAreTranslatedOrLeftAlone(t *testing.T) {
	source := ad("fcff:99::1")
	message := func(mtu uint32, packet []byte) []byte {
		m := binary.BigEndian.AppendUint32([]byte{icmpv6TooBig, 0, 0, 0}, mtu)
		return append(m, packet...)
	}
	p6, p4 := probe6("fd00:1::2", "fd00:3::2"), probe4("10.1.0.2", "10.3.0.2")
	df := append([]byte{}, p4...)
	df[6] |= 0x40
	icmpError := append([]byte{}, p6...)
	icmpError[6], icmpError[40] = unix.IPPROTO_ICMPV6, 1
	srh := []string{"fcbb::1", "fcbb::2"}
	for _, tt := range []struct {
		name    string
		message []byte
		to      string // "" for none
		mtu     int
	}{
		{"IPv6 in one container", message(1500, encapsulated("fcbb::1", 0, nil, unix.IPPROTO_IPV6, p6)), "fd00:1::2", 1460},
		{"IPv6 behind an SRH of two", message(1500, encapsulated("fcbb::1", 1, srh, unix.IPPROTO_IPV6, p6)), "fd00:1::2", 1420},
		{"never below what IPv6 guarantees", message(1280, encapsulated("fcbb::1", 1, srh, unix.IPPROTO_IPV6, p6)), "fd00:1::2", 1280},
		{"IPv4 that must not be fragmented", message(1500, encapsulated("fcbb::1", 1, srh, unix.IPPROTO_IPIP, df)), "10.1.0.2", 1420},
		{"IPv4 that may be fragmented", message(1500, encapsulated("fcbb::1", 1, srh, unix.IPPROTO_IPIP, p4)), "", 0},
		{"about an ICMPv6 error", message(1500, encapsulated("fcbb::1", 0, nil, unix.IPPROTO_IPV6, icmpError)), "", 0},
		{"about a multicast sender", message(1500, encapsulated("fcbb::1", 0, nil, unix.IPPROTO_IPV6, probe6("ff02::1", "fd00:3::2"))), "", 0},
		{"about a packet that is not encapsulated", message(1500, p6), "", 0},
		{"cut within the SRH", message(1500, encapsulated("fcbb::1", 1, srh, unix.IPPROTO_IPV6, p6)[:60]), "", 0},
		{"cut within the inner header", message(1500, encapsulated("fcbb::1", 0, nil, unix.IPPROTO_IPV6, p6)[:70]), "", 0},
		{"empty", nil, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to, icmp, ok := translateTooBig(tt.message, source)
			if ok != (tt.to != "") {
				t.Fatalf("ok = %t, want %t", ok, !ok)
			}
			if !ok {
				return
			}
			got := int(binary.BigEndian.Uint32(icmp[4:]))
			if to != ad(tt.to) || got != tt.mtu {
				t.Errorf("to %s MTU %d, want %s %d", to, got, tt.to, tt.mtu)
			}
			if to.Is4() && internetChecksum(icmp) != 0 {
				t.Errorf("checksum of % x is wrong", icmp)
			}
		})
	}
	if _, _, ok := translateTooBig(message(1500, encapsulated("fcbb::1", 0, nil, unix.IPPROTO_IPV6, p6)), ad("fcff:98::1")); ok {
		t.Error("a message about another node's packet was passed on")
	}
}

func FuzzTooBig(f *testing.F) {
	f.Add(append([]byte{2, 0, 0, 0, 0, 0, 5, 220}, encapsulated("fcbb::1", 1, []string{"fcbb::1", "fcbb::2"}, 41, probe6("fd00:1::2", "fd00:3::2"))...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if to, icmp, ok := translateTooBig(b, ad("fcff:99::1")); ok && (!to.IsValid() || len(icmp) < icmpHeaderBytes+ipv4HeaderBytes || len(icmp) > minMTUv6-ipv6HeaderBytes) {
			t.Errorf("to %s % x", to, icmp)
		}
	})
}
