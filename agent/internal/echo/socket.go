// SPDX-License-Identifier: Apache-2.0

package echo

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/mdlayher/socket"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// rawSocket sends and receives ICMP messages of one family.
type rawSocket struct {
	conn *socket.Conn
	v4   bool
}

func open(netns int, r Request) (*rawSocket, error) {
	s := &rawSocket{v4: r.Destination.Is4()}
	family, protocol := unix.AF_INET6, unix.IPPROTO_ICMPV6
	if s.v4 {
		family, protocol = unix.AF_INET, unix.IPPROTO_ICMP
	}
	conn, err := socket.Socket(family, unix.SOCK_RAW, protocol, "echo", &socket.Config{NetNS: netns})
	if err != nil {
		return nil, &contract.Error{
			Code: contract.PermissionDenied, Message: "no raw socket can be opened", Err: err, Remedy: "give the agent CAP_NET_RAW",
		}
	}
	s.conn = conn
	if err := s.prepare(r); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return s, nil
}

func (s *rawSocket) prepare(r Request) error {
	if err := s.options(r); err != nil {
		return fmt.Errorf("prepare a raw socket: %w", err)
	}
	if !r.Source.IsValid() {
		return nil
	}
	if err := s.conn.Bind(sockaddr(r.Source)); err != nil {
		return &contract.Error{
			Code: contract.InvalidArgument, Message: fmt.Sprintf("%s is no address of this node", r.Source), Err: err,
		}
	}
	return nil
}

func (s *rawSocket) options(r Request) error {
	if s.v4 {
		discover := unix.IP_PMTUDISC_DONT
		if r.DontFragment {
			discover = unix.IP_PMTUDISC_PROBE
		}
		return s.conn.SetsockoptInt(unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, discover)
	}
	var replies unix.ICMPv6Filter // a set bit is a type that is kept out
	for i := range replies.Data {
		replies.Data[i] = ^uint32(0)
	}
	const echoReply = 129
	replies.Data[echoReply/32] &^= 1 << (echoReply % 32)
	fragment := 0
	if r.DontFragment {
		fragment = 1
	}
	return errors.Join(
		s.conn.SetsockoptICMPv6Filter(unix.IPPROTO_ICMPV6, unix.ICMPV6_FILTER, &replies),
		s.conn.SetsockoptInt(unix.IPPROTO_IPV6, unix.IPV6_RECVHOPLIMIT, 1),
		s.conn.SetsockoptInt(unix.IPPROTO_IPV6, unix.IPV6_DONTFRAG, fragment),
	)
}

func sockaddr(a netip.Addr) unix.Sockaddr {
	if a.Is4() {
		return &unix.SockaddrInet4{Addr: a.As4()}
	}
	return &unix.SockaddrInet6{Addr: a.As16()}
}

func (s *rawSocket) send(ctx context.Context, message []byte, to netip.Addr) error {
	return s.conn.Sendto(ctx, message, 0, sockaddr(to))
}

// read passes incoming packets to packets until ctx ends or the socket is closed.
func (s *rawSocket) read(ctx context.Context, packets chan<- packet) error {
	buffer, control := make([]byte, 1<<16), make([]byte, 128)
	for {
		size, controlSize, _, _, err := s.conn.Recvmsg(ctx, buffer, control, 0)
		at := time.Now()
		if closed(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read from a raw socket: %w", err)
		}
		p, ok := s.parse(buffer[:size], control[:controlSize], at)
		if !ok {
			continue
		}
		select {
		case packets <- p:
		case <-ctx.Done():
			return nil
		}
	}
}

// parse takes the IPv4 header off, which a raw socket gives along; of IPv6 the hop limit comes beside the message.
func (s *rawSocket) parse(data, control []byte, at time.Time) (packet, bool) {
	if !s.v4 {
		return packet{message: slices.Clone(data), hopLimit: hopLimit(control), at: at}, true
	}
	const minHeader, ttl = 20, 8
	if len(data) < minHeader {
		return packet{}, false
	}
	header := int(data[0]&0xf) * 4
	if header < minHeader || header > len(data) {
		return packet{}, false
	}
	return packet{message: slices.Clone(data[header:]), hopLimit: int(data[ttl]), at: at}, true
}

// hopLimit is 0 where the kernel did not report it.
func hopLimit(control []byte) int {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0
	}
	for _, m := range messages {
		if m.Header.Level == unix.IPPROTO_IPV6 && m.Header.Type == unix.IPV6_HOPLIMIT && len(m.Data) >= 4 {
			return int(binary.NativeEndian.Uint32(m.Data))
		}
	}
	return 0
}

func (s *rawSocket) close() error { return s.conn.Close() }
