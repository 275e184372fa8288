// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"encoding/binary"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.fd.io/govpp/adapter"
	"go.fd.io/govpp/adapter/mock"
	"go.fd.io/govpp/api"
	"go.fd.io/govpp/binapi/acl"
	"go.fd.io/govpp/binapi/feature"
	"go.fd.io/govpp/binapi/fib"
	interfaces "go.fd.io/govpp/binapi/interface"
	"go.fd.io/govpp/binapi/interface_types"
	"go.fd.io/govpp/binapi/ip"
	"go.fd.io/govpp/binapi/ip_neighbor"
	"go.fd.io/govpp/binapi/ip_types"
	"go.fd.io/govpp/binapi/memclnt"
	"go.fd.io/govpp/binapi/sr"
	"go.fd.io/govpp/binapi/sr_types"
	"go.fd.io/govpp/binapi/vlib"
	"go.fd.io/govpp/binapi/vpe"
	"go.fd.io/govpp/codec"

	"sextant/agent/internal/contract"
)

// fakeVPP is as much of a VPP as the back end sees, behind govpp's mock adapter. It has VPP's faults: it
// takes a SID for a table that is not there, and dies of listing it.
type fakeVPP struct {
	mu       sync.Mutex
	t        *testing.T
	ifaces   map[string]uint32
	tables   map[table]string
	neighbor map[netip.Addr]neighbor
	sids     map[netip.Prefix]localSID
	policies map[netip.Addr]*fakePolicy
	steering map[objectID]steer
	routes   map[fibKey]route
	sources  []fib.FibSource
	// addresses by interface; all are listed in either family.
	addresses map[uint32][]netip.Prefix
	noIPv4    map[uint32]bool // by interface; ip4Fixed is a VPP whose enabling enables
	ip4Fixed  bool
	lists     uint32
	// acls by their numbers, and at interfaces; matches are those of their rules.
	acls     map[uint32]*acl.ACLDetails
	aclLists map[uint32]aclList
	matches  map[uint32][]contract.Counters
	// unknownVLANs are frames with tags that no interface takes.
	unknownVLANs uint64
	commands     []string
	// written are the requests that changed something, in their order.
	written []string
	// unknown messages are not in this VPP, unanswered ones get no reply, ignored ones are acknowledged
	// without effect, refused ones have this return value.
	unknown, unanswered, ignored map[string]bool
	refused                      map[string]int32
	gone                         bool
}

type fakePolicy struct {
	source ip_types.IP6Address
	lists  map[uint32]sr.Srv6SidList
}

const fakeInterfaceSource, fakeSRSource, fakeAPISource, fakeDefaultSource, fakeOwnSource = 4, 5, 8, 20, 24

func newFakeVPP(t *testing.T) *fakeVPP {
	t.Helper()
	f := &fakeVPP{
		t: t, unknown: map[string]bool{}, unanswered: map[string]bool{}, ignored: map[string]bool{}, refused: map[string]int32{},
	}
	f.restart()
	return f
}

// restart forgets everything, as a new process does; interfaces get other numbers.
func (f *fakeVPP) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	shift := uint32(0)
	if f.ifaces != nil {
		shift = 10
	}
	f.ifaces = map[string]uint32{"local0": 0, "host-p1": 1 + shift, "host-p2": 2 + shift}
	f.noIPv4 = map[uint32]bool{1 + shift: true, 2 + shift: true}
	f.tables = map[table]string{{0, false}: "ipv4-VRF:0", {0, true}: "ipv6-VRF:0"}
	f.neighbor, f.sids, f.policies = map[netip.Addr]neighbor{}, map[netip.Prefix]localSID{}, map[netip.Addr]*fakePolicy{}
	f.steering, f.routes = map[objectID]steer{}, map[fibKey]route{}
	f.acls, f.aclLists, f.matches = map[uint32]*acl.ACLDetails{}, map[uint32]aclList{}, map[uint32][]contract.Counters{}
	f.commands = nil
	f.sources = []fib.FibSource{
		{Priority: 3, ID: fakeInterfaceSource, Name: "interface"},
		{Priority: 16, ID: fakeSRSource, Name: srSource},
		{Priority: 128, ID: fakeAPISource, Name: "API"},
		{Priority: 255, ID: fakeDefaultSource, Name: "default-route"},
	}
	f.written, f.gone = nil, false
}

