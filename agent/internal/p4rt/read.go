// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"slices"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/protobuf/proto"

	"sextant/agent/internal/contract"
)

// chunkBytes bounds one ReadResponse, so that no client needs a raised message limit to read a full
// table: gRPC's usual limit is 4 MiB.
const chunkBytes = 1 << 20

// Read returns what the data plane holds. A request that is wrong does not stop the others; their
// entities come first, then a status with one p4.v1.Error per request.
func (s *Server) Read(r *p4.ReadRequest, stream p4.P4Runtime_ReadServer) error {
	switch {
	case r.GetDeviceId() != s.deviceID:
		return unknownDevice(r.GetDeviceId(), s.deviceID)
	case r.GetRole() != "":
		return unknownRole(r.GetRole())
	case !s.pipeline.ready():
		return rpcError(errNoPipeline())
	}
	entities, errs := s.readAll(stream.Context(), r.GetEntities())
	if err := sendChunks(entities, stream.Send); err != nil {
		return err
	}
	return batchError("request", errs)
}

// readAll collects first and sends afterwards, so that a slow reader holds up no writer.
func (s *Server) readAll(ctx context.Context, requests []*p4.Entity) ([]*p4.Entity, []error) {
	s.writes.RLock()
	defer s.writes.RUnlock()
	var all []*p4.Entity
	errs := make([]error, len(requests))
	for i, request := range requests {
		var found []*p4.Entity
		found, errs[i] = s.readOne(ctx, request)
		all = append(all, found...)
	}
	return all, errs
}

func sendChunks(entities []*p4.Entity, send func(*p4.ReadResponse) error) error {
	var chunk []*p4.Entity
	var size int
	for i, e := range entities {
		chunk = append(chunk, e)
		size += proto.Size(e)
		if size < chunkBytes && i < len(entities)-1 {
			continue
		}
		if err := send(&p4.ReadResponse{Entities: chunk}); err != nil {
			return err
		}
		chunk, size = nil, 0
	}
	return nil
}

func (s *Server) readOne(ctx context.Context, request *p4.Entity) ([]*p4.Entity, error) {
	switch kind := request.GetEntity().(type) {
	case *p4.Entity_TableEntry:
		return s.readTable(ctx, kind.TableEntry)
	case *p4.Entity_DirectCounterEntry:
		return s.readCounters(ctx, kind.DirectCounterEntry.GetTableEntry())
	case *p4.Entity_CounterEntry:
		return s.readArrays(ctx, kind.CounterEntry)
	case *p4.Entity_ActionProfileMember, *p4.Entity_ActionProfileGroup:
		return nil, contract.Errorf(contract.Unimplemented, "members and groups of action profiles are not served; read the table entries, they carry their action sets")
	case nil:
		return nil, invalid("the request has no entity")
	default:
		return nil, contract.Errorf(contract.Unimplemented, "the P4Info has no %s", entityName(request))
	}
}

// readTable answers a table entry request, wildcard or not (P4Runtime, "Wildcard Reads").
func (s *Server) readTable(ctx context.Context, want *p4.TableEntry) ([]*p4.Entity, error) {
	rows, err := s.selectRows(ctx, want)
	if err != nil {
		return nil, err
	}
	var out []*p4.Entity
	for _, row := range rows {
		te := row.message
		if want.GetCounterData() != nil {
			te.CounterData = counterData(row.counters)
		}
		out = append(out, &p4.Entity{Entity: &p4.Entity_TableEntry{TableEntry: te}})
	}
	return out, nil
}

// readCounters answers a direct counter request. One that names an entry must find it.
func (s *Server) readCounters(ctx context.Context, want *p4.TableEntry) ([]*p4.Entity, error) {
	if want == nil {
		return nil, invalid("direct_counter_entry.table_entry is missing; set its table_id to 0 for the counters of all tables")
	}
	if t := s.schema.byID[want.GetTableId()]; t != nil && !t.counter {
		return nil, invalid("table %s has no direct counter", t.alias)
	}
	rows, err := s.selectRows(ctx, want)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 && len(want.GetMatch()) > 0 {
		return nil, contract.Errorf(contract.NotFound, "table %s has no such entry", s.schema.byID[want.GetTableId()].alias)
	}
	var out []*p4.Entity
	for _, row := range rows {
		if row.counters == nil {
			continue
		}
		te := &p4.TableEntry{TableId: row.message.GetTableId(), Match: row.message.GetMatch(), Priority: row.message.GetPriority()}
		out = append(out, &p4.Entity{Entity: &p4.Entity_DirectCounterEntry{DirectCounterEntry: &p4.DirectCounterEntry{
			TableEntry: te, Data: counterData(row.counters),
		}}})
	}
	return out, nil
}

// readArrays answers a counter request: one cell, an array, or with id 0 all arrays.
func (s *Server) readArrays(ctx context.Context, want *p4.CounterEntry) ([]*p4.Entity, error) {
	if want.GetCounterId() == 0 && want.GetIndex() != nil {
		return nil, invalid("counter_id 0 reads all arrays and takes no index")
	}
	var out []*p4.Entity
	known := false
	for _, a := range s.schema.arrays {
		if want.GetCounterId() != 0 && want.GetCounterId() != a.id {
			continue
		}
		known = true
		cells, err := s.readArray(ctx, a, want.GetIndex())
		if err != nil {
			return nil, err
		}
		out = append(out, cells...)
	}
	if !known && want.GetCounterId() != 0 {
		return nil, invalid("counter 0x%08x is not an array of the P4Info", want.GetCounterId())
	}
	return out, nil
}

