// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mdlayher/socket"
	"golang.org/x/sys/unix"
)

// tooBigRelay keeps path MTU discovery alive through a policy. When an encapsulated packet does not fit a link, the
// node before that link notifies the source of the outer header: the headend. The kernel learns it there and goes on
// dropping; the host that has to send less never hears (seen on 6.18, and the reason why large packets vanish in SRv6
// networks). So the agent passes it on to the inner source, less the bytes of the encapsulation (RFC 2473, 8.1 and 8.2;
// RFC 8754, 5.4):
//
//	packet too big, 1500, about [outer IPv6 [SRH] [inner packet]]   ->  to the inner source:
//	packet too big, 1500 - 40 - SRH, about [inner packet]           (IPv4: fragmentation needed)
//
// IPv4 packets that may be fragmented get no message, and are dropped. Nor is anything passed on that comes by a port
// of the outside, or from an address that is not the domain's where the node knows those: packets with outer headers
// never were there, so that such a complaint is made up.
type tooBigRelay struct {
	v6, v4  *socket.Conn
	source  atomic.Pointer[netip.Addr]     // of outer headers; another one is not ours to speak about
	outside atomic.Pointer[map[int]bool]   // indexes of interfaces
	domain  atomic.Pointer[[]netip.Prefix] // the senders whose complaints are passed on; none: all of them
	log     func(string, ...any)
	running sync.WaitGroup
}

const (
	ipv6HeaderBytes  = 40
	ipv4HeaderBytes  = 20
	icmpHeaderBytes  = 8
	minMTUv6         = 1280 // RFC 8200, 5
	minMTUv4         = 68   // RFC 791
	icmpv6TooBig     = 2
	icmpUnreachable  = 3
	icmpFragNeeded   = 4
	firstInformation = 128 // ICMPv6 types below are errors
	relaysPerSecond  = 1000
)

func newTooBigRelay(netns int, log func(string, ...any)) (*tooBigRelay, error) {
	config := &socket.Config{NetNS: netns}
	v6, err := socket.Socket(unix.AF_INET6, unix.SOCK_RAW, unix.IPPROTO_ICMPV6, "icmp6", config)
	if err != nil {
		return nil, fmt.Errorf("open ICMPv6 socket: %w", err)
	}
	onlyTooBig := &unix.ICMPv6Filter{Data: [8]uint32{^uint32(1 << icmpv6TooBig), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}}
	if err := v6.SetsockoptICMPv6Filter(unix.SOL_ICMPV6, unix.ICMPV6_FILTER, onlyTooBig); err != nil {
		return nil, errors.Join(fmt.Errorf("filter ICMPv6 socket: %w", err), v6.Close())
	}
	if err := v6.SetsockoptInt(unix.SOL_IPV6, unix.IPV6_RECVPKTINFO, 1); err != nil {
		return nil, errors.Join(fmt.Errorf("request interfaces from the ICMPv6 socket: %w", err), v6.Close())
	}
	v4, err := socket.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP, "icmp", config)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open ICMP socket: %w", err), v6.Close())
	}
	r := &tooBigRelay{v6: v6, v4: v4, log: log}
	r.outside.Store(&map[int]bool{})
	r.domain.Store(&[]netip.Prefix{})
	r.running.Go(r.serve)
	return r, nil
}

// setSource says which packets are this node's: those with the source, or none while none is set.
func (r *tooBigRelay) setSource(a netip.Addr) {
	if !a.IsValid() || a.IsUnspecified() {
		r.source.Store(nil)
		return
	}
	r.source.Store(&a)
}

func (r *tooBigRelay) close() error {
	err := errors.Join(r.v6.Close(), r.v4.Close())
	r.running.Wait()
	return err
}

// serve ends when the socket is closed.
func (r *tooBigRelay) serve() {
	buffer := make([]byte, 2048) // an ICMPv6 error fits the minimum MTU
	control := make([]byte, unix.CmsgSpace(unix.SizeofInet6Pktinfo))
	var second time.Time
	sent := 0
	for {
		size, told, _, from, err := r.v6.Recvmsg(context.Background(), buffer, control, 0)
		if errors.Is(err, unix.ENETDOWN) || errors.Is(err, unix.ENOBUFS) {
			continue
		}
		if err != nil {
			return
		}
		if (*r.outside.Load())[arrivedBy(control[:told])] || !r.ofDomain(from) {
			continue
		}
		if now := time.Now(); now.Sub(second) > time.Second {
			second, sent = now, 0
		}
		if sent++; sent > relaysPerSecond {
			continue
		}
		r.relay(buffer[:size])
	}
}