func (f *fakeVPP) client() adapter.VppAPI {
	return &fakeClient{VppAdapter: mock.NewVppAdapter(), vpp: f}
}

// set changes the fake under its lock.
func (f *fakeVPP) set(change func(*fakeVPP)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// writes gives the changing requests since the last call.
func (f *fakeVPP) writes() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.written
	f.written = nil
	return out
}

// fakeClient is one connection.
type fakeClient struct {
	*mock.VppAdapter
	vpp   *fakeVPP
	reply adapter.MsgCallback
}

func (c *fakeClient) Connect() error {
	c.vpp.mu.Lock()
	defer c.vpp.mu.Unlock()
	if c.vpp.gone {
		return fmt.Errorf("nobody serves the socket")
	}
	return c.VppAdapter.Connect()
}

func (c *fakeClient) SetMsgCallback(reply adapter.MsgCallback) { c.reply = reply }

func (c *fakeClient) GetMsgID(name, crc string) (uint16, error) {
	if c.vpp.unknown[name] {
		return 0, &adapter.UnknownMsgError{MsgName: name, MsgCrc: crc}
	}
	return c.VppAdapter.GetMsgID(name, crc)
}

func (c *fakeClient) SendMsg(context uint32, data []byte) error {
	name, _ := c.GetMsgNameByID(binary.BigEndian.Uint16(data))
	request, err := decode(name, data)
	if err != nil {
		return err
	}
	f := c.vpp
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone {
		return fmt.Errorf("broken pipe")
	}
	if f.unanswered[name] {
		return nil
	}
	for _, answer := range f.answer(name, request) {
		id, err := c.VppAdapter.GetMsgID(answer.GetMessageName(), answer.GetCrcString())
		if err != nil {
			return err
		}
		raw, err := codec.DefaultCodec.EncodeMsg(answer, id)
		if err != nil {
			return err
		}
		at := 2
		if answer.GetMessageType() == api.RequestMessage { // so VPP defines feature_is_enabled_reply
			at = 6
		}
		binary.BigEndian.PutUint32(raw[at:], context)
		c.reply(id, raw)
	}
	return nil
}

func decode(name string, data []byte) (api.Message, error) {
	for _, messages := range api.GetRegisteredMessages() {
		for _, m := range messages {
			if m.GetMessageName() == name {
				fresh := reflect.New(reflect.TypeOf(m).Elem()).Interface().(api.Message)
				return fresh, codec.DefaultCodec.DecodeMsg(data, fresh)
			}
		}
	}
	return nil, fmt.Errorf("message %q is unknown", name)
}

