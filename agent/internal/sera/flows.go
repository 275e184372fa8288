// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// How long a flow is remembered that says nothing: bpf/flows.h has the same.
const (
	patienceTCP     = time.Hour
	patienceClosing = time.Minute
	patienceOther   = 3 * time.Minute
	protocolTCP     = 6
	flowClosing     = 1
)

func (f bpfFlow) patience() time.Duration {
	switch {
	case f.Protocol != protocolTCP:
		return patienceOther
	case f.State == flowClosing:
		return patienceClosing
	default:
		return patienceTCP
	}
}

// betweenSweeps spares a node that remembers many flows.
const betweenSweeps = 10 * time.Second

// sweepFlows closes flows now and then.
func (p *programs) sweepFlows(held *census) error {
	if time.Since(p.swept) < betweenSweeps {
		return nil
	}
	p.swept = time.Now()
	return p.closeFlows(held)
}

// closeFlows takes away the flows that nothing was heard of, and those of firewalls that remember none any more.
func (p *programs) closeFlows(held *census) error {
	stateful := map[uint16]bool{}
	for _, sid := range held.sids {
		if sid.Behavior.Action == contract.SeraStateful {
			stateful[sid.Behavior.SERA.Instance] = true
		}
	}
	if p.objects == nil {
		return nil
	}
	flows, err := pair.Contents[bpfFlowKey, bpfFlow](p.objects.Flows)
	if err != nil {
		return err
	}
	now, err := sinceBoot()
	if err != nil {
		return err
	}
	closed := map[uint16]uint64{}
	for key, f := range flows {
		if stateful[key.Instance] && now < time.Duration(f.Seen)*time.Microsecond+f.patience() {
			continue
		}
		switch err := p.objects.Flows.Delete(key); {
		case err == nil:
			closed[key.Instance]++
		case !errors.Is(err, ebpf.ErrKeyNotExist):
			return fmt.Errorf("delete from map flows: %w", err)
		}
	}
	for instance, n := range closed {
		var before uint64
		if err := p.objects.FlowsClosed.Lookup(uint32(instance), &before); err != nil {
			return fmt.Errorf("read map flows_closed: %w", err)
		}
		if err := p.objects.FlowsClosed.Put(uint32(instance), before+n); err != nil {
			return fmt.Errorf("write map flows_closed: %w", err)
		}
	}
	return nil
}

// sinceBoot is what bpf_ktime_get_ns reads.
func sinceBoot() (time.Duration, error) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	return time.Duration(now.Nano()), nil
}
