// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// transaction is something that the controller is asked: by a request, or to repair a session.
type transaction struct {
	session *session // nil: a session at the controller that is unknown here, to be removed
	change  fabric.Change
	next    SessionState
	// ends: the session is gone afterwards.
	ends bool
	// request is answered with ok, or with why not; nil: no request waits, or no longer.
	request    *request
	ok         []byte
	endMarkers []EndMarker
	// tried: the controller may have done it.
	tried bool
	// given up: the SMF was answered that it failed, so that the controller's change has to be undone.
	givenUp bool
	// doubted: the controller was asked whether it has it, as it does not answer; until then it is waited for that.
	doubted time.Time
	// early: the request was answered before the controller's answer came, as the controller was seen to have it.
	early bool
}

// lane is the way to the controller of one slice: one batch at a time, in order. A slice whose nodes do not answer holds up no
// other one.
type lane struct {
	queue, flying []*transaction
	notBefore     time.Time
	backoff       time.Duration
}

// Pauses after the controller could not be reached, and after it refused a repair.
const (
	firstBackoff, lastBackoff = 100 * time.Millisecond, 5 * time.Second
	repairAgain               = 30 * time.Second
	// doubtPatience is how long it may take to see the controller's state.
	doubtPatience = 3 * time.Second
)

// A Batch is a request to the controller about a slice.
type Batch struct {
	Slice   string
	Changes []fabric.Change
}

// begin starts a transaction: at the controller, or at once if that has nothing to do.
func (m *Machine) begin(now time.Time, t *transaction) {
	s := t.session
	if t.request != nil {
		t.request.body = nil // understood
	}
	t.change = fabric.Change{ID: m.id(s.SEID), Want: t.next.InFabric}
	if t.ends {
		t.change.Want = nil
	}
	if !s.unsure {
		t.change.Before = s.InFabric
	}
	if !s.unsure && same(t.change.Want, t.change.Before) {
		m.accepted(now, t)
		return
	}
	m.claim(s, t.next.Rules)
	s.busy = t
	m.enqueue(t)
}

func same(a, b *fabric.Session) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

func (m *Machine) enqueue(t *transaction) {
	l := m.lane(t)
	l.queue = append(l.queue, t)
}

func (m *Machine) lane(t *transaction) *lane {
	name := t.next.Slice
	if m.lanes[name] == nil {
		m.lanes[name] = &lane{}
	}
	return m.lanes[name]
}

func (m *Machine) queued() int {
	n := 0
	for _, l := range m.lanes {
		n += len(l.queue) + len(l.flying)
	}
	return n
}

// repair makes the controller's copy equal to the session.
func (m *Machine) repair(now time.Time, s *session) {
	t := &transaction{session: s, next: s.SessionState, ends: s.ending() || !s.committed}
	s.unsure = s.unsure || !t.ends
	m.begin(now, t)
}

// Next gives the batches that can be asked now: of each slice one, in the order of their names. There is none before
// the controller's state of an earlier life of ours is known, as that may stand in the way.
func (m *Machine) Next(now time.Time) []Batch {
	if !m.reconciled {
		return nil
	}
	var out []Batch
	for _, name := range slices.Sorted(maps.Keys(m.lanes)) {
		l := m.lanes[name]
		switch {
		case len(l.flying) > 0 || now.Before(l.notBefore):
			continue
		case len(l.queue) == 0:
			delete(m.lanes, name)
			continue
		}
		n := min(len(l.queue), BatchSize)
		l.flying, l.queue = l.queue[:n:n], l.queue[n:]
		b := Batch{Slice: name}
		for _, t := range l.flying {
			t.tried = true
			b.Changes = append(b.Changes, t.change)
		}
		out = append(out, b)
	}
	return out
}