func (f *fakeVPP) answer(name string, request api.Message) []api.Message {
	write := func(effect func()) int32 {
		if code := f.refused[name]; code != 0 {
			return code
		}
		f.written = append(f.written, name)
		if !f.ignored[name] {
			effect()
		}
		return 0
	}
	switch m := request.(type) {
	case *vpe.ShowVersion:
		return []api.Message{&vpe.ShowVersionReply{Program: "vpe", Version: "fake"}}
	case *memclnt.ControlPing:
		return []api.Message{&memclnt.ControlPingReply{}}
	case *fib.FibSourceDump:
		return each(f.sources, func(s fib.FibSource) api.Message { return &fib.FibSourceDetails{Src: s} })
	case *fib.FibSourceAdd:
		m.Src.ID = fakeOwnSource
		f.sources = append(f.sources, m.Src)
		return []api.Message{&fib.FibSourceAddReply{ID: fakeOwnSource}}
	case *interfaces.SwInterfaceDump:
		var out []api.Message
		for name, index := range f.ifaces {
			out = append(out, &interfaces.SwInterfaceDetails{
				SwIfIndex: interface_types.InterfaceIndex(index), InterfaceName: name, L2Address: fakeMAC,
				Flags: interface_types.IF_STATUS_API_FLAG_ADMIN_UP | interface_types.IF_STATUS_API_FLAG_LINK_UP,
				Mtu:   []uint32{9000, 0, 0, 0},
			})
		}
		return out
	case *feature.FeatureIsEnabled:
		return []api.Message{&feature.FeatureIsEnabledReply{IsEnabled: f.noIPv4[uint32(m.SwIfIndex)]}}
	case *ip.SwInterfaceIP4EnableDisable:
		f.noIPv4[uint32(m.SwIfIndex)] = m.Enable != f.ip4Fixed
		return []api.Message{&ip.SwInterfaceIP4EnableDisableReply{}}
	case *ip.SwInterfaceIP6EnableDisable:
		return []api.Message{&ip.SwInterfaceIP6EnableDisableReply{}}
	case *ip.IPTableDump:
		var out []api.Message
		for t, name := range f.tables {
			out = append(out, &ip.IPTableDetails{Table: ip.IPTable{TableID: t.number, IsIP6: t.six, Name: name}})
		}
		return out
	case *ip.IPTableAddDelV2:
		return []api.Message{&ip.IPTableAddDelV2Reply{Retval: write(func() {
			t := table{m.Table.TableID, m.Table.IsIP6}
			delete(f.tables, t)
			if m.IsAdd {
				f.tables[t] = m.Table.Name
			}
		})}}
	case *ip_neighbor.IPNeighborDump:
		var out []api.Message
		for addr, n := range f.neighbor {
			if addr.Is6() == (m.Af == ip_types.ADDRESS_IP6) {
				out = append(out, &ip_neighbor.IPNeighborDetails{Neighbor: ip_neighbor.IPNeighbor{
					SwIfIndex: interface_types.InterfaceIndex(n.swIfIndex), MacAddress: n.mac, IPAddress: address(addr),
				}})
			}
		}
		return out
	case *ip_neighbor.IPNeighborAddDel:
		return []api.Message{&ip_neighbor.IPNeighborAddDelReply{Retval: write(func() {
			n := neighbor{uint32(m.Neighbor.SwIfIndex), addressFrom(m.Neighbor.IPAddress), m.Neighbor.MacAddress}
			delete(f.neighbor, n.addr)
			if m.IsAdd {
				f.neighbor[n.addr] = n
			}
		})}}
	}
	return f.answerRoutes(name, request, write)
}

