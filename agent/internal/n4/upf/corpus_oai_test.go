// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"testing"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// OAI, oai-cn5g-smf (the develop branch behind 2.1.0): src/smf_app/smf_procedure.cpp.
//
// The establishment has rules of the uplink only; those of the downlink are created when the gNB is known, and all of a flow is removed
// when the UE becomes idle. Rules of one flow have CHOOSE ID 42; once a tunnel was chosen, the SMF gives it. S-NSSAI and DNN are
// not said; a Network Instance is if one is configured.
const oaiChooseID = 42

func oaiChosen() *ie.IE { return raw(ie.FTEID, 1|4|8, oaiChooseID) }

func oaiUplinkPDR(id uint16, precedence, far uint32, qfi uint8, fteid *ie.IE) *ie.IE {
	return ie.NewCreatePDR(ie.NewPDRID(id), ie.NewPrecedence(precedence), oaiUplinkPDI(qfi, fteid), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(far))
}

func oaiUplinkPDI(qfi uint8, fteid *ie.IE) *ie.IE {
	return ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), fteid, raw(ie.NetworkInstance, []byte("access.oai.org")...),
		ie.NewUEIPAddress(2, "12.1.1.2", "", 0, 0), ie.NewQFI(qfi), o5gsType(11))
}

func oaiDownlinkPDR(id uint16, precedence, far uint32, more ...*ie.IE) *ie.IE {
	pdi := append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceCore), raw(ie.NetworkInstance, []byte("core.oai.org")...), ie.NewUEIPAddress(2|4, "12.1.1.2", "", 0, 0)}, more...)
	return ie.NewCreatePDR(ie.NewPDRID(id), ie.NewPrecedence(precedence), ie.NewPDI(append(pdi, o5gsType(0))...), ie.NewFARID(far))
}

func oaiCoreFAR(id uint32) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(id), ie.NewApplyAction(forward),
		ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceCore), raw(ie.NetworkInstance, []byte("core.oai.org")...)))
}

func oaiAccessFAR(id uint32, gnb string, teid uint32) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(id), ie.NewApplyAction(forward), ie.NewForwardingParameters(
		ie.NewDestinationInterface(ie.DstInterfaceAccess), raw(ie.NetworkInstance, []byte("access.oai.org")...), outer(gnb, teid)))
}

// oaiWorld has one slice, which is the default: nothing in a request says which it is.
func oaiWorld(t *testing.T, change ...func(*upf.Config)) (*world, *smf) {
	t.Helper()
	w, s := corpus(t, change...)
	w.slices = []fabric.Slice{anchored("oai", &fabric.SNSSAI{SST: 1}, "oai")}
	w.slices[0].Default = true
	w.look()
	s.associate(ie.NewCPFunctionFeatures(0))
	return w, s
}

// oaiAttach establishes a session and makes its downlink known.
func oaiAttach(s *smf) (seid uint64, uplink fabric.Tunnel) {
	s.w.t.Helper()
	seid, r := s.establish(1, oaiCoreFAR(1), oaiUplinkPDR(1, 255, 1, 9, oaiChosen()))
	uplink = fteidOf(s.w.t, r.CreatedPDR, 1)
	s.w.towards("oai", "", 0)
	s.modify(seid, oaiAccessFAR(2, gnb, 1), oaiDownlinkPDR(2, 255, 2))
	return seid, uplink
}

func TestOAIAttachIdleAndRelease(t *testing.T) {
	w, s := oaiWorld(t)
	seid, uplink := oaiAttach(s)
	if got := w.only("oai"); got.Uplink != uplink || fmt.Sprint(got.UE) != "[12.1.1.2/32]" {
		t.Errorf("attached: %+v", got)
	}
	w.towards("oai", gnb, 1)
	s.modify(seid, ie.NewRemovePDR(ie.NewPDRID(1)), ie.NewRemoveFAR(ie.NewFARID(1)), ie.NewRemovePDR(ie.NewPDRID(2)), ie.NewRemoveFAR(ie.NewFARID(2)))
	if len(w.fabric["oai"]) != 0 {
		t.Errorf("without rules the fabric has %v", w.fabric)
	}
	s.modify(seid, oaiCoreFAR(1), oaiUplinkPDR(1, 256, 1, 9, explicit(uplink))) // a service request, first step
	s.modify(seid, oaiAccessFAR(2, gnb, 2), oaiDownlinkPDR(2, 256, 2))          // second step
	if got := w.only("oai").Uplink; got != uplink {
		t.Errorf("after a service request the uplink is %v, want %v", got, uplink)
	}
	w.towards("oai", gnb, 2)
	s.delete(seid)
	w.gone()
}

func TestOAIPathSwitchAndHandoverOverN2(t *testing.T) {
	w, s := oaiWorld(t)
	seid, uplink := oaiAttach(s)
	for i, to := range []string{gnb2, gnb} {
		teid := uint32(20 + i)
		s.modify(seid,
			ie.NewUpdateFAR(ie.NewUpdateForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceAccess), outer(to, teid)),
				ie.NewFARID(2), ie.NewApplyAction(forward)),
			ie.NewUpdatePDR(ie.NewPDRID(2), ie.NewPrecedence(255),
				ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewUEIPAddress(2|4, "12.1.1.2", "", 0, 0), o5gsType(0)), ie.NewFARID(2)))
		w.towards("oai", to, teid)
	}
	if got := w.only("oai").Uplink; got != uplink {
		t.Errorf("the uplink became %v", got)
	}
}

// A PCC rule of the PCF: rules of another flow, whose uplink is given the tunnel that was chosen.
func TestOAIFlowOfAPCCRule(t *testing.T) {
	w, s := oaiWorld(t, func(c *upf.Config) { c.Ignore[pfcp.SDFFilters] = true })
	seid, uplink := oaiAttach(s)
	s.modify(seid, oaiCoreFAR(3), oaiUplinkPDR(3, 10, 3, 2, explicit(uplink)),
		oaiAccessFAR(4, gnb, 1), oaiDownlinkPDR(4, 10, 4, sdf("permit out 6 from 10.9.0.0/16 80,443 to assigned", 0)))
	w.towards("oai", gnb, 1)
	s.modify(seid, ie.NewRemovePDR(ie.NewPDRID(3)), ie.NewRemoveFAR(ie.NewFARID(3)), ie.NewRemovePDR(ie.NewPDRID(4)), ie.NewRemoveFAR(ie.NewFARID(4)))
	w.towards("oai", gnb, 1)
}

func TestOAISecondFlowAsksForItsChooseIDAgain(t *testing.T) {
	w, s := oaiWorld(t)
	seid, r := s.establish(1, oaiCoreFAR(1), oaiUplinkPDR(1, 255, 1, 9, oaiChosen()), oaiCoreFAR(3), oaiUplinkPDR(3, 10, 3, 2, oaiChosen()))
	first, second := fteidOf(t, r.CreatedPDR, 1), fteidOf(t, r.CreatedPDR, 3)
	third := s.modify(seid, oaiCoreFAR(5), oaiUplinkPDR(5, 11, 5, 3, oaiChosen()))
	if got := fteidOf(t, third.CreatedPDR, 5); first != second || got != first {
		t.Errorf("tunnels %v, %v and %v of one CHOOSE ID", first, second, got)
	}
	w.only("oai")
}

func TestOAIRestartEndsItsSessions(t *testing.T) {
	w, s := oaiWorld(t)
	oaiAttach(s)
	s.recovery = w.now
	s.associate()
	w.gone()
	oaiAttach(s)
}
