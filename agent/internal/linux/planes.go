// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/edge"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/mobile"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/sera"
)

var (
	_ contract.CellReader = (*Node)(nil)
	_ contract.RowReader  = (*Node)(nil)
)

// openPlanes is the list of the parts that serve rows besides routes and neighbours. Another plane is another line.
func (n *Node) openPlanes() error {
	pins, unknown, err := openPins(n.options.StateDir, n.links, n.ns.do)
	if err != nil {
		return err
	}
	if unknown > 0 {
		n.options.Log("%d programs that are attached to interfaces may not be looked at, and are taken for those of others; if a former agent attached them, run `sextant-agent prepare` as root", unknown)
	}
	withPrograms := pair.Options{
		Rows: n.rows, Around: n.around, Links: n.links, Do: n.ns.do, Pins: pins, Log: n.options.Log, Prepare: n.prepareEnd,
	}
	atPorts := func() map[contract.PortID]int { return indexes(n.ports) }
	atEdge := edge.New(edge.Options{Options: withPrograms, Ports: atPorts, Own: isOwnDevice})
	n.edge, n.probes = atEdge, atEdge
	n.planes = append(n.planes, n.edge) // before anything is let in
	source, err := newSourcePlane(n)
	if err != nil {
		return err
	}
	n.relay = source.relay
	n.planes = append(n.planes, source)
	if n.counters, err = openSteeringCounters(n.ns.fd(), n.devices.steeringName()); err != nil {
		n.options.Log("steering rows have no counters, and what no router forwards enters policies: %v; see `sextant-agent check`", err)
	} else {
		n.counters.rows, n.counters.log = n.rows, n.options.Log
		n.planes = append(n.planes, n.counters, newUnfinished(n.counters.nft, n.rows), newInternalRanges(n.counters.nft, n.rows))
	}
	n.planes = append(n.planes, &puntPlane{node: n})
	firewalls := sera.New(withPrograms)
	n.firewalls, n.firewallDevice = firewalls, firewalls.Device
	n.planes = append(n.planes, livelive.New(withPrograms), mobile.New(withPrograms), firewalls, n.watching, n.restoring)
	if n.options.MeasureDelay > 0 {
		n.measuring = newMeasuring(n)
		n.planes = append(n.planes, n.measuring)
	}
	return nil
}

// isOwnDevice says whether a device has the name of an end of the agent's pairs: sextant0 to sextant7.
func isOwnDevice(name string) bool {
	number, own := strings.CutPrefix(name, "sextant")
	return own && len(number) == 1 && number[0] >= '0' && number[0] <= '7'
}

// prepareEnd keeps a device of a plane's pair silent, and lets the kernel route packets that arrive at it.
func (n *Node) prepareEnd(name string) error {
	l, err := n.links.LinkByName(name)
	if err != nil {
		return fmt.Errorf("find %s: %w", name, err)
	}
	return n.silence(l)
}

// each has all planes do something, whatever comes of it at the others.
func (n *Node) each(do func(plane.Plane) error) error {
	var errs []error
	for _, p := range n.planes {
		errs = append(errs, do(p))
	}
	return errors.Join(errs...)
}

// follow notifies the planes of a changed row. If one of them refuses it, those before it are notified that it is back.
func (n *Node) follow(old, fresh contract.Entry) error {
	for i, p := range n.planes {
		err := p.Follow(old, fresh)
		if err == nil {
			continue
		}
		for _, told := range n.planes[:i] {
			if err := told.Follow(fresh, old); err != nil {
				n.options.Log("a row is put back: %v", err)
			}
		}
		return err
	}
	return nil
}

// settle has the planes follow a batch. Its rows fail with the plane that serves them.
func (n *Node) settle(batch []rows.Outcome) {
	for _, p := range n.planes {
		err := p.Sync()
		if err == nil {
			continue
		}
		told := false
		for i, o := range batch {
			if e := o.Entry(); o.Err == nil && e != nil && p.Serves(e) {
				batch[i].Err, told = err, true
			}
		}
		if !told {
			n.options.Log("%v", err)
		}
	}
}

// servedBy finds the plane of an entry, nil for one that is routes or neighbours.
func (n *Node) servedBy(e contract.Entry) plane.Plane {
	for _, p := range n.planes {
		if p.Serves(e) {
			return p
		}
	}
	return nil
}

// counts asks the planes for the counters of entries.
func (n *Node) counts(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	all := map[contract.Key]*contract.Counters{}
	err := n.each(func(p plane.Plane) error {
		counts, err := p.Counters(entries)
		for key, c := range counts {
			all[key] = c
		}
		return err
	})
	return all, err
}

// Cells reads counters that belong to no row, see contract.CellReader.
func (n *Node) Cells(ctx context.Context, array string, from, count int) ([]contract.Counters, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var unknown error
	for _, p := range n.planes {
		reader, ok := p.(contract.CellReader)
		if !ok {
			continue
		}
		cells, err := reader.Cells(ctx, array, from, count)
		var e *contract.Error
		if !errors.As(err, &e) || e.Code != contract.Unimplemented {
			return cells, err
		}
		unknown = err
	}
	return nil, unknown
}

// around is the node's state besides its rows. Called with mu held.
func (n *Node) around() (pair.Around, error) {
	a := pair.Around{StackIndex: n.devices.steering}
	var err error
	if a.Source, err = n.seg6.TunnelSource(); err != nil { // the kernel's, as read-back shows it, also a foreign one
		return a, err
	}
	for _, p := range n.ports {
		if p.Index != 0 {
			a.Ports = append(a.Ports, p.Index)
		}
	}
	if a.Own, err = n.ownAddresses(); err != nil {
		return a, err
	}
	l, err := n.links.LinkByName(steeringDevice)
	if err != nil {
		return a, fmt.Errorf("find %s: %w", steeringDevice, err)
	}
	copy(a.StackMAC[:], l.Attrs().HardwareAddr)
	return a, nil
}

// linkLocal is never forwarded (RFC 4291, 2.5.6): neighbor discovery with this node, for one.
var linkLocal = netip.MustParsePrefix("fe80::/10") //nolint:gochecknoglobals // a constant

// ownAddresses are the addresses by which hosts and neighbors reach this node itself.
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
