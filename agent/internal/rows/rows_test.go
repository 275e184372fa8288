// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
	"sextant/agent/internal/journal"
)

// plane is a data plane that holds for a row its text, and for a user the text of the rows it uses.
type plane struct {
	set     *Set[string]
	held    map[contract.Key]string
	lost    map[contract.Key]bool
	begins  error
	refused map[contract.Key]error // by Put
	settles map[contract.Key]error // by Settle, once
	settled int
}

func (p *plane) Begin([]contract.Update) (map[contract.Key]bool, error) {
	return maps.Clone(p.lost), p.begins
}

func (p *plane) Translate(e contract.Entry) (string, error) {
	text := fmt.Sprint(e)
	for _, ref := range e.References() {
		text += " via " + fmt.Sprint(p.set.Get(ref).Entry)
	}
	if strings.Contains(text, "fcbb:dead::") {
		return "", contract.Errorf(contract.Unimplemented, "no such segment")
	}
	return text, nil
}

func (p *plane) Shows(contract.Entry) bool { return true }

func (p *plane) ShownIn(key contract.Key) []contract.Key {
	if key.Table != contract.TableEncapSource {
		return nil
	}
	var lists []contract.Key
	for _, list := range Of[contract.SIDList](p.set) {
		lists = append(lists, list.Key())
	}
	return lists
}

func (p *plane) Put(changes []Change[string]) error {
	for _, c := range changes {
		if err := p.refused[c.Key]; err != nil {
			return err
		}
	}
	for _, c := range changes {
		if delete(p.held, c.Key); c.New != nil {
			p.held[c.Key] = c.New.Objects
		}
	}
	return nil
}

func (p *plane) Settle(batch []Outcome) {
	p.settled++
	for i, o := range batch {
		if o.Err != nil {
			continue
		}
		if err := p.settles[o.Update.Entry.Key()]; err != nil {
			batch[i].Err = err
		}
	}
}

func newSet(t *testing.T, dir string) (*plane, []journal.Noted) {
	t.Helper()
	p := &plane{held: map[contract.Key]string{}, refused: map[contract.Key]error{}, settles: map[contract.Key]error{}}
	p.set = New[string](p, Options{StateDir: dir, Where: "the test", Log: t.Logf})
	unfinished, err := p.set.Open("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.set.Close() })
	p.set.Recall()
	return p, unfinished
}

func (p *plane) apply(op contract.Op, entries ...contract.Entry) []error {
	var batch []contract.Update
	for _, e := range entries {
		batch = append(batch, contract.Update{Op: op, Entry: e})
	}
	return p.set.Apply(context.Background(), batch)
}

func wantError(t *testing.T, err error, code contract.Code, saying string) {
	t.Helper()
	var e *contract.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(err.Error(), saying) {
		t.Errorf("got %v, want code %d saying %q", err, code, saying)
	}
}

func all(t *testing.T, errs []error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func list(id contract.SIDListID, segment string) contract.SIDList {
	return contract.SIDList{ID: id, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{netip.MustParseAddr(segment)}}}}
}

func steer(dst string, id contract.SIDListID) contract.Steering {
	return contract.Steering{Dst: netip.MustParsePrefix(dst), SIDList: id}
}

func TestOperationsFollowTheRules(t *testing.T) {
	p, _ := newSet(t, t.TempDir())
	all(t, p.apply(contract.Insert, list(7, "fcbb::1"), steer("fd00:3::/64", 7)))
	source := contract.EncapSource{Source: netip.MustParseAddr("fcff::1")}
	for _, tc := range []struct {
		name   string
		op     contract.Op
		entry  contract.Entry
		code   contract.Code
		saying string
	}{
		{"nothing", contract.Insert, nil, contract.InvalidArgument, "needs an entry"},
		{"no operation", 9, list(8, "fcbb::1"), contract.InvalidArgument, "operation 9"},
		{"insert twice", contract.Insert, list(7, "fcbb::1"), contract.AlreadyExists, "exists already"},
		{"modify none", contract.Modify, list(8, "fcbb::1"), contract.NotFound, "does not exist"},
		{"delete none", contract.Delete, list(8, "fcbb::1"), contract.NotFound, "does not exist"},
		{"invalid", contract.Insert, contract.SIDList{ID: 8}, contract.InvalidArgument, "1 to 256"},
		{"reference to none", contract.Insert, steer("fd00:4::/64", 8), contract.FailedPrecondition, "write sid_list 8 first"},
		{"delete of what is used", contract.Delete, list(7, "fcbb::1"), contract.FailedPrecondition, "is used by steering_v6 vrf 0 fd00:3::/64; delete its users first"},
		{"not translated", contract.Insert, list(8, "fcbb:dead::"), contract.Unimplemented, "no such segment"},
		{"a change that a user cannot follow", contract.Modify, list(7, "fcbb:dead::"), contract.Unimplemented, "no such segment"},
		{"insert of what is always there", contract.Insert, source, contract.InvalidArgument, "modified or reset"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			held := maps.Clone(p.held)
			wantError(t, p.apply(tc.op, tc.entry)[0], tc.code, tc.saying)
			if diff := cmp.Diff(held, p.held); diff != "" || p.set.Len() != 2 {
				t.Errorf("%d rows, and the data plane has changed:\n%s", p.set.Len(), diff)
			}
		})
	}
	all(t, p.apply(contract.Delete, source))
	all(t, p.apply(contract.Modify, source))
	all(t, p.apply(contract.Delete, source, steer("fd00:3::/64", 7), list(7, "fcbb::1")))
	if len(p.held) != 0 || p.set.Len() != 0 || len(p.set.users) != 0 {
		t.Errorf("left are %v, %v and %v", p.held, p.set.Keys(), p.set.users)
	}
}

