// SPDX-License-Identifier: Apache-2.0

package crash

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"sextant/agent/internal/durable"
)

// A Subject is something that is durable: values by key, of which an empty one is none.
type Subject struct {
	// Live writes to the disk of a history, and reports the attempted and the acknowledged records.
	Live func(random *rand.Rand, h *History) error
	// Open performs a start, with its writes, and returns the values.
	Open func(disk durable.Disk) (map[string]string, error)
	// Wrong is put around the disk of Live, nil: nothing. It plants a fault that the check has to find.
	Wrong func(durable.Disk) durable.Disk
}

// A History records the attempts and acknowledgements of a Subject, and its disk operations.
type History struct {
	Disk durable.Disk

	recorder *recorder
	may      map[string][]string
	marks    []mark
}

// mark holds the values that each key may have from an operation on.
type mark struct {
	ops int
	may map[string][]string
}

// Try records that a key may have another value from now on.
func (h *History) Try(key, value string) {
	if h.may[key] == nil {
		h.may[key] = []string{""}
	}
	h.may[key] = append(slices.Clone(h.may[key]), value)
	h.mark()
}

// Acknowledge records that each key has the value that was tried last.
func (h *History) Acknowledge() {
	for key, values := range h.may {
		h.may[key] = values[len(values)-1:]
	}
	h.mark()
}

func (h *History) mark() {
	h.marks = append(h.marks, mark{len(h.recorder.ops), maps.Clone(h.may)})
}

// at returns the values that each key may have once the first operations are done.
func (h *History) at(ops int) map[string][]string {
	for i := len(h.marks) - 1; i >= 0; i-- {
		if h.marks[i].ops <= ops {
			return h.marks[i].may
		}
	}
	return nil
}

// A Verdict is the result of a model.
type Verdict struct {
	Model       string
	States, Bad int
	// First is the first bad state, in words.
	First string
}

// Check runs a history for every few states, crashes it at random operations, and opens each disk that a model leaves twice: the
// second time after another crash, of the opening itself. Every value has to be a permitted one, both times.
func Check(seed uint64, statesPerModel int, s Subject) ([]Verdict, error) {
	const statesPerLife = 50
	var out []Verdict
	for number, m := range models() {
		v := Verdict{Model: m.name}
		for v.States < statesPerModel {
			random := rand.New(rand.NewPCG(seed, uint64(number)<<32|uint64(v.States)))
			h, err := live(random, s)
			if err != nil {
				return nil, err
			}
			for range statesPerLife {
				ops := random.IntN(len(h.recorder.ops) + 1)
				v.States++
				if bad := s.openTwice(random, m, h, ops); bad != "" {
					v.Bad++
					if v.First == "" {
						v.First = fmt.Sprintf("after %d of %d operations %s", ops, len(h.recorder.ops), bad)
					}
				}
			}
		}
		out = append(out, v)
	}
	return out, nil
}

func live(random *rand.Rand, s Subject) (*History, error) {
	h := &History{recorder: newRecorder(nil), may: map[string][]string{}}
	h.Disk = h.recorder
	if s.Wrong != nil {
		h.Disk = s.Wrong(h.recorder)
	}
	h.mark()
	return h, s.Live(random, h)
}

// openTwice returns the fault; empty: none.
func (s Subject) openTwice(random *rand.Rand, m model, h *History, ops int) string {
	may := h.at(ops)
	first := newRecorder(m.leaves(random, h.recorder, ops))
	if bad := s.open(first, may); bad != "" {
		return bad
	}
	second := newRecorder(m.leaves(random, first, random.IntN(len(first.ops)+1)))
	if bad := s.open(second, may); bad != "" {
		return "and a crash of the next start " + bad
	}
	return ""
}

func (s Subject) open(disk durable.Disk, may map[string][]string) string {
	got, err := s.Open(disk)
	if err != nil {
		return fmt.Sprintf("it does not open: %v", err)
	}
	for key, values := range may {
		if !slices.Contains(values, got[key]) {
			return fmt.Sprintf("%s is %.40q, want one of %.60q", key, got[key], values)
		}
	}
	for key, value := range got {
		if may[key] == nil {
			return fmt.Sprintf("%s is %.40q, and was never tried", key, value)
		}
	}
	return ""
}

// Test checks a Subject within a test, and fails it for each model with a bad state. SEXTANT_CRASH_STATES is how many states of
// each model there are, SEXTANT_CRASH_SEED repeats a run.
func Test(t *testing.T, s Subject) {
	t.Helper()
	seed, states := number(t, "SEXTANT_CRASH_SEED", uint64(time.Now().UnixNano())), number(t, "SEXTANT_CRASH_STATES", 250)
	verdicts, err := Check(seed, int(states), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		t.Logf("%s: %d states opened twice, %d bad; SEXTANT_CRASH_SEED=%d", v.Model, v.States, v.Bad, seed)
		if v.Bad > 0 {
			t.Errorf("%s: %s", v.Model, v.First)
		}
	}
}

func number(t *testing.T, name string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}
