// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"maps"
	"slices"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"sextant/agent/internal/canonical"
	"sextant/agent/internal/contract"
)

const (
	// chunkBytes bounds one ReadResponse, so that no client needs a raised message limit to read a full
	// table: gRPC's usual limit is 4 MiB.
	chunkBytes = 1 << 18
	// maxRequests is room for one request per entry of a full node; a client that wants more has wildcards.
	maxRequests = 16384
	// maxReads bounds the readings that clients' slowness keeps waiting with a chunk of their answer each. The
	// memory of their requests, which is far more, is bounded before they are decoded, by the limits of calls
	// (guard.DefaultLimits).
	maxReads = 8
	// maxTurns bounds those that keep writers, and the processor, busy.
	maxTurns = 2
)

// Read returns the entries that the data plane holds. A request that is wrong does not stop the others; their entities
// come first, then a status with one p4.v1.Error per request.
//
// The data plane is looked at once, under the lock of writes, whatever the number of requests; they are
// answered from that, a chunk at a time, and without the lock. So neither a slow reader nor a long
// request holds up a writer, or a new primary.
func (s *Server) Read(r *p4.ReadRequest, stream p4.P4Runtime_ReadServer) error {
	requests := r.GetEntities()
	switch {
	case r.GetDeviceId() != s.deviceID:
		return unknownDevice(r.GetDeviceId(), s.deviceID)
	case r.GetRole() != "":
		return unknownRole(r.GetRole())
	case !s.pipeline.ready():
		return canonical.Error(errNoPipeline())
	case len(requests) > maxRequests:
		return status.Errorf(codes.ResourceExhausted, "%d requests, at most %d are served in one Read; use wildcards", len(requests), maxRequests)
	}
	primary := s.arbitration.current()
	privileged := primary != nil && primary.from == peerOf(stream.Context())
	if !privileged {
		select {
		case s.reads <- struct{}{}:
			defer func() { <-s.reads }()
		default:
			return status.Errorf(codes.ResourceExhausted, "%d clients are reading; try again when one has taken its answer", maxReads)
		}
	}
	turn := turn{}
	if !privileged {
		turn.of = s.turns
	}
	turn.take()
	defer turn.give()
	seen := s.look(stream.Context(), requests)
	out := chunks{send: func(r *p4.ReadResponse) error {
		turn.give() // a slow reader keeps no other client waiting
		defer turn.take()
		return stream.Send(r)
	}}
	errs := make([]error, len(requests))
	for i, request := range requests {
		errs[i] = s.answer(stream.Context(), seen, request, out.add)
		if out.failed != nil {
			return out.failed
		}
		turn.pass()
	}
	if err := out.flush(); err != nil {
		return err
	}
	return batchError("request", errs)
}

// turn is for work that takes the processor and the lock of writes: only so many Reads do it at once, and each for one
// request before the next one has its turn. The primary's do not wait.
type turn struct {
	of chan struct{} // nil for the primary
}

func (t turn) take() {
	if t.of != nil {
		t.of <- struct{}{}
	}
}

func (t turn) give() {
	if t.of != nil {
		<-t.of
	}
}

func (t turn) pass() {
	t.give()
	t.take()
}

// chunks sends entities in messages of about chunkBytes.
type chunks struct {
	send      func(*p4.ReadResponse) error
	waiting   []*p4.Entity
	sizeBytes int
	failed    error // the client is gone
}

func (c *chunks) add(e *p4.Entity) error {
	c.waiting = append(c.waiting, e)
	if c.sizeBytes += proto.Size(e); c.sizeBytes < chunkBytes {
		return nil
	}
	return c.flush()
}

func (c *chunks) flush() error {
	if c.failed == nil && len(c.waiting) > 0 {
		c.failed = c.send(&p4.ReadResponse{Entities: c.waiting})
		c.waiting, c.sizeBytes = nil, 0
	}
	return c.failed
}

// seen is the content of the data plane at one moment, by table.
type seen struct {
	tables map[string]*rows
	err    error
}

