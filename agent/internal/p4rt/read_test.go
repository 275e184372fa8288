// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
)

// filled is a node with entries in several tables and traffic on one of them.
func filled(t *testing.T) *node {
	t.Helper()
	n := startNode(t, "")
	primary := n.primary()
	for _, e := range []contract.Entry{
		un("fcbb:bbbb:100::/48"),
		contract.MySID{SID: prefix("2001:db8::1/128"), Behavior: contract.Behavior{Action: contract.End}},
		contract.SIDList{ID: 9, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{addr("fcbb:bbbb:300:f00d::")}}}},
		contract.Steering{Dst: prefix("10.31.0.0/16"), SIDList: 9, Reduced: true},
		contract.Punt{Priority: 10, EtherType: contract.Masked(0x88cc, 0xffff)},
		contract.Punt{Priority: 20, EtherType: contract.Masked(0x88cc, 0xffff)},
	} {
		primary.mustWrite(insert(encode(t, e)))
	}
	if !n.backend.Count(un("fcbb:bbbb:100::/48").Key(), contract.Counters{Packets: 3, Bytes: 300}) {
		t.Fatal("the counted row is missing")
	}
	return n
}

func TestAReadTellsWhenAnEntryWasHitOnlyWhereItIsAskedFor(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	primary.mustWrite(insert(encode(t, un("fcbb:bbbb:100::/48"))))
	hit := contract.Firewall{Firewall: 7, Priority: 2, Verdict: contract.FwDrop}
	never := contract.Firewall{Firewall: 7, Priority: 1, Verdict: contract.FwDrop}
	idle := 5 * time.Second
	for _, e := range []contract.Entry{hit, never} {
		primary.mustWrite(insert(encode(t, e)))
		n.backend.Count(e.Key(), contract.Counters{})
	}
	n.backend.Count(hit.Key(), contract.Counters{Packets: 3, Idle: &idle})
	for asked, want := range map[string]int{``: 0, `counter_data { }`: 0, `time_since_last_hit { }`: 1} {
		entities, err := n.read(entity(message(t, `table_id: 33554451 `+asked)))
		if err != nil {
			t.Fatal(describe(err))
		}
		told := 0
		for _, e := range entities {
			if since := e.GetTableEntry().GetTimeSinceLastHit(); since != nil {
				told++
				if since.GetElapsedNs() != idle.Nanoseconds() || e.GetTableEntry().GetPriority() != 2 {
					t.Errorf("%v ns since the hit of %v", since.GetElapsedNs(), e)
				}
			}
		}
		if told != want || len(entities) != 2 {
			t.Errorf("asked %q: %d of %d entries tell when they were hit, want %d of 2", asked, told, len(entities), want)
		}
	}
	_, err := n.read(entity(message(t, mySID+`time_since_last_hit { }`)))
	if got := describe(err); !strings.Contains(got, "my_sid does not remember when its entries were hit") {
		t.Errorf("of a table that does not: %s", got)
	}
	if entities, err := n.read(entity(message(t, `time_since_last_hit { }`))); err != nil || len(entities) != 3 {
		t.Errorf("of all tables: %d entries, %v", len(entities), err)
	}
}

