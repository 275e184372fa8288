// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"path/filepath"
	"slices"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
)

// A cookie is data that a controller attaches to an entry and wants to read back: controller_metadata and metadata. No
// data plane keeps it, so the server does.
type cookie struct {
	number uint64
	text   string // bytes, as a comparable value
}

func cookieOf(te *p4.TableEntry) cookie {
	return cookie{te.GetControllerMetadata(), string(te.GetMetadata())} //nolint:staticcheck // deprecated, ONOS uses it
}

func (c cookie) attach(te *p4.TableEntry) {
	te.ControllerMetadata = c.number //nolint:staticcheck // see cookieOf
	if c.text != "" {
		te.Metadata = []byte(c.text)
	}
}

const cookiesFile = "cookies.jsonl"

// cookies keeps the cookies of all entries that have one, in memory and, one line per change, in the state directory.
// It is used under the server's lock of writes. Cookies of entries that the data plane lost stay until the entry is
// written again; they are not visible.
type cookies struct {
	all map[contract.Key]cookie
	log *durable.RecordLog // nil keeps nothing over a restart
}

// cookieLine is a change: an entry's new cookie, empty for none.
type cookieLine struct {
	Table  string `json:"table"`
	Match  string `json:"match,omitempty"`
	Number uint64 `json:"number,omitempty"`
	Text   []byte `json:"text,omitempty"`
	// Sum is a checksum of the rest; former agents neither write nor read it.
	Sum *uint32 `json:"sum,omitempty"`
}

// sum is a CRC-32 of the fields, each behind its length.
func (l cookieLine) sum() uint32 {
	var b []byte
	for _, field := range []string{l.Table, l.Match, string(l.Text)} {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(field))), field...)
	}
	return crc32.ChecksumIEEE(binary.BigEndian.AppendUint64(b, l.Number))
}

// openCookies reads the file. The file is written anew by the first change.
func openCookies(disk durable.Disk, stateDir string, say func(string, ...any)) (*cookies, error) {
	c := &cookies{all: map[contract.Key]cookie{}}
	if stateDir == "" {
		return c, nil
	}
	log, err := durable.OpenRecordLog(durable.RecordLogOptions{
		Disk: disk, Path: filepath.Join(stateDir, cookiesFile), Independent: true, Read: c.read, Say: say,
	})
	if err != nil {
		return nil, fmt.Errorf("the metadata of entries: %w", err)
	}
	c.log = log
	return c, nil
}

// read takes a line. Lines of an agent that wrote no checksums are JSON or damaged.
func (c *cookies) read(line []byte) error {
	var l cookieLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	if l.Sum != nil && *l.Sum != l.sum() {
		return errors.New("the checksum does not fit")
	}
	c.put(contract.Key{Table: l.Table, Match: l.Match}, cookie{l.Number, string(l.Text)})
	return nil
}

func (c *cookies) put(key contract.Key, value cookie) {
	if value == (cookie{}) {
		delete(c.all, key)
		return
	}
	c.all[key] = value
}

// cookieChange is an entry's cookie after an update.
type cookieChange struct {
	key   contract.Key
	value cookie
}

// keep records the changes of a batch and makes them durable. After a failure the memory is ahead of the file; the next
// batch writes the missing lines, whether it changes anything or not.
func (c *cookies) keep(changes []cookieChange) error {
	var lines bytes.Buffer
	for _, change := range changes {
		if c.all[change.key] == change.value {
			continue
		}
		c.put(change.key, change.value)
		if err := writeLine(&lines, change.key, change.value); err != nil {
			return errors.Join(err, c.spoil())
		}
	}
	if c.log == nil {
		return nil
	}
	return c.log.Commit(lines.Bytes(), c.state)
}

func (c *cookies) spoil() error {
	if c.log == nil {
		return nil
	}
	return c.log.Spoil()
}

// state writes one line per cookie.
func (c *cookies) state(w io.Writer) error {
	for _, key := range slices.SortedFunc(maps.Keys(c.all), contract.Key.Compare) {
		if err := writeLine(w, key, c.all[key]); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(w io.Writer, key contract.Key, value cookie) error {
	l := cookieLine{Table: key.Table, Match: key.Match, Number: value.number, Text: []byte(value.text)}
	sum := l.sum()
	l.Sum = &sum
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}
