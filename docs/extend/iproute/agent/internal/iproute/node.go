// SPDX-License-Identifier: Apache-2.0

// Package iproute serves the contract with the command ip of iproute2: routes, adjacencies and some SIDs.
package iproute

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/vishvananda/netns"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/portwatch"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
)

// lookEvery is how often the ports are looked at.
const lookEvery = 500 * time.Millisecond

// Options of a Node.
type Options struct {
	NetNS    string // by name; "" is the agent's own
	Ports    map[contract.PortID]string
	StateDir string
	Log      func(format string, args ...any)
}

// A Node serves the contract in one network namespace. It is safe for concurrent use.
type Node struct {
	options Options
	tool    tool
	handle  netns.NsHandle
	punts   *punt.Sockets
	watch   portwatch.Watch
	stop    context.CancelFunc
	running sync.WaitGroup

	mu   sync.Mutex // guards the rows: the kernel is changed by one batch at a time
	rows *rows.Set[[]object]
}

var _ contract.Backend = (*Node)(nil)

// Open takes over what a former agent wrote, and serves it.
func Open(options Options) (*Node, error) {
	n := &Node{options: options, tool: tool{options.NetNS}, handle: netns.None(), stop: func() {}}
	n.rows = rows.New(effects{n}, rows.Options{StateDir: options.StateDir, Where: "the kernel", Log: options.Log})
	if err := n.open(); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	ctx, stop := context.WithCancel(context.Background())
	n.stop = stop
	n.running.Go(func() { n.attend(ctx) })
	return n, nil
}

func (n *Node) open() (err error) {
	if n.handle, err = netspace.Open(n.options.NetNS, "run as root, and give --netns a namespace that exists"); err != nil {
		return err
	}
	n.punts = punt.Open(int(n.handle), n.options.Log)
	if err := n.tool.prepare(slices.Collect(maps.Values(n.options.Ports))); err != nil {
		return err
	}
	unfinished, err := n.rows.Open("iproute " + n.options.NetNS)
	if err != nil {
		return err
	}
	n.rows.Assume(unfinished) // all is written anew
	n.rows.Recall()
	for _, r := range n.rows.All() {
		if err := n.tool.exchange(nil, r.Objects); err != nil {
			return err
		}
	}
	n.rows.Compact()
	return n.look()
}

// Close stops serving; what was written stays.
func (n *Node) Close() error {
	n.stop()
	n.running.Wait()
	n.watch.Close()
	if n.punts != nil {
		n.punts.Close()
	}
	errs := []error{n.rows.Close()}
	if n.handle.IsOpen() {
		errs = append(errs, n.handle.Close())
	}
	return errors.Join(errs...)
}

// Uninstall deletes all rows and what they made the kernel hold.
func (n *Node) Uninstall(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	forgotten, forget := n.rows.Clear()
	var errs []error
	for _, r := range forgotten {
		errs = append(errs, n.tool.exchange(r.Objects, nil))
	}
	return errors.Join(append(errs, forget())...)
}

// Apply carries out a batch, see contract.Backend; the rules are the Set's.
func (n *Node) Apply(ctx context.Context, updates []contract.Update) []error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rows.Apply(ctx, updates)
}

// Entries are the rows that the kernel shows as they were written.
func (n *Node) Entries(_ context.Context, table string) ([]contract.Stored, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []contract.Stored
	for _, key := range n.rows.Keys() {
		r := n.rows.Get(key)
		if (table == "" || table == key.Table) && n.tool.shows(r.Objects) == nil {
			out = append(out, contract.Stored{Entry: r.Entry})
		}
	}
	return out, nil
}

// effects are what rows have on the kernel.
type effects struct{ *Node }

var _ rows.Backend[[]object] = effects{}

// Begin finds the rows that another program deleted: they may be inserted once more.
func (n effects) Begin(batch []contract.Update) (map[contract.Key]bool, error) {
	lost := map[contract.Key]bool{}
	for _, u := range batch {
		if u.Entry == nil {
			continue
		}
		if r := n.rows.Get(u.Entry.Key()); r != nil && n.tool.shows(r.Objects) != nil {
			lost[u.Entry.Key()] = true
		}
	}
	return lost, nil
}

// Shows is true: a route names what it leads to.
func (effects) Shows(contract.Entry) bool { return true }

// ShownIn is nothing: a row that is shown is referred to.
func (effects) ShownIn(contract.Key) []contract.Key { return nil }

// Put exchanges what the rows made, or puts it back.
func (n effects) Put(changes []rows.Change[[]object]) error {
	for i, c := range changes {
		err := n.tool.exchange(objectsOf(c.Old), objectsOf(c.New))
		if err == nil {
			continue
		}
		for _, done := range slices.Backward(changes[:i+1]) {
			if undone := n.tool.exchange(objectsOf(done.New), objectsOf(done.Old)); undone != nil {
				n.options.Log("while undoing: %v", undone)
			}
		}
		return err
	}
	return n.listen()
}

// Settle reads back.
func (n effects) Settle(batch []rows.Outcome) {
	for i := range batch {
		o := &batch[i]
		if r := n.rows.Get(o.Update.Entry.Key()); o.Err == nil && r != nil {
			o.Err = n.tool.shows(r.Objects)
		}
	}
}

func objectsOf(r *rows.Row[[]object]) []object {
	if r == nil {
		return nil
	}
	return r.Objects
}
