// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"cmp"
	"fmt"
	"net/netip"
	"reflect"
	"slices"

	"go.fd.io/govpp/binapi/sr_types"
)

// An object is one thing VPP holds for a row. Objects are values: two that are equal need no write.
type object interface {
	// id says which object of VPP it is; writing another object with the same id replaces it.
	id() objectID
}

// objectID is comparable. Its stage orders writes: objects that others refer to come first; deletion goes in reverse
// order.
type objectID struct {
	stage stage
	name  string
}

func (i objectID) String() string { return i.name }

type stage int

const (
	stageTable stage = iota
	stageNeighbor
	stagePolicy
	stageForwarding // local SIDs, steering, routes
)

func compareIDs(a, b objectID) int {
	return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.name, b.name))
}

// table is a VRF in one family. VPP takes a decapsulating SID for a table that is not there, and dies
// when it lists it: so tables are objects that come first.
type table struct {
	number uint32
	six    bool
}

func (t table) id() objectID {
	return objectID{stageTable, fmt.Sprintf("%s table %d", family(t.six), t.number)}
}

func family(six bool) string {
	if six {
		return "IPv6"
	}
	return "IPv4"
}

// neighbor is a static neighbour without a host route: the MAC address behind a synthetic address.
type neighbor struct {
	swIfIndex uint32
	addr      netip.Addr
	mac       [6]byte
}

func (n neighbor) id() objectID { return objectID{stageNeighbor, "neighbour " + n.addr.String()} }

// policy is an SR policy that encapsulates, named by its binding SID. The lists are in the order of
// compareLists.
type policy struct {
	bsid, source netip.Addr
	lists        []segmentList
}

func (p policy) id() objectID { return objectID{stagePolicy, "SR policy " + p.bsid.String()} }

type segmentList struct {
	weight   uint32
	segments []netip.Addr
}

func compareLists(a, b segmentList) int {
	return cmp.Or(slices.CompareFunc(a.segments, b.segments, netip.Addr.Compare), cmp.Compare(a.weight, b.weight))
}

// localSID is one entry of VPP's table of SIDs. An un or ua of the contract is two of them.
type localSID struct {
	prefix   netip.Prefix
	behavior sr_types.SrBehavior
	psp      bool
	// blockBits and usidBits are the lengths for the behaviors that shift.
	blockBits, usidBits uint8
	// argument is the table for a decapsulation into a VRF, the interface for a cross-connect.
	argument uint32
	nextHop  netip.Addr
}

func (s localSID) id() objectID { return objectID{stageForwarding, "local SID " + s.prefix.String()} }

// steer sends a prefix into a policy.
type steer struct {
	table uint32
	dst   netip.Prefix
	bsid  netip.Addr
}

func (s steer) id() objectID {
	return objectID{stageForwarding, fmt.Sprintf("steering of %s in table %d", s.dst, s.table)}
}

// route is a route with the agent's own source. The paths are in the order of comparePaths.
type route struct {
	table uint32
	dst   netip.Prefix
	paths []path
}

func (r route) id() objectID {
	return objectID{stageForwarding, fmt.Sprintf("route to %s in table %d", r.dst, r.table)}
}

// path is one way of a route.
type path struct {
	swIfIndex uint32
	via       netip.Addr
	weight    uint8
}

func comparePaths(a, b path) int {
	return cmp.Or(cmp.Compare(a.swIfIndex, b.swIfIndex), a.via.Compare(b.via))
}

// equal says whether VPP would not notice the difference.
func equal(a, b object) bool { return reflect.DeepEqual(a, b) }
