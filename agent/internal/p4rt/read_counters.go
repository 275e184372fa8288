// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// readCounters answers a direct counter request. One that names an entry must find it.
func (s *Server) readCounters(seen seen, want *p4.TableEntry, add func(*p4.Entity) error) error {
	if want == nil {
		return invalid("direct_counter_entry.table_entry is missing; set its table_id to 0 for the counters of all tables")
	}
	if t := s.schema.byID[want.GetTableId()]; t != nil && !t.counter {
		return invalid("table %s has no direct counter", t.alias)
	}
	rows, err := s.selectRows(seen, want)
	if err != nil {
		return err
	}
	if len(rows) == 0 && len(want.GetMatch()) > 0 {
		return contract.Errorf(contract.NotFound, "table %s has no such entry", s.schema.byID[want.GetTableId()].alias)
	}
	for _, row := range rows {
		if row.counters == nil {
			continue
		}
		te := &p4.TableEntry{TableId: row.message.GetTableId(), Match: row.message.GetMatch(), Priority: row.message.GetPriority()}
		err := add(&p4.Entity{Entity: &p4.Entity_DirectCounterEntry{DirectCounterEntry: &p4.DirectCounterEntry{
			TableEntry: te, Data: counterData(row.counters),
		}}})
		if err != nil {
			return err
		}
	}
	return nil
}

// readArrays answers a counter request: one cell, an array, or with id 0 all arrays.
func (s *Server) readArrays(ctx context.Context, want *p4.CounterEntry, add func(*p4.Entity) error) error {
	if want.GetCounterId() == 0 && want.GetIndex() != nil {
		return invalid("counter_id 0 reads all arrays and takes no index")
	}
	known := false
	for _, a := range s.schema.arrays {
		if want.GetCounterId() != 0 && want.GetCounterId() != a.id {
			continue
		}
		known = true
		if err := s.readArray(ctx, a, want.GetIndex(), add); err != nil {
			return err
		}
	}
	if !known && want.GetCounterId() != 0 {
		return invalid("counter 0x%08x is not an array of the P4Info", want.GetCounterId())
	}
	return nil
}

func (s *Server) readArray(ctx context.Context, a array, index *p4.Index, add func(*p4.Entity) error) error {
	from, count := int64(0), a.size
	if index != nil {
		from, count = index.GetIndex(), 1
	}
	if from < 0 || from >= a.size {
		return invalid("counter %s: index %d is outside 0..%d", a.alias, from, a.size-1)
	}
	reader, ok := s.tables.(contract.CellReader)
	if !ok {
		return contract.Errorf(contract.Unimplemented, "counter %s is not served here", a.alias)
	}
	cells, err := reader.Cells(ctx, a.alias, int(from), int(count))
	if err != nil {
		return err
	}
	for i := range cells {
		err := add(&p4.Entity{Entity: &p4.Entity_CounterEntry{CounterEntry: &p4.CounterEntry{
			CounterId: a.id, Index: &p4.Index{Index: from + int64(i)}, Data: counterData(&cells[i]),
		}}})
		if err != nil {
			return err
		}
	}
	return nil
}

func counterData(c *contract.Counters) *p4.CounterData {
	if c == nil {
		return nil
	}
	return &p4.CounterData{PacketCount: int64(c.Packets), ByteCount: int64(c.Bytes)}
}
