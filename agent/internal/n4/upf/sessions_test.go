// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

var compareAddresses = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

func TestASessionIsInTheFabricAndTheModificationTellsItsGNB(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(7, parts(4097, "10.60.0.1")...)
	want := fabric.Session{
		ID: fmt.Sprintf("n4-%016x", seid), UE: []netip.Prefix{netip.MustParsePrefix("10.60.0.1/32")}, QFI: 9,
		Uplink: fabric.Tunnel{Endpoint: netip.MustParseAddr(n3), TEID: 4097},
	}
	if diff := cmp.Diff(want, w.only("mbb"), compareAddresses); diff != "" {
		t.Errorf("established (-want +got):\n%s", diff)
	}
	s.modify(seid, handover(gnb, 4098))
	want.Downlink = &fabric.Tunnel{Endpoint: netip.MustParseAddr(gnb), TEID: 4098}
	if diff := cmp.Diff(want, w.only("mbb"), compareAddresses); diff != "" {
		t.Errorf("modified (-want +got):\n%s", diff)
	}
	s.modify(seid, handover(gnb2, 4099))
	want.Downlink = &fabric.Tunnel{Endpoint: netip.MustParseAddr(gnb2), TEID: 4099}
	if diff := cmp.Diff(want, w.only("mbb"), compareAddresses); diff != "" || w.patches != 2 {
		t.Errorf("handed over, %d patches (-want +got):\n%s", w.patches, diff)
	}
	s.delete(seid)
	if len(w.fabric["mbb"]) != 0 {
		t.Errorf("the fabric keeps %v", w.fabric)
	}
	s.refused(s.deletion(seid), ie.CauseSessionContextNotFound, 0)
}

func TestAGNBKnownFromTheStartNeedsNoModification(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(7, uplinkPDR(tunnel(5)), downlinkPDR("10.60.0.1"), uplinkFAR(forward), downlinkFAR(forward, outer(gnb, 6)), qer(5))
	if got := w.only("mbb"); got.Downlink == nil || got.Downlink.TEID != 6 || got.QFI != 5 {
		t.Errorf("got %+v", got)
	}
}

func TestIPv6AndPrefixesAndTheGNBOverIPv6(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	up := ie.NewFTEID(2, 5, nil, net.ParseIP("2001:db8:f::1"), 0)
	down := func(ue *ie.IE) *ie.IE {
		return ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ue), ie.NewFARID(2), ie.NewQERID(1))
	}
	outer6 := ie.NewOuterHeaderCreation(0x0200, 6, "", "2001:db8:b::1", 0, 0, 0)
	for i, c := range []struct {
		ue   *ie.IE
		want string
	}{
		{ie.NewUEIPAddress(1, "", "2001:db8:60::1", 0, 0), "[2001:db8:60::/64]"},
		{ie.NewUEIPAddress(1|8, "", "2001:db8:60::", 8, 0), "[2001:db8:60::/56]"},
		{ie.NewUEIPAddress(1|64, "", "2001:db8:60::1", 0, 128), "[2001:db8:60::1/128]"},
		{ie.NewUEIPAddress(1|2, "10.60.0.1", "2001:db8:60::", 0, 0), "[10.60.0.1/32 2001:db8:60::/64]"},
	} {
		seid, _ := s.establish(uint64(i), uplinkPDR(up), down(c.ue), uplinkFAR(forward), downlinkFAR(forward, outer6), qer(5))
		got := w.only("mbb")
		if fmt.Sprint(got.UE) != c.want || got.Downlink.Endpoint.String() != "2001:db8:b::1" || got.Uplink.Endpoint.String() != "2001:db8:f::1" {
			t.Errorf("got %+v, want UE %s", got, c.want)
		}
		s.delete(seid)
	}
}

