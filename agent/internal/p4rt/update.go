// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// Update is a decoded update. Touch says that a Modify came without an action: the entry must be
// there and stays as it is (P4Runtime, "Action Specification"); only its key is filled in.
type Update struct {
	contract.Update
	Touch  bool
	cookie cookie
}

// Update decodes one update of a Write. It has no side effect and looks at no other entry. Its
// error is a *contract.Error that names the table and the field.
func (s *Schema) Update(u *p4.Update) (Update, error) {
	var op contract.Op
	switch u.GetType() {
	case p4.Update_INSERT:
		op = contract.Insert
	case p4.Update_MODIFY:
		op = contract.Modify
	case p4.Update_DELETE:
		op = contract.Delete
	default:
		return Update{}, invalid("the update's type is %v; use INSERT, MODIFY or DELETE", u.GetType())
	}
	te, err := tableEntry(op, u.GetEntity())
	if err != nil {
		return Update{}, err
	}
	decoded, err := s.tableUpdate(op, te)
	if err == nil && decoded.Op != contract.Delete {
		decoded.cookie = cookieOf(te)
	}
	return decoded, err
}

func (s *Schema) tableUpdate(op contract.Op, te *p4.TableEntry) (Update, error) {
	if te.GetIsDefaultAction() {
		return s.updateDefault(op, te)
	}
	if op == contract.Delete {
		r, err := s.key(te)
		if err != nil {
			return Update{}, err
		}
		return r.update(op)
	}
	r, err := s.entry(te)
	if err != nil {
		return Update{}, err
	}
	if len(r.Actions) == 0 && op == contract.Insert {
		return Update{}, invalid("table %s: an INSERT needs an action", r.table.alias)
	}
	return r.update(op)
}

// tableEntry picks the only kind of entity that can be written, and says of each other kind why not.
func tableEntry(op contract.Op, e *p4.Entity) (*p4.TableEntry, error) {
	switch kind := e.GetEntity().(type) {
	case *p4.Entity_TableEntry:
		return kind.TableEntry, nil
	case nil:
		return nil, invalid("the update has no entity")
	case *p4.Entity_ActionProfileMember, *p4.Entity_ActionProfileGroup:
		return nil, contract.Errorf(contract.Unimplemented, "members and groups of action profiles are not served; write the table entry with a one-shot action set")
	case *p4.Entity_DirectCounterEntry:
		if op != contract.Modify {
			return nil, invalid("a direct counter can neither be inserted nor deleted")
		}
		return nil, contract.Errorf(contract.Unimplemented, "counters count from the entry's insertion and cannot be set")
	default:
		return nil, contract.Errorf(contract.Unimplemented, "the P4Info has no %s", entityName(e))
	}
}

// updateDefault handles the default entry, which is always there: MODIFY sets it, MODIFY without an action resets it to
// the action of the P4 program (P4Runtime, "Default Entry").
func (s *Schema) updateDefault(op contract.Op, te *p4.TableEntry) (Update, error) {
	r, err := s.entry(te)
	if err != nil {
		return Update{}, err
	}
	if op != contract.Modify {
		return Update{}, invalid("table %s: the default entry is always there, only MODIFY changes it", r.table.alias)
	}
	if r.table.constDefault != 0 || r.table.selector != nil {
		return Update{}, contract.Errorf(contract.PermissionDenied, "table %s: the default entry is constant", r.table.alias)
	}
	if len(r.Actions) == 0 || len(r.Actions[0].Args) == 0 {
		r.Actions = nil
		return r.update(contract.Delete)
	}
	return r.update(op)
}

func (r row) update(op contract.Op) (Update, error) {
	e, err := contract.Decode(r.Row)
	if err != nil {
		return Update{}, err
	}
	u := Update{Update: contract.Update{Op: op, Entry: e}, Touch: op == contract.Modify && len(r.Actions) == 0}
	if op == contract.Delete || u.Touch {
		return u, nil
	}
	return u, contract.Validate(e)
}

// entityName is the kind of an entity, as the protocol spells it.
func entityName(e *p4.Entity) string {
	m := e.ProtoReflect()
	fd := m.WhichOneof(m.Descriptor().Oneofs().ByName("entity"))
	if fd == nil {
		return "entity"
	}
	return string(fd.Name())
}
