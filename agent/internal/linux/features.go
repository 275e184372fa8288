// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	linklib "github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/edge"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/mobile"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/sera"
	"sextant/agent/internal/synthetic"
)

// Check probes the features of the kernel, by making every kind of object in a scratch namespace of its own and reading
// it back. In the node's namespace ("" for none) it only reads the settings that Open would change there. The error is
// for a scratch namespace that could not be made.
func Check(netNS string) ([]contract.Feature, error) {
	b, err := newProbeBench()
	if err != nil {
		return nil, err
	}
	features := b.run()
	if err := b.close(); err != nil {
		return nil, err
	}
	if netNS == "" {
		return features, nil
	}
	ns, err := openNamespace(netNS)
	if err != nil {
		return nil, err
	}
	return append(features, settingsOf(ns)), ns.close()
}

// probeBench is the scratch namespace with a device pair to hang routes on.
type probeBench struct {
	ns      namespace
	conn    *rtnl.Conn
	links   *linklib.Handle
	dev     int
	pairErr error
}

func newProbeBench() (*probeBench, error) {
	ns, err := scratchNamespace()
	if err != nil {
		return nil, &contract.Error{
			Code: contract.FailedPrecondition, Message: "a scratch network namespace cannot be made", Err: err,
			Remedy: "run as root, on a kernel with CONFIG_NET_NS",
		}
	}
	b := &probeBench{ns: ns}
	if b.conn, err = rtnl.Dial(ns.fd()); err != nil {
		return nil, errors.Join(err, ns.close())
	}
	if b.links, err = linklib.NewHandleAt(ns.handle, unix.NETLINK_ROUTE); err != nil {
		return nil, errors.Join(fmt.Errorf("open link netlink: %w", err), b.conn.Close(), ns.close())
	}
	b.pairErr = b.makePair()
	return b, nil
}

// scratchNamespace has no name, and ends with its last descriptor.
func scratchNamespace() (namespace, error) {
	made := make(chan error, 1)
	ns := namespace{name: "scratch"}
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine if it cannot return
		home, err := netns.Get()
		if err != nil {
			made <- err
			return
		}
		defer home.Close()
		if ns.handle, err = netns.New(); err != nil {
			made <- err
			return
		}
		if netns.Set(home) == nil {
			runtime.UnlockOSThread()
		}
		made <- nil
	}()
	return ns, <-made
}

func (b *probeBench) close() error {
	b.links.Close()
	return errors.Join(b.conn.Close(), b.ns.close())
}

func (b *probeBench) makePair() error {
	if err := b.links.LinkAdd(&linklib.Veth{LinkAttrs: linklib.LinkAttrs{Name: sidDevice}, PeerName: steeringDevice}); err != nil {
		return err
	}
	for _, name := range []string{"lo", sidDevice, steeringDevice} {
		l, err := b.links.LinkByName(name)
		if err != nil {
			return err
		}
		if err := b.links.LinkSetUp(l); err != nil {
			return err
		}
		b.dev = l.Attrs().Index
	}
	return nil
}

// probe is one question; ask gives nil for yes.
type probe struct {
	name, serves, remedy string
	needed               bool
	ask                  func() error
}

func (b *probeBench) run() []contract.Feature {
	var features []contract.Feature
	for _, p := range b.probes() {
		f := contract.Feature{Name: p.name, Needed: p.needed, Serves: p.serves}
		f.Status, f.Detail = verdict(p.ask())
		if f.Status != contract.OK {
			f.Remedy = p.remedy
		}
		features = append(features, f)
	}
	return features
}

// errIgnored marks attributes that the kernel accepted and then did not keep.
var errIgnored = errors.New("the kernel accepts it and then ignores it")

// verdict: a refusal of a correct request is a no, anything else is not an answer.
func verdict(err error) (contract.Status, string) {
	if err == nil {
		return contract.OK, ""
	}
	for _, no := range []error{
		errIgnored, unix.EOPNOTSUPP, unix.EINVAL, unix.ENOENT, unix.EPROTONOSUPPORT, unix.EAFNOSUPPORT, unix.ENOPROTOOPT, os.ErrNotExist,
	} {
		if errors.Is(err, no) {
			return contract.Missing, err.Error()
		}
	}
	return contract.Unknown, err.Error()
}

