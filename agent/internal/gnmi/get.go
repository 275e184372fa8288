// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"slices"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Get answers each path with one notification: one update per node that the path matches. In the
// JSON encodings a node above leaves is one document; in PROTO it is its leaves.
func (s *Server) Get(ctx context.Context, r *gpb.GetRequest) (*gpb.GetResponse, error) {
	if err := checkEncoding(r.GetEncoding()); err != nil {
		return nil, err
	}
	if err := s.checkModels(r.GetUseModels()); err != nil {
		return nil, err
	}
	paths := r.GetPath()
	if len(paths) == 0 {
		paths = []*gpb.Path{{}} // the prefix alone
	}
	if err := checkPaths(len(paths)); err != nil {
		return nil, err
	}
	lane := s.lanes.of(len(paths))
	select {
	case lane.gets <- struct{}{}:
		defer func() { <-lane.gets }()
	case <-ctx.Done():
		return nil, status.FromContextError(ctx.Err()).Err()
	}
	patterns := make([]pattern, len(paths))
	for i, path := range paths {
		var err error
		lane.do(func() { patterns[i], err = parsePath(s.root, r.GetPrefix(), path) })
		if err != nil {
			return nil, err
		}
	}
	all, err := s.snapshot(ctx, slices.Clone(patterns)...)
	if err != nil {
		return nil, err
	}
	lane.do(func() { all = ofType(all, r.GetType()) })
	if err := checkLeaves(ctx, lane, all, patterns); err != nil {
		return nil, err
	}
	answer := new(gpb.GetResponse)
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		var n *gpb.Notification
		lane.do(func() { n, err = s.get(all, r, p) })
		if err != nil {
			return nil, err
		}
		answer.Notification = append(answer.Notification, n)
	}
	return answer, nil
}

// checkLeaves refuses an answer that is too large before any of it is built: 40,000 leaves are 53 MiB of messages.
func checkLeaves(ctx context.Context, lane lane, all []leaf, patterns []pattern) error {
	room := budget(maxLeaves)
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return status.FromContextError(err).Err()
		}
		var err error
		lane.do(func() {
			for _, l := range all {
				if p.matchLength(l.path) >= 0 && err == nil {
					err = room.take(1)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) get(all []leaf, r *gpb.GetRequest, p pattern) (*gpb.Notification, error) {
	nodes := group(all, p)
	if len(nodes) == 0 && !p.wild(s.root) {
		return nil, status.Errorf(codes.NotFound, "path %s: there is nothing of type %v", p.text, r.GetType())
	}
	n := &gpb.Notification{Timestamp: s.now().UnixNano(), Prefix: targetPrefix(r.GetPrefix())}
	for _, node := range nodes {
		updates, err := node.updates(s.root, r.GetEncoding())
		if err != nil {
			return nil, status.Errorf(codes.Internal, "path %s: %v", p.text, err)
		}
		n.Update = append(n.Update, updates...)
	}
	return n, nil
}

// targetPrefix echoes the target, as the client asked for it (gNMI, 2.2.2.1).
func targetPrefix(prefix *gpb.Path) *gpb.Path {
	if prefix.GetTarget() == "" {
		return nil
	}
	return &gpb.Path{Target: prefix.GetTarget()}
}

// matched is a node that a pattern named, and its leaves.
type matched struct {
	path   []elem
	leaves []leaf
}

// group finds the nodes that the pattern names, in document order.
func group(all []leaf, p pattern) []matched {
	var out []matched
	for _, l := range all {
		length := p.matchLength(l.path)
		if length < 0 {
			continue
		}
		node := l.path[:length]
		if len(out) == 0 || !slices.Equal(out[len(out)-1].path, node) {
			out = append(out, matched{path: node})
		}
		last := &out[len(out)-1]
		last.leaves = append(last.leaves, l)
	}
	return out
}

func (m matched) updates(root *schemaNode, e gpb.Encoding) ([]*gpb.Update, error) {
	if e != gpb.Encoding_PROTO && len(m.leaves[0].path) > len(m.path) {
		v, err := document(root, m.path, m.leaves, e)
		return []*gpb.Update{{Path: message(m.path), Val: v}}, err
	}
	return leafUpdates(m.leaves, e)
}

func leafUpdates(leaves []leaf, e gpb.Encoding) ([]*gpb.Update, error) {
	var out []*gpb.Update
	for _, l := range leaves {
		v, err := scalar(l.value, e)
		if err != nil {
			return nil, err
		}
		out = append(out, &gpb.Update{Path: message(l.path), Val: v})
	}
	return out, nil
}

// ofType keeps the leaves of a data type: config is writable, state is not, operational is the state that mirrors no
// config (gNMI, 3.3.1). The keys of lists stay with their lists.
func ofType(all []leaf, t gpb.GetRequest_DataType) []leaf {
	keep := func(leaf) bool { return true }
	switch t {
	case gpb.GetRequest_CONFIG:
		keep = func(l leaf) bool {
			return l.has("config") || isKey(l) && len(l.path) == 3 && l.path[0].name == stepInterfaces
		}
	case gpb.GetRequest_STATE:
		keep = func(l leaf) bool { return l.has("state") || isKey(l) }
	case gpb.GetRequest_OPERATIONAL:
		keep = func(l leaf) bool { return l.has("state") && !mirrorsConfig(l) || isKey(l) }
	default: // all
	}
	return slices.DeleteFunc(slices.Clone(all), func(l leaf) bool { return !keep(l) })
}

func isKey(l leaf) bool { return !l.has("config") && !l.has("state") }

// mirrorsConfig: the leaves of an interface's state that its config has too.
func mirrorsConfig(l leaf) bool {
	if len(l.path) != 4 || l.path[0].name != stepInterfaces {
		return false
	}
	return slices.Contains([]string{"name", "enabled", "id"}, l.path[3].name)
}
