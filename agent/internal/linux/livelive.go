// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/rows"
)

var _ contract.CellReader = (*Node)(nil)

// newLivePlane makes the eBPF half of the node; nothing is loaded before a row needs it.
func (n *Node) newLivePlane() *livelive.Plane {
	return livelive.New(livelive.Options{
		Links: n.links, Do: n.ns.do, Log: n.options.Log,
		Prepare: func(name string) error {
			l, err := n.links.LinkByName(name)
			if err != nil {
				return fmt.Errorf("find %s: %w", name, err)
			}
			return n.silence(l)
		},
	})
}

// isLive says whether a row is one of those that eBPF serves, or shows in them.
func isLive(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.Flow, contract.Copy, contract.DedupFlow:
		return true
	case contract.MySID:
		return e.Behavior.Action == contract.Dedup
	}
	return false
}

// isLiveTable says whether all rows of a table are eBPF's.
func isLiveTable(table string) bool {
	switch table {
	case contract.TableFlowV6, contract.TableFlowV4, contract.TableCopy, contract.TableDedupFlow:
		return true
	}
	return false
}

// translateLive refuses what the programs do not do. They make no kernel objects of the other kind.
func (v view) translateLive(e contract.Entry) (objects, error) {
	switch e := e.(type) {
	case contract.Flow:
		if e.VRF != 0 {
			return objects{}, contract.Errorf(contract.Unimplemented, "%s: only vrf 0 is served here, not vrf %d", e.Key(), e.VRF)
		}
	case contract.MySID:
		if e.Behavior.VRF != 0 {
			return objects{}, contract.Errorf(contract.Unimplemented, "%s: dedup serves vrf 0 only, not vrf %d", e.Key(), e.Behavior.VRF)
		}
	case contract.Copy:
		list, ok := v.sidList(e.SIDList)
		if !ok {
			return objects{}, rows.Missing(e.Key(), contract.SIDListKey(e.SIDList))
		}
		if len(list.Members) != 1 {
			err := contract.Errorf(contract.Unimplemented, "%s: %s has %d members, a path is one of them", e.Key(), list.Key(), len(list.Members))
			err.Remedy = "give each path a list of its own"
			return objects{}, err
		}
	}
	return objects{}, nil
}

// liveState is what the rows want eBPF to do. Called with mu held.
func (n *Node) liveState() (livelive.State, error) {
	s := livelive.State{StackIndex: n.devices.steering}
	for _, key := range n.rows.Keys() {
		switch e := n.rows.Get(key).Entry.(type) {
		case contract.Flow:
			s.Flows = append(s.Flows, e)
		case contract.DedupFlow:
			s.Ends = append(s.Ends, e)
		case contract.MySID:
			if e.Behavior.Action == contract.Dedup {
				s.SIDs = append(s.SIDs, livelive.SID{Prefix: e.SID, Path: e.Behavior.Path})
			} else {
				s.Own = append(s.Own, e.SID)
			}
		case contract.Copy:
			if list, ok := rows.Lookup[contract.SIDList](n.rows, contract.SIDListKey(e.SIDList)); ok {
				s.Copies = append(s.Copies, livelive.Copy{Group: e.Group, Path: e.Path, Segments: list.Members[0].Segments})
			}
		}
	}
	var err error
	if s.Source, err = n.seg6.TunnelSource(); err != nil { // the kernel's, as read-back shows it, whoever set it
		return s, err
	}
	for _, p := range n.ports {
		if p.Index != 0 {
			s.Ports = append(s.Ports, p.Index)
		}
	}
	addresses, err := n.ownAddresses()
	if err != nil {
		return s, err
	}
	s.Own = append(s.Own, addresses...)
	l, err := n.links.LinkByName(steeringDevice)
	if err != nil {
		return s, fmt.Errorf("find %s: %w", steeringDevice, err)
	}
	copy(s.StackMAC[:], l.Attrs().HardwareAddr)
	return s, nil
}

