// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"strconv"
	"time"
)

const (
	stepDelays = "link-delays"
	stepPort   = "port"
)

// delaySchema is a model of this project's own: OpenConfig's has the delay of a link as an IGP announces it, and none
// as it was measured.
//
//	/link-delays/port[id]    an internal port whose link is measured, by its number in the contract
//	    state                measurements of the last whole window
func delaySchema() *schemaNode {
	in := func(name string, children ...*schemaNode) *schemaNode {
		return &schemaNode{name: name, module: moduleDelay, children: children}
	}
	var state []*schemaNode
	for _, name := range []string{"id", "window", "sent", "received", "lost", "delay-min", "delay-avg", "delay-max"} {
		state = append(state, in(name))
	}
	port := in(stepPort, in("id"), in("state", state...))
	port.key = "id"
	return in(stepDelays, port)
}

// readDelays asks the node, which asks no kernel for it. All of it changes with each window, and not in between; so it
// is sent on change.
func (s *Server) readDelays() (all []leaf) {
	s.lanes.modest.do(func() {
		for _, d := range s.delays.LinkDelays() {
			id := strconv.FormatUint(uint64(d.Port), 10)
			b := builder{base: []elem{{name: stepDelays}, {stepPort, "id", id}}}
			b.add(uint32(d.Port), "id")
			b.add(uint32(d.Port), "state", "id")
			b.add(d.Window, "state", "window")
			b.add(d.Sent, "state", "sent")
			b.add(d.Received, "state", "received")
			b.add(d.Lost, "state", "lost")
			if d.Delay != nil {
				for i, delay := range []time.Duration{d.Delay.Min, d.Delay.Avg, d.Delay.Max} {
					b.add(uint64(delay.Microseconds()), "state", []string{"delay-min", "delay-avg", "delay-max"}[i])
				}
			}
			all = append(all, b.leaves...)
		}
	})
	return all
}