func (s *Server) readArray(ctx context.Context, a array, index *p4.Index) ([]*p4.Entity, error) {
	from, count := int64(0), a.size
	if index != nil {
		from, count = index.GetIndex(), 1
	}
	if from < 0 || from >= a.size {
		return nil, invalid("counter %s: index %d is outside 0..%d", a.alias, from, a.size-1)
	}
	reader, ok := s.tables.(contract.CellReader)
	if !ok {
		return nil, contract.Errorf(contract.Unimplemented, "counter %s is not served here", a.alias)
	}
	cells, err := reader.Cells(ctx, a.alias, int(from), int(count))
	if err != nil {
		return nil, err
	}
	out := make([]*p4.Entity, len(cells))
	for i := range cells {
		out[i] = &p4.Entity{Entity: &p4.Entity_CounterEntry{CounterEntry: &p4.CounterEntry{
			CounterId: a.id, Index: &p4.Index{Index: from + int64(i)}, Data: counterData(&cells[i]),
		}}}
	}
	return out, nil
}

func counterData(c *contract.Counters) *p4.CounterData {
	if c == nil {
		return nil
	}
	return &p4.CounterData{PacketCount: int64(c.Packets), ByteCount: int64(c.Bytes)}
}

// found is an entry of the data plane as its message.
type found struct {
	message  *p4.TableEntry
	counters *contract.Counters
}

// selectRows reads the table a request names, or all, and keeps what its filters let through.
func (s *Server) selectRows(ctx context.Context, want *p4.TableEntry) ([]found, error) {
	filter, err := s.schema.filter(want)
	if err != nil {
		return nil, err
	}
	var alias string
	if filter.table != nil {
		alias = filter.table.alias
	}
	stored, err := s.tables.Entries(ctx, alias)
	if err != nil {
		return nil, err
	}
	var out []found
	defaults := map[uint32]bool{}
	for _, row := range stored {
		te, err := s.schema.Encode(row.Entry)
		if err != nil {
			return nil, err
		}
		s.cookies.all[row.Entry.Key()].attach(te)
		defaults[te.GetTableId()] = te.GetIsDefaultAction()
		if filter.passes(te) {
			out = append(out, found{te, row.Counters})
		}
	}
	return append(out, s.untouchedDefaults(filter, defaults)...), nil
}

// untouchedDefaults are the default entries that no update changed: the data plane does not hold
// them, but a table always has one.
func (s *Server) untouchedDefaults(f filter, changed map[uint32]bool) []found {
	var out []found
	for _, t := range s.schema.tables {
		te := s.schema.defaultEntry(t)
		if f.isDefault && !changed[t.id] && (f.table == nil || f.table == t) && f.action(te) {
			out = append(out, found{message: te})
		}
	}
	return out
}

// filter is what a read request lets through.
type filter struct {
	table     *table // nil for all
	isDefault bool
	match     []*p4.FieldMatch // canonical; empty for all
	actionID  uint32           // 0 for all
	priority  int32            // 0 for all
	cookie    cookie           // each half empty for all
}

// filter decodes a read request. What it leaves out is a wildcard.
func (s *Schema) filter(want *p4.TableEntry) (filter, error) {
	f := filter{isDefault: want.GetIsDefaultAction(), actionID: want.GetAction().GetAction().GetActionId(), priority: want.GetPriority(), cookie: cookieOf(want)}
	if want.GetTableId() == 0 {
		if len(want.GetMatch()) > 0 || f.actionID != 0 || f.priority != 0 || f.cookie != (cookie{}) {
			return f, invalid("table_id 0 reads all tables and takes no other filter")
		}
		return f, nil
	}
	f.table = s.byID[want.GetTableId()]
	if f.table == nil {
		return f, invalid("table 0x%08x is not in the P4Info; it has %s", want.GetTableId(), s.tableList())
	}
	if _, known := f.table.actions[f.actionID]; f.actionID != 0 && !known {
		return f, invalid("action 0x%08x is not one of table %s", f.actionID, f.table.alias)
	}
	if f.priority != 0 && !f.table.ternary {
		return f, invalid("table %s: priority is %d, a table without ternary fields has none", f.table.alias, f.priority)
	}
	if len(want.GetMatch()) == 0 {
		return f, nil
	}
	r := row{table: f.table, match: map[uint32]match{}}
	if err := r.readMatch(want.GetMatch()); err != nil {
		return f, err
	}
	f.match = r.fieldMatches()
	return f, nil
}

func (f filter) passes(te *p4.TableEntry) bool {
	return te.GetIsDefaultAction() == f.isDefault &&
		(f.table == nil || f.table.id == te.GetTableId()) &&
		(len(f.match) == 0 || slices.EqualFunc(f.match, te.GetMatch(), sameMatch)) &&
		(f.priority == 0 || f.priority == te.GetPriority()) &&
		(f.cookie.number == 0 || f.cookie.number == cookieOf(te).number) &&
		(f.cookie.text == "" || f.cookie.text == cookieOf(te).text) &&
		f.action(te)
}

func sameMatch(a, b *p4.FieldMatch) bool { return proto.Equal(a, b) }

// action compares the action of a direct table; an action set is not filtered by (P4Runtime, "Wildcard Reads").
func (f filter) action(te *p4.TableEntry) bool {
	return f.actionID == 0 || te.GetAction().GetAction().GetActionId() == f.actionID
}
