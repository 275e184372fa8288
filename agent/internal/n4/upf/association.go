// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/pfcp"
)

// association is one with an SMF. Whatever an SMF says shows that it is there; only one that has been silent is asked.
type association struct {
	AssociationState
	heard time.Time
	// probe is the heartbeat that is not answered yet.
	probe *probe
	// lost is since when it has not answered, zero: it has.
	lost time.Time
}

type probe struct {
	sequence uint32
	began    time.Time
	sent     time.Time
	tries    int
}

// setup makes an association, also over one that there is (TS 29.244, 6.2.6.2.2): its sessions end, but for those that the SMF
// asks to be retained. It costs the same whatever the number of sessions: they leave afterwards (Wind).
func (m *Machine) setup(now time.Time, r request) {
	s, f := pfcp.ParseSetup(r.body)
	if f == nil {
		f = m.admitsSetup(s, r.key.From.Addr())
	}
	if f == nil && m.Full {
		f = diskFull()
	}
	if f != nil {
		m.answerFault(r, 0, f)
		return
	}
	again := m.associations[s.Node] != nil
	m.replies.forgetPeer(r.key)
	record := Record{Association: &AssociationState{
		Node: s.Node, Peer: r.key.From, Recovery: s.Recovery, Alternatives: most(s.Alternatives), Set: s.Set,
	}}
	all, kept := retention(s)
	retained := all && m.lifeOf(s.Node).sessions > 0
	if !all {
		record.Ends = &Ends{s.Node, kept}
		retained = m.succeed(s.Node, kept)
	}
	m.associate(&association{AssociationState: *record.Association, heard: now})
	m.note(slog.LevelInfo, "association", "smf", s.Node, "peer", r.key.From, "again", again, "retained", retained)
	m.answer(r, m.speaker.Setup(r.header.Sequence, nil, retained), record)
}

// most bounds the addresses that an SMF may name.
func most(alternatives []netip.Addr) []netip.Addr {
	return alternatives[:min(len(alternatives), maxAlternatives)]
}

func diskFull() *pfcp.Fault {
	return refuse(ie.CauseNoResourcesAvailable, 0, "what is accepted could not be kept: the disk of --state-dir takes nothing")
}

// update takes the addresses and the SMF set from an Association Update; nothing depends on its other IEs.
func (m *Machine) update(r request) {
	u, f := pfcp.ParseUpdate(r.body)
	from := r.key.From.Addr()
	a := m.associationOf(u.Node, from)
	switch {
	case f == nil && a == nil:
		f = noAssociation(u.Node, from)
	case f == nil && m.Full:
		f = diskFull()
	}
	if f != nil {
		m.answerFault(r, 0, f)
		return
	}
	record, next := Record{}, a.AssociationState
	if u.Alternatives != nil {
		next.Alternatives = most(u.Alternatives)
	}
	if u.Set != "" {
		next.Set = u.Set
	}
	if u.Alternatives != nil || u.Set != "" {
		m.dissociate(a.Node)
		a.AssociationState, record.Association = next, &next
		m.associate(a)
	}
	m.answer(r, m.speaker.Update(r.header.Sequence, nil), record)
}

func noAssociation(node string, from netip.Addr) *pfcp.Fault {
	return refuse(ie.CauseNoEstablishedPFCPAssociation, 0, "there is no association with %s from %v", node, from)
}

// release ends an association and its sessions. Some SMFs (pfcpsim 1.4.0) name the wrong node; then the one counts that the
// request comes from.
func (m *Machine) release(r request) {
	node, f := pfcp.ParseNode(r.body)
	if f != nil {
		m.answerFault(r, 0, f)
		return
	}
	a := m.associationOf(node, r.key.From.Addr())
	if a == nil {
		a = m.associationAt(r.key.From)
	}
	if a == nil {
		m.answerFault(r, 0, noAssociation(node, r.key.From.Addr()))
		return
	}
	m.end(a, "released by the SMF")
	m.answer(r, m.speaker.Release(r.header.Sequence, nil), Record{Released: a.Node})
}

