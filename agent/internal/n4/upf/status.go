// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// A Status is shown to an operator.
type Status struct {
	Node         string              `json:"node"`
	Recovery     time.Time           `json:"recovery"`
	DiskFull     bool                `json:"diskFull"`
	Associations []AssociationStatus `json:"associations"`
	Sessions     SessionsStatus      `json:"sessions"`
	Slices       []SliceStatus       `json:"slices"`
	Ignores      []string            `json:"ignores"`
	Counters     Counters            `json:"counters"`
}

// AssociationStatus is one SMF.
type AssociationStatus struct {
	Node     string    `json:"node"`
	Peer     string    `json:"peer"`
	Recovery time.Time `json:"recovery"`
	State    string    `json:"state"` // up, lost
	Sessions int       `json:"sessions"`
}

// SessionsStatus counts sessions: all, those that the controller is being asked about, that are leaving, that it refuses.
type SessionsStatus struct {
	All      int `json:"all"`
	InFabric int `json:"inFabric"`
	Busy     int `json:"busy"`
	Leaving  int `json:"leaving"`
	Refused  int `json:"refused"`
	// Waiting are requests to the controller that are not done.
	Waiting int `json:"waiting"`
}

// SliceStatus is a slice that sessions can be in.
type SliceStatus struct {
	Name     string `json:"name"`
	Sessions int    `json:"sessions"`
}

const epoch1900 = -2208988800

func at1900(stamp uint32) time.Time { return time.Unix(int64(stamp)+epoch1900, 0).UTC() }

// Status gives the present state.
func (m *Machine) Status() Status {
	out := Status{
		Node: m.Address.String(), Recovery: at1900(m.speaker.Recovery), DiskFull: m.Full,
		Associations: []AssociationStatus{}, Slices: []SliceStatus{}, Ignores: []string{}, Counters: m.counters.copy(),
	}
	for class := range m.Ignore {
		out.Ignores = append(out.Ignores, string(class))
	}
	slices.Sort(out.Ignores)
	bySlice, byNode := map[string]int{}, map[string]int{}
	for _, s := range m.sessions {
		bySlice[s.Slice]++
		byNode[s.Node]++
		out.Sessions.add(s)
	}
	out.Sessions.Waiting = m.queued()
	for _, node := range slices.Sorted(maps.Keys(m.associations)) {
		a := m.associations[node]
		state := "up"
		if !a.lost.IsZero() {
			state = "lost"
		}
		out.Associations = append(out.Associations, AssociationStatus{node, a.Peer.String(), at1900(a.Recovery), state, byNode[node]})
	}
	for name := range m.slices {
		out.Slices = append(out.Slices, SliceStatus{name, bySlice[name]})
	}
	slices.SortFunc(out.Slices, func(a, b SliceStatus) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (c *SessionsStatus) add(s *session) {
	c.All++
	for _, x := range []struct {
		is bool
		to *int
	}{{s.InFabric != nil, &c.InFabric}, {s.busy != nil, &c.Busy}, {s.Leaving, &c.Leaving}, {s.trouble != "", &c.Refused}} {
		if x.is {
			*x.to++
		}
	}
}

// copy is needed as the maps go on counting.
func (c Counters) copy() Counters {
	c.Received, c.Refused, c.Ignored = maps.Clone(c.Received), maps.Clone(c.Refused), maps.Clone(c.Ignored)
	return c
}
