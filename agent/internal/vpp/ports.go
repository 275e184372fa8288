// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"go.fd.io/govpp/binapi/feature"
	interfaces "go.fd.io/govpp/binapi/interface"
	"go.fd.io/govpp/binapi/interface_types"
	"go.fd.io/govpp/binapi/ip"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
)

func (c *conn) interfaces() (map[string]*interfaces.SwInterfaceDetails, error) {
	details, err := list[*interfaces.SwInterfaceDetails](c, &interfaces.SwInterfaceDump{SwIfIndex: interface_types.InterfaceIndex(^uint32(0))})
	byName := map[string]*interfaces.SwInterfaceDetails{}
	for _, d := range details {
		byName[strings.TrimRight(d.InterfaceName, "\x00")] = d
	}
	return byName, err
}

func (c *conn) interfaceNames() ([]string, error) {
	byName, err := c.interfaces()
	return slices.Sorted(maps.Keys(byName)), err
}

// refreshPorts looks at the ports and reconciles everything that depends on them. Called with mu held.
func (n *Node) refreshPorts() error {
	there, err := n.conn.interfaces()
	if err != nil {
		return err
	}
	behind, err := n.hostLinks()
	if err != nil {
		return err
	}
	changed := false
	for id, name := range n.options.Ports {
		p, state := contract.Port{ID: id, Name: name}, portState{}
		if d := there[name]; d != nil {
			state = portState{present: true, swIfIndex: uint32(d.SwIfIndex), mac: d.L2Address}
			p.MAC, p.MTUBytes, p.Index = d.L2Address, mtu(d), uint32(d.SwIfIndex)
			p.Enabled = d.Flags&interface_types.IF_STATUS_API_FLAG_ADMIN_UP != 0
			p.Up = p.Enabled && d.Flags&interface_types.IF_STATUS_API_FLAG_LINK_UP != 0
			if d.LinkSpeed != 0 && d.LinkSpeed != ^uint32(0) {
				p.Speed = contract.PortSpeed{Known: true, Bps: uint64(d.LinkSpeed) * 1000}
			}
			if link, ok := behind[p.Index]; ok {
				p.Up = p.Up && link.carrier
				p.Speed = contract.PortSpeed{} // VPP repeats the speed from Linux, which of a veth is made up
			}
			if p.Addresses, err = n.conn.addresses(p.Index); err != nil {
				return err
			}
			n.gateways.See(id, p.Addresses)
			if !n.ports[id].present {
				if err := n.conn.enable(state.swIfIndex); err != nil {
					return err
				}
			}
		}
		changed = changed || state != n.ports[id]
		n.ports[id], n.seen[id] = state, p
	}
	n.setExits()
	if err := n.punts.Sync(rows.Of[contract.Punt](n.rows), n.indexes()); err != nil {
		n.options.Log("punt: %v", err)
	}
	if changed && n.rows.Len() > 0 {
		return n.reconcile()
	}
	return nil
}

// mtu for IP: VPP keeps one for all of layer 3, and may keep smaller ones per family.
func mtu(d *interfaces.SwInterfaceDetails) uint32 {
	if len(d.Mtu) > 0 && d.Mtu[0] != 0 {
		return d.Mtu[0]
	}
	return uint32(d.LinkMtu)
}

// enable lets an interface without addresses forward both families.
func (c *conn) enable(swIfIndex uint32) error {
	index := interface_types.InterfaceIndex(swIfIndex)
	if _, err := call[*ip.SwInterfaceIP6EnableDisableReply](c, &ip.SwInterfaceIP6EnableDisable{SwIfIndex: index, Enable: true}); err != nil {
		return err // a return value only says that it is enabled already
	}
	// VPP 26.06 takes "enable" for the node that drops packets, the other way round; so both are tried.
	for _, enable := range []bool{false, true} {
		drops, err := c.dropsIPv4(index)
		if err != nil || !drops {
			return err
		}
		if _, err := call[*ip.SwInterfaceIP4EnableDisableReply](c, &ip.SwInterfaceIP4EnableDisable{SwIfIndex: index, Enable: enable}); err != nil {
			return err
		}
	}
	return nil
}

// dropsIPv4 says whether the feature that drops all IPv4 packets is in the way of an interface's.
func (c *conn) dropsIPv4(index interface_types.InterfaceIndex) (bool, error) {
	reply, err := call[*feature.FeatureIsEnabledReply](c, &feature.FeatureIsEnabled{
		ArcName: "ip4-unicast", FeatureName: "ip4-not-enabled", SwIfIndex: index,
	})
	if err != nil || reply.Retval != 0 {
		return false, err
	}
	return reply.IsEnabled, nil
}

