// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
)

// disagreement says where two P4Infos mean different things by the same id or name, or "". One may have tables, actions
// and counters that the other lacks, and other sizes: fleet and controllers are upgraded apart. Objects that both have
// must be the same on the wire: ids, names, widths and kinds of fields and parameters. A P4Info that says that it is
// another pipeline's is none of an older or newer release: the client mistook the node.
func disagreement(got, want *p4config.P4Info) string {
	if g, w := got.GetPkgInfo().GetName(), want.GetPkgInfo().GetName(); g != "" && g != w {
		return fmt.Sprintf("it is that of %s, and this node is %s", g, w)
	}
	shared := 0
	d := firstWord(
		paired("tables", got.GetTables(), want.GetTables(), func(g, w *p4config.Table) string {
			shared++
			return tableDifference(g, w)
		}),
		paired("actions", got.GetActions(), want.GetActions(), func(g, w *p4config.Action) string {
			return fieldsDifference("params", paramsOf(g), paramsOf(w))
		}),
		paired("direct_counters", got.GetDirectCounters(), want.GetDirectCounters(), func(g, w *p4config.DirectCounter) string {
			return differs("direct_table_id", g.GetDirectTableId(), w.GetDirectTableId())
		}),
		paired("counters", got.GetCounters(), want.GetCounters(), func(_, _ *p4config.Counter) string { return "" }),
		paired("controller_packet_metadata", got.GetControllerPacketMetadata(), want.GetControllerPacketMetadata(),
			func(g, w *p4config.ControllerPacketMetadata) string {
				return fieldsDifference("metadata", metadataOf(g), metadataOf(w))
			}),
	)
	if d == "" && shared == 0 {
		return "it has none of this agent's tables"
	}
	return d
}

// differences reports whether the two differ in their objects for a controller at all: then the node returns its own.
func differences(got, want *p4config.P4Info) bool {
	return listing(got) != listing(want)
}

// listing are the objects, and their sizes.
func listing(info *p4config.P4Info) string {
	sizes := map[string]any{}
	for _, t := range info.GetTables() {
		refs := map[uint32]bool{}
		for _, ref := range t.GetActionRefs() {
			refs[ref.GetId()] = true
		}
		sizes[t.GetPreamble().GetAlias()] = fmt.Sprint(t.GetSize(), refs)
	}
	for _, p := range info.GetActionProfiles() {
		sizes[p.GetPreamble().GetAlias()] = fmt.Sprint(p.GetSize(), p.GetMaxGroupSize())
	}
	for _, c := range info.GetCounters() {
		sizes[c.GetPreamble().GetAlias()] = c.GetSize()
	}
	for _, c := range info.GetDirectCounters() {
		sizes[c.GetPreamble().GetAlias()] = c.GetDirectTableId()
	}
	return fmt.Sprint(sizes) // maps are printed in the order of their keys
}

type named interface{ GetPreamble() *p4config.Preamble }

// paired compares the objects that both have. Ids and names belong together.
func paired[E named](kind string, got, want []E, compare func(g, w E) string) string {
	for _, w := range want {
		for _, g := range got {
			sameID := g.GetPreamble().GetId() == w.GetPreamble().GetId()
			sameName := g.GetPreamble().GetAlias() == w.GetPreamble().GetAlias()
			if !sameID && !sameName {
				continue
			}
			at := fmt.Sprintf("%s %s (0x%08x): ", kind, w.GetPreamble().GetAlias(), w.GetPreamble().GetId())
			if sameID != sameName {
				return fmt.Sprintf("%sis %s (0x%08x) there", at, g.GetPreamble().GetAlias(), g.GetPreamble().GetId())
			}
			if d := compare(g, w); d != "" {
				return at + d
			}
		}
	}
	return ""
}

// tableDifference: an entry has all fields of its table's key, so that none may be missing; its actions may.
func tableDifference(got, want *p4config.Table) string {
	if d := fieldsDifference("match_fields", matchesOf(got), matchesOf(want)); d != "" {
		return d
	}
	if d := differs("an action selector", got.GetImplementationId() != 0, want.GetImplementationId() != 0); d != "" {
		return d
	}
	for _, w := range want.GetActionRefs() {
		for _, g := range got.GetActionRefs() {
			if g.GetId() != w.GetId() {
				continue
			}
			if d := differs(fmt.Sprintf("action_refs 0x%08x: scope", w.GetId()), g.GetScope(), w.GetScope()); d != "" {
				return d
			}
		}
	}
	return ""
}

// A wireField is a field or a parameter as it is on the wire.
type wireField struct {
	id    uint32
	name  string
	bits  int32
	match p4config.MatchField_MatchType
}

func fieldsDifference(kind string, got, want []wireField) string {
	held := map[uint32]wireField{}
	for _, g := range got {
		held[g.id] = g
	}
	for _, w := range want {
		g, there := held[w.id]
		at := kind + " " + w.name
		if !there {
			return at + " is missing"
		}
		if d := firstWord(
			differs(at+": name", g.name, w.name), differs(at+": bitwidth", g.bits, w.bits), differs(at+": match_type", g.match, w.match),
		); d != "" {
			return d
		}
		delete(held, w.id)
	}
	for _, g := range got {
		if _, more := held[g.id]; more {
			return kind + " " + g.name + " is not known"
		}
	}
	return ""
}

func matchesOf(t *p4config.Table) []wireField {
	var out []wireField
	for _, m := range t.GetMatchFields() {
		out = append(out, wireField{m.GetId(), m.GetName(), m.GetBitwidth(), m.GetMatchType()})
	}
	return out
}

func paramsOf(a *p4config.Action) []wireField {
	var out []wireField
	for _, p := range a.GetParams() {
		out = append(out, wireField{id: p.GetId(), name: p.GetName(), bits: p.GetBitwidth()})
	}
	return out
}

func metadataOf(h *p4config.ControllerPacketMetadata) []wireField {
	var out []wireField
	for _, m := range h.GetMetadata() {
		out = append(out, wireField{id: m.GetId(), name: m.GetName(), bits: m.GetBitwidth()})
	}
	return out
}

func differs[T comparable](what string, got, want T) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%s is %v, expected %v", what, got, want)
}

func firstWord(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
