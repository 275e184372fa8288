// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
)

// wantEntries reads all tables and expects exactly these entries, in any order.
func wantEntries(t *testing.T, n *node, want ...*p4.TableEntry) {
	t.Helper()
	entities, err := n.read(entity(&p4.TableEntry{}))
	if err != nil {
		t.Fatal(describe(err))
	}
	var got []*p4.TableEntry
	for _, e := range entities {
		got = append(got, e.GetTableEntry())
	}
	byKey := protocmp.SortRepeated(func(a, b *p4.TableEntry) bool { return a.String() < b.String() })
	if diff := cmp.Diff(&p4.ReadResponse{Entities: wrap(want)}, &p4.ReadResponse{Entities: wrap(got)}, protocmp.Transform(),
		protocmp.SortRepeated(func(a, b *p4.Entity) bool { return a.String() < b.String() }), byKey); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func wrap(entries []*p4.TableEntry) []*p4.Entity {
	var out []*p4.Entity
	for _, te := range entries {
		out = append(out, entity(te))
	}
	return out
}

func TestWhatIsWrittenIsReadBackEqual(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	entries := []*p4.TableEntry{
		encode(t, un("fcbb:bbbb:100::/48")),
		encode(t, contract.NextHop{ID: 1, Port: 1, SrcMAC: [6]byte{2, 1}, DstMAC: [6]byte{2, 2}}),
		encode(t, contract.SIDList{ID: 9, Members: []contract.SIDListMember{{Weight: 2, Segments: []netip.Addr{addr("fcbb:bbbb:300:f00d::")}}}}),
		encode(t, contract.Route{Dst: prefix("::/0"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}}),
	}
	var updates []*p4.Update
	for _, te := range entries {
		updates = append(updates, insert(te))
	}
	primary.mustWrite(updates...)
	wantEntries(t, n, entries...)

	changed := encode(t, contract.MySID{SID: prefix("fcbb:bbbb:100::/48"), Behavior: contract.Behavior{Action: contract.End}})
	primary.mustWrite(update(p4.Update_MODIFY, changed), update(p4.Update_DELETE, &p4.TableEntry{TableId: entries[1].GetTableId(), Match: entries[1].GetMatch()}))
	wantEntries(t, n, changed, entries[2], entries[3])
}

func TestAModifyWithoutAnActionLeavesTheEntryAsItIs(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	sid := encode(t, un("fcbb:bbbb:100::/48"))
	primary.mustWrite(insert(sid))
	primary.mustWrite(update(p4.Update_MODIFY, &p4.TableEntry{TableId: sid.GetTableId(), Match: sid.GetMatch()}))
	wantEntries(t, n, sid)
}

func TestTheEncapsulationSourceIsSetAndReset(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	source := encode(t, contract.EncapSource{Source: addr("fcbb:bbbb:100::1")})
	none := &p4.TableEntry{TableId: source.GetTableId(), IsDefaultAction: true}
	noAction := message(t, `table_id: 0x02000006 is_default_action: true action { action { action_id: 21257015 } }`)
	wantDefault := func(want *p4.TableEntry) {
		t.Helper()
		got, err := n.read(entity(none))
		if err != nil {
			t.Fatal(describe(err))
		}
		if diff := cmp.Diff(wrap([]*p4.TableEntry{want}), got, protocmp.Transform()); diff != "" {
			t.Errorf("default entry (-want +got):\n%s", diff)
		}
	}
	wantDefault(noAction)
	primary.mustWrite(update(p4.Update_MODIFY, source))
	wantDefault(source)
	wantEntries(t, n) // a default entry is no entry of a wildcard read
	primary.mustWrite(update(p4.Update_MODIFY, none))
	wantDefault(noAction)
	primary.mustWrite(update(p4.Update_MODIFY, noAction))
	wantDefault(noAction)
}

func TestABatchGoesOnAfterAnErrorAndReportsInOrder(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	first, third := encode(t, un("fcbb:bbbb:100::/48")), encode(t, un("fcbb:bbbb:300::/48"))
	n.backend.Refuse(func(u contract.Update) error {
		if u.Entry.Key().Match == "fcbb:bbbb:200::/48" {
			return contract.Errorf(contract.ResourceExhausted, "the table is full")
		}
		return nil
	})
	err := primary.write(insert(first), insert(&p4.TableEntry{TableId: 1}), insert(encode(t, un("fcbb:bbbb:200::/48"))), insert(third))
	if status.Code(err) != codes.Unknown {
		t.Fatalf("got %v, want UNKNOWN", err)
	}
	var got []codes.Code
	for _, d := range details(err) {
		got = append(got, codes.Code(d.GetCanonicalCode()))
	}
	want := []codes.Code{codes.OK, codes.InvalidArgument, codes.ResourceExhausted, codes.OK}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	wantEntries(t, n, first, third)
}

func TestTenThousandFailuresStillReachTheClient(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	for _, failures := range []int{100, 1_000, 10_000} {
		t.Run(fmt.Sprint(failures), func(t *testing.T) {
			var updates []*p4.Update
			for range failures {
				updates = append(updates, update(p4.Update_DELETE, message(t, mySID+sidMatch)))
			}
			err := primary.write(updates...)
			if status.Code(err) != codes.Unknown || len(details(err)) != failures {
				t.Fatalf("got %v with %d details, want UNKNOWN with %d", status.Code(err), len(details(err)), failures)
			}
			for i, d := range details(err) {
				if codes.Code(d.GetCanonicalCode()) != codes.NotFound {
					t.Fatalf("update %d: %v, want NotFound", i, d)
				}
			}
			if size := proto.Size(status.Convert(err).Proto()); size > 512<<10 {
				t.Errorf("the status has %d bytes, too many for a header", size)
			}
		})
	}
}

func TestWriteChecksTheClientBeforeTheUpdates(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	backup := n.connect()
	backup.arbitrate(&p4.MasterArbitrationUpdate{DeviceId: testDevice})
	backup.hears(codes.AlreadyExists, 1)
	bad := []*p4.Update{insert(&p4.TableEntry{TableId: 1})}
	one := &p4.Uint128{Low: 1}
	for _, tc := range []struct {
		name    string
		request *p4.WriteRequest
		code    codes.Code
	}{
		{"another device", &p4.WriteRequest{DeviceId: 8, ElectionId: one, Updates: bad}, codes.NotFound},
		{"another role", &p4.WriteRequest{DeviceId: testDevice, Role: "fabric", ElectionId: one, Updates: bad}, codes.NotFound},
		{"no election id", &p4.WriteRequest{DeviceId: testDevice, Updates: bad}, codes.PermissionDenied},
		{"a lower election id", &p4.WriteRequest{DeviceId: testDevice, ElectionId: &p4.Uint128{}, Updates: bad}, codes.PermissionDenied},
		{"the high half counts", &p4.WriteRequest{DeviceId: testDevice, ElectionId: &p4.Uint128{High: 1, Low: 1}, Updates: bad}, codes.PermissionDenied},
		{"all or nothing", &p4.WriteRequest{DeviceId: testDevice, ElectionId: one, Updates: bad, Atomicity: p4.WriteRequest_ROLLBACK_ON_ERROR}, codes.Unimplemented},
		{"atomic in the data plane", &p4.WriteRequest{DeviceId: testDevice, ElectionId: one, Updates: bad, Atomicity: p4.WriteRequest_DATAPLANE_ATOMIC}, codes.Unimplemented},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := n.rpc.Write(context.Background(), tc.request)
			if status.Code(err) != tc.code || len(details(err)) != 0 {
				t.Errorf("got %v, want %v for the whole batch", err, tc.code)
			}
		})
	}
	primary.mustWrite()
}
