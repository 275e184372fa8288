// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"
)

// A logger turns what rules with log tell into lines. The program limits how many there are.
type logger struct {
	reader *ringbuf.Reader
	done   sync.WaitGroup
}

func newLogger(events *ebpf.Map, log func(string, ...any)) (*logger, error) {
	reader, err := ringbuf.NewReader(events)
	if err != nil {
		return nil, fmt.Errorf("read map events: %w", err)
	}
	l := &logger{reader: reader}
	l.done.Go(func() {
		for {
			record, err := reader.Read()
			if errors.Is(err, os.ErrClosed) {
				return
			}
			if err != nil {
				log("firewalls: nothing is logged any more: %v", err)
				return
			}
			var e bpfEvent
			if err := binary.Read(bytes.NewReader(record.RawSample), binary.LittleEndian, &e); err == nil {
				log("%s", e.line())
			}
		}
	})
	return l, nil
}

func (l *logger) close() {
	if l == nil {
		return
	}
	_ = l.reader.Close()
	l.done.Wait()
}

//nolint:gochecknoglobals // constants, by their numbers in bpf/sera.h
var (
	verdictNames = []string{"drop", "go_next", "skip_next", "go_last", "eval_args"}
	reasonNames  = []string{"unable", "malformed", "bad_args", "no_rule", "last_hop", "flows"}
)

// line is what happened in words of the contract: name=value, as log readers split it.
func (e bpfEvent) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "firewall event=packet instance=%d firewall=%d priority=%d action=%s", e.Instance, e.Firewall, e.Priority, named(verdictNames, e.Verdict))
	if int(e.Reason) < len(reasonNames) {
		fmt.Fprintf(&b, " dropped=%s", reasonNames[e.Reason])
	}
	fmt.Fprintf(&b, " sid=%s src=%s dst=%s protocol=%d", addressOf(e.Sid), addressOf(e.Src).Unmap(), addressOf(e.Dst).Unmap(), e.Protocol)
	if e.Traits&hasPorts != 0 {
		fmt.Fprintf(&b, " src_port=%d dst_port=%d", e.SrcPort, e.DstPort)
	}
	if e.Traits&hasICMP != 0 {
		fmt.Fprintf(&b, " icmp_type=%d icmp_code=%d", e.IcmpType, e.IcmpCode)
	}
	if e.Unlogged > 0 {
		fmt.Fprintf(&b, " unlogged=%d", e.Unlogged)
	}
	return b.String()
}

const (
	hasPorts = 1
	hasICMP  = 2
)

func named(names []string, number uint8) string {
	if int(number) < len(names) {
		return names[number]
	}
	return fmt.Sprint(number)
}

func addressOf(n [2]uint64) netip.Addr {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], n[0])
	binary.BigEndian.PutUint64(b[8:], n[1])
	return netip.AddrFrom16(b)
}
