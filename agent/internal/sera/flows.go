// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

const (
	protocolICMP    = 1
	protocolTCP     = 6
	protocolUDP     = 17
	protocolICMPv6  = 58
	protocolUDPLite = 136
)

// The states of a flow, in the order of bpf/flow_state.h.
const (
	flowOpen = iota
	flowTimeWait
	flowClose
	flowNew
	flowAnswered
	flowGoesOn
	flowFinWait
	flowCloseWait
	flowLastAck
	flowSynSent2
	flowStates
)

// The mark of a flow of TCP.
const (
	patienceShort = 1
	patienceReset = 2
	patienceBits  = 3
	unreplied     = 4
	unassured     = 8
)

//nolint:gochecknoglobals // a constant
var tcpPatience = [flowStates]time.Duration{
	flowOpen: 5 * 24 * time.Hour, flowTimeWait: 2 * time.Minute, flowClose: 10 * time.Second, flowNew: 2 * time.Minute,
	flowAnswered: time.Minute, flowGoesOn: time.Minute, flowFinWait: 2 * time.Minute, flowCloseWait: time.Minute,
	flowLastAck: 30 * time.Second, flowSynSent2: 2 * time.Minute,
}

// patience is how long a flow is kept without packets: bpf/flow_state.h has the same.
func (f bpfFlow) patience() time.Duration {
	switch f.Protocol {
	case protocolICMP, protocolICMPv6:
		return 30 * time.Second
	case protocolUDP, protocolUDPLite:
		if f.State == flowOpen {
			return 2 * time.Minute
		}
		return 30 * time.Second
	case protocolTCP:
		return f.patienceOfTCP()
	default:
		return 10 * time.Minute
	}
}

func (f bpfFlow) patienceOfTCP() time.Duration {
	switch {
	case f.Mark&patienceBits == patienceShort:
		return 5 * time.Minute
	case f.Mark&patienceBits == patienceReset, f.State >= flowStates:
		return tcpPatience[flowClose]
	default:
		return tcpPatience[f.State]
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

// closeFlows deletes the flows without packets, and those of firewalls that remember none any more.
func (p *programs) closeFlows(held *census) error {
	stateful := map[uint16]uint32{} // how many flows at most
	for _, sid := range held.sids {
		if sid.Behavior.Action == contract.SeraStateful {
			stateful[sid.Behavior.SERA.Instance] = sid.Behavior.SERA.Flows
		}
	}
	if p.objects == nil {
		return nil
	}
	if err := p.forgetTurns(stateful); err != nil {
		return err
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
		if stateful[key.Instance] > 0 && now < time.Duration(f.Seen)*time.Microsecond+f.patience() {
			continue
		}
		switch err := p.objects.Flows.Delete(key); {
		case err == nil:
			closed[key.Instance]++
			if err := p.objects.Connections.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
				return fmt.Errorf("delete from map connections: %w", err)
			}
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

// forgetTurns takes away the turns of firewalls that remember no flows any more, or fewer. The others are overwritten in turn.
func (p *programs) forgetTurns(stateful map[uint16]uint32) error {
	if p.inTurn != nil && maps.Equal(stateful, p.inTurn) {
		return nil
	}
	turns, err := pair.Contents[bpfTurnKey, bpfFlowKey](p.objects.FlowsInTurn)
	if err != nil {
		return err
	}
	for key := range turns {
		if key.Place < stateful[uint16(key.Instance)] {
			continue
		}
		if err := p.objects.FlowsInTurn.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete from map flows_in_turn: %w", err)
		}
	}
	p.inTurn = stateful
	return nil
}

// sinceBoot is the clock of bpf_ktime_get_ns.
func sinceBoot() (time.Duration, error) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	return time.Duration(now.Nano()), nil
}
