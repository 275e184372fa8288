// SPDX-License-Identifier: Apache-2.0

package n4

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"sextant/agent/internal/durable/crash"
	"sextant/agent/internal/n4/upf"
)

// faulty makes the same changes of sessions on a disk, and returns the SMF's SEIDs that each session may have: the one that was
// acknowledged last, and those that were refused since.
func faulty(disk *crash.Disk) map[string][]string {
	random := rand.New(rand.NewPCG(1, 2))
	may := map[string][]string{}
	j, _, err := openJournal(disk, "state", slog.New(slog.DiscardHandler))
	if err != nil {
		return may
	}
	sessions := map[uint64]upf.SessionState{}
	j.snapshot = func() (out []upf.Record) {
		for _, seid := range slices.Sorted(maps.Keys(sessions)) {
			state := sessions[seid]
			out = append(out, upf.Record{Session: &state})
		}
		return out
	}
	for step := uint64(1); step <= 12; step++ {
		seid := 1 + random.Uint64N(4)
		state, name := sessionOf(random, seid, step), fmt.Sprint(seid)
		state.Slice = "s" // After gives a disk for each byte
		sessions[seid] = state
		if may[name] == nil {
			may[name] = []string{""}
		}
		may[name] = append(may[name], fmt.Sprint(step))
		if j.add([]upf.Record{{Session: &state}}) == nil {
			for key, values := range may { // records refused before are written with it
				may[key] = values[len(values)-1:]
			}
		}
	}
	return may
}

func hold(t *testing.T, disk *crash.Disk, may map[string][]string, when string) {
	t.Helper()
	for left := range disk.After() {
		_, records, err := openJournal(left, "state", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatalf("%s: it does not open: %v", when, err)
		}
		_, got := sessionsOf(records)
		for session, values := range may {
			if !slices.Contains(values, got[session]) {
				t.Fatalf("%s: session %s is %q, want one of %q", when, session, got[session], values)
			}
		}
	}
}

func TestSessionsThatWereAcknowledgedAreThereWhateverStepFails(t *testing.T) {
	clean := crash.New()
	hold(t, clean, faulty(clean), "nothing fails")
	if clean.Steps < 12 {
		t.Fatalf("%d steps of the disk", clean.Steps)
	}
	for step := range clean.Steps {
		for _, lasting := range []int{1, 3, 1000} {
			for _, torn := range []int{0, 30} {
				disk := crash.New()
				disk.FailFrom, disk.FailTo, disk.TornBytes = step, step+lasting, torn
				hold(t, disk, faulty(disk), fmt.Sprintf("EIO at steps %d to %d, %d bytes of a write arrive", step, step+lasting, torn))
			}
		}
	}
}

func TestSessionsThatWereAcknowledgedAreThereHoweverFullTheDiskIs(t *testing.T) {
	clean := crash.New()
	clean.RoomBytes = 1 << 20
	faulty(clean)
	for room := 0; room < 1<<20-clean.RoomBytes; room += 7 {
		disk := crash.New()
		disk.RoomBytes = room
		hold(t, disk, faulty(disk), fmt.Sprintf("ENOSPC behind %d bytes", room))
	}
}
