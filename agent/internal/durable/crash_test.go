// SPDX-License-Identifier: Apache-2.0

package durable_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

// pairs is a state of keys and values in a record log.
type pairs struct {
	log *durable.RecordLog
	all map[string]string
}

func openPairs(disk durable.Disk) (*pairs, error) {
	p := &pairs{all: map[string]string{}}
	log, err := durable.OpenRecordLog(durable.RecordLogOptions{
		Disk: disk, Path: "dir/f", Independent: true, Read: p.read, Say: func(string, ...any) {},
	})
	p.log = log
	return p, err
}

func (p *pairs) read(line []byte) error {
	text, err := durable.Unsummed(line)
	if err == nil {
		key, value, _ := bytes.Cut(text, []byte("="))
		p.put(string(key), string(value))
	}
	return err
}

func (p *pairs) put(key, value string) {
	if p.all[key] = value; value == "" {
		delete(p.all, key)
	}
}

func (p *pairs) state(w io.Writer) error {
	for _, key := range slices.Sorted(maps.Keys(p.all)) {
		if _, err := w.Write(durable.Summed([]byte(key + "=" + p.all[key]))); err != nil {
			return err
		}
	}
	return nil
}

// subject lives on a record log: puts, removals and rewrites of lines from a few bytes to some blocks.
func subject(wrong func(durable.Disk) durable.Disk) crash.Subject {
	return crash.Subject{
		Wrong: wrong,
		Live: func(random *rand.Rand, h *crash.History) error {
			p, err := openPairs(h.Disk)
			for step := 0; err == nil && step < 30; step++ {
				var lines []byte
				for range 1 + random.IntN(3) {
					key, value := fmt.Sprint("k", random.IntN(6)), ""
					if random.IntN(4) > 0 {
						value = fmt.Sprint(step, strings.Repeat("x", random.IntN(3)*random.IntN(3000)))
					}
					h.Try(key, value)
					p.put(key, value)
					lines = append(lines, durable.Summed([]byte(key+"="+value))...)
				}
				if random.IntN(8) == 0 {
					err = p.log.Spoil()
				}
				if err == nil {
					err = p.log.Commit(lines, p.state)
				}
				h.Acknowledge()
			}
			return err
		},
		Open: func(disk durable.Disk) (map[string]string, error) {
			p, err := openPairs(disk)
			if err == nil {
				err = p.log.Rewrite(p.state)
			}
			return p.all, err
		},
	}
}

func TestARecordLogKeepsWhatWasAcknowledgedAfterEveryCrash(t *testing.T) { crash.Test(t, subject(nil)) }

// unsynced is a disk whose syncs do nothing, of files with some names.
type unsynced struct {
	durable.Disk
	suffix string
}

func (u unsynced) Create(name string) (durable.File, error) {
	f, err := u.Disk.Create(name)
	if strings.HasSuffix(name, u.suffix) {
		f = &lazyFile{File: f, syncs: u.suffix != ""}
	}
	return f, err
}

func (u unsynced) SyncFolder(name string) error {
	if u.suffix == "" {
		return nil
	}
	return u.Disk.SyncFolder(name)
}

// lazyFile leaves out its first sync, or all.
type lazyFile struct {
	durable.File
	syncs bool
	began bool
}

func (f *lazyFile) Sync() error {
	if f.syncs && f.began {
		return f.File.Sync()
	}
	f.began = true
	return nil
}

func TestTheCheckFindsALogThatIsWrong(t *testing.T) {
	for name, wrong := range map[string]func(durable.Disk) durable.Disk{
		"no sync":                     func(d durable.Disk) durable.Disk { return unsynced{d, ""} },
		"renamed before it is synced": func(d durable.Disk) durable.Disk { return unsynced{d, ".next"} },
	} {
		verdicts, err := crash.Check(1, 300, subject(wrong))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range verdicts {
			t.Logf("%s, %s: %d of %d states are bad: %s", name, v.Model, v.Bad, v.States, v.First)
			if power := strings.HasPrefix(v.Model, "power"); power != (v.Bad > 0) {
				t.Errorf("%s, %s: %d of %d states are bad", name, v.Model, v.Bad, v.States)
			}
		}
	}
}