func (f *fakeVPP) answerRoutes(name string, request api.Message, write func(func()) int32) []api.Message {
	switch m := request.(type) {
	case *localSIDAddDel:
		bits := int(m.BlockBits) + int(m.NodeBits) + int(m.FunctionBits)
		at := netip.PrefixFrom(netip.AddrFrom16(m.LocalSID), bits)
		_, there := f.sids[at]
		if !m.IsDel && there {
			return []api.Message{&localSIDAddDelReply{Retval: -1}}
		}
		return []api.Message{&localSIDAddDelReply{Retval: write(func() {
			delete(f.sids, at)
			if !m.IsDel {
				f.sids[at] = localSID{prefix: at, behavior: m.Behavior, psp: m.EndPSP, argument: uint32(m.SwIfIndex), nextHop: addressFrom(m.NextHop)}
			}
		})}}
	case *sr.SrLocalsidsWithPacketStatsDump:
		var out []api.Message
		for at, s := range f.sids {
			if six := s.behavior == sr_types.SR_BEHAVIOR_API_DT6; six || s.behavior == sr_types.SR_BEHAVIOR_API_DT4 {
				if _, there := f.tables[table{s.argument, six}]; !there {
					f.t.Errorf("VPP has died: it lists %s, whose table %d does not exist", at, s.argument)
				}
			}
			out = append(out, &sr.SrLocalsidsWithPacketStatsDetails{
				Addr: sixteen(at.Addr()), Behavior: s.behavior, EndPsp: s.psp, XconnectIfaceOrVrfTable: s.argument,
				XconnectNhAddr: address(s.nextHop), GoodTrafficPktCount: 2, GoodTrafficBytes: 200,
			})
		}
		return out
	case *sr.SrPolicyAddV2:
		return []api.Message{&sr.SrPolicyAddV2Reply{Retval: write(func() {
			f.policies[netip.AddrFrom16(m.BsidAddr)] = &fakePolicy{m.EncapSrc, map[uint32]sr.Srv6SidList{f.lists: m.Sids}}
			f.lists++
		})}}
	case *sr.SrPolicyModV2:
		return []api.Message{&sr.SrPolicyModV2Reply{Retval: write(func() {
			p := f.policies[netip.AddrFrom16(m.BsidAddr)]
			if m.Operation == sr_types.SR_POLICY_OP_API_DEL {
				delete(p.lists, m.SlIndex)
				return
			}
			p.lists[f.lists], p.source = m.Sids, m.EncapSrc
			f.lists++
		})}}
	case *sr.SrPolicyDel:
		return []api.Message{&sr.SrPolicyDelReply{Retval: write(func() { delete(f.policies, netip.AddrFrom16(m.BsidAddr)) })}}
	case *sr.SrPoliciesV2Dump:
		var out []api.Message
		for bsid, p := range f.policies {
			d := &sr.SrPoliciesV2Details{Bsid: sixteen(bsid), EncapSrc: p.source, IsEncap: true}
			for _, l := range p.lists {
				d.SidLists = append(d.SidLists, l)
			}
			out = append(out, d)
		}
		return out
	case *sr.SrPoliciesWithSlIndexDump:
		var out []api.Message
		for bsid, p := range f.policies {
			d := &sr.SrPoliciesWithSlIndexDetails{Bsid: sixteen(bsid), IsEncap: true}
			for index, l := range p.lists {
				d.SidLists = append(d.SidLists, sr.Srv6SidListWithSlIndex{NumSids: l.NumSids, Weight: l.Weight, SlIndex: index, Sids: l.Sids})
			}
			out = append(out, d)
		}
		return out
	case *sr.SrSteeringAddDel:
		return []api.Message{&sr.SrSteeringAddDelReply{Retval: write(func() {
			s := steer{m.TableID, prefixFrom(m.Prefix), netip.AddrFrom16(m.BsidAddr)}
			delete(f.steering, s.id())
			if !m.IsDel {
				f.steering[s.id()] = s
			}
		})}}
	case *sr.SrSteeringPolDump:
		var out []api.Message
		for _, s := range f.steering {
			d := &sr.SrSteeringPolDetails{FibTable: s.table, Prefix: prefix(s.dst), Bsid: sixteen(s.bsid), TrafficType: sr_types.SR_STEER_API_IPV6}
			if s.dst.Addr().Is4() {
				d.TrafficType = sr_types.SR_STEER_API_IPV4
			} else if bytes := s.dst.Addr().As16(); [12]byte(bytes[:12]) == [12]byte{} { // an address that VPP takes for IPv4
				d.Prefix.Address = address(netip.AddrFrom4([4]byte(bytes[12:])))
			}
			out = append(out, d)
		}
		return out
	case *ip.IPRouteAddDelV2:
		return []api.Message{&ip.IPRouteAddDelV2Reply{Retval: write(func() {
			r := route{table: m.Route.TableID, dst: prefixFrom(m.Route.Prefix)}
			for _, p := range m.Route.Paths {
				via := ip_types.Address{Af: ip_types.ADDRESS_IP4, Un: p.Nh.Address}
				if r.dst.Addr().Is6() {
					via.Af = ip_types.ADDRESS_IP6
				}
				r.paths = append(r.paths, path{p.SwIfIndex, addressFrom(via), p.Weight})
			}
			key := fibKey{r.table, r.dst, m.Route.Src}
			delete(f.routes, key)
			if m.IsAdd {
				f.routes[key] = r
			}
		})}}
	case *ip.IPRouteV2Dump:
		return f.fib(m)
	case *ip.IPRouteLookupV2:
		best, there := f.best(m.TableID, prefixFrom(m.Prefix))
		if !there {
			return []api.Message{&ip.IPRouteLookupV2Reply{Retval: -6}}
		}
		return []api.Message{&ip.IPRouteLookupV2Reply{Route: ip.IPRouteV2{TableID: m.TableID, Prefix: m.Prefix, Src: best}}}
	}
	if answers, known := f.answerACLs(request, write); known {
		return answers
	}
	if m, ok := request.(*ip.IPAddressDump); ok {
		return each(f.addresses[uint32(m.SwIfIndex)], func(p netip.Prefix) api.Message {
			return &ip.IPAddressDetails{SwIfIndex: m.SwIfIndex, Prefix: ip_types.AddressWithPrefix(prefix(p))}
		})
	}
	if strings.HasSuffix(name, "_dump") {
		return nil
	}
	f.t.Errorf("the fake VPP does not know %s", name)
	return nil
}

