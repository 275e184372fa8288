// SPDX-License-Identifier: Apache-2.0

package iproute

import (
	"context"
	"maps"
	"net"
	"net/netip"
	"slices"
	"time"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
)

// Ports lists those of the command line; one whose interface is gone is down.
func (n *Node) Ports(context.Context) ([]contract.Port, error) {
	links, err := n.tool.links()
	if err != nil {
		return nil, err
	}
	var out []contract.Port
	for _, id := range slices.Sorted(maps.Keys(n.options.Ports)) {
		name := n.options.Ports[id]
		l := links[name]
		p := contract.Port{
			ID: id, Name: name, MTUBytes: l.MTU, Index: l.Index,
			Enabled: slices.Contains(l.Flags, "UP"), Up: slices.Contains(l.Flags, "LOWER_UP"),
			In: l.Stats.Rx.port(), Out: l.Stats.Tx.port(),
		}
		if mac, err := net.ParseMAC(l.Address); err == nil {
			copy(p.MAC[:], mac)
		}
		for _, a := range l.Inet {
			if local, err := netip.ParseAddr(a.Local); err == nil {
				p.Addresses = append(p.Addresses, netip.PrefixFrom(local, a.Bits))
			}
		}
		out = append(out, p)
	}
	return out, nil
}

func (c counts) port() contract.PortCounters {
	return contract.PortCounters{Octets: c.Bytes, Packets: c.Packets, Multicast: c.Multicast, Errors: c.Errors, Discards: c.Dropped}
}

// WatchPorts reports changes, see contract.Backend.
func (n *Node) WatchPorts(ctx context.Context) (<-chan contract.Port, error) {
	return n.watch.Subscribe(ctx)
}

// SetPortEnabled sets the administrative state.
func (n *Node) SetPortEnabled(_ context.Context, name string, enabled bool) error {
	state := map[bool]string{true: "up", false: "down"}[enabled]
	_, err := n.tool.ip("link set " + name + " " + state)
	return err
}

// Send emits a frame at a port.
func (n *Node) Send(ctx context.Context, port contract.PortID, frame []byte) error {
	index := n.indexes()[port]
	if index == 0 {
		return contract.Errorf(contract.FailedPrecondition, "port %d has no interface", port)
	}
	return n.punts.Send(ctx, index, frame)
}

// Packets delivers what punt rows select.
func (n *Node) Packets() <-chan contract.Packet { return n.punts.Packets() }

// indexes give each port its interface's index, 0 while it has none.
func (n *Node) indexes() map[contract.PortID]int {
	out := map[contract.PortID]int{}
	links, err := n.tool.links()
	if err != nil {
		n.options.Log("ports: %v", err)
	}
	for id, name := range n.options.Ports {
		out[id] = int(links[name].Index)
	}
	return out
}

// listen has packet sockets for the punt rows.
func (n *Node) listen() error { return n.punts.Sync(rows.Of[contract.Punt](n.rows), n.indexes()) }

// look notifies watchers of the ports, and has the punt rows follow them.
func (n *Node) look() error {
	if err := n.watch.Publish(n.Ports); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.listen()
}

func (n *Node) attend(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := n.look(); err != nil {
			n.options.Log("ports: %v", err)
		}
	}
}
