// SPDX-License-Identifier: Apache-2.0

package pfcp_test

import (
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

var compareAddresses = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// golden is a Session Establishment Request, octet by octet of TS 29.244: SEID 0, sequence number 2; SMF 10.0.0.9, SEID 7; PDR 1 from
// access at 198.51.100.1 TEID 0x1001 to FAR 1, PDR 2 from core to 10.60.0.1 to FAR 2; QER 1 with QFI 9; S-NSSAI 2-000001; DNN internet.
const golden = `
	2132 00cf 0000000000000000 000002 00
	003c 0005 00 0a000009
	0039 000d 02 0000000000000007 0a000009
	0001 0039  0038 0002 0001  001d 0004 00000064  0002 0012  0014 0001 00  0015 0009 01 00001001 c6336401
	           005f 0001 00  006c 0004 00000001  006d 0004 00000001
	0001 0034  0038 0002 0002  001d 0004 00000064  0002 0012  0014 0001 01  005d 0005 06 0a3c0001  0016 0000
	           006c 0004 00000002  006d 0004 00000001
	0003 0016  006c 0004 00000001  002c 0001 02  0004 0005  002a 0001 01
	0003 000d  006c 0004 00000002  002c 0001 01
	0007 0012  006d 0004 00000001  0019 0001 00  007c 0001 09
	0101 0004 02 000001
	009f 0009 08 696e7465726e6574`

func TestAnEstablishmentIsReadOctetByOctet(t *testing.T) {
	b := bytesOf(t, golden)
	b[2], b[3] = byte((len(b)-4)>>8), byte(len(b)-4)
	h, body, err := pfcp.ParseHeader(b)
	if err != nil || h != (pfcp.Header{Type: 50, HasSEID: true, Sequence: 2}) {
		t.Fatalf("header %+v, %v", h, err)
	}
	got, fault := pfcp.ParseEstablishment(body, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	u8, u32 := func(v uint8) *uint8 { return &v }, func(v uint32) *uint32 { return &v }
	yes, no := true, false
	qers := []uint32{1}
	want := pfcp.Establishment{
		Node: "10.0.0.9", CP: pfcp.FSEID{SEID: 7, Address: netip.MustParseAddr("10.0.0.9")}, SNSSAI: &pfcp.SNSSAI{SST: 2, SD: 1}, DNN: "internet",
		Ignored: pfcp.Ignored{},
		Changes: pfcp.Changes{
			CreatePDR: []pfcp.PDRPatch{
				{ID: 1, Precedence: u32(100), RemovesHeader: &yes, FAR: u32(1), QERs: &qers, PDI: &pfcp.PDI{
					Source: pfcp.Access, FTEID: &pfcp.FTEID{IPv4: true, Tunnel: fabric.Tunnel{Endpoint: netip.MustParseAddr("198.51.100.1"), TEID: 0x1001}},
				}},
				{ID: 2, Precedence: u32(100), FAR: u32(2), QERs: &qers, PDI: &pfcp.PDI{
					Source: pfcp.Core, UE: pfcp.UEAddress{Prefixes: []netip.Prefix{netip.MustParsePrefix("10.60.0.1/32")}},
				}},
			},
			CreateFAR: []pfcp.FARPatch{{ID: 1, Forwards: &yes, Destination: u8(pfcp.Core)}, {ID: 2, Forwards: &no}},
			CreateQER: []pfcp.QERPatch{{ID: 1, QFI: u8(9), ULClosed: &no, DLClosed: &no}},
		},
	}
	if diff := cmp.Diff(want, got, compareAddresses); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnswersAreWrittenOctetByOctet(t *testing.T) {
	s := pfcp.Speaker{Address: netip.MustParseAddr("10.0.0.4"), Recovery: 0xe5000000, Features: pfcp.Features{Tunnels: true, EndMarkers: true}}
	created := []pfcp.Created{{PDR: 1, Tunnel: &fabric.Tunnel{Endpoint: netip.MustParseAddr("198.51.100.1"), TEID: 0x1001}}}
	failed := &pfcp.Fault{Cause: ie.CauseRuleCreationModificationFailure, Offending: ie.FTEID, Rule: &pfcp.Rule{Kind: pfcp.KindPDR, ID: 3}}
	for name, c := range map[string]struct {
		got  []byte
		want string
	}{
		"Heartbeat":         {s.Heartbeat(5), "2002 000c 00000500 0060 0004 e5000000"},
		"Heartbeat Request": {s.HeartbeatRequest(5), "2001 000c 00000500 0060 0004 e5000000"},
		"Association Setup": {s.Setup(1, nil, true), "2006 0027 00000100 003c 0005 00 0a000004 0013 0001 01 0060 0004 e5000000 002b 0004 10010020 00b8 0001 01"},
		"Establishment": {s.Establishment(2, 7, 0x64, nil, created), `2133 0041 0000000000000007 00000200 003c 0005 00 0a000004 0013 0001 01
			0039 000d 02 0000000000000064 0a000004 0008 0013 0038 0002 0001 0015 0009 01 00001001 c6336401`},
		"Establishment refused": {s.Establishment(2, 7, 0, failed, nil), `2133 0027 0000000000000007 00000200 003c 0005 00 0a000004 0013 0001 49 0028 0002 0015 0072 0003 00 0003`},
		"Deletion":              {s.Deletion(3, 7, nil), "2137 0011 0000000000000007 00000300 0013 0001 01"},
		"Version not supported": {pfcp.OtherVersion(9), "200b 0004 00000900"},
	} {
		want := bytesOf(t, c.want)
		want[2], want[3] = byte((len(want)-4)>>8), byte(len(want)-4)
		if diff := cmp.Diff(hex.EncodeToString(want), hex.EncodeToString(c.got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTagsOfThreeBytesEndNothing(t *testing.T) {
	// go-pfcp 0.0.24 panics at these: Outer Header Creation with a C-TAG in the second octet.
	body := bytesOf(t, "006c 0004 00000001 002c 0001 02 0004 000e 002a 0001 00 0054 0005 0040 010203")
	far := append([]byte{0, 3, 0, byte(len(body))}, body...)
	head := bytesOf(t, "003c 0005 00 0a000009 0039 000d 02 0000000000000007 0a000009")
	if _, fault := pfcp.ParseEstablishment(append(head, far...), nil); fault == nil || fault.Offending != ie.OuterHeaderCreation {
		t.Errorf("got %v", fault)
	}
}

func TestNamesAreLabelsOrText(t *testing.T) {
	for in, want := range map[string]string{"\x08internet": "internet", "\x08internet\x00": "internet", "\x00": "\x00", "\x03ims\x06mnc001\x06mcc001\x04gprs": "ims.mnc001.mcc001.gprs", "Internet": "internet", "\x09internet": "\x09internet"} {
		i := ie.New(ie.APNDNN, []byte(in))
		m := message.NewSessionEstablishmentRequest(0, 0, 0, 1, 0, ie.NewNodeID("10.0.0.9", "", ""), ie.NewFSEID(7, []byte{10, 0, 0, 9}, nil), i)
		b := make([]byte, m.MarshalLen())
		if err := m.MarshalTo(b); err != nil {
			t.Fatal(err)
		}
		e, fault := pfcp.ParseEstablishment(b[16:], nil)
		if fault != nil || e.DNN != want {
			t.Errorf("%q is %q, %v", in, e.DNN, fault)
		}
	}
}

func TestClassesAreReadByName(t *testing.T) {
	got, err := pfcp.ParseIgnore("urr, qer-rates,")
	if err != nil || !got[pfcp.URR] || !got[pfcp.QERRates] || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := pfcp.ParseIgnore("everything"); err == nil || !strings.Contains(err.Error(), "sdf-filters") {
		t.Errorf("got %v, want what there is", err)
	}
}

// FuzzParse: whatever comes is a request or a fault with a cause, in bounded time.
func FuzzParse(f *testing.F) {
	f.Add(bytesOf(f, golden))
	f.Add(bytesOf(f, "2001 000c 00000500 0060 0004 e5000000"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, body, err := pfcp.ParseHeader(b)
		if err != nil {
			body = b
		}
		all := pfcp.Ignore{}
		for class := range pfcp.Classes() {
			all[class] = true
		}
		for _, ignore := range []pfcp.Ignore{nil, all} {
			faults := make([]*pfcp.Fault, 5)
			_, faults[0] = pfcp.ParseEstablishment(body, ignore)
			_, faults[1] = pfcp.ParseModification(body, ignore)
			_, faults[2] = pfcp.ParseSetup(body)
			_, faults[3] = pfcp.ParseHeartbeat(body)
			_, faults[4] = pfcp.ParseNode(body)
			for i, fault := range faults {
				if fault != nil && (fault.Cause < 64 || fault.Reason == "") {
					t.Errorf("parser %d: %+v", i, fault)
				}
			}
		}
	})
}