func TestTunnelsAreChosenAndNotUsedAgainSoon(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seen := map[uint32]bool{}
	for i := range 50 {
		p := parts(0, fmt.Sprintf("10.60.0.%d", i+1))
		p[0] = uplinkPDR(choose())
		seid, r := s.establish(uint64(i), p...)
		if len(r.CreatedPDR) != 1 {
			t.Fatalf("%d Created PDRs", len(r.CreatedPDR))
		}
		f, err := r.CreatedPDR[0].FTEID()
		id, _ := r.CreatedPDR[0].PDRID()
		if err != nil || id != 1 || seen[f.TEID] || f.IPv4Address.String() != n3 {
			t.Fatalf("Created PDR %d: %+v, %v", id, f, err)
		}
		seen[f.TEID] = true
		if got := w.only("mbb").Uplink.TEID; got != f.TEID {
			t.Errorf("the fabric has TEID %d, the SMF was told %d", got, f.TEID)
		}
		s.delete(seid)
	}
}

func TestRulesWithOneChooseIDShareATunnelAndOthersAreRefused(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	second := func(id uint8) *ie.IE {
		return ie.NewCreatePDR(ie.NewPDRID(3), ie.NewPrecedence(50), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceAccess), ie.NewFTEID(1|4|8, 0, nil, nil, id)),
			ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1))
	}
	p := parts(0, "10.60.0.1")
	p[0] = uplinkPDR(ie.NewFTEID(1|4|8, 0, nil, nil, 3))
	_, r := s.establish(1, append(p, second(3))...)
	a, _ := r.CreatedPDR[0].FTEID()
	b, _ := r.CreatedPDR[1].FTEID()
	if a.TEID != b.TEID {
		t.Errorf("TEIDs %d and %d of one CHOOSE ID", a.TEID, b.TEID)
	}
	s.refused(s.establishment(2, append(p, second(4))...), ie.CauseServiceNotSupported, ie.FTEID)
}

func TestAFamilyWithoutAnAddressCannotBeChosen(t *testing.T) {
	s := newWorld(t).smf("10.0.0.9")
	s.associate()
	p := parts(0, "10.60.0.1")
	p[0] = uplinkPDR(ie.NewFTEID(2|4, 0, nil, nil, 0))
	s.refused(s.establishment(1, p...), ie.CauseInvalidFTEIDAllocationOption, ie.FTEID)
}

func TestATunnelHasOneSession(t *testing.T) {
	w := newWorld(t)
	s, other := w.smf("10.0.0.9"), w.smf("10.0.0.10")
	s.associate()
	other.associate()
	s.establish(1, parts(5, "10.60.0.1")...)
	answer := other.refused(other.establishment(1, parts(5, "10.60.0.2")...), ie.CauseRuleCreationModificationFailure, ie.FTEID)
	failed := answer.(*message.SessionEstablishmentResponse).FailedRuleID
	if id, err := failed.FailedRuleID(); err != nil || id != 1 {
		t.Errorf("Failed Rule ID %d, %v; want PDR 1", id, err)
	}
	other.establish(2, parts(6, "10.60.0.2")...)
	if len(w.fabric["mbb"]) != 2 {
		t.Errorf("%d sessions, want 2", len(w.fabric["mbb"]))
	}
}

func TestUEAddressesComeFromThePool(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) {
		c.Pools = []netip.Prefix{netip.MustParsePrefix("10.60.0.0/30"), netip.MustParsePrefix("2001:db8:60::/62")}
	})
	s := w.smf("10.0.0.9")
	s.associate()
	wish := func(teid uint32) []*ie.IE {
		p := parts(teid, "")
		p[1] = ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100),
			ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewUEIPAddress(16|32, "", "", 0, 0)), ie.NewFARID(2), ie.NewQERID(1))
		return p
	}
	first, r := s.establish(1, wish(1)...)
	if got := fmt.Sprint(w.only("mbb").UE); got != "[10.60.0.1/32 2001:db8:60::/64]" {
		t.Errorf("the fabric has UE %s", got)
	}
	if f, err := r.CreatedPDR[0].UEIPAddress(); err != nil || f.IPv4Address.String() != "10.60.0.1" {
		t.Errorf("the SMF was told %+v, %v", f, err)
	}
	s.establish(2, wish(2)...)
	s.refused(s.establishment(3, wish(3)...), ie.CauseNoResourcesAvailable, ie.UEIPAddress)
	s.delete(first)
	s.establish(4, wish(4)...)
}

