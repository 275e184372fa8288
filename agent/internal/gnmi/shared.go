// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"sync"

	"google.golang.org/grpc/status"
)

// A reading is one look at a part of the node, for all that asked before it began.
type reading[T any] struct {
	done chan struct{}
	what T
	err  error
}

// shared has readings of one part of the node made one at a time, and each for all waiting callers.
type shared[T any] struct {
	read func(context.Context) (T, error)
	// running are the callers that wait for readings to end.
	running *sync.WaitGroup
	// looks makes readings one at a time.
	looks sync.Mutex

	mu sync.Mutex // guards the fields below
	// next is a reading that has not begun; nil for none.
	next *reading[T]
}

// ask returns the state of the node now or a little later.
func (s *shared[T]) ask(ctx context.Context) (T, error) {
	s.mu.Lock()
	r := s.next
	if r == nil {
		r = &reading[T]{done: make(chan struct{})}
		s.next = r
		s.running.Go(func() { s.look(context.WithoutCancel(ctx), r) })
	}
	s.mu.Unlock()
	select {
	case <-r.done:
		return r.what, r.err
	case <-ctx.Done():
		var none T
		return none, status.FromContextError(ctx.Err()).Err()
	}
}

// waiting reports whether a caller waits for a reading that has not begun.
func (s *shared[T]) waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next != nil
}

func (s *shared[T]) look(ctx context.Context, r *reading[T]) {
	defer close(r.done)
	s.looks.Lock()
	defer s.looks.Unlock()
	s.mu.Lock()
	s.next = nil // later callers need the state of a later time
	s.mu.Unlock()
	r.what, r.err = s.read(ctx)
}
