// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// Rules are those of one session.
type Rules struct {
	PDRs map[uint16]pfcp.PDR
	FARs map[uint32]pfcp.FAR
	QERs map[uint32]pfcp.QER
}

func refuse(cause uint8, offending uint16, format string, args ...any) *pfcp.Fault {
	return &pfcp.Fault{Cause: cause, Offending: offending, Reason: fmt.Sprintf(format, args...)}
}

func refuseRule(kind uint8, id uint32, cause uint8, offending uint16, format string, args ...any) *pfcp.Fault {
	f := refuse(cause, offending, format, args...)
	f.Rule = &pfcp.Rule{Kind: kind, ID: id}
	return f
}

// apply gives the rules with the changes of a request; those that there were are left as they are.
func (r Rules) apply(c pfcp.Changes) (Rules, *pfcp.Fault) {
	out := Rules{PDRs: clone(r.PDRs), FARs: clone(r.FARs), QERs: clone(r.QERs)}
	steps := []func() *pfcp.Fault{
		func() *pfcp.Fault { return removeRules(out.PDRs, pfcp.KindPDR, c.RemovePDR) },
		func() *pfcp.Fault { return removeRules(out.FARs, pfcp.KindFAR, c.RemoveFAR) },
		func() *pfcp.Fault { return removeRules(out.QERs, pfcp.KindQER, c.RemoveQER) },
		func() *pfcp.Fault { return patch(out.PDRs, pfcp.KindPDR, c.CreatePDR, c.UpdatePDR, idOfPDR) },
		func() *pfcp.Fault { return patch(out.FARs, pfcp.KindFAR, c.CreateFAR, c.UpdateFAR, idOfFAR) },
		func() *pfcp.Fault { return patch(out.QERs, pfcp.KindQER, c.CreateQER, c.UpdateQER, idOfQER) },
	}
	for _, step := range steps {
		if f := step(); f != nil {
			return r, f
		}
	}
	return out, nil
}

func idOfPDR(p pfcp.PDRPatch) uint16 { return p.ID }
func idOfFAR(p pfcp.FARPatch) uint32 { return p.ID }
func idOfQER(p pfcp.QERPatch) uint32 { return p.ID }

func clone[K comparable, V any](in map[K]V) map[K]V {
	out := make(map[K]V, len(in))
	maps.Copy(out, in)
	return out
}

func removeRules[K uint16 | uint32, V any](from map[K]V, kind uint8, ids []K) *pfcp.Fault {
	for _, id := range ids {
		if _, there := from[id]; !there {
			return refuseRule(kind, uint32(id), ie.CauseRuleCreationModificationFailure, 0, "there is no such rule to remove")
		}
		delete(from, id)
	}
	return nil
}

func patch[K uint16 | uint32, V any, P interface{ Apply(V) V }](rules map[K]V, kind uint8, create, update []P, id func(P) K) *pfcp.Fault {
	for _, p := range create {
		if _, there := rules[id(p)]; there {
			return refuseRule(kind, uint32(id(p)), ie.CauseRuleCreationModificationFailure, 0, "there is such a rule already")
		}
		if len(rules) == maxRules {
			return refuseRule(kind, uint32(id(p)), ie.CauseNoResourcesAvailable, 0, "a session has %d rules of a kind at most", maxRules)
		}
		var fresh V
		rules[id(p)] = p.Apply(fresh)
	}
	for _, p := range update {
		old, there := rules[id(p)]
		if !there {
			return refuseRule(kind, uint32(id(p)), ie.CauseRuleCreationModificationFailure, 0, "there is no such rule to update")
		}
		rules[id(p)] = p.Apply(old)
	}
	return nil
}

// ways are a session's rules by direction, without the ignored ones.
type ways struct {
	up, down []pfcp.PDR
	// forward are those from access to access.
	forward []pfcp.PDR
	ignored int // those about the SMF
}

// fabric gives the mobile session that the rules mean, nil: none, as nothing is forwarded. Its id is the caller's.
func (r Rules) fabric(ignore pfcp.Ignore) (*fabric.Session, *pfcp.Fault) {
	w, f := r.ways(ignore)
	if f != nil {
		return nil, f
	}
	up, f := r.decisive(w, false, ignore)
	if f != nil {
		return nil, f
	}
	down, f := r.decisive(w, true, ignore)
	if f != nil {
		return nil, f
	}
	upOpen, downOpen := r.open(up, false), r.open(down, true)
	switch {
	case !upOpen && downOpen && r.FARs[down.FAR].Tunnel != nil:
		return nil, refuseRule(pfcp.KindPDR, uint32(down.ID), ie.CauseServiceNotSupported, ie.ApplyAction, "a session that forwards downlink only is not supported")
	case !upOpen:
		return nil, nil
	}
	if f := oneTunnel(w.up); f != nil {
		return nil, f
	}
	s := &fabric.Session{Uplink: up.PDI.FTEID.Tunnel, UE: w.ue()}
	if len(s.UE) == 0 {
		return nil, refuse(ie.CauseConditionalIEMissing, ie.UEIPAddress, "no rule says the UE's IP address, where the fabric sends its packets from and to")
	}
	if downOpen {
		s.Downlink = r.FARs[down.FAR].Tunnel
	}
	of := down
	if of == nil {
		of = up
	}
	s.QFI, s.RQI = r.flow(*of)
	if !ignore[pfcp.Forwarding] {
		s.Forwarding, f = r.forwarding(w, *s)
	}
	return s, f
}

