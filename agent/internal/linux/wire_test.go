// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/mdlayher/socket"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// A tap records the IPv6 packets that leave an interface or arrive at it. It reads a ring (TPACKET_V2),
// into which the kernel copies a packet at that moment. A plain packet socket holds a clone instead,
// and a node that shifts the destination address writes into the very bytes that are read later:
// the capture then shows the address of the next hop (seen on 6.18, between namespaces).
type tap struct {
	mu   sync.Mutex
	seen []packet
	fd   int
	ring []byte
	stop atomic.Bool
}

const (
	ringFrameBytes = 1 << 12
	ringFrames     = 1 << 12
)

// packet is one that a tap saw. The outer header is IPv6 or, for plain IPv4, absent.
type packet struct {
	src, dst     netip.Addr
	srh          []netip.Addr // segment list as on the wire: last segment first
	segmentsLeft int          // -1 without SRH
	hopLimit     byte
	size         int    // of the IP packet
	inner        []byte // the bytes behind the outer IPv6 header and its SRH
	innerProto   byte
	inner4Dst    netip.Addr // of a plain IPv4 packet, which has none of the above but hopLimit
	whole        []byte     // from the IP header on
}

func (p packet) String() string {
	return fmt.Sprintf("dst=%s SL=%d srh=%v proto=%d", p.dst, p.segmentsLeft, p.srh, p.innerProto)
}

// innerV6Dst is the destination of an encapsulated IPv6 packet.
func (p packet) innerV6Dst() netip.Addr {
	if p.innerProto != unix.IPPROTO_IPV6 || len(p.inner) < 40 {
		return netip.Addr{}
	}
	return netip.AddrFrom16([16]byte(p.inner[24:40]))
}

func parsePacket(frame []byte) (packet, bool) {
	if len(frame) >= 14+20 && binary.BigEndian.Uint16(frame[12:]) == unix.ETH_P_IP {
		return packet{hopLimit: frame[14+8], inner4Dst: netip.AddrFrom4([4]byte(frame[14+16:][:4])), segmentsLeft: -1, whole: frame[14:]}, true
	}
	if len(frame) < 14+40 || binary.BigEndian.Uint16(frame[12:]) != unix.ETH_P_IPV6 {
		return packet{}, false
	}
	ip := frame[14:]
	p := packet{
		src: netip.AddrFrom16([16]byte(ip[8:24])), dst: netip.AddrFrom16([16]byte(ip[24:40])),
		segmentsLeft: -1, hopLimit: ip[7], size: len(ip), inner: ip[40:], innerProto: ip[6], whole: ip,
	}
	if p.innerProto == unix.IPPROTO_ROUTING && len(p.inner) >= 8 {
		size := (int(p.inner[1]) + 1) * 8
		if size > len(p.inner) {
			return packet{}, false
		}
		p.segmentsLeft = int(p.inner[3])
		for b := p.inner[8:size]; len(b) >= 16; b = b[16:] {
			p.srh = append(p.srh, netip.AddrFrom16([16]byte(b[:16])))
		}
		p.innerProto, p.inner = p.inner[0], p.inner[size:]
	}
	return p, true
}

// interfaceOf finds an interface in a namespace, which the caller closes.
func interfaceOf(t testing.TB, ns, name string) (netns.NsHandle, netlink.Link) {
	t.Helper()
	handle, err := netns.GetFromName(ns)
	if err != nil {
		t.Fatalf("open namespace %s: %v", ns, err)
	}
	links, err := netlink.NewHandleAt(handle)
	if err != nil {
		t.Fatalf("netlink in %s: %v", ns, err)
	}
	defer links.Close()
	link, err := links.LinkByName(name)
	if err != nil {
		t.Fatalf("interface %s of %s: %v", name, ns, err)
	}
	return handle, link
}

// listen opens a tap on an interface of a namespace until the test ends.
func listen(t testing.TB, ns, name string) *tap {
	t.Helper()
	handle, link := interfaceOf(t, ns, name)
	defer handle.Close()
	tp := &tap{}
	err := namespace{handle: handle, name: ns}.do(func() (err error) {
		tp.fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		return err
	})
	if err == nil {
		err = tp.mapRing(link.Attrs().Index)
	}
	if err != nil {
		t.Fatalf("tap on %s of %s: %v", name, ns, err)
	}
	var running sync.WaitGroup
	running.Go(tp.read)
	t.Cleanup(func() {
		tp.stop.Store(true)
		running.Wait()
		if err := errors.Join(unix.Munmap(tp.ring), unix.Close(tp.fd)); err != nil {
			t.Errorf("close tap: %v", err)
		}
	})
	return tp
}

