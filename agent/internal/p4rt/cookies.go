// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
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
	all map[contract.Key]cookie
	log *durable.Log // nil keeps nothing over a restart
}

// cookieLine is a change: an entry's new cookie, empty for none.
type cookieLine struct {
	Table  string `json:"table"`
	Match  string `json:"match,omitempty"`
	Number uint64 `json:"number,omitempty"`
	Text   []byte `json:"text,omitempty"`
}

// openCookies reads the file. A line that a crash cut short ends it: its change was never
// acknowledged. The file is written anew by the first change.
func openCookies(disk durable.Disk, stateDir string) (*cookies, error) {
	c := &cookies{all: map[contract.Key]cookie{}}
	if stateDir == "" {
		return c, nil
	}
	log, raw, err := durable.OpenLog(disk, filepath.Join(stateDir, cookiesFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the metadata of entries: %w", err)
	}
	c.log = log
	for line := range bytes.Lines(raw) {
		var l cookieLine
		if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(line, &l) != nil {
			break
		}
		c.put(contract.Key{Table: l.Table, Match: l.Match}, cookie{l.Number, string(l.Text)})
	}
	return c, nil
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

// keep records the changes of a batch and makes them durable. After a failure the memory is ahead of
// the file, so that the next batch writes the whole file, whether it changes anything or not.
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
	switch {
	case c.log == nil:
		return nil
	case c.log.Spoiled():
		return c.rewrite()
	case lines.Len() == 0:
		return nil
	}
	err := c.log.Append(lines.Bytes())
	if err == nil {
		err = c.log.Sync()
	}
	if err != nil {
		return errors.Join(err, c.spoil())
	}
	if c.log.Overgrown() {
		_ = c.rewrite() // the changes are safe all the same, and the next ones try again
	}
	return nil
}

func (c *cookies) spoil() error {
	if c.log == nil {
		return nil
	}
	return c.log.Spoil()
}

// rewrite writes the file anew, with one line per cookie.
func (c *cookies) rewrite() error {
	return c.log.Rewrite(func(w io.Writer) error {
		for _, key := range slices.SortedFunc(maps.Keys(c.all), contract.Key.Compare) {
			if err := writeLine(w, key, c.all[key]); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeLine(w io.Writer, key contract.Key, value cookie) error {
	raw, err := json.Marshal(cookieLine{key.Table, key.Match, value.number, []byte(value.text)})
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}