// answerACLs: an ACL in use cannot be deleted, and one that is new counts from 0.
func (f *fakeVPP) answerACLs(request api.Message, write func(func()) int32) (answers []api.Message, known bool) {
	switch m := request.(type) {
	case *acl.ACLAddReplace:
		index := m.ACLIndex
		return []api.Message{&acl.ACLAddReplaceReply{Retval: write(func() {
			if index == newACL {
				for index = 0; f.acls[index] != nil; index++ {
				}
			}
			f.acls[index] = &acl.ACLDetails{ACLIndex: index, Tag: m.Tag, R: m.R}
			f.matches[index] = make([]contract.Counters, len(m.R)+1)
		}), ACLIndex: index}}, true
	case *acl.ACLDel:
		for _, at := range f.aclLists {
			if slices.Contains(slices.Concat(at.input, at.output), m.ACLIndex) {
				return []api.Message{&acl.ACLDelReply{Retval: -1}}, true
			}
		}
		return []api.Message{&acl.ACLDelReply{Retval: write(func() { delete(f.acls, m.ACLIndex) })}}, true
	case *acl.ACLInterfaceSetACLList:
		return []api.Message{&acl.ACLInterfaceSetACLListReply{Retval: write(func() {
			f.aclLists[uint32(m.SwIfIndex)] = aclList{m.Acls[:m.NInput], m.Acls[m.NInput:]}
		})}}, true
	case *acl.ACLDump:
		return each(slices.Collect(maps.Values(f.acls)), func(d *acl.ACLDetails) api.Message { return d }), true
	case *acl.ACLInterfaceListDump:
		for swIfIndex, at := range f.aclLists {
			answers = append(answers, &acl.ACLInterfaceListDetails{
				SwIfIndex: interface_types.InterfaceIndex(swIfIndex), NInput: uint8(len(at.input)), Acls: slices.Concat(at.input, at.output),
			})
		}
		return answers, true
	case *acl.ACLStatsIntfCountersEnable:
		return []api.Message{&acl.ACLDelReply{}}, true // so VPP answers
	case *vlib.CliInband:
		f.commands = append(f.commands, m.Cmd)
		return []api.Message{&vlib.CliInbandReply{}}, true
	}
	return nil, false
}

// fib lists the entries of a source; those of SRv6 are where SIDs and steering are.
func (f *fakeVPP) fib(m *ip.IPRouteV2Dump) []api.Message {
	var out []api.Message
	add := func(dst netip.Prefix, paths []path) {
		if dst.Addr().Is6() != m.Table.IsIP6 {
			return
		}
		best, _ := f.best(m.Table.TableID, dst)
		d := &ip.IPRouteV2Details{Route: ip.IPRouteV2{TableID: m.Table.TableID, Prefix: prefix(dst), Src: best}}
		for _, p := range paths {
			d.Route.Paths = append(d.Route.Paths, wayOf(p))
		}
		d.Route.NPaths = uint8(len(d.Route.Paths))
		out = append(out, d)
	}
	for key, r := range f.routes {
		if key.table == m.Table.TableID && key.source == m.Src {
			add(r.dst, r.paths)
		}
	}
	if m.Src == fakeSRSource {
		for at := range f.sids {
			if m.Table.TableID == 0 {
				add(at, nil)
			}
		}
		for _, s := range f.steering {
			if s.table == m.Table.TableID {
				add(s.dst, nil)
			}
		}
	}
	return out
}

// best is the source of the entry at a prefix that packets follow: the one of the lowest priority.
func (f *fakeVPP) best(table uint32, dst netip.Prefix) (source uint8, there bool) {
	priority := map[uint8]uint8{}
	for _, s := range f.sources {
		priority[s.ID] = s.Priority
	}
	try := func(id uint8) {
		if !there || priority[id] < priority[source] {
			source, there = id, true
		}
	}
	for key := range f.routes {
		if key.table == table && key.dst == dst {
			try(key.source)
		}
	}
	if _, sid := f.sids[dst]; sid && table == 0 {
		try(fakeSRSource)
	}
	if _, steered := f.steering[steer{table: table, dst: dst}.id()]; steered {
		try(fakeSRSource)
	}
	return source, there
}

func each[E any](list []E, f func(E) api.Message) []api.Message {
	var out []api.Message
	for _, e := range list {
		out = append(out, f(e))
	}
	return out
}