const (
	rebuildSeg6 = "use a kernel with CONFIG_IPV6_SEG6_LWTUNNEL=y (Debian 12's has it)"
	newer61     = "use kernel 6.1 or newer with CONFIG_IPV6_SEG6_LWTUNNEL=y"
	newer66     = "use kernel 6.6 or newer with CONFIG_IPV6_SEG6_LWTUNNEL=y (Debian 12: linux-image-amd64 from bookworm-backports)"
)

func (b *probeBench) probes() []probe {
	list := []netip.Addr{netip.MustParseAddr("fcbb:bbbb:200::"), netip.MustParseAddr("fcbb:bbbb:300::")}
	v6, v4 := netip.MustParsePrefix("fd00:3::/64"), netip.MustParsePrefix("10.3.0.0/24")
	tunnel := func(mode rtnl.Mode, dst netip.Prefix, members int) func() error {
		return func() error { return b.route(dst, b.members(mode, list, members)...) }
	}
	sid := func(e rtnl.Seg6Local) func() error {
		e.Counted = false
		return func() error {
			return b.route(netip.MustParsePrefix("fcbb:bbbb:100::/48"), rtnl.Hop{Dev: b.dev, Weight: 1, Encap: e})
		}
	}
	counted := func() error {
		return b.route(v6, rtnl.Hop{Dev: b.dev, Weight: 1, Encap: rtnl.Seg6Local{Action: rtnl.ActionEnd, Counted: true}})
	}
	nh6, any4 := netip.MustParseAddr("fd5e:7e00::1"), netip.IPv4Unspecified()
	next := rtnl.Seg6Local{Flavors: rtnl.NextCSID, BlockBits: 32, FunctionBits: 16}
	nextEnd, nextEndX := next, next
	nextEnd.Action, nextEndX.Action, nextEndX.NH6 = rtnl.ActionEnd, rtnl.ActionEndX, nh6
	return []probe{
		{"veth device pair", "everything: seg6 routes need a device that is always up", "use a kernel with CONFIG_VETH", true, func() error { return b.pairErr }},
		{"seg6: H.Encaps", "steering, h_encaps", rebuildSeg6, true, tunnel(rtnl.Encaps, v6, 1)},
		{"seg6: H.Encaps.Red", "steering, h_encaps_red", newer61, true, tunnel(rtnl.EncapsRed, v6, 1)},
		{"seg6: H.Encaps.Red of IPv4", "steering_v4", newer61, false, tunnel(rtnl.EncapsRed, v4, 1)},
		{"seg6: several segment lists of IPv6", "sid_list with more than one member", rebuildSeg6, false, tunnel(rtnl.EncapsRed, v6, 2)},
		{"seg6: several segment lists of IPv4", "sid_list with more than one member, steering_v4", "use a kernel with CONFIG_IP_ROUTE_MULTIPATH", false, tunnel(rtnl.EncapsRed, v4, 2)},
		{"seg6: encapsulation source", "encap_source", rebuildSeg6, true, b.tunnelSource},
		{"seg6local: End", "my_sid end", rebuildSeg6, true, sid(rtnl.Seg6Local{Action: rtnl.ActionEnd})},
		{"seg6local: End with NEXT-C-SID", "my_sid un", newer61, true, sid(nextEnd)},
		{"seg6local: End.X with NEXT-C-SID", "my_sid ua", newer66, false, sid(nextEndX)},
		{"seg6local: End with PSP", "my_sid end_psp", "use kernel 6.3 or newer", false, sid(rtnl.Seg6Local{Action: rtnl.ActionEnd, Flavors: rtnl.PSP})},
		{"seg6local: End.X", "my_sid end_x", rebuildSeg6, false, sid(rtnl.Seg6Local{Action: rtnl.ActionEndX, NH6: nh6})},
		{"seg6local: End.T", "my_sid b6_encaps_red", "use a kernel with CONFIG_IPV6_MULTIPLE_TABLES", false, sid(rtnl.Seg6Local{Action: rtnl.ActionEndT, Table: privateTableBase})},
		{"seg6local: End.DT6 into a table", "my_sid udt6", "use a kernel with CONFIG_IPV6_MULTIPLE_TABLES", true, sid(rtnl.Seg6Local{Action: rtnl.ActionDT6, Table: mainTable})},
		{"seg6local: End.DX6", "my_sid udx6", rebuildSeg6, false, sid(rtnl.Seg6Local{Action: rtnl.ActionDX6, NH6: nh6})},
		{"seg6local: End.DX4 to the inner destination", "my_sid udx4, and udt4 in vrf 0", rebuildSeg6, false, sid(rtnl.Seg6Local{Action: rtnl.ActionDX4, NH4: any4})},
		{"rules by ports and DSCP", "flow_steering", "use kernel 6.13 or newer with CONFIG_IP_MULTIPLE_TABLES and CONFIG_IPV6_MULTIPLE_TABLES", false, b.rules},
		{"seg6local: counters", "my_sid counters", "use kernel 5.14 or newer", false, counted},
		{"VRF devices", "my_sid udt4 in a vrf other than 0", "use a kernel with CONFIG_NET_VRF (modprobe vrf)", false, b.vrf},
		{"nftables with fib lookups", "steering counters; refusing packets that no router forwards into a policy, and unfinished ones at a decapsulation", "use a kernel with CONFIG_NF_TABLES, CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6 (modprobe nft_fib_ipv6)", false, b.nftables},
		{"netfilter within tunnels", "firewall policies on encapsulated packets", "use a kernel with CONFIG_NETFILTER_EGRESS and CONFIG_LWTUNNEL", false, b.hasSysctl("netfilter/nf_hooks_lwtunnel")},
		{"multipath hashing by chosen fields", "ECMP of encapsulated flows", "use kernel 5.14 or newer", true, b.hasSysctl("ipv6/fib_multipath_hash_fields")},
		{"marked neighbours and addresses", "next_hop, encap_source", "use kernel 5.18 or newer", true, b.marked},
		b.of(edge.Probe()),
		b.of(livelive.Probe()),
		b.of(mobile.Probe()),
		b.of(sera.Probe()),
		{"packet sockets", "punt, packet-in, packet-out and the probes of watched lists", "use a kernel with CONFIG_PACKET (modprobe af_packet)", true, b.packetSocket},
	}
}

