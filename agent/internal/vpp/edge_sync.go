// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.fd.io/govpp/binapi/acl_types"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
)

// edge keeps VPP's ACLs in step with the rows of the edge.
type edge struct {
	due bool
	// rules of the ACLs that are in place, by port, to assign the counts of their matches.
	placed map[contract.PortID]placedACL
	// before are the counts of ACLs that others have replaced.
	before counted
	// tagged are the frames that no ACL sees, because of their tags.
	tagged growth
	// outages say why a port's ACL is not in place.
	outages map[contract.PortID]error
	said    string // of them, so that it is logged once
}

type placedACL struct {
	index uint32
	rules []aclRule
}

func newEdge() edge {
	return edge{placed: map[contract.PortID]placedACL{}, before: newCounted(), outages: map[contract.PortID]error{}}
}

// syncEdge has every port with a role judged by an ACL of its rows as they are now, and no other port. An ACL that is
// as it should be is not written. Called with mu held.
func (n *Node) syncEdge() error {
	if !n.conn.hasACLs() {
		return nil
	}
	wanted := edgeRowsOf(n.rows)
	if len(wanted.ports) == 0 && len(n.edge.placed) == 0 && !n.edge.due {
		return nil
	}
	own, lists, err := n.conn.acls()
	if err != nil {
		return err
	}
	if len(wanted.ports) > 0 {
		if err := n.conn.prepareACLs(); err != nil {
			return err
		}
	}
	clear(n.edge.outages)
	kept := map[uint32]bool{}
	for _, role := range wanted.ports {
		index, err := n.placeACL(role.Port, wanted.rules(role), own, lists)
		if n.conn.lost != nil {
			return n.conn.lost
		}
		if err != nil {
			n.edge.outages[role.Port] = err
			continue
		}
		kept[index] = true
	}
	n.edge.before.forget(wanted)
	if err := n.sweepACLs(own, lists, kept); err != nil {
		return err
	}
	n.countTagged()
	n.edge.due = len(n.edge.outages) > 0
	return n.edgeOutage()
}

// edgeOutage is the fault at any port, or nil.
func (n *Node) edgeOutage() error {
	var errs []error
	for _, port := range slices.Sorted(maps.Keys(n.edge.outages)) {
		errs = append(errs, n.edge.outages[port])
	}
	return errors.Join(errs...)
}

// placeACL gives the number of the ACL that is in place, or 0 and no error where VPP does not have the port now. An ACL
// is not changed but exchanged, so that no match of the old one is lost.
func (n *Node) placeACL(port contract.PortID, rules []aclRule, own map[uint32]heldACL, lists map[uint32]aclList) (uint32, error) {
	state := n.ports[port]
	if !state.present {
		return newACL, nil
	}
	wire, at := onTheWire(rules), lists[state.swIfIndex]
	for _, index := range at.input {
		if _, ours := own[index]; !ours {
			return 0, foreignACL(port, n.options.Ports[port], index)
		}
	}
	if len(at.input) == 1 && slices.Equal(own[at.input[0]].rules, wire) {
		n.edge.placed[port] = placedACL{at.input[0], rules}
		return at.input[0], nil
	}
	index, err := n.conn.addACL(port, wire)
	if err != nil {
		return 0, err
	}
	own[index] = heldACL{index, port, wire}
	if err := n.conn.setACLs(port, state.swIfIndex, aclList{[]uint32{index}, at.output}); err != nil {
		return 0, err
	}
	lists[state.swIfIndex] = aclList{[]uint32{index}, at.output}
	n.bank(port)
	n.edge.placed[port] = placedACL{index, rules}
	return index, n.verifyACL(port, state.swIfIndex, index, wire)
}

func foreignACL(port contract.PortID, name string, index uint32) error {
	return &contract.Error{
		Code:    contract.FailedPrecondition,
		Message: fmt.Sprintf("edge_port in_port %d: ACL %d, which is not the agent's, judges what comes in by %s", port, index, name),
		Remedy:  "take it off the interface's input: which of both goes first would decide, and neither knows the other",
	}
}

