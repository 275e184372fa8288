// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

const (
	frameHeaderBytes = 9 // RFC 9113, 4.1
	prefixBytes      = 5 // of a gRPC message: compressed or not, length
)

// frames parses a client's bytes, as far as to know which messages are still without an end. Malformed frames are
// gRPC's to refuse; but data with padding, which would have to be separated from the message and which no client of
// gRPC sends, is refused.
type frames struct {
	preface    int // bytes of it that are still to come
	header     []byte
	left       int // bytes of the frame that are still to come
	kind       http2.FrameType
	flags      http2.Flags
	stream     uint32
	messages   map[uint32]*message
	unfinished int  // bytes of all of these
	padded     bool // there was data with padding
}

// message of a stream, of which some has come.
type message struct {
	prefix []byte
	length int // the length in the prefix
	came   int // behind the prefix
}

func newFrames() frames {
	return frames{preface: len(http2.ClientPreface), messages: map[uint32]*message{}}
}

// read takes the next bytes.
func (f *frames) read(p []byte) {
	skipped := min(f.preface, len(p))
	f.preface -= skipped
	for p = p[skipped:]; len(p) > 0; {
		if f.left == 0 {
			taken := min(frameHeaderBytes-len(f.header), len(p))
			f.header = append(f.header, p[:taken]...)
			p = p[taken:]
			if len(f.header) == frameHeaderBytes {
				f.begin()
			}
			continue
		}
		taken := min(f.left, len(p))
		if f.kind == http2.FrameData {
			f.data(p[:taken])
		}
		p = p[taken:]
		if f.left -= taken; f.left == 0 {
			f.end()
		}
	}
}

// begin reads the header of a frame.
func (f *frames) begin() {
	h := f.header
	f.left = int(h[0])<<16 | int(h[1])<<8 | int(h[2])
	f.kind, f.flags = http2.FrameType(h[3]), http2.Flags(h[4])
	f.stream = binary.BigEndian.Uint32(h[5:]) &^ (1 << 31)
	f.header = h[:0]
	f.padded = f.padded || f.kind == http2.FrameData && f.flags.Has(http2.FlagDataPadded)
	if f.left == 0 {
		f.end()
	}
}

// end is when a frame is whole.
func (f *frames) end() {
	ended := f.kind == http2.FrameData && f.flags.Has(http2.FlagDataEndStream) ||
		f.kind == http2.FrameHeaders && f.flags.Has(http2.FlagHeadersEndStream)
	if ended || f.kind == http2.FrameRSTStream {
		f.forget(f.stream)
	}
}

func (f *frames) forget(stream uint32) {
	if m := f.messages[stream]; m != nil {
		f.unfinished -= m.came
		delete(f.messages, stream)
	}
}

// data goes on with the message of a stream.
func (f *frames) data(p []byte) {
	for len(p) > 0 {
		m := f.messages[f.stream]
		if m == nil {
			m = new(message)
			f.messages[f.stream] = m
		}
		if missing := prefixBytes - len(m.prefix); missing > 0 {
			taken := min(missing, len(p))
			m.prefix = append(m.prefix, p[:taken]...)
			p = p[taken:]
			if len(m.prefix) == prefixBytes {
				m.length = int(binary.BigEndian.Uint32(m.prefix[1:]))
			}
		}
		if len(m.prefix) < prefixBytes {
			return
		}
		taken := min(m.length-m.came, len(p))
		m.came += taken
		f.unfinished += taken
		p = p[taken:]
		if m.came == m.length {
			f.forget(f.stream)
		}
	}
}
