// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync"

	"golang.org/x/net/http2"
)

const firstWindowBytes = 65535 // RFC 9113, 6.9.2

// windows is how much the peer allows to be sent.
type windows struct {
	mu         sync.Mutex
	connection int
	first      int
	streams    map[uint32]int
	news       chan struct{} // something was allowed
}

func newWindows() *windows {
	return &windows{connection: firstWindowBytes, first: firstWindowBytes, streams: map[uint32]int{}, news: make(chan struct{}, 1)}
}

// take uses up a part of the window of a stream; false if there is not so much left.
func (w *windows) take(stream uint32, size int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.connection < size || w.first+w.streams[stream] < size {
		return false
	}
	w.connection -= size
	w.streams[stream] -= size
	return true
}

func (w *windows) give(stream uint32, size int) {
	w.mu.Lock()
	if stream == 0 {
		w.connection += size
	} else {
		w.streams[stream] += size
	}
	w.mu.Unlock()
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// follow reads the peer's frames until the connection breaks.
func (w *windows) follow(framer *http2.Framer) error {
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return err
		}
		switch f := frame.(type) {
		case *http2.WindowUpdateFrame:
			w.give(f.StreamID, int(f.Increment))
		case *http2.SettingsFrame:
			if first, ok := f.Value(http2.SettingInitialWindowSize); ok {
				w.mu.Lock()
				w.first = int(first)
				w.mu.Unlock()
				w.give(0, 0)
			}
		}
	}
}
