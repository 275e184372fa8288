// SPDX-License-Identifier: Apache-2.0

// Package portwatch notifies watchers of changes of a node's ports.
package portwatch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"sextant/agent/internal/contract"
)

// A Watch notifies any number of watchers of changes of the ports. Each watcher has a pending set with at most one
// state per port, so that a slow one neither blocks others nor grows.
type Watch struct {
	mu       sync.Mutex
	last     map[contract.PortID]contract.Port
	watchers map[*watcher]bool
	closed   bool
	running  sync.WaitGroup
}

type watcher struct {
	pending map[contract.PortID]contract.Port
	wake    chan struct{}
	stop    chan struct{}
}

// Publish compares the ports with the last time and queues the changes for every watcher.
func (w *Watch) Publish(read func(context.Context) ([]contract.Port, error)) error {
	ports, err := read(context.Background())
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	first := w.last == nil
	if first {
		w.last = map[contract.PortID]contract.Port{}
	}
	for _, p := range ports {
		before := w.last[p.ID]
		w.last[p.ID] = p
		if first || samePort(before, p) {
			continue
		}
		for one := range w.watchers {
			one.pending[p.ID] = p
			select {
			case one.wake <- struct{}{}:
			default:
			}
		}
	}
	return nil
}

// samePort leaves the counters out.
func samePort(a, b contract.Port) bool {
	return a.Name == b.Name && a.MAC == b.MAC && a.MTUBytes == b.MTUBytes && a.Enabled == b.Enabled &&
		a.Up == b.Up && a.Index == b.Index && a.Speed == b.Speed && slices.Equal(a.Addresses, b.Addresses)
}

// Subscribe gives the changes from now on until ctx ends or the watch is closed; then the channel is closed.
func (w *Watch) Subscribe(ctx context.Context) (<-chan contract.Port, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errors.New("the node is closed")
	}
	one := &watcher{pending: map[contract.PortID]contract.Port{}, wake: make(chan struct{}, 1), stop: make(chan struct{})}
	if w.watchers == nil {
		w.watchers = map[*watcher]bool{}
	}
	w.watchers[one] = true
	out := make(chan contract.Port)
	w.running.Go(func() {
		defer close(out)
		w.deliver(ctx, one, out)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.watchers, one)
	})
	return out, nil
}

func (w *Watch) deliver(ctx context.Context, one *watcher, out chan<- contract.Port) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-one.stop:
			return
		case <-one.wake:
		}
		w.mu.Lock()
		pending := one.pending
		one.pending = map[contract.PortID]contract.Port{}
		w.mu.Unlock()
		for _, id := range slices.Sorted(maps.Keys(pending)) {
			select {
			case out <- pending[id]:
			case <-ctx.Done():
				return
			case <-one.stop:
				return
			}
		}
	}
}

// Close ends all watchers and waits for them.
func (w *Watch) Close() {
	w.mu.Lock()
	w.closed = true
	for one := range w.watchers {
		close(one.stop)
	}
	w.mu.Unlock()
	w.running.Wait()
}
