// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
)

func TestCapabilitiesNameTheModelsAndEncodings(t *testing.T) {
	c, err := startNode(t).rpc.Capabilities(context.Background(), &gpb.CapabilityRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var models []string
	for _, m := range c.GetSupportedModels() {
		models = append(models, m.GetName())
	}
	if diff := cmp.Diff([]string{"openconfig-interfaces", "openconfig-if-ethernet", "openconfig-if-ip", "openconfig-p4rt"}, models); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]gpb.Encoding{gpb.Encoding_JSON_IETF, gpb.Encoding_JSON, gpb.Encoding_PROTO}, c.GetSupportedEncodings()); diff != "" {
		t.Errorf("encodings (-want +got):\n%s", diff)
	}
	if c.GetGNMIVersion() != "0.10.0" {
		t.Errorf("gNMI version %q, want 0.10.0", c.GetGNMIVersion())
	}
}

const eth1 = "/interfaces/interface[name=eth1]"

func TestGetReturnsTheNodesThatThePathNames(t *testing.T) {
	n := startNode(t)
	for _, tc := range []struct {
		name     string
		path     string
		encoding gpb.Encoding
		typ      gpb.GetRequest_DataType
		want     []string
	}{
		{
			name: "a leaf", path: eth1 + "/state/oper-status", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/state/oper-status = UP"},
		},
		{
			name: "a leaf in JSON_IETF is a JSON value", path: eth1 + "/state/oper-status", encoding: gpb.Encoding_JSON_IETF,
			want: []string{eth1 + `/state/oper-status = "UP"`},
		},
		{
			name: "64-bit numbers are text in JSON_IETF", path: eth1 + "/state/counters/in-octets", encoding: gpb.Encoding_JSON_IETF,
			want: []string{eth1 + `/state/counters/in-octets = "1152921504606846976"`},
		},
		{
			name: "64-bit numbers are numbers in JSON", path: eth1 + "/state/counters/in-octets", encoding: gpb.Encoding_JSON,
			want: []string{eth1 + `/state/counters/in-octets = 1152921504606846976`},
		},
		{
			name: "the MTU is that of IP", path: eth1 + "/state/mtu", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/state/mtu = 1500"},
		},
		{
			name: "any interface", path: "/interfaces/interface[name=*]/state/admin-status", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/state/admin-status = UP", "/interfaces/interface[name=eth2]/state/admin-status = DOWN"},
		},
		{
			name: "any interface, as ONOS writes it", path: "/interfaces/interface[name=...]/state/admin-status", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/state/admin-status = UP", "/interfaces/interface[name=eth2]/state/admin-status = DOWN"},
		},
		{
			name: "a key that is left out means any", path: "/interfaces/interface/config/id", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/config/id = 1", "/interfaces/interface[name=eth2]/config/id = 2"},
		},
		{
			name: "any step", path: eth1 + "/*/enabled", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/config/enabled = true", eth1 + "/state/enabled = true"},
		},
		{
			name: "any number of steps", path: "/.../mac-address", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/ethernet/state/mac-address = 02:00:00:00:01:AB", "/interfaces/interface[name=eth2]/ethernet/state/mac-address = 02:00:00:00:01:02"},
		},
		{
			name: "a container in JSON_IETF is one document with modules", path: eth1 + "/config", encoding: gpb.Encoding_JSON_IETF,
			want: []string{eth1 + `/config = {"openconfig-interfaces:enabled":true,"openconfig-interfaces:name":"eth1","openconfig-p4rt:id":1}`},
		},
		{
			name: "a module is named where it changes", path: eth1 + "/subinterfaces/subinterface[index=0]/ipv6", encoding: gpb.Encoding_JSON_IETF,
			want: []string{eth1 + `/subinterfaces/subinterface[index=0]/ipv6 = {"openconfig-if-ip:addresses":{"address":[{"ip":"2001:db8::1","state":{"ip":"2001:db8::1","prefix-length":64}}]},"openconfig-if-ip:state":{"mtu":1500}}`},
		},
		{
			name: "a container in PROTO is its leaves", path: eth1 + "/config", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/config/name = eth1", eth1 + "/config/enabled = true", eth1 + "/config/id = 1"},
		},
		{
			name: "an IPv4 address", path: eth1 + "/subinterfaces/subinterface[index=0]/ipv4/addresses/address[ip=10.0.0.1]/state/prefix-length", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/subinterfaces/subinterface[index=0]/ipv4/addresses/address[ip=10.0.0.1]/state/prefix-length = 24"},
		},
		{
			name: "config alone", path: eth1 + "/*", encoding: gpb.Encoding_PROTO, typ: gpb.GetRequest_CONFIG,
			want: []string{eth1 + "/name = eth1", eth1 + "/config/name = eth1", eth1 + "/config/enabled = true", eth1 + "/config/id = 1"},
		},
		{
			name: "operational state mirrors no config", path: eth1 + "/state", encoding: gpb.Encoding_JSON, typ: gpb.GetRequest_OPERATIONAL,
			want: []string{eth1 + `/state = {"admin-status":"UP","counters":{"in-discards":4,"in-errors":1,"in-multicast-pkts":2,"in-octets":1152921504606846976,"in-pkts":3,` +
				`"out-discards":0,"out-errors":0,"out-multicast-pkts":0,"out-octets":5,"out-pkts":6},"ifindex":11,"mtu":1500,"oper-status":"UP"}`},
		},
		{
			name: "nothing matches a wildcard", path: "/interfaces/interface[name=*]/subinterfaces/subinterface/ipv6/addresses/address[ip=::1]", encoding: gpb.Encoding_PROTO,
		},
		{
			name: "a name with its module in front", path: eth1 + "/openconfig-if-ethernet:ethernet/state/mac-address", encoding: gpb.Encoding_PROTO,
			want: []string{eth1 + "/ethernet/state/mac-address = 02:00:00:00:01:AB"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := n.rpc.Get(context.Background(), &gpb.GetRequest{Path: []*gpb.Path{path(tc.path)}, Encoding: tc.encoding, Type: tc.typ})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.GetNotification()) != 1 || r.GetNotification()[0].GetTimestamp() != clock {
				t.Fatalf("got %v, want one notification per path with the time", r.GetNotification())
			}
			if diff := cmp.Diff(tc.want, flat(r.GetNotification()[0])); diff != "" {
				t.Errorf("updates (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheWholeTreeIsOneDocument(t *testing.T) {
	r, err := startNode(t).rpc.Get(context.Background(), &gpb.GetRequest{Encoding: gpb.Encoding_JSON_IETF, Type: gpb.GetRequest_CONFIG})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`/ = {"openconfig-interfaces:interfaces":{"interface":[` +
		`{"config":{"enabled":true,"name":"eth1","openconfig-p4rt:id":1},"name":"eth1"},` +
		`{"config":{"enabled":false,"name":"eth2","openconfig-p4rt:id":2},"name":"eth2"}]}}`}
	if diff := cmp.Diff(want, flat(r.GetNotification()[0])); diff != "" {
		t.Errorf("updates (-want +got):\n%s", diff)
	}
}

func TestPrefixAndTargetOfAGet(t *testing.T) {
	prefix := path(eth1)
	prefix.Target = "l1"
	r, err := startNode(t).rpc.Get(context.Background(), &gpb.GetRequest{Prefix: prefix, Path: []*gpb.Path{path("/state/ifindex"), path("/config/id")}, Encoding: gpb.Encoding_PROTO})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, note := range r.GetNotification() {
		got = append(got, flat(note)...)
		if note.GetPrefix().GetTarget() != "l1" {
			t.Errorf("target %q, want l1", note.GetPrefix().GetTarget())
		}
	}
	if diff := cmp.Diff([]string{eth1 + "/state/ifindex = 11", eth1 + "/config/id = 1"}, got); diff != "" {
		t.Errorf("updates (-want +got):\n%s", diff)
	}
}

func TestTheOriginMayBeLeftOutOrNameTheModel(t *testing.T) {
	n := startNode(t)
	for _, origin := range []string{"", "openconfig", "openconfig-interfaces"} {
		p := path(eth1 + "/state/ifindex")
		p.Origin = origin
		r, err := n.rpc.Get(context.Background(), &gpb.GetRequest{Path: []*gpb.Path{p}, Encoding: gpb.Encoding_PROTO})
		if err != nil {
			t.Fatalf("origin %q: %v", origin, err)
		}
		if diff := cmp.Diff([]string{eth1 + "/state/ifindex = 11"}, flat(r.GetNotification()[0])); diff != "" {
			t.Errorf("origin %q (-want +got):\n%s", origin, diff)
		}
	}
}

func TestABadGetIsRefused(t *testing.T) {
	n := startNode(t)
	at := func(text string) *gpb.GetRequest { return &gpb.GetRequest{Path: []*gpb.Path{path(text)}} }
	for _, tc := range []struct {
		name    string
		request *gpb.GetRequest
		code    codes.Code
		saying  string
	}{
		{"no such leaf", at(eth1 + "/state/colour"), codes.InvalidArgument, `path /interfaces/interface[name=eth1]/state/colour: nothing called "colour" is served there`},
		{"no such tree", at("/network-instances"), codes.InvalidArgument, `nothing called "network-instances"`},
		{"no such key", at("/interfaces/interface[index=1]"), codes.InvalidArgument, `interface has no key "index"`},
		{"a key where there is no list", at("/interfaces[name=eth1]"), codes.InvalidArgument, `interfaces has no key "name"`},
		{"a module that is not the step's", at("/openconfig-p4rt:interfaces"), codes.InvalidArgument, "nothing called"},
		{"no such interface", at("/interfaces/interface[name=eth9]/state"), codes.NotFound, "path /interfaces/interface[name=eth9]/state"},
		{"another origin", &gpb.GetRequest{Path: []*gpb.Path{{Origin: "cli"}}}, codes.InvalidArgument, `origin "cli" is not served`},
		{"an encoding that is not served", &gpb.GetRequest{Encoding: gpb.Encoding_ASCII}, codes.Unimplemented, "encoding ASCII is not served"},
		{"a model that is not served", &gpb.GetRequest{UseModels: []*gpb.ModelData{{Name: "openconfig-bgp"}}}, codes.Unimplemented, `model "openconfig-bgp" is not served`},
		{"the old kind of path", &gpb.GetRequest{Path: []*gpb.Path{{Element: []string{"interfaces"}}}}, codes.InvalidArgument, "uses the field element"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := n.rpc.Get(context.Background(), tc.request)
			wantCode(t, err, tc.code, tc.saying)
		})
	}
}
