// SPDX-License-Identifier: Apache-2.0

package n4_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
	"sextant/agent/internal/n4"
	"sextant/agent/internal/n4/upf"
)

// opened reads a journal as a start does.
func opened(t *testing.T, disk durable.Disk, log io.Writer) *n4.Service {
	t.Helper()
	s, err := n4.Open(n4.Options{
		Config: upf.Config{Address: netip.MustParseAddr("127.0.0.1")}, Disk: disk, StateDir: "state", Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The file has grown so much that it is to be written anew, and there is room for appends only.
func TestARewriteWithoutRoomLosesNothingThatWasAnswered(t *testing.T) {
	disk := crash.New()
	b := start(t, disk, "state")
	b.associate()
	b.onCore(func() { disk.RoomBytes = 3 << 19 })
	answered := 0
	for i := range 3000 {
		m := b.establishment(uint64(i)+1, uint32(i)+1, fmt.Sprintf("10.60.%d.%d", i>>8, i&255))
		r, is := b.askWithin(m, time.Second).(*message.SessionEstablishmentResponse)
		if !is {
			break // no room for it
		}
		if c, err := r.Cause.Cause(); err != nil || c != ie.CauseRequestAccepted {
			break
		}
		answered++
	}
	b.end()
	if answered < 500 {
		t.Fatalf("%d sessions are answered, the test needs a journal that overgrows", answered)
	}
	for after := range disk.After() {
		if got := opened(t, after, io.Discard).Kept(); got < answered {
			t.Fatalf("%d of %d answered sessions are kept", got, answered)
		}
		return
	}
}

func TestADamagedByteCostsItsRecordAndIsTold(t *testing.T) {
	disk := crash.New()
	b := start(t, disk, "state")
	b.associate()
	for i := range uint32(100) {
		b.establish(uint64(i)+1, i+1, fmt.Sprintf("10.60.0.%d", i))
	}
	b.end()
	whole, err := disk.ReadFile("state/n4.journal")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	at := len(bytes.Join(lines[:5], nil)) + 40
	damaged := bytes.Clone(whole)
	damaged[at] ^= 4
	left := crash.New()
	if err := durable.Replace(left, "state/n4.journal", func(w io.Writer) error { _, err := w.Write(damaged); return err }); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if got := opened(t, left, &log).Kept(); got < 99 {
		t.Errorf("%d of 100 sessions are kept", got)
	}
	if !strings.Contains(log.String(), "line 6 is damaged") {
		t.Errorf("the log says %s", log.String())
	}
	if kept, err := left.ReadFile("state/n4.journal.damaged"); err != nil || !bytes.Equal(kept, damaged) {
		t.Errorf("the damaged file is not kept: %v", err)
	}
	if got := opened(t, left, io.Discard).Kept(); got < 99 {
		t.Errorf("opened once more, %d of 100 sessions are kept", got)
	}
}