// Settle takes the outcomes of a batch, in its order.
func (m *Machine) Settle(now time.Time, slice string, outcomes []fabric.Outcome) {
	l := m.lanes[slice]
	flying := l.flying
	l.flying = nil
	var again []*transaction
	for i, t := range flying {
		switch o := outcomes[i]; {
		case o.Verdict == fabric.Accepted:
			m.accepted(now, t)
		case o.Verdict == fabric.Refused:
			m.refused(now, t, o)
		case t.givenUp:
			m.abandon(now, t)
		default:
			again = append(again, t)
		}
	}
	l.queue = append(again, l.queue...)
	if len(again) == 0 {
		l.backoff, l.notBefore = 0, time.Time{}
		return
	}
	l.backoff = min(cmp.Or(2*l.backoff, firstBackoff), lastBackoff)
	l.notBefore = now.Add(l.backoff)
	m.note(slog.LevelDebug, "the controller takes nothing now", "slice", slice, "waiting", len(l.queue), "text", outcomes[0].Text)
}

// accepted: the controller has the wanted session.
func (m *Machine) accepted(now time.Time, t *transaction) {
	s := t.session
	switch {
	case s == nil:
		return
	case t.ends:
		m.gone(now, t)
		return
	case t.givenUp || s.ending() && t.request != nil:
		m.abandon(now, t)
		return
	}
	if !t.early {
		m.commit(t)
	}
	m.proceed(now, s)
}

// commit makes the session the wanted one, and answers the SMF.
func (m *Machine) commit(t *transaction) {
	s := t.session
	old := s.SessionState
	wasNew := !s.committed
	s.SessionState, s.committed, s.unsure, s.trouble = t.next, true, false, ""
	s.Leaving = old.Leaving
	m.unindex(s, old.Rules)
	m.index(s)
	in := s.group.life
	if s.Node != old.Node {
		in = m.lifeOf(s.Node)
	}
	m.place(s, in, s.CP.Address)
	if t.request != nil {
		m.count(wasNew)
		m.answer(*t.request, t.ok, Record{Session: copyOf(s.SessionState)})
		m.out.EndMarkers = append(m.out.EndMarkers, t.endMarkers...)
	} else {
		m.counters.Repaired++
	}
}

func (m *Machine) count(established bool) {
	if established {
		m.counters.Established++
	} else {
		m.counters.Modified++
	}
}

// gone: the session is at an end.
func (m *Machine) gone(now time.Time, t *transaction) {
	s := t.session
	m.drop(s)
	m.unindex(s, s.Rules)
	m.unindex(s, t.next.Rules)
	record := Record{Gone: s.SEID}
	if t.request != nil {
		m.counters.Deleted++
		m.answer(*t.request, t.ok, record)
	} else if s.committed {
		m.counters.Deleted++
		m.out.Records = append(m.out.Records, record)
	}
	s.busy = nil
	for len(s.waiting) > 0 {
		m.handle(now, m.takeWaiting(s))
	}
}

// proceed has the next request of the session done.
func (m *Machine) proceed(now time.Time, s *session) {
	s.busy = nil
	if s.Leaving {
		m.repair(now, s)
		return
	}
	for s.busy == nil && len(s.waiting) > 0 {
		m.handle(now, m.takeWaiting(s))
	}
}

// refused: the controller says no.
func (m *Machine) refused(now time.Time, t *transaction, o fabric.Outcome) {
	s := t.session
	if s == nil {
		m.note(slog.LevelError, "a session of an earlier run cannot be removed", "id", t.change.ID, "text", o.Text)
		return
	}
	if t.request != nil && !t.ends {
		m.answerFault(*t.request, cmp.Or(s.CP.SEID, t.next.CP.SEID), verdict(o))
		t.request = nil
		m.abandon(now, t)
		return
	}
	s.busy, s.unsure, s.trouble, s.notBefore = nil, true, o.Text, now.Add(repairAgain)
	m.troubled[s.SEID] = s
	m.note(slog.LevelError, "the controller refuses what a session needs; it is tried again", "session", t.change.ID, "slice", t.next.Slice,
		"remove", t.ends, "status", o.Status, "text", o.Text)
	if t.request != nil {
		m.answerFault(*t.request, s.CP.SEID, refuse(ie.CauseSystemFailure, 0, "the controller does not remove the session: %s", o.Text))
	}
	for s.busy == nil && !s.Leaving && len(s.waiting) > 0 {
		m.handle(now, m.takeWaiting(s))
	}
}