func (tp *tap) mapRing(index int) (err error) {
	const size = ringFrameBytes * ringFrames
	if err := unix.SetsockoptInt(tp.fd, unix.SOL_PACKET, unix.PACKET_VERSION, unix.TPACKET_V2); err != nil {
		return err
	}
	req := &unix.TpacketReq{Block_size: 1 << 16, Block_nr: size >> 16, Frame_size: ringFrameBytes, Frame_nr: ringFrames}
	if err := unix.SetsockoptTpacketReq(tp.fd, unix.SOL_PACKET, unix.PACKET_RX_RING, req); err != nil {
		return err
	}
	if tp.ring, err = unix.Mmap(tp.fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return err
	}
	return unix.Bind(tp.fd, &unix.SockaddrLinklayer{Protocol: unix.ETH_P_ALL << 8, Ifindex: index})
}

// read walks the ring; a frame's first word says whose it is.
func (tp *tap) read() {
	for i := 0; !tp.stop.Load(); {
		frame := tp.ring[i*ringFrameBytes:][:ringFrameBytes]
		status := (*uint32)(unsafe.Pointer(&frame[0]))
		if atomic.LoadUint32(status)&unix.TP_STATUS_USER == 0 {
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(tp.fd), Events: unix.POLLIN}}, 20)
			continue
		}
		captured, start := binary.NativeEndian.Uint32(frame[8:]), binary.NativeEndian.Uint16(frame[12:])
		if p, ok := parsePacket(bytes.Clone(frame[start:][:captured])); ok {
			tp.mu.Lock()
			tp.seen = append(tp.seen, p)
			tp.mu.Unlock()
		}
		atomic.StoreUint32(status, unix.TP_STATUS_KERNEL)
		i = (i + 1) % ringFrames
	}
}

// all gives the packets that a condition selects.
func (tp *tap) all(want func(packet) bool) []packet {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	var out []packet
	for _, p := range tp.seen {
		if want(p) {
			out = append(out, p)
		}
	}
	return out
}

// first waits for a packet that a condition selects.
func (tp *tap) first(t testing.TB, what string, want func(packet) bool) packet {
	t.Helper()
	var found []packet
	eventually(t, what, func() bool { found = tp.all(want); return len(found) > 0 })
	return found[0]
}

// send emits a frame from an interface of a namespace.
func sendFrame(t testing.TB, ns, name string, frame []byte) {
	t.Helper()
	send, done := sender(t, ns, name)
	defer done()
	send(frame)
}

// sender sends many.
func sender(t testing.TB, ns, name string) (send func(frame []byte), done func()) {
	t.Helper()
	try, done := frameSocket(t, ns, name)
	return func(frame []byte) {
		if err := try(frame); err != nil {
			t.Errorf("send from %s of %s: %v", name, ns, err)
		}
	}, done
}

// frameSocket sends frames from an interface, which fails while the interface has no carrier.
func frameSocket(t testing.TB, ns, name string) (try func(frame []byte) error, done func()) {
	t.Helper()
	handle, link := interfaceOf(t, ns, name)
	defer handle.Close()
	s, err := socket.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0, "sender", &socket.Config{NetNS: int(handle)})
	if err != nil {
		t.Fatalf("packet socket in %s: %v", ns, err)
	}
	to := &unix.SockaddrLinklayer{Ifindex: link.Attrs().Index}
	return func(frame []byte) error {
		return s.Sendto(context.Background(), frame, 0, to)
	}, func() { _ = s.Close() }
}

// A chain is host - node - … - node - host. Port 1 of a node leads left, port 2 right; node k of the
// chain has the uSID that was asked for, and a route to the uSID of every other node.
//
//	h1 -- l1 -- … -- l3 -- h3       hosts fd00:1::2, 10.1.0.2 and fd00:3::2, 10.3.0.2
type chain struct {
	left, right string // namespaces of the hosts
	ns          []string
	nodes       []*Node
	states      []string
	usids       []uint16
}

