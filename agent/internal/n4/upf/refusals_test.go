// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// asked are establishments that ask for something that is not done, by the class that ignores it ("": none does).
func asked() []struct {
	name      string
	class     pfcp.Class
	offending uint16
	parts     []*ie.IE
} {
	with := func(i int, replaced *ie.IE, more ...*ie.IE) []*ie.IE {
		p := parts(1, "10.60.0.1")
		if replaced != nil {
			p[i] = replaced
		}
		return append(p, more...)
	}
	filter := func(text string) *ie.IE { return ie.NewSDFFilter(text, "", "", "", 1) }
	return []struct {
		name      string
		class     pfcp.Class
		offending uint16
		parts     []*ie.IE
	}{
		{"a URR", pfcp.URR, ie.CreateURR, with(0, nil, ie.NewCreateURR(ie.NewURRID(1), ie.NewMeasurementMethod(0, 1, 0)))},
		{"a URR ID in a PDR", pfcp.URR, ie.URRID, with(0, ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1),
			ie.NewPDI(ie.NewSourceInterface(0), tunnel(1)), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1), ie.NewURRID(1)))},
		{"a BAR", pfcp.Buffering, ie.CreateBAR, with(0, nil, ie.NewCreateBAR(ie.NewBARID(1)))},
		{"buffering", pfcp.Buffering, ie.ApplyAction, with(3, downlinkFAR(buffer|8))},
		{"MBR", pfcp.QERRates, ie.MBR, with(4, qer(9, ie.NewMBR(1000, 1000)))},
		{"GBR", pfcp.QERRates, ie.GBR, with(4, qer(9, ie.NewGBR(1000, 1000)))},
		{"an SDF filter", pfcp.SDFFilters, ie.SDFFilter, with(1, downlinkPDR("10.60.0.1", filter("permit out udp from 10.0.0.0/8 to assigned")))},
		{"an application", pfcp.SDFFilters, ie.ApplicationID, with(1, downlinkPDR("10.60.0.1", ie.NewApplicationID("video")))},
		{"inactivity", pfcp.Inactivity, ie.UserPlaneInactivityTimer, with(0, nil, ie.NewUserPlaneInactivityTimer(time.Minute))},
		{"DSCP marking", pfcp.Marking, ie.TransportLevelMarking, with(3, downlinkFAR(forward, ie.NewTransportLevelMarking(0xb8fc)))},
		{"packets of the SMF", pfcp.CPFunction, ie.SourceInterface, with(0, nil, ie.NewCreatePDR(ie.NewPDRID(3), ie.NewPrecedence(1),
			ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCPFunction), tunnel(9)), ie.NewFARID(2)))},
		{"a traffic endpoint", "", ie.CreateTrafficEndpoint, with(0, nil, ie.NewCreateTrafficEndpoint(ie.NewTrafficEndpointID(1)))},
		{"a redirection", "", ie.RedirectInformation, with(2, ie.NewCreateFAR(ie.NewFARID(1), ie.NewApplyAction(forward),
			ie.NewForwardingParameters(ie.NewDestinationInterface(1), ie.NewRedirectInformation(2, "http://portal"))))},
		{"duplication", "", ie.ApplyAction, with(2, uplinkFAR(forward|16))},
		{"a tunnel to another UPF", "", ie.DestinationInterface, with(2, ie.NewCreateFAR(ie.NewFARID(1), ie.NewApplyAction(forward),
			ie.NewForwardingParameters(ie.NewDestinationInterface(1), outer("10.9.9.9", 4))))},
		{"UDP instead of GTP-U", "", ie.OuterHeaderCreation, with(3, downlinkFAR(forward, ie.NewOuterHeaderCreation(0x0400, 0, gnb, "", 2152, 0, 0)))},
		{"Ethernet", "", ie.EthernetPDUSessionInformation, with(1, downlinkPDR("10.60.0.1", ie.NewEthernetPDUSessionInformation(1)))},
		{"a framed route", "", ie.FramedRoute, with(1, downlinkPDR("10.60.0.1", ie.NewFramedRoute("10.61.0.0/24 10.60.0.1 1")))},
		{"a PDN that is not IP", "", ie.PDNType, with(0, nil, ie.NewPDNType(ie.PDNTypeEthernet))},
		{"predefined rules", "", ie.ActivatePredefinedRules, with(0, ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1),
			ie.NewPDI(ie.NewSourceInterface(0), tunnel(1)), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1), ie.NewActivatePredefinedRules("gold")))},
	}
}