// verdict is the fault that reports the controller's refusal to an SMF.
func verdict(o fabric.Outcome) *pfcp.Fault {
	f := refuse(ie.CauseRuleCreationModificationFailure, 0, "the controller refuses it (%d): %s", o.Status, o.Text)
	switch {
	case strings.HasPrefix(o.Field, "/uplink"):
		f.Offending = ie.FTEID
	case strings.HasPrefix(o.Field, "/downlink"):
		f.Offending = ie.OuterHeaderCreation
	case o.Field == "/forwarding":
		f.Cause, f.Offending = ie.CauseServiceNotSupported, ie.DestinationInterface
		f.Reason += fmt.Sprintf("; --ignore %s accepts it, and then %s", pfcp.Forwarding, pfcp.Classes()[pfcp.Forwarding])
	case strings.HasPrefix(o.Field, "/ue"):
		f.Offending = ie.UEIPAddress
	case strings.HasPrefix(o.Field, "/qfi"):
		f.Offending = ie.QFI
	}
	if o.Status == 404 || o.Status == 202 { // the slice is gone; a node lacks room or capability
		f.Cause, f.Offending = ie.CauseNoResourcesAvailable, 0
	}
	return f
}

// abandon gives up a request. The controller may have the attempted state, wholly or in part: the session is repaired.
func (m *Machine) abandon(now time.Time, t *transaction) {
	s := t.session
	s.busy = nil
	m.unindex(s, t.next.Rules)
	if s.committed {
		m.index(s)
	}
	switch {
	case t.tried:
		s.unsure = true
		m.repair(now, s)
	case s.committed:
		m.proceed(now, s)
	default:
		m.drop(s)
	}
}

// Tick does the work that is due; call it every second or more often.
func (m *Machine) Tick(now time.Time) {
	m.replies.expire(now)
	for _, node := range slices.Sorted(maps.Keys(m.associations)) {
		m.watch(now, m.associations[node])
	}
	for _, name := range slices.Sorted(maps.Keys(m.lanes)) {
		m.hurry(now, m.lanes[name])
	}
	for _, id := range slices.Sorted(maps.Keys(m.troubled)) {
		switch s := m.troubled[id]; {
		case s.trouble == "" || m.sessions[id] != s:
			delete(m.troubled, id)
		case s.busy == nil && !now.Before(s.notBefore):
			m.repair(now, s)
		}
	}
	m.unpark(now)
}

// hurry answers requests that have waited for too long. A request on its way to the controller is undone when it comes
// back.
func (m *Machine) hurry(now time.Time, l *lane) {
	var kept, late []*transaction
	for _, t := range l.queue {
		if m.late(now, t) && !t.ends {
			late = append(late, t)
		} else {
			kept = append(kept, t)
		}
	}
	l.queue = kept
	m.doubt(now, l)
	for _, t := range late {
		m.abandon(now, t)
	}
}

// doubt is about requests on their way to the controller for too long: n4 reads whether the controller has them, as it
// answers when nodes have done them. Only if it has not, or does not answer, the SMF gets an answer that it failed.
func (m *Machine) doubt(now time.Time, l *lane) {
	var d Doubt
	for _, t := range l.flying {
		switch {
		case t.request == nil || now.Sub(t.request.came) < m.Patience:
		case !t.ends && t.doubted.IsZero():
			t.doubted = now
			d.Slice, d.IDs = t.next.Slice, append(d.IDs, t.change.ID)
		case t.ends || now.Sub(t.doubted) >= doubtPatience:
			m.late(now, t)
		}
	}
	if len(d.IDs) > 0 {
		m.out.Doubts = append(m.out.Doubts, d)
	}
}

