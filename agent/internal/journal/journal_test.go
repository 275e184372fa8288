// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

const namespace = "boot/1"

// agent is a back end with a journal: rows in a data plane that follow every batch, and the acknowledged ones among
// them.
type agent struct {
	disk    *crash.Disk
	journal *Journal
	rows    map[contract.Key]contract.Entry
	// may are the values, nil for none, that a row may have after a crash: the acknowledged one and those tried
	// since.
	may map[contract.Key][]contract.Entry
}

func newAgent(disk *crash.Disk) *agent {
	a := &agent{disk: disk, rows: map[contract.Key]contract.Entry{}, may: map[contract.Key][]contract.Entry{}}
	a.journal = open(disk)
	_ = a.journal.Compact(nil) // may fail, as in an adoption
	return a
}

func open(disk *crash.Disk) *Journal {
	j, _, _, err := openOn(disk, Name, namespace, func(string, ...any) {})
	if err != nil {
		panic(err)
	}
	return j
}

// replay reads the bytes of a journal.
func replay(data []byte, namespace string) (rows []contract.Entry, unfinished []Noted, damage error) {
	disk := crash.New()
	if err := durable.Replace(disk, Name, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		panic(err)
	}
	_, rows, unfinished, err := openOn(disk, Name, namespace, func(format string, args ...any) { damage = fmt.Errorf(format, args...) })
	if err != nil {
		panic(err)
	}
	return rows, unfinished, damage
}

func (a *agent) entries() []contract.Entry { return slices.Collect(maps.Values(a.rows)) }

// apply is Apply of a back end: changes that could not be made durable are in the data plane nevertheless.
func (a *agent) apply(updates ...contract.Update) {
	if a.journal.Begin(Batch(updates), a.entries) != nil {
		return // nothing was changed
	}
	errs := make([]error, len(updates))
	for i, u := range updates {
		key := u.Entry.Key()
		was, there := a.rows[key]
		switch {
		case u.Op == contract.Insert && there, u.Op != contract.Insert && !there:
			errs[i] = errors.New("refused")
			continue
		case u.Op == contract.Delete:
			delete(a.rows, key)
			a.may[key] = append(a.may[key], nil)
		default:
			a.rows[key] = u.Entry
			a.may[key] = append(a.may[key], u.Entry)
		}
		if !there {
			a.may[key] = append(a.may[key], nil)
		} else {
			a.may[key] = append(a.may[key], was)
		}
	}
	if a.journal.Done(errs, a.entries) != nil {
		return
	}
	for i, u := range updates {
		if errs[i] == nil {
			a.may[u.Entry.Key()] = []contract.Entry{a.rows[u.Entry.Key()]}
		}
	}
}

// check crashes in every possible state, and compares the rows that the next agent would read. When this process alone
// dies, these are the rows of the data plane, acknowledged or not: a client that read one there may rely on it.
func (a *agent) check(t *testing.T, when string) {
	t.Helper()
	if data, _ := a.disk.Killed().ReadFile(Name); !reflect.DeepEqual(known(string(data)), a.rows) {
		t.Fatalf("%s: killed, the agent remembers %v, the data plane holds %v\n%s", when, known(string(data)), a.rows, data)
	}
	for disk := range a.disk.After() {
		data, err := disk.ReadFile(Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		rows := known(string(data))
		for key, may := range a.may {
			if !slices.ContainsFunc(may, func(e contract.Entry) bool { return reflect.DeepEqual(e, rows[key]) }) {
				t.Fatalf("%s: after a crash %s is %v, want one of %v\n%s", when, key, rows[key], may, data)
			}
		}
	}
}

var replayed = map[string]map[contract.Key]contract.Entry{} // the same files are left by many crashes

// known are the rows that the next agent has, with an interrupted batch finished.
func known(data string) map[contract.Key]contract.Entry {
	if rows, ok := replayed[data]; ok {
		return rows
	}
	remembered, unfinished, _ := replay([]byte(data), namespace)
	rows := finished(remembered, unfinished)
	replayed[data] = rows
	return rows
}

// finished are rows with an interrupted batch done.
func finished(remembered []contract.Entry, unfinished []Noted) map[contract.Key]contract.Entry {
	rows := map[contract.Key]contract.Entry{}
	for _, e := range remembered {
		rows[e.Key()] = e
	}
	for _, u := range unfinished {
		switch {
		case u.Op == contract.Delete:
			delete(rows, u.Key)
		case u.Entry.Entry != nil && (u.Op == contract.Insert) == (rows[u.Key] == nil):
			rows[u.Key] = u.Entry.Entry
		}
	}
	return rows
}

func row(id int, segment string) contract.Entry {
	return contract.SIDList{ID: contract.SIDListID(id), Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{netip.MustParseAddr(segment)}}}}
}

func updates(op contract.Op, entries ...contract.Entry) (out []contract.Update) {
	for _, e := range entries {
		out = append(out, contract.Update{Op: op, Entry: e})
	}
	return out
}

