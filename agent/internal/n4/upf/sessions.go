// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"container/list"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// session is one of an SMF. Its state is the one answered to the SMF; the state that it is to have stands in its
// transaction.
type session struct {
	SessionState
	// committed: the SMF has its answer.
	committed bool
	// busy is the request at the controller, one at a time; waiting are requests that come meanwhile.
	busy    *transaction
	waiting []request
	// unsure: the controller may have something else than InFabric.
	unsure bool
	// notBefore is when a repair that was refused is tried again; trouble says why.
	notBefore time.Time
	trouble   string
	// group is that of its life, place where it stands there; nil: it is leaving.
	group *group
	place *list.Element
}

// parked is an establishment that waits for its slice.
type parked struct {
	request
	life *life
}

// id names the session at the controller.
func (m *Machine) id(seid uint64) string { return fmt.Sprintf("%s-%016x", m.Name, seid) }

// establish makes a session. final: the slices have just been asked for.
func (m *Machine) establish(now time.Time, r request, final bool) {
	e, f := pfcp.ParseEstablishment(r.body, m.Ignore)
	if f == nil {
		f = m.admits(e.Node, r.key.From.Addr())
	}
	if f != nil {
		m.answerFault(r, e.CP.SEID, f)
		return
	}
	slice, f := m.pick(wanted{e.SNSSAI, e.DNN, instance(e.Changes)})
	switch {
	case f != nil && !final && len(m.parked) < maxParked && m.waitingBytes+len(r.body) <= maxWaitingBytes:
		m.parked = append(m.parked, parked{r, m.lifeOf(e.Node)})
		m.waitingBytes += len(r.body)
		m.out.WantsSlices = true
		return
	case f != nil && !m.learned:
		f = refuse(ie.CauseSystemFailure, 0, "the slices have not been read from the controller yet")
	}
	if f != nil {
		m.answerFault(r, e.CP.SEID, f)
		return
	}
	s := &session{SessionState: SessionState{SEID: m.freeSEID(), Node: e.Node, Slice: slice.Name}}
	next, created, f := m.next(s, slice, e.Changes)
	if f != nil {
		m.answerFault(r, e.CP.SEID, f)
		return
	}
	next.CP = e.CP
	m.sessions[s.SEID] = s
	m.place(s, m.lifeOf(s.Node), e.CP.Address)
	m.ignored(e.Ignored, next.Rules)
	m.begin(now, &transaction{
		session: s, request: &r, next: next,
		ok: m.speaker.Establishment(r.header.Sequence, e.CP.SEID, s.SEID, nil, created),
	})
}

// admits says whether a session of an SMF can be made at all.
func (m *Machine) admits(node string, from netip.Addr) *pfcp.Fault {
	switch {
	case m.associationOf(node, from) == nil:
		return noAssociation(node, from)
	case len(m.sessions) >= m.MaxSessions:
		return refuse(ie.CauseNoResourcesAvailable, 0, "there are %d sessions already (--max-sessions)", m.MaxSessions)
	case m.queued() >= maxQueued:
		return refuse(ie.CausePFCPEntityInCongestion, 0, "%d requests wait for the controller", maxQueued)
	case m.Full:
		return diskFull()
	}
	return nil
}

// instance gives the Network Instance of the side of the core, where a DNN is its name; else of the side of access.
func instance(c pfcp.Changes) string {
	found := ""
	for _, p := range c.CreatePDR {
		if p.PDI != nil && p.PDI.NetworkInstance != "" && (found == "" || p.PDI.Source != pfcp.Access) {
			found = p.PDI.NetworkInstance
		}
	}
	return found
}

func (m *Machine) freeSEID() uint64 {
	for m.nextSEID == 0 || m.sessions[m.nextSEID] != nil {
		m.nextSEID++
	}
	m.nextSEID++
	return m.nextSEID - 1
}

