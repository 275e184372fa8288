// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"errors"

	"sextant/agent/internal/contract"
)

// A Step is whether a plane has something to do, and why it could not.
type Step struct {
	of      string
	due     bool
	failure error
}

// StepOf is one whose failures name the object that cannot be reconciled.
func StepOf(of string) Step { return Step{of: of} }

// Due says that there is something to do.
func (s *Step) Due() { s.due = true }

// Sync does it, if there is. A failure without a sentence for the writers of the rows is given one.
func (s *Step) Sync(do func() error) error {
	if !s.due {
		return nil
	}
	s.failure = s.worded(do())
	s.due = s.failure != nil
	return s.failure
}

func (s *Step) worded(err error) error {
	var known *contract.Error
	if err == nil || s.of == "" || errors.As(err, &known) {
		return err
	}
	return &contract.Error{Code: contract.Internal, Message: s.of + " cannot be brought in step", Err: err}
}

// Failure is why the last Sync failed.
func (s *Step) Failure() error { return s.failure }

// Outage is that of all rows of a plane that brings them in step together.
func (s *Step) Outage(e contract.Entry) error {
	if s.failure == nil {
		return nil
	}
	return contract.Errorf(contract.Internal, "%s: %s cannot be brought in step", e.Key(), s.of)
}
