// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sextant/agent/internal/contract"
)

func un(sid string) contract.MySID {
	return contract.MySID{
		SID:      netip.MustParsePrefix(sid),
		Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16},
	}
}

func codes(errs []error) []contract.Code {
	var out []contract.Code
	for _, err := range errs {
		var e *contract.Error
		if errors.As(err, &e) {
			out = append(out, e.Code)
		} else {
			out = append(out, 0)
		}
	}
	return out
}

func TestUpdatesFollowTheContract(t *testing.T) {
	b := New()
	sid, source := un("fcbb:bbbb:100::/48"), contract.EncapSource{Source: netip.MustParseAddr("fcbb:bbbb:100::1")}
	got := codes(b.Apply(context.Background(), []contract.Update{
		{Op: contract.Modify, Entry: sid},
		{Op: contract.Insert, Entry: sid},
		{Op: contract.Insert, Entry: sid},
		{Op: contract.Insert, Entry: contract.MySID{SID: netip.MustParsePrefix("fcbb:bbbb:200::/48")}},
		{Op: contract.Delete, Entry: un("fcbb:bbbb:300::/48")},
		{Op: contract.Delete, Entry: contract.EncapSource{}},
		{Op: contract.Modify, Entry: source},
	}))
	want := []contract.Code{contract.NotFound, 0, contract.AlreadyExists, contract.InvalidArgument, contract.NotFound, 0, 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	rows, err := b.Entries(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	wantRows := []contract.Stored{{Entry: source}, {Entry: sid, Counters: new(contract.Counters)}}
	if diff := cmp.Diff(wantRows, rows, cmpopts.EquateComparable(netip.Prefix{}, netip.Addr{})); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestARefusedUpdateChangesNothing(t *testing.T) {
	b := New()
	b.Refuse(func(u contract.Update) error {
		if u.Entry.Key().Match == "fcbb:bbbb:200::/48" {
			return contract.Errorf(contract.ResourceExhausted, "full")
		}
		return nil
	})
	errs := b.Apply(context.Background(), []contract.Update{
		{Op: contract.Insert, Entry: un("fcbb:bbbb:100::/48")},
		{Op: contract.Insert, Entry: un("fcbb:bbbb:200::/48")},
	})
	if diff := cmp.Diff([]contract.Code{0, contract.ResourceExhausted}, codes(errs)); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if rows, _ := b.Entries(context.Background(), contract.TableMySID); len(rows) != 1 {
		t.Errorf("got %d rows, want 1", len(rows))
	}
}

func TestWatchersHearOfAPortUntilTheirContextEnds(t *testing.T) {
	b := New(contract.Port{ID: 1, Name: "eth1", Enabled: true, Up: true})
	ctx, cancel := context.WithCancel(context.Background())
	changes, err := b.WatchPorts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SetPortEnabled(ctx, "eth1", false); err != nil {
		t.Fatal(err)
	}
	if p := <-changes; p.Enabled || p.Up {
		t.Errorf("got %+v, want a port that is disabled and down", p)
	}
	cancel()
	if _, open := <-changes; open {
		t.Error("the channel is open after its context ended")
	}
	if err := b.SetPortEnabled(context.Background(), "eth9", true); err == nil {
		t.Error("got no error for a port that is not there")
	}
}
