// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"slices"
	"strings"
)

// The modules a path step may belong to.
const (
	moduleInterfaces = "openconfig-interfaces"
	moduleEthernet   = "openconfig-if-ethernet"
	moduleIP         = "openconfig-if-ip"
	moduleP4RT       = "openconfig-p4rt"
	moduleFirewall   = "sextant-firewall"
	moduleLiveness   = "sextant-liveness"
	moduleDelay      = "sextant-delay"
	moduleProbes     = "sextant-probes"
)

// schemaNode is a step of the served part of the models; key is set for a list.
type schemaNode struct {
	name, module, key string
	children          []*schemaNode
}

// schema is the part of the models that this agent serves, and so which paths exist: those of ports, and more.
func schema(more ...*schemaNode) *schemaNode {
	in := func(name string, children ...*schemaNode) *schemaNode {
		return &schemaNode{name: name, module: moduleInterfaces, children: children}
	}
	list := func(n *schemaNode, key string) *schemaNode { n.key = key; return n }
	of := func(module string, n *schemaNode) *schemaNode { return n.within(module) }
	var counters, probes []*schemaNode
	for _, direction := range []string{"in", "out"} {
		probes = append(probes, in(direction+"-octets"), in(direction+"-pkts"))
		for _, name := range []string{"octets", "pkts", "multicast-pkts", "errors", "discards"} {
			counters = append(counters, in(direction+"-"+name))
		}
	}
	family := func(name string) *schemaNode {
		return of(moduleIP, in(name,
			in("addresses", list(in("address", in("ip"), in("state", in("ip"), in("prefix-length"))), "ip")),
			in("state", in("mtu"))))
	}
	return in("", append([]*schemaNode{in(stepInterfaces, list(in("interface",
		in("name"),
		in("config", in("name"), in("enabled"), of(moduleP4RT, in("id"))),
		in("state", in("name"), in("enabled"), in("ifindex"), in("admin-status"), in("oper-status"), in("mtu"),
			of(moduleP4RT, in("id")), in("last-change"), in("counters", counters...),
			of(moduleProbes, in(stepProbes, probes...))),
		of(moduleEthernet, in("ethernet", in("state", in("mac-address"), in("port-speed"), in("negotiated-port-speed")))),
		in("subinterfaces", list(in("subinterface", in("index"), in("state", in("index")), family("ipv4"), family("ipv6")), "index")),
	), "name"))}, more...)...)
}

// within puts a node and its subtree into a module.
func (n *schemaNode) within(module string) *schemaNode {
	n.module = module
	for _, c := range n.children {
		c.within(module)
	}
	return n
}

// child finds a step by name, with or without its module in front ("openconfig-p4rt:id").
func (n *schemaNode) child(name string) *schemaNode {
	module, plain, qualified := strings.Cut(name, ":")
	if !qualified {
		module, plain = "", name
	}
	i := slices.IndexFunc(n.children, func(c *schemaNode) bool {
		return c.name == plain && (module == "" || module == c.module)
	})
	if i < 0 {
		return nil
	}
	return n.children[i]
}

// has says whether a module has a step on top.
func (n *schemaNode) has(module string) bool {
	return slices.ContainsFunc(n.children, func(c *schemaNode) bool { return c.module == module })
}

// step walks one concrete element down.
func (n *schemaNode) at(path []elem) *schemaNode {
	for _, e := range path {
		if n = n.child(e.name); n == nil {
			return nil
		}
	}
	return n
}