// of a plane is asked with the pair.
func (b *probeBench) of(p plane.Probe) probe {
	return probe{p.Name, p.Serves, p.Remedy, p.Needed, func() error {
		if b.pairErr != nil {
			return errors.New("without a device pair nothing can be tried")
		}
		return p.Ask(plane.Scratch{NetNS: b.ns.fd(), Do: b.ns.do, Device: b.dev})
	}}
}

func (b *probeBench) members(mode rtnl.Mode, list []netip.Addr, count int) []rtnl.Hop {
	var hops []rtnl.Hop
	for i := range count {
		hops = append(hops, rtnl.Hop{Dev: b.dev, Weight: 1, Encap: rtnl.Seg6{Mode: mode, Segments: list[i:]}})
	}
	return hops
}

// route makes a route, compares it with the one that the kernel holds, and deletes it.
func (b *probeBench) route(dst netip.Prefix, hops ...rtnl.Hop) error {
	if b.pairErr != nil {
		return errors.New("without a device pair nothing can be tried")
	}
	for i := range hops {
		if _, tunnel := hops[i].Encap.(rtnl.Seg6); tunnel && dst.Addr().Is6() {
			hops[i].Via = tunnelGateway()
		}
	}
	want := ownRoute(mainTable, dst, metricSID, hops...)
	got, err := b.conn.SetRoute(want, false)
	if err != nil {
		return err
	}
	if err := b.conn.DeleteRoute(want); err != nil {
		return fmt.Errorf("delete the probe: %w", errors.New(err.Error()))
	}
	if diff := rtnl.Diff(want, got); diff != "" {
		return fmt.Errorf("%w: %s", errIgnored, diff)
	}
	return nil
}

