// SPDX-License-Identifier: Apache-2.0

package restoration

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

// look is [milliseconds, carrier, used].
type look struct {
	at       time.Duration
	up, used bool
}

func (l *look) UnmarshalJSON(b []byte) error {
	var millis int64
	fields := []any{&millis, &l.up, &l.used}
	err := json.Unmarshal(b, &fields)
	l.at = time.Duration(millis) * time.Millisecond
	return err
}

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../../../conformance/vectors/restoration.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name       string
			WaitMillis int64
			Looks      []look
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1_800_000_000, 0)
	for _, v := range file.Vectors {
		t.Run(v.Name, func(t *testing.T) {
			port := Begin(v.Looks[0].up, start)
			for _, l := range v.Looks {
				port = port.Next(l.up, start.Add(l.at), time.Duration(v.WaitMillis)*time.Millisecond)
				if port.Used() != l.used {
					t.Errorf("at %s with carrier %t: used %t, want %t", l.at, l.up, port.Used(), l.used)
				}
			}
		})
	}
}

func TestAPortThatWaitsIsDueWhenItsWaitIsOver(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	port := Begin(true, now)
	if due, waits := port.Due(); waits {
		t.Errorf("one that is used is due at %s", due)
	}
	port = port.Next(false, now, time.Second)
	if due, waits := port.Due(); waits {
		t.Errorf("one that is down is due at %s", due)
	}
	port = port.Next(true, now, time.Second)
	if due, waits := port.Due(); !waits || !due.Equal(now.Add(time.Second)) {
		t.Errorf("it is due at %s, want in a second", due)
	}
	if port = port.Next(true, now.Add(time.Millisecond), 10*time.Millisecond); port.Used() {
		t.Error("used before the shorter wait is over")
	}
	if due, _ := port.Due(); !due.Equal(now.Add(11 * time.Millisecond)) {
		t.Errorf("with a shorter wait it is due at %s", due)
	}
	if port = port.Released(now.Add(2 * time.Millisecond)); !port.Used() {
		t.Error("released, and not used")
	}
}

func TestAPortThatIsReleasedAndLostSoonWaitsTwiceAsLong(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	port := Begin(true, now).Next(false, now, time.Second).Next(true, now, time.Second).Released(now)
	port = port.Next(false, now, time.Second).Next(true, now, time.Second)
	if due, _ := port.Due(); !due.Equal(now.Add(2 * time.Second)) {
		t.Errorf("due at %s, want in two seconds", due)
	}
}