// linkLocal is never forwarded (RFC 4291, 2.5.6): neighbor discovery with this node, for one.
var linkLocal = netip.MustParsePrefix("fe80::/10") //nolint:gochecknoglobals // a constant

// ownAddresses are what hosts and neighbors reach this node itself by.
func (n *Node) ownAddresses() ([]netip.Prefix, error) {
	addresses, err := netspace.Whole(func() ([]linklib.Addr, error) { return n.links.AddrList(nil, unix.AF_UNSPEC) })
	if err != nil {
		return nil, fmt.Errorf("list addresses of network namespace %s: %w", n.ns.name, err)
	}
	own := []netip.Prefix{linkLocal}
	for _, a := range addresses {
		if addr, ok := netip.AddrFromSlice(a.IP); ok {
			addr = addr.Unmap()
			own = append(own, netip.PrefixFrom(addr, addr.BitLen()))
		}
	}
	return own, nil
}

// syncLive makes eBPF do what the rows say. Called with mu held.
func (n *Node) syncLive() error {
	s, err := n.liveState()
	if err != nil {
		return err
	}
	err = n.live.Sync(s)
	var known *contract.Error
	if err != nil && !errors.As(err, &known) {
		err = &contract.Error{Code: contract.Internal, Message: "Live-Live cannot be brought in step", Err: err}
	}
	n.liveLost, n.liveBehind = err != nil, false
	return err
}

// refreshLive repairs what others did to the programs, and follows the ports.
func (n *Node) refreshLive() {
	n.liveBehind = false
	if !n.hasLiveRows() {
		return
	}
	if err := n.syncLive(); err != nil {
		n.options.Log("%v; its rows will be missing", err)
	}
}

func (n *Node) hasLiveRows() bool {
	for _, r := range n.rows.All() {
		if isLive(r.Entry) {
			return true
		}
	}
	return false
}

// followLive brings eBPF in step with a changed row. A row of its own fails if that fails. What only is not to be copied, as a
// SID of this node, is the kernel's: it is served whatever becomes of Live-Live, and told to eBPF at the end of the batch.
func (n *Node) followLive(old, fresh *row) error {
	for _, r := range []*row{old, fresh} {
		if r != nil && (isLive(r.Entry) || n.copied(r.Entry)) {
			return n.syncLive()
		}
	}
	for _, r := range []*row{old, fresh} {
		if r != nil && r.Entry.Key().Table == contract.TableMySID {
			n.liveBehind = true
		}
	}
	return nil
}

// copied says whether copies travel this row's segment list.
func (n *Node) copied(e contract.Entry) bool {
	for _, user := range n.rows.Users(e.Key()) {
		if user.Table == contract.TableCopy {
			return true
		}
	}
	return false
}

// liveCounters of a row, nil for rows that eBPF does not count.
func (n *Node) liveCounters(e contract.Entry) (*contract.Counters, error) {
	switch e := e.(type) {
	case contract.Flow:
		return n.live.FlowCounters(e)
	case contract.Copy:
		return n.live.CopyCounters(e.Group, e.Path)
	case contract.MySID:
		return n.live.SIDCounters(livelive.SID{Prefix: e.SID, Path: e.Behavior.Path})
	}
	return nil, nil
}

// Cells reads counters that belong to no row, see contract.CellReader.
func (n *Node) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.live.Cells(array, from, count)
}

// silence prepares a device of the agent's own and sets it up.
func (n *Node) silence(l linklib.Link) error {
	name := l.Attrs().Name
	if isUp(l) {
		return nil
	}
	if err := n.ns.set(pairSettings(name)); err != nil {
		return fmt.Errorf("prepare %s: %w", name, err)
	}
	if err := errors.Join(n.links.LinkSetMulticastOff(l), n.links.LinkSetUp(l)); err != nil {
		return fmt.Errorf("set %s up: %w", name, err)
	}
	return nil
}