// rules makes a rule of each family, compares it with the one that the kernel holds, and deletes it.
func (b *probeBench) rules() error {
	for _, dst := range []string{"fd00:3::/64", "10.3.0.0/24"} {
		to := netip.MustParsePrefix(dst)
		rule := rtnl.Rule{
			Priority: flowRules - 1, Src: netip.PrefixFrom(to.Addr(), 0).Masked(), Dst: to, IPProto: unix.IPPROTO_UDP,
			SrcPort: rtnl.PortRange{First: 5000, Last: 5999}, DstPort: rtnl.PortRange{First: 443, Last: 443},
			DSCP: rtnl.DSCP{Asked: true, Value: 46}, Table: flowTableBase, Protocol: Protocol,
		}
		_, held, err := b.conn.AddRule(rule)
		if err != nil {
			return err
		}
		if err := b.conn.DeleteRule(rule); err != nil {
			return fmt.Errorf("delete the probe: %w", errors.New(err.Error()))
		}
		if !held {
			return errIgnored
		}
	}
	return nil
}

func (b *probeBench) tunnelSource() error {
	c, err := rtnl.DialSeg6(b.ns.fd())
	if err != nil {
		return err
	}
	want := netip.MustParseAddr("fcff::1")
	if err := c.SetTunnelSource(want); err != nil {
		return errors.Join(err, c.Close())
	}
	got, err := c.TunnelSource()
	if err == nil && got != want {
		err = errIgnored
	}
	return errors.Join(err, c.Close())
}

func (b *probeBench) vrf() error {
	return b.links.LinkAdd(&linklib.Vrf{LinkAttrs: linklib.LinkAttrs{Name: "vrf7"}, Table: 7})
}

func (b *probeBench) nftables() error {
	c, err := openSteeringCounters(b.ns.fd(), steeringDevice)
	if err != nil {
		return err
	}
	for _, dst := range []string{"fd00:3::/64", "10.3.0.0/24"} {
		c.set(contract.Steering{Dst: netip.MustParsePrefix(dst)}, true)
	}
	return c.flush()
}

func (b *probeBench) marked() error {
	if b.pairErr != nil {
		return errors.New("without a device pair nothing can be tried")
	}
	want := rtnl.Neighbor{Dev: b.dev, Addr: synthetic.V6(1), MAC: [6]byte{2, 0, 0, 0, 0, 1}, Protocol: Protocol, Permanent: true}
	got, err := b.conn.SetNeighbor(want)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%w: neighbour %+v", errIgnored, got)
	}
	address := rtnl.Address{Dev: b.dev, Prefix: netip.MustParsePrefix("fcff::2/128"), Protocol: Protocol}
	if err := b.conn.AddAddress(address); err != nil {
		return err
	}
	all, err := b.conn.Addresses(unix.AF_INET6)
	if err != nil {
		return err
	}
	for _, a := range all {
		if a == address {
			return nil
		}
	}
	return fmt.Errorf("%w: addresses %v", errIgnored, all)
}

func (b *probeBench) packetSocket() error {
	return punt.Probe(b.ns.fd())
}

func (b *probeBench) hasSysctl(name string) func() error {
	return func() error {
		return b.ns.do(func() error { _, err := os.Stat(filepath.Join("/proc/sys/net", name)); return err })
	}
}

// settingsOf reads the settings that Open will set in the node's namespace.
func settingsOf(ns namespace) contract.Feature {
	f := contract.Feature{Name: "settings of network namespace " + ns.name, Status: contract.OK, Needed: true, Serves: "everything; the agent sets them when it starts"}
	var changes []string
	err := ns.do(func() error {
		for _, s := range nodeSettings() {
			have, err := os.ReadFile(filepath.Join("/proc/sys/net", s.name))
			if err != nil {
				return err
			}
			if v := strings.TrimSpace(string(have)); v != s.value {
				changes = append(changes, fmt.Sprintf("net.%s is %s and becomes %s", strings.ReplaceAll(s.name, "/", "."), v, s.value))
			}
		}
		return nil
	})
	if err != nil {
		f.Status, f.Detail, f.Remedy = contract.Unknown, err.Error(), "run as root with /proc mounted"
		return f
	}
	f.Detail = strings.Join(changes, "; ")
	return f
}
