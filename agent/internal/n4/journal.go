// SPDX-License-Identifier: Apache-2.0

package n4

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/n4/upf"
)

// journal keeps records over every crash: lines of a checksum and JSON. Each holds the whole present state of one object, so records
// behind a damaged one count as well; missing ones are then compared with the controller.
type journal struct {
	log *durable.RecordLog
	// snapshot gives the records of the present state.
	snapshot func() []upf.Record
}

const journalName = "n4.journal"

// openJournal reads the records in the file.
func openJournal(disk durable.Disk, folder string, log *slog.Logger) (*journal, []upf.Record, error) {
	var records []upf.Record
	kept, err := durable.OpenRecordLog(durable.RecordLogOptions{
		Disk: disk, Path: filepath.Join(folder, journalName), Independent: true,
		Read: func(line []byte) error {
			var r upf.Record
			text, err := durable.Unsummed(line)
			if err == nil {
				err = json.Unmarshal(text, &r)
			}
			if err == nil {
				records = append(records, r)
			}
			return err
		},
		Say: func(format string, args ...any) { log.Error(fmt.Sprintf(format, args...)) },
	})
	return &journal{log: kept}, records, err
}

func format(w io.Writer, records []upf.Record) error {
	for _, r := range records {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := w.Write(durable.Summed(text)); err != nil {
			return err
		}
	}
	return nil
}

// add makes records durable that the state has already.
func (j *journal) add(records []upf.Record) error {
	var b bytes.Buffer
	if err := format(&b, records); err != nil {
		return errors.Join(err, j.log.Spoil())
	}
	return j.log.Commit(b.Bytes(), j.state)
}

func (j *journal) state(w io.Writer) error { return format(w, j.snapshot()) }

func (j *journal) rewrite() error { return j.log.Rewrite(j.state) }

func (j *journal) close() error { return j.log.Close() }
