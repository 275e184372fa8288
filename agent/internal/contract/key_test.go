// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestKeyNamesTheTableAndTheMatch(t *testing.T) {
	p := netip.MustParsePrefix
	for _, tt := range []struct {
		entry Entry
		want  string
	}{
		{MySID{SID: p("fcbb:bbbb:100::/48")}, "my_sid fcbb:bbbb:100::/48"},
		{Steering{VRF: 7, Dst: p("fd00::/8")}, "steering_v6 vrf 7 fd00::/8"},
		{Steering{Dst: p("10.0.0.0/8")}, "steering_v4 vrf 0 10.0.0.0/8"},
		{SIDList{ID: 12}, "sid_list 12"},
		{EncapSource{}, "encap_source"},
		{Route{Dst: p("::/0")}, "route_v6 vrf 0 ::/0"},
		{Route{Dst: p("0.0.0.0/0")}, "route_v4 vrf 0 0.0.0.0/0"},
		{NextHop{ID: 3}, "next_hop 3"},
		{Liveness{SIDList: 12, Backup: 13}, "liveness sid_list 12"},
		{Restoration{Port: 3, Wait: time.Second}, "restoration port 3"},
		{Flow{Priority: 5, Src: p("::/0"), Dst: p("fd00::/8"), IPProto: Masked(6, 0xff)}, "flow_v6 priority 5 vrf 0 ::/0 fd00::/8 ip_protocol 0x6/0xff"},
		{Flow{Priority: 5, Src: p("10.0.0.1/32"), Dst: p("0.0.0.0/0"), DstPort: Masked(80, 0xffff)}, "flow_v4 priority 5 vrf 0 10.0.0.1/32 0.0.0.0/0 l4_dst_port 0x50/0xffff"},
		{Copy{Group: 7, Path: 2}, "copy group 7 path 2"},
		{
			FlowSteering{Priority: 5, Src: p("10.0.0.1/32"), Dst: p("0.0.0.0/0"), IPProto: Masked(6, 0xff), DSCP: Masked(46, 0x3f), DstPort: &Range{80, 90}},
			"flow_steering_v4 priority 5 vrf 0 10.0.0.1/32 0.0.0.0/0 ip_protocol 0x6/0xff dscp 0x2e/0x3f l4_dst_port 80-90",
		},
		{DedupFlow{FlowID: 0xffffffff}, "dedup_flow 4294967295"},
		{GTPTunnel{Dst: netip.MustParseAddr("192.0.2.1"), TEID: 0xffffffff}, "gtp_tunnel vrf 0 192.0.2.1 teid 4294967295"},
		{GTPRule{Priority: 5, QFI: Masked(9, 0x3f)}, "gtp_rule priority 5 vrf 0 qfi 0x9/0x3f"},
		{GTPRule{Priority: 5, InnerSrc: &Ternary{Mask: PrefixMask(96, 128)}}, "gtp_rule priority 5 vrf 0 inner_src 0x0/0xffffffffffffffffffffffff00000000"},
		{UE{Dst: p("10.60.0.1/32")}, "ue_v4 vrf 0 10.60.0.1/32"},
		{UE{VRF: 2, Dst: p("fd00::/8")}, "ue_v6 vrf 2 fd00::/8"},
		{Punt{Priority: 5, EtherType: Masked(0x88cc, 0xffff)}, "punt priority 5 ether_type 0x88cc/0xffff"},
		{
			Firewall{Firewall: 7, Priority: 5, Has: Masked(1, 1), Args: Masked(1, 15), DstPort: &Range{80, 90}},
			"firewall firewall 7 priority 5 has 0x1/0x1 args 0x1/0xf dst_port 80-90",
		},
	} {
		if got := tt.entry.Key().String(); got != tt.want {
			t.Errorf("Key() = %q, want %q", got, tt.want)
		}
	}
}

