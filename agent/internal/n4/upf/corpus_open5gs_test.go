// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// open5gs 2.8.0 (commit 8f25f3be): lib/pfcp/build.c and src/smf/{n4-build,npcf-handler,binding,context,ngap-handler}.c.
//
// Apply Action has two octets, an F-TEID asks for both families, CHOOSE ID 5 is that of the session's uplink and 10 that of
// forwarding. A QoS flow has its own PDRs, FARs, QER and URR; the PDR of its downlink has no UE IP Address.
const (
	o5gsBoth, o5gsChoose, o5gsChooseID = 1 | 2, 4, 8
	o5gsUplink, o5gsForwarding         = 5, 10
	o5gsDrop, o5gsForw, o5gsIdle       = 1, 2, 4 | 8
)

func o5gsType(octet byte) *ie.IE { return raw(ie.TGPPInterfaceType, octet) }

func o5gsChosen(id byte) *ie.IE {
	return raw(ie.FTEID, o5gsBoth|o5gsChoose|o5gsChooseID, id)
}

func o5gsDownlinkPDR(id uint16, precedence, rules uint32, more ...*ie.IE) *ie.IE {
	pdi := append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewNetworkInstanceFQDN("internet")}, more...)
	return ie.NewCreatePDR(ie.NewPDRID(id), ie.NewPrecedence(precedence), ie.NewPDI(append(pdi, o5gsType(17))...),
		ie.NewFARID(2*rules-1), ie.NewURRID(rules), ie.NewQERID(rules))
}

func o5gsUplinkPDR(id uint16, precedence, rules uint32, qfi uint8, fteid *ie.IE, more ...*ie.IE) *ie.IE {
	pdi := append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceAccess), fteid, ie.NewNetworkInstanceFQDN("internet")}, more...)
	return ie.NewCreatePDR(ie.NewPDRID(id), ie.NewPrecedence(precedence), ie.NewPDI(append(pdi, ie.NewQFI(qfi), o5gsType(11))...),
		ie.NewOuterHeaderRemoval(6, 0), ie.NewFARID(2*rules), ie.NewQERID(rules))
}

func o5gsIdleFAR(id uint32) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(id), ie.NewApplyAction(o5gsIdle, 0), ie.NewBARID(1))
}

func o5gsCoreFAR(id uint32) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(id), ie.NewApplyAction(o5gsForw, 0),
		ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceCore), ie.NewNetworkInstanceFQDN("internet"), o5gsType(17)))
}

func o5gsURR(id uint32) *ie.IE {
	return ie.NewCreateURR(ie.NewURRID(id), ie.NewMeasurementMethod(0, 1, 0), ie.NewReportingTriggers(0, 2, 0), ie.NewVolumeThreshold(1, 100<<20, 0, 0))
}

func o5gsQER(id uint32, qfi uint8, rates ...*ie.IE) *ie.IE {
	return ie.NewCreateQER(append(append([]*ie.IE{ie.NewQERID(id), ie.NewGateStatus(0, 0)}, rates...), ie.NewQFI(qfi))...)
}

// o5gsActivate is an Update FAR toward a gNB.
func o5gsActivate(far uint32, gnb string, teid uint32, flags ...*ie.IE) *ie.IE {
	parts := []*ie.IE{ie.NewDestinationInterface(ie.DstInterfaceAccess), ie.NewNetworkInstanceFQDN("internet"), outer(gnb, teid), o5gsType(11)}
	return ie.NewUpdateFAR(ie.NewFARID(far), ie.NewApplyAction(o5gsForw, 0), ie.NewUpdateForwardingParameters(append(parts, flags...)...))
}

func o5gsDeactivate(far uint32) *ie.IE {
	return ie.NewUpdateFAR(ie.NewFARID(far), ie.NewApplyAction(o5gsIdle, 0), ie.NewBARID(1))
}

func o5gsEndMarker() *ie.IE { return ie.NewPFCPSMReqFlags(2) }