func TestAReadSelectsByItsFilters(t *testing.T) {
	n := filled(t)
	for _, tc := range []struct {
		name string
		want *p4.TableEntry
		keys []string // keys of the answer
	}{
		{"everything", &p4.TableEntry{}, []string{
			"my_sid 2001:db8::1/128", "my_sid fcbb:bbbb:100::/48", "punt priority 10 ether_type 0x88cc/0xffff",
			"punt priority 20 ether_type 0x88cc/0xffff", "sid_list 9", "steering_v4 vrf 0 10.31.0.0/16",
		}},
		{"one table", message(t, mySID), []string{"my_sid 2001:db8::1/128", "my_sid fcbb:bbbb:100::/48"}},
		{"one entry", message(t, mySID+sidMatch), []string{"my_sid fcbb:bbbb:100::/48"}},
		{"one action", message(t, mySID+endAction), []string{"my_sid 2001:db8::1/128"}},
		{"one priority", message(t, `table_id: 0x02000001 priority: 20`), []string{"punt priority 20 ether_type 0x88cc/0xffff"}},
		{"one match at any priority", message(t, `table_id: 0x02000001 match { field_id: 2 ternary { value: "\x88\xcc" mask: "\xff\xff" } }`), []string{
			"punt priority 10 ether_type 0x88cc/0xffff", "punt priority 20 ether_type 0x88cc/0xffff",
		}},
		{"nothing", message(t, nextHop), nil},
		{"no such entry", message(t, mySID+`match { field_id: 1 lpm { value: "\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 16 } }`), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			entities, err := n.read(entity(tc.want))
			if err != nil {
				t.Fatal(describe(err))
			}
			var keys []string
			for _, e := range entities {
				u, err := schema(t).Update(insert(e.GetTableEntry()))
				if err != nil {
					t.Fatal(err)
				}
				keys = append(keys, u.Entry.Key().String())
				if e.GetTableEntry().GetCounterData() != nil {
					t.Errorf("%s has counters that were not asked for", u.Entry.Key())
				}
			}
			if diff := cmp.Diff(tc.keys, keys); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCountersComeWithEntriesThatAskForThem(t *testing.T) {
	n := filled(t)
	want := encode(t, un("fcbb:bbbb:100::/48"))
	want.CounterData = &p4.CounterData{PacketCount: 3, ByteCount: 300}
	request := message(t, mySID+sidMatch)
	request.CounterData = &p4.CounterData{}
	got, err := n.read(entity(request))
	if err != nil {
		t.Fatal(describe(err))
	}
	if diff := cmp.Diff(wrap([]*p4.TableEntry{want}), got, protocmp.Transform()); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}

func counterOf(te *p4.TableEntry) *p4.Entity {
	return &p4.Entity{Entity: &p4.Entity_DirectCounterEntry{DirectCounterEntry: &p4.DirectCounterEntry{TableEntry: te}}}
}

func TestDirectCountersAreReadAlone(t *testing.T) {
	n := filled(t)
	for name, request := range map[string]*p4.TableEntry{"one": message(t, mySID+sidMatch), "all": {}} {
		t.Run(name, func(t *testing.T) {
			got, err := n.read(counterOf(request))
			if err != nil {
				t.Fatal(describe(err))
			}
			counted := counterOf(message(t, mySID+sidMatch))
			counted.GetDirectCounterEntry().Data = &p4.CounterData{PacketCount: 3, ByteCount: 300}
			wantCount := map[string]int{"one": 1, "all": 3}[name] // my_sid and steering count, the others do not
			if len(got) != wantCount {
				t.Fatalf("got %d counters, want %d: %v", len(got), wantCount, got)
			}
			if diff := cmp.Diff(counted, got[len(got)-1-map[string]int{"all": 1}[name]], protocmp.Transform()); diff != "" {
				t.Errorf("counter (-want +got):\n%s", diff)
			}
		})
	}
}

// The ids are those of pipeconfs/p4src/fixed/ids.p4, the sizes those of sizes.p4.
func TestCounterArraysAreReadByIndexOrWhole(t *testing.T) {
	n := filled(t)
	n.backend.CountCell("dedup_first", 81, contract.Counters{Packets: 3, Bytes: 300})
	n.backend.CountCell("dedup_first", 82, contract.Counters{Packets: 4, Bytes: 400})
	cells := func(id uint32, index *p4.Index) *p4.Entity {
		return &p4.Entity{Entity: &p4.Entity_CounterEntry{CounterEntry: &p4.CounterEntry{CounterId: id, Index: index}}}
	}
	one, err := n.read(cells(0x12000001, &p4.Index{Index: 81}))
	if err != nil || len(one) != 1 {
		t.Fatalf("one cell: %d entities, %v", len(one), err)
	}
	if c := one[0].GetCounterEntry(); c.GetIndex().GetIndex() != 81 || c.GetData().GetPacketCount() != 3 || c.GetData().GetByteCount() != 300 {
		t.Errorf("got %v, want 3 packets of 300 bytes in cell 81", c)
	}
	if whole, err := n.read(cells(0x12000001, nil)); err != nil || len(whole) != 1024 || whole[82].GetCounterEntry().GetData().GetPacketCount() != 4 {
		t.Errorf("whole array: %d cells, %v", len(whole), err)
	}
	if all, err := n.read(cells(0, nil)); err != nil || len(all) != 3*1024+16384+2*16+16+4096+4096 {
		t.Errorf("all arrays: %d cells, %v", len(all), err)
	}
	for _, bad := range []*p4.Entity{cells(0x12000001, &p4.Index{Index: 1024}), cells(0x12000001, &p4.Index{Index: -1}), cells(0x120000ff, nil), cells(0, &p4.Index{})} {
		_, err := n.read(bad)
		if d := details(err); len(d) != 1 || codes.Code(d[0].GetCanonicalCode()) != codes.InvalidArgument {
			t.Errorf("%v: got %v, want INVALID_ARGUMENT", bad, err)
		}
	}
}

func TestABadReadRequestFailsAloneAndInItsPlace(t *testing.T) {
	n := filled(t)
	entities, err := n.read(
		entity(message(t, mySID)),
		entity(&p4.TableEntry{TableId: 0x02000077}),
		entity(&p4.TableEntry{Priority: 3}),
		entity(message(t, mySID+`priority: 3`)),
		entity(message(t, mySID+hopAction)),
		entity(message(t, nextHop+`match { field_id: 1 exact { } }`)),
		counterOf(nil),
		counterOf(message(t, nextHop)),
		counterOf(message(t, mySID+`match { field_id: 1 lpm { value: "\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 16 } }`)),
		&p4.Entity{},
		&p4.Entity{Entity: &p4.Entity_ActionProfileGroup{}},
		&p4.Entity{Entity: &p4.Entity_MeterEntry{}},
		entity(message(t, nextHop)),
	)
	if status.Code(err) != codes.Unknown || len(entities) != 2 {
		t.Fatalf("got %d entities and %v, want 2 and UNKNOWN", len(entities), err)
	}
	var got []codes.Code
	for _, d := range details(err) {
		got = append(got, codes.Code(d.GetCanonicalCode()))
	}
	want := []codes.Code{
		codes.OK, codes.InvalidArgument, codes.InvalidArgument, codes.InvalidArgument, codes.InvalidArgument, codes.InvalidArgument,
		codes.InvalidArgument, codes.InvalidArgument, codes.NotFound, codes.InvalidArgument, codes.Unimplemented, codes.Unimplemented, codes.OK,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s\n%s", diff, describe(err))
	}
}

func TestAFullTableArrivesInPieces(t *testing.T) {
	var pieces []int
	var entities []*p4.Entity
	s := schema(t)
	for i := range 20_000 {
		te, err := s.Encode(contract.NextHop{ID: contract.NextHopID(1 + i), Port: 1, SrcMAC: [6]byte{2, 1}, DstMAC: [6]byte{2, 2}})
		if err != nil {
			t.Fatal(err)
		}
		entities = append(entities, entity(te))
	}
	out := chunks{send: func(r *p4.ReadResponse) error {
		pieces = append(pieces, len(r.GetEntities()))
		return nil
	}}
	for _, e := range entities {
		if err := out.add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.flush(); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, p := range pieces {
		sum += p
	}
	if sum != len(entities) || len(pieces) < 2 {
		t.Errorf("got pieces %v, want several that add up to %d", pieces, len(entities))
	}
}

// countingTables counts how often the data plane is read.
type countingTables struct {
	Tables
	reads atomic.Int64
}

func (c *countingTables) Entries(ctx context.Context, table string) ([]contract.Stored, error) {
	c.reads.Add(1)
	return c.Tables.Entries(ctx, table)
}

// many is a node with rows, and how often it was read.
func many(t *testing.T, rows int) (*node, *session, *countingTables) {
	t.Helper()
	n := startNode(t, "")
	counting := &countingTables{Tables: n.server.tables}
	n.server.tables = counting
	primary := n.primary()
	var updates []*p4.Update
	for i := range rows {
		te, err := n.server.schema.Encode(contract.NextHop{ID: contract.NextHopID(1 + i), Port: 1, SrcMAC: [6]byte{2, 1}, DstMAC: [6]byte{2, 2}})
		if err != nil {
			t.Fatal(err)
		}
		updates = append(updates, insert(te))
	}
	primary.mustWrite(updates...)
	return n, primary, counting
}

func TestManyRequestsReadTheDataPlaneOnce(t *testing.T) {
	n, primary, counting := many(t, 100)
	var exact, wild []*p4.Entity
	for i := range 100 {
		te := encode(t, contract.NextHop{ID: contract.NextHopID(1 + i), Port: 1, SrcMAC: [6]byte{2, 1}, DstMAC: [6]byte{2, 2}})
		exact = append(exact, entity(&p4.TableEntry{TableId: te.GetTableId(), Match: te.GetMatch()}))
		wild = append(wild, entity(&p4.TableEntry{TableId: te.GetTableId()}))
	}
	for _, tt := range []struct {
		requests []*p4.Entity
		want     int
	}{
		{exact, 100},
		{wild, 100 * 100},
		{append(wild, entity(&p4.TableEntry{})), 101 * 100},
	} {
		before := counting.reads.Load()
		got, err := n.read(tt.requests...)
		if err != nil || len(got) != tt.want {
			t.Errorf("%d requests: %d entities and %v, want %d", len(tt.requests), len(got), err, tt.want)
		}
		if reads := counting.reads.Load() - before; reads != 1 {
			t.Errorf("%d requests read the data plane %d times, want once", len(tt.requests), reads)
		}
	}
	before := counting.reads.Load()
	var touches []*p4.Update
	for _, e := range exact {
		touches = append(touches, &p4.Update{Type: p4.Update_MODIFY, Entity: e})
	}
	primary.mustWrite(touches...)
	if reads := counting.reads.Load() - before; reads != 1 {
		t.Errorf("%d touches read the data plane %d times, want once", len(touches), reads)
	}
}

// rowTables reads rows, and remembers which.
type rowTables struct {
	*countingTables
	asked []contract.Key
}

func (r *rowTables) Rows(ctx context.Context, keys []contract.Key) ([]contract.Stored, error) {
	r.asked = append(r.asked, keys...)
	all, err := r.Tables.Entries(ctx, "")
	return slices.DeleteFunc(all, func(row contract.Stored) bool { return !slices.Contains(keys, row.Entry.Key()) }), err
}

// One session of 100,000 is read without the others.
func TestRowsThatAreNamedAreReadAlone(t *testing.T) {
	n, _, counting := many(t, 100)
	reader := &rowTables{countingTables: counting}
	n.server.tables = reader
	te := encode(t, contract.NextHop{ID: 7, Port: 1, SrcMAC: [6]byte{2, 1}, DstMAC: [6]byte{2, 2}})
	one := entity(&p4.TableEntry{TableId: te.GetTableId(), Match: te.GetMatch()})
	before := counting.reads.Load()
	got, err := n.read(one, one)
	if err != nil || len(got) != 2 {
		t.Fatalf("got %d entities and %v, want the row twice", len(got), err)
	}
	if len(reader.asked) != 1 || counting.reads.Load() != before {
		t.Errorf("asked for rows %v and for tables %d times, want one row alone", reader.asked, counting.reads.Load()-before)
	}
	got, err = n.read(one, entity(&p4.TableEntry{TableId: te.GetTableId()}))
	if err != nil || len(got) != 101 || len(reader.asked) != 1 {
		t.Errorf("got %d entities and %v after rows %v, want the row, and the table that was read once", len(got), err, reader.asked)
	}
}

func TestAReaderThatTakesNothingHoldsUpNobody(t *testing.T) {
	n, primary, _ := many(t, 2000)
	nextHops := entity(&p4.TableEntry{TableId: n.server.schema.byAlias[contract.TableNextHop].id})
	requests := slices.Repeat([]*p4.Entity{nextHops}, maxRequests)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	stalled, err := n.rpc.Read(ctx, &p4.ReadRequest{DeviceId: testDevice, Entities: requests})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stalled.Recv(); err != nil { // it is being answered, 2000 * 16384 entities, and takes no more
		t.Fatal(err)
	}
	primary.mustWrite(insert(encode(t, un("fcbb:bbbb:100::/48"))))
	next := n.connect()
	next.claim(2)
	next.hears(codes.OK, 2)
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	if limit := uint64(64 << 20); memory.HeapAlloc > limit {
		t.Errorf("the answer takes %d MiB of memory, want at most %d", memory.HeapAlloc>>20, limit>>20)
	}
}

func TestReadsAreBounded(t *testing.T) {
	n, _, _ := many(t, 1)
	requests := make([]*p4.Entity, maxRequests+1)
	for i := range requests {
		requests[i] = entity(&p4.TableEntry{})
	}
	_, err := n.read(requests...)
	wantStatus(t, err, codes.ResourceExhausted, "use wildcards")
	for range maxReads {
		n.server.reads <- struct{}{}
	}
	n = n.another()
	_, err = n.read(requests[0])
	wantStatus(t, err, codes.ResourceExhausted, "try again")
	<-n.server.reads
	if _, err = n.read(requests[0]); err != nil {
		t.Errorf("with one reader less: %v", err)
	}
}

func wantStatus(t *testing.T, err error, code codes.Code, saying string) {
	t.Helper()
	if st := status.Convert(err); st.Code() != code || !strings.Contains(st.Message(), saying) {
		t.Errorf("got %v, want %v saying %q", err, code, saying)
	}
}

func TestReadIsForThisDeviceAndRole(t *testing.T) {
	n := filled(t)
	for _, r := range []*p4.ReadRequest{{DeviceId: 8}, {DeviceId: testDevice, Role: "fabric"}} {
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			stream, err := n.rpc.Read(t.Context(), r)
			if err == nil {
				_, err = stream.Recv()
			}
			if status.Code(err) != codes.NotFound {
				t.Errorf("got %v, want NotFound", err)
			}
		})
	}
}
