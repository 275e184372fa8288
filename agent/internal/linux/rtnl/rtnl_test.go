// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

func px(s string) netip.Prefix { return netip.MustParsePrefix(s) }
func ad(s string) netip.Addr   { return netip.MustParseAddr(s) }

func segs(list ...string) []netip.Addr {
	var out []netip.Addr
	for _, s := range list {
		out = append(out, ad(s))
	}
	return out
}

func one(dst string, h Hop) Route {
	h.Weight = 1
	return Route{Table: 254, Dst: px(dst), Metric: 2, Protocol: 200, Type: unix.RTN_UNICAST, Hops: []Hop{h}}
}

func routes() map[string]Route {
	return map[string]Route{
		"plain IPv6":                  one("fd00::/64", Hop{Dev: 3, Via: ad("fd5e:7e00::1"), OnLink: true}),
		"plain IPv4":                  one("10.0.0.0/8", Hop{Dev: 3, Via: ad("169.254.0.1"), OnLink: true}),
		"default":                     one("::/0", Hop{Dev: 3}),
		"H.Encaps.Red":                one("fd00::/64", Hop{Dev: 4, Via: ad("fe80::1"), Encap: Seg6{EncapsRed, segs("fcbb:bbbb:200::", "fcbb:bbbb:300:f00d::")}}),
		"H.Encaps of IPv4":            one("10.3.0.0/24", Hop{Dev: 4, Encap: Seg6{Encaps, segs("fcbb::1")}}),
		"End with NEXT-C-SID":         one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionEnd, Flavors: NextCSID, BlockBits: 32, FunctionBits: 16, Counted: true}}),
		"End with PSP":                one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionEnd, Flavors: PSP}}),
		"End.X":                       one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionEndX, NH6: ad("fd5e:7e00::1")}}),
		"End.DX4":                     one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionDX4, NH4: ad("0.0.0.0")}}),
		"End.DT6":                     one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionDT6, Table: 254}}),
		"End.DT4":                     one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionDT4, VRFTable: 7}}),
		"End.T in a table of its own": one("fcbb:bbbb:100::/48", Hop{Dev: 4, Encap: Seg6Local{Action: ActionEndT, Table: 0x5e7e0001, Counted: true}}),
		"weighted members": {Table: 0x5e7e0001, Dst: px("::/0"), Metric: 2, Protocol: 200, Type: unix.RTN_UNICAST, Hops: []Hop{
			{Dev: 4, Via: ad("fe80::1"), Weight: 256, Encap: Seg6{EncapsRed, segs("fcbb::1", "fcbb::2", "fcbb::3")}},
			{Dev: 4, Via: ad("fe80::1"), Weight: 1, Encap: Seg6{EncapsRed, segs("fcbb::4")}},
			{Dev: 5, Via: ad("fd5e:7e00::1"), OnLink: true, Weight: 3},
		}},
	}
}

func TestARouteIsReadAsItWasWritten(t *testing.T) {
	for name, want := range routes() {
		t.Run(name, func(t *testing.T) {
			b, err := want.marshal()
			if err != nil {
				t.Fatal(err)
			}
			got, err := unmarshalRoute(b)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := Diff(want, got); diff != "" {
				t.Errorf("Diff = %q, want none", diff)
			}
		})
	}
}

// By linux/seg6_iptunnel.h and RFC 8754, 2: SEG6_IPTUNNEL_SRH of 48 bytes, mode 3 (encap.red), then an
// SRH of two segments, the last of which stands first.
func TestSegmentsAreReversedOnTheWire(t *testing.T) {
	b, err := one("fd00:3::/64", Hop{Dev: 4, Encap: Seg6{EncapsRed, segs("fcbb:bbbb:200::", "fcbb:bbbb:300:f00d::")}}).marshal()
	if err != nil {
		t.Fatal(err)
	}
	const want = "30000100" + "03000000" + "0004040101000000" +
		"fcbbbbbb0300f00d0000000000000000" + "fcbbbbbb020000000000000000000000"
	if got := hex.EncodeToString(b); !strings.Contains(got, want) {
		t.Errorf("got %s\nwant within it %s", got, want)
	}
}