// o5gsAttach is the establishment, with the F-TEIDs of its uplink and of the SMF's own packets.
func o5gsAttach(uplink, smf *ie.IE, more ...*ie.IE) []*ie.IE {
	return append([]*ie.IE{
		o5gsDownlinkPDR(1, 65535, 1, ie.NewUEIPAddress(2|4, "10.45.0.2", "", 0, 0)),
		o5gsUplinkPDR(2, 65535, 1, 1, uplink),
		ie.NewCreatePDR(ie.NewPDRID(3), ie.NewPrecedence(255), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCPFunction), smf),
			ie.NewOuterHeaderRemoval(6, 0), ie.NewFARID(1)),
		ie.NewCreatePDR(ie.NewPDRID(4), ie.NewPrecedence(255),
			ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), uplink, ie.NewNetworkInstanceFQDN("internet"),
				sdf("permit out 58 from ff02::2/128 to assigned", 0), o5gsType(11)),
			ie.NewOuterHeaderRemoval(6, 0), ie.NewFARID(3)),
		o5gsIdleFAR(1), o5gsCoreFAR(2),
		ie.NewCreateFAR(ie.NewFARID(3), ie.NewApplyAction(o5gsForw, 0),
			ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceCPFunction), outer("10.0.0.9", 1))),
		o5gsURR(1), o5gsQER(1, 1, ie.NewMBR(1_000_000, 1_000_000)), ie.NewCreateBAR(ie.NewBARID(1)), ie.NewPDNType(ie.PDNTypeIPv4),
		ie.NewUserID(1, "001010000000001", "", "", ""), ie.NewAPNDNN("internet"), ie.NewSNSSAI(1, pfcp.NoSD),
	}, more...)
}

func o5gsEstablish(s *smf, more ...*ie.IE) (seid uint64, uplink, toUE fabric.Tunnel) {
	s.w.t.Helper()
	seid, r := s.establish(1, o5gsAttach(o5gsChosen(o5gsUplink), raw(ie.FTEID, o5gsBoth|o5gsChoose), more...)...)
	uplink = fteidOf(s.w.t, r.CreatedPDR, 2)
	if same := fteidOf(s.w.t, r.CreatedPDR, 4); same != uplink {
		s.w.t.Errorf("PDRs 2 and 4 have one CHOOSE ID, and the tunnels %v and %v", uplink, same)
	}
	return seid, uplink, fteidOf(s.w.t, r.CreatedPDR, 3)
}

func TestOpen5GSAttachIdleAndRelease(t *testing.T) {
	w, s := corpus(t)
	s.associate(ie.NewCPFunctionFeatures(0))
	seid, uplink, toUE := o5gsEstablish(s)
	if got := w.only("mbb"); got.Uplink != uplink || fmt.Sprint(got.UE) != "[10.45.0.2/32]" || got.QFI != 1 || toUE == uplink {
		t.Errorf("attached: %+v; from the SMF by %v", got, toUE)
	}
	w.towards("mbb", "", 0)
	s.modify(seid, o5gsActivate(1, gnb, 0x101))
	w.towards("mbb", gnb, 0x101)
	s.modify(seid, o5gsDeactivate(1)) // the UE is idle
	w.towards("mbb", "", 0)
	s.modify(seid, o5gsActivate(1, gnb, 0x102)) // after a service request
	w.towards("mbb", gnb, 0x102)
	s.modify(seid, o5gsActivate(1, gnb2, 0x103, o5gsEndMarker())) // over Xn
	w.towards("mbb", gnb2, 0x103)
	want := []upf.EndMarker{{From: uplink.Endpoint, To: tunnelAt(gnb, 0x102)}}
	if diff := cmp.Diff(want, w.markers, compareAddresses); diff != "" {
		t.Errorf("End Markers (-want +got):\n%s", diff)
	}
	s.delete(seid)
	w.gone()
}

// o5gsVoice creates the dedicated flow of a voice call: its uplink asks for the CHOOSE ID of the session once more, and refers to the
// filters of its downlink by their ids.
func o5gsVoice(fteid *ie.IE) []*ie.IE {
	return []*ie.IE{
		o5gsDownlinkPDR(5, 20, 3, sdf("permit out udp from 10.200.136.98/32 23455 to assigned 1-65535", 1), sdf("permit out icmp from any to assigned", 2)),
		o5gsUplinkPDR(6, 20, 3, 2, fteid, sameFilter(1), sameFilter(2)),
		o5gsIdleFAR(5), o5gsCoreFAR(6), o5gsQER(3, 2, ie.NewMBR(82, 82), ie.NewGBR(82, 82)), o5gsURR(3),
	}
}

func TestOpen5GSDedicatedFlowHasTheTunnelOfTheSession(t *testing.T) {
	w, s := corpus(t, func(c *upf.Config) { c.Ignore[pfcp.SDFFilters] = true })
	s.associate()
	seid, uplink, _ := o5gsEstablish(s)
	s.modify(seid, o5gsActivate(1, gnb, 0x101))
	for range 2 { // and once more after it was removed
		r := s.modify(seid, o5gsVoice(o5gsChosen(o5gsUplink))...)
		if got := fteidOf(t, r.CreatedPDR, 6); got != uplink {
			t.Errorf("the dedicated flow comes by %v, the session by %v", got, uplink)
		}
		s.modify(seid, o5gsActivate(5, gnb, 0x101))
		w.towards("mbb", gnb, 0x101)
		s.modify(seid, ie.NewRemovePDR(ie.NewPDRID(5)), ie.NewRemovePDR(ie.NewPDRID(6)), ie.NewRemoveFAR(ie.NewFARID(5)), ie.NewRemoveFAR(ie.NewFARID(6)),
			ie.NewRemoveQER(ie.NewQERID(3)), ie.NewRemoveURR(ie.NewURRID(3)))
		w.towards("mbb", gnb, 0x101)
	}
	s.delete(seid)
	w.gone()
}

