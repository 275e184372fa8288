// SPDX-License-Identifier: Apache-2.0

package probes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/stamp"
)

// A Link is the device pair of a node. A packet sent into Near arrives at Far, and the kernel forwards it from there
// like one that came in at a port: through the node's own SIDs, routes and standbys. A returned probe is routed into
// Far, with an address that no node has, so that it arrives at Near and goes no further.
type Link struct {
	Near, Far int // indexes
	// FarMAC is the address of Far.
	FarMAC [6]byte
}

// NobodysMAC is where routes of probes lead. The kernel drops packets for it; packet sockets see them before.
var NobodysMAC = [6]byte{0x02, 0x5e, 0x7e, 0, 0, 1} //nolint:gochecknoglobals // a constant

// wire is one packet socket at Near that sends and receives.
type wire struct {
	fd   int
	near int
	to   unix.SockaddrLinklayer
	buf  []byte
	oob  []byte
}

const receiveBufferBytes = 1 << 20

// openWire is called on a thread of the node's namespace.
func openWire(l Link) (*wire, error) {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open a packet socket for probes: %w", err)
	}
	w := &wire{
		fd: fd, near: l.Near, to: unix.SockaddrLinklayer{Ifindex: l.Near},
		buf: make([]byte, 2*stamp.ReceivedBytes), oob: make([]byte, unix.CmsgSpace(16)),
	}
	if err := w.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare a packet socket for probes: %w", err), w.close())
	}
	return w, nil
}

// prepare has the socket receive returned probes, and nothing else that passes the pair, with the time at which the
// kernel received them. The filter is there before the socket listens.
func (w *wire) prepare() error {
	program, err := bpf.Assemble(filter())
	if err != nil {
		return err
	}
	raw := make([]unix.SockFilter, len(program))
	for i, one := range program {
		raw[i] = unix.SockFilter{Code: one.Op, Jt: one.Jt, Jf: one.Jf, K: one.K}
	}
	err = errors.Join(
		unix.SetsockoptSockFprog(w.fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]}),
		unix.SetsockoptInt(w.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		unix.SetsockoptInt(w.fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, receiveBufferBytes),
	)
	if err != nil {
		return err
	}
	const ipv6BigEndian = unix.ETH_P_IPV6>>8 | unix.ETH_P_IPV6&0xff<<8
	return unix.Bind(w.fd, &unix.SockaddrLinklayer{Protocol: ipv6BigEndian, Ifindex: w.near})
}

// filter takes UDP to the reflector's port that is for another host (linux/if_packet.h, PACKET_OTHERHOST).
func filter() []bpf.Instruction {
	const otherHost, protocolAt, portAt, udp = 3, 14 + 6, 14 + 40 + 2, 17
	return []bpf.Instruction{
		bpf.LoadExtension{Num: bpf.ExtType},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: otherHost, SkipTrue: 5},
		bpf.LoadAbsolute{Off: protocolAt, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: udp, SkipTrue: 3},
		bpf.LoadAbsolute{Off: portAt, Size: 2},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: stamp.Port, SkipTrue: 1},
		bpf.RetConstant{Val: 2 * stamp.ReceivedBytes},
		bpf.RetConstant{Val: 0},
	}
}

func (w *wire) close() error { return unix.Close(w.fd) }

// send says whether the frame has left.
func (w *wire) send(frame []byte) bool {
	return unix.Sendto(w.fd, frame, unix.MSG_DONTWAIT, &w.to) == nil
}

// receive gives the next frame that is there, and when the kernel received it; false for none.
func (w *wire) receive() (frame []byte, at time.Time, ok bool) {
	n, oobn, _, _, err := unix.Recvmsg(w.fd, w.buf, w.oob, unix.MSG_DONTWAIT)
	if err != nil {
		return nil, time.Time{}, false
	}
	return w.buf[:n], stampOf(w.oob[:oobn]), true
}

// stampOf reads SCM_TIMESTAMPNS, a struct timespec of 64 bits.
func stampOf(oob []byte) time.Time {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return time.Time{}
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPNS && len(m.Data) >= 16 {
			return time.Unix(int64(binary.NativeEndian.Uint64(m.Data)), int64(binary.NativeEndian.Uint64(m.Data[8:])))
		}
	}
	return time.Time{}
}
