// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wmnsk/go-pfcp/ie"
)

// A Class is something that SMFs ask for and that the fabric does not do. An IE of a class is refused with the cause
// "Service not supported", unless the operator said that this class may be ignored.
type Class string

// Classes that may be ignored. A feature that has no class here is always refused.
const (
	URR         Class = "urr"         // no usage is measured or reported
	Buffering   Class = "buffering"   // BUFF and NOCP drop: nothing is kept for a UE that sleeps, and no report asks to page it
	QERRates    Class = "qer-rates"   // MBR, GBR, packet rate are not enforced
	SDFFilters  Class = "sdf-filters" // filters that make a difference are not looked at
	CPFunction  Class = "cp-function" // rules between a UE and the SMF (IPv6 router solicitation) carry nothing
	Forwarding  Class = "forwarding"  // packets that a gNB forwards in a handover are dropped
	EndMarker   Class = "end-marker"  // a handover ends without End Marker packets
	Inactivity  Class = "inactivity"  // the SMF gets no report that a UE is silent
	Marking     Class = "marking"     // transport level marking is not written
	Trace       Class = "trace"       // no trace is made
	unsupported Class = ""
)

// Classes are all that may be ignored, with the loss that follows.
func Classes() map[Class]string {
	return map[Class]string{
		URR:        "no usage is measured or reported: no charging by volume, no quota",
		Buffering:  "packets to a sleeping UE are dropped, and the SMF is not asked to page it",
		QERRates:   "MBR, GBR and packet rates are not enforced",
		SDFFilters: "filters that would change what becomes of a packet are not looked at: all traffic of a UE has the QoS flow of the rule without one, or of its last rule",
		CPFunction: "rules between UE and SMF carry nothing: no router advertisements from the SMF",
		Forwarding: "what the source gNB of a handover sends back for the target gNB is dropped: for slices that cannot forward it",
		EndMarker:  "handovers end without End Marker packets where n4 cannot send them (no --echo)",
		Inactivity: "inactivity of a UE is not reported to the SMF",
		Marking:    "transport level marking (DSCP by FAR or QER) is not written",
		Trace:      "no trace is made",
	}
}

// Ignore are the classes that an operator said may be ignored.
type Ignore map[Class]bool

// ParseIgnore reads classes separated by commas.
func ParseIgnore(text string) (Ignore, error) {
	out, known := Ignore{}, Classes()
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if _, there := known[Class(word)]; !there {
			return nil, fmt.Errorf("%q is nothing that can be ignored; there are %v", word, slices.Sorted(maps.Keys(known)))
		}
		out[Class(word)] = true
	}
	return out, nil
}

// Ignored counts accepted features that are not done, by class.
type Ignored map[Class]int

// decoder reads one request: the classes that it may ignore, and those that it did.
type decoder struct {
	ignore  Ignore
	ignored Ignored
}

// allow reports whether an element of a class is ignored; if not the fault names the option that would accept it.
func (d *decoder) allow(class Class, kind uint16, what string) *Fault {
	if d.ignore[class] {
		d.ignored[class]++
		return nil
	}
	remedy := ""
	if class != unsupported {
		remedy = fmt.Sprintf("; --ignore %s accepts it, and then %s", class, Classes()[class])
	}
	return fault(ie.CauseServiceNotSupported, kind, "%s is not supported%s", what, remedy)
}

// feature is the feature that an IE asks for.
type feature struct {
	class Class
	name  string
}

// refuse looks for IEs that ask for unsupported features. IEs that are not listed anywhere are ignored, as TS 29.244,
// 7.6 has it.
func (d *decoder) refuse(in []element, features map[uint16]feature) *Fault {
	for _, e := range in {
		if f, there := features[e.kind]; there {
			if fault := d.allow(f.class, e.kind, f.name); fault != nil {
				return fault
			}
		}
	}
	return nil
}