// rows are the entries of a table as their messages.
type rows struct {
	all     []*found
	byMatch map[string][]*found // made when first asked for
}

// found is an entry of the data plane as its message.
type found struct {
	message  *p4.TableEntry
	counters *contract.Counters
}

// look reads the tables that requests name, each table once, and only the named rows of a table of which they name
// rows.
func (s *Server) look(ctx context.Context, requests []*p4.Entity) seen {
	out := seen{tables: map[string]*rows{}}
	whole := map[string]bool{}
	var named []contract.Key
	for _, request := range requests {
		want, ok := tableEntryOf(request)
		if !ok {
			continue
		}
		if want.GetTableId() == 0 {
			whole = map[string]bool{"": true}
			break
		}
		if t := s.schema.byID[want.GetTableId()]; t != nil {
			out.tables[t.alias] = &rows{}
			if key, one := s.schema.names(want); one {
				named = append(named, key)
			} else {
				whole[t.alias] = true
			}
		}
	}
	s.writes.RLock()
	defer s.writes.RUnlock()
	stored, err := s.read(ctx, whole, named)
	if err != nil {
		return seen{err: err}
	}
	for _, row := range stored {
		te, err := s.schema.Encode(row.Entry)
		if err != nil {
			return seen{err: err}
		}
		key := row.Entry.Key()
		s.cookies.all[key].attach(te)
		if out.tables[key.Table] == nil {
			out.tables[key.Table] = &rows{}
		}
		out.tables[key.Table].all = append(out.tables[key.Table].all, &found{te, row.Counters})
	}
	return out
}

// read reads whole tables, all if "" is among them, and rows of others.
func (s *Server) read(ctx context.Context, whole map[string]bool, named []contract.Key) ([]contract.Stored, error) {
	reader, ok := s.tables.(contract.RowReader)
	var alone []contract.Key
	for _, key := range named {
		switch {
		case whole[""] || whole[key.Table]:
		case ok:
			alone = append(alone, key)
		default:
			whole[key.Table] = true
		}
	}
	var all []contract.Stored
	for _, alias := range slices.Sorted(maps.Keys(whole)) {
		stored, err := s.tables.Entries(ctx, alias)
		if err != nil {
			return nil, err
		}
		all = append(all, stored...)
	}
	if len(alone) == 0 {
		return all, nil
	}
	slices.SortFunc(alone, contract.Key.Compare)
	stored, err := reader.Rows(ctx, slices.Compact(alone))
	return append(all, stored...), err
}

// names is the key of the row that a request names, if it is one: without priorities no other has the match.
func (s *Schema) names(want *p4.TableEntry) (contract.Key, bool) {
	t := s.byID[want.GetTableId()]
	if t.prioritized || want.GetIsDefaultAction() || len(want.GetMatch()) == 0 {
		return contract.Key{}, false
	}
	r := newRow(t)
	if r.readMatch(want.GetMatch()) != nil {
		return contract.Key{}, false
	}
	e, err := contract.Decode(r.Row)
	if err != nil {
		return contract.Key{}, false
	}
	return e.Key(), true
}

func tableEntryOf(request *p4.Entity) (*p4.TableEntry, bool) {
	switch kind := request.GetEntity().(type) {
	case *p4.Entity_TableEntry:
		return kind.TableEntry, true
	case *p4.Entity_DirectCounterEntry:
		return kind.DirectCounterEntry.GetTableEntry(), true
	}
	return nil, false
}

// with finds the rows with a match, given canonically.
func (r *rows) with(match []*p4.FieldMatch) []*found {
	if r.byMatch == nil {
		r.byMatch = map[string][]*found{}
		for _, f := range r.all {
			key := matchKey(f.message.GetMatch())
			r.byMatch[key] = append(r.byMatch[key], f)
		}
	}
	return r.byMatch[matchKey(match)]
}

