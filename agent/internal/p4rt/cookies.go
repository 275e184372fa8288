// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// A cookie is what a controller attaches to an entry and wants to read back: controller_metadata
// and metadata. No data plane keeps it, so the server does.
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

// cookies keeps the cookies of all entries that have one, in memory and, one line per change, in
// the state directory. It is used under the server's lock of writes. Cookies of entries that the
// data plane lost stay until the entry is written again; nobody sees them.
type cookies struct {
	all   map[contract.Key]cookie
	file  string // "" keeps nothing over a restart
	lines int    // in the file
}

// cookieLine is a change: an entry's new cookie, empty for none.
type cookieLine struct {
	Table  string `json:"table"`
	Match  string `json:"match,omitempty"`
	Number uint64 `json:"number,omitempty"`
	Text   []byte `json:"text,omitempty"`
}

// openCookies reads the file. A line that a crash cut short ends it: its change was never
// acknowledged.
func openCookies(stateDir string) (*cookies, error) {
	c := &cookies{all: map[contract.Key]cookie{}}
	if stateDir == "" {
		return c, nil
	}
	c.file = filepath.Join(stateDir, cookiesFile)
	raw, err := os.ReadFile(c.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the metadata of entries: %w", err)
	}
	for line := range bytes.Lines(raw) {
		var l cookieLine
		if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(line, &l) != nil {
			break
		}
		c.put(contract.Key{Table: l.Table, Match: l.Match}, cookie{l.Number, string(l.Text)})
	}
	return c, c.compact()
}

func (c *cookies) put(key contract.Key, value cookie) {
	if value == (cookie{}) {
		delete(c.all, key)
		return
	}
	c.all[key] = value
}

// keep records the changes of a batch and makes them durable.
func (c *cookies) keep(changes []cookieChange) error {
	var lines bytes.Buffer
	var count int
	for _, change := range changes {
		if c.all[change.key] == change.value {
			continue
		}
		c.put(change.key, change.value)
		if err := writeLine(&lines, change.key, change.value); err != nil {
			return err
		}
		count++
	}
	if c.file == "" || count == 0 {
		return nil
	}
	c.lines += count
	if c.lines > 2*len(c.all)+1000 {
		return c.compact()
	}
	return appendDurably(c.file, lines.Bytes())
}

// cookieChange is an entry's cookie after an update.
type cookieChange struct {
	key   contract.Key
	value cookie
}

// compact writes the file anew, with one line per cookie.
func (c *cookies) compact() error {
	if c.file == "" {
		return nil
	}
	var lines bytes.Buffer
	for key, value := range c.all {
		if err := writeLine(&lines, key, value); err != nil {
			return err
		}
	}
	c.lines = len(c.all)
	return writeDurably(c.file, lines.Bytes())
}

func writeLine(b *bytes.Buffer, key contract.Key, value cookie) error {
	raw, err := json.Marshal(cookieLine{key.Table, key.Match, value.number, []byte(value.text)})
	if err != nil {
		return err
	}
	b.Write(append(raw, '\n'))
	return nil
}

func appendDurably(path string, raw []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	return errors.Join(err, f.Sync(), f.Close())
}