func (c *conn) addresses(swIfIndex uint32) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, six := range []bool{false, true} {
		details, err := list[*ip.IPAddressDetails](c, &ip.IPAddressDump{SwIfIndex: interface_types.InterfaceIndex(swIfIndex), IsIPv6: six})
		if err != nil {
			return nil, err
		}
		for _, d := range details {
			out = append(out, netip.PrefixFrom(addressFrom(d.Prefix.Address), int(d.Prefix.Len)))
		}
	}
	return out, nil
}

// hostLinks are the Linux interfaces behind VPP's, by VPP's index.
func (n *Node) hostLinks() (map[uint32]hostLink, error) {
	details, err := n.conn.afPacket()
	if err != nil || len(details) == 0 {
		return nil, err
	}
	links, err := n.host.read()
	if err != nil {
		return nil, err
	}
	out := map[uint32]hostLink{}
	for _, d := range details {
		if link, ok := links[strings.TrimRight(d.HostIfName, "\x00")]; ok {
			out[uint32(d.SwIfIndex)] = link
		}
	}
	n.linux = out
	return out, nil
}

// indexes gives every port its Linux interface, 0 for one that has none.
func (n *Node) indexes() map[contract.PortID]int {
	out := map[contract.PortID]int{}
	for id := range n.options.Ports {
		out[id] = 0
		if state := n.ports[id]; state.present {
			out[id] = n.linux[state.swIfIndex].index
		}
	}
	return out
}

// packetPorts refuses a punt row where no port it covers can be listened on.
func (n *Node) packetPorts(e contract.Punt) error {
	for id, index := range n.indexes() {
		if index != 0 && (e.InPort == nil || contract.PortID(e.InPort.Value.Uint64()) == id) {
			return nil
		}
	}
	return &contract.Error{
		Code:    contract.Unimplemented,
		Message: fmt.Sprintf("%s: none of its ports is a Linux interface that VPP reads packets from", e.Key()),
		Remedy:  "make them with `create host-interface` (af_packet), and give --netns the namespace they are in",
	}
}

// Ports lists the ports in the order of their ids, as the last look found them, with counters of now.
func (n *Node) Ports(context.Context) ([]contract.Port, error) {
	counters := n.stats.ports()
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []contract.Port
	for _, id := range slices.Sorted(maps.Keys(n.seen)) {
		p := n.seen[id]
		if c, ok := counters[p.Index]; ok && p.Index != 0 {
			p.In, p.Out = c.in, c.out
		}
		out = append(out, p)
	}
	return out, nil
}

// WatchPorts notifies of changes of ports, though not of their counters alone, within a pulse.
func (n *Node) WatchPorts(ctx context.Context) (<-chan contract.Port, error) {
	return n.watch.Subscribe(ctx)
}

// SetPortEnabled sets the administrative state of a port, by its name in VPP.
func (n *Node) SetPortEnabled(_ context.Context, name string, enabled bool) error {
	err := n.setPort(name, enabled)
	if err != nil {
		return err
	}
	return n.watch.Publish(n.Ports)
}

func (n *Node) setPort(name string, enabled bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.reachableNow(); err != nil {
		return err
	}
	for id, own := range n.options.Ports {
		if own != name {
			continue
		}
		if !n.ports[id].present {
			return contract.Errorf(contract.FailedPrecondition, "VPP does not have interface %q now", name)
		}
		request := &interfaces.SwInterfaceSetFlags{SwIfIndex: interface_types.InterfaceIndex(n.ports[id].swIfIndex)}
		if enabled {
			request.Flags = interface_types.IF_STATUS_API_FLAG_ADMIN_UP
		}
		reply, err := call[*interfaces.SwInterfaceSetFlagsReply](n.conn, request)
		if err == nil && reply.Retval != 0 {
			err = contract.Errorf(contract.Internal, "set interface %q enabled=%t: VPP says %d", name, enabled, reply.Retval)
		}
		if err != nil {
			return err
		}
		return n.refreshPorts()
	}
	return contract.Errorf(contract.NotFound, "%q is not a port of this node; its ports are %v", name, slices.Sorted(maps.Values(n.options.Ports)))
}

// setExits follows the state of the ports. Called with mu held.
func (n *Node) setExits() {
	exits := map[contract.PortID]punt.Exit{}
	for id, index := range n.indexes() {
		exits[id] = punt.Exit{Name: n.options.Ports[id], Index: index, Up: n.seen[id].Up}
	}
	n.exits.Set(exits)
}

// Send emits a frame at the Linux interface of a port.
func (n *Node) Send(ctx context.Context, port contract.PortID, frame []byte) error {
	return n.exits.Send(ctx, n.punts, port, frame)
}

// Packets delivers the frames that punt rows select. A reader that is too slow loses frames.
func (n *Node) Packets() <-chan contract.Packet { return n.punts.Packets() }
