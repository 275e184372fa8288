// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/mdlayher/netlink"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/gateways"
	"sextant/agent/internal/linkspeed"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/portwatch"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
)

var (
	_ contract.Backend        = (*Node)(nil)
	_ contract.FirewallTeller = (*Node)(nil)
	_ contract.LivenessTeller = (*Node)(nil)

	_ contract.LinkDelayTeller = (*Node)(nil)
)

// A Node serves the contract with the kernel of one network namespace. All its methods are safe
// for concurrent use. One Node per namespace: a second one would take the first one's rows for its
// own leftovers, so Open holds a lock on the state directory.
type Node struct {
	options Options
	ns      namespace
	links   *linklib.Handle
	speeds  *linkspeed.Reader
	exits   punt.Exits
	probes  probeCounter // the edge, whose counters are read at any time

	// mu guards everything below: the kernel is changed by one batch at a time.
	mu       sync.Mutex
	conn     *rtnl.Conn
	seg6     *rtnl.Seg6Conn
	counters *steeringCounters // nil where the kernel has no nftables with fib lookups
	planes   []plane.Plane     // the parts that serve rows besides routes and neighbours
	edge     plane.Plane       // the first of them

	watching       *watching
	restoring      *restoring
	measuring      *measuring              // nil where nothing is measured
	firewalls      contract.FirewallTeller // the plane that serves them
	firewallDevice func() (int, error)     // of it
	rows           *rows.Set[objects]
	ports          map[contract.PortID]portState
	devices        devicePair
	yielded        map[contract.Key]bool   // rows that are not in the kernel, as another program took their prefix meanwhile
	private        map[netip.Prefix]uint32 // tables of b6_encaps_red SIDs
	flowTables     map[rtnl.Rule]uint32    // tables of steered flows, by their rules without one
	others         *others
	gateways       gateways.Memory
	outages        map[contract.Key]string // why a row is out of service, as it was logged last
	punts          *punt.Sockets
	relay          *tooBigRelay
	removed        bool // Uninstall has been here

	watch   portwatch.Watch
	events  *netlink.Conn
	tunnels *carriers
	keeper  keeper
	closing atomic.Bool
	running sync.WaitGroup
	stop    context.CancelFunc // ends followLiveness

	listeners struct { // of changes of watched lists
		sync.Mutex
		tell map[int]func()
		next int
	}
}

// row is an entry and its kernel objects.
type row = rows.Row[objects]

