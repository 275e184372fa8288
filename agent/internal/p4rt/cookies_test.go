// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

func withCookie(te *p4.TableEntry, number uint64, text string) *p4.TableEntry {
	cookie{number, text}.attach(te)
	return te
}

func TestTheMetadataOfAnEntryIsReadBackAlsoAfterARestart(t *testing.T) {
	dir, backend := t.TempDir(), memory.New(testPorts()...)
	n := serve(t, backend, dir)
	primary := n.primary()
	one := withCookie(encode(t, un("fcbb:bbbb:100::/48")), 7, "")
	two := withCookie(encode(t, un("fcbb:bbbb:200::/48")), 0, "\x00policy\xff")
	three := withCookie(encode(t, un("fcbb:bbbb:300::/48")), 9, "gone")
	primary.mustWrite(insert(one), insert(two), insert(three))
	wantEntries(t, n, one, two, three)

	one = withCookie(encode(t, un("fcbb:bbbb:100::/48")), 8, "")
	three = encode(t, un("fcbb:bbbb:300::/48")) // a MODIFY is the whole new state: without metadata
	primary.mustWrite(update(p4.Update_MODIFY, one), update(p4.Update_MODIFY, three))
	wantEntries(t, n, one, two, three)
	wantEntries(t, serve(t, backend, dir), one, two, three)

	primary.mustWrite(update(p4.Update_DELETE, two))
	plain := encode(t, un("fcbb:bbbb:200::/48"))
	primary.mustWrite(insert(plain)) // a new entry has nothing of the old one
	wantEntries(t, serve(t, backend, dir), one, plain, three)
}

func TestMetadataIsAFilterOfReads(t *testing.T) {
	n := startNode(t, "")
	one := withCookie(encode(t, un("fcbb:bbbb:100::/48")), 7, "")
	two := withCookie(encode(t, un("fcbb:bbbb:200::/48")), 8, "x")
	n.primary().mustWrite(insert(one), insert(two))
	for name, tc := range map[string]struct {
		request *p4.TableEntry
		want    *p4.TableEntry
	}{
		"controller_metadata": {withCookie(message(t, mySID), 7, ""), one},
		"metadata":            {withCookie(message(t, mySID), 0, "x"), two},
	} {
		got, err := n.read(entity(tc.request))
		if err != nil {
			t.Fatal(describe(err))
		}
		if diff := cmp.Diff(wrap([]*p4.TableEntry{tc.want}), got, protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestARefusedUpdateLeavesTheMetadataAsItWas(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	one := withCookie(encode(t, un("fcbb:bbbb:100::/48")), 7, "")
	primary.mustWrite(insert(one))
	mustRefuse(t, primary.write(insert(withCookie(encode(t, un("fcbb:bbbb:100::/48")), 8, ""))), codes.AlreadyExists, "")
	wantEntries(t, n, one)
}

func TestACookieLineThatACrashCutIsForgotten(t *testing.T) {
	dir := t.TempDir()
	c, err := openCookies(durable.OS{}, dir, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	key := func(i int) contract.Key { return contract.Key{Table: "my_sid", Match: fmt.Sprint(i)} }
	if err := c.keep([]cookieChange{{key(1), cookie{1, ""}}, {key(2), cookie{2, ""}}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, cookiesFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:len(raw)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := openCookies(durable.OS{}, dir, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[contract.Key]cookie{key(1): {1, ""}}; len(again.all) != 1 || again.all[key(1)] != want[key(1)] {
		t.Errorf("got %v, want %v", again.all, want)
	}
}

func TestTheFileOfCookiesStaysInBounds(t *testing.T) {
	dir := t.TempDir()
	c, err := openCookies(durable.OS{}, dir, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 300<<10)
	for i := range 12 {
		if err := c.keep([]cookieChange{{contract.Key{Table: "my_sid"}, cookie{uint64(i + 1), text}}}); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, cookiesFile))
	if err != nil {
		t.Fatal(err)
	}
	if limit := int64(3 << 20); info.Size() > limit {
		t.Errorf("the file has %d bytes for one cookie of %d, want at most %d", info.Size(), len(text), limit)
	}
}

// Every operation of the disk fails once, or from then on; the controller tries each batch again until it is
// acknowledged, as it does when a node answers with an error.
func TestAnAcknowledgedCookieIsRememberedAfterEveryCrash(t *testing.T) {
	key := func(i int) contract.Key { return contract.Key{Table: "my_sid", Match: fmt.Sprint(i)} }
	batches := [][]cookieChange{
		{{key(1), cookie{1, ""}}, {key(2), cookie{2, "two"}}},
		{{key(1), cookie{3, ""}}},
		{{key(2), cookie{}}, {key(3), cookie{4, ""}}},
		{{key(3), cookie{4, ""}}}, // changes nothing
	}
	for failing := range 20 {
		for _, lasting := range []int{1, 3, 100} {
			for _, torn := range []int{0, 20} {
				disk := crash.New()
				disk.FailFrom, disk.FailTo, disk.TornBytes = failing, failing+lasting, torn
				c, err := openCookies(disk, "dir", t.Logf)
				if err != nil {
					t.Fatal(err)
				}
				acknowledged, tried := map[contract.Key]cookie{}, map[contract.Key][]cookie{}
				for _, batch := range batches {
					for range 3 {
						for _, change := range batch {
							tried[change.key] = append(tried[change.key], change.value)
						}
						if c.keep(batch) != nil {
							continue
						}
						for _, change := range batch {
							acknowledged[change.key] = change.value
							delete(tried, change.key)
						}
						break
					}
					for after := range disk.After() {
						next, err := openCookies(after, "dir", t.Logf)
						if err != nil {
							t.Fatal(err)
						}
						for key, want := range acknowledged {
							if got := next.all[key]; got != want && !slices.Contains(tried[key], got) {
								t.Fatalf("steps %d to %d fail: after a crash %s has %v, acknowledged was %v", failing, failing+lasting, key, got, want)
							}
						}
					}
				}
			}
		}
	}
}
