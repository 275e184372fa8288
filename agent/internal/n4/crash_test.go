// SPDX-License-Identifier: Apache-2.0

package n4

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// sessionOf is a session whose state is identified by the SMF's SEID, in a record of some hundred bytes to some blocks.
func sessionOf(random *rand.Rand, seid, cp uint64) upf.SessionState {
	return upf.SessionState{
		SEID: seid, Node: "10.0.0.9", CP: pfcp.FSEID{SEID: cp, Address: netip.MustParseAddr("10.0.0.9")},
		Slice: strings.Repeat("s", random.IntN(3)*random.IntN(3000)),
	}
}

// sessionsOf restores the sessions of a journal at a start: the SMF's SEID of each session by its own SEID.
func sessionsOf(records []upf.Record) (*upf.Machine, map[string]string) {
	m := upf.New(time.Now(), upf.Config{Address: netip.MustParseAddr("10.0.0.4")}, records, 1)
	out := map[string]string{}
	for _, r := range m.Snapshot() {
		if r.Session != nil {
			out[fmt.Sprint(r.Session.SEID)] = fmt.Sprint(r.Session.CP.SEID)
		}
	}
	return m, out
}

func TestSessionsSurviveEveryCrash(t *testing.T) {
	crash.Test(t, crash.Subject{
		Live: func(random *rand.Rand, h *crash.History) error {
			j, _, err := openJournal(h.Disk, "state", slog.New(slog.DiscardHandler))
			sessions := map[uint64]upf.SessionState{}
			j.snapshot = func() (out []upf.Record) {
				for _, seid := range slices.Sorted(maps.Keys(sessions)) {
					state := sessions[seid]
					out = append(out, upf.Record{Session: &state})
				}
				return out
			}
			for step := uint64(1); err == nil && step <= 30; step++ {
				var records []upf.Record
				for range 1 + random.IntN(3) {
					seid := 1 + random.Uint64N(6)
					if _, there := sessions[seid]; there && random.IntN(3) == 0 {
						delete(sessions, seid)
						records = append(records, upf.Record{Gone: seid})
						h.Try(fmt.Sprint(seid), "")
						continue
					}
					state := sessionOf(random, seid, step)
					sessions[seid] = state
					records = append(records, upf.Record{Session: &state})
					h.Try(fmt.Sprint(seid), fmt.Sprint(step))
				}
				if random.IntN(8) == 0 {
					err = j.log.Spoil()
				}
				if err == nil {
					err = j.add(records)
				}
				h.Acknowledge()
			}
			return err
		},
		Open: func(disk durable.Disk) (map[string]string, error) {
			j, records, err := openJournal(disk, "state", slog.New(slog.DiscardHandler))
			if err != nil {
				return nil, err
			}
			m, sessions := sessionsOf(records)
			j.snapshot = m.Snapshot
			return sessions, j.rewrite()
		},
	})
}