// matchKey is equal for equal matches: their fields are in P4Info's order and their bytes canonical.
func matchKey(match []*p4.FieldMatch) string {
	var key []byte
	for _, m := range match {
		key = protowire.AppendTag(key, protowire.Number(m.GetFieldId()), protowire.BytesType)
		for _, b := range [][]byte{
			m.GetExact().GetValue(), m.GetLpm().GetValue(), m.GetTernary().GetValue(), m.GetTernary().GetMask(),
			m.GetRange().GetLow(), m.GetRange().GetHigh(),
		} {
			key = protowire.AppendBytes(key, b)
		}
		key = protowire.AppendVarint(key, uint64(m.GetLpm().GetPrefixLen()))
	}
	return string(key)
}

// answer hands on the entities of one request.
func (s *Server) answer(ctx context.Context, seen seen, request *p4.Entity, add func(*p4.Entity) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch kind := request.GetEntity().(type) {
	case *p4.Entity_TableEntry:
		return s.readTable(seen, kind.TableEntry, add)
	case *p4.Entity_DirectCounterEntry:
		return s.readCounters(seen, kind.DirectCounterEntry.GetTableEntry(), add)
	case *p4.Entity_CounterEntry:
		return s.readArrays(ctx, kind.CounterEntry, add)
	case *p4.Entity_ActionProfileMember, *p4.Entity_ActionProfileGroup:
		return contract.Errorf(contract.Unimplemented, "members and groups of action profiles are not served; read the table entries, they carry their action sets")
	case nil:
		return invalid("the request has no entity")
	default:
		return contract.Errorf(contract.Unimplemented, "the P4Info has no %s", entityName(request))
	}
}

// readTable answers a table entry request, wildcard or not (P4Runtime, "Wildcard Reads").
func (s *Server) readTable(seen seen, want *p4.TableEntry, add func(*p4.Entity) error) error {
	rows, err := s.selectRows(seen, want)
	if err != nil {
		return err
	}
	for _, row := range rows {
		te := row.message
		if row.counters != nil && (want.GetCounterData() != nil || want.GetTimeSinceLastHit() != nil) {
			te = proto.CloneOf(te) // others may be asked for without
			if want.GetCounterData() != nil {
				te.CounterData = counterData(row.counters)
			}
			if idle := row.counters.Idle; want.GetTimeSinceLastHit() != nil && idle != nil {
				te.TimeSinceLastHit = &p4.TableEntry_IdleTimeout{ElapsedNs: idle.Nanoseconds()}
			}
		}
		if err := add(&p4.Entity{Entity: &p4.Entity_TableEntry{TableEntry: te}}); err != nil {
			return err
		}
	}
	return nil
}

// selectRows picks those rows of the table that a request names, or of all, which pass its filters.
func (s *Server) selectRows(seen seen, want *p4.TableEntry) ([]*found, error) {
	filter, err := s.schema.filter(want)
	if err == nil {
		err = seen.err
	}
	if err != nil {
		return nil, err
	}
	var out []*found
	defaults := map[uint32]bool{}
	for _, alias := range slices.Sorted(maps.Keys(seen.tables)) {
		if filter.table != nil && filter.table.alias != alias {
			continue
		}
		rows := seen.tables[alias].all
		if len(filter.match) > 0 {
			rows = seen.tables[alias].with(filter.match)
		}
		for _, row := range rows {
			if row.message.GetIsDefaultAction() {
				defaults[row.message.GetTableId()] = true
			}
			if filter.passes(row.message) {
				out = append(out, row)
			}
		}
	}
	return append(out, s.untouchedDefaults(filter, defaults)...), nil
}

// untouchedDefaults are the default entries that no update changed: the data plane does not hold
// them, but a table always has one.
func (s *Server) untouchedDefaults(f filter, changed map[uint32]bool) []*found {
	var out []*found
	for _, t := range s.schema.tables {
		te := s.schema.defaultEntry(t)
		if f.isDefault && !changed[t.id] && (f.table == nil || f.table == t) && f.action(te) {
			out = append(out, &found{message: te})
		}
	}
	return out
}
