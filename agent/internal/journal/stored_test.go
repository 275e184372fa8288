// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
)

// testdata/rows.journal was written by an agent from before the registry of kinds: all of the samples,
// and a batch that was not finished. It is never written anew: a kind that is younger is not in it.
func TestAJournalThatAFormerAgentWroteIsRead(t *testing.T) {
	raw, err := os.ReadFile("testdata/rows.journal")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, Name), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	j, rows, unfinished, err := Open(dir, namespace, func(format string, args ...any) { t.Errorf(format, args...) })
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	read := map[contract.Key]contract.Entry{}
	for _, e := range rows {
		read[e.Key()] = e
	}
	var last contract.Entry
	for _, e := range sample.Entries()[:25] {
		if !reflect.DeepEqual(read[e.Key()], e) {
			t.Errorf("%s is read as %+v, want %+v", e.Key(), read[e.Key()], e)
		}
		last = e
	}
	if len(rows) != 25 {
		t.Errorf("%d rows, want 25", len(rows))
	}
	want := []Noted{
		{Op: contract.Modify, Key: last.Key(), Entry: Tagged{last}},
		{Op: contract.Delete, Key: contract.Key{Table: contract.TableMySID, Match: "fcbb:bbbb:100::/48"}},
	}
	if !reflect.DeepEqual(unfinished, want) {
		t.Errorf("unfinished %+v, want %+v", unfinished, want)
	}
}

// The agent of today writes, byte for byte, the same journal as that one: so a fleet can go back.
func TestAJournalIsWrittenAsAFormerAgentWroteIt(t *testing.T) {
	raw, err := os.ReadFile("testdata/rows.journal")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	j, _, _, err := Open(dir, namespace, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Compact(sample.Entries()[:24]); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil {
		t.Fatal(err)
	}
	if string(raw[:len(written)]) != string(written) {
		t.Errorf("wrote\n%s\nwant\n%s", written, raw[:len(written)])
	}
}
