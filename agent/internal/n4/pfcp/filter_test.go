// SPDX-License-Identifier: Apache-2.0

package pfcp_test

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/pfcp"
)

func TestFlowDescriptionsAreRead(t *testing.T) {
	udp := uint8(17)
	p := netip.MustParsePrefix
	for text, want := range map[string]pfcp.Flow{
		"permit out ip from any to assigned": {To: pfcp.End{Assigned: true}},
		"permit out ip from any to any":      {},
		"permit out 17 from 172.20.166.84 to 10.45.0.2 20001": { // open5gs, tests/af
			Protocol: &udp, From: pfcp.End{Prefix: p("172.20.166.84/32")}, To: pfcp.End{Prefix: p("10.45.0.2/32"), Ports: []pfcp.Ports{{First: 20001, Last: 20001}}},
		},
		"permit out udp from 10.200.136.98/32 23455 to assigned 1-65535": {
			Protocol: &udp, From: pfcp.End{Prefix: p("10.200.136.98/32"), Ports: []pfcp.Ports{{First: 23455, Last: 23455}}},
			To: pfcp.End{Assigned: true, Ports: []pfcp.Ports{{First: 1, Last: 65535}}},
		},
		"permit  out\t17 from 2001:db8::1:2/112 80,443,8000-8010 to assigned": { // white space, host bits, a list
			Protocol: &udp, From: pfcp.End{Prefix: p("2001:db8::1:0/112"), Ports: []pfcp.Ports{{First: 80, Last: 80}, {First: 443, Last: 443}, {First: 8000, Last: 8010}}},
			To: pfcp.End{Assigned: true},
		},
	} {
		got, err := pfcp.ParseFlow(text)
		if diff := cmp.Diff(want, got, compareAddresses); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", text, err, diff)
		}
		again, err := pfcp.ParseFlow(got.String())
		if diff := cmp.Diff(got, again, compareAddresses); err != nil || diff != "" {
			t.Errorf("%q is written %q: %v\n%s", text, got, err, diff)
		}
	}
}

// Other dialects: the rest of IPFilterRule, ipfw, TFTs as text, and findings of ipfw fuzzers (open5gs, lib/ipfw).
func TestFlowDescriptionsOfOtherDialectsAreRefusedWithAReason(t *testing.T) {
	for text, want := range map[string]string{
		"":                                             "permit out",
		"permit out ip":                                "\"from\"",
		"permit out ip from 1.2.3.4":                   "\"to\"",
		"permit out ip from any to":                    "\"to\"",
		"deny out ip from any to assigned":             "permit out",
		"permit in ip from assigned to any":            "permit out",
		"PERMIT OUT IP FROM ANY TO ASSIGNED":           "permit out",
		"permit out ip from !10.0.0.1 to any":          "inverted",
		"permit out 6 from any to any setup":           "options",
		"permit out 1 from any to any 80":              "no ports",
		"permit out 256 from any to any":               "no protocol",
		"permit out gre from any to any":               "no protocol",
		"permit out 17 from any 9-1 to any":            "no range",
		"permit out 17 from any 1, to any":             "no port",
		"permit out 17 from any 70000 to any":          "no port",
		"permit out ip from table(1) to any":           "no address",
		"permit out ip from 10.1/16 to any":            "no address",
		"permit out ip from fe80::1%lo to any":         "no address",
		"permit out ip from ff02::2/129 to assigned":   "no address",
		"permit out ip from 10.0.0.1 to 2001:db8::1":   "two families",
		"permit out ip from 1.2.3.4 to 1.2.3.4 uid 12": "options",
		"permit out udp { 10.0.0.1 } to assigned":      "\"from\"",
	} {
		if got, err := pfcp.ParseFlow(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want an error with %q", text, got, err, want)
		}
	}
}

// establishmentWith has one downlink PDR with an SDF filter of these octets.
func establishmentWith(filter []byte) []byte {
	pdi := ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ie.New(ie.SDFFilter, filter))
	var out []byte
	for _, i := range []*ie.IE{
		ie.NewNodeID("10.0.0.9", "", ""), ie.NewFSEID(7, []byte{10, 0, 0, 9}, nil),
		ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1), pdi, ie.NewFARID(1)),
	} {
		b, err := i.Marshal()
		if err != nil {
			panic(err)
		}
		out = append(out, b...)
	}
	return out
}

func TestAFilterIsReadOctetByOctet(t *testing.T) {
	const flow = "permit out 17 from any to assigned 5060"
	all := append([]byte{0x1f, 0, 0, byte(len(flow))}, flow...)
	all = append(all, 0xb8, 0xfc, 0, 0, 1, 0, 1, 2, 3, 0, 0, 0, 9) // ToS EF, SPI 256, flow label 0x10203, ID 9
	e, fault := pfcp.ParseEstablishment(establishmentWith(all), nil)
	if fault != nil {
		t.Fatal(fault)
	}
	u32 := func(v uint32) *uint32 { return &v }
	want, _ := pfcp.ParseFlow(flow)
	got := e.Changes.CreatePDR[0].PDI.Filters
	if diff := cmp.Diff([]pfcp.Filter{{Flow: &want, TOS: &[2]uint8{0xb8, 0xfc}, SPI: u32(256), Label: u32(0x10203), ID: u32(9)}}, got, compareAddresses); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFilterThatIsCutOffOrTooLongIsRefused(t *testing.T) {
	const flow = "permit out 17 from any to assigned 5060"
	whole := append([]byte{0x13, 0, 0, byte(len(flow))}, flow...)
	whole = append(whole, 0xb8, 0xfc, 0, 0, 0, 9)
	for n := 1; n < len(whole); n++ {
		if _, fault := pfcp.ParseEstablishment(establishmentWith(whole[:n]), nil); fault == nil || fault.Cause != ie.CauseInvalidLength || fault.Offending != ie.SDFFilter {
			t.Fatalf("%d of %d octets: %v", n, len(whole), fault)
		}
	}
	long := append([]byte(nil), whole...)
	binary.BigEndian.PutUint16(long[2:], 0xffff)
	if _, fault := pfcp.ParseEstablishment(establishmentWith(long), pfcp.Ignore{pfcp.SDFFilters: true}); fault == nil || fault.Cause != ie.CauseInvalidLength {
		t.Errorf("a description that is longer than its IE: %v", fault)
	}
}

func FuzzParseFlow(f *testing.F) {
	f.Add("permit out 17 from 10.200.136.98/32 23455 to assigned 1-65535")
	f.Add("permit out ip from any to any")
	f.Fuzz(func(t *testing.T, text string) {
		flow, err := pfcp.ParseFlow(text)
		if err != nil {
			return
		}
		again, err := pfcp.ParseFlow(flow.String())
		if diff := cmp.Diff(flow, again, compareAddresses); err != nil || diff != "" {
			t.Errorf("%q is written %q: %v\n%s", text, flow, err, diff)
		}
	})
}
