// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"container/list"
	"maps"
	"net/netip"
	"slices"
	"time"

	"sextant/agent/internal/n4/pfcp"
)

// A life is the time from one Association Setup of an SMF to the next one that does not retain the sessions, or to the end of the
// association. Its end is one mark that all its sessions share, so that a setup costs the same with one session and with 100,000;
// the sessions leave afterwards, a few at a time (Wind). From the mark on they are gone for their SMF, and a start that finds the
// mark in the journal lets them leave as well.
type life struct {
	ended    bool
	groups   map[netip.Addr]*group // by the address of the CP F-SEID, by which an SMF retains them
	sessions int
	// order is that of the groups that leave, once the life has ended.
	order []netip.Addr
}

// A group are the sessions of a life with one address of the CP F-SEID, in the order in which they came.
type group struct {
	life    *life
	address netip.Addr
	list    *list.List
}

// windAtOnce is how many sessions leave before other messages have their turn.
const windAtOnce = 200

func newLife() *life { return &life{groups: map[netip.Addr]*group{}} }

// lifeOf gives the present life of an SMF.
func (m *Machine) lifeOf(node string) *life {
	if m.lives[node] == nil {
		m.lives[node] = newLife()
	}
	return m.lives[node]
}

// ending: the session is gone for its SMF, and may still be in the fabric.
func (s *session) ending() bool { return s.Leaving || s.group.life.ended }

// place puts a session into the group of an address in a life.
func (m *Machine) place(s *session, l *life, address netip.Addr) {
	if g := s.group; g != nil && (g.life == l && g.address == address || s.place == nil) {
		return
	}
	m.part(s)
	g := l.groups[address]
	if g == nil {
		g = &group{life: l, address: address, list: list.New()}
		l.groups[address] = g
	}
	s.group, s.place = g, g.list.PushBack(s)
	l.sessions++
}

// part removes a session from its group; the session still refers to the group, and so to whether its life has ended.
func (m *Machine) part(s *session) {
	if s.place == nil {
		return
	}
	g := s.group
	g.list.Remove(s.place)
	s.place = nil
	g.life.sessions--
	if g.list.Len() == 0 {
		delete(g.life.groups, g.address)
	}
}

// succeed begins another life of an SMF, in which the groups of some addresses go on, and ends the one before.
func (m *Machine) succeed(node string, kept []netip.Addr) (retained bool) {
	old, next := m.lifeOf(node), newLife()
	for _, a := range kept {
		g := old.groups[a]
		if g == nil {
			continue
		}
		delete(old.groups, a)
		next.groups[a], g.life, retained = g, next, true
		old.sessions -= g.list.Len()
		next.sessions += g.list.Len()
	}
	m.lives[node] = next
	m.finish(old)
	return retained
}

func (m *Machine) finish(l *life) {
	l.ended = true
	if l.sessions > 0 {
		m.ending = append(m.ending, l)
	}
}

// endLife ends the life of an SMF whose association ends, and returns how many sessions it had.
func (m *Machine) endLife(node string) int {
	l := m.lives[node]
	if l == nil {
		return 0
	}
	delete(m.lives, node)
	m.finish(l)
	return l.sessions
}

// Winding reports whether sessions of ended lives are left: then Wind is to be called again.
func (m *Machine) Winding() bool { return len(m.ending) > 0 }

// Wind lets sessions of ended lives leave, some at a time.
func (m *Machine) Wind(now time.Time) {
	for range windAtOnce {
		if len(m.ending) == 0 {
			return
		}
		l := m.ending[0]
		switch {
		case l.sessions == 0:
			m.ending = m.ending[1:]
		case len(l.order) == 0:
			l.order = slices.SortedFunc(maps.Keys(l.groups), netip.Addr.Compare)
		case l.groups[l.order[0]] == nil:
			l.order = l.order[1:]
		default:
			m.leave(now, l.groups[l.order[0]].list.Front().Value.(*session))
		}
	}
}

// leave lets a session of an ended life go.
func (m *Machine) leave(now time.Time, s *session) {
	m.part(s)
	if s.Leaving {
		return // it was deleted before
	}
	s.Leaving = true
	for len(s.waiting) > 0 {
		m.replies.forget(m.takeWaiting(s).key)
	}
	if s.committed {
		m.out.Records = append(m.out.Records, Record{Session: copyOf(s.SessionState)})
	}
	if s.busy == nil {
		m.repair(now, s)
	} // else its outcome leads there
}

// remember takes a session from the journal, of the life that its SMF had when it was written.
func (m *Machine) remember(state SessionState) {
	s := m.sessions[state.SEID]
	if s == nil {
		s = &session{committed: true}
		m.sessions[state.SEID] = s
	}
	in := m.lifeOf(state.Node)
	if s.group != nil && s.Node == state.Node {
		in = s.group.life
	}
	s.SessionState = state
	m.place(s, in, state.CP.Address)
}

// drop removes a session from all indexes.
func (m *Machine) drop(s *session) {
	m.part(s)
	delete(m.sessions, s.SEID)
}

// retention gives the addresses whose sessions a setup retains; all: those of every address.
func retention(s pfcp.Setup) (all bool, kept []netip.Addr) {
	return s.Retains && len(s.Retention) == 0, s.Retention
}
