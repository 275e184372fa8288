// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wmnsk/go-pfcp/ie"
)

// flow is another downlink rule: PDR 3, with FAR 2 and QER 2.
func flow(precedence uint32, pdi ...*ie.IE) *ie.IE {
	all := append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceCore)}, pdi...)
	return ie.NewCreatePDR(ie.NewPDRID(3), ie.NewPrecedence(precedence), ie.NewPDI(all...), ie.NewFARID(2), ie.NewQERID(2))
}

func secondQER(qfi uint8, dl uint8) *ie.IE {
	return ie.NewCreateQER(ie.NewQERID(2), ie.NewGateStatus(0, dl), ie.NewQFI(qfi))
}

func TestAFilterThatMakesNoDifferenceIsAccepted(t *testing.T) {
	const voice = "permit out 17 from 10.9.0.1 to assigned 5060"
	for name, c := range map[string]struct{ flow, qer *ie.IE }{
		"the same QFI":                                {flow(10, sdf(voice, 1)), secondQER(9, 0)},
		"behind a rule for everything":                {flow(200, sdf(voice, 1)), secondQER(5, 0)},
		"to the UE's own address":                     {flow(10, sdf("permit out ip from any to 10.60.0.1", 1)), secondQER(9, 0)},
		"to the UE's network":                         {flow(10, sdf("permit out ip from 0.0.0.0/0 to 10.60.0.0/16", 1)), secondQER(9, 0)},
		"one of its filters takes everything":         {flow(10, sdf(voice, 1), sdf("permit out ip from any to any", 2)), secondQER(9, 0)},
		"another family, with the same flow":          {flow(10, ie.NewUEIPAddress(1|4, "", "2001:db8:60::", 0, 0)), secondQER(9, 0)},
		"a filter of an id that takes everything":     {flow(10, sdf("permit out ip from any to assigned", 4), sameFilter(4)), secondQER(9, 0)},
		"a filter without any criterion, as of a bug": {flow(10, raw(ie.SDFFilter, 0, 0)), secondQER(9, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.smf("10.0.0.9")
			s.associate()
			seid, _ := s.establish(1, append(parts(1, "10.60.0.1"), c.flow, c.qer)...)
			s.modify(seid, handover(gnb, 2))
			if got := w.only("mbb"); got.QFI != 9 || got.Downlink == nil {
				t.Errorf("got %+v, want QFI 9 to a gNB", got)
			}
		})
	}
}

func TestAFilterThatMakesADifferenceIsRefusedByName(t *testing.T) {
	const voice = "permit out 17 from 10.9.0.1 to assigned 5060"
	for name, c := range map[string]struct {
		flow, qer *ie.IE
		says      string
	}{
		"a QFI of its own":          {flow(10, sdf(voice, 1)), secondQER(5, 0), "permit out 17 from 10.9.0.1 to assigned 5060"},
		"a gate that is shut":       {flow(10, sdf(voice, 1)), secondQER(9, 1), "one gate"},
		"another family's QFI":      {flow(10, ie.NewUEIPAddress(1|4, "", "2001:db8:60::", 0, 0)), secondQER(5, 0), "all packets"},
		"by ToS alone":              {flow(10, raw(ie.SDFFilter, 2, 0, 0xb8, 0xfc)), secondQER(5, 0), "a part of the packets"},
		"a dialect":                 {flow(10, sdf("deny out ip from any to any", 0)), secondQER(9, 0), "deny out ip from any to any"},
		"an id that there is not":   {flow(10, sameFilter(77)), secondQER(5, 0), "a part of the packets"},
		"everything of the network": {flow(10, sdf("permit out ip from any to 10.61.0.0/16", 1)), secondQER(5, 0), "10.61.0.0/16"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.smf("10.0.0.9")
			s.associate()
			seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
			s.modify(seid, handover(gnb, 2))
			s.refused(s.modification(seid, c.flow, c.qer), ie.CauseServiceNotSupported, ie.SDFFilter)
			args := fmt.Sprint(w.notes[len(w.notes)-1].Args...)
			for _, want := range []string{c.says, "--ignore sdf-filters"} {
				if !strings.Contains(strings.ReplaceAll(args, `\"`, `"`), want) {
					t.Errorf("the log says %s, and not %q", args, want)
				}
			}
			if got := w.only("mbb"); got.QFI != 9 {
				t.Errorf("a refused flow made it %+v", got)
			}
		})
	}
}

func TestASessionWithAFilterOnlyIsRefused(t *testing.T) {
	s := newWorld(t).smf("10.0.0.9")
	s.associate()
	p := parts(1, "10.60.0.1")
	p[1] = downlinkPDR("10.60.0.1", sdf("permit out 17 from any to assigned", 0))
	s.refused(s.establishment(1, p...), ie.CauseServiceNotSupported, ie.SDFFilter)
}

func TestAChooseIDOfTheOtherFamilyIsRefused(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	p := parts(0, "10.60.0.1")
	p[0] = uplinkPDR(raw(ie.FTEID, 1|4|8, 5))
	second := ie.NewCreatePDR(ie.NewPDRID(3), ie.NewPrecedence(50), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), raw(ie.FTEID, 2|4|8, 5)),
		ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1))
	s.refused(s.establishment(1, append(p, second)...), ie.CauseInvalidFTEIDAllocationOption, ie.FTEID)
}

func TestIndirectForwardingNeedsOneTunnelOfItsOwn(t *testing.T) {
	forwards := func(pdr uint16, far uint32, fteid *ie.IE, teid uint32) []*ie.IE {
		return []*ie.IE{
			ie.NewCreatePDR(ie.NewPDRID(pdr), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), fteid), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(far)),
			ie.NewCreateFAR(ie.NewFARID(far), ie.NewApplyAction(forward), ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceAccess), outer(gnb2, teid))),
		}
	}
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	s.modify(seid, handover(gnb, 2))
	s.refused(s.modification(seid, forwards(5, 5, tunnel(1), 9)...), ie.CauseServiceNotSupported, ie.FTEID)
	s.refused(s.modification(seid, append(forwards(5, 5, tunnel(7), 9), forwards(6, 6, tunnel(7), 10)...)...), ie.CauseServiceNotSupported, ie.OuterHeaderCreation)
	s.modify(seid, forwards(5, 5, tunnel(7), 9)...)
	if got := w.only("mbb").Forwarding; got == nil || got.From.TEID != 7 || got.To.TEID != 9 {
		t.Fatalf("forwarding %+v", got)
	}
	s.modify(seid, ie.NewUpdateFAR(ie.NewFARID(5), ie.NewApplyAction(drop)))
	if got := w.only("mbb").Forwarding; got != nil {
		t.Errorf("a FAR that drops forwards %+v", got)
	}
	other := w.smf("10.0.0.10")
	other.associate()
	other.refused(other.establishment(1, parts(7, "10.60.0.2")...), ie.CauseRuleCreationModificationFailure, ie.FTEID)
}

func TestAnSMFThatRestartsAmidAHandoverLeavesNothing(t *testing.T) {
	w, s := corpus(t)
	s.associate()
	seid, _, _ := o5gsEstablish(s)
	s.modify(seid, o5gsActivate(1, gnb, 1))
	w.stuck["mbb"] = true
	s.send(s.modification(seid, o5gsForward(7, 7, 1, 1, gnb2, 2)...))
	s.recovery = w.now
	s.associate()
	w.unstick()
	w.gone()
}