// story is a life of an agent: batches of all operations, some of which fail, and a rewrite in the middle.
func story(a *agent, after func(string)) {
	batches := [][]contract.Update{
		updates(contract.Insert, row(1, "::1"), row(2, "::1")),
		updates(contract.Insert, row(2, "::9"), row(3, "::1")), // the first exists
		updates(contract.Modify, row(1, "::2")),
		updates(contract.Delete, row(3, "::1"), row(4, "::1")), // the second does not exist
		nil,
		append(updates(contract.Insert, row(3, "::3")), updates(contract.Delete, row(2, "::1"))...),
		updates(contract.Modify, row(1, "::3"), row(3, "::4")),
		updates(contract.Insert, row(2, "::5")),
	}
	for i, batch := range batches {
		if batch == nil {
			_ = a.journal.Compact(a.entries())
		} else {
			a.apply(batch...)
		}
		after(fmt.Sprintf("after batch %d", i))
	}
}

func TestWhatWasAcknowledgedIsRememberedAfterEveryCrash(t *testing.T) {
	clean := newAgent(crash.New())
	story(clean, func(when string) { clean.check(t, when) })
	for step := range clean.disk.Steps {
		for _, lasting := range []int{1, 1000} {
			for _, torn := range []int{0, 30} {
				disk := crash.New()
				disk.FailFrom, disk.FailTo, disk.TornBytes = step, step+lasting, torn
				a := newAgent(disk)
				story(a, func(when string) {
					a.check(t, fmt.Sprintf("steps %d to %d fail, %d bytes of a write arrive, %s", step, step+lasting, torn, when))
				})
			}
		}
	}
}

func TestADiskThatIsFullAtAnyByteLosesNothingThatWasAcknowledged(t *testing.T) {
	clean := newAgent(crash.New())
	clean.disk.RoomBytes = 1 << 20
	story(clean, func(string) {})
	all := 1<<20 - clean.disk.RoomBytes
	for room := 0; room < all; room += 3 {
		disk := crash.New()
		disk.RoomBytes = room
		a := newAgent(disk)
		story(a, func(when string) { a.check(t, fmt.Sprintf("%d bytes of room, %s", room, when)) })
		before := len(a.rows)
		disk.RoomBytes = crash.Unlimited
		a.apply(updates(contract.Insert, row(9, "::9"))...)
		a.check(t, fmt.Sprintf("%d bytes of room, then more", room))
		if len(a.rows) != before+1 || len(a.may[row(9, "::9").Key()]) != 1 {
			t.Errorf("%d bytes of room, then more: a write does not succeed", room)
		}
	}
}

func TestAFullDiskRefusesBeforeAnythingIsChanged(t *testing.T) {
	a := newAgent(crash.New())
	a.apply(updates(contract.Insert, row(1, "::1"))...)
	a.disk.RoomBytes = 10
	for range 3 {
		if err := a.journal.Begin(Batch(updates(contract.Insert, row(2, "::1"))), a.entries); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("Begin = %v, want it to name the reason", err)
		}
	}
	a.check(t, "full")
}

func TestTheJournalIsBoundedInBytes(t *testing.T) {
	a := newAgent(crash.New())
	large := contract.SIDList{ID: 1}
	for i := range 250 {
		large.Members = append(large.Members, contract.SIDListMember{Weight: uint32(i + 1), Segments: slices.Repeat([]netip.Addr{netip.MustParseAddr("fcbb:bbbb:100:200:300:400:500:600")}, 16)})
	}
	a.apply(updates(contract.Insert, large)...)
	most := 0
	for i := range 60 {
		large.Members[0].Weight = uint32(i)
		a.apply(updates(contract.Modify, large)...)
		data, err := a.disk.ReadFile(Name)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(data))
	}
	record, err := encodeRecord(record{Rows: []Tagged{{large}}})
	if err != nil {
		t.Fatal(err)
	}
	if limit := 1<<20 + 3*len(record); most > limit {
		t.Errorf("60 changes of a row of %d bytes make a file of %d bytes, want at most %d", len(record), most, limit)
	}
}

func TestASnapshotOfManyRowsIsReadBack(t *testing.T) {
	a := newAgent(crash.New())
	for i := range 2*rowsPerRecord + 1 {
		e := row(i+1, "::1")
		a.rows[e.Key()] = e
	}
	if err := a.journal.Compact(a.entries()); err != nil {
		t.Fatal(err)
	}
	data, err := a.disk.ReadFile(Name)
	if err != nil {
		t.Fatal(err)
	}
	if rows, unfinished, damage := replay(data, namespace); len(rows) != len(a.rows) || unfinished != nil || damage != nil {
		t.Errorf("replay gives %d rows, %v, %v; want %d", len(rows), unfinished, damage, len(a.rows))
	}
}
