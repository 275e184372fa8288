// SPDX-License-Identifier: Apache-2.0

// Package stamp writes and reads probes: STAMP packets (RFC 8762, unauthenticated, with the session id of RFC 8972) in
// loopback mode, which come back to their sender as they left (RFC 9503, 4.1.3): nobody on the way has to know of them.
//
//	Ethernet | IPv6 to the first segment [SRH] | IPv6 to the sender itself | UDP 862 | STAMP, 44 bytes | Extra Padding TLV
//
// The encapsulation is H.Encaps.Red (RFC 8986, 5.2). The padding's content is pseudorandom (RFC 8972, 4.1): the sender knows its
// own probes by it.
package stamp

import (
	"encoding/binary"
	"net/netip"
	"time"
)

// Port is of the Session-Reflector (RFC 8762, 4.1).
const Port = 862

const (
	ethernetBytes = 14
	ipv6Bytes     = 40
	udpBytes      = 8
	// testBytes is a Session-Sender packet (RFC 8762, 4.2.1).
	testBytes = 44
	tlvBytes  = 4
	// NonceBytes is the length of the secret part.
	NonceBytes = 16

	protocolIPv6    = 41
	protocolUDP     = 17
	protocolRouting = 43
	etherTypeIPv6   = 0x86dd
	hopLimit        = 64
	mostHops        = 255 // RFC 8762, 4.1.1
	extraPadding    = 1   // the TLV's type (RFC 8972, 4.1)

	sequenceAt, timeAt, errorAt, sessionAt = 0, 4, 12, 14
	nonceAt                                = testBytes + tlvBytes

	packetBytes = ipv6Bytes + udpBytes + nonceAt + NonceBytes
	// ReceivedBytes is the length of a frame that has come back, without its encapsulation.
	ReceivedBytes = ethernetBytes + packetBytes
)

// A Path is the common part of the probes of a member. Segments are in travel order, at least one.
type Path struct {
	To, From  [6]byte    // addresses of the link that a probe begins on
	Source    netip.Addr // of the outer header, and of the probe: the domain's own
	Sender    netip.Addr // where probes are to come back to
	Segments  []netip.Addr
	Session   uint16
	Nonce     [NonceBytes]byte
	FlowLabel uint16 // so that flows of members differ; also within the source port
}

// A Frame is a probe that is sent again and again, with another number and time.
type Frame struct {
	bytes []byte
	test  int // where the STAMP packet begins
}

// New writes all but the number and the time.
func New(p Path) *Frame {
	srh := 0
	if n := len(p.Segments); n > 1 {
		srh = 8 + 16*(n-1)
	}
	b := make([]byte, ethernetBytes+ipv6Bytes+srh+packetBytes)
	copy(b[0:], p.To[:])
	copy(b[6:], p.From[:])
	binary.BigEndian.PutUint16(b[12:], etherTypeIPv6)
	outer := b[ethernetBytes:]
	next := byte(protocolIPv6)
	if srh > 0 {
		next = protocolRouting
		routing(outer[ipv6Bytes:], p.Segments)
	}
	header(outer, p.Source, p.Segments[0], srh+packetBytes, next, hopLimit)
	inner := outer[ipv6Bytes+srh:]
	header(inner, p.Source, p.Sender, packetBytes-ipv6Bytes, protocolUDP, mostHops)
	udp := inner[ipv6Bytes:]
	const dynamic, span = 49152, 16384 // RFC 6335, 6
	binary.BigEndian.PutUint16(udp[0:], dynamic+p.FlowLabel%span)
	binary.BigEndian.PutUint16(udp[2:], Port)
	binary.BigEndian.PutUint16(udp[4:], packetBytes-ipv6Bytes)
	test := udp[udpBytes:]
	binary.BigEndian.PutUint16(test[errorAt:], 1) // not synchronized, an error of 2^-32 s: no other clock is asked
	binary.BigEndian.PutUint16(test[sessionAt:], p.Session)
	test[testBytes+1] = extraPadding
	binary.BigEndian.PutUint16(test[testBytes+2:], NonceBytes)
	copy(test[nonceAt:], p.Nonce[:])
	return &Frame{b, len(b) - len(test)}
}

func header(b []byte, src, dst netip.Addr, payload int, next, hops byte) {
	b[0] = 6 << 4
	binary.BigEndian.PutUint16(b[4:], uint16(payload))
	b[6], b[7] = next, hops
	copy(b[8:], src.AsSlice())
	copy(b[24:], dst.AsSlice())
}

// routing is an SRH (RFC 8754, 2) without the first segment, the last one first.
func routing(b []byte, segments []netip.Addr) {
	rest := segments[1:]
	b[0], b[1], b[2], b[3] = protocolIPv6, byte(2*len(rest)), 4, byte(len(rest))
	b[4] = byte(len(rest) - 1)
	for i, s := range rest {
		copy(b[8+16*(len(rest)-1-i):], s.AsSlice())
	}
}

// Bytes of the probe with this number, sent at a time; they are the Frame's, until the next.
func (f *Frame) Bytes(number uint32, at time.Time) []byte {
	test := f.bytes[f.test:]
	binary.BigEndian.PutUint32(test[sequenceAt:], number)
	binary.BigEndian.PutUint64(test[timeAt:], ntp(at))
	udp := f.bytes[f.test-udpBytes:]
	binary.BigEndian.PutUint16(udp[6:], 0)
	binary.BigEndian.PutUint16(udp[6:], checksum(f.bytes[f.test-udpBytes-32:f.test-udpBytes], udp))
	return f.bytes
}

// Len of the packet on the wire, with its encapsulation.
func (f *Frame) Len() int { return len(f.bytes) - ethernetBytes }

// ntp is the format of RFC 8762, 4.2.1.
func ntp(t time.Time) uint64 {
	const since1900 = 2208988800
	return uint64(t.Unix()+since1900)<<32 | uint64(t.Nanosecond())<<32/1e9
}

// checksum of UDP over IPv6 (RFC 8200, 8.1).
func checksum(addresses, udp []byte) uint16 {
	sum := uint32(len(udp)) + protocolUDP
	for _, part := range [][]byte{addresses, udp} {
		for ; len(part) > 1; part = part[2:] {
			sum += uint32(binary.BigEndian.Uint16(part))
		}
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	if c := ^uint16(sum); c != 0 {
		return c
	}
	return 0xffff
}

// An Answer is a probe that came back.
type Answer struct {
	Session uint16
	Number  uint32
	Nonce   [NonceBytes]byte
}

// Parse reads a frame that has come back, decapsulated; false for frames that are no probes.
func Parse(frame []byte) (Answer, bool) {
	if len(frame) < ReceivedBytes || binary.BigEndian.Uint16(frame[12:]) != etherTypeIPv6 {
		return Answer{}, false
	}
	ip := frame[ethernetBytes:]
	udp := ip[ipv6Bytes:]
	if ip[0]>>4 != 6 || ip[6] != protocolUDP || binary.BigEndian.Uint16(ip[4:]) != packetBytes-ipv6Bytes ||
		binary.BigEndian.Uint16(udp[2:]) != Port || checksum(ip[8:ipv6Bytes], udp[:packetBytes-ipv6Bytes]) != 0xffff {
		return Answer{}, false
	}
	test := udp[udpBytes:]
	return Answer{
		Session: binary.BigEndian.Uint16(test[sessionAt:]),
		Number:  binary.BigEndian.Uint32(test[sequenceAt:]),
		Nonce:   [NonceBytes]byte(test[nonceAt:]),
	}, true
}
