// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// infoDifference says where two P4Infos first differ in what a controller can do with them, or "".
// Order, pkg_info, documentation and annotations do not count: compilers and their versions change
// those for one and the same pipeline.
func infoDifference(got, want *p4config.P4Info) string {
	g, w := entities(got), entities(want)
	for _, key := range slices.Sorted(maps.Keys(w)) {
		if g[key] == nil {
			return key + " is missing"
		}
		if d := difference(g[key].ProtoReflect(), w[key].ProtoReflect()); d != "" {
			return key + ": " + d
		}
	}
	for _, key := range slices.Sorted(maps.Keys(g)) {
		if w[key] == nil {
			return key + " is not known"
		}
	}
	return ""
}

// entities names every object of a P4Info by kind, id and alias.
func entities(info *p4config.P4Info) map[string]proto.Message {
	found := map[string]proto.Message{}
	info.ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if !fd.IsList() || fd.Message() == nil {
			return true // pkg_info and type_info
		}
		for i := range v.List().Len() {
			m := v.List().Get(i).Message()
			key := fmt.Sprintf("%s %d", fd.Name(), i)
			if p, ok := m.Interface().(interface{ GetPreamble() *p4config.Preamble }); ok {
				key = fmt.Sprintf("%s %s (0x%08x)", fd.Name(), p.GetPreamble().GetAlias(), p.GetPreamble().GetId())
			}
			found[key] = m.Interface()
		}
		return true
	})
	return found
}

// cosmetic fields carry no meaning for a controller.
func cosmetic(name protoreflect.Name) bool {
	switch name {
	case "annotations", "annotation_locations", "structured_annotations", "doc", "pkg_info":
		return true
	case "initial_default_action":
		// Says what the program does before anybody writes; P4Runtime before 1.4 (ONOS 2.7) has no word for it.
		return true
	}
	return false
}

// difference walks two messages of one type.
func difference(got, want protoreflect.Message) string {
	fields := want.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if cosmetic(fd.Name()) {
			continue
		}
		if d := fieldDifference(fd, got.Get(fd), want.Get(fd)); d != "" {
			return d
		}
		if fd.HasPresence() && got.Has(fd) != want.Has(fd) {
			return fmt.Sprintf("%s is set: %v, expected: %v", fd.Name(), got.Has(fd), want.Has(fd))
		}
	}
	return ""
}

func fieldDifference(fd protoreflect.FieldDescriptor, got, want protoreflect.Value) string {
	switch {
	case fd.IsMap():
		if !got.Equal(want) {
			return fmt.Sprintf("%s differs", fd.Name())
		}
	case fd.IsList():
		return listDifference(fd, got.List(), want.List())
	case fd.Message() != nil:
		if d := difference(got.Message(), want.Message()); d != "" {
			return fmt.Sprintf("%s: %s", fd.Name(), d)
		}
	case !got.Equal(want):
		return fmt.Sprintf("%s is %v, expected %v", fd.Name(), got, want)
	}
	return ""
}

func listDifference(fd protoreflect.FieldDescriptor, got, want protoreflect.List) string {
	if got.Len() != want.Len() {
		return fmt.Sprintf("%d %s, expected %d", got.Len(), fd.Name(), want.Len())
	}
	g, w := sorted(got), sorted(want)
	for i := range w {
		if fd.Message() == nil {
			if !g[i].Equal(w[i]) {
				return fmt.Sprintf("%s has %v, expected %v", fd.Name(), g[i], w[i])
			}
			continue
		}
		if d := difference(g[i].Message(), w[i].Message()); d != "" {
			return fmt.Sprintf("%s %s: %s", fd.Name(), label(w[i].Message()), d)
		}
	}
	return ""
}

// sorted orders a list by its elements' ids, so that the order in the file does not matter.
func sorted(l protoreflect.List) []protoreflect.Value {
	var out []protoreflect.Value
	for i := range l.Len() {
		out = append(out, l.Get(i))
	}
	slices.SortStableFunc(out, func(a, b protoreflect.Value) int {
		return cmp.Or(cmp.Compare(sortID(a), sortID(b)), bytes.Compare(wire(a), wire(b)))
	})
	return out
}

func sortID(v protoreflect.Value) uint64 {
	switch x := v.Interface().(type) {
	case uint32:
		return uint64(x)
	case protoreflect.Message:
		if fd := x.Descriptor().Fields().ByName("id"); fd != nil && fd.Kind() == protoreflect.Uint32Kind {
			return x.Get(fd).Uint()
		}
	}
	return 0
}

// wire breaks the tie between elements without ids.
func wire(v protoreflect.Value) []byte {
	m, ok := v.Interface().(protoreflect.Message)
	if !ok {
		return []byte(v.String())
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m.Interface())
	if err != nil {
		return nil // then the order of the file decides, as the sort is stable
	}
	return raw
}

func label(m protoreflect.Message) string {
	for _, name := range []protoreflect.Name{"name", "id"} {
		if fd := m.Descriptor().Fields().ByName(name); fd != nil && m.Has(fd) {
			return m.Get(fd).String()
		}
	}
	return "element"
}