// next gives the session after a request's changes, with the choices made for it.
func (m *Machine) next(s *session, slice fabric.Slice, c pfcp.Changes) (SessionState, []pfcp.Created, *pfcp.Fault) {
	next := s.SessionState
	choose := newChooser(m, slice, s.Rules, c)
	var f *pfcp.Fault
	if c.CreatePDR, f = choose.create(c.CreatePDR); f != nil {
		return next, nil, f
	}
	if c.UpdatePDR, f = choose.create(c.UpdatePDR); f != nil {
		return next, nil, f
	}
	if next.Rules, f = s.Rules.apply(c); f != nil {
		return next, nil, f
	}
	if f = m.free(s, next.Rules); f != nil {
		return next, nil, f
	}
	if next.InFabric, f = next.Rules.fabric(m.Ignore); f != nil {
		return next, nil, f
	}
	if next.InFabric != nil {
		next.InFabric.ID = m.id(s.SEID)
	}
	return next, choose.created, nil
}

// free reports whether the tunnels of the rules have no other owner.
func (m *Machine) free(s *session, r Rules) *pfcp.Fault {
	for id, p := range r.PDRs {
		if p.PDI.FTEID == nil {
			continue
		}
		if m.tunnels.other(p.PDI.FTEID.Tunnel, s) != nil {
			return refuseRule(pfcp.KindPDR, uint32(id), ie.CauseRuleCreationModificationFailure, ie.FTEID,
				"TEID %d at %v is another session's", p.PDI.FTEID.TEID, p.PDI.FTEID.Endpoint)
		}
	}
	return nil
}

// ignored counts the parts of a request that are accepted and not done.
func (m *Machine) ignored(in pfcp.Ignored, r Rules) {
	for class, n := range in {
		m.counters.Ignored[string(class)] += n
	}
	w, f := r.ways(m.Ignore)
	if f != nil {
		return
	}
	m.counters.Ignored[string(pfcp.CPFunction)] += w.ignored
	if m.Ignore[pfcp.Forwarding] {
		m.counters.Ignored[string(pfcp.Forwarding)] += len(w.forward)
	}
	for _, down := range []bool{false, true} {
		if r.differ(w, down) != nil {
			m.counters.Ignored[string(pfcp.SDFFilters)]++
		}
	}
}

// ofSession modifies or deletes, after the transaction that is under way for the session.
func (m *Machine) ofSession(now time.Time, r request) {
	s := m.sessions[r.header.SEID]
	switch {
	case s == nil || !s.committed || !r.header.HasSEID:
		m.answerFault(r, 0, noSession(r.header.SEID))
	case !m.owns(r.key.From.Addr(), s):
		m.answerFault(r, 0, refuse(ie.CauseSessionContextNotFound, 0, "session %#x is of %s, and not this sender's", s.SEID, s.Node))
	case s.group.life.ended:
		m.answerFault(r, s.CP.SEID, noSession(s.SEID))
	case s.busy != nil && len(s.waiting) < maxWaiting && m.waitingBytes+len(r.body) <= maxWaitingBytes:
		s.waiting = append(s.waiting, r)
		m.waitingBytes += len(r.body)
	case s.busy != nil:
		m.replies.forget(r.key) // it comes again
	case s.Leaving:
		m.answerFault(r, s.CP.SEID, refuse(ie.CauseSessionContextNotFound, 0, "session %#x was deleted", s.SEID))
	case m.associations[s.Node] == nil:
		m.answerFault(r, s.CP.SEID, noAssociation(s.Node, r.key.From.Addr()))
	case r.header.Type == message.MsgTypeSessionDeletionRequest:
		m.delete(now, s, r)
	default:
		m.modify(now, s, r)
	}
}

func noSession(seid uint64) *pfcp.Fault {
	return refuse(ie.CauseSessionContextNotFound, 0, "there is no session %#x", seid)
}

// takeWaiting gives the first of the requests that wait for a session.
func (m *Machine) takeWaiting(s *session) request {
	r := s.waiting[0]
	s.waiting = s.waiting[1:]
	m.waitingBytes -= len(r.body)
	return r
}

