// SPDX-License-Identifier: Apache-2.0

// Package gtpu is the part of GTP-U (TS 29.281) that belongs to no session: it answers the Echo Requests by which gNBs
// watch a path, and signals the end of a tunnel. The packets of sessions are the data plane's.
package gtpu

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
)

// Port of GTP-U.
const Port = 2152

const (
	echoRequest  = 1
	echoResponse = 2
	endMarker    = 254

	version1, sequenceFlag = 0x30, 0x02
	optionFlags            = 0x07
	recoveryIE             = 14
)

// Answer gives the answer to a message, nil: it gets none.
func Answer(b []byte) []byte {
	if len(b) < 12 || b[0]&^optionFlags != version1 || b[0]&sequenceFlag == 0 || b[1] != echoRequest || int(binary.BigEndian.Uint16(b[2:]))+8 > len(b) {
		return nil
	}
	out := []byte{version1 | sequenceFlag, echoResponse, 0, 6, 0, 0, 0, 0, b[8], b[9], 0, 0, recoveryIE, 0}
	return out
}

// EndMarker says that nothing more comes in a tunnel.
func EndMarker(teid uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{version1, endMarker, 0, 0}, teid)
}

// A Socket is the port of GTP-U at one address.
type Socket struct {
	conn *net.UDPConn
}

// Listen opens the port at an address of this host.
func Listen(at netip.AddrPort) (*Socket, error) {
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return nil, fmt.Errorf("--echo: %w", err)
	}
	return &Socket{conn}, nil
}

// Serve answers until the socket is closed, and says why it ended then.
func (s *Socket) Serve() error {
	b := make([]byte, 2048)
	for {
		n, from, err := s.conn.ReadFromUDPAddrPort(b)
		if err != nil {
			return err
		}
		if answer := Answer(b[:n]); answer != nil {
			_, _ = s.conn.WriteToUDPAddrPort(answer, from) // as any packet it may be lost
		}
	}
}

// EndMarker notifies the other end of a tunnel.
func (s *Socket) EndMarker(to netip.Addr, teid uint32) {
	_, _ = s.conn.WriteToUDPAddrPort(EndMarker(teid), netip.AddrPortFrom(to, Port)) // as above
}

// Address is where it listens.
func (s *Socket) Address() netip.AddrPort { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// Close ends Serve.
func (s *Socket) Close() error { return s.conn.Close() }
