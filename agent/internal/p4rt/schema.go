// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"slices"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
)

// Schema is a P4Info, indexed for the decoder: tables with their match fields and actions, packet metadata, and which
// entry kinds exist at all. It never changes once made.
type Schema struct {
	info    *p4config.P4Info
	tables  []*table // in P4Info's order
	byID    map[uint32]*table
	byAlias map[string]*table
	actions map[uint32]*action
	arrays  []array
	// packetIn and packetOut are the metadata fields of the two headers.
	packetIn, packetOut []field
}

type table struct {
	id     uint32
	alias  string
	fields []field
	// prioritized says that entries of this table carry a priority, as more than one may match.
	prioritized bool
	// actions maps id to reference, refs keeps P4Info's order.
	actions map[uint32]actionRef
	refs    []actionRef
	// selector is nil for a table whose entries carry one action each.
	selector     *p4config.ActionProfile
	idles        bool   // it remembers when entries were hit last
	constDefault uint32 // action id, 0 if the default entry may be modified
	counter      bool
}

// array is counters that belong to no row.
type array struct {
	id    uint32
	alias string
	size  int64
}

type field struct {
	id      uint32
	name    string
	bits    int
	match   p4config.MatchField_MatchType
	padding bool
}

type actionRef struct {
	*action
	scope p4config.ActionRef_Scope
}

type action struct {
	id     uint32
	alias  string
	params []field
}

const maxBits = 128

// NewSchema indexes a P4Info. It refuses a P4Info that the decoder could not hold: fields without a width or wider than
// 128 bits, match kinds other than exact, LPM, ternary and range, references to nothing.
func NewSchema(info *p4config.P4Info) (*Schema, error) {
	s := &Schema{
		info: info, byID: map[uint32]*table{}, byAlias: map[string]*table{}, actions: map[uint32]*action{},
	}
	for _, a := range info.GetActions() {
		if err := s.addAction(a); err != nil {
			return nil, err
		}
	}
	for _, t := range info.GetTables() {
		if err := s.addTable(t); err != nil {
			return nil, err
		}
	}
	for _, c := range info.GetDirectCounters() {
		t := s.byID[c.GetDirectTableId()]
		if t == nil {
			return nil, fmt.Errorf("direct counter %s counts for table 0x%08x, which is not there", c.GetPreamble().GetAlias(), c.GetDirectTableId())
		}
		t.counter = true
	}
	for _, c := range info.GetCounters() {
		s.arrays = append(s.arrays, array{c.GetPreamble().GetId(), c.GetPreamble().GetAlias(), c.GetSize()})
	}
	return s, s.addPacketHeaders()
}

func (s *Schema) addAction(a *p4config.Action) error {
	added := &action{id: a.GetPreamble().GetId(), alias: a.GetPreamble().GetAlias()}
	for _, p := range a.GetParams() {
		f, err := newField(p.GetId(), p.GetName(), p.GetBitwidth())
		if err != nil {
			return fmt.Errorf("action %s: %w", added.alias, err)
		}
		added.params = append(added.params, f)
	}
	s.actions[added.id] = added
	return nil
}

func (s *Schema) addTable(t *p4config.Table) error {
	added := &table{
		id: t.GetPreamble().GetId(), alias: t.GetPreamble().GetAlias(),
		actions: map[uint32]actionRef{}, constDefault: t.GetConstDefaultActionId(),
		idles: t.GetIdleTimeoutBehavior() != p4config.Table_NO_TIMEOUT,
	}
	for _, m := range t.GetMatchFields() {
		f, err := newField(m.GetId(), m.GetName(), m.GetBitwidth())
		if err != nil {
			return fmt.Errorf("table %s: %w", added.alias, err)
		}
		f.match = m.GetMatchType()
		switch f.match {
		case p4config.MatchField_EXACT, p4config.MatchField_LPM:
		case p4config.MatchField_TERNARY, p4config.MatchField_RANGE:
			added.prioritized = true
		default:
			return fmt.Errorf("table %s: field %s matches %v, which this agent does not know", added.alias, f.name, f.match)
		}
		added.fields = append(added.fields, f)
	}
	if err := s.addReferences(added, t); err != nil {
		return fmt.Errorf("table %s: %w", added.alias, err)
	}
	s.tables = append(s.tables, added)
	s.byID[added.id] = added
	s.byAlias[added.alias] = added
	return nil
}

func (s *Schema) addReferences(added *table, t *p4config.Table) error {
	for _, ref := range t.GetActionRefs() {
		a := s.actions[ref.GetId()]
		if a == nil {
			return fmt.Errorf("action 0x%08x is not there", ref.GetId())
		}
		added.refs = append(added.refs, actionRef{a, ref.GetScope()})
		added.actions[a.id] = actionRef{a, ref.GetScope()}
	}
	if id := t.GetImplementationId(); id != 0 {
		i := slices.IndexFunc(s.info.GetActionProfiles(), func(p *p4config.ActionProfile) bool { return p.GetPreamble().GetId() == id })
		if i < 0 || !s.info.GetActionProfiles()[i].GetWithSelector() {
			return fmt.Errorf("implementation 0x%08x is no action selector", id)
		}
		added.selector = s.info.GetActionProfiles()[i]
	}
	return nil
}

func (s *Schema) addPacketHeaders() error {
	for _, h := range s.info.GetControllerPacketMetadata() {
		var fields []field
		for _, m := range h.GetMetadata() {
			f, err := newField(m.GetId(), m.GetName(), m.GetBitwidth())
			if err != nil {
				return fmt.Errorf("packet metadata %s: %w", h.GetPreamble().GetAlias(), err)
			}
			f.padding = slices.Contains(m.GetAnnotations(), "@padding")
			fields = append(fields, f)
		}
		switch h.GetPreamble().GetAlias() {
		case "packet_in":
			s.packetIn = fields
		case "packet_out":
			s.packetOut = fields
		}
	}
	return nil
}

func newField(id uint32, name string, bits int32) (field, error) {
	if bits < 1 || bits > maxBits {
		return field{}, fmt.Errorf("%s is %d bits wide, this agent holds 1 to %d", name, bits, maxBits)
	}
	return field{id: id, name: name, bits: int(bits)}, nil
}

func fieldByID(fields []field, id uint32) (field, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.id == id })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

func names(fields []field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return out
}
