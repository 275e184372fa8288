// SPDX-License-Identifier: Apache-2.0

package n4

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/n4/upf"
)

// journal keeps records over every death: lines of a checksum and JSON. Of what an append left that a crash cut off, the lines
// that are whole count; nobody was answered about the others.
type journal struct {
	log *durable.Log
	// snapshot gives the records of the present state.
	snapshot func() []upf.Record
}

const journalName = "n4.journal"

// openJournal reads what there is.
func openJournal(disk durable.Disk, folder string) (*journal, []upf.Record, error) {
	path := filepath.Join(folder, journalName)
	log, data, err := durable.OpenLog(disk, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &journal{log: log}, parse(data), nil
}

// parse reads lines until one that is not whole.
func parse(data []byte) []upf.Record {
	var out []upf.Record
	for len(data) > 0 {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		sum, text, _ := bytes.Cut(line, []byte(" "))
		want, err := strconv.ParseUint(string(sum), 16, 32)
		var r upf.Record
		if !ended || err != nil || crc32.ChecksumIEEE(text) != uint32(want) || json.Unmarshal(text, &r) != nil {
			return out
		}
		out, data = append(out, r), rest
	}
	return out
}

func format(w io.Writer, records []upf.Record) error {
	for _, r := range records {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%08x %s\n", crc32.ChecksumIEEE(text), text); err != nil {
			return err
		}
	}
	return nil
}

// add makes records durable. After a failure all of the state is written anew, which has them, too.
func (j *journal) add(records []upf.Record) error {
	if !j.log.Spoiled() && !j.log.Overgrown() {
		if len(records) == 0 {
			return nil
		}
		var b bytes.Buffer
		if err := format(&b, records); err != nil {
			return err
		}
		if err := j.log.Append(b.Bytes()); err != nil {
			return errors.Join(err, j.log.Spoil())
		}
		return j.log.Sync()
	}
	return j.rewrite()
}

func (j *journal) rewrite() error {
	return j.log.Rewrite(func(w io.Writer) error { return format(w, j.snapshot()) })
}

func (j *journal) close() error { return j.log.Close() }
