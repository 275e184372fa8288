// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/pfcp"
)

// PFCP has no authentication: only the source address of a message distinguishes one SMF from another. So messages are accepted
// only from addresses that the operator names (Config.SMFs) or, if none are named, from those of the one SMF that is associated;
// and a request is carried out only if its sender has a right to it:
//
//	association setup            a Node ID that is free, or whose association the sender has
//	update, release              its own association
//	establishment                by the Node ID of its own association
//	modification, deletion       sessions of its own association, or of one in its SMF set
//
// An association is of the address that it was set up from and of its Alternative SMF IP Addresses (TS 29.244, 5.22); a session
// besides of the address of its CP F-SEID.

// Permits reports whether the operator permits an address as a sender. Without a list every one is, as far as the state allows.
func (c Config) Permits(a netip.Addr) bool {
	return len(c.SMFs) == 0 || slices.ContainsFunc(c.SMFs, func(p netip.Prefix) bool { return p.Contains(a.WithZone("")) })
}

// single reports whether the operator names an address by itself, and not as part of a prefix.
func (c Config) single(a netip.Addr) bool {
	return slices.ContainsFunc(c.SMFs, func(p netip.Prefix) bool { return p.IsSingleIP() && p.Addr() == a })
}

// permits adds to Config.Permits: without a list the SMF that comes first is the only one, for as long as it is associated.
func (m *Machine) permits(a netip.Addr) bool {
	if len(m.SMFs) > 0 {
		return m.Permits(a)
	}
	return len(m.associations) == 0 || len(m.byAddress[a]) > 0
}

// strangerPause is the least time between two log lines about senders that are not permitted.
const strangerPause = time.Minute

// Strangers counts messages that were dropped because their sender is not permitted, and logs the last one once per strangerPause.
func (m *Machine) Strangers(now time.Time, from netip.Addr, messages int) {
	m.counters.Strangers += messages
	if now.Sub(m.strangerNoted) < strangerPause {
		return
	}
	m.strangerNoted = now
	remedy := "name it by --smf if it is an SMF of yours"
	if len(m.SMFs) == 0 {
		remedy = "without --smf the SMF that associates first is the only one; name all SMFs by --smf"
	}
	m.note(slog.LevelWarn, "dropped a message: its sender may not speak", "from", from, "all_so_far", m.counters.Strangers, "remedy", remedy)
}

// speaks reports whether an address is one of the association's.
func (a *association) speaks(from netip.Addr) bool {
	return a.Peer.Addr() == from || slices.Contains(a.Alternatives, from)
}

// associationOf gives the association of a Node ID if the sender has it.
func (m *Machine) associationOf(node string, from netip.Addr) *association {
	if a := m.associations[node]; a != nil && a.speaks(from) {
		return a
	}
	return nil
}

// owns reports whether a sender may change a session.
func (m *Machine) owns(from netip.Addr, s *session) bool {
	if s.CP.Address == from {
		return true
	}
	a := m.associations[s.Node]
	return a != nil && (a.speaks(from) || m.sameSet(a, from))
}

// sameSet reports whether a sender belongs to the SMF set of an association (TS 29.244, 5.22.3). In a prefix of many addresses
// any of them could claim the set; there only the Alternative SMF IP Addresses that an SMF names count.
func (m *Machine) sameSet(a *association, from netip.Addr) bool {
	return a.Set != "" && m.single(from) && m.single(a.Peer.Addr()) &&
		slices.ContainsFunc(m.byAddress[from], func(o *association) bool { return o.Set == a.Set })
}

// admitsSetup decides whether a sender may have an association of a Node ID. A Node ID that is an address belongs to that
// address, even if another sender has an association of it.
func (m *Machine) admitsSetup(s pfcp.Setup, from netip.Addr) *pfcp.Fault {
	old := m.associations[s.Node]
	switch {
	case old != nil && !old.speaks(from) && s.Node != from.String():
		return refuse(ie.CauseRequestRejected, ie.NodeID,
			"Node ID %s has an association from %v; another address gets it when that one is released or its SMF has been silent for the lease", s.Node, old.Peer.Addr())
	case old != nil:
		return nil
	case len(m.byAddress[from]) >= maxAssociationsOfAddress:
		return refuse(ie.CauseNoResourcesAvailable, 0, "%v has %d associations already", from, len(m.byAddress[from]))
	case len(m.associations) >= maxAssociations:
		return refuse(ie.CauseNoResourcesAvailable, 0, "there are %d associations already", maxAssociations)
	}
	return nil
}

// associate puts an association in the place of the one of its Node ID.
func (m *Machine) associate(a *association) {
	m.dissociate(a.Node)
	m.associations[a.Node] = a
	for _, address := range a.addresses() {
		m.byAddress[address] = append(m.byAddress[address], a)
	}
}

// dissociate forgets an association.
func (m *Machine) dissociate(node string) {
	a := m.associations[node]
	if a == nil {
		return
	}
	delete(m.associations, node)
	for _, address := range a.addresses() {
		rest := slices.DeleteFunc(m.byAddress[address], func(o *association) bool { return o == a })
		if m.byAddress[address] = rest; len(rest) == 0 {
			delete(m.byAddress, address)
		}
	}
}

func (a *association) addresses() []netip.Addr {
	all := append([]netip.Addr{a.Peer.Addr()}, a.Alternatives...)
	slices.SortFunc(all, netip.Addr.Compare)
	return slices.Compact(all)
}
