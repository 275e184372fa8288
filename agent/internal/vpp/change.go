// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"strings"

	"go.fd.io/govpp/binapi/fib_types"
	"go.fd.io/govpp/binapi/interface_types"
	"go.fd.io/govpp/binapi/ip"
	"go.fd.io/govpp/binapi/ip_neighbor"
	"go.fd.io/govpp/binapi/sr"
	"go.fd.io/govpp/binapi/sr_types"

	"sextant/agent/internal/contract"
)

// tablePrefix begins the names of the tables that the agent made; others are never deleted.
const tablePrefix = "sextant-"

// put writes an object to VPP; old is the object that VPP holds under the same id, or nil.
func (c *conn) put(old, wanted object, source uint8) error {
	if old != nil && equal(old, wanted) {
		return nil
	}
	switch o := wanted.(type) {
	case table:
		return c.putTable(o)
	case neighbor:
		if old, ok := old.(neighbor); ok && old.swIfIndex != o.swIfIndex {
			if err := c.remove(old, source); err != nil {
				return err
			}
		}
		return c.neighbor(o, true)
	case policy:
		return c.putPolicy(o)
	case localSID:
		if old != nil { // VPP cannot change one in place
			if err := c.remove(old, source); err != nil {
				return err
			}
		}
		return c.localSID(o, true)
	case steer:
		return c.steer(o, true)
	case route:
		return c.route(o, true, source)
	}
	return contract.Errorf(contract.Internal, "%T cannot be written", wanted)
}

// remove takes an object out of VPP.
func (c *conn) remove(held object, source uint8) error {
	switch o := held.(type) {
	case table:
		return c.removeTable(o)
	case neighbor:
		return c.neighbor(o, false)
	case policy:
		reply, err := call[*sr.SrPolicyDelReply](c, &sr.SrPolicyDel{BsidAddr: sixteen(o.bsid)})
		return orRefused(err, func() error { return refused(o.id(), "delete", reply.Retval, nil) })
	case localSID:
		return c.localSID(o, false)
	case steer:
		return c.steer(o, false)
	case route:
		return c.route(o, false, source)
	}
	return contract.Errorf(contract.Internal, "%T cannot be deleted", held)
}

func orRefused(err error, then func() error) error {
	if err != nil {
		return err
	}
	return then()
}

func (c *conn) tables() (map[table]string, error) {
	details, err := list[*ip.IPTableDetails](c, &ip.IPTableDump{})
	names := map[table]string{}
	for _, d := range details {
		names[table{d.Table.TableID, d.Table.IsIP6}] = strings.TrimRight(d.Table.Name, "\x00")
	}
	return names, err
}

// putTable leaves a foreign table alone.
func (c *conn) putTable(t table) error {
	there, err := c.tables()
	if err != nil {
		return err
	}
	if _, ok := there[t]; ok {
		return nil
	}
	return c.table(t, true)
}

func (c *conn) removeTable(t table) error {
	there, err := c.tables()
	if err != nil || !strings.HasPrefix(there[t], tablePrefix) {
		return err
	}
	return c.table(t, false)
}

func (c *conn) table(t table, add bool) error {
	request := &ip.IPTableAddDelV2{
		Table:      ip.IPTable{TableID: t.number, IsIP6: t.six, Name: tablePrefix + strings.ReplaceAll(t.id().name, " ", "-")},
		CreateMfib: true, IsAdd: add,
	}
	reply, err := call[*ip.IPTableAddDelV2Reply](c, request)
	return orRefused(err, func() error { return refused(t.id(), doing(add), reply.Retval, nil) })
}

func doing(add bool) string {
	if add {
		return "take"
	}
	return "delete"
}

func (c *conn) neighbor(n neighbor, add bool) error {
	request := &ip_neighbor.IPNeighborAddDel{IsAdd: add, Neighbor: ip_neighbor.IPNeighbor{
		SwIfIndex:  interface_types.InterfaceIndex(n.swIfIndex),
		Flags:      ip_neighbor.IP_API_NEIGHBOR_FLAG_STATIC | ip_neighbor.IP_API_NEIGHBOR_FLAG_NO_FIB_ENTRY,
		MacAddress: n.mac, IPAddress: address(n.addr),
	}}
	reply, err := call[*ip_neighbor.IPNeighborAddDelReply](c, request)
	return orRefused(err, func() error { return refused(n.id(), doing(add), reply.Retval, nil) })
}

