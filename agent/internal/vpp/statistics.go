// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"sync"

	"go.fd.io/govpp/adapter"

	"sextant/agent/internal/contract"
)

// statistics reads counters from the memory that VPP shares: of ports, and of FIB entries. Without it
// there are none; it is tried again at every read.
type statistics struct {
	open func() adapter.StatsAPI
	log  func(string, ...any)

	mu     sync.Mutex
	client adapter.StatsAPI
	silent bool // the reason for having no counters was logged
}

type portCounters struct{ in, out contract.PortCounters }

// openStatistics gives nil, which counts nothing, where no socket is configured.
func openStatistics(o Options) *statistics {
	if o.Stats == "" {
		return nil
	}
	return &statistics{open: o.statistics, log: o.Log}
}

func (s *statistics) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *statistics) drop() {
	if s.client != nil {
		_ = s.client.Disconnect() // nothing is lost with a mapping
		s.client = nil
	}
}

// dump gives the statistics with these names, none if VPP shares none.
func (s *statistics) dump(names ...string) map[string]adapter.Stat {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	entries, err := s.read(names)
	if err != nil {
		s.drop()
		if !s.silent {
			s.log("no counters of steering rows and ports: %v; give VPP `statseg { socket-name … }` and the agent --vpp-stats", err)
		}
		s.silent = true
		return nil
	}
	s.silent = false
	out := map[string]adapter.Stat{}
	for _, e := range entries {
		out[string(e.Name)] = e.Data
	}
	return out
}

func (s *statistics) read(names []string) ([]adapter.StatEntry, error) {
	if s.client == nil {
		client := s.open()
		if err := client.Connect(); err != nil {
			return nil, err
		}
		s.client = client
	}
	return s.client.DumpStats(names...)
}

// routes are the packets looked up per FIB entry, by its number.
func (s *statistics) routes() map[uint32]contract.Counters {
	out := map[uint32]contract.Counters{}
	combined, _ := s.dump("^/net/route/to$")["/net/route/to"].(adapter.CombinedCounterStat)
	for _, thread := range combined {
		for i, c := range thread {
			sum := out[uint32(i)]
			out[uint32(i)] = contract.Counters{Packets: sum.Packets + c.Packets(), Bytes: sum.Bytes + c.Bytes()}
		}
	}
	return out
}

// ports are the counters per interface index.
func (s *statistics) ports() map[uint32]portCounters {
	stats := s.dump("^/if/(rx|tx|rx-multicast|rx-error|tx-error|drops)$")
	out := map[uint32]portCounters{}
	combined := func(name string, add func(*portCounters, adapter.CombinedCounter)) {
		threads, _ := stats[name].(adapter.CombinedCounterStat)
		for _, thread := range threads {
			for i, c := range thread {
				p := out[uint32(i)]
				add(&p, c)
				out[uint32(i)] = p
			}
		}
	}
	simple := func(name string, add func(*portCounters, uint64)) {
		threads, _ := stats[name].(adapter.SimpleCounterStat)
		for _, thread := range threads {
			for i, c := range thread {
				p := out[uint32(i)]
				add(&p, uint64(c))
				out[uint32(i)] = p
			}
		}
	}
	combined("/if/rx", func(p *portCounters, c adapter.CombinedCounter) {
		p.in.Packets, p.in.Octets = p.in.Packets+c.Packets(), p.in.Octets+c.Bytes()
	})
	combined("/if/tx", func(p *portCounters, c adapter.CombinedCounter) {
		p.out.Packets, p.out.Octets = p.out.Packets+c.Packets(), p.out.Octets+c.Bytes()
	})
	combined("/if/rx-multicast", func(p *portCounters, c adapter.CombinedCounter) { p.in.Multicast += c.Packets() })
	simple("/if/rx-error", func(p *portCounters, c uint64) { p.in.Errors += c })
	simple("/if/tx-error", func(p *portCounters, c uint64) { p.out.Errors += c })
	simple("/if/drops", func(p *portCounters, c uint64) { p.in.Discards += c })
	return out
}
