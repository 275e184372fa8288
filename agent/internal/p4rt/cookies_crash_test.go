// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

func silent(string, ...any) {}

func TestCookiesSurviveEveryCrash(t *testing.T) {
	crash.Test(t, crash.Subject{
		Live: func(random *rand.Rand, h *crash.History) error {
			c, err := openCookies(h.Disk, "dir", silent)
			for step := 0; err == nil && step < 30; step++ {
				var changes []cookieChange
				for range 1 + random.IntN(3) {
					key := contract.Key{Table: "my_sid", Match: fmt.Sprint(random.IntN(5))}
					value := cookie{uint64(step + 1), strings.Repeat("y", random.IntN(3)*random.IntN(3000))}
					if random.IntN(4) == 0 {
						value = cookie{}
					}
					h.Try(key.Match, textOf(value))
					changes = append(changes, cookieChange{key, value})
				}
				if random.IntN(8) == 0 {
					err = c.spoil()
				}
				if err == nil {
					err = c.keep(changes)
				}
				h.Acknowledge()
			}
			return err
		},
		Open: func(disk durable.Disk) (map[string]string, error) {
			c, err := openCookies(disk, "dir", silent)
			if err != nil {
				return nil, err
			}
			out := map[string]string{}
			for key, value := range c.all {
				out[key.Match] = textOf(value)
			}
			return out, c.keep(nil)
		},
	})
}

func textOf(c cookie) string {
	if c == (cookie{}) {
		return ""
	}
	return fmt.Sprintf("%d %s", c.number, c.text)
}

// An agent from before checksums wrote no "sum"; its lines count, and a damaged line costs itself alone.
func TestCookiesOfAFormerAgentAreReadAndDamageIsFound(t *testing.T) {
	disk := crash.New()
	c, err := openCookies(disk, "dir", silent)
	if err != nil {
		t.Fatal(err)
	}
	key := func(i int) contract.Key { return contract.Key{Table: "my_sid", Match: fmt.Sprint(i)} }
	if err := c.keep([]cookieChange{{key(2), cookie{22, ""}}, {key(3), cookie{3, ""}}}); err != nil {
		t.Fatal(err)
	}
	raw, err := disk.ReadFile("dir/" + cookiesFile)
	if err != nil {
		t.Fatal(err)
	}
	text := `{"table":"my_sid","match":"1","number":1}` + "\n" + strings.Replace(string(raw), `"number":22`, `"number":23`, 1)
	if err := durable.Replace(disk, "dir/"+cookiesFile, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatal(err)
	}
	said := ""
	again, err := openCookies(disk, "dir", func(format string, args ...any) { said += fmt.Sprintf(format, args...) })
	if err != nil {
		t.Fatal(err)
	}
	if len(again.all) != 2 || again.all[key(1)].number != 1 || again.all[key(3)].number != 3 || !strings.Contains(said, "line 2 is damaged") {
		t.Errorf("read %v, said %q", again.all, said)
	}
}