func (m *Machine) associationAt(peer netip.AddrPort) *association {
	for _, a := range m.byAddress[peer.Addr()] {
		if a.Peer == peer {
			return a
		}
	}
	return nil
}

// end forgets an association; its sessions go in their own time.
func (m *Machine) end(a *association, why string) {
	m.dissociate(a.Node)
	ended := m.endLife(a.Node)
	m.note(slog.LevelWarn, "association ended", "smf", a.Node, "why", why, "sessions", ended)
	m.out.Records = append(m.out.Records, Record{Released: a.Node})
}

// heard notes that a peer is there.
func (m *Machine) heard(now time.Time, from netip.AddrPort) {
	for _, a := range m.byAddress[from.Addr()] {
		if a.Peer.Addr() != from.Addr() {
			continue
		}
		a.heard = now
		if !a.lost.IsZero() {
			m.note(slog.LevelInfo, "association is back", "smf", a.Node)
			a.lost = time.Time{}
		}
	}
}

// heartbeat answers always, as there need not be an association. A time stamp that is not the one of the association is not
// believed at once, as it ends all sessions, and some SMFs (pfcpsim 1.4.0) write the present time: the SMF is asked, and its
// answer counts.
func (m *Machine) heartbeat(now time.Time, from netip.AddrPort, h pfcp.Header, body []byte) {
	stamp, f := pfcp.ParseHeartbeat(body)
	if f != nil {
		m.counters.Malformed++
		return
	}
	m.send(from, m.speaker.Heartbeat(h.Sequence))
	for _, a := range m.byAddress[from.Addr()] {
		if a.Peer.Addr() == from.Addr() && stamp > a.Recovery && a.probe == nil {
			m.ask(now, a)
		}
	}
}

// heartbeatAnswered compares the time stamp that answers our own question: a later one is another life of the SMF, which knows
// nothing of its sessions (TS 23.527, 4.2). An earlier one is an answer that was late.
func (m *Machine) heartbeatAnswered(from netip.AddrPort, h pfcp.Header, body []byte) {
	stamp, f := pfcp.ParseHeartbeat(body)
	for _, a := range slices.Clone(m.byAddress[from.Addr()]) { // which may end
		if f != nil || a.probe == nil || a.probe.sequence != h.Sequence || a.Peer.Addr() != from.Addr() {
			continue
		}
		a.probe = nil
		if stamp > a.Recovery {
			m.end(a, "the SMF has restarted: its recovery time stamp is later")
		}
	}
}

// ask sends a Heartbeat Request.
func (m *Machine) ask(now time.Time, a *association) {
	m.nextSequence = (m.nextSequence + 1) & 0xffffff
	a.probe = &probe{sequence: m.nextSequence, began: now}
	m.askAgain(now, a)
}

func (m *Machine) askAgain(now time.Time, a *association) {
	a.probe.sent, a.probe.tries = now, a.probe.tries+1
	m.send(netip.AddrPortFrom(a.Peer.Addr(), m.PeerPort), m.speaker.HeartbeatRequest(a.probe.sequence))
}

// watch asks SMFs that are silent, and ends the sessions of those that stay silent for longer than the lease.
func (m *Machine) watch(now time.Time, a *association) {
	switch {
	case a.probe == nil && now.Sub(a.heard) >= m.HeartbeatEvery:
		m.ask(now, a)
	case a.probe != nil && now.Sub(a.probe.sent) >= m.RetryAfter && a.probe.tries <= m.Retries:
		m.askAgain(now, a)
	case a.probe != nil && now.Sub(a.probe.sent) >= m.RetryAfter:
		if a.heard.Before(a.probe.began) && a.lost.IsZero() {
			a.lost = now
			m.note(slog.LevelWarn, "association lost: the SMF does not answer", "smf", a.Node, "sessions_end_in", m.Lease)
		}
		a.probe = nil
	}
	if !a.lost.IsZero() && now.Sub(a.lost) >= m.Lease {
		m.end(a, "the SMF was silent for longer than the lease")
	}
}