func TestWithoutAPoolUEAddressesAreNotChosen(t *testing.T) {
	s := newWorld(t).smf("10.0.0.9")
	s.associate()
	p := parts(1, "")
	p[1] = ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100),
		ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewUEIPAddress(16, "", "", 0, 0)), ie.NewFARID(2), ie.NewQERID(1))
	s.refused(s.establishment(1, p...), ie.CauseNoResourcesAvailable, ie.UEIPAddress)
}

func TestWhatARequestNamesPicksTheSlice(t *testing.T) {
	noDefault := func(c *upf.Config) { c.Rules = nil }
	for _, c := range []struct {
		name  string
		parts []*ie.IE
		want  string // a slice, or empty
		bad   uint16
		cause uint8
	}{
		{"S-NSSAI", []*ie.IE{ie.NewSNSSAI(2, 1)}, "urllc", 0, 0},
		{"S-NSSAI before DNN", []*ie.IE{ie.NewSNSSAI(2, 1), ie.NewAPNDNN("internet")}, "urllc", 0, 0},
		{"DNN", []*ie.IE{ie.NewAPNDNN("Internet")}, "mbb", 0, 0},
		{"DNN with operator identifier", []*ie.IE{ie.NewAPNDNN("internet.mnc001.mcc001.gprs")}, "mbb", 0, 0},
		{"Network Instance", []*ie.IE{}, "mbb", 0, 0},
		{"other SD", []*ie.IE{ie.NewSNSSAI(2, 2)}, "", ie.SNSSAI, ie.CauseServiceNotSupported},
		{"other DNN", []*ie.IE{ie.NewAPNDNN("ims")}, "", ie.APNDNN, ie.CauseServiceNotSupported},
		{"nothing", nil, "", ie.SNSSAI, ie.CauseConditionalIEMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, noDefault)
			s := w.smf("10.0.0.9")
			s.associate()
			p := parts(1, "10.60.0.1")
			if c.parts != nil && len(c.parts) == 0 {
				p[1] = downlinkPDR("10.60.0.1", ie.NewNetworkInstanceFQDN("internet"))
			}
			r := s.establishment(1, append(p, c.parts...)...)
			if c.want == "" {
				s.refused(r, c.cause, c.bad)
				return
			}
			s.send(r)
			w.only(c.want)
		})
	}
}

func TestTheDefaultSliceTakesWhatNoOtherDoes(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, append(parts(1, "10.60.0.1"), ie.NewSNSSAI(9, 9))...)
	w.only("mbb")
}

func TestASliceThatHasJustBeenMadeIsFound(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.Rules = nil })
	s := w.smf("10.0.0.9")
	s.associate()
	w.slices = append(w.slices, anchored("new", &fabric.SNSSAI{SST: 7}))
	s.establish(1, append(parts(1, "10.60.0.1"), ie.NewSNSSAI(7, pfcp.NoSD))...)
	w.only("new")
}

func TestASliceWhoseGTPGoesOnToAUPFTakesNoSessions(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.Rules = nil })
	w.slices[1].Core.Anchor = ""
	w.look()
	s := w.smf("10.0.0.9")
	s.associate()
	s.refused(s.establishment(1, append(parts(1, "10.60.0.1"), ie.NewSNSSAI(2, 1))...), ie.CauseServiceNotSupported, ie.SNSSAI)
}

func TestASliceOfTheConfigurationThatIsNotThereIsToldOnce(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.Rules = []upf.SliceRule{{Slice: "mmb", Default: true}} })
	w.look()
	told := 0
	for _, n := range w.notes {
		if len(n.Args) == 2 && fmt.Sprint(n.Args[1]) == "[mmb]" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times: %v", told, w.notes)
	}
}

