// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"bytes"
	"encoding/binary"
	"testing"

	"golang.org/x/net/http2"
)

func messageOf(size int) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(size)), make([]byte, size)...)
}

func TestUnfinishedBytesAreThoseOfMessagesWithoutAnEnd(t *testing.T) {
	for _, one := range []struct {
		name  string
		write func(*http2.Framer) error
		want  int
	}{
		{"a whole message", func(w *http2.Framer) error { return w.WriteData(1, false, messageOf(100)) }, 0},
		{"a part", func(w *http2.Framer) error { return w.WriteData(1, false, messageOf(100)[:60]) }, 55},
		{"two whole ones and a part", func(w *http2.Framer) error {
			return w.WriteData(1, false, bytes.Join([][]byte{messageOf(10), messageOf(0), messageOf(100)[:15]}, nil))
		}, 10},
		{"a part of a prefix", func(w *http2.Framer) error { return w.WriteData(1, false, []byte{0, 0}) }, 0},
		{"a stream that ended", func(w *http2.Framer) error { return w.WriteData(1, true, messageOf(100)[:60]) }, 0},
		{"a call that was given up", func(w *http2.Framer) error {
			if err := w.WriteData(3, false, messageOf(100)[:60]); err != nil {
				return err
			}
			return w.WriteRSTStream(3, http2.ErrCodeCancel)
		}, 0},
		{"two streams", func(w *http2.Framer) error {
			for _, stream := range []uint32{1, 3} {
				if err := w.WriteData(stream, false, messageOf(100)[:50]); err != nil {
					return err
				}
			}
			return nil
		}, 90},
	} {
		t.Run(one.name, func(t *testing.T) {
			var wire bytes.Buffer
			wire.WriteString(http2.ClientPreface)
			w := http2.NewFramer(&wire, nil)
			if err := w.WriteSettings(); err != nil {
				t.Fatal(err)
			}
			if err := one.write(w); err != nil {
				t.Fatal(err)
			}
			for step := 1; step <= wire.Len(); step++ { // however it arrives
				f := newFrames()
				for rest := wire.Bytes(); len(rest) > 0; rest = rest[min(step, len(rest)):] {
					f.read(rest[:min(step, len(rest))])
				}
				if f.unfinished != one.want {
					t.Fatalf("read %d bytes at a time: got %d unfinished bytes, want %d", step, f.unfinished, one.want)
				}
			}
		})
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte(http2.ClientPreface + "\x00\x00\x05\x00\x00\x00\x00\x00\x01hello"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		all, single := newFrames(), newFrames()
		all.read(wire)
		for _, b := range wire {
			single.read([]byte{b})
		}
		if all.unfinished != single.unfinished || all.unfinished < 0 || all.unfinished > len(wire) {
			t.Errorf("got %d at once, %d byte by byte, of %d", all.unfinished, single.unfinished, len(wire))
		}
	})
}
