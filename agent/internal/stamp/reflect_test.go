// SPDX-License-Identifier: Apache-2.0

package stamp

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"
)

// At 2023-11-14 22:13:20 UTC and a half, as RFC 8762, 4.2.1 has it: 1700000000 + 2208988800 is 0xe8fe6f80.
func halfPast() time.Time { return time.Unix(1_700_000_000, 500_000_000) }

func TestASendersPacketIsThatOfTheRFC(t *testing.T) {
	want := "00000007" + "e8fe6f8080000000" + "0001" + strings.Repeat("00", 30)
	if got := hex.EncodeToString(Test(7, TimestampOf(halfPast()))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAReflectorAnswersWithWhatItGotAndItsOwnTimes(t *testing.T) {
	test := Test(7, TimestampOf(halfPast()))
	test[14], test[15] = 0x12, 0x34 // a session of RFC 8972
	got, ok := Reflect(test, 255, halfPast().Add(250*time.Millisecond), halfPast().Add(750*time.Millisecond))
	want := "00000007" + "e8fe6f8140000000" + "0001" + "1234" + "e8fe6f80c0000000" + // number, sent, error, session, received
		"00000007" + "e8fe6f8080000000" + "0001" + "0000" + "ff000000" // the sender's number, time, error; its hop limit
	if text := hex.EncodeToString(got); !ok || text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestTheTimeThatAReflectorTakesIsTold(t *testing.T) {
	sent := TimestampOf(halfPast())
	b, _ := Reflect(Test(9, sent), 255, halfPast().Add(time.Millisecond), halfPast().Add(3*time.Millisecond))
	got, ok := ParseReflection(b)
	if !ok || got.Number != 9 || got.Sent != sent || (got.Residence-2*time.Millisecond).Abs() > time.Nanosecond {
		t.Errorf("got %+v, %t", got, ok)
	}
}

func TestWhatIsNoTestPacketIsNotReflected(t *testing.T) {
	for _, b := range [][]byte{nil, make([]byte, TestBytes-1), make([]byte, TestBytes+20)} {
		if _, ok := Reflect(b, 255, halfPast(), halfPast()); ok {
			t.Errorf("%d bytes are reflected", len(b))
		}
		if _, ok := ParseReflection(b); ok {
			t.Errorf("%d bytes are a reflection", len(b))
		}
	}
}

func TestAReflectorWhoseClockWentBackSaysNothing(t *testing.T) {
	b, _ := Reflect(Test(9, TimestampOf(halfPast())), 255, halfPast().Add(time.Second), halfPast())
	if got, ok := ParseReflection(b); ok {
		t.Errorf("got %+v", got)
	}
}

func FuzzReflection(f *testing.F) {
	f.Add(Test(1, TimestampOf(halfPast())))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, ok := ParseReflection(b); ok && r.Residence < 0 {
			t.Errorf("a residence of %v", r.Residence)
		}
		Reflect(b, 255, halfPast(), halfPast())
	})
}
