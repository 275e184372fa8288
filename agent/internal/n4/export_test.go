// SPDX-License-Identifier: Apache-2.0

package n4

import "context"

// While does something between two events.
func (s *Service) While(ctx context.Context, do func()) error {
	done := make(chan struct{})
	select {
	case s.asked <- func() { do(); close(done) }:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Kept says how many sessions the journal had.
func (s *Service) Kept() int { return s.machine.Status().Sessions.All }
