// SPDX-License-Identifier: Apache-2.0

package iproute

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/synthetic"
)

// protocol marks what is ours (no entry of rt_protos has it), metrics have SIDs go before routes.
const (
	protocol    = "201"
	metricSID   = "1"
	metricRoute = "3"
)

// An object is what ip holds for a row: words that make it, remove it, and show it, and what must then be seen.
type object struct {
	set, unset, show string
	want             []string
}

// Translate says what an entry wants the kernel to hold. It refuses what this back end does not serve.
func (n effects) Translate(e contract.Entry) ([]object, error) {
	switch e := e.(type) {
	case contract.NextHop:
		return n.nextHop(e)
	case contract.Route:
		return n.route(e)
	case contract.MySID:
		return n.mySID(e)
	case contract.EncapSource:
		source := e.Source.String()
		return []object{{"sr tunsrc set " + source, "sr tunsrc set ::", "sr tunsrc show", []string{"tunsrc addr " + source}}}, nil
	case contract.Punt:
		return nil, punt.Supported(e, n.indexes())
	default:
		return nil, contract.Errorf(contract.Unimplemented, "%s: the iproute back end does not serve it", e.Key())
	}
}

// nextHop becomes a neighbor with an address of its own in each family (ADR 2).
func (n effects) nextHop(e contract.NextHop) ([]object, error) {
	name, there := n.options.Ports[e.Port]
	if !there {
		return nil, contract.Errorf(contract.InvalidArgument, "%s: port %d is not one of the node", e.Key(), e.Port)
	}
	mac := fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x",
		e.DstMAC[0], e.DstMAC[1], e.DstMAC[2], e.DstMAC[3], e.DstMAC[4], e.DstMAC[5])
	neighbor := func(address netip.Addr) object {
		place := family(address) + " neigh %s " + address.String() + " dev " + name
		return object{
			set: fmt.Sprintf(place, "replace") + " lladdr " + mac + " nud permanent", unset: fmt.Sprintf(place, "del"),
			show: fmt.Sprintf(place, "show"), want: []string{"lladdr " + mac, "PERMANENT"},
		}
	}
	six := synthetic.V6(e.ID)
	// End.X asks the routes for its next hop.
	way := routeTo(netip.PrefixFrom(six, six.BitLen()), "main", metricRoute, "dev "+name, []string{"dev " + name})
	return []object{neighbor(six), neighbor(synthetic.V4(e.ID)), way}, nil
}

func (n effects) route(e contract.Route) ([]object, error) {
	var hops, want []string
	for _, m := range e.Members {
		address := synthetic.For(e.Dst.Addr(), m.NextHop)
		via := "via " + address.String() + " dev " + n.port(m.NextHop)
		hops = append(hops, fmt.Sprintf("nexthop %s onlink weight %d", via, m.Weight))
		want = append(want, via)
	}
	return []object{routeTo(e.Dst, table(e.VRF), metricRoute, strings.Join(hops, " "), want)}, nil
}

// mySID: a seg6local route on a port's device, which only has to be there (RFC 8986, 4.1, 4.2, 4.6).
func (n effects) mySID(e contract.MySID) ([]object, error) {
	var action string
	switch b := e.Behavior; b.Action {
	case contract.End:
		action = "End"
	case contract.EndX:
		action = "End.X nh6 " + synthetic.V6(b.NextHop).String()
	case contract.UDT6:
		action = "End.DT6 table " + table(b.VRF)
	default:
		return nil, contract.Errorf(contract.Unimplemented, "%s: the iproute back end does not serve %s", e.Key(), b.Action)
	}
	device := n.options.Ports[slices.Min(slices.Collect(maps.Keys(n.options.Ports)))]
	want := []string{"seg6local action " + strings.Fields(action)[0]}
	return []object{routeTo(e.SID, "main", metricSID, "encap seg6local action "+action+" dev "+device, want)}, nil
}

func routeTo(dst netip.Prefix, table, metric, how string, want []string) object {
	place := family(dst.Addr()) + " route %s " + dst.String() + " table " + table + " proto " + protocol + " metric " + metric
	return object{
		set: fmt.Sprintf(place, "replace") + " " + how, unset: fmt.Sprintf(place, "del"),
		show: fmt.Sprintf(place, "show"), want: want,
	}
}

// port is the interface of a next hop, which is there: the Set has looked.
func (n effects) port(id contract.NextHopID) string {
	e, _ := rows.Lookup[contract.NextHop](n.rows, contract.NextHopKey(id))
	return n.options.Ports[e.Port]
}

func table(vrf contract.VRF) string {
	if vrf == 0 {
		return "main"
	}
	return fmt.Sprint(vrf)
}

func family(a netip.Addr) string {
	if a.Is4() {
		return "-4"
	}
	return "-6"
}
