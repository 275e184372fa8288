// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
)

// Firewalls is the data plane's side of them. A node that has none has no paths of them either.
type Firewalls interface {
	contract.FirewallTeller
	Entries(ctx context.Context, table string) ([]contract.Stored, error)
}

const (
	stepFirewalls = "firewalls"
	stepLog       = "log"
	stepCounters  = "counters"
)

// firewallSchema is a model of this project's own: OpenConfig's ACLs know neither SIDs nor verdicts of segments.
//
//	/firewalls/firewall[instance]    a firewall of the node, over all its rule sets
//	    sids/sid[prefix]             where it is, and which rule set judges there
//	    rules/rule[id]               the rules of these sets, in the order in which they judge
//	    log/event                    a packet that a rule with log has judged; told when it happens, no state
func firewallSchema() *schemaNode {
	in := func(name string, children ...*schemaNode) *schemaNode {
		return &schemaNode{name: name, module: moduleFirewall, children: children}
	}
	list := func(n *schemaNode, key string) *schemaNode { n.key = key; return n }
	counters := func(more ...*schemaNode) *schemaNode {
		return in(stepCounters, append([]*schemaNode{in("packets"), in("bytes")}, more...)...)
	}
	var event []*schemaNode
	for _, name := range eventLeaves() {
		event = append(event, in(name))
	}
	return in(stepFirewalls, list(in("firewall",
		in("instance"),
		in("state", in("instance")),
		in("sids", list(in("sid", in("prefix"), in("state", in("prefix"), in("rule-set"), counters())), "prefix")),
		in("rules", list(in("rule", in("id"), in("state",
			in("id"), in("rule-set"), in("priority"), in("action"), in("log"), counters(in("last-hit")))), "id")),
		in(stepLog, in("event", event...)),
	), "instance"))
}

// firewallState is the state of a node's firewalls according to its rows.
type firewallState struct {
	instances []firewall // by their numbers
	rules     map[contract.FirewallID][]contract.Stored
	now       int64 // when it was read
}

type firewall struct {
	instance uint16
	sids     []contract.Stored
}

// sets that its SIDs refer to, each once.
func (f firewall) sets() []contract.FirewallID {
	var sets []contract.FirewallID
	for _, sid := range f.sids {
		sets = append(sets, sidOf(sid).Behavior.SERA.Firewall)
	}
	slices.Sort(sets)
	return slices.Compact(sets)
}

func sidOf(row contract.Stored) contract.MySID { return row.Entry.(contract.MySID) }

// readFirewalls reads the rows. It holds up the data plane, so that it rests three times as long as it took.
func (s *Server) readFirewalls(ctx context.Context) (state *firewallState, err error) {
	s.lanes.rows.do(func() {
		var sids, rules []contract.Stored
		if sids, err = s.firewalls.Entries(ctx, contract.TableMySID); err != nil {
			return
		}
		sids = slices.DeleteFunc(sids, func(row contract.Stored) bool { return !sidOf(row).Behavior.IsFirewall() })
		if len(sids) > 0 {
			rules, err = s.firewalls.Entries(ctx, contract.TableFirewall)
		}
		state = firewallsOf(sids, rules)
		state.now = s.now().UnixNano()
	})
	if err != nil {
		return nil, status.Errorf(codes.Internal, "read the firewalls: %v", err)
	}
	return state, nil
}

func firewallsOf(sids, rules []contract.Stored) *firewallState {
	state := &firewallState{rules: map[contract.FirewallID][]contract.Stored{}}
	byInstance := map[uint16][]contract.Stored{}
	for _, sid := range sids {
		instance := sidOf(sid).Behavior.SERA.Instance
		byInstance[instance] = append(byInstance[instance], sid)
	}
	for _, instance := range slices.Sorted(maps.Keys(byInstance)) {
		f := firewall{instance, byInstance[instance]}
		slices.SortFunc(f.sids, func(a, b contract.Stored) int { return a.Entry.Key().Compare(b.Entry.Key()) })
		state.instances = append(state.instances, f)
	}
	for _, rule := range rules {
		if e, is := rule.Entry.(contract.Firewall); is {
			state.rules[e.Firewall] = append(state.rules[e.Firewall], rule)
		}
	}
	for _, set := range state.rules {
		slices.SortFunc(set, func(a, b contract.Stored) int {
			x, y := a.Entry.(contract.Firewall), b.Entry.(contract.Firewall)
			return cmp.Or(cmp.Compare(y.Priority, x.Priority), x.Key().Compare(y.Key()))
		})
	}
	return state
}

