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

// free5gc, smf 1.4.4 (commit 9a18772d) with pfcp 1.1.0 (5290968): internal/pfcp/message/build.go,
// internal/context/{datapath,ngap_handler,upf}.go, internal/sbi/processor/pdu_session.go.
//
// The SMF allocates F-TEIDs itself, names neither S-NSSAI nor DNN, writes the Network Instance as text (or, by an option, as labels),
// repeats the CP F-SEID in each modification, and has PFCPSMReq-Flags in each Update Forwarding Parameters. All data paths of a
// session come by one tunnel.
const f5gcTEID = 0x11

func f5gcInstance() *ie.IE { return raw(ie.NetworkInstance, []byte("internet")...) }

func f5gcUplinkPDR(id uint16, precedence, far uint32, qers []uint32, more ...*ie.IE) *ie.IE {
	pdi := append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceAccess), tunnel(f5gcTEID), f5gcInstance(), ie.NewUEIPAddress(2, "10.60.0.1", "", 0, 0)}, more...)
	return f5gcPDR(id, precedence, far, qers, ie.NewPDI(pdi...), ie.NewOuterHeaderRemoval(0, 0))
}

func f5gcDownlinkPDR(id uint16, precedence, far uint32, qers []uint32, more ...*ie.IE) *ie.IE {
	pdi := append([]*ie.IE{ie.NewSourceInterface(ie.SrcInterfaceCore), f5gcInstance(), ie.NewUEIPAddress(2|4, "10.60.0.1", "", 0, 0)}, more...)
	return f5gcPDR(id, precedence, far, qers, ie.NewPDI(pdi...))
}

func f5gcPDR(id uint16, precedence, far uint32, qers []uint32, more ...*ie.IE) *ie.IE {
	parts := append([]*ie.IE{ie.NewPDRID(id), ie.NewPrecedence(precedence)}, more...)
	parts = append(parts, ie.NewFARID(far))
	for _, q := range qers {
		parts = append(parts, ie.NewQERID(q))
	}
	return ie.NewCreatePDR(append(parts, ie.NewURRID(1), ie.NewURRID(2))...)
}

func f5gcCoreFAR(id uint32) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(id), ie.NewApplyAction(forward),
		ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceCore), f5gcInstance()))
}

// f5gcAccessFAR forwards, though no gNB is known: it has no Outer Header Creation.
func f5gcAccessFAR(id uint32) *ie.IE {
	return ie.NewCreateFAR(ie.NewFARID(id), ie.NewApplyAction(forward), ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceAccess)))
}

func f5gcQER(id uint32, qfi uint8, rates ...*ie.IE) *ie.IE {
	return ie.NewCreateQER(append([]*ie.IE{ie.NewQERID(id), ie.NewGateStatus(0, 0), ie.NewQFI(qfi)}, rates...)...)
}

func f5gcURR(id uint32) *ie.IE {
	return ie.NewCreateURR(ie.NewURRID(id), ie.NewMeasurementMethod(0, 1, 0), ie.NewReportingTriggers(1, 0))
}

func f5gcAttach() []*ie.IE {
	return []*ie.IE{
		f5gcUplinkPDR(1, 255, 1, []uint32{2, 1}), f5gcDownlinkPDR(2, 255, 2, []uint32{2, 1}),
		f5gcCoreFAR(1), f5gcAccessFAR(2), f5gcQER(1, 1, ie.NewMBR(1000, 1000)), f5gcQER(2, 1), f5gcURR(1), f5gcURR(2), ie.NewPDNType(ie.PDNTypeIPv4),
	}
}

// f5gcUpdate is the Update FAR of the downlink; flags are 0 or SNDEM.
func f5gcUpdate(action uint8, gnb string, teid uint32, flags uint8) *ie.IE {
	return ie.NewUpdateFAR(ie.NewFARID(2), ie.NewApplyAction(action), ie.NewUpdateForwardingParameters(
		ie.NewDestinationInterface(ie.DstInterfaceAccess), f5gcInstance(), outer(gnb, teid), ie.NewPFCPSMReqFlags(flags)))
}

