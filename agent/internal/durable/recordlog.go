// SPDX-License-Identifier: Apache-2.0

package durable

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strconv"
)

// A RecordLog keeps records of a state over every crash: a file of lines, of which the first ones made the whole state when they
// were written, and each later one changes it. Its owner interprets the lines, and supplies the state when the file has to be
// written anew (ADR 29).
//
//	Commit ──> append ──> sync ──> acknowledged ──> overgrown? written anew beside it, synced, renamed; the old one stays if that fails
//	             │          └── failed: the kernel may have forgotten the pages, so nothing more is added to this file
//	             └── failed: cut off again, and kept here for the next append, which needs less room than a new file
//
// So acknowledged records never wait for a new file, and a record that was not acknowledged is never followed by one that was.
type RecordLog struct {
	log *Log
	say func(format string, args ...any)
	// behind are lines that the state has and the file has not.
	behind []byte
}

// RecordLogOptions of OpenRecordLog.
type RecordLogOptions struct {
	Disk Disk
	Path string
	// Read takes a line, without its end. It returns an error if the line is damaged, and then has taken nothing of it.
	Read func(line []byte) error
	// Independent lines mean something without the ones before: those behind a damaged one are read, too.
	Independent bool
	// Say logs for the operator, as Printf.
	Say func(format string, args ...any)
}

// mostBehindBytes are kept for the next append; for more a new file takes less.
const mostBehindBytes = 1 << 20

// OpenRecordLog reads the file. If a crash cut off an append, its complete lines count: no client has received an
// answer for the others. Any other damage is reported, and a copy of the file is kept beside it (PATH.damaged). The
// file is written anew before it takes another record.
func OpenRecordLog(o RecordLogOptions) (*RecordLog, error) {
	log, data, err := OpenLog(o.Disk, o.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", o.Path, err)
	}
	l := &RecordLog{log: log, say: o.Say}
	if damage := readLines(data, o); damage != "" {
		kept := o.Path + ".damaged"
		l.say("%s: %s; the file as it was is kept as %s", o.Path, damage, kept)
		if err := Replace(o.Disk, kept, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			l.say("keep the damaged file: %v", err)
		}
	}
	return l, nil
}

// readLines returns the damage of the file; empty: none, or only its end was cut off.
func readLines(data []byte, o RecordLogOptions) string {
	first, bad, number, after := 0, 0, 0, 0
	for line := range bytes.Lines(data) {
		number++
		text, whole := bytes.CutSuffix(line, []byte("\n"))
		switch {
		case first != 0 && !o.Independent:
			after++
		case !whole:
			// the end of an append that a crash cut off
		case o.Read(text) != nil:
			bad++
			if first == 0 {
				first = number
			}
		}
	}
	switch {
	case first == 0:
		return ""
	case !o.Independent:
		return fmt.Sprintf("line %d is damaged, and the %d behind it cannot be believed", first, after)
	}
	return fmt.Sprintf("line %d is damaged; %d of %d records are lost", first, bad, number)
}

// Begin adds lines that need not outlive the machine, only this process: they are not synced. When it fails the file and the
// state agree, as the state does not have them yet. state writes the lines of the present state.
func (l *RecordLog) Begin(lines []byte, state func(io.Writer) error) error {
	if l.log.Spoiled() {
		if err := l.Rewrite(state); err != nil {
			return err
		}
	}
	if len(l.behind) > 0 {
		if err := l.log.Append(l.behind); err != nil {
			return err
		}
		l.behind = nil
	}
	return l.log.Append(lines)
}

// Commit makes lines durable that the state has already. When it fails nothing may be acknowledged; a later Commit that succeeds
// makes them durable as well.
func (l *RecordLog) Commit(lines []byte, state func(io.Writer) error) error {
	if l.log.Spoiled() {
		return l.Rewrite(state)
	}
	l.behind = append(l.behind, lines...)
	if len(l.behind) == 0 {
		return nil
	}
	if err := l.log.Append(l.behind); err != nil {
		if len(l.behind) > mostBehindBytes {
			err = errors.Join(err, l.Spoil())
		}
		return err
	}
	l.behind = nil
	if err := l.log.Sync(); err != nil {
		return err
	}
	if l.log.Overgrown() {
		if err := l.Rewrite(state); err != nil { // the lines are safe all the same, and a later one tries again
			l.say("%v", err)
		}
	}
	return nil
}

// Rewrite exchanges the file for one of the present state. When it fails the file is unchanged.
func (l *RecordLog) Rewrite(state func(io.Writer) error) error {
	if err := l.log.Rewrite(state); err != nil {
		return fmt.Errorf("write %s anew: %w", l.log.path, err)
	}
	l.behind = nil
	return nil
}

// Spoil makes the next record wait for a new file: the state changed in a way that no line records.
func (l *RecordLog) Spoil() error {
	l.behind = nil
	return l.log.Spoil()
}

// Spoiled reports whether the file has to be written anew first.
func (l *RecordLog) Spoiled() bool { return l.log.Spoiled() }

// Close releases the file.
func (l *RecordLog) Close() error { return l.log.Close() }

// Summed gives a line with its checksum in front: eight hexadecimal digits of CRC-32, a space, the text, the line's end.
func Summed(text []byte) []byte {
	return append(fmt.Appendf(nil, "%08x ", crc32.ChecksumIEEE(text)), append(text, '\n')...)
}

// errSum reports a line that differs from the one written.
var errSum = errors.New("the checksum does not fit")

// Unsummed gives the text of a line of Summed, without its end.
func Unsummed(line []byte) ([]byte, error) {
	sum, text, _ := bytes.Cut(line, []byte(" "))
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || len(sum) != 8 || uint32(want) != crc32.ChecksumIEEE(text) {
		return nil, errSum
	}
	return text, nil
}