func TestAChangedRowShowsInItsUsers(t *testing.T) {
	p, _ := newSet(t, t.TempDir())
	user := steer("fd00:3::/64", 7)
	all(t, p.apply(contract.Insert, list(7, "fcbb::1"), user))
	all(t, p.apply(contract.Modify, list(7, "fcbb::2")))
	if got := p.held[user.Key()]; !strings.Contains(got, "fcbb::2") || got != p.set.Get(user.Key()).Objects {
		t.Errorf("the data plane holds %q", got)
	}
	p.refused[user.Key()] = errors.New("full")
	before := maps.Clone(p.held)
	if err := p.apply(contract.Modify, list(7, "fcbb::3"))[0]; err == nil {
		t.Error("a change that a user refuses is taken")
	}
	if diff := cmp.Diff(before, p.held); diff != "" || !strings.Contains(fmt.Sprint(p.set.Get(contract.SIDListKey(7))), "fcbb::2") {
		t.Errorf("the row is %v, the data plane changed:\n%s", p.set.Get(contract.SIDListKey(7)), diff)
	}
}

func TestOnlyALostRowIsInsertedOnceMore(t *testing.T) {
	p, _ := newSet(t, t.TempDir())
	all(t, p.apply(contract.Insert, list(7, "fcbb::1")))
	p.lost = map[contract.Key]bool{contract.SIDListKey(7): true}
	errs := p.apply(contract.Insert, list(7, "fcbb::1"), list(7, "fcbb::1"))
	if errs[0] != nil {
		t.Errorf("a lost row is refused: %v", errs[0])
	}
	wantError(t, errs[1], contract.AlreadyExists, "exists already")
}

func TestWhatDoesNotTakeAtTheEndOfABatchIsPutBack(t *testing.T) {
	dir := t.TempDir()
	p, _ := newSet(t, dir)
	all(t, p.apply(contract.Insert, list(7, "fcbb::1")))
	user := steer("fd00:3::/64", 9)
	broken := errors.New("shows something else")
	p.settles = map[contract.Key]error{contract.SIDListKey(7): broken, user.Key(): broken, contract.SIDListKey(9): broken}
	p.settled = 0
	errs := p.set.Apply(context.Background(), []contract.Update{
		{Op: contract.Modify, Entry: list(7, "fcbb::2")},
		{Op: contract.Insert, Entry: list(8, "fcbb::1")},
		{Op: contract.Insert, Entry: list(9, "fcbb::1")},
		{Op: contract.Insert, Entry: user},
	})
	if errs[0] == nil || errs[1] != nil || errs[2] == nil || errs[3] == nil {
		t.Errorf("errors %v", errs)
	}
	want := []contract.Key{contract.SIDListKey(7), contract.SIDListKey(8)}
	if got := p.set.Keys(); !slices.Equal(got, want) || !strings.Contains(p.held[want[0]], "fcbb::1") || len(p.held) != 2 || p.settled != 2 {
		t.Errorf("rows %v, held %v, settled %d times", got, p.held, p.settled)
	}
	if err := p.set.Close(); err != nil {
		t.Fatal(err)
	}
	again, _ := newSet(t, dir)
	if got := again.set.Keys(); !slices.Equal(got, want) {
		t.Errorf("the next agent has %v, want %v", got, want)
	}
}

