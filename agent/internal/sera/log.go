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
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/ringbuf"

	"sextant/agent/internal/contract"
)

// listeners receive the events of rules with log. There are some before the program is loaded, and when it is loaded
// again.
type listeners struct {
	mu   sync.Mutex
	next int
	all  map[int]func(contract.FirewallEvent)
}

func newListeners() *listeners { return &listeners{all: map[int]func(contract.FirewallEvent){}} }

func (l *listeners) add(tell func(contract.FirewallEvent)) (remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.next
	l.next++
	l.all[id] = tell
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.all, id)
	}
}

func (l *listeners) tell(e contract.FirewallEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, tell := range l.all {
		tell(e)
	}
}

// A logger turns the events of rules with log into lines, and passes them on. The program limits how much there is.
type logger struct {
	reader *ringbuf.Reader
	done   sync.WaitGroup
}

func newLogger(events *ebpf.Map, log func(string, ...any), tell func(contract.FirewallEvent)) (*logger, error) {
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
				tell(e.event(time.Now()))
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
	reasonNames  = []string{"unable", "malformed", "bad_args", "no_rule", "last_hop", "flows", "evicted"}
)

// line is the event in words of the contract: name=value, as log readers split it.
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

// event is the same for programs.
func (e bpfEvent) event(at time.Time) contract.FirewallEvent {
	out := contract.FirewallEvent{
		At: at, Instance: e.Instance, Firewall: contract.FirewallID(e.Firewall), Priority: int32(e.Priority), Rule: e.Hash,
		Verdict: contract.Verdict("fw_" + named(verdictNames, e.Verdict)),
		SID:     addressOf(e.Sid), Src: addressOf(e.Src).Unmap(), Dst: addressOf(e.Dst).Unmap(), Protocol: e.Protocol, Unlogged: e.Unlogged,
	}
	if int(e.Reason) < len(reasonNames) {
		out.Dropped = reasonNames[e.Reason]
	}
	if e.Traits&hasPorts != 0 {
		out.SrcPort, out.DstPort = &e.SrcPort, &e.DstPort
	}
	if e.Traits&hasICMP != 0 {
		out.ICMPType, out.ICMPCode = &e.IcmpType, &e.IcmpCode
	}
	return out
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
