// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/wmnsk/go-pfcp/ie"
)

// Version of PFCP that is spoken.
const Version = 1

// MaxDatagramBytes is the most that UDP carries.
const MaxDatagramBytes = 65535

// A Header is that of a message (TS 29.244, 7.2.2).
type Header struct {
	Type     uint8
	HasSEID  bool
	SEID     uint64
	Sequence uint32 // 24 bits
}

var (
	// ErrVersion says that the message is of another version; it has a header, to be answered.
	ErrVersion = errors.New("this is not PFCP version 1")
	// ErrLength says that the header's length is not the datagram's; it has a header, to be answered.
	ErrLength = errors.New("the length of the message is not that of the datagram")
)

// ParseHeader reads the header of a datagram, and gives the bytes behind it. Errors that are neither ErrVersion nor
// ErrLength leave nothing that could be answered.
func ParseHeader(b []byte) (Header, []byte, error) {
	if len(b) < 8 {
		return Header{}, nil, fmt.Errorf("%d bytes are no PFCP message", len(b))
	}
	h := Header{Type: b[1], HasSEID: b[0]&1 != 0}
	at := 4
	if h.HasSEID {
		if len(b) < 16 {
			return Header{}, nil, fmt.Errorf("%d bytes are no PFCP message of a session", len(b))
		}
		h.SEID = binary.BigEndian.Uint64(b[4:])
		at = 12
	}
	h.Sequence = binary.BigEndian.Uint32(b[at:]) >> 8
	switch {
	case b[0]>>5 != Version:
		return h, nil, ErrVersion
	case int(binary.BigEndian.Uint16(b[2:]))+4 != len(b):
		return h, nil, ErrLength
	}
	return h, b[at+4:], nil
}

// An element is an IE as it is in a message. IEs of vendors are left out.
type element struct {
	kind    uint16
	payload []byte
}

// elements reads IEs. Groups are read by the code that needs their content, so a message is walked as deep as it is
// understood.
func elements(b []byte) ([]element, *Fault) {
	var out []element
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, fault(ie.CauseInvalidLength, 0, "%d bytes are left, an IE has four or more", len(b))
		}
		kind, size := binary.BigEndian.Uint16(b), int(binary.BigEndian.Uint16(b[2:]))
		if size > len(b)-4 {
			return nil, fault(ie.CauseInvalidLength, kind, "IE %d says it has %d bytes, there are %d", kind, size, len(b)-4)
		}
		if kind&0x8000 == 0 {
			out = append(out, element{kind, b[4 : 4+size]})
		}
		b = b[4+size:]
	}
	return out, nil
}

// only gives the first IE of a kind, nil if there is none.
func only(in []element, kind uint16) []byte {
	for _, e := range in {
		if e.kind == kind {
			return e.payload
		}
	}
	return nil
}

func has(in []element, kind uint16) bool {
	for _, e := range in {
		if e.kind == kind {
			return true
		}
	}
	return false
}

func uint8Of(e element) (uint8, *Fault) {
	if len(e.payload) < 1 {
		return 0, short(e)
	}
	return e.payload[0], nil
}

func uint16Of(e element) (uint16, *Fault) {
	if len(e.payload) < 2 {
		return 0, short(e)
	}
	return binary.BigEndian.Uint16(e.payload), nil
}

func uint32Of(e element) (uint32, *Fault) {
	if len(e.payload) < 4 {
		return 0, short(e)
	}
	return binary.BigEndian.Uint32(e.payload), nil
}

// octets reads the payload of an element from front to back. After too few bytes it returns zeros, and has the fault.
type octets struct {
	of     element
	rest   []byte
	failed *Fault
}

func (o *octets) take(n int) []byte {
	if len(o.rest) < n {
		o.failed = short(o.of)
		return make([]byte, n)
	}
	var part []byte
	part, o.rest = o.rest[:n], o.rest[n:]
	return part
}

func short(e element) *Fault {
	return fault(ie.CauseInvalidLength, e.kind, "%d bytes are too few for IE %d", len(e.payload), e.kind)
}

func incorrect(kind uint16, format string, args ...any) *Fault {
	return fault(ie.CauseMandatoryIEIncorrect, kind, format, args...)
}

func missing(kind uint16, what string) *Fault {
	return fault(ie.CauseMandatoryIEMissing, kind, "%s is missing", what)
}