func f5gcUpdatePDR() *ie.IE {
	return ie.NewUpdatePDR(ie.NewPDRID(2), ie.NewPrecedence(255),
		ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), f5gcInstance(), ie.NewUEIPAddress(2|4, "10.60.0.1", "", 0, 0)),
		ie.NewFARID(2), ie.NewQERID(2), ie.NewQERID(1), ie.NewURRID(1), ie.NewURRID(2))
}

func (s *smf) f5gcModify(seid uint64, parts ...*ie.IE) {
	s.w.t.Helper()
	s.modify(seid, append([]*ie.IE{ie.NewFSEID(1, s.peer.Addr().AsSlice(), nil)}, parts...)...)
}

// f5gcWorld has slices as operators of free5gc write them: with S-NSSAI and DNNs.
func f5gcWorld(t *testing.T, change ...func(*upf.Config)) (*world, *smf) {
	t.Helper()
	w, s := corpus(t, change...)
	w.slices = []fabric.Slice{anchored("mbb", &fabric.SNSSAI{SST: 1, SD: "010203"}, "internet"), anchored("ims", &fabric.SNSSAI{SST: 1, SD: "112233"}, "ims")}
	w.look()
	s.associate(ie.NewCPFunctionFeatures(0))
	return w, s
}

func TestFree5GCAttachIdleAndRelease(t *testing.T) {
	w, s := f5gcWorld(t)
	seid, _ := s.establish(1, f5gcAttach()...)
	if got := w.only("mbb"); got.Uplink != tunnelAt(n3, f5gcTEID) || fmt.Sprint(got.UE) != "[10.60.0.1/32]" || got.QFI != 1 {
		t.Errorf("attached: %+v", got)
	}
	w.towards("mbb", "", 0)
	s.f5gcModify(seid, f5gcUpdatePDR(), f5gcUpdate(forward, gnb, 1, 0))
	w.towards("mbb", gnb, 1)
	s.f5gcModify(seid, f5gcUpdate(4|8, gnb, 1, 0)) // idle: BUFF and NOCP, and the gNB of before
	w.towards("mbb", "", 0)
	s.f5gcModify(seid, f5gcUpdatePDR(), f5gcUpdate(forward, gnb, 2, 0))
	w.towards("mbb", gnb, 2)
	s.f5gcModify(seid, f5gcUpdate(forward, gnb2, 3, 2)) // over Xn
	w.towards("mbb", gnb2, 3)
	if len(w.markers) != 1 || w.markers[0].To != tunnelAt(gnb, 2) {
		t.Errorf("End Markers %v, want one to the gNB that was left", w.markers)
	}
	s.f5gcModify(seid, f5gcUpdate(4|8, gnb2, 3, 2)) // the SMF keeps SNDEM, though no tunnel is left
	if len(w.markers) != 1 {
		t.Errorf("End Markers %v after a modification that leaves no gNB", w.markers)
	}
	s.delete(seid)
	w.gone()
}

func TestFree5GCNetworkInstanceAsLabelsFindsItsSlice(t *testing.T) {
	w, s := f5gcWorld(t)
	parts := f5gcAttach()
	labels := ie.NewNetworkInstanceFQDN("internet")
	parts[0] = f5gcPDR(1, 255, 1, []uint32{2, 1}, ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), tunnel(f5gcTEID), labels), ie.NewOuterHeaderRemoval(0, 0))
	parts[1] = f5gcPDR(2, 255, 2, []uint32{2, 1}, ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), labels, ie.NewUEIPAddress(2|4, "10.60.0.1", "", 0, 0)))
	s.establish(1, parts...)
	w.only("mbb")
}

