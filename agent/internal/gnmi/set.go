// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
)

// enabling is the request of one operation of a Set.
type enabling struct {
	path    *gpb.Path
	op      gpb.UpdateResult_Operation
	name    string
	enabled bool
}

// Set changes the one thing that can be configured, /interfaces/interface[name]/config/enabled.
// Everything is checked first; when a change fails after all, the ones before it are undone, so
// that a Set happens as a whole or not at all (gNMI, 3.4.3).
func (s *Server) Set(ctx context.Context, r *gpb.SetRequest) (*gpb.SetResponse, error) {
	if err := checkPaths(len(r.GetDelete()) + len(r.GetReplace()) + len(r.GetUpdate())); err != nil {
		return nil, err
	}
	s.sets.Lock()
	defer s.sets.Unlock()
	wanted, err := s.enablings(r)
	if err != nil {
		return nil, err
	}
	before, err := s.portsByName(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range wanted {
		if _, there := before[w.name]; !there {
			return nil, status.Errorf(codes.NotFound, "interface %q is not a port of this node", w.name)
		}
	}
	if err := s.enable(ctx, wanted, before); err != nil {
		return nil, err
	}
	answer := &gpb.SetResponse{Prefix: r.GetPrefix(), Timestamp: s.now().UnixNano()}
	for _, w := range wanted {
		s.log.Info("interface configured", "interface", w.name, "enabled", w.enabled)
		answer.Response = append(answer.Response, &gpb.UpdateResult{Path: w.path, Op: w.op})
	}
	return answer, nil
}

func (s *Server) portsByName(ctx context.Context) (map[string]contract.Port, error) {
	ports, err := s.ports.Ports(ctx)
	if err != nil {
		return nil, status.Errorf(codes.Internal, "read the ports: %v", err)
	}
	byName := map[string]contract.Port{}
	for _, p := range ports {
		byName[p.Name] = p
	}
	return byName, nil
}

func (s *Server) enable(ctx context.Context, wanted []enabling, before map[string]contract.Port) error {
	for i, w := range wanted {
		err := s.ports.SetPortEnabled(ctx, w.name, w.enabled)
		if err == nil {
			continue
		}
		for _, done := range slices.Backward(wanted[:i]) {
			err = errors.Join(err, s.ports.SetPortEnabled(ctx, done.name, before[done.name].Enabled))
		}
		return status.Errorf(codes.Aborted, "interface %s: %v; nothing was changed", w.name, err)
	}
	return nil
}

// enablings reads the operations in the order a Set is processed: delete, replace, update.
func (s *Server) enablings(r *gpb.SetRequest) ([]enabling, error) {
	var out []enabling
	for _, path := range r.GetDelete() {
		name, err := s.enabledPath(r.GetPrefix(), path)
		if err != nil {
			return nil, err
		}
		// Without a value the model's default holds: true.
		out = append(out, enabling{path, gpb.UpdateResult_DELETE, name, true})
	}
	for _, group := range []struct {
		updates []*gpb.Update
		op      gpb.UpdateResult_Operation
	}{{r.GetReplace(), gpb.UpdateResult_REPLACE}, {r.GetUpdate(), gpb.UpdateResult_UPDATE}} {
		for _, u := range group.updates {
			name, err := s.enabledPath(r.GetPrefix(), u.GetPath())
			if err != nil {
				return nil, err
			}
			enabled, err := boolean(u.GetVal())
			if err != nil {
				return nil, status.Errorf(codes.InvalidArgument, "interface %s: enabled: %v", name, err)
			}
			out = append(out, enabling{u.GetPath(), group.op, name, enabled})
		}
	}
	if len(r.GetUnionReplace()) > 0 {
		return nil, status.Error(codes.Unimplemented, "union_replace is not served; use update")
	}
	return out, nil
}

// enabledPath is the interface that a path to .../config/enabled names.
func (s *Server) enabledPath(prefix, path *gpb.Path) (string, error) {
	p, err := parsePath(s.root, prefix, path)
	if err != nil {
		return "", err
	}
	names := []string{"interfaces", "interface", "config", "enabled"}
	same := slices.EqualFunc(p.steps, names, func(s patternStep, name string) bool { return s.name == name })
	if !same {
		return "", status.Errorf(codes.InvalidArgument, "path %s cannot be set; only /interfaces/interface[name=…]/config/enabled can", p.text)
	}
	if name := p.steps[1].value; name != "" && name != anyStep {
		return name, nil
	}
	return "", status.Errorf(codes.InvalidArgument, "path %s: a Set must name the interface", p.text)
}

func boolean(v *gpb.TypedValue) (bool, error) {
	var raw []byte
	switch x := v.GetValue().(type) {
	case *gpb.TypedValue_BoolVal:
		return x.BoolVal, nil
	case *gpb.TypedValue_JsonVal:
		raw = x.JsonVal
	case *gpb.TypedValue_JsonIetfVal:
		raw = x.JsonIetfVal
	default:
		return false, fmt.Errorf("the value must be a boolean, as bool_val, json_val or json_ietf_val")
	}
	var b *bool
	if err := json.Unmarshal(raw, &b); err != nil || b == nil {
		return false, fmt.Errorf("%.40q is not true or false", raw)
	}
	return *b, nil
}