func ofSession() map[uint16]feature {
	return map[uint16]feature{
		ie.CreateURR: {URR, "Create URR"}, ie.UpdateURR: {URR, "Update URR"}, ie.RemoveURR: {URR, "Remove URR"},
		ie.QueryURR: {URR, "Query URR"}, ie.QueryURRReference: {URR, "Query URR Reference"},
		ie.CreateBAR: {Buffering, "Create BAR"}, ie.UpdateBARWithinSessionModificationRequest: {Buffering, "Update BAR"},
		ie.RemoveBAR:                {Buffering, "Remove BAR"},
		ie.UserPlaneInactivityTimer: {Inactivity, "User Plane Inactivity Timer"}, ie.TraceInformation: {Trace, "Trace Information"},
		ie.CreateTrafficEndpoint: {unsupported, "Create Traffic Endpoint"}, ie.UpdateTrafficEndpoint: {unsupported, "Update Traffic Endpoint"},
		ie.RemoveTrafficEndpoint: {unsupported, "Remove Traffic Endpoint"},
		ie.CreateMAR:             {unsupported, "Create MAR"}, ie.UpdateMAR: {unsupported, "Update MAR"}, ie.RemoveMAR: {unsupported, "Remove MAR"},
		ie.CreateSRR: {unsupported, "Create SRR"}, ie.UpdateSRR: {unsupported, "Update SRR"}, ie.RemoveSRR: {unsupported, "Remove SRR"},
		ie.CreateBridgeInfoForTSC:               {unsupported, "Create Bridge Info for TSC"},
		ie.ProvideATSSSControlInformation:       {unsupported, "Provide ATSSS Control Information"},
		ie.ProvideRDSConfigurationInformation:   {unsupported, "Provide RDS Configuration Information"},
		ie.AccessAvailabilityControlInformation: {unsupported, "Access Availability Information"},
		ie.EthernetContextInformation:           {unsupported, "Ethernet Context Information"},
	}
}

func ofPDR() map[uint16]feature {
	return map[uint16]feature{
		ie.URRID: {URR, "URR ID"}, ie.MARID: {unsupported, "MAR ID"},
		ie.ActivatePredefinedRules: {unsupported, "Activate Predefined Rules"}, ie.DeactivatePredefinedRules: {unsupported, "Deactivate Predefined Rules"},
		ie.ActivationTime: {unsupported, "Activation Time"}, ie.DeactivationTime: {unsupported, "Deactivation Time"},
		ie.IPMulticastAddressingInfo: {unsupported, "IP Multicast Addressing Info"}, ie.MPTCPApplicableIndication: {unsupported, "MPTCP Applicable Indication"},
		ie.TransportDelayReporting: {unsupported, "Transport Delay Reporting"},
	}
}

func ofPDI() map[uint16]feature {
	return map[uint16]feature{
		ie.ApplicationID: {SDFFilters, "Application ID"}, ie.TrafficEndpointID: {unsupported, "Traffic Endpoint ID"},
		ie.EthernetPDUSessionInformation: {unsupported, "Ethernet PDU Session Information"}, ie.EthernetPacketFilter: {unsupported, "Ethernet Packet Filter"},
		ie.FramedRoute: {unsupported, "Framed-Route"}, ie.FramedRouting: {unsupported, "Framed-Routing"}, ie.FramedIPv6Route: {unsupported, "Framed-IPv6-Route"},
		ie.RedundantTransmissionParameters: {unsupported, "Redundant Transmission"}, ie.IPMulticastAddressingInfo: {unsupported, "IP Multicast Addressing Info"},
	}
}

func ofFAR() map[uint16]feature {
	return map[uint16]feature{
		ie.BARID: {Buffering, "BAR ID"}, ie.DuplicatingParameters: {unsupported, "Duplicating Parameters"},
		ie.UpdateDuplicatingParameters:               {unsupported, "Update Duplicating Parameters"},
		ie.RedundantTransmissionForwardingParameters: {unsupported, "Redundant Transmission"},
	}
}

func ofForwarding() map[uint16]feature {
	return map[uint16]feature{
		ie.TransportLevelMarking: {Marking, "Transport Level Marking"}, ie.RedirectInformation: {unsupported, "Redirect Information"},
		ie.ForwardingPolicy: {unsupported, "Forwarding Policy"}, ie.HeaderEnrichment: {unsupported, "Header Enrichment"},
		ie.TrafficEndpointID: {unsupported, "Linked Traffic Endpoint ID"}, ie.Proxying: {unsupported, "Proxying"},
	}
}

func ofQER() map[uint16]feature {
	return map[uint16]feature{
		ie.MBR: {QERRates, "MBR"}, ie.GBR: {QERRates, "GBR"}, ie.PacketRate: {QERRates, "Packet Rate"},
		ie.DLFlowLevelMarking: {Marking, "DL Flow Level Marking"}, ie.PagingPolicyIndicator: {Marking, "Paging Policy Indicator"},
	}
}