func TestWhatIsNotDoneIsRefusedByName(t *testing.T) {
	for _, c := range asked() {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			s := w.smf("10.0.0.9")
			s.associate()
			s.refused(s.establishment(1, c.parts...), ie.CauseServiceNotSupported, c.offending)
			if len(w.fabric["mbb"]) != 0 {
				t.Errorf("the fabric has %v", w.fabric)
			}
			text := w.notes[len(w.notes)-1].Args
			if c.class != "" && !strings.Contains(text[len(text)-1].(string), "--ignore "+string(c.class)) {
				t.Errorf("the log does not say what would accept it: %v", text)
			}
		})
	}
}

func TestWhatMayBeIgnoredIsAcceptedAndCounted(t *testing.T) {
	for _, c := range asked() {
		if c.class == "" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(x *upf.Config) { x.Ignore = pfcp.Ignore{c.class: true} })
			s := w.smf("10.0.0.9")
			s.associate()
			s.establish(1, c.parts...)
			w.only("mbb")
			if got := w.m.Status().Counters.Ignored[string(c.class)]; got == 0 {
				t.Error("it is not counted as ignored")
			}
		})
	}
}

func TestFiltersThatMatchEverythingAreNoFilters(t *testing.T) {
	for _, text := range []string{"permit out ip from any to assigned", "permit out ip from any to any"} {
		w := newWorld(t)
		s := w.smf("10.0.0.9")
		s.associate()
		p := parts(1, "10.60.0.1")
		p[1] = downlinkPDR("10.60.0.1", ie.NewSDFFilter(text, "", "", "", 1))
		s.establish(1, p...)
	}
}

func TestMissingAndWrongIEsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name      string
		cause     uint8
		offending uint16
		change    func(*smf, *message.SessionEstablishmentRequest)
	}{
		{"no Node ID", ie.CauseMandatoryIEMissing, ie.NodeID, func(_ *smf, m *message.SessionEstablishmentRequest) { m.NodeID = nil }},
		{"no CP F-SEID", ie.CauseMandatoryIEMissing, ie.FSEID, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CPFSEID = nil }},
		{"Node ID of a type that is not there", ie.CauseMandatoryIEIncorrect, ie.NodeID, func(_ *smf, m *message.SessionEstablishmentRequest) { m.NodeID.Payload[0] = 9 }},
		{"an association that is not there", ie.CauseNoEstablishedPFCPAssociation, 0, func(_ *smf, m *message.SessionEstablishmentRequest) {
			m.NodeID = ie.NewNodeID("10.9.9.9", "", "")
		}},
		{"a PDR without an id", ie.CauseMandatoryIEMissing, ie.PDRID, func(_ *smf, m *message.SessionEstablishmentRequest) {
			m.CreatePDR[0] = ie.NewCreatePDR(ie.NewPrecedence(1))
		}},
		{"a PDR without a PDI", ie.CauseMandatoryIEMissing, ie.PDI, func(_ *smf, m *message.SessionEstablishmentRequest) {
			m.CreatePDR[0] = ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1), ie.NewFARID(1))
		}},
		{"a PDR whose FAR is not there", ie.CauseRuleCreationModificationFailure, ie.FARID, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CreateFAR = m.CreateFAR[:1] }},
		{"a PDR whose QER is not there", ie.CauseRuleCreationModificationFailure, ie.QERID, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CreateQER = nil }},
		{"two PDRs of one id", ie.CauseRuleCreationModificationFailure, 0, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CreatePDR[1] = m.CreatePDR[0] }},
		{"no F-TEID", ie.CauseConditionalIEMissing, ie.FTEID, func(_ *smf, m *message.SessionEstablishmentRequest) {
			m.CreatePDR[0] = ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(0)), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1))
		}},
		{"TEID 0", ie.CauseMandatoryIEIncorrect, ie.FTEID, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CreatePDR[0] = uplinkPDR(tunnel(0)) }},
		{"no UE address", ie.CauseConditionalIEMissing, ie.UEIPAddress, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CreatePDR = m.CreatePDR[:1] }},
		{"QFI 64", ie.CauseMandatoryIEIncorrect, ie.QFI, func(_ *smf, m *message.SessionEstablishmentRequest) { m.CreateQER[0] = qer(64) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			s := w.smf("10.0.0.9")
			s.associate()
			m := s.establishment(1, parts(1, "10.60.0.1")...)
			c.change(s, m)
			s.refused(m, c.cause, c.offending)
			if len(w.fabric["mbb"]) != 0 {
				t.Errorf("the fabric has %v", w.fabric)
			}
		})
	}
}