func (m *Machine) modify(now time.Time, s *session, r request) {
	mod, f := pfcp.ParseModification(r.body, m.Ignore)
	if f == nil && m.Full {
		f = diskFull()
	}
	if f == nil && mod.Node != "" && m.associationOf(mod.Node, r.key.From.Addr()) == nil {
		f = noAssociation(mod.Node, r.key.From.Addr())
	}
	var next SessionState
	var created []pfcp.Created
	if f == nil {
		next, created, f = m.next(s, m.slices[s.Slice], mod.Changes)
	}
	t := &transaction{session: s, request: &r, next: next}
	if f == nil {
		f = m.endMarkers(t, mod)
	}
	if f != nil {
		m.answerFault(r, s.CP.SEID, f)
		return
	}
	if mod.CP != nil {
		t.next.CP = *mod.CP
	}
	if mod.Node != "" { // another SMF of the set takes over (TS 29.244, 5.22.3)
		t.next.Node = mod.Node
	}
	m.ignored(mod.Ignored, next.Rules)
	t.ok = m.speaker.Modification(r.header.Sequence, t.next.CP.SEID, nil, created)
	m.begin(now, t)
}

// endMarkers notes the tunnels that get an End Marker once the session has left them.
func (m *Machine) endMarkers(t *transaction, mod pfcp.Modification) *pfcp.Fault {
	for _, p := range mod.Changes.UpdateFAR {
		old := t.session.Rules.FARs[p.ID].Tunnel
		if !p.EndMarker {
			continue
		}
		if !m.EndMarkers && !m.Ignore[pfcp.EndMarker] {
			return refuseRule(pfcp.KindFAR, p.ID, ie.CauseServiceNotSupported, ie.PFCPSMReqFlags,
				"End Marker packets cannot be sent without --echo; --ignore %s accepts it, and then %s", pfcp.EndMarker, pfcp.Classes()[pfcp.EndMarker])
		}
		if !m.EndMarkers {
			m.counters.Ignored[string(pfcp.EndMarker)]++
			continue
		}
		in := t.session.InFabric
		if old == nil || in == nil || p.Tunnel == nil || sameTunnel(*p.Tunnel, old) {
			continue // nothing is left behind
		}
		if marker := (EndMarker{From: in.Uplink.Endpoint, To: *old}); !slices.Contains(t.endMarkers, marker) {
			t.endMarkers = append(t.endMarkers, marker)
		}
	}
	return nil
}

func sameTunnel(a, b *fabric.Tunnel) bool { return a != nil && b != nil && *a == *b }

// delete cannot be refused: the session is leaving from now on, whatever becomes of n4 or the controller.
func (m *Machine) delete(now time.Time, s *session, r request) {
	s.Leaving = true
	m.out.Records = append(m.out.Records, Record{Session: copyOf(s.SessionState)})
	m.begin(now, &transaction{
		session: s, request: &r, next: s.SessionState, ends: true,
		ok: m.speaker.Deletion(r.header.Sequence, s.CP.SEID, nil),
	})
}

func copyOf(s SessionState) *SessionState { return &s }

// index makes the session the owner of its tunnels and addresses.
func (m *Machine) index(s *session) { m.claim(s, s.Rules) }

func (m *Machine) unindex(s *session, r Rules) {
	for _, p := range r.PDRs {
		if p.PDI.FTEID != nil {
			m.tunnels.release(p.PDI.FTEID.Tunnel, s)
		}
		for _, u := range p.PDI.UE.Prefixes {
			m.ues.release(u, s)
		}
	}
}

// claim makes the session an owner of the tunnels and addresses of rules, also while they are not its own yet, so that
// no other session is given them.
func (m *Machine) claim(s *session, r Rules) {
	for _, p := range r.PDRs {
		if p.PDI.FTEID != nil {
			m.tunnels.claim(p.PDI.FTEID.Tunnel, s)
		}
		for _, u := range p.PDI.UE.Prefixes {
			m.ues.claim(u, s)
		}
	}
}
