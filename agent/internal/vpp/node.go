// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/gateways"
	"sextant/agent/internal/portwatch"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
)

var _ contract.Backend = (*Node)(nil)

// A Node serves the contract with one VPP. All its methods are safe for concurrent use. One Node per
// VPP: a second one would take the first one's rows for its own leftovers, so Open holds a lock on the
// state directory.
type Node struct {
	options Options
	host    *host
	exits   punt.Exits

	// mu guards everything below: VPP is changed by one batch at a time.
	mu       sync.Mutex
	conn     *conn // nil while VPP is away
	sources  sources
	rows     *rows.Set[[]object]
	owners   map[objectID]map[contract.Key]bool // which rows want an object
	ports    map[contract.PortID]portState
	seen     map[contract.PortID]contract.Port // as the ports were last
	linux    map[uint32]hostLink               // the Linux interfaces behind VPP's, by VPP's index
	punts    *punt.Sockets
	stats    *statistics
	away     string              // why VPP is away, so that it is logged once
	outages  map[objectID]string // why an object is not in VPP, so that it is logged once
	keepNext time.Time
	gateways gateways.Memory
	edge     edge

	watch   portwatch.Watch
	stop    context.CancelFunc
	running sync.WaitGroup
}

// row is an entry and its objects in VPP.
type row = rows.Row[[]object]

// Open connects to VPP, adopts the entries of a former agent, and serves it. VPP must run and have every port; the
// error names the missing part and how to get it. Later VPP may go and come back: it is then programmed anew from the
// rows.
func Open(options Options) (*Node, error) {
	n := &Node{
		options: options.withDefaults(),
		owners:  map[objectID]map[contract.Key]bool{},
		ports:   map[contract.PortID]portState{},
		seen:    map[contract.PortID]contract.Port{},
		outages: map[objectID]string{},
		edge:    newEdge(),
	}
	n.rows = rows.New(&effects{Node: n}, rows.Options{StateDir: options.StateDir, Where: "VPP", Log: n.options.Log})
	if err := n.open(); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

func (n *Node) open() (err error) {
	if n.options.Socket != "" {
		if err := reachable(n.options.Socket); err != nil {
			return err
		}
	}
	if n.host, err = openHost(n.options.NetNS); err != nil {
		return err
	}
	n.punts = punt.Open(n.host.fd(), n.options.Log)
	unfinished, err := n.rows.Open("vpp " + n.options.Socket)
	if err != nil {
		return err
	}
	n.rows.Assume(unfinished) // VPP's copy of it makes no difference, as connect reconciles VPP
	n.stats = openStatistics(n.options)
	if err := n.connect(); err != nil {
		return err
	}
	if err := n.portsThere(); err != nil {
		return err
	}
	n.rows.Compact()
	if err := n.watch.Publish(n.Ports); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	n.stop = stop
	n.running.Go(func() { n.attend(ctx) })
	return nil
}

// connect dials and reconciles. Called with mu held, or before anyone else knows the node.
func (n *Node) connect() error {
	connection, err := dial(n.options)
	if err != nil {
		return err
	}
	n.conn = connection
	if n.sources, err = connection.openSources(); err == nil {
		if err = n.refreshPorts(); err == nil {
			err = n.reconcile()
		}
	}
	n.keepNext = time.Now().Add(n.options.keepEvery) // VPP was just looked at
	if err != nil {
		n.disconnect()
	}
	return err
}

func (n *Node) disconnect() {
	if n.conn != nil {
		n.conn.close()
		n.conn = nil
	}
	for id, p := range n.seen {
		p.Up = false
		n.seen[id] = p
	}
	n.setExits()
}

// portsThere refuses to start on ports that VPP does not have: a typing error, most likely.
func (n *Node) portsThere() error {
	for id, name := range n.options.Ports {
		if n.ports[id].present {
			continue
		}
		names, err := n.conn.interfaceNames()
		if err != nil {
			return err
		}
		return &contract.Error{
			Code:    contract.FailedPrecondition,
			Message: fmt.Sprintf("--port %d=%s: VPP has no interface of that name", id, name),
			Remedy:  fmt.Sprintf("it has %v; names are those of `vppctl show interface`", names),
		}
	}
	return nil
}

// attend looks at VPP once a pulse: that it still answers, and the state of its ports. A VPP that went away is dialled
// until it is back.
func (n *Node) attend(ctx context.Context) {
	pulse := time.NewTicker(n.options.pulse)
	defer pulse.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pulse.C:
		}
		n.mu.Lock()
		n.look()
		n.mu.Unlock()
		if err := n.watch.Publish(n.Ports); err != nil {
			n.options.Log("ports: %v", err)
		}
	}
}

func (n *Node) look() {
	var err error
	if n.conn == nil {
		if err = n.connect(); err == nil {
			n.options.Log("VPP is back (%s) and has its %d rows again", n.conn.version, n.rows.Len())
		}
	} else {
		if err = n.refreshPorts(); err == nil {
			err = n.keep()
		}
		if n.conn.lost != nil {
			n.disconnect()
		}
	}
	if err == nil {
		n.away = ""
	} else if n.away != err.Error() {
		n.away = err.Error()
		n.options.Log("%v", err)
	}
}

// reachableNow says whether VPP can be asked. Called with mu held.
func (n *Node) reachableNow() error {
	if n.conn == nil {
		return contract.Errorf(contract.FailedPrecondition, "VPP is away (%s); its rows are written again when it is back", n.away)
	}
	return n.conn.lost
}

// Close stops serving and leaves VPP and the state directory as they are: traffic keeps flowing, and
// the next Open adopts it.
func (n *Node) Close() error {
	if n.stop != nil {
		n.stop()
	}
	n.running.Wait()
	n.watch.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	var errs []error
	if n.conn != nil {
		n.conn.close()
		n.conn = nil
	}
	if n.punts != nil {
		n.punts.Close()
		n.punts = nil
	}
	if n.stats != nil {
		n.stats.close()
	}
	errs = append(errs, n.rows.Close())
	if n.host != nil {
		errs = append(errs, n.host.close())
		n.host = nil
	}
	return errors.Join(errs...)
}

// Uninstall deletes every row and all that it made VPP hold. The node serves nothing afterwards; Close it.
func (n *Node) Uninstall(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.reachableNow(); err != nil {
		return err
	}
	forgotten, forget := n.rows.Clear()
	var errs []error
	for _, o := range descending(objectsOf(maps.All(forgotten))) {
		errs = append(errs, n.conn.remove(o, n.sources.own))
	}
	clear(n.owners)
	errs = append(errs, n.reconcile(), forget())
	return errors.Join(errs...)
}

// view is the present view for translation. Called with mu held.
func (n *Node) view() view {
	v := view{
		port: func(id contract.PortID) (portState, bool) {
			_, configured := n.options.Ports[id]
			return n.ports[id], configured
		},
		nextHop: func(id contract.NextHopID) (contract.NextHop, bool) {
			return rows.Lookup[contract.NextHop](n.rows, contract.NextHopKey(id))
		},
		sidList: func(id contract.SIDListID) (contract.SIDList, bool) {
			return rows.Lookup[contract.SIDList](n.rows, contract.SIDListKey(id))
		},
	}
	if source, ok := rows.Lookup[contract.EncapSource](n.rows, contract.EncapSource{}.Key()); ok {
		v.source = source.Source
	}
	v.acls = n.conn != nil && n.conn.hasACLs()
	return v
}