func TestOpen5GSChooseIDOutlivesARestartOfTheUserPlane(t *testing.T) {
	w, s := corpus(t, func(c *upf.Config) { c.Ignore[pfcp.SDFFilters] = true })
	s.associate()
	seid, uplink, _ := o5gsEstablish(s)
	w.start()
	r := s.modify(seid, o5gsVoice(o5gsChosen(o5gsUplink))...)
	if got := fteidOf(t, r.CreatedPDR, 6); got != uplink {
		t.Errorf("the dedicated flow comes by %v, the session by %v", got, uplink)
	}
}

// o5gsForward creates the indirect forwarding of one QoS flow.
func o5gsForward(pdr uint16, far, qer uint32, qfi uint8, gnb string, teid uint32) []*ie.IE {
	return []*ie.IE{
		ie.NewCreatePDR(ie.NewPDRID(pdr), ie.NewPrecedence(4096),
			ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), o5gsChosen(o5gsForwarding), ie.NewNetworkInstanceFQDN("internet"), ie.NewQFI(qfi), o5gsType(28)),
			ie.NewOuterHeaderRemoval(6, 0), ie.NewFARID(far), ie.NewQERID(qer)),
		ie.NewCreateFAR(ie.NewFARID(far), ie.NewApplyAction(o5gsForw, 0),
			ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceAccess), ie.NewNetworkInstanceFQDN("internet"), outer(gnb, teid), o5gsType(10))),
	}
}

func TestOpen5GSHandoverOverN2WithIndirectForwarding(t *testing.T) {
	w, s := corpus(t)
	s.associate()
	seid, uplink, _ := o5gsEstablish(s)
	s.modify(seid, o5gsActivate(1, gnb, 0x101))
	r := s.modify(seid, o5gsForward(7, 7, 1, 1, gnb2, 0x202)...) // the handover is prepared
	from := fteidOf(t, r.CreatedPDR, 7)
	if from == uplink {
		t.Errorf("what is forwarded comes by the tunnel of the uplink, %v", from)
	}
	w.towards("mbb", gnb, 0x101)
	want := &fabric.Forwarding{From: from, To: tunnelAt(gnb2, 0x202), QFIs: []int{1}}
	if diff := cmp.Diff(want, w.only("mbb").Forwarding, compareAddresses); diff != "" {
		t.Errorf("forwarding (-want +got):\n%s", diff)
	}
	s.modify(seid, o5gsActivate(1, gnb2, 0x201, o5gsEndMarker())) // it is complete
	w.towards("mbb", gnb2, 0x201)
	if got := w.only("mbb"); got.Uplink != uplink || got.Forwarding == nil {
		t.Errorf("handed over: %+v", got)
	}
	s.modify(seid, ie.NewRemovePDR(ie.NewPDRID(7)), ie.NewRemoveFAR(ie.NewFARID(7)))
	if got := w.only("mbb"); got.Forwarding != nil {
		t.Errorf("forwarding goes on: %+v", got.Forwarding)
	}
	r = s.modify(seid, o5gsForward(8, 8, 1, 1, gnb, 0x302)...)
	if again := fteidOf(t, r.CreatedPDR, 8); again == from {
		t.Errorf("the tunnel %v of an earlier forwarding is chosen again", again)
	}
	s.delete(seid)
	w.gone()
}

func TestOpen5GSRestoresSessionsOfAUserPlaneThatForgot(t *testing.T) {
	w, s := corpus(t)
	s.associate()
	_, uplink, toUE := o5gsEstablish(s)
	w.journal, w.fabric = nil, map[string]map[string]fabric.Session{}
	w.start()
	s.associate()
	m := s.establishment(1, o5gsAttach(explicit(uplink), explicit(toUE), restored())...)
	m.SetSEID(100) // that of the session before, where 0 is expected
	r := s.send(m)
	if r == nil {
		t.Fatal("no answer")
	}
	if got := w.only("mbb"); got.Uplink != uplink {
		t.Errorf("restored: %+v, want its uplink %v", got, uplink)
	}
}

func TestOpen5GSRestartEndsItsSessions(t *testing.T) {
	w, s := corpus(t)
	s.associate()
	o5gsEstablish(s)
	s.recovery = w.now
	s.associate()
	w.gone()
	o5gsEstablish(s)
}
