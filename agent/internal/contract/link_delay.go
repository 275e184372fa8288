// SPDX-License-Identifier: Apache-2.0

package contract

import "time"

// A LinkDelay is a node's measurement of the link at a port, over the last whole window.
type LinkDelay struct {
	Port PortID
	// Window is its number; the next one has another.
	Window uint64
	// Sent is Received and Lost.
	Sent, Received, Lost uint64
	// Delay is nil where nothing was measured.
	Delay *OneWayDelay
}

// OneWayDelay is half of the round trip time to the neighbour.
type OneWayDelay struct{ Min, Avg, Max time.Duration }

// A LinkDelayTeller is a Backend that measures the delay of links.
type LinkDelayTeller interface {
	// LinkDelays are in the order of their ports: of those at which a window has ended.
	LinkDelays() []LinkDelay
	// LinkDelayChanges has tell called after a window has ended, or a port is measured no more. tell must not wait, and
	// must not ask.
	LinkDelayChanges(tell func()) (stop func())
}
