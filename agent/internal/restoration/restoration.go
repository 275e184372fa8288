// SPDX-License-Identifier: Apache-2.0

// Package restoration decides when a port that lost its carrier is used again (wait-to-restore, ITU-T G.808.1). It asks no
// clock and no kernel. The controller has the same rule for links (org.sextant.core.net.LinkRestoration); both are held by
// conformance/vectors/restoration.json.
package restoration

import "time"

const (
	// mostDoublings of a wait.
	mostDoublings = 5
	// calm is how long a port is used, or twice its wait, to be restored with success.
	calm = time.Minute
)

// A Port is the past of one port, as a value. A port that is new is used at once if it is up.
type Port struct {
	used  bool
	since time.Time // when its use began
	due   time.Time // when it is used again if it stays up; zero if it is down, or used
	lost  bool      // whether it was ever lost after it was used
	// doublings of its next wait.
	doublings int
}

// Begin is a port without a past.
func Begin(up bool, now time.Time) Port {
	if up {
		return Port{used: true, since: now}
	}
	return Port{}
}

// Used says whether routes use the port.
func (p Port) Used() bool { return p.used }

// Due is when a port that waits is used again; false for one that does not wait.
func (p Port) Due() (time.Time, bool) { return p.due, !p.due.IsZero() }

// Next is the port after a look at its carrier. wait is that of a port without doublings.
func (p Port) Next(up bool, now time.Time, wait time.Duration) Port {
	switch {
	case p.used && up:
		return p
	case p.used:
		return p.afterLoss(now, wait)
	case !up:
		p.due = time.Time{}
		return p
	}
	if latest := now.Add(wait << p.doublings); p.due.IsZero() || latest.Before(p.due) { // earlier where the wait was shortened
		p.due = latest
	}
	if p.due.After(now) {
		return p
	}
	return p.Released(now)
}

// Released is the port when it is used again, whether its wait is over or not.
func (p Port) Released(now time.Time) Port {
	p.used, p.since, p.due = true, now, time.Time{}
	return p
}

// afterLoss doubles the next wait if the port was lost soon, and halves it for each calm period of use.
func (p Port) afterLoss(now time.Time, wait time.Duration) Port {
	periods := int(now.Sub(p.since) / max(calm, 2*wait<<p.doublings))
	after := Port{lost: true}
	switch {
	case periods > 0:
		after.doublings = max(0, p.doublings-periods)
	case p.lost:
		after.doublings = min(p.doublings+1, mostDoublings)
	}
	return after
}