func TestDiffNamesEveryAttributeTheKernelChanged(t *testing.T) {
	base := routes()["End with NEXT-C-SID"]
	with := func(change func(*Route, *Seg6Local)) Route {
		r := base
		e := r.Hops[0].Encap.(Seg6Local)
		change(&r, &e)
		h := r.Hops[0]
		h.Encap = e
		r.Hops = []Hop{h}
		return r
	}
	for name, tt := range map[string]struct {
		got  Route
		part string
	}{
		"table":            {with(func(r *Route, _ *Seg6Local) { r.Table = 7 }), "table: want 254, kernel has 7"},
		"metric":           {with(func(r *Route, _ *Seg6Local) { r.Metric = 1024 }), "metric: want 2, kernel has 1024"},
		"protocol":         {with(func(r *Route, _ *Seg6Local) { r.Protocol = 3 }), "protocol"},
		"a dropped flavor": {with(func(_ *Route, e *Seg6Local) { e.Flavors = 0 }), "flavors 0x10"},
		"another length":   {with(func(_ *Route, e *Seg6Local) { e.FunctionBits = 32 }), "function 16"},
		"no counters":      {with(func(_ *Route, e *Seg6Local) { e.Counted = false }), "counted"},
		"another device":   {with(func(r *Route, _ *Seg6Local) { r.Hops = []Hop{{Dev: 9, Weight: 1, Encap: base.Hops[0].Encap}} }), "dev 9"},
		"nothing":          {with(func(r *Route, _ *Seg6Local) {}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			diff := Diff(base, tt.got)
			if (diff == "") != (tt.part == "") || !strings.Contains(diff, tt.part) {
				t.Errorf("Diff = %q, want %q", diff, tt.part)
			}
		})
	}
	counted := with(func(_ *Route, e *Seg6Local) { e.Counters = Counters{Packets: 5} })
	if diff := Diff(base, counted); diff != "" {
		t.Errorf("counts make a difference: %q", diff)
	}
}

// Whatever attribute is added to these types has to make a difference, or to be named here as one that does not.
func TestEveryAttributeMakesADifference(t *testing.T) {
	without := map[string]bool{"Hop.Dead": true, "Seg6Local.Counters": true, "Route.Hops": true, "Hop.Encap": true}
	for name, route := range routes() {
		for path, other := range variants(t, reflect.ValueOf(route), without) {
			if diff := Diff(route, other.(Route)); diff == "" {
				t.Errorf("%s: another %s makes no difference", name, path)
			}
		}
		for i, h := range route.Hops {
			replace := func(path string, changed Hop) {
				other := route
				other.Hops = slices.Clone(route.Hops)
				other.Hops[i] = changed
				diff := Diff(route, other)
				if diff == "" {
					t.Errorf("%s: another %s makes no difference", name, path)
				}
				if wanted, got, ok := strings.Cut(strings.TrimPrefix(diff, "hops: want "), ", kernel has "); !ok || wanted == got {
					t.Errorf("%s: another %s is not told: %q", name, path, diff)
				}
			}
			for path, changed := range variants(t, reflect.ValueOf(h), without) {
				replace(path, changed.(Hop))
			}
			if h.Encap == nil {
				continue
			}
			for path, encap := range variants(t, reflect.ValueOf(h.Encap), without) {
				changed := h
				changed.Encap = encap.(Encap)
				replace(path, changed)
			}
			changed := h
			changed.Encap = nil
			replace("no encapsulation", changed)
		}
		more := route
		more.Hops = append(slices.Clone(route.Hops), Hop{Dev: 99, Weight: 1})
		less := route
		less.Hops = route.Hops[1:]
		if Diff(route, more) == "" || Diff(route, less) == "" || Diff(more, route) == "" {
			t.Errorf("%s: a hop more or less makes no difference", name)
		}
	}
}

// variants are copies of a structure with one field changed each, by the name of the field.
func variants(t *testing.T, v reflect.Value, without map[string]bool) map[string]any {
	t.Helper()
	out := map[string]any{}
	for i := range v.NumField() {
		name := v.Type().Name() + "." + v.Type().Field(i).Name
		if without[name] {
			continue
		}
		changed := reflect.New(v.Type()).Elem()
		changed.Set(v)
		switch field := changed.Field(i); value := field.Interface().(type) {
		case netip.Addr:
			field.Set(reflect.ValueOf(ad("fcbb::99")))
		case netip.Prefix:
			field.Set(reflect.ValueOf(px("fcbb::/99")))
		case []netip.Addr:
			field.Set(reflect.ValueOf(append(slices.Clone(value[:len(value)-1]), ad("fcbb::99"))))
		case bool:
			field.SetBool(!value)
		case int:
			field.SetInt(int64(value) + 1)
		case uint8, uint32, Mode, Action, Flavors:
			field.SetUint(field.Uint() + 1)
		default:
			t.Fatalf("%s is a %T: say here how it is changed", name, value)
		}
		out[name] = changed.Interface()
	}
	return out
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	many := one("fd00::/64", Hop{Dev: 4})
	many.Hops = nil
	for range 300 {
		many.Hops = append(many.Hops, Hop{Dev: 4, Weight: 1, Encap: Seg6{EncapsRed, make([]netip.Addr, 0)}})
	}
	tooLong := one("fd00::/64", Hop{Dev: 4, Encap: Seg6{EncapsRed, make([]netip.Addr, 128)}})
	heavy := routes()["weighted members"]
	heavy.Hops = []Hop{{Dev: 1, Weight: 257}, {Dev: 2, Weight: 1}}
	for name, r := range map[string]Route{"an empty list": many, "a list of 128": tooLong, "a weight of 257": heavy} {
		if _, err := r.marshal(); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// A kernel's message is decoded without a panic, and a decoded one can be written again and stays the same.
func FuzzRoute(f *testing.F) {
	for _, r := range routes() {
		b, err := r.marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := unmarshalRoute(b)
		if err != nil {
			return
		}
		again, err := r.marshal()
		if err != nil {
			return // a foreign encapsulation
		}
		same, err := unmarshalRoute(again)
		if err != nil {
			t.Fatalf("%s cannot be read again: %v", r, err)
		}
		if len(r.Hops) != 1 && Diff(r, same) != "" || r.Dst != same.Dst || r.Table != same.Table {
			t.Errorf("%s is read again as %s", r, same)
		}
	})
}

func FuzzEncap(f *testing.F) {
	f.Add(uint16(lwtSeg6), []byte{})
	f.Add(uint16(lwtSeg6Local), []byte{8, 0, 1, 0, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, kind uint16, b []byte) {
		e, err := decodeEncap(kind, b)
		if err == nil && e.String() == "" {
			t.Error("an encapsulation without text")
		}
	})
}

func FuzzNeighborAndAddress(f *testing.F) {
	n, err := Neighbor{Dev: 3, Addr: ad("fd5e:7e00::1"), MAC: [6]byte{2}, Protocol: 200}.marshal()
	if err != nil {
		f.Fatal(err)
	}
	a, err := Address{Dev: 1, Prefix: px("fcff::1/128"), Protocol: 200}.marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(n)
	f.Add(a)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = unmarshalNeighbor(b)
		_, _ = unmarshalAddress(b)
		_, _ = unmarshalCarrier(b)
	})
}