func TestWhatIsDroppedIsNotInTheFabric(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	p := parts(1, "10.60.0.1")
	p[2] = uplinkFAR(drop)
	seid, _ := s.establish(1, p...)
	if len(w.fabric["mbb"]) != 0 {
		t.Errorf("a session that drops is in the fabric: %v", w.fabric)
	}
	open := ie.NewUpdateFAR(ie.NewFARID(1), ie.NewApplyAction(forward), ie.NewUpdateForwardingParameters(ie.NewDestinationInterface(ie.DstInterfaceCore)))
	s.modify(seid, open, handover(gnb, 2))
	if got := w.only("mbb"); got.Downlink == nil {
		t.Errorf("got %+v, want it with a downlink", got)
	}
	s.modify(seid, ie.NewUpdateQER(ie.NewQERID(1), ie.NewGateStatus(ie.GateStatusOpen, ie.GateStatusClosed)))
	if got := w.only("mbb"); got.Downlink != nil {
		t.Errorf("got %+v, want no downlink behind a closed gate", got)
	}
	s.modify(seid, ie.NewUpdateQER(ie.NewQERID(1), ie.NewGateStatus(ie.GateStatusClosed, ie.GateStatusClosed)))
	if len(w.fabric["mbb"]) != 0 {
		t.Errorf("behind closed gates there is %v", w.fabric)
	}
	s.refused(s.modification(seid, ie.NewUpdateQER(ie.NewQERID(1), ie.NewGateStatus(ie.GateStatusClosed, ie.GateStatusOpen))), ie.CauseServiceNotSupported, ie.ApplyAction)
	s.delete(seid)
}

func TestEndMarkersGoToTheGNBThatWasLeft(t *testing.T) {
	const sndem = 2
	w := newWorld(t, func(c *upf.Config) { c.EndMarkers = true })
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	s.modify(seid, handover(gnb, 2))
	s.modify(seid, handover(gnb2, 3, ie.NewPFCPSMReqFlags(sndem)))
	want := []upf.EndMarker{{From: netip.MustParseAddr(n3), To: fabric.Tunnel{Endpoint: netip.MustParseAddr(gnb), TEID: 2}}}
	if diff := cmp.Diff(want, w.markers, compareAddresses); diff != "" {
		t.Errorf("End Markers (-want +got):\n%s", diff)
	}
}

func TestEndMarkersThatCannotBeSentAreRefused(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	s.modify(seid, handover(gnb, 2))
	s.refused(s.modification(seid, handover(gnb2, 3, ie.NewPFCPSMReqFlags(2))), ie.CauseServiceNotSupported, ie.PFCPSMReqFlags)
	if got := w.only("mbb").Downlink.Endpoint.String(); got != gnb {
		t.Errorf("a refused handover led to %s", got)
	}
}

