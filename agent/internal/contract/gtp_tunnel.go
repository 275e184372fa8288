// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// TableGTPTunnel is the sessions whose GTP-U enters here.
const TableGTPTunnel = "gtp_tunnel"

func gtpTunnelKind() Kind {
	return kindOf("gtp_tunnel", decodeGTPTunnel, GTPTunnel.row, TableGTPTunnel)
}

// GTPTunnel gives a session a class, by its tunnel endpoint and TEID (docs/reference/mobile-node.md).
type GTPTunnel struct {
	VRF VRF
	// Dst is the destination of the GTP-U packets; IPv4 stands in a row as ::ffff:0:0/96.
	Dst   netip.Addr
	TEID  uint32
	Class uint16
}

// Key of a tunnel is its VRF, endpoint and TEID.
func (e GTPTunnel) Key() Key {
	return Key{TableGTPTunnel, fmt.Sprintf("vrf %d %s teid %d", e.VRF, e.Dst, e.TEID)}
}

// References is nothing: a class that no rule names is none.
func (e GTPTunnel) References() []Key { return nil }

func (e GTPTunnel) problem() string {
	return endpointProblem("dst", e.Dst)
}

func endpointProblem(field string, a netip.Addr) string {
	if !a.IsValid() || a.Is4In6() || a.Zone() != "" || a.IsUnspecified() || a.IsMulticast() || a.IsLoopback() {
		return fmt.Sprintf("%s must be a unicast address, not %s", field, a)
	}
	return ""
}

func decodeGTPTunnel(r Row) GTPTunnel {
	e := GTPTunnel{VRF: VRF(r.number("vrf")), Dst: r.Match["dst"].Value.IP6().Unmap(), TEID: uint32(r.number("teid"))}
	for _, c := range r.Actions {
		e.Class = uint16(c.number("class"))
	}
	return e
}

func (e GTPTunnel) row() Row {
	return Row{
		Table:   TableGTPTunnel,
		Match:   map[string]Match{"vrf": exact(e.VRF), "dst": {Value: e.Dst.As16()}, "teid": exact(e.TEID)},
		Actions: []Call{{Action: "set_class", Args: map[string]Bits{"class": Number(e.Class)}}},
	}
}