func TestNeighborsAndAddressesAreReadAsWritten(t *testing.T) {
	n := Neighbor{Dev: 3, Addr: ad("169.254.1.2"), MAC: [6]byte{2, 0, 0, 0, 0, 1}, Protocol: 200, Permanent: true}
	b, err := n.marshal()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := unmarshalNeighbor(b); err != nil || got != n {
		t.Errorf("got %+v, %v, want %+v", got, err, n)
	}
	a := Address{Dev: 1, Prefix: px("fcff::1/128"), Protocol: 200}
	if b, err = a.marshal(); err != nil {
		t.Fatal(err)
	}
	if got, err := unmarshalAddress(b); err != nil || got != a {
		t.Errorf("got %+v, %v, want %+v", got, err, a)
	}
}

func TestLossesOfACarrierAreRead(t *testing.T) {
	header := "00000000" + "07000000" + "%s" + "00000000"
	message := func(text string) netlink.Message {
		data, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return netlink.Message{Header: netlink.Header{Type: unix.RTM_NEWLINK}, Data: data}
	}
	up, down := fmt.Sprintf(header, "43100100"), fmt.Sprintf(header, "03100000")
	other := message(up)
	other.Header.Type = unix.RTM_DELLINK
	got, err := CarriersOf([]netlink.Message{message(up + "0800300005000000"), other, message(down + "08002f0009000000")})
	if want := []Carrier{{Dev: 7, Up: true, Losses: 5}, {Dev: 7}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, cut := range []string{up[:30], up + "0800300005", up + "050030000500000000"} {
		if got, err := CarriersOf([]netlink.Message{message(cut)}); err == nil {
			t.Errorf("%s: got %+v", cut, got)
		}
	}
}

func TestARuleIsReadAsItWasWritten(t *testing.T) {
	for _, want := range []Rule{
		{
			Priority: 31695, Src: px("fd00:1::/64"), Dst: px("fd00:3::/48"), IPProto: 17, SrcPort: PortRange{5000, 5999}, DstPort: PortRange{443, 443},
			DSCP: DSCP{true, 46}, Table: 0x5e7f0001, Protocol: 200,
		},
		{Priority: 1700, Src: px("0.0.0.0/0"), Dst: px("10.3.0.0/24"), DSCP: DSCP{true, 0}, Table: 0x5e7f0002, Protocol: 200},
		{Priority: 1701, Src: px("::/0"), Dst: px("::/0"), Table: 254, Protocol: 200},
	} {
		b, err := want.marshal()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unmarshalRule(b); err != nil || got != want {
			t.Errorf("got %+v (%v), want %+v", got, err, want)
		}
	}
	for name, b := range map[string][]byte{
		"short":                         make([]byte, 11),
		"an address of 4 bytes in IPv6": append([]byte{unix.AF_INET6, 32, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, 8, 0, 1, 0, 10, 0, 0, 0),
		"a port alone":                  append([]byte{unix.AF_INET6, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, 6, 0, 23, 0, 1, 2, 0, 0),
	} {
		if r, err := unmarshalRule(b); err == nil {
			t.Errorf("%s: read as %+v", name, r)
		}
	}
}
