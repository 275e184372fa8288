// SPDX-License-Identifier: Apache-2.0

package delays

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"syscall"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/stamp"
)

const (
	udpBytes      = 8
	checksumAt    = 6
	receiveBytes  = 64 << 10 // room of a socket
	mostBytes     = 256      // of a packet; longer ones are cut, and so none of ours
	hopLimitBytes = 4
)

// allNodes of a link (RFC 4291, 2.7.1).
func allNodes() netip.Addr { return netip.MustParseAddr("ff02::1") }

// A socket is bound to one interface, and waits by the runtime's poller.
type socket struct {
	file  *os.File
	raw   syscall.RawConn
	index int
	buf   []byte
	oob   []byte
}

// openSocket is called on a thread of the node's namespace. prepare does the work that a kind of socket needs besides,
// once it is bound to its interface.
func openSocket(index, kind, protocol int, prepare func(fd int) error) (*socket, error) {
	fd, err := unix.Socket(unix.AF_INET6, kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, protocol)
	if err != nil {
		return nil, fmt.Errorf("open a socket to measure delays: %w", err)
	}
	err = errors.Join(
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_BINDTOIFINDEX, index),
		prepare(fd),
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, receiveBytes),
		unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_RECVHOPLIMIT, 1),
		unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO, 1),
		unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_UNICAST_HOPS, stamp.MostHops),
		unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_HOPS, stamp.MostHops),
		unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_LOOP, 0),
		unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_IF, index),
	)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare a socket to measure delays: %w", err), unix.Close(fd))
	}
	s := &socket{
		file: os.NewFile(uintptr(fd), "delays"), index: index, buf: make([]byte, mostBytes),
		oob: make([]byte, unix.CmsgSpace(16)+unix.CmsgSpace(hopLimitBytes)+unix.CmsgSpace(unix.SizeofInet6Pktinfo)),
	}
	if s.raw, err = s.file.SyscallConn(); err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	return s, nil
}

func (s *socket) close() error { return s.file.Close() }

// A packet is one that has come in from the link itself: by link-local addresses, over no router.
type packet struct {
	payload []byte
	from    netip.Addr
	at      time.Time // zero if the kernel does not say
}

// next is the next packet from the link itself; an error is that the socket was closed. to says which destinations count.
func (s *socket) next(to func(netip.Addr) bool) (packet, error) {
	for {
		var n, oobn int
		var from unix.Sockaddr
		var failed error
		err := s.raw.Read(func(fd uintptr) bool {
			n, oobn, _, from, failed = unix.Recvmsg(int(fd), s.buf, s.oob, 0)
			return !errors.Is(failed, unix.EAGAIN)
		})
		if err != nil {
			return packet{}, err
		}
		sender, is := from.(*unix.SockaddrInet6)
		if failed != nil || !is {
			continue
		}
		p := packet{payload: s.buf[:n], from: netip.AddrFrom16(sender.Addr)}
		dst, hops := p.read(s.oob[:oobn])
		if p.from.IsLinkLocalUnicast() && hops == stamp.MostHops && to(dst) {
			return p, nil
		}
	}
}

// read takes the kernel's control messages about a packet.
func (p *packet) read(oob []byte) (dst netip.Addr, hops int) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return dst, 0
	}
	for _, m := range messages {
		switch kind := [2]int32{m.Header.Level, m.Header.Type}; {
		case kind == [2]int32{unix.SOL_SOCKET, unix.SCM_TIMESTAMPNS} && len(m.Data) >= 16: // struct timespec of 64 bits
			p.at = time.Unix(int64(binary.NativeEndian.Uint64(m.Data)), int64(binary.NativeEndian.Uint64(m.Data[8:])))
		case kind == [2]int32{unix.IPPROTO_IPV6, unix.IPV6_HOPLIMIT} && len(m.Data) >= hopLimitBytes:
			hops = int(binary.NativeEndian.Uint32(m.Data))
		case kind == [2]int32{unix.IPPROTO_IPV6, unix.IPV6_PKTINFO} && len(m.Data) >= unix.SizeofInet6Pktinfo:
			dst = netip.AddrFrom16([16]byte(m.Data))
		}
	}
	return dst, hops
}

// A listener has a UDP port of its own, to which neighbours answer.
type listener struct {
	*socket
	port uint16
}

func openListener(index int) (*listener, error) {
	l := new(listener)
	var err error
	l.socket, err = openSocket(index, unix.SOCK_DGRAM, 0, func(fd int) error {
		if err := unix.Bind(fd, &unix.SockaddrInet6{}); err != nil {
			return err
		}
		own, err := unix.Getsockname(fd)
		if at, is := own.(*unix.SockaddrInet6); is {
			l.port = uint16(at.Port)
		}
		return err
	})
	return l, err
}

// receive gives the reflected packet, and when the kernel received it.
func (l *listener) receive() ([]byte, time.Time, error) {
	p, err := l.next(netip.Addr.IsLinkLocalUnicast)
	return p.payload, p.at, err
}

// A reflector has a raw socket, whose packets begin with their UDP header.
type reflector struct{ *socket }

func openReflector(index int) (*reflector, error) {
	s, err := openSocket(index, unix.SOCK_RAW, unix.IPPROTO_UDP, func(fd int) error {
		return errors.Join(onlyTests(fd), unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_CHECKSUM, checksumAt))
	})
	if err != nil {
		return nil, err
	}
	return &reflector{s}, nil
}

// onlyTests keeps the node's other UDP from the agent.
func onlyTests(fd int) error {
	program, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: 2, Size: 2},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: stamp.Port, SkipTrue: 1},
		bpf.RetConstant{Val: mostBytes},
		bpf.RetConstant{Val: 0},
	})
	if err != nil {
		return err
	}
	raw := make([]unix.SockFilter, len(program))
	for i, one := range program {
		raw[i] = unix.SockFilter{Code: one.Op, Jt: one.Jt, Jf: one.Jf, K: one.K}
	}
	return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]})
}

// A test is a neighbour's packet.
type test struct {
	packet
	port uint16 // of the neighbour
}

func (r *reflector) receive() (test, error) {
	for {
		p, err := r.next(func(dst netip.Addr) bool { return dst == allNodes() })
		if err != nil {
			return test{}, err
		}
		if len(p.payload) < udpBytes || int(binary.BigEndian.Uint16(p.payload[4:])) != len(p.payload) {
			continue
		}
		port := binary.BigEndian.Uint16(p.payload)
		p.payload = p.payload[udpBytes:]
		return test{p, port}, nil
	}
}

// send says whether a datagram has left. Its checksum is the kernel's, which writes all of it: links that are wires in
// software show the parts that a UDP socket leaves to the hardware.
func (r *reflector) send(to netip.Addr, fromPort, toPort uint16, payload []byte) bool {
	b := make([]byte, udpBytes, udpBytes+len(payload))
	binary.BigEndian.PutUint16(b, fromPort)
	binary.BigEndian.PutUint16(b[2:], toPort)
	binary.BigEndian.PutUint16(b[4:], uint16(udpBytes+len(payload)))
	b = append(b, payload...)
	var sent error
	err := r.raw.Control(func(fd uintptr) {
		sent = unix.Sendto(int(fd), b, unix.MSG_DONTWAIT, &unix.SockaddrInet6{Addr: to.As16(), ZoneId: uint32(r.index)})
	})
	return err == nil && sent == nil
}