// verifyACL reads back the written ACL.
func (n *Node) verifyACL(port contract.PortID, swIfIndex, index uint32, wire []acl_types.ACLRule) error {
	own, lists, err := n.conn.acls()
	if err != nil {
		return err
	}
	if !slices.Equal(lists[swIfIndex].input, []uint32{index}) || !slices.Equal(own[index].rules, wire) {
		return contract.Errorf(contract.Internal, "%s: VPP took it, but shows something else", aclName(port))
	}
	return nil
}

// sweepACLs takes away the agent's ACLs that no row explains.
func (n *Node) sweepACLs(own map[uint32]heldACL, lists map[uint32]aclList, kept map[uint32]bool) error {
	stale := func(index uint32) bool {
		_, ours := own[index]
		return ours && !kept[index] && n.edge.outages[own[index].port] == nil
	}
	for swIfIndex, at := range lists {
		rest := aclList{slices.DeleteFunc(slices.Clone(at.input), stale), slices.DeleteFunc(slices.Clone(at.output), stale)}
		if len(rest.input) == len(at.input) && len(rest.output) == len(at.output) {
			continue
		}
		if err := n.conn.setACLs(own[firstOf(at, stale)].port, swIfIndex, rest); err != nil {
			return err
		}
	}
	for _, index := range slices.Sorted(maps.Keys(own)) {
		if !stale(index) {
			continue
		}
		port := own[index].port
		if n.edge.placed[port].index == index { // its port has no role any more
			n.bank(port)
			delete(n.edge.placed, port)
		}
		if err := n.conn.deleteACL(own[index]); err != nil {
			return err
		}
	}
	return nil
}

func firstOf(at aclList, stale func(uint32) bool) uint32 {
	all := slices.Concat(at.input, at.output)
	return all[slices.IndexFunc(all, stale)]
}

// settleEdge ends a batch for the edge: rows of a batch that cannot be in service get the reason.
func (n *Node) settleEdge(batch []rows.Outcome) {
	concerned := func(o rows.Outcome) bool { e := o.Entry(); return o.Err == nil && e != nil && isEdge(e) }
	if !slices.ContainsFunc(batch, concerned) {
		return
	}
	n.edge.due = true
	err := n.syncEdge()
	if err == nil {
		return
	}
	for i := range batch {
		if concerned(batch[i]) {
			batch[i].Err = err
		}
	}
}

// outPorts are those that VPP does not judge as their rows say.
type outPorts map[contract.PortID]bool

// has reports whether VPP does not apply an entry of the edge: a role and a peer at their port, the others at any.
func (o outPorts) has(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.EdgePort:
		return o[e.Port]
	case contract.EdgePeer:
		return o[e.Port]
	case contract.EdgeSID, contract.EdgeSource:
		return len(o) > 0
	}
	return false
}

func (n *Node) portOut(port contract.PortID, own map[uint32]heldACL, lists map[uint32]aclList) bool {
	if n.edge.outages[port] != nil {
		return true
	}
	placed, there := n.edge.placed[port]
	if !there || !n.ports[port].present {
		return false
	}
	at := lists[n.ports[port].swIfIndex]
	return !slices.Equal(at.input, []uint32{placed.index}) || !slices.Equal(own[placed.index].rules, onTheWire(placed.rules))
}

// keepEdge writes again the ACLs that another program has changed, and returns their names.
func (n *Node) keepEdge() []string {
	before := maps.Clone(n.edge.placed)
	if len(before)+len(n.edge.outages) == 0 {
		return nil
	}
	if err := n.syncEdge(); err != nil && err.Error() != n.edge.said {
		n.options.Log("out of service: %v", err)
		n.edge.said = err.Error()
	}
	var repaired []string
	for _, port := range slices.Sorted(maps.Keys(n.edge.placed)) {
		if was, there := before[port]; !there || was.index != n.edge.placed[port].index {
			repaired = append(repaired, aclName(port).String())
		}
	}
	return repaired
}

// edgeOut reads VPP's ACLs, if there are rows of the edge.
func (n *Node) edgeOut() (outPorts, error) {
	out := outPorts{}
	if !n.conn.hasACLs() || len(n.edge.placed)+len(n.edge.outages) == 0 {
		return out, nil
	}
	own, lists, err := n.conn.acls()
	if err != nil {
		return nil, err
	}
	for port := range n.options.Ports {
		if n.portOut(port, own, lists) {
			out[port] = true
		}
	}
	return out, nil
}
