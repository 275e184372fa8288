// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
	"strings"
)

// The tables of the contract, by the alias P4Info gives them.
const (
	TablePunt        = "punt"
	TableMySID       = "my_sid"
	TableSteeringV6  = "steering_v6"
	TableSteeringV4  = "steering_v4"
	TableSIDList     = "sid_list"
	TableEncapSource = "encap_source"
	TableRouteV6     = "route_v6"
	TableRouteV4     = "route_v4"
	TableNextHop     = "next_hop"
	TableFlowV6      = "flow_v6"
	TableFlowV4      = "flow_v4"
	TableCopy        = "copy"
	TableDedupFlow   = "dedup_flow"
)

// String is how messages name a row: its table and its match.
func (k Key) String() string { return strings.TrimSpace(k.Table + " " + k.Match) }

// Key of a SID is its prefix.
func (e MySID) Key() Key { return Key{TableMySID, e.SID.String()} }

// Key of a steering row is its VRF and destination; the family chooses the table.
func (e Steering) Key() Key {
	return Key{byFamily(e.Dst, TableSteeringV6, TableSteeringV4), vrfMatch(e.VRF, e.Dst)}
}

// Key of a segment list is its id.
func (e SIDList) Key() Key { return SIDListKey(e.ID) }

// SIDListKey is the key of the segment list with this id.
func SIDListKey(id SIDListID) Key { return Key{TableSIDList, fmt.Sprint(id)} }

// Key of the encapsulation source is its table alone: there is one row.
func (e EncapSource) Key() Key { return Key{Table: TableEncapSource} }

// Key of a route is its VRF and destination; the family chooses the table.
func (e Route) Key() Key {
	return Key{byFamily(e.Dst, TableRouteV6, TableRouteV4), vrfMatch(e.VRF, e.Dst)}
}

// Key of a next hop is its id.
func (e NextHop) Key() Key { return NextHopKey(e.ID) }

// NextHopKey is the key of the next hop with this id.
func NextHopKey(id NextHopID) Key { return Key{TableNextHop, fmt.Sprint(id)} }

// Key of a punt row is its priority and its match, as two rows may differ in priority alone.
func (e Punt) Key() Key {
	return Key{TablePunt, fmt.Sprintf("priority %d", e.Priority) + ternaryMatch(e.fields())}
}

// Key of a flow row is its priority and its match.
func (e Flow) Key() Key {
	match := fmt.Sprintf("priority %d vrf %d %s %s", e.Priority, e.VRF, e.Src, e.Dst)
	return Key{byFamily(e.Dst, TableFlowV6, TableFlowV4), match + ternaryMatch(e.fields())}
}

// Key of a copy is its group and path.
func (e Copy) Key() Key { return Key{TableCopy, fmt.Sprintf("group %d path %d", e.Group, e.Path)} }

// Key of a flow's end is the flow's id.
func (e DedupFlow) Key() Key { return Key{TableDedupFlow, fmt.Sprint(uint32(e.FlowID))} }

func ternaryMatch(fields []ternaryField) string {
	var match string
	for _, f := range fields {
		if f.value != nil {
			match += fmt.Sprintf(" %s 0x%x/0x%x", f.name, f.value.Value, f.value.Mask)
		}
	}
	return match
}

func byFamily(p netip.Prefix, v6, v4 string) string {
	if p.Addr().Is4() {
		return v4
	}
	return v6
}

func vrfMatch(vrf VRF, p netip.Prefix) string { return fmt.Sprintf("vrf %d %s", vrf, p) }
