// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

// wide is a row that takes some hundred bytes to some blocks of the disk.
func wide(random *rand.Rand, id int) contract.SIDList {
	list := contract.SIDList{ID: contract.SIDListID(id)}
	for i := range 1 + random.IntN(20) {
		segments := slices.Repeat([]netip.Addr{netip.AddrFrom16([16]byte{0xfc, 15: byte(random.Uint32())})}, 1+random.IntN(8))
		list.Members = append(list.Members, contract.SIDListMember{Weight: uint32(i + 1), Segments: segments})
	}
	return list
}

func textOf(e contract.Entry) string {
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// batch is a request to an agent: each row at most once.
func batch(random *rand.Rand, rows map[contract.Key]contract.Entry) []contract.Update {
	var out []contract.Update
	for _, id := range random.Perm(5)[:1+random.IntN(3)] {
		e := contract.Entry(wide(random, id+1))
		switch _, there := rows[e.Key()]; {
		case !there:
			out = append(out, contract.Update{Op: contract.Insert, Entry: e})
		case random.IntN(3) == 0:
			out = append(out, contract.Update{Op: contract.Delete, Entry: e})
		default:
			out = append(out, contract.Update{Op: contract.Modify, Entry: e})
		}
	}
	return out
}

func TestRowsSurviveEveryCrash(t *testing.T) {
	crash.Test(t, crash.Subject{
		Live: func(random *rand.Rand, h *crash.History) error {
			rows := map[contract.Key]contract.Entry{}
			entries := func() []contract.Entry { return slices.Collect(maps.Values(rows)) }
			j, _, _, err := openOn(h.Disk, Name, namespace, t.Logf)
			for step := 0; err == nil && step < 25; step++ {
				updates := batch(random, rows)
				for _, u := range updates {
					if u.Op == contract.Delete {
						h.Try(fmt.Sprint(u.Entry.Key()), "")
					} else {
						h.Try(fmt.Sprint(u.Entry.Key()), textOf(u.Entry))
					}
				}
				if err = j.Begin(Batch(updates), entries); err != nil {
					break
				}
				for _, u := range updates {
					if rows[u.Entry.Key()] = u.Entry; u.Op == contract.Delete {
						delete(rows, u.Entry.Key())
					}
				}
				if err = j.Done(make([]error, len(updates)), entries); err != nil {
					break
				}
				h.Acknowledge()
				if random.IntN(6) == 0 {
					err = j.Compact(entries())
				}
			}
			return err
		},
		Open: func(disk durable.Disk) (map[string]string, error) {
			j, remembered, unfinished, err := openOn(disk, Name, namespace, func(string, ...any) {})
			if err != nil {
				return nil, err
			}
			rows, out := finished(remembered, unfinished), map[string]string{}
			for key, e := range rows {
				out[fmt.Sprint(key)] = textOf(e)
			}
			return out, j.Compact(slices.Collect(maps.Values(rows)))
		},
	})
}
