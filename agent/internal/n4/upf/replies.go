// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"net/netip"
	"time"
)

// replies remembers the answers to requests for as long as they may come again, and which are being worked on. The
// oldest go first: by time, and where there are too many.
type replies struct {
	known map[netip.AddrPort]map[RequestKey]*reply // by peer, of which all are forgotten at once
	order []*reply
}

type reply struct {
	key   RequestKey
	bytes []byte // nil: not answered yet
	at    time.Time
}

func newReplies() *replies { return &replies{known: map[netip.AddrPort]map[RequestKey]*reply{}} }

func (r *replies) get(key RequestKey) *reply { return r.known[key.From][key] }

func (r *replies) put(now time.Time, key RequestKey, b []byte) {
	if r.known[key.From] == nil {
		r.known[key.From] = map[RequestKey]*reply{}
	}
	one := &reply{key, b, now}
	r.known[key.From][key] = one
	r.order = append(r.order, one)
	if len(r.order) > maxReplies {
		r.drop()
	}
}

func (r *replies) set(key RequestKey, b []byte) {
	if known := r.get(key); known != nil {
		known.bytes = b
	}
}

// forget takes a request as if it had not come.
func (r *replies) forget(key RequestKey) {
	known := r.known[key.From]
	if delete(known, key); len(known) == 0 {
		delete(r.known, key.From)
	}
}

// forgetPeer forgets the answers to requests of a peer other than this one: its sequence numbers may begin anew.
func (r *replies) forgetPeer(but RequestKey) {
	kept := r.get(but)
	delete(r.known, but.From)
	if kept != nil {
		r.known[but.From] = map[RequestKey]*reply{but: kept}
	}
}

func (r *replies) drop() {
	oldest := r.order[0]
	r.order[0] = nil // a forgotten one takes no room
	if r.order = r.order[1:]; r.get(oldest.key) == oldest {
		r.forget(oldest.key)
	}
}

// expire drops answers that are too old to be asked for again.
func (r *replies) expire(now time.Time) {
	for len(r.order) > 0 && (r.get(r.order[0].key) != r.order[0] || now.Sub(r.order[0].at) >= replyLife) {
		r.drop()
	}
}