func (c *conn) localSID(s localSID, add bool) error {
	request := &localSIDAddDel{
		IsDel: !add, LocalSID: sixteen(s.prefix.Addr()), EndPSP: s.psp, Behavior: s.behavior,
		SwIfIndex: interface_types.InterfaceIndex(s.argument), NextHop: address(s.nextHop),
		FunctionBits: uint8(s.prefix.Bits()), // without a block, VPP only adds the lengths up
	}
	if s.usidBits > 0 {
		request.BlockBits, request.NodeBits, request.FunctionBits = s.blockBits, s.usidBits, 0
	}
	reply, err := call[*localSIDAddDelReply](c, request)
	return orRefused(err, func() error {
		return refused(s.id(), doing(add), reply.Retval, map[int32]string{
			-1: "a SID that is not the agent's has this prefix; delete that one first",
			-2: "there is no such SID any more",
			-3: "its table does not exist",
			-4: "a route has exactly this prefix; delete the route first",
			-5: "its interface has no adjacency",
		})
	})
}

func (c *conn) steer(s steer, add bool) error {
	request := &sr.SrSteeringAddDel{
		IsDel: !add, BsidAddr: sixteen(s.bsid), TableID: s.table, Prefix: prefix(s.dst),
		TrafficType: sr_types.SR_STEER_API_IPV6,
	}
	if s.dst.Addr().Is4() {
		request.TrafficType = sr_types.SR_STEER_API_IPV4
	}
	reply, err := call[*sr.SrSteeringAddDelReply](c, request)
	return orRefused(err, func() error {
		return refused(s.id(), doing(add), reply.Retval, map[int32]string{
			-2: "there is no policy with its binding SID", -4: "there is no such steering any more",
		})
	})
}

func (c *conn) route(r route, add bool, source uint8) error {
	request := &ip.IPRouteAddDelV2{IsAdd: add, Route: ip.IPRouteV2{TableID: r.table, Prefix: prefix(r.dst), Src: source}}
	for _, p := range r.paths {
		request.Route.Paths = append(request.Route.Paths, wayOf(p))
	}
	request.Route.NPaths = uint8(len(request.Route.Paths))
	if !add { // deletion of all paths is deletion without paths
		request.Route.Paths, request.Route.NPaths = nil, 0
	}
	reply, err := call[*ip.IPRouteAddDelV2Reply](c, request)
	return orRefused(err, func() error { return refused(r.id(), doing(add), reply.Retval, nil) })
}

// wayOf is a path as VPP's API writes it.
func wayOf(p path) fib_types.FibPath {
	way := fib_types.FibPath{SwIfIndex: p.swIfIndex, Weight: p.weight, Proto: fib_types.FIB_API_PATH_NH_PROTO_IP6}
	if p.via.Is4() {
		way.Proto = fib_types.FIB_API_PATH_NH_PROTO_IP4
	}
	way.Nh.Address = address(p.via).Un
	return way
}

// putPolicy adds the wanted lists before it takes the old ones away, so that packets always have one.
func (c *conn) putPolicy(p policy) error {
	held, err := list[*sr.SrPoliciesWithSlIndexDetails](c, &sr.SrPoliciesWithSlIndexDump{})
	if err != nil {
		return err
	}
	var former *sr.SrPoliciesWithSlIndexDetails
	for _, h := range held {
		if h.Bsid == sixteen(p.bsid) {
			former = h
		}
	}
	for i, l := range p.lists {
		if i == 0 && former == nil {
			err = c.addPolicy(p, l)
		} else {
			err = c.changeLists(p, &sr.SrPolicyModV2{Operation: sr_types.SR_POLICY_OP_API_ADD, Sids: sidsOf(l)})
		}
		if err != nil {
			return err
		}
	}
	if former == nil {
		return nil
	}
	for _, l := range former.SidLists {
		if err := c.changeLists(p, &sr.SrPolicyModV2{Operation: sr_types.SR_POLICY_OP_API_DEL, SlIndex: l.SlIndex}); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) addPolicy(p policy, first segmentList) error {
	reply, err := call[*sr.SrPolicyAddV2Reply](c, &sr.SrPolicyAddV2{
		BsidAddr: sixteen(p.bsid), IsEncap: true, Sids: sidsOf(first), EncapSrc: sixteen(p.source),
	})
	return orRefused(err, func() error {
		return refused(p.id(), "take", reply.Retval, map[int32]string{-12: "a route or a policy that is not the agent's has its binding SID"})
	})
}

func (c *conn) changeLists(p policy, request *sr.SrPolicyModV2) error {
	request.BsidAddr, request.EncapSrc, request.SrPolicyIndex = sixteen(p.bsid), sixteen(p.source), ^uint32(0)
	reply, err := call[*sr.SrPolicyModV2Reply](c, request)
	return orRefused(err, func() error { return refused(p.id(), "change", reply.Retval, nil) })
}

func sidsOf(l segmentList) sr.Srv6SidList {
	out := sr.Srv6SidList{NumSids: uint8(len(l.segments)), Weight: l.weight}
	for i, s := range l.segments {
		out.Sids[i] = sixteen(s)
	}
	return out
}