func TestValidateNamesTheField(t *testing.T) {
	sid := netip.MustParsePrefix("fcbb:bbbb:100::/48")
	fw := netip.MustParsePrefix("fcbb:bbbb:200:f230::/60")
	sera := func(block, csid, usid, args uint8) Behavior {
		return Behavior{Action: Sera, BlockLength: block, CSIDLength: csid, SERA: SERA{USIDLength: usid, ArgsLength: args, LocalStart: 0xe0}}
	}
	mac := [6]byte{2, 0, 0, 0, 0, 1}
	for _, tt := range []struct {
		name  string
		entry Entry
		want  string // part of the message; "" is valid
	}{
		{"un", MySID{sid, Behavior{Action: UN, BlockLength: 32, CSIDLength: 16}}, ""},
		{"un without lengths", MySID{sid, Behavior{Action: UN}}, "block_length and csid_length"},
		{"un longer than an address", MySID{sid, Behavior{Action: UN, BlockLength: 120, CSIDLength: 16}}, "exceed 128"},
		{"ua shorter than its lengths", MySID{sid, Behavior{Action: UA, BlockLength: 32, CSIDLength: 32, NextHop: 1}}, "fewer"},
		{"ua without next hop", MySID{sid, Behavior{Action: UA, BlockLength: 32, CSIDLength: 16}}, "next_hop 0"},
		{"IPv4 sid", MySID{netip.MustParsePrefix("10.0.0.0/8"), Behavior{Action: End}}, "IPv6"},
		{"host bits", MySID{netip.MustParsePrefix("fcbb::1/48"), Behavior{Action: End}}, "bits set behind"},
		{"unknown action", MySID{sid, Behavior{Action: "end_q"}}, `"end_q"`},
		{"mapped prefix", Steering{Dst: netip.PrefixFrom(netip.MustParseAddr("::ffff:10.0.0.0"), 104), SIDList: 1}, "not a plain"},
		{"steering to list 0", Steering{Dst: sid}, "sid_list 0"},
		{"empty list", SIDList{ID: 1}, "1 to 256"},
		{"weight 0", SIDList{1, []SIDListMember{{0, []netip.Addr{sid.Addr()}}}}, "weight 0"},
		{"no segments", SIDList{1, []SIDListMember{{1, nil}}}, "no segments"},
		{"IPv4 segment", SIDList{1, []SIDListMember{{1, []netip.Addr{netip.MustParseAddr("10.0.0.1")}}}}, "IPv6"},
		{"multicast source", EncapSource{netip.MustParseAddr("ff02::1")}, "unicast"},
		{"route without members", Route{Dst: sid}, "1 to 256"},
		{"route", Route{Dst: sid, Members: []RouteMember{{1, 1}}}, ""},
		{"next hop id of bmv2's drop group", NextHop{ID: 65280, Port: 1, SrcMAC: mac, DstMAC: mac}, "1..65279"},
		{"port 511", NextHop{ID: 1, Port: 511, SrcMAC: mac, DstMAC: mac}, "1..510"},
		{"multicast dst_mac", NextHop{ID: 1, Port: 1, SrcMAC: mac, DstMAC: [6]byte{1}}, "dst_mac"},
		{"zero src_mac", NextHop{ID: 1, Port: 1, DstMAC: mac}, "src_mac"},
		{"punt", Punt{Priority: 1, EtherType: Masked(0x88cc, 0xffff)}, ""},
		{"punt priority", Punt{EtherType: Masked(0x88cc, 0xffff)}, "priority"},
		{"punt field too wide", Punt{Priority: 1, InPort: Masked(0, 0x3ff)}, "in_port"},
		{"punt value outside of its mask", Punt{Priority: 1, IPProto: Masked(3, 1)}, "outside"},
		{"dedup", MySID{sid, Behavior{Action: Dedup, Path: 15}}, ""},
		{"dedup without path", MySID{sid, Behavior{Action: Dedup}}, "path 0"},
		{"flow", Flow{Priority: 1, Src: sid, Dst: sid, Group: 1, Copies: 1}, ""},
		{"flow without priority", Flow{Src: sid, Dst: sid, Group: 1, Copies: 1}, "priority"},
		{"flow under a mask that is no prefix", Flow{Priority: 1, Src: netip.PrefixFrom(sid.Addr(), -1), Dst: sid, Group: 1, Copies: 1}, "src is not a prefix"},
		{"flow of two families", Flow{Priority: 1, Src: netip.MustParsePrefix("10.0.0.0/8"), Dst: sid, Group: 1, Copies: 1}, "two families"},
		{"flow without group", Flow{Priority: 1, Src: sid, Dst: sid, Copies: 1}, "group 0"},
		{"flow of 16 copies", Flow{Priority: 1, Src: sid, Dst: sid, Group: 1, Copies: 16}, "copies 16"},
		{"copy without list", Copy{Group: 1, Path: 1}, "sid_list 0"},
		{"copy on path 0", Copy{Group: 1, SIDList: 1}, "path 0"},
		{"window 64", DedupFlow{FlowID: 1, Window: 64}, "window 64"},
		{"gtp4_e", MySID{sid, Behavior{Action: GTP4E, GTP: GTPEncap{At: 48, SourceAt: 48, PDUType: 1, Container: 2}}}, ""},
		{"gtp4_e whose arguments do not fit, as F4816", MySID{sid, Behavior{Action: GTP4E, GTP: GTPEncap{At: 64}}}, "at 64 leaves no room for 72 bits"},
		{"gtp4_e whose arguments are in its prefix", MySID{sid, Behavior{Action: GTP4E, GTP: GTPEncap{At: 40}}}, "within the 48 bits"},
		{"gtp4_e of PDU type 2", MySID{sid, Behavior{Action: GTP4E, GTP: GTPEncap{At: 48, PDUType: 2}}}, "pdu_type 2"},
		{"gtp4_e with container 3", MySID{sid, Behavior{Action: GTP4E, GTP: GTPEncap{At: 48, Container: 3}}}, "container 3"},
		{"gtp4_e with a source behind the end", MySID{sid, Behavior{Action: GTP4E, GTP: GTPEncap{At: 48, SourceAt: 104}}}, "source_at 104"},
		{"gtp6_e without source", MySID{sid, Behavior{Action: GTP6E, GTP: GTPEncap{At: 64}}}, "source must be"},
		{"gtp6_d", MySID{sid, Behavior{Action: GTP6D}}, ""},
		{"map to nothing", MySID{sid, Behavior{Action: Map}}, "sid must be"},
		{"tunnel of a mapped address", GTPTunnel{Dst: netip.MustParseAddr("::ffff:10.0.0.1")}, "dst must be"},
		{"rule without priority", GTPRule{Action: GTPDiscard}, "priority"},
		{"rule of 7 bits of QFI", GTPRule{Priority: 1, QFI: Masked(0, 0x40), Action: GTPDiscard}, "qfi"},
		{"rule without action", GTPRule{Priority: 1}, `action ""`},
		{"rule into list 0", GTPRule{Priority: 1, Action: GTPCarry}, "sid_list 0"},
		{"rule whose arguments leave the SID", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, ArgsAt: 96}, "args_at 96"},
		{"rule that writes twice", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, ArgsAt: 72, AddressAt: 48}, "overlap"},
		{"rule of GTP4.E", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, ArgsAt: 80, AddressAt: 48}, ""},
		{"rule whose way is its action's", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, AddressAt: 48, Way: Masked(4, 7)}, ""},
		{"rule that keeps an IPv6 destination", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, KeepDestination: true, DropSequence: true, Way: Masked(6, 6)}, ""},
		{"rule of uplink containers", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, Way: Masked(4, 0x15)}, ""},
		{"rule of downlink containers", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, AddressAt: 48, Way: Masked(4, 0xf)}, ""},
		{"rule that has to have a container", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, Way: Masked(0x14, 0x15)}, "way 0x14/0x15"},
		{"rule of uplink containers and of another way", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, Way: Masked(4, 0x14)}, "way 0x4/0x14"},
		{"rule of 6 bits of way", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, Way: Masked(4, 0x25)}, "between 1 and 5 bits"},
		{"carry of uplink containers", GTPRule{Priority: 1, Action: GTPCarry, SIDList: 1, Way: Masked(0, 0x10)}, "way 0x0/0x10"},
		{"rule of another way", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, Way: Masked(4, 4)}, "way 0x4/0x4"},
		{"carry of a way", GTPRule{Priority: 1, Action: GTPCarry, SIDList: 1, Way: Masked(4, 4)}, "way 0x4/0x4"},
		{"rule from multicast", GTPRule{Priority: 1, Action: GTPTranslate, SIDList: 1, Source: netip.MustParseAddr("ff02::1")}, "source must be"},
		{"session without a way", UE{Dst: sid}, "nowhere"},
		{"session with arguments but no list", UE{Dst: sid, ArgsAt: 80, Last: sid.Addr()}, "there is no list"},
		{"session with 41 bits of arguments", UE{Dst: sid, SIDList: 1, ArgsAt: 80, Args: 1 << 40}, "more than 40 bits"},
		{"session by its last SID alone", UE{Dst: sid, Last: sid.Addr()}, ""},
		{"firewall rule on a port that may be missing", Firewall{Priority: 1, DstPort: &Range{1, 2}, Verdict: FwDrop}, "dst_port needs has with bit 1"},
		{"firewall rule on a port of what has none", Firewall{Priority: 1, Has: Masked(0, 1), SrcPort: &Range{1, 2}, Verdict: FwDrop}, "src_port needs has with bit 1"},
		{"firewall rule on a type that may be missing", Firewall{Priority: 1, ICMPType: Masked(1, 255), Verdict: FwDrop}, "icmp_type needs has with bit 2"},
		{"firewall rule on an SRH that may be missing", Firewall{Priority: 1, SegmentsLeft: &Range{1, 2}, Verdict: FwDrop}, "segments_left needs has with bit 4"},
		{"firewall rule on a tag that may be missing", Firewall{Priority: 1, SRHTag: Masked(1, 1), Verdict: FwDrop}, "srh_tag needs has with bit 4"},
		{"firewall rule on a previous SID", Firewall{Priority: 1, PreviousSID: Masked(1, 1), Verdict: FwDrop}, "previous_sid needs has with bit 8"},
		{"firewall rule on a next SID", Firewall{Priority: 1, NextSID: Masked(1, 1), Verdict: FwDrop}, "next_sid needs has with bit 16"},
		{"firewall rule of an empty range", Firewall{Priority: 1, Has: Masked(1, 1), DstPort: &Range{2, 1}, Verdict: FwDrop}, "dst_port: 2 to 1 is empty"},
		{"firewall rule of a full range", Firewall{Priority: 1, Has: Masked(1, 1), DstPort: &Range{0, 65535}, Verdict: FwDrop}, "leave it out"},
		{"firewall rule of 9 bits of a header's length", Firewall{Priority: 1, Has: Masked(4, 4), SRHHdrLen: &Range{0, 256}, Verdict: FwDrop}, "srh_hdr_len: 256"},
		{"firewall rule on flags of UDP", Firewall{Priority: 1, Has: Masked(1, 1), IPProto: Masked(17, 255), TCPFlags: Masked(2, 2), Verdict: FwDrop}, "tcp_flags need ip_protocol 6"},
		{"firewall rule without priority", Firewall{Verdict: FwDrop}, "priority"},
		{"firewall rule without verdict", Firewall{Priority: 1}, `action ""`},
		{"firewall rule of everything", Firewall{Priority: 1, Verdict: FwGoNext}, ""},
		{"sera of a container", MySID{fw, sera(32, 32, 16, 4)}, ""},
		{"sera of no container", MySID{netip.MustParsePrefix("fc00:2::f1:0/112"), sera(0, 0, 0, 16)}, ""},
		{"sera whose row has more than its SID", MySID{fw, sera(32, 16, 16, 4)}, ""},
		{"sera whose arguments leave the prefix", MySID{fw, sera(32, 32, 16, 2)}, "sid has 60 bits"},
		{"sera of 40 bits of a uSID", MySID{fw, sera(16, 40, 40, 4)}, "usid_length 40"},
		{"sera of half a uSID", MySID{fw, sera(32, 24, 16, 4)}, "csid_length 24"},
		{"sera of more arguments than a uSID", MySID{fw, sera(32, 32, 8, 9)}, "args_length 9"},
		{"sera without block", MySID{fw, sera(0, 32, 16, 4)}, "block_length and csid_length"},
		{"sera with lengths of no container", MySID{fw, sera(32, 32, 0, 16)}, "fewer than the 112"},
		{"sera that is too long", MySID{fw, sera(112, 32, 16, 4)}, "sid has 60 bits"},
		{"sera of an instance without counters", MySID{fw, Behavior{Action: Sera, BlockLength: 32, CSIDLength: 32, SERA: SERA{Instance: 256, USIDLength: 16}}}, "instance 256"},
		{"sera that remembers nothing", MySID{fw, Behavior{Action: SeraStateful, BlockLength: 32, CSIDLength: 32, SERA: SERA{USIDLength: 16, ArgsLength: 4}}}, "flows 0"},
		{"restoration", Restoration{Port: 510, Wait: time.Millisecond}, ""},
		{"restoration after an hour", Restoration{Port: 1, Wait: time.Hour}, ""},
		{"restoration of port 0", Restoration{Wait: time.Second}, "port 0"},
		{"restoration of the drop port", Restoration{Port: 511, Wait: time.Second}, "port 511"},
		{"restoration without a wait", Restoration{Port: 1}, "millis 0 is outside 1..3600000"},
		{"restoration after more than an hour", Restoration{Port: 1, Wait: time.Hour + time.Millisecond}, "millis 3600001"},
		{"liveness", Liveness{SIDList: 1, Probe: 2, Interval: 10 * time.Millisecond, Multiplier: 3, HoldDown: time.Second, Backup: 3}, ""},
		{"liveness without backup", Liveness{SIDList: 1, Probe: 2, Interval: time.Minute, Multiplier: 1}, ""},
		{"liveness of list 0", Liveness{Probe: 2, Interval: time.Second, Multiplier: 3}, "sid_list 0"},
		{"liveness without probes", Liveness{SIDList: 1, Interval: time.Second, Multiplier: 3}, "probe 0"},
		{"liveness by the list itself", Liveness{SIDList: 1, Probe: 1, Interval: time.Second, Multiplier: 3}, "probe 1 is the watched list"},
		{"liveness with itself as backup", Liveness{SIDList: 1, Probe: 2, Interval: time.Second, Multiplier: 3, Backup: 1}, "backup 1 is the watched list"},
		{"liveness with its probes as backup", Liveness{SIDList: 1, Probe: 2, Interval: time.Second, Multiplier: 3, Backup: 2}, "backup 2 is the list that the probes travel"},
		{"liveness faster than a millisecond", Liveness{SIDList: 1, Probe: 2, Interval: 999 * time.Microsecond, Multiplier: 3}, "interval 999 µs is outside 1000..60000000"},
		{"liveness slower than a minute", Liveness{SIDList: 1, Probe: 2, Interval: time.Minute + time.Microsecond, Multiplier: 3}, "interval 60000001"},
		{"liveness of multiplier 0", Liveness{SIDList: 1, Probe: 2, Interval: time.Second}, "multiplier 0"},
		{"steered flow", FlowSteering{Priority: 1, Src: sid, Dst: sid, IPProto: Masked(6, 0xff), SrcPort: &Range{1, 65535}, SIDList: 1}, ""},
		{"steered flow that drops", FlowSteering{Priority: 1, Src: sid, Dst: sid, Drop: true}, ""},
		{"steered flow without priority", FlowSteering{Src: sid, Dst: sid, SIDList: 1}, "priority"},
		{"steered flow without list", FlowSteering{Priority: 1, Src: sid, Dst: sid}, "sid_list 0"},
		{"steered flow under a mask that is no prefix", FlowSteering{Priority: 1, Src: netip.PrefixFrom(sid.Addr(), -1), Dst: sid, SIDList: 1}, "src is not a prefix"},
		{"steered flow of two families", FlowSteering{Priority: 1, Src: netip.MustParsePrefix("10.0.0.0/8"), Dst: sid, SIDList: 1}, "two families"},
		{"steered flow of ports of anything", FlowSteering{Priority: 1, Src: sid, Dst: sid, DstPort: &Range{1, 2}, SIDList: 1}, "l4_dst_port needs ip_protocol"},
		{"steered flow of ports of ICMP", FlowSteering{Priority: 1, Src: sid, Dst: sid, IPProto: Masked(58, 0xff), SrcPort: &Range{1, 2}, SIDList: 1}, "l4_src_port needs ip_protocol"},
		{"steered flow of no port", FlowSteering{Priority: 1, Src: sid, Dst: sid, IPProto: Masked(6, 0xff), SrcPort: &Range{2, 1}, SIDList: 1}, "2 to 1 is no range"},
		{"steered flow of port 0", FlowSteering{Priority: 1, Src: sid, Dst: sid, IPProto: Masked(6, 0xff), SrcPort: &Range{0, 1}, SIDList: 1}, "0 to 1 is no range"},
		{"steered flow of 7 bits of DSCP", FlowSteering{Priority: 1, Src: sid, Dst: sid, DSCP: Masked(0, 0x40), SIDList: 1}, "dscp"},
		{"nothing", nil, "no entry"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Validate(tt.entry)
			if tt.want == "" {
				if err != nil {
					t.Fatalf("Validate() = %v, want nil", err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Code != InvalidArgument || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Validate() = %v, want InvalidArgument with %q", err, tt.want)
			}
		})
	}
}