// As open5gs builds one (lib/pfcp, src/smf/n4-build.c): tunnels are chosen, the downlink buffers until there is a gNB, and two PDRs are
// between UE and SMF.
func TestASessionOfOpen5GSIsServed(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) {
		c.Ignore = pfcp.Ignore{pfcp.URR: true, pfcp.QERRates: true, pfcp.Buffering: true, pfcp.CPFunction: true, pfcp.SDFFilters: true}
		c.EndMarkers = true
	})
	s := w.smf("10.0.0.9")
	s.associate()
	chosen := func(id uint8) *ie.IE { return ie.NewFTEID(1|4|8, 0, nil, nil, id) }
	pdr := func(id uint16, precedence, far uint32, pdi ...*ie.IE) *ie.IE {
		return ie.NewCreatePDR(ie.NewPDRID(id), ie.NewPrecedence(precedence), ie.NewPDI(append(pdi, ie.NewNetworkInstanceFQDN("internet"))...),
			ie.NewOuterHeaderRemoval(6, 0), ie.NewFARID(far), ie.NewURRID(1), ie.NewQERID(1))
	}
	ue := ie.NewUEIPAddress(2|4, "10.45.0.2", "", 0, 0)
	seid, r := s.establish(1,
		pdr(1, 65535, 1, ie.NewSourceInterface(ie.SrcInterfaceCore), ue),
		pdr(2, 65535, 2, ie.NewSourceInterface(ie.SrcInterfaceAccess), chosen(5), ue, ie.NewQFI(1)),
		pdr(3, 65535, 1, ie.NewSourceInterface(ie.SrcInterfaceCPFunction), chosen(6)),
		pdr(4, 1, 3, ie.NewSourceInterface(ie.SrcInterfaceAccess), chosen(5), ie.NewSDFFilter("permit out 58 from ff02::2/128 to assigned", "", "", "", 0)),
		ie.NewCreateFAR(ie.NewFARID(1), ie.NewApplyAction(4|8, 0), ie.NewForwardingParameters(ie.NewDestinationInterface(0)), ie.NewBARID(1)),
		ie.NewCreateFAR(ie.NewFARID(2), ie.NewApplyAction(2, 0), ie.NewForwardingParameters(ie.NewDestinationInterface(1))),
		ie.NewCreateFAR(ie.NewFARID(3), ie.NewApplyAction(2, 0), ie.NewForwardingParameters(ie.NewDestinationInterface(3), outer("10.0.0.9", 77))),
		ie.NewCreateURR(ie.NewURRID(1), ie.NewMeasurementMethod(0, 1, 0)), ie.NewCreateBAR(ie.NewBARID(1)),
		ie.NewCreateQER(ie.NewQERID(1), ie.NewGateStatus(0, 0), ie.NewMBR(1000, 1000), ie.NewQFI(1)),
		ie.NewAPNDNN("internet"), ie.NewSNSSAI(1, pfcp.NoSD), ie.NewPDNType(ie.PDNTypeIPv4))
	got := w.only("mbb")
	if fmt.Sprint(got.UE) != "[10.45.0.2/32]" || got.QFI != 1 || got.Downlink != nil || len(r.CreatedPDR) != 3 {
		t.Fatalf("got %+v, %d Created PDRs", got, len(r.CreatedPDR))
	}
	update := func(address string, teid uint32, action uint8, flags ...*ie.IE) *ie.IE {
		return ie.NewUpdateFAR(ie.NewFARID(1), ie.NewApplyAction(action, 0),
			ie.NewUpdateForwardingParameters(append([]*ie.IE{outer(address, teid)}, flags...)...))
	}
	s.modify(seid, update(gnb, 1, 2))
	s.modify(seid, update(gnb2, 2, 2, ie.NewPFCPSMReqFlags(2)))
	if got := w.only("mbb"); got.Downlink == nil || got.Downlink.Endpoint.String() != gnb2 || len(w.markers) != 1 {
		t.Errorf("handed over: %+v, End Markers %v", got, w.markers)
	}
	s.modify(seid, ie.NewUpdateFAR(ie.NewFARID(1), ie.NewApplyAction(4|8, 0))) // the UE sleeps
	if got := w.only("mbb"); got.Downlink != nil {
		t.Errorf("asleep: %+v", got)
	}
	s.delete(seid)
}

func TestTheQFIIsThatOfTheFlowNotOfTheSession(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	// pfcpsim: a QER of the session with QFI 0, then one of the flow.
	p := parts(1, "10.60.0.1")
	p[1] = ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100),
		ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewUEIPAddress(2, "10.60.0.1", "", 0, 0)), ie.NewFARID(2), ie.NewQERID(0), ie.NewQERID(1))
	s.establish(1, append(p, ie.NewCreateQER(ie.NewQERID(0), ie.NewQFI(0), ie.NewGateStatus(0, 0)))...)
	if got := w.only("mbb").QFI; got != 9 {
		t.Errorf("QFI %d, want 9", got)
	}
}
