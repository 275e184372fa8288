// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"time"
)

// TableLiveness is the table of segment lists that are watched.
const TableLiveness = "liveness"

// Bounds of the time between two probes of a list.
const (
	MinProbeInterval = time.Millisecond
	MaxProbeInterval = time.Minute
)

func livenessKind() Kind { return kindOf("liveness", decodeLiveness, Liveness.row, TableLiveness) }

// Liveness has a segment list watched (RFC 9256, 9.3): a probe (STAMP, RFC 8762, in loopback) travels each member of
// the list Probe, one for each member of the watched list in the same order, which comes back to the node. When those of one
// member have stayed away Multiplier times in a row, Backup is used in the place of SIDList (0: nothing is), until the
// probes of all have come back without a gap for HoldDown. The data plane switches by itself.
type Liveness struct {
	SIDList SIDListID
	Probe   SIDListID
	// Interval is between two probes of a member: whole microseconds.
	Interval   time.Duration
	Multiplier uint8
	// HoldDown is whole milliseconds.
	HoldDown time.Duration
	Backup   SIDListID
}

// Key of a liveness row is the watched list.
func (e Liveness) Key() Key { return LivenessKey(e.SIDList) }

// LivenessKey is the key of the row that watches a list.
func LivenessKey(id SIDListID) Key { return Key{TableLiveness, fmt.Sprintf("sid_list %d", id)} }

// References are the lists. The watched one need not be in use.
func (e Liveness) References() []Key {
	keys := []Key{SIDListKey(e.SIDList), SIDListKey(e.Probe)}
	if e.Backup != 0 {
		keys = append(keys, SIDListKey(e.Backup))
	}
	return keys
}

func (e Liveness) problem() string {
	switch {
	case e.SIDList == 0:
		return sidListProblem(e.SIDList)
	case e.Probe == 0:
		return "probe 0: a list is watched by probes that travel another list"
	case e.Probe == e.SIDList:
		return fmt.Sprintf("probe %d is the watched list itself, which does not come back to the node", e.Probe)
	case e.Backup == e.SIDList:
		return fmt.Sprintf("backup %d is the watched list itself; 0 is for none", e.Backup)
	case e.Backup == e.Probe:
		return fmt.Sprintf("backup %d is the list that the probes travel, which comes back to the node", e.Backup)
	case e.Interval < MinProbeInterval || e.Interval > MaxProbeInterval:
		return fmt.Sprintf("interval %d µs is outside %d..%d", e.Interval.Microseconds(), MinProbeInterval.Microseconds(), MaxProbeInterval.Microseconds())
	case e.Multiplier == 0:
		return "multiplier 0: it takes at least one probe that stays away"
	default:
		return ""
	}
}

func decodeLiveness(r Row) Liveness {
	e := Liveness{SIDList: SIDListID(r.number("sid_list"))}
	for _, c := range r.Actions {
		e.Probe, e.Backup = SIDListID(c.number("probe")), SIDListID(c.number("backup"))
		e.Interval = time.Duration(c.number("interval")) * time.Microsecond
		e.Multiplier = uint8(c.number("multiplier"))
		e.HoldDown = time.Duration(c.number("hold_down")) * time.Millisecond
	}
	return e
}

func (e Liveness) row() Row {
	return Row{
		Table: TableLiveness, Match: map[string]Match{"sid_list": exact(e.SIDList)},
		Actions: []Call{{Action: "watch", Args: map[string]Bits{
			"probe": Number(e.Probe), "interval": Number(uint32(e.Interval.Microseconds())), "multiplier": Number(e.Multiplier),
			"hold_down": Number(uint32(e.HoldDown.Milliseconds())), "backup": Number(e.Backup),
		}}},
	}
}

// A WatchedList is the state of a list that a node watches.
type WatchedList struct {
	SIDList SIDListID
	// InUse is the list that is used in its place, or itself.
	InUse SIDListID
	// Status is UP, DOWN or UNKNOWN, Since when it was reached.
	Status string
	Since  time.Time
	// Probes, counted since their list or their path last changed.
	Sent, Received, Lost uint64
	// Delay is nil before a probe came back.
	Delay *ProbeDelay
}

// ProbeDelay is the round trip of the probes of the last 10 to 20 seconds; Jitter is how much it changes from one to the
// next, smoothed (RFC 3550, 6.4.1).
type ProbeDelay struct{ Min, Avg, Max, Last, Jitter time.Duration }

// A LivenessTeller is a Backend that watches lists.
type LivenessTeller interface {
	// WatchedLists are in the order of their keys.
	WatchedLists() []WatchedList
	// LivenessChanges has tell called after the status of a list, or its substitute, has changed. tell must not
	// wait, and must not ask.
	LivenessChanges(tell func()) (stop func())
}
