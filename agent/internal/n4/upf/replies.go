// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"time"
)

// replies remembers what requests were answered for as long as they may come again, and which are being worked on. The oldest
// go first: by time, and where there are too many.
type replies struct {
	known map[RequestKey]*reply
	order []RequestKey
}

type reply struct {
	bytes []byte // nil: not answered yet
	at    time.Time
}

func newReplies() *replies { return &replies{known: map[RequestKey]*reply{}} }

func (r *replies) put(now time.Time, key RequestKey, b []byte) {
	if _, there := r.known[key]; !there {
		r.order = append(r.order, key)
	}
	r.known[key] = &reply{b, now}
	if len(r.order) > maxReplies {
		r.drop()
	}
}

func (r *replies) set(key RequestKey, b []byte) {
	if known := r.known[key]; known != nil {
		known.bytes = b
	}
}

// forget takes a request as if it had not come.
func (r *replies) forget(key RequestKey) { delete(r.known, key) }

// forgetPeer forgets what others than this request of a peer were answered: its sequence numbers may begin anew.
func (r *replies) forgetPeer(but RequestKey) {
	for key := range r.known {
		if key.From == but.From && key != but {
			delete(r.known, key)
		}
	}
}

func (r *replies) drop() {
	delete(r.known, r.order[0])
	r.order = r.order[1:]
}

// expire drops what is too old to be asked for again.
func (r *replies) expire(now time.Time) {
	for len(r.order) > 0 {
		oldest := r.known[r.order[0]]
		if oldest != nil && now.Sub(oldest.at) < replyLife {
			return
		}
		r.drop()
	}
}