// f5gcFlow is a PCC rule: another data path by the same tunnel, with a filter in both directions.
func f5gcFlow(precedence uint32, description string) []*ie.IE {
	return []*ie.IE{
		f5gcUplinkPDR(3, precedence, 3, []uint32{1, 3}, sdf(description, 0)), f5gcDownlinkPDR(4, precedence, 4, []uint32{1, 3}, sdf(description, 0)),
		f5gcCoreFAR(3), f5gcAccessFAR(4), f5gcQER(3, 2, ie.NewMBR(500, 500), ie.NewGBR(200, 200)),
	}
}

func TestFree5GCFlowOfAPCCRule(t *testing.T) {
	w, s := f5gcWorld(t, func(c *upf.Config) { c.Ignore[pfcp.SDFFilters] = true })
	seid, _ := s.establish(1, append(f5gcAttach(), f5gcFlow(128, "permit out 17 from 1.1.1.1/32 to 10.60.0.0/16")...)...)
	s.f5gcModify(seid, f5gcUpdatePDR(), f5gcUpdate(forward, gnb, 1, 0))
	if got := w.only("mbb"); got.Uplink.TEID != f5gcTEID || got.QFI != 1 {
		t.Errorf("got %+v", got)
	}
	w.towards("mbb", gnb, 1)
}

func TestFree5GCHandoverOverN2WithIndirectForwarding(t *testing.T) {
	w, s := f5gcWorld(t)
	seid, _ := s.establish(1, f5gcAttach()...)
	s.f5gcModify(seid, f5gcUpdatePDR(), f5gcUpdate(forward, gnb, 1, 0))
	s.f5gcModify(seid,
		ie.NewCreatePDR(ie.NewPDRID(5), ie.NewPrecedence(0), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), tunnel(0x12)),
			ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(5)),
		ie.NewCreateFAR(ie.NewFARID(5), ie.NewApplyAction(forward),
			ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceAccess), outer(gnb2, 9))))
	w.towards("mbb", gnb, 1)
	// Its PDR names no QFI: forwarded packets have the QFI of the session.
	want := &fabric.Forwarding{From: tunnelAt(n3, 0x12), To: tunnelAt(gnb2, 9), QFIs: []int{1}}
	if diff := cmp.Diff(want, w.only("mbb").Forwarding, compareAddresses); diff != "" {
		t.Errorf("forwarding (-want +got):\n%s", diff)
	}
	s.f5gcModify(seid, ie.NewRemovePDR(ie.NewPDRID(5)), f5gcUpdate(forward, gnb2, 8, 2), ie.NewRemoveFAR(ie.NewFARID(5)))
	w.towards("mbb", gnb2, 8)
	if got := w.only("mbb").Forwarding; got != nil {
		t.Errorf("forwarding goes on: %+v", got)
	}
}

func TestAHandoverOverN2WithoutForwardingWhereThatIsIgnored(t *testing.T) {
	w, s := f5gcWorld(t, func(c *upf.Config) { c.Ignore[pfcp.Forwarding] = true })
	seid, _ := s.establish(1, f5gcAttach()...)
	s.f5gcModify(seid, f5gcUpdatePDR(), f5gcUpdate(forward, gnb, 1, 0))
	s.f5gcModify(seid,
		ie.NewCreatePDR(ie.NewPDRID(5), ie.NewPrecedence(0), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), tunnel(0x12)),
			ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(5)),
		ie.NewCreateFAR(ie.NewFARID(5), ie.NewApplyAction(forward),
			ie.NewForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceAccess), outer(gnb2, 9))))
	if got := w.only("mbb").Forwarding; got != nil || w.m.Status().Counters.Ignored["forwarding"] != 1 {
		t.Errorf("forwarding %+v, ignored %v", got, w.m.Status().Counters.Ignored)
	}
}

func TestFree5GCRestartEndsItsSessions(t *testing.T) {
	w, s := f5gcWorld(t)
	s.establish(1, f5gcAttach()...)
	s.recovery = w.now
	s.associate(ie.NewCPFunctionFeatures(0))
	w.gone()
	seid, _ := s.establish(1, f5gcAttach()...) // its numbers begin again
	s.delete(seid)
	w.gone()
}
