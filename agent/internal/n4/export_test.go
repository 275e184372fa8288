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

// Waiting returns how many bytes wait for the core.
func (s *Service) Waiting() int { return int(s.waiting.Load()) }

// Overflow returns how many datagrams were lost.
func (s *Service) Overflow() int { return int(s.overflow.Load()) }

// Held returns how many bytes of answers wait for the disk.
func (s *Service) Held() int { return s.heldNow }

// Kept says how many sessions the journal had.
func (s *Service) Kept() int { return s.machine.Status().Sessions.All }
