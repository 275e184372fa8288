// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A pattern is a path that a client gave: steps by name or "*", keys by value or any, and "..." for
// any number of steps (gNMI path conventions, 2.4).
type pattern struct {
	steps []patternStep
	text  string
}

type patternStep struct {
	name string // "*" matches one step, "..." any number
	// value of the key; "" and "*" match any.
	value string
}

const (
	anyStep  = "*"
	anySteps = "..."
)

// maxSteps is more than any path of the models has, with "..." before and behind every step.
const maxSteps = 63

// parsePath joins a prefix and a path and checks them against the schema. Its error is a status
// that names the path.
func parsePath(root *schemaNode, prefix, path *gpb.Path) (pattern, error) {
	for _, p := range []*gpb.Path{prefix, path} {
		// Some clients read "openconfig-interfaces:" in front of a path as its origin.
		if o := p.GetOrigin(); o != "" && o != "openconfig" && !root.has(o) {
			return pattern{}, status.Errorf(codes.InvalidArgument, "origin %q is not served, only openconfig is", o)
		}
		if len(p.GetElement()) > 0 { //nolint:staticcheck // refused, not used
			return pattern{}, status.Error(codes.InvalidArgument, "the path uses the field element, which gNMI 0.4 replaced by elem")
		}
	}
	all := append(slices.Clone(prefix.GetElem()), path.GetElem()...)
	p := pattern{text: elemText(all)}
	nodes := []*schemaNode{root}
	for i, e := range all {
		if i > 0 && e.GetName() == anySteps && all[i-1].GetName() == anySteps && len(e.GetKey()) == 0 {
			continue // any number of any number of steps
		}
		if len(p.steps) == maxSteps {
			return pattern{}, status.Errorf(codes.InvalidArgument, "a path of %d steps; none that is served has more than %d", len(all), maxSteps)
		}
		var keys []string
		nodes, keys = descend(nodes, e.GetName())
		if len(nodes) == 0 {
			return pattern{}, status.Errorf(codes.InvalidArgument, "path %s: nothing called %q is served there", p.text, e.GetName())
		}
		value, err := keyValue(e, keys)
		if err != nil {
			return pattern{}, status.Errorf(codes.InvalidArgument, "path %s: %v", p.text, err)
		}
		p.steps = append(p.steps, patternStep{unqualified(e.GetName()), value})
	}
	return p, nil
}

// descend takes one step from a set of schema nodes and returns the keys that the step may have. No node is in a set
// twice, however many ways lead to it.
func descend(from []*schemaNode, name string) (to []*schemaNode, keys []string) {
	reached := map[*schemaNode]bool{}
	reach := func(nodes ...*schemaNode) {
		for _, n := range nodes {
			if !reached[n] {
				reached[n] = true
				to = append(to, n)
			}
		}
	}
	for _, n := range from {
		switch name {
		case anyStep:
			reach(n.children...)
		case anySteps:
			reach(n.family()...)
		default:
			if c := n.child(name); c != nil {
				reach(c)
			}
		}
	}
	for _, n := range to {
		if n.key != "" {
			keys = append(keys, n.key)
		}
	}
	return to, keys
}

// family is a node and all below it.
func (n *schemaNode) family() []*schemaNode {
	out := []*schemaNode{n}
	for _, c := range n.children {
		out = append(out, c.family()...)
	}
	return out
}

func keyValue(e *gpb.PathElem, keys []string) (string, error) {
	var value string
	for _, key := range slices.Sorted(maps.Keys(e.GetKey())) {
		if !slices.Contains(keys, key) {
			return "", fmt.Errorf("%s has no key %q", e.GetName(), key)
		}
		value = e.GetKey()[key]
	}
	if value == anySteps {
		value = anyStep // ONOS asks for interface[name=...] when it means every interface
	}
	if len(e.GetKey()) > 1 {
		return "", fmt.Errorf("%s has one key", e.GetName())
	}
	return value, nil
}

func unqualified(name string) string {
	if _, plain, ok := strings.Cut(name, ":"); ok {
		return plain
	}
	return name
}

// names says whether a step of the pattern is called so.
func (p pattern) names(step string) bool {
	return slices.ContainsFunc(p.steps, func(s patternStep) bool { return s.name == step })
}

// wild says whether the pattern may match more than one node.
func (p pattern) wild(root *schemaNode) bool {
	n := root
	for _, s := range p.steps {
		if s.name == anyStep || s.name == anySteps {
			return true
		}
		if n = n.child(s.name); n.key != "" && (s.value == "" || s.value == anyStep) {
			return true
		}
	}
	return false
}

// matchLength is the length of the shortest start of path that the pattern matches, or -1: the
// node that the pattern names, above or at a leaf.
//
// It goes along the path once. Bit i of reached says that the steps before i match the part of the path that was
// passed.
func (p pattern) matchLength(path []elem) int {
	end := uint64(1) << len(p.steps)
	reached := p.skip(1)
	for length := 0; ; length++ {
		if reached&end != 0 {
			return length
		}
		if length == len(path) || reached == 0 {
			return -1
		}
		reached = p.step(reached, path[length])
	}
}

// after is the set of steps reached behind a path.
func (p pattern) after(path []elem) uint64 {
	reached := p.skip(1)
	for _, e := range path {
		reached = p.step(reached, e)
	}
	return reached
}

func (p pattern) step(reached uint64, to elem) uint64 {
	next := uint64(0)
	for i, s := range p.steps {
		switch {
		case reached&(1<<i) == 0:
		case s.name == anySteps:
			next |= 1 << i
		case s.matches(to):
			next |= 1 << (i + 1)
		}
	}
	return p.skip(next)
}

// mayReach says whether the pattern matches a path, or may match one that is longer: where it does not, nothing below it has
// to be looked at.
func (p pattern) mayReach(path []elem) bool {
	return p.matchLength(path) >= 0 || p.after(path) != 0
}

// skip lets every "..." that was reached match nothing.
func (p pattern) skip(reached uint64) uint64 {
	for i, s := range p.steps {
		if s.name == anySteps {
			reached |= reached & (1 << i) << 1
		}
	}
	return reached
}

func (s patternStep) matches(e elem) bool {
	return (s.name == anyStep || s.name == e.name) && (s.value == "" || s.value == anyStep || s.value == e.value)
}

// message is a path as gNMI writes it.
func message(path []elem) *gpb.Path {
	out := new(gpb.Path)
	for _, e := range path {
		pe := &gpb.PathElem{Name: e.name}
		if e.key != "" {
			pe.Key = map[string]string{e.key: e.value}
		}
		out.Elem = append(out.Elem, pe)
	}
	return out
}

// maxText is as much of a path as an error repeats.
const maxText = 400

// elemText prints a path that a client sent.
func elemText(elems []*gpb.PathElem) string {
	if len(elems) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, e := range elems {
		if b.Len() > maxText {
			return b.String()[:maxText] + "…"
		}
		b.WriteString("/" + e.GetName())
		for _, key := range slices.Sorted(maps.Keys(e.GetKey())) {
			fmt.Fprintf(&b, "[%s=%s]", key, e.GetKey()[key])
		}
	}
	return b.String()
}
