// SPDX-License-Identifier: Apache-2.0

package stamp

import (
	"encoding/binary"
	"time"
)

// TestBytes is the length of a STAMP packet without TLVs, of a sender and of a reflector alike (RFC 8762, 4.2.1 and 4.3.1).
const TestBytes = testBytes

// MostHops is the hop limit that both send with: a packet that arrives with it comes from the link itself (RFC 8762,
// 4.1.1; RFC 5082).
const MostHops = mostHops

// Where a reflector writes (RFC 8762, 4.3.1).
const receivedAt, ofSenderAt, hopsAt = 16, 24, 40

// A Timestamp is in the format of RFC 8762, 4.2.1: seconds since 1900, and fractions of 2^-32 s.
type Timestamp uint64

// TimestampOf a time.
func TimestampOf(t time.Time) Timestamp { return Timestamp(ntp(t)) }

// Since is how long after another one it is; false if it is before that, or by more than the range of the format.
func (t Timestamp) Since(earlier Timestamp) (time.Duration, bool) {
	d := uint64(t - earlier)
	if d >= 1<<63 {
		return 0, false
	}
	return time.Duration(d>>32)*time.Second + time.Duration(d&0xffffffff*1e9>>32), true
}

// Test is the packet of a session's sender.
func Test(number uint32, sent Timestamp) []byte {
	b := make([]byte, TestBytes)
	binary.BigEndian.PutUint32(b[sequenceAt:], number)
	binary.BigEndian.PutUint64(b[timeAt:], uint64(sent))
	binary.BigEndian.PutUint16(b[errorAt:], 1)
	return b
}

// Reflect answers a sender's packet as a stateless reflector does: with its number, its time, and the hop limit that it
// came with. It is false for other packets, and for one with TLVs, which this reflector does not support.
func Reflect(test []byte, hops byte, received, sent time.Time) ([]byte, bool) {
	if len(test) != TestBytes {
		return nil, false
	}
	b := Test(binary.BigEndian.Uint32(test[sequenceAt:]), TimestampOf(sent))
	copy(b[sessionAt:], test[sessionAt:sessionAt+2]) // RFC 8972, 3
	binary.BigEndian.PutUint64(b[receivedAt:], ntp(received))
	copy(b[ofSenderAt:], test[:sessionAt])
	b[hopsAt] = hops
	return b, true
}

// A Reflection is a reflector's answer.
type Reflection struct {
	Number uint32
	// Sent is when the sender's packet left, by the sender's own clock.
	Sent Timestamp
	// Residence is how long the reflector had it.
	Residence time.Duration
}

// ParseReflection reads a reflector's packet. It is false where that was sent before it was received: its clock was set in between.
func ParseReflection(b []byte) (Reflection, bool) {
	if len(b) != TestBytes {
		return Reflection{}, false
	}
	at := func(i int) Timestamp { return Timestamp(binary.BigEndian.Uint64(b[i:])) }
	residence, ok := at(timeAt).Since(at(receivedAt))
	return Reflection{binary.BigEndian.Uint32(b[ofSenderAt:]), at(ofSenderAt + timeAt), residence}, ok
}
