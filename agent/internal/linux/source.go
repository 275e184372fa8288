// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// sourcePlane is the source address of outer headers. Errors of encapsulated packets come back to it, so the node must
// own it, and passes them on: it is put on lo where no interface has it, marked as the agent's.
type sourcePlane struct {
	plane.Idle
	node  *Node
	relay *tooBigRelay
	// outside are the ports behind which no node of the domain is.
	outside map[contract.PortID]bool
	// domain is the sources of the domain.
	domain map[netip.Prefix]bool
}

func newSourcePlane(n *Node) (*sourcePlane, error) {
	relay, err := newTooBigRelay(n.ns.fd(), n.options.Log)
	return &sourcePlane{node: n, relay: relay, outside: map[contract.PortID]bool{}, domain: map[netip.Prefix]bool{}}, err
}

// Serves the one row of encap_source.
func (p *sourcePlane) Serves(e contract.Entry) bool {
	_, ok := e.(contract.EncapSource)
	return ok
}

// Follow sets the source, or puts it back to the kernel's own choice, also when nothing was set.
func (p *sourcePlane) Follow(old, fresh contract.Entry) error {
	p.followRole(old, fresh)
	p.followDomain(old, fresh)
	if entry, ok := fresh.(contract.EncapSource); ok {
		if err := p.node.putSource(entry); err != nil {
			return err
		}
		return p.speakFor(entry.Source)
	}
	if _, was := old.(contract.EncapSource); !was {
		return nil
	}
	return p.unset()
}

// followRole has the relay know the senders that it must not believe.
func (p *sourcePlane) followRole(old, fresh contract.Entry) {
	was, before := old.(contract.EdgePort)
	is, now := fresh.(contract.EdgePort)
	if before {
		delete(p.outside, was.Port)
	}
	if now && is.External {
		p.outside[is.Port] = true
	}
	if before || now {
		p.tellOutside()
	}
}

func (p *sourcePlane) followDomain(old, fresh contract.Entry) {
	was, before := old.(contract.EdgeSource)
	is, now := fresh.(contract.EdgeSource)
	if before {
		delete(p.domain, was.Src)
	}
	if now {
		p.domain[is.Src] = true
	}
	if before || now {
		p.tellDomain()
	}
}

func (p *sourcePlane) tellDomain() {
	domain := slices.Collect(maps.Keys(p.domain))
	p.relay.domain.Store(&domain)
}

func (p *sourcePlane) tellOutside() {
	interfaces := map[int]bool{}
	for port, index := range indexes(p.node.ports) {
		if p.outside[port] && index != 0 {
			interfaces[index] = true
		}
	}
	p.relay.outside.Store(&interfaces)
}

func (p *sourcePlane) unset() error {
	if err := p.node.seg6.SetTunnelSource(netip.IPv6Unspecified()); err != nil {
		return refused(contract.EncapSource{}.Key(), "no source", err)
	}
	return p.speakFor(netip.IPv6Unspecified())
}

func (p *sourcePlane) speakFor(source netip.Addr) error {
	p.relay.setSource(source)
	return p.node.dropAddresses(source)
}

// Keep puts the source of outer headers back, and its address.
func (p *sourcePlane) Keep(seen plane.Seen) error {
	if seen.Ports {
		p.tellOutside()
	}
	wanted, ok := rows.Lookup[contract.EncapSource](p.node.rows, contract.EncapSource{}.Key())
	if !ok || !seen.Pulse {
		return nil
	}
	if got, set, err := p.node.readSource(); err != nil || set && got == wanted {
		return err
	}
	p.node.options.Log("another program changed the tunnel source; it is %s again", wanted.Source)
	return p.node.putSource(wanted)
}

// Adopt speaks for the source that the kernel has.
func (p *sourcePlane) Adopt() error {
	for _, e := range rows.Of[contract.EdgePort](p.node.rows) {
		p.outside[e.Port] = e.External
	}
	p.tellOutside()
	for _, e := range rows.Of[contract.EdgeSource](p.node.rows) {
		p.domain[e.Src] = true
	}
	p.tellDomain()
	source, err := p.node.seg6.TunnelSource()
	if err == nil {
		p.relay.setSource(source)
	}
	return err
}

// Reset unsets the source where one is set.
func (p *sourcePlane) Reset() error {
	clear(p.outside)
	p.tellOutside()
	clear(p.domain)
	p.tellDomain()
	source, err := p.node.seg6.TunnelSource()
	if err == nil && source.IsValid() && !source.IsUnspecified() {
		err = p.node.seg6.SetTunnelSource(netip.IPv6Unspecified())
	}
	return errors.Join(err, p.speakFor(netip.IPv6Unspecified()))
}

// Close ends the relay.
func (p *sourcePlane) Close() error { return p.relay.close() }

// putSource makes the kernel use the source, and the node own it.
func (n *Node) putSource(entry contract.EncapSource) error {
	key := entry.Key()
	if err := n.ownAddress(entry.Source); err != nil {
		return refused(key, fmt.Sprintf("address %s on lo", entry.Source), err)
	}
	if err := n.seg6.SetTunnelSource(entry.Source); err != nil {
		return refused(key, fmt.Sprintf("source %s", entry.Source), err)
	}
	got, err := n.seg6.TunnelSource()
	if err != nil {
		return refused(key, "to show the source", err)
	}
	if got != entry.Source {
		return ignored(key, fmt.Sprintf("source: want %s, kernel has %s", entry.Source, got))
	}
	return nil
}

func (n *Node) loopback() (int, error) {
	l, err := n.links.LinkByName("lo")
	if err != nil {
		return 0, fmt.Errorf("find lo: %w", err)
	}
	return l.Attrs().Index, nil
}

// ownAddress adds the address to lo unless the node has it.
func (n *Node) ownAddress(a netip.Addr) error {
	has, err := n.hasAddress(a)
	if err != nil || has {
		return err
	}
	lo, err := n.loopback()
	if err != nil {
		return err
	}
	return n.conn.AddAddress(rtnl.Address{Dev: lo, Prefix: netip.PrefixFrom(a, a.BitLen()), Protocol: Protocol})
}

func (n *Node) hasAddress(a netip.Addr) (bool, error) {
	all, err := n.conn.Addresses(unix.AF_INET6)
	if err != nil {
		return false, err
	}
	for _, one := range all {
		if one.Prefix.Addr() == a {
			return true, nil
		}
	}
	return false, nil
}

// dropAddresses removes the agent's own addresses from lo, but for one.
func (n *Node) dropAddresses(keep netip.Addr) error {
	all, err := n.conn.Addresses(unix.AF_INET6)
	if err != nil {
		return err
	}
	var errs []error
	for _, one := range all {
		if one.Protocol != Protocol || one.Prefix.Addr() == keep {
			continue
		}
		if err := n.conn.DeleteAddress(one.Dev, one.Prefix); err != nil && !errors.Is(err, unix.EADDRNOTAVAIL) {
			errs = append(errs, fmt.Errorf("take address %s off lo: %w", one.Prefix, err))
		}
	}
	return errors.Join(errs...)
}

// readSource is the source as the kernel has it, if one is set and the node owns it.
func (n *Node) readSource() (contract.EncapSource, bool, error) {
	a, err := n.seg6.TunnelSource()
	if err != nil || a.IsUnspecified() {
		return contract.EncapSource{}, false, err
	}
	has, err := n.hasAddress(a)
	return contract.EncapSource{Source: a}, has, err
}
