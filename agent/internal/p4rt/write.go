// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/canonical"
	"sextant/agent/internal/contract"
)

// Write carries out a batch for the primary. Each update stands alone: one that fails leaves its
// entry as it was and does not stop the others.
func (s *Server) Write(ctx context.Context, r *p4.WriteRequest) (*p4.WriteResponse, error) {
	if err := s.authorize(r); err != nil { // a client that may not write is refused at once
		return nil, err
	}
	s.writes.Lock()
	defer s.writes.Unlock()
	if err := s.authorize(r); err != nil {
		return nil, err
	}
	if !s.pipeline.ready() {
		return nil, canonical.Error(errNoPipeline())
	}
	if r.GetAtomicity() != p4.WriteRequest_CONTINUE_ON_ERROR {
		return nil, status.Errorf(codes.Unimplemented, "atomicity %v is not served, only CONTINUE_ON_ERROR is", r.GetAtomicity())
	}
	if err := batchError("update", s.apply(ctx, r.GetUpdates())); err != nil {
		return nil, err
	}
	return &p4.WriteResponse{}, nil
}

// apply returns one error, or nil, per update.
func (s *Server) apply(ctx context.Context, messages []*p4.Update) []error {
	errs := make([]error, len(messages))
	decoded := make([]Update, len(messages))
	var updates []contract.Update
	var places []int // where in messages the updates stand
	for i, m := range messages {
		if decoded[i], errs[i] = s.schema.Update(m); errs[i] == nil && !decoded[i].Touch {
			updates = append(updates, decoded[i].Update)
			places = append(places, i)
		}
	}
	if len(updates) > 0 {
		for i, err := range s.tables.Apply(ctx, updates) {
			errs[places[i]] = forgiveReset(updates[i], err)
		}
	}
	there := presence{tables: s.tables, rows: map[string]map[contract.Key]bool{}}
	for i, u := range decoded {
		if errs[i] == nil && u.Touch {
			errs[i] = there.check(ctx, u.Entry.Key())
		}
	}
	s.keepCookies(decoded, errs)
	return errs
}

// keepCookies records the controller's metadata of the written entries.
func (s *Server) keepCookies(decoded []Update, errs []error) {
	var changes []cookieChange
	for i, u := range decoded {
		if errs[i] == nil {
			changes = append(changes, cookieChange{u.Entry.Key(), u.cookie})
		}
	}
	err := s.cookies.keep(changes)
	for i := range errs {
		if err != nil && errs[i] == nil {
			errs[i] = &contract.Error{
				Code: contract.Internal, Err: err,
				Message: "the entry is written, but its metadata would not survive a restart of the agent",
				Remedy:  "make room in the state directory and write it again",
			}
		}
	}
}

// forgiveReset: the default entry is always there, so putting it back twice is no error.
func forgiveReset(u contract.Update, err error) error {
	if kind, _ := contract.KindOf(u.Entry); kind.AlwaysThere && u.Op == contract.Delete && canonical.Code(err) == codes.NotFound {
		return nil
	}
	return err
}

// presence looks for entries; each table is read once.
type presence struct {
	tables Tables
	rows   map[string]map[contract.Key]bool
}

// check is all that a Modify without an action asks for.
func (p presence) check(ctx context.Context, key contract.Key) error {
	if p.rows[key.Table] == nil {
		stored, err := p.tables.Entries(ctx, key.Table)
		if err != nil {
			return err
		}
		p.rows[key.Table] = map[contract.Key]bool{}
		for _, row := range stored {
			p.rows[key.Table][row.Entry.Key()] = true
		}
	}
	if !p.rows[key.Table][key] {
		return contract.Errorf(contract.NotFound, "%s is not there", key)
	}
	return nil
}