func usidPrefix(usid uint16) netip.Prefix { return px(fmt.Sprintf("fcbb:bbbb:%x::/48", usid)) }

// newChain builds a chain whose nodes have these uSIDs, with uN, f00d and f004 SIDs and all routes.
func newChain(t testing.TB, usids ...uint16) *chain {
	t.Helper()
	c := &chain{left: newNamespace(t, "h1"), right: newNamespace(t, "h3"), usids: usids}
	for _, u := range usids {
		c.ns = append(c.ns, newNamespace(t, fmt.Sprintf("%x", u)))
		c.states = append(c.states, t.TempDir())
	}
	last := len(usids) - 1
	wire(t, c.left, "eth0", c.ns[0], "p1")
	for i := range last {
		wire(t, c.ns[i], "p2", c.ns[i+1], "p1")
	}
	wire(t, c.ns[last], "p2", c.right, "eth0")
	host(t, c.left, "1", c.ns[0], "p1")
	host(t, c.right, "3", c.ns[last], "p2")
	for i := range usids {
		c.nodes = append(c.nodes, openNode(t, c.ns[i], c.states[i], map[contract.PortID]string{1: "p1", 2: "p2"}))
		mustApply(t, c.nodes[i], insert(c.base(i)...))
		mustApply(t, c.nodes[i], modify(contract.EncapSource{Source: ad(fmt.Sprintf("fcff:%x::1", usids[i]))}))
	}
	return c
}

// host gives a host and its gateway their addresses, as an operator would.
func host(t testing.TB, ns, net, gateway, port string) {
	t.Helper()
	in(t, ns, fmt.Sprintf(`sysctl -qw net.ipv6.conf.eth0.accept_dad=0
		ip addr add fd00:%[1]s::2/64 dev eth0 nodad; ip addr add 10.%[1]s.0.2/24 dev eth0
		ip -6 route add default via fd00:%[1]s::1; ip route add default via 10.%[1]s.0.1`, net))
	in(t, gateway, fmt.Sprintf("ip addr add fd00:%[1]s::1/64 dev %[2]s nodad; ip addr add 10.%[1]s.0.1/24 dev %[2]s", net, port))
}

// base is the provisioned entries of node i.
func (c *chain) base(i int) []contract.Entry {
	var rows []contract.Entry
	if i > 0 {
		rows = append(rows, contract.NextHop{ID: 1, Port: 1, SrcMAC: mac(c.ns[i], "p1"), DstMAC: mac(c.ns[i-1], "p2")})
	}
	if i < len(c.ns)-1 {
		rows = append(rows, contract.NextHop{ID: 2, Port: 2, SrcMAC: mac(c.ns[i], "p2"), DstMAC: mac(c.ns[i+1], "p1")})
	}
	own := usidPrefix(c.usids[i])
	rows = append(rows, un(own.String()),
		local(c.sid(i, "f00d"), contract.Behavior{Action: contract.UDT6}),
		local(c.sid(i, "f004"), contract.Behavior{Action: contract.UDT4}))
	for j, u := range c.usids {
		switch {
		case j < i:
			rows = append(rows, via(usidPrefix(u).String(), 1), via(fmt.Sprintf("fcff:%x::1/128", u), 1))
		case j > i:
			rows = append(rows, via(usidPrefix(u).String(), 2), via(fmt.Sprintf("fcff:%x::1/128", u), 2))
		}
	}
	return rows
}

// sid is the fused /64 of a node and one of its local uSIDs.
func (c *chain) sid(i int, function string) string {
	return fmt.Sprintf("fcbb:bbbb:%x:%s::/64", c.usids[i], function)
}

// ping sends a few packets between the hosts and wants every answer.
func (c *chain) ping(t testing.TB, dst string) {
	t.Helper()
	needTool(t, "ping", "iputils-ping")
	ping(t, c.left, dst)
}

func ping(t testing.TB, ns, dst string) {
	t.Helper()
	out := run(t, "ip", "netns", "exec", ns, "ping", "-c", "3", "-i", "0.05", "-W", "2", dst)
	if !strings.Contains(out, " 0% packet loss") {
		t.Errorf("ping %s from %s:\n%s", dst, ns, out)
	}
}
