// SPDX-License-Identifier: Apache-2.0

package durable_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

// words is a state of words, a line for each.
type words struct {
	log  *durable.RecordLog
	all  []string
	said []string
}

func openWords(t *testing.T, disk durable.Disk, independent bool) *words {
	t.Helper()
	return openWordsAt(t, disk, "dir/f", independent)
}

func openWordsAt(t *testing.T, disk durable.Disk, path string, independent bool) *words {
	t.Helper()
	w := &words{}
	log, err := durable.OpenRecordLog(durable.RecordLogOptions{
		Disk: disk, Path: path, Independent: independent,
		Read: func(line []byte) error {
			text, err := durable.Unsummed(line)
			if err == nil {
				w.all = append(w.all, string(text))
			}
			return err
		},
		Say: func(format string, args ...any) { w.said = append(w.said, fmt.Sprintf(format, args...)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.log = log
	return w
}

func (w *words) state(to io.Writer) error {
	for _, one := range w.all {
		if _, err := to.Write(durable.Summed([]byte(one))); err != nil {
			return err
		}
	}
	return nil
}

func (w *words) add(one string) error {
	w.all = append(w.all, one)
	return w.log.Commit(durable.Summed([]byte(one)), w.state)
}

func lost(t *testing.T, disk *crash.Disk, acknowledged []string) {
	t.Helper()
	for after := range disk.After() {
		got := openWords(t, after, true).all
		for _, one := range acknowledged {
			if !strings.Contains(strings.Join(got, " "), one) {
				t.Fatalf("%q is not among %d words after a crash", one, len(got))
			}
		}
	}
}

func TestWhatIsAppendedCountsThoughThereIsNoRoomToWriteTheFileAnew(t *testing.T) {
	disk := crash.New()
	w := openWords(t, disk, true)
	disk.RoomBytes = 3 << 19
	var acknowledged []string
	long := strings.Repeat("x", 100<<10)
	for i := range 20 {
		if one := fmt.Sprintf("%d-%s", i, long); w.add(one) == nil {
			acknowledged = append(acknowledged, one)
		}
	}
	if len(acknowledged) < 12 || len(w.said) == 0 {
		t.Errorf("%d appends succeed, and it was said %v", len(acknowledged), w.said)
	}
	if got := openWords(t, disk.Killed(), true).all; len(got) < len(acknowledged) {
		t.Errorf("%d of %d words are kept", len(got), len(acknowledged))
	}
}

func TestALineWithoutRoomIsWrittenBeforeTheNext(t *testing.T) {
	disk := crash.New()
	w := openWords(t, disk, true)
	if err := w.add("one"); err != nil {
		t.Fatal(err)
	}
	disk.RoomBytes = 5
	if err := w.add("two"); err == nil {
		t.Fatal("there was room")
	}
	lost(t, disk, []string{"one"})
	disk.RoomBytes = 40 // for lines, not for a new file beside
	if err := w.add("three"); err != nil {
		t.Fatal(err)
	}
	lost(t, disk, []string{"one", "two", "three"})
}

func TestAfterAFailedSyncTheStateGoesToANewFile(t *testing.T) {
	disk := crash.New()
	w := openWords(t, disk, true)
	for _, one := range []string{"one", "two"} {
		if err := w.add(one); err != nil {
			t.Fatal(err)
		}
	}
	disk.FailFrom, disk.FailTo = disk.Steps+1, disk.Steps+2 // the sync behind the write
	if err := w.add("three"); err == nil {
		t.Fatal("the sync succeeded")
	}
	if err := w.add("four"); err != nil {
		t.Fatal(err)
	}
	lost(t, disk, []string{"one", "two", "three", "four"})
}

func TestDamageIsReportedAndWhatCanBeBelievedIsRead(t *testing.T) {
	for _, tc := range []struct {
		independent bool
		want, said  string
	}{
		{true, "one three", "line 2 is damaged; 1 of 3 records are lost"},
		{false, "one", "line 2 is damaged, and the 1 behind it cannot be believed"},
	} {
		disk := crash.New()
		damaged := string(durable.Summed([]byte("one"))) + "00000000 two\n" + string(durable.Summed([]byte("three")))
		if err := durable.Replace(disk, "dir/f", text(damaged)); err != nil {
			t.Fatal(err)
		}
		w := openWords(t, disk, tc.independent)
		if got := strings.Join(w.all, " "); got != tc.want || len(w.said) != 1 || !strings.Contains(w.said[0], tc.said) {
			t.Errorf("independent %t: read %q, said %q", tc.independent, got, w.said)
		}
		if kept, _ := disk.ReadFile("dir/f.damaged"); string(kept) != damaged {
			t.Errorf("kept is %q", kept)
		}
	}
}

func TestTheEndOfAnAppendThatWasCutOffIsNoDamage(t *testing.T) {
	disk := crash.New()
	if err := durable.Replace(disk, "dir/f", text(string(durable.Summed([]byte("one")))+"1234 tw")); err != nil {
		t.Fatal(err)
	}
	if w := openWords(t, disk, false); len(w.all) != 1 || len(w.said) != 0 {
		t.Errorf("read %v, said %v", w.all, w.said)
	}
}