func TestAnIEThatIsCutOffIsNamed(t *testing.T) {
	s := newWorld(t).smf("10.0.0.9")
	s.associate()
	for name, tail := range map[string][]byte{"at the end": {0, 3, 0, 9, 0}, "in a group": {0, 1, 0, 5, 0, 3, 0, 9, 0}} {
		b := append(bytesOf(t, s.establishment(1, parts(1, "10.60.0.1")...)), tail...)
		binary.BigEndian.PutUint16(b[2:], uint16(len(b)-4))
		m := s.sendBytes(b).(*message.SessionEstablishmentResponse)
		offending, _ := m.OffendingIE.OffendingIE()
		if got := cause(t, m.Cause); got != ie.CauseInvalidLength || offending != ie.CreateFAR {
			t.Errorf("%s: cause %d, offending IE %d", name, got, offending)
		}
	}
}

func TestAModificationThatIsRefusedChangesNothing(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	s.associate()
	seid, _ := s.establish(1, parts(1, "10.60.0.1")...)
	s.modify(seid, handover(gnb, 2))
	before := w.only("mbb")
	for _, c := range []struct {
		part      *ie.IE
		cause     uint8
		offending uint16
	}{
		{ie.NewRemoveFAR(ie.NewFARID(1)), ie.CauseRuleCreationModificationFailure, ie.FARID},
		{ie.NewRemovePDR(ie.NewPDRID(9)), ie.CauseRuleCreationModificationFailure, 0},
		{ie.NewUpdateFAR(ie.NewFARID(9), ie.NewApplyAction(forward)), ie.CauseRuleCreationModificationFailure, 0},
		{ie.NewCreateURR(ie.NewURRID(1)), ie.CauseServiceNotSupported, ie.CreateURR},
	} {
		s.refused(s.modification(seid, handover(gnb2, 3), c.part), c.cause, c.offending)
		if !w.only("mbb").Equal(before) {
			t.Errorf("refused for %d, the session became %+v", c.part.Type, w.only("mbb"))
		}
	}
	s.modify(seid, handover(gnb2, 3))
	s.refused(s.modification(seid+1), ie.CauseSessionContextNotFound, 0)
}

func TestOddMessagesAreAnsweredOrIgnoredAsTheStandardSays(t *testing.T) {
	w := newWorld(t)
	s := w.smf("10.0.0.9")
	setup := bytesOf(t, message.NewAssociationSetupRequest(1, s.node(), ie.NewRecoveryTimeStamp(s.recovery)))
	version2 := append([]byte{0x40}, setup[1:]...)
	if m, is := s.sendBytes(version2).(*message.VersionNotSupportedResponse); !is || m.Sequence() != 1 {
		t.Errorf("version 2 is answered by %v", m)
	}
	long := append(append([]byte(nil), setup...), 0)
	if m, is := s.sendBytes(long).(*message.AssociationSetupResponse); !is || cause(t, m.Cause) != ie.CauseInvalidLength {
		t.Errorf("a wrong length is answered by %v", m)
	}
	for name, b := range map[string][]byte{
		"nothing": {}, "half a header": setup[:7], "a response": bytesOf(t, message.NewAssociationSetupResponse(1, s.node())),
		"an unknown type": append([]byte{0x20, 99}, setup[2:]...), "half a header of a session": {0x21, 50, 0, 4, 0, 0, 0, 0},
		"a version that is not supported, of a response": {0x40, 11, 0, 4, 0, 0, 0, 0},
	} {
		if m := s.sendBytes(b); m != nil {
			t.Errorf("%s is answered by %v", name, m)
		}
	}
	if m, is := s.send(message.NewPFDManagementRequest(8)).(*message.PFDManagementResponse); !is || cause(t, m.Cause) != ie.CauseServiceNotSupported {
		t.Errorf("PFD management is answered by %v", m)
	}
	if m, is := s.send(message.NewSessionSetDeletionRequest(9, s.node(), nil)).(*message.SessionSetDeletionResponse); !is || cause(t, m.Cause) != ie.CauseServiceNotSupported {
		t.Errorf("session set deletion is answered by %v", m)
	}
}

func TestThereIsAnEndToSessionsAndAssociations(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.MaxSessions = 2 })
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	s.establish(2, parts(2, "10.60.0.2")...)
	s.refused(s.establishment(3, parts(3, "10.60.0.3")...), ie.CauseNoResourcesAvailable, 0)
}