// ofDomain says whether a complaint comes from where packets with outer headers are.
func (r *tooBigRelay) ofDomain(from unix.Sockaddr) bool {
	domain := *r.domain.Load()
	if len(domain) == 0 {
		return true
	}
	a, ok := from.(*unix.SockaddrInet6)
	return ok && slices.ContainsFunc(domain, func(p netip.Prefix) bool { return p.Contains(netip.AddrFrom16(a.Addr)) })
}

// arrivedBy is the index of the interface that a message came by; 0 if the kernel does not say.
func arrivedBy(control []byte) int {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_IPV6 && m.Header.Type == unix.IPV6_PKTINFO && len(m.Data) >= unix.SizeofInet6Pktinfo {
			return int(binary.NativeEndian.Uint32(m.Data[16:])) // RFC 3542, 6
		}
	}
	return 0
}

func (r *tooBigRelay) relay(message []byte) {
	source := r.source.Load()
	if source == nil {
		return
	}
	to, icmp, ok := translateTooBig(message, *source)
	if !ok {
		return
	}
	var err error
	if to.Is4() {
		err = r.v4.Sendto(context.Background(), icmp, 0, &unix.SockaddrInet4{Addr: to.As4()})
	} else {
		err = r.v6.Sendto(context.Background(), icmp, 0, &unix.SockaddrInet6{Addr: to.As16()})
	}
	if err != nil {
		r.log("send %s a Packet Too Big: %v", to, err)
	}
}

// translateTooBig makes the message to the inner source, without a checksum for ICMPv6, which the kernel fills in. It
// gives false for packets that need no message, and for malformed ones.
func translateTooBig(message []byte, source netip.Addr) (to netip.Addr, icmp []byte, ok bool) {
	if len(message) < icmpHeaderBytes+ipv6HeaderBytes || message[0] != icmpv6TooBig {
		return netip.Addr{}, nil, false
	}
	mtu, outer := int(binary.BigEndian.Uint32(message[4:])), message[icmpHeaderBytes:]
	if outer[0]>>4 != 6 || netip.AddrFrom16([16]byte(outer[8:24])) != source {
		return netip.Addr{}, nil, false
	}
	next, inner := outer[6], outer[ipv6HeaderBytes:]
	if next == unix.IPPROTO_ROUTING {
		if len(inner) < 8 {
			return netip.Addr{}, nil, false
		}
		size := (int(inner[1]) + 1) * 8
		if len(inner) < size {
			return netip.Addr{}, nil, false
		}
		next, inner = inner[0], inner[size:]
	}
	mtu -= len(outer) - len(inner)
	switch {
	case next == unix.IPPROTO_IPV6 && len(inner) >= ipv6HeaderBytes && inner[0]>>4 == 6:
		return tooBigV6(inner, max(mtu, minMTUv6))
	case next == unix.IPPROTO_IPIP && len(inner) >= ipv4HeaderBytes && inner[0]>>4 == 4:
		return fragmentationNeeded(inner, max(mtu, minMTUv4))
	}
	return netip.Addr{}, nil, false
}

func tooBigV6(inner []byte, mtu int) (netip.Addr, []byte, bool) {
	to := netip.AddrFrom16([16]byte(inner[8:24]))
	isError := inner[6] == unix.IPPROTO_ICMPV6 && len(inner) > ipv6HeaderBytes && inner[ipv6HeaderBytes] < firstInformation
	if to.IsUnspecified() || to.IsMulticast() || to.IsLoopback() || isError {
		return netip.Addr{}, nil, false
	}
	icmp := []byte{icmpv6TooBig, 0, 0, 0}
	icmp = binary.BigEndian.AppendUint32(icmp, uint32(mtu))
	return to, append(icmp, inner[:min(len(inner), minMTUv6-ipv6HeaderBytes-icmpHeaderBytes)]...), true
}

func fragmentationNeeded(inner []byte, mtu int) (netip.Addr, []byte, bool) {
	const dontFragment = 0x40
	to := netip.AddrFrom4([4]byte(inner[12:16]))
	if inner[6]&dontFragment == 0 || to.IsUnspecified() || to.IsMulticast() || to.IsLoopback() {
		return netip.Addr{}, nil, false
	}
	icmp := []byte{icmpUnreachable, icmpFragNeeded, 0, 0, 0, 0}
	icmp = binary.BigEndian.AppendUint16(icmp, uint16(min(mtu, 0xffff))) // RFC 1191, 4
	const quoted = 576 - ipv4HeaderBytes - icmpHeaderBytes               // RFC 1812, 4.3.2.3
	icmp = append(icmp, inner[:min(len(inner), quoted)]...)
	binary.BigEndian.PutUint16(icmp[2:], internetChecksum(icmp))
	return to, icmp, true
}

// internetChecksum is that of RFC 1071.
func internetChecksum(b []byte) uint16 {
	var sum uint32
	for ; len(b) > 1; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	if len(b) == 1 {
		sum += uint32(b[0]) << 8
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