// Open prepares the namespace (see prepare), adopts the objects that a former agent left in the kernel, and serves it.
// The error names the missing feature and how to get it.
//
// Adoption never stops traffic: rows of the state directory whose kernel objects are as they should
// be are kept without a write; the ones the kernel has lost are written again; objects with the
// agent's protocol number that no row explains are removed.
func Open(options Options) (*Node, error) {
	ns, err := openNamespace(options.NetNS)
	if err != nil {
		return nil, err
	}
	if options.Log == nil {
		options.Log = func(string, ...any) {}
	}
	n := &Node{
		options: options,
		ns:      ns,
		yielded: map[contract.Key]bool{},
		private: map[netip.Prefix]uint32{},

		flowTables: map[rtnl.Rule]uint32{},
		outages:    map[contract.Key]string{},
		keeper:     keeper{woken: make(chan struct{}, 1)},
	}
	n.watching = newWatching(n)
	n.restoring = newRestoring(n)
	n.rows = rows.New(effects{n}, rows.Options{StateDir: options.StateDir, Where: "the kernel", Log: options.Log})
	if err := n.open(); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

func (n *Node) open() (err error) {
	if n.links, err = linklib.NewHandleAt(n.ns.handle, unix.NETLINK_ROUTE); err != nil {
		return fmt.Errorf("open link netlink: %w", err)
	}
	if n.speeds, err = linkspeed.Open(n.ns.handle, n.ns.name); err != nil {
		return err
	}
	if n.conn, err = rtnl.Dial(n.ns.fd()); err != nil {
		return err
	}
	if n.seg6, err = rtnl.DialSeg6(n.ns.fd()); err != nil {
		return &contract.Error{
			Code: contract.FailedPrecondition, Message: "this kernel has no SRv6", Err: err,
			Remedy: "use a kernel with CONFIG_IPV6_SEG6_LWTUNNEL; `sextant-agent check` lists what else is needed",
		}
	}
	if n.others, err = watchOthers(n.ns.fd(), n.conn); err != nil {
		return err
	}
	if err := n.prepare(); err != nil {
		return err
	}
	n.punts = punt.Open(n.ns.fd(), n.options.Log)
	if err := n.openPlanes(); err != nil {
		return err
	}
	if err := n.adopt(); err != nil {
		return err
	}
	if err := n.startWatching(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	n.stop = stop
	n.running.Go(func() { n.followLiveness(ctx) })
	return n.startKeeping()
}

// Close stops serving and leaves the kernel and the state directory as they are: traffic keeps
// flowing, and the next Open adopts it.
func (n *Node) Close() error {
	if n.closing.Swap(true) {
		return nil
	}
	var errs []error
	if n.events != nil {
		errs = append(errs, n.events.Close())
	}
	errs = append(errs, n.keeper.close())
	if n.stop != nil {
		n.stop()
	}
	n.running.Wait()
	n.watch.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tunnels != nil {
		errs = append(errs, n.tunnels.close())
	}
	if n.punts != nil {
		n.punts.Close()
	}
	errs = append(errs, n.each(plane.Plane.Close))
	errs = append(errs, n.rows.Close())
	if n.others != nil {
		errs = append(errs, n.others.close())
	}
	if n.seg6 != nil {
		errs = append(errs, n.seg6.Close())
	}
	if n.conn != nil {
		errs = append(errs, n.conn.Close())
	}
	if n.speeds != nil {
		errs = append(errs, n.speeds.Close())
	}
	if n.links != nil {
		n.links.Close()
	}
	return errors.Join(append(errs, n.ns.close())...)
}

// view is the present view for translation. Called with mu held.
func (n *Node) view() view {
	return view{
		sidDev:      n.devices.sid,
		steeringDev: n.devices.steering,
		port: func(id contract.PortID) (portState, bool) {
			p, ok := n.ports[id]
			return p, ok
		},
		nextHop: func(id contract.NextHopID) (contract.NextHop, bool) {
			return rows.Lookup[contract.NextHop](n.rows, contract.NextHopKey(id))
		},
		sidList: func(id contract.SIDListID) (contract.SIDList, bool) {
			return rows.Lookup[contract.SIDList](n.rows, contract.SIDListKey(id))
		},
		inUse:        n.inUse(n.watching.silent),
		standsIn:     n.restoring.standsIn,
		elsewhere:    func(e contract.Entry) bool { return n.servedBy(e) != nil },
		privateTable: n.privateTable,
		flowTable:    n.flowTable,
		vrfDevice:    n.hasVRFDevice,

		firewallDevice: n.firewallDevice,
	}
}

// privateTableBase starts the range of routing tables for b6_encaps_red, far above the 16 bits of VRFs.
const privateTableBase = 0x5e7e0000

// privateTable gives a binding SID the table it has, or the lowest free one.
func (n *Node) privateTable(sid netip.Prefix) uint32 {
	return tableFor(sid, n.private, privateTableBase)
}

// flowTable gives a rule the table it has, or the lowest free one.
func (n *Node) flowTable(rule rtnl.Rule) uint32 {
	return tableFor(rule, n.flowTables, flowTableBase)
}

func tableFor[K comparable](key K, tables map[K]uint32, base uint32) uint32 {
	if t, ok := tables[key]; ok {
		return t
	}
	taken := map[uint32]bool{}
	for _, t := range tables {
		taken[t] = true
	}
	t := base + 1
	for taken[t] {
		t++
	}
	tables[key] = t
	return t
}

// hasVRFDevice looks for a VRF device with the table.
func (n *Node) hasVRFDevice(vrf contract.VRF) (bool, error) {
	links, err := netspace.Whole(n.links.LinkList)
	if err != nil {
		return false, fmt.Errorf("list interfaces of network namespace %s: %w", n.ns.name, err)
	}
	for _, l := range links {
		if v, ok := l.(*linklib.Vrf); ok && v.Table == uint32(vrf) {
			return true, nil
		}
	}
	return false, nil
}

// Send emits a frame at a port.
func (n *Node) Send(ctx context.Context, port contract.PortID, frame []byte) error {
	return n.exits.Send(ctx, n.punts, port, frame)
}

// FirewallEvents has its argument called for each packet that a rule of a firewall logs.
func (n *Node) FirewallEvents(tell func(contract.FirewallEvent)) (stop func()) {
	return n.firewalls.FirewallEvents(tell)
}

// Packets delivers the frames that punt rows select. A reader that is too slow loses frames.
func (n *Node) Packets() <-chan contract.Packet { return n.punts.Packets() }