// Seen takes the controller's copies of sessions in doubt: nil is nothing. Sessions that are not in found could not be
// read.
func (m *Machine) Seen(now time.Time, slice string, found map[string]*fabric.Session) {
	l := m.lanes[slice]
	if l == nil {
		return
	}
	for _, t := range l.flying {
		has, seen := found[t.change.ID]
		switch {
		case !seen || t.request == nil || t.ends || t.doubted.IsZero():
		case same(has, t.change.Want) && !t.session.ending():
			m.commit(t)
			t.request, t.early = nil, true
		default:
			m.late(now, t)
		}
	}
}

// late answers an SMF whose request has waited for too long that it failed.
func (m *Machine) late(now time.Time, t *transaction) bool {
	if t.request == nil || now.Sub(t.request.came) < m.Patience {
		return false
	}
	r := *t.request
	t.request, t.givenUp = nil, !t.ends
	m.answerFault(r, cmp.Or(t.session.CP.SEID, t.next.CP.SEID), refuse(ie.CauseSystemFailure, 0, "the controller has not answered for %v", m.Patience))
	return true
}

// unparked looks at an establishment once more. One of a life that has ended is forgotten: its SMF no longer waits.
func (m *Machine) unparked(now time.Time, p parked) {
	m.waitingBytes -= len(p.body)
	if p.life.ended {
		m.replies.forget(p.key)
		return
	}
	m.establish(now, p.request, true)
}

// unpark answers requests whose slice is not to be had.
func (m *Machine) unpark(now time.Time) {
	for len(m.parked) > 0 && now.Sub(m.parked[0].came) >= m.Patience {
		p := m.parked[0]
		m.parked = m.parked[1:]
		m.unparked(now, p)
	}
	m.out.WantsSlices = m.out.WantsSlices || len(m.parked) > 0
}

// Reconcile compares the controller's sessions of this n4 in a slice with its own. A session that is unknown here was
// begun and not answered before a death, and goes; one that is missing or different is repaired. More may change while
// the list is read: busy sessions are left alone.
func (m *Machine) Reconcile(now time.Time, slice string, listed []fabric.Session) {
	there := map[string]bool{}
	byID := map[string]*session{}
	var strays []*transaction
	for _, s := range m.sessions {
		byID[m.id(s.SEID)] = s
	}
	for _, l := range listed {
		if !strings.HasPrefix(l.ID, m.Name+"-") || len(l.ID) != len(m.Name)+17 {
			continue
		}
		there[l.ID] = true
		switch s := byID[l.ID]; {
		case s == nil || s.Slice != slice:
			strays = append(strays, &transaction{change: fabric.Change{ID: l.ID, Before: &l}, next: SessionState{Slice: slice}, ends: true})
		case s.busy != nil:
		case s.ending() || s.InFabric == nil || !s.InFabric.Equal(l):
			s.unsure = true
			m.repair(now, s)
		default:
			s.unsure, s.trouble = false, ""
		}
	}
	if len(strays) > 0 { // before sessions that may want their tunnels
		l := m.lane(strays[0])
		l.queue = append(strays, l.queue...)
	}
	for _, id := range slices.Sorted(maps.Keys(m.sessions)) {
		s := m.sessions[id]
		switch {
		case s.Slice != slice || s.busy != nil || there[m.id(s.SEID)]:
		case s.InFabric == nil && !s.ending():
			s.unsure = false
		default:
			s.unsure = true
			m.repair(now, s)
		}
	}
}

// Reconciled reports that all slices have been compared; sessions in a slice that is not there any more have to be
// asked for, too.
func (m *Machine) Reconciled(now time.Time) {
	m.reconciled = true
	for _, id := range slices.Sorted(maps.Keys(m.sessions)) {
		if s := m.sessions[id]; s.busy == nil && s.Leaving {
			m.repair(now, s)
		}
	}
}