// ways sorts the PDRs, in order of their ids, and refuses those that lead elsewhere than between access and core, or from access to
// access.
func (r Rules) ways(ignore pfcp.Ignore) (ways, *pfcp.Fault) {
	var w ways
	for _, id := range slices.Sorted(maps.Keys(r.PDRs)) {
		p := r.PDRs[id]
		far, there := r.FARs[p.FAR]
		if !there {
			return w, refuseRule(pfcp.KindPDR, uint32(id), ie.CauseRuleCreationModificationFailure, ie.FARID, "PDR %d has FAR %d, which there is not", id, p.FAR)
		}
		if f := r.qersOf(p); f != nil {
			return w, f
		}
		if f := w.add(p, far, ignore); f != nil {
			return w, f
		}
	}
	return w, nil
}

func (w *ways) add(p pfcp.PDR, far pfcp.FAR, ignore pfcp.Ignore) *pfcp.Fault {
	toCore := far.Destination == pfcp.Core || far.Destination == pfcp.SGiLAN || !far.Forwards
	toAccess := far.Destination == pfcp.Access || !far.Forwards
	switch {
	case p.PDI.Source == pfcp.CPFunction3GPP || far.Forwards && far.Destination == pfcp.CPFunction3GPP:
		if !ignore[pfcp.CPFunction] {
			return refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseServiceNotSupported, ie.SourceInterface,
				"a PDR between UE and SMF is not supported; --ignore %s accepts it, and then %s", pfcp.CPFunction, pfcp.Classes()[pfcp.CPFunction])
		}
		w.ignored++
	case p.PDI.Source == pfcp.Access && far.Destination == pfcp.Access && (far.Forwards || far.Tunnel != nil):
		if f := uplink(p); f != nil {
			return f
		}
		w.forward = append(w.forward, p)
	case p.PDI.Source == pfcp.Access && toCore && far.Tunnel == nil:
		if f := uplink(p); f != nil {
			return f
		}
		w.up = append(w.up, p)
	case (p.PDI.Source == pfcp.Core || p.PDI.Source == pfcp.SGiLAN) && toAccess && p.PDI.FTEID == nil:
		w.down = append(w.down, p)
	default:
		return refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseServiceNotSupported, ie.DestinationInterface,
			"PDR %d goes from interface %d to %d: only access to core, core to access without another GTP-U tunnel, and access to access are supported",
			p.ID, p.PDI.Source, far.Destination)
	}
	return nil
}

func (r Rules) qersOf(p pfcp.PDR) *pfcp.Fault {
	for _, id := range p.QERs {
		if _, there := r.QERs[id]; !there {
			return refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseRuleCreationModificationFailure, ie.QERID, "PDR %d has QER %d, which there is not", p.ID, id)
		}
	}
	return nil
}

func uplink(p pfcp.PDR) *pfcp.Fault {
	switch {
	case p.PDI.FTEID == nil:
		return refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseConditionalIEMissing, ie.FTEID, "PDR %d comes from access without an F-TEID", p.ID)
	case !p.RemovesHeader:
		return refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseConditionalIEMissing, ie.OuterHeaderRemoval, "PDR %d leaves GTP-U on: the fabric takes it off", p.ID)
	}
	return nil
}

func oneTunnel(up []pfcp.PDR) *pfcp.Fault {
	for _, p := range up[1:] {
		if p.PDI.FTEID.Tunnel != up[0].PDI.FTEID.Tunnel {
			return refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseServiceNotSupported, ie.FTEID, "a session with several uplink tunnels is not supported")
		}
	}
	return nil
}

// open says whether packets of a rule are forwarded.
func (r Rules) open(p *pfcp.PDR, down bool) bool {
	if p == nil || !r.FARs[p.FAR].Forwards {
		return false
	}
	return !slices.ContainsFunc(p.QERs, func(id uint32) bool {
		q := r.QERs[id]
		return down && q.DLClosed || !down && q.ULClosed
	})
}

// flow gives QFI and RQI: those of the last QER that has a QFI other than 0, as a QER of the whole session may say 0.
func (r Rules) flow(p pfcp.PDR) (qfi uint8, rqi bool) {
	for _, id := range p.QERs {
		q := r.QERs[id]
		if q.QFI != nil && (*q.QFI != 0 || qfi == 0) {
			qfi, rqi = *q.QFI, q.RQI
		}
	}
	return qfi, rqi
}