// selection collects the leaves that some of the patterns ask for, and no others: all rules of a node are more than there is
// room for.
type selection struct {
	patterns []pattern
	leaves   []leaf
	room     budget
	err      error
}

// wants says whether a path or something below it is asked for.
func (s *selection) wants(path []elem) bool {
	return s.err == nil && slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.mayReach(path) })
}

func (s *selection) add(base []elem, value any, names ...string) {
	path := slices.Clone(base)
	for _, n := range names {
		path = append(path, elem{name: n})
	}
	if s.err == nil && slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.matchLength(path) >= 0 }) {
		if s.err = s.room.take(1); s.err == nil {
			s.leaves = append(s.leaves, leaf{path, pathText(path), value})
		}
	}
}

// pick selects of all firewalls, one after the other in turn with others.
func (f *firewallState) pick(patterns []pattern, lane lane) ([]leaf, error) {
	all := selection{room: maxLeaves}
	for _, one := range f.instances {
		lane.do(func() {
			base := firewallPath(one.instance)
			all.patterns = slices.DeleteFunc(slices.Clone(patterns), func(p pattern) bool { return !p.mayReach(base) })
			if len(all.patterns) > 0 {
				f.one(&all, base, one)
			}
		})
	}
	return all.leaves, all.err
}

func firewallPath(instance uint16) []elem {
	return []elem{{name: stepFirewalls}, {"firewall", "instance", strconv.Itoa(int(instance))}}
}

// below is a list entry under a path. It shares no memory with it.
func below(base []elem, list string, entry elem) []elem {
	return append(slices.Clone(base), elem{name: list}, entry)
}

func (f *firewallState) one(to *selection, base []elem, one firewall) {
	to.add(base, one.instance, "instance")
	to.add(base, one.instance, "state", "instance")
	for _, row := range one.sids {
		e := sidOf(row)
		prefix := e.SID.String()
		at := below(base, "sids", elem{"sid", "prefix", prefix})
		if !to.wants(at) {
			continue
		}
		to.add(at, prefix, "prefix")
		to.add(at, prefix, "state", "prefix")
		to.add(at, uint32(e.Behavior.SERA.Firewall), "state", "rule-set")
		f.counters(to, at, row.Counters)
	}
	for _, set := range one.sets() {
		for _, row := range f.rules[set] {
			f.rule(to, base, row)
		}
	}
}

func (f *firewallState) rule(to *selection, base []elem, row contract.Stored) {
	e := row.Entry.(contract.Firewall)
	id := ruleID(e.ID())
	at := below(base, "rules", elem{"rule", "id", id})
	if !to.wants(at) {
		return
	}
	to.add(at, id, "id")
	to.add(at, id, "state", "id")
	to.add(at, uint32(e.Firewall), "state", "rule-set")
	to.add(at, uint32(e.Priority), "state", "priority")
	to.add(at, string(e.Verdict), "state", "action")
	to.add(at, e.Log, "state", "log")
	f.counters(to, at, row.Counters)
}

// counters are left out where the data plane keeps none.
func (f *firewallState) counters(to *selection, at []elem, c *contract.Counters) {
	if c == nil {
		return
	}
	to.add(at, c.Packets, "state", stepCounters, "packets")
	to.add(at, c.Bytes, "state", stepCounters, "bytes")
	if c.Idle != nil {
		to.add(at, uint64(f.now-c.Idle.Nanoseconds()), "state", stepCounters, "last-hit")
	}
}

func ruleID(id uint64) string { return fmt.Sprintf("%016x", id) }
