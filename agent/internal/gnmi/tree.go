// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"sextant/agent/internal/contract"
)

// The state of a node is a list of leaves, each with its whole path, in document order. It is made
// anew for every answer, or for all that were asked for at the same time: a node has few ports, and nothing can go stale.

const (
	stepInterfaces = "interfaces"
	stepProbes     = "probe-counters"
)

// elem is one step of a path: a name, and for a list entry its key.
type elem struct{ name, key, value string }

func (e elem) String() string {
	if e.key == "" {
		return e.name
	}
	return fmt.Sprintf("%s[%s=%s]", e.name, e.key, e.value)
}

// leaf is a value in the tree. The value is a string, bool, uint16, uint32 or uint64, as the model
// types it; uint64 becomes text in JSON_IETF (RFC 7951, 6.1).
type leaf struct {
	path  []elem
	text  string // of the path
	value any
}

func pathText(path []elem) string {
	var b strings.Builder
	for _, e := range path {
		b.WriteString("/" + e.String())
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}

// has says whether the leaf lies under a container of this name.
func (l leaf) has(name string) bool {
	return slices.ContainsFunc(l.path, func(e elem) bool { return e.name == name })
}

// sampled reports whether a leaf is sent by samples only: counters and delays always change, and changed rules are not
// notified.
func (l leaf) sampled() bool {
	return l.has(stepCounters) || l.has(stepProbes) || l.path[0].name == stepFirewalls || isMeasured(l.path)
}

// leaves are the leaves of the node's ports, which it orders by name. changed has the time when the operational state
// of a port last changed, as far as this agent saw it.
func leaves(ports []contract.Port, changed map[string]time.Time) []leaf {
	ports = slices.SortedFunc(slices.Values(ports), func(a, b contract.Port) int { return strings.Compare(a.Name, b.Name) })
	var out []leaf
	for _, p := range ports {
		b := builder{base: []elem{{name: stepInterfaces}, {"interface", "name", p.Name}}}
		b.add(p.Name, "name")
		b.config(p)
		b.state(p, changed[p.Name])
		b.counters(p)
		b.probes(p)
		b.ethernet(p)
		b.addresses(p)
		out = append(out, b.leaves...)
	}
	return out
}

type builder struct {
	base   []elem
	leaves []leaf
}

func (b *builder) add(value any, names ...string) {
	path := slices.Clone(b.base)
	for _, n := range names {
		path = append(path, elem{name: n})
	}
	b.leaves = append(b.leaves, leaf{path, pathText(path), value})
}

func (b *builder) config(p contract.Port) {
	b.add(p.Name, "config", "name")
	b.add(p.Enabled, "config", "enabled")
	b.add(uint32(p.ID), "config", "id")
}

func (b *builder) state(p contract.Port, changed time.Time) {
	b.add(p.Name, "state", "name")
	b.add(p.Enabled, "state", "enabled")
	b.add(p.Index, "state", "ifindex")
	b.add(upDown(p.Enabled), "state", "admin-status")
	b.add(upDown(p.Up), "state", "oper-status")
	// As Linux counts it, for IP: openconfig-interfaces would add the 14 bytes of the Ethernet header, but a user
	// who compares this with `ip link`, or fits packets into it, expects the MTU of IP.
	b.add(uint16(min(p.MTUBytes, 0xffff)), "state", "mtu")
	b.add(uint32(p.ID), "state", "id")
	if !changed.IsZero() {
		b.add(uint64(changed.UnixNano()), "state", "last-change")
	}
}

func upDown(up bool) string {
	if up {
		return "UP"
	}
	return "DOWN"
}

func (b *builder) counters(p contract.Port) {
	for _, d := range []struct {
		direction string
		counters  contract.PortCounters
	}{{"in", p.In}, {"out", p.Out}} {
		for _, c := range []struct {
			name  string
			value uint64
		}{
			{"octets", d.counters.Octets},
			{"pkts", d.counters.Packets},
			{"multicast-pkts", d.counters.Multicast},
			{"errors", d.counters.Errors},
			{"discards", d.counters.Discards},
		} {
			b.add(c.value, "state", "counters", d.direction+"-"+c.name)
		}
	}
}

// probes are those among the counters, where the node counts them separately: OpenConfig's model has no such thing.
func (b *builder) probes(p contract.Port) {
	if p.Probes == nil {
		return
	}
	for _, d := range []struct {
		direction string
		counters  contract.Counters
	}{{"in", p.Probes.In}, {"out", p.Probes.Out}} {
		b.add(d.counters.Bytes, "state", stepProbes, d.direction+"-octets")
		b.add(d.counters.Packets, "state", stepProbes, d.direction+"-pkts")
	}
}

// ethernet says how fast a port is if it is one that has a speed: SPEED_UNKNOWN while it has no link.
func (b *builder) ethernet(p contract.Port) {
	b.add(strings.ToUpper(net.HardwareAddr(p.MAC[:]).String()), "ethernet", "state", "mac-address")
	if !p.Speed.Known {
		return
	}
	b.add(identity(p.Speed.Bps), "ethernet", "state", "port-speed")
	if p.Speed.Negotiated {
		b.add(identity(p.Speed.Bps), "ethernet", "state", "negotiated-port-speed")
	}
}

// speeds are the identities of ETHERNET_SPEED in openconfig-if-ethernet, by Mbit/s.
func speeds() map[uint64]string {
	return map[uint64]string{
		10: "SPEED_10MB", 100: "SPEED_100MB", 1_000: "SPEED_1GB", 2_500: "SPEED_2500MB", 5_000: "SPEED_5GB",
		10_000: "SPEED_10GB", 25_000: "SPEED_25GB", 40_000: "SPEED_40GB", 50_000: "SPEED_50GB", 100_000: "SPEED_100GB",
		200_000: "SPEED_200GB", 400_000: "SPEED_400GB", 600_000: "SPEED_600GB", 800_000: "SPEED_800GB", 1_600_000: "SPEED_1600GB",
	}
}

// identity names a speed. The model has no other speeds than these, and none is rounded to one of them.
func identity(bps uint64) string {
	if name, ok := speeds()[bps/1_000_000]; ok && bps%1_000_000 == 0 {
		return name
	}
	return "SPEED_UNKNOWN"
}

// addresses are those of subinterface 0, which is the port itself; its MTU is the one of IP.
func (b *builder) addresses(p contract.Port) {
	sub := &builder{base: append(slices.Clone(b.base), elem{name: "subinterfaces"}, elem{"subinterface", "index", "0"})}
	sub.add(uint32(0), "index")
	sub.add(uint32(0), "state", "index")
	for _, family := range []string{"ipv4", "ipv6"} {
		for _, prefix := range sortedPrefixes(p.Addresses) {
			if prefix.Addr().Is4() != (family == "ipv4") {
				continue
			}
			ip := prefix.Addr().WithZone("").String()
			one := builder{base: append(slices.Clone(sub.base), elem{name: family}, elem{name: "addresses"}, elem{"address", "ip", ip})}
			one.add(ip, "ip")
			one.add(ip, "state", "ip")
			one.add(uint8(prefix.Bits()), "state", "prefix-length")
			sub.leaves = append(sub.leaves, one.leaves...)
		}
		sub.add(mtu(family, p.MTUBytes), family, "state", "mtu")
	}
	b.leaves = append(b.leaves, sub.leaves...)
}

// mtu is uint16 in ipv4 and uint32 in ipv6, as openconfig-if-ip types them.
func mtu(family string, bytes uint32) any {
	if family == "ipv4" {
		return uint16(min(bytes, 0xffff))
	}
	return bytes
}

func sortedPrefixes(prefixes []netip.Prefix) []netip.Prefix {
	return slices.SortedFunc(slices.Values(prefixes), func(a, b netip.Prefix) int { return a.Addr().Compare(b.Addr()) })
}
