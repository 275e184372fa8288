// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// treatment is how the packets of a rule are forwarded, as far as the fabric does it.
type treatment struct {
	forwarded bool
	tunnel    fabric.Tunnel // the zero value uplink
	qfi       uint8
	rqi       bool
}

// treatment has the flow of a rule that is shut, too: it is distinguished when it is made, and not only when its gNB is
// known.
func (r Rules) treatment(p pfcp.PDR, down bool) treatment {
	open := r.open(&p, down)
	if !down {
		return treatment{forwarded: open} // the tunnel ends: the flow of an uplink packet is of no consequence
	}
	t := treatment{}
	t.qfi, t.rqi = r.flow(p)
	if to := r.FARs[p.FAR].Tunnel; open && to != nil {
		t.forwarded, t.tunnel = true, *to
	}
	return t
}

// decisive is the rule whose flow all packets of a direction get; nil: there is none. Where filters make a difference, which the fabric
// does not make, that is refused, or, if they may be ignored, of the rules without a filter the first is it, else the last (TS 29.244,
// 5.2.1: a lower precedence value comes first).
func (r Rules) decisive(w ways, down bool, ignore pfcp.Ignore) (*pfcp.PDR, *pfcp.Fault) {
	if f := r.differ(w, down); f != nil && !ignore[pfcp.SDFFilters] {
		return nil, f
	}
	var best *pfcp.PDR
	for _, p := range w.in(down) {
		if best == nil || w.better(p, *best) {
			best = &p
		}
	}
	return best, nil
}

func (w ways) better(p, than pfcp.PDR) bool {
	part, thanPart := !w.everything(p), !w.everything(than)
	if part != thanPart {
		return thanPart
	}
	order := cmp.Compare(p.Precedence, than.Precedence)
	if part {
		return order > 0
	}
	return order < 0
}

// differ returns why packets of one direction have to be distinguished; nil: all of them meet rules that do the same.
// Rules behind one that takes everything are not met.
func (r Rules) differ(w ways, down bool) *pfcp.Fault {
	rules := slices.SortedFunc(slices.Values(w.in(down)), func(a, b pfcp.PDR) int {
		return cmp.Or(cmp.Compare(a.Precedence, b.Precedence), cmp.Compare(a.ID, b.ID))
	})
	if len(rules) == 0 {
		return nil
	}
	first, left := r.treatment(rules[0], down), w.ue()
	for _, p := range rules {
		if r.treatment(p, down) != first {
			return differentFlows(rules[0], p, down)
		}
		if !w.everything(p) {
			continue
		}
		left = slices.DeleteFunc(left, func(u netip.Prefix) bool {
			return len(p.PDI.UE.Prefixes) == 0 || slices.Contains(p.PDI.UE.Prefixes, u)
		})
		if len(left) == 0 {
			return nil
		}
	}
	if len(left) > 0 {
		return refuseRule(pfcp.KindPDR, uint32(rules[0].ID), ie.CauseServiceNotSupported, ie.SDFFilter,
			"an SDF filter without a rule for the rest of %s packets is not supported: the fabric forwards all of them or none%s", direction(down), acceptFilters())
	}
	return nil
}

func differentFlows(a, b pfcp.PDR, down bool) *pfcp.Fault {
	return refuseRule(pfcp.KindPDR, uint32(b.ID), ie.CauseServiceNotSupported, ie.SDFFilter,
		"PDR %d (%s) and PDR %d (%s) do not do the same with %s packets, which is not supported: a session has one QoS flow and one gate in a direction%s",
		a.ID, described(a), b.ID, described(b), direction(down), acceptFilters())
}

// described is the first flow of a rule, for a log.
func described(p pfcp.PDR) string {
	for _, f := range p.PDI.Filters {
		if f.Flow != nil {
			return f.Flow.String()
		}
	}
	if len(p.PDI.Filters) > 0 || p.PDI.Filtered {
		return "a part of the packets"
	}
	return "all packets"
}

func direction(down bool) string {
	if down {
		return "downlink"
	}
	return "uplink"
}

func acceptFilters() string {
	return "; --ignore " + string(pfcp.SDFFilters) + " accepts it, and then " + pfcp.Classes()[pfcp.SDFFilters]
}

func (w ways) in(down bool) []pfcp.PDR {
	if down {
		return w.down
	}
	return w.up
}

// everything reports whether a rule takes all packets of its UE. One of its filters is enough for that.
func (w ways) everything(p pfcp.PDR) bool {
	if p.PDI.Filtered {
		return false
	}
	ue := p.PDI.UE.Prefixes
	if len(ue) == 0 {
		ue = w.ue()
	}
	return len(p.PDI.Filters) == 0 || slices.ContainsFunc(p.PDI.Filters, func(f pfcp.Filter) bool {
		return f.TOS == nil && f.SPI == nil && f.Label == nil && w.takesAll(f, ue)
	})
}

// takesAll is of a filter's flow, or of that of the filter with its ID.
func (w ways) takesAll(f pfcp.Filter, ue []netip.Prefix) bool {
	if f.Flow != nil || f.ID == nil {
		return f.Flow != nil && f.Flow.Everything(ue)
	}
	for _, p := range slices.Concat(w.down, w.up) {
		for _, of := range p.PDI.Filters {
			if of.Flow != nil && of.ID != nil && *of.ID == *f.ID {
				return of.TOS == nil && of.SPI == nil && of.Label == nil && of.Flow.Everything(ue)
			}
		}
	}
	return false
}

// ue returns the UE's prefixes: of rules downlink, or uplink if those have none. A rule of a single flow, or of one family, need not
// have them all.
func (w ways) ue() []netip.Prefix {
	for _, rules := range [][]pfcp.PDR{w.down, w.up} {
		var out []netip.Prefix
		for _, p := range rules {
			for _, u := range p.PDI.UE.Prefixes {
				if !slices.Contains(out, u) {
					out = append(out, u)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// forwarding returns the meaning of the rules from access to access: one tunnel in, one out (TS 23.502, 4.9.1.3.2:
// indirect forwarding). A rule that names no flow is about that of the session.
func (r Rules) forwarding(w ways, s fabric.Session) (*fabric.Forwarding, *pfcp.Fault) {
	var out *fabric.Forwarding
	for _, p := range w.forward {
		to := r.FARs[p.FAR].Tunnel
		if to == nil || !r.open(&p, false) {
			continue
		}
		from := p.PDI.FTEID.Tunnel
		switch {
		case from == s.Uplink:
			return nil, refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseServiceNotSupported, ie.FTEID, "what is forwarded to access needs another F-TEID than the uplink")
		case out != nil && (out.From != from || out.To != *to):
			return nil, refuseRule(pfcp.KindPDR, uint32(p.ID), ie.CauseServiceNotSupported, ie.OuterHeaderCreation,
				"a session forwards from one tunnel to one other: %v to %v, and not %v to %v as well", out.From, out.To, from, *to)
		case out == nil:
			out = &fabric.Forwarding{From: from, To: *to}
		}
		qfis := p.PDI.QFIs
		if qfi, _ := r.flow(p); len(qfis) == 0 && len(p.QERs) > 0 {
			qfis = []uint8{qfi}
		} else if len(qfis) == 0 {
			qfis = []uint8{s.QFI}
		}
		for _, qfi := range qfis {
			out.QFIs = append(out.QFIs, int(qfi))
		}
	}
	if out != nil {
		slices.Sort(out.QFIs)
		out.QFIs = slices.Compact(out.QFIs)
	}
	return out, nil
}