func TestABatchThatCannotBeginChangesNothing(t *testing.T) {
	p, _ := newSet(t, t.TempDir())
	p.begins = contract.Errorf(contract.FailedPrecondition, "away")
	for _, err := range p.apply(contract.Insert, list(7, "fcbb::1"), list(8, "fcbb::1")) {
		wantError(t, err, contract.FailedPrecondition, "away")
	}
	p.begins = nil
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.set.Apply(ctx, []contract.Update{{Op: contract.Insert, Entry: list(7, "fcbb::1")}})[0]; !errors.Is(err, context.Canceled) {
		t.Errorf("after the deadline: %v", err)
	}
	if len(p.held) != 0 {
		t.Errorf("held %v", p.held)
	}
}

// interrupt leaves the journal of an agent that was killed within a batch.
func interrupt(t *testing.T, dir string, batch ...contract.Update) {
	t.Helper()
	j, rows, _, err := journal.Open(dir, "test", t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	entries := func() []contract.Entry { return rows }
	if err := errors.Join(j.Begin(journal.Batch(batch), entries), j.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAnInterruptedBatchIsFinishedOrAssumed(t *testing.T) {
	for name, resume := range map[string]func(*Set[string], []journal.Noted){"finish": (*Set[string]).Finish, "assume": (*Set[string]).Assume} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p, _ := newSet(t, dir)
			all(t, p.apply(contract.Insert, list(7, "fcbb::1"), list(8, "fcbb::1"), steer("fd00:3::/64", 7), steer("fd00:4::/64", 8)))
			if err := p.set.Close(); err != nil {
				t.Fatal(err)
			}
			interrupt(t, dir, contract.Update{Op: contract.Modify, Entry: list(7, "fcbb::2")}, contract.Update{Op: contract.Modify, Entry: steer("fd00:4::/64", 7)},
				contract.Update{Op: contract.Delete, Entry: list(8, "fcbb::1")}, contract.Update{Op: contract.Insert, Entry: list(9, "fcbb::1")})
			p, unfinished := newSet(t, dir)
			resume(p.set, unfinished)
			want := []contract.Key{contract.SIDListKey(7), contract.SIDListKey(9), steer("fd00:3::/64", 7).Key(), steer("fd00:4::/64", 7).Key()}
			if got := p.set.Keys(); !slices.Equal(got, want) || !strings.Contains(fmt.Sprint(p.set.Get(want[0])), "fcbb::2") {
				t.Errorf("rows %v, want %v", got, want)
			}
			if users := p.set.Users(want[0]); len(users) != 2 || len(p.set.users) != 1 {
				t.Errorf("users %v of %v", users, p.set.users)
			}
		})
	}
}

func TestARowWithoutWhatItRefersToIsForgotten(t *testing.T) {
	dir := t.TempDir()
	interrupt(t, dir, contract.Update{Op: contract.Insert, Entry: steer("fd00:3::/64", 7)})
	p, unfinished := newSet(t, dir)
	p.set.Assume(unfinished)
	p.set.Recall()
	if p.set.Len() != 0 || len(p.set.users) != 0 {
		t.Errorf("rows %v, users %v", p.set.Keys(), p.set.users)
	}
}

// Every kind of entry can be written, is there for the next agent, and can be taken away.
func TestEveryKindLivesAndSurvives(t *testing.T) {
	dir := t.TempDir()
	p, _ := newSet(t, dir)
	var want []contract.Key
	for _, e := range sample.Entries() {
		op := contract.Insert
		if kind, _ := contract.KindOf(e); kind.AlwaysThere {
			op = contract.Modify
		}
		all(t, p.apply(op, e))
		want = append(want, e.Key())
	}
	slices.SortFunc(want, contract.Key.Compare)
	if err := p.set.Close(); err != nil {
		t.Fatal(err)
	}
	p, _ = newSet(t, dir)
	if got := p.set.Keys(); !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	for _, e := range slices.Backward(sample.Entries()) {
		if p.set.Get(e.Key()) != nil {
			all(t, p.apply(contract.Delete, e))
		}
	}
	if p.set.Len() != 0 || len(p.set.users) != 0 {
		t.Errorf("left are %v and %v", p.set.Keys(), p.set.users)
	}
}

func TestOneAgentPerStateDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	newSet(t, dir)
	if _, err := New[string](&plane{}, Options{StateDir: dir, Log: t.Logf}).Open("test"); err == nil {
		t.Error("two have it")
	}
}
