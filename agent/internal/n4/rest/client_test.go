// SPDX-License-Identifier: Apache-2.0

package rest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/rest"
)

var compareAddresses = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

// asked is a request as the controller saw it.
type asked struct{ Method, Path, Type, Body string }

// controller answers every request by a function, and remembers them.
func controller(t *testing.T, answer func(asked) (int, string)) (*rest.Client, *[]asked) {
	t.Helper()
	var seen []asked
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "admin" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		body, _ := io.ReadAll(r.Body)
		a := asked{r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), string(body)}
		seen = append(seen, a)
		status, text := answer(a)
		if strings.HasPrefix(text, "next ") {
			w.Header().Set("Link", `</srv6/slices?after=x>; rel="next"`)
			text = strings.TrimPrefix(text, "next ")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return &rest.Client{URL: server.URL, User: "admin", Password: "secret", HTTP: server.Client()}, &seen
}

func session(id string) *fabric.Session {
	return &fabric.Session{
		ID: id, UE: []netip.Prefix{netip.MustParsePrefix("10.60.0.1/32")}, QFI: 9,
		Uplink:   fabric.Tunnel{Endpoint: netip.MustParseAddr("198.51.100.1"), TEID: 4097},
		Downlink: &fabric.Tunnel{Endpoint: netip.MustParseAddr("192.0.2.1"), TEID: 4098},
	}
}

func TestASessionIsTheContractsJSON(t *testing.T) {
	got, err := json.Marshal(session("a"))
	want := `{"id":"a","ue":["10.60.0.1/32"],"qfi":9,"rqi":false,"uplink":{"endpoint":"198.51.100.1","teid":4097},"downlink":{"endpoint":"192.0.2.1","teid":4098}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

func TestListsAreReadToTheirEnd(t *testing.T) {
	c, seen := controller(t, func(a asked) (int, string) {
		if strings.Contains(a.Path, "after=") {
			return 200, `[{"id": "b", "state": "INSTALLED", "slice": {"name": "b", "core": {"gateway": "u1", "upfs": ["198.51.100.1"]}}}]`
		}
		return 200, `next [{"id": "0", "state": "REMOVING", "slice": {"name": "0", "core": {"anchor": "u1"}}},
			{"id": "a", "state": "INSTALLED", "slice": {"name": "a", "snssai": {"sst": 2, "sd": "000001"}, "dnns": ["x"], "core": {"anchor": "u1", "upfs": ["198.51.100.1/32", "2001:db8::/64"]}}}]`
	})
	got, err := c.Slices(t.Context())
	if err != nil || len(got) != 2 || got[0].SNSSAI.SD != "000001" || got[1].Core.Anchor != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	if ends := fmt.Sprint(got[0].Endpoints()); ends != "[198.51.100.1]" {
		t.Errorf("endpoints %s", ends)
	}
	if want := "/srv6/slices?limit=1000&after=a"; (*seen)[1].Path != want {
		t.Errorf("then asked for %s, want %s", (*seen)[1].Path, want)
	}
}

func TestABatchIsRemovalsThenAListAndEachHearsItsOwn(t *testing.T) {
	c, seen := controller(t, func(a asked) (int, string) {
		if a.Method == http.MethodDelete {
			return 200, `{"removed": ["x", "y"], "leaving": []}`
		}
		return 207, `{"created": 1, "items": [{"status": 201, "id": "a", "state": "INSTALLED"},
			{"status": 409, "errors": [{"code": "CONFLICT", "field": "/1/ue/0", "message": "is another's", "remedy": "take one that is free"}]},
			{"status": 202, "id": "c", "state": "FAILED"}, {"status": 202, "id": "d", "state": "PENDING"}, {"status": 503}]}`
	})
	changes := []fabric.Change{{ID: "a", Want: session("a")}, {ID: "x"}, {ID: "b", Want: session("b")}, {ID: "c", Want: session("c")}, {ID: "d", Want: session("d")}, {ID: "e", Want: session("e")}, {ID: "y"}}
	got := c.Apply(t.Context(), "mbb", changes)
	want := []fabric.Outcome{
		{Status: 201},
		{Status: 200},
		{Verdict: fabric.Refused, Status: 409, Field: "/ue/0", Text: "/1/ue/0 is another's; take one that is free"},
		{Verdict: fabric.Refused, Status: 202, Text: "a node refuses its entries"},
		{Status: 202},
		{Verdict: fabric.Unreachable, Status: 503},
		{Status: 200},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if len(*seen) != 2 || (*seen)[0].Path != "/srv6/slices/mbb/sessions?ids=x,y" || (*seen)[1].Path != "/srv6/slices/mbb/sessions" {
		t.Errorf("asked %+v", *seen)
	}
	var list []fabric.Session
	if err := json.Unmarshal([]byte((*seen)[1].Body), &list); err != nil || len(list) != 5 || list[2].ID != "c" {
		t.Errorf("posted %s", (*seen)[1].Body)
	}
}

func TestAHandoverIsAMergePatchOfWhatDiffers(t *testing.T) {
	c, seen := controller(t, func(asked) (int, string) { return 200, `{}` })
	before, want := session("a"), session("a")
	want.Downlink = &fabric.Tunnel{Endpoint: netip.MustParseAddr("192.0.2.9"), TEID: 77}
	if got := c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Before: before, Want: want}}); got[0].Verdict != fabric.Accepted {
		t.Errorf("outcome %+v", got)
	}
	none := *want
	none.Downlink, none.QFI, none.UE = nil, 5, append(none.UE, netip.MustParsePrefix("2001:db8::/64"))
	c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Before: want, Want: &none}})
	forwards := none
	forwards.Forwarding = &fabric.Forwarding{From: fabric.Tunnel{Endpoint: netip.MustParseAddr("198.51.100.1"), TEID: 5}, To: *want.Downlink, QFIs: []int{0, 9}}
	c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Before: &none, Want: &forwards}})
	c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Before: &forwards, Want: &none}})
	const path = "/srv6/slices/mbb/sessions/a"
	wantSeen := []asked{
		{"PATCH", path, "application/merge-patch+json", `{"downlink":{"endpoint":"192.0.2.9","teid":77}}`},
		{"PATCH", path, "application/merge-patch+json", `{"downlink":null,"qfi":5,"ue":["10.60.0.1/32","2001:db8::/64"]}`},
		{"PATCH", path, "application/merge-patch+json", `{"forwarding":{"from":{"endpoint":"198.51.100.1","teid":5},"to":{"endpoint":"192.0.2.9","teid":77},"qfis":[0,9]}}`},
		{"PATCH", path, "application/merge-patch+json", `{"forwarding":null}`},
	}
	if diff := cmp.Diff(wantSeen, *seen); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestAHandoverThatANodeRefusesIsRefused(t *testing.T) {
	c, _ := controller(t, func(asked) (int, string) {
		return 202, `{"id": "a", "state": "FAILED", "troubles": [{"node": "u1", "state": "FAILED", "reason": "the table is full"}]}`
	})
	got := c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Before: session("a"), Want: session("a")}})[0]
	if got.Verdict != fabric.Refused || got.Text != "node u1 refuses: the table is full" {
		t.Errorf("outcome %+v", got)
	}
}

func TestAPatchOfWhatIsNotThereIsAPost(t *testing.T) {
	c, seen := controller(t, func(a asked) (int, string) {
		if a.Method == http.MethodPatch {
			return 404, `{"title": "Not found", "status": 404}`
		}
		return 201, `{"items": [{"status": 201}]}`
	})
	got := c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Before: session("a"), Want: session("a")}})
	if got[0].Verdict != fabric.Accepted || len(*seen) != 2 {
		t.Errorf("%+v, asked %+v", got, *seen)
	}
}

func TestWhatIsNotThereIsRemoved(t *testing.T) {
	c, seen := controller(t, func(a asked) (int, string) {
		if strings.HasSuffix(a.Path, "/x") {
			return 204, ""
		}
		return 404, `{"status": 404}`
	})
	for i, o := range c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "x"}, {ID: "y"}}) {
		if o.Verdict != fabric.Accepted {
			t.Errorf("%d: %+v", i, o)
		}
	}
	if len(*seen) != 3 {
		t.Errorf("asked %+v", *seen)
	}
}

func TestAnswersThatMayPassAreNoRefusals(t *testing.T) {
	for _, status := range []int{401, 403, 408, 429, 500, 503} {
		c, _ := controller(t, func(asked) (int, string) { return status, "" })
		if got := c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Want: session("a")}})[0]; got.Verdict != fabric.Unreachable {
			t.Errorf("%d is %+v", status, got)
		}
	}
	for _, status := range []int{400, 404, 409, 422} {
		c, _ := controller(t, func(asked) (int, string) { return status, `{"detail": "no"}` })
		if got := c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Want: session("a")}})[0]; got.Verdict != fabric.Refused || got.Text != "no" {
			t.Errorf("%d is %+v", status, got)
		}
	}
	gone := &rest.Client{URL: "http://127.0.0.1:1", HTTP: http.DefaultClient}
	if got := gone.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Want: session("a")}, {ID: "b"}}); got[0].Verdict != fabric.Unreachable || got[1].Verdict != fabric.Unreachable {
		t.Errorf("nobody there is %+v", got)
	}
	for _, nonsense := range []string{"<html>", `{"items": [{"status": 201}, {"status": 201}]}`, "{}"} {
		c, _ := controller(t, func(asked) (int, string) { return 200, nonsense })
		if got := c.Apply(t.Context(), "mbb", []fabric.Change{{ID: "a", Want: session("a")}})[0]; got.Verdict != fabric.Unreachable {
			t.Errorf("%s is taken for %+v", nonsense, got)
		}
	}
}

func TestSessionsAreRead(t *testing.T) {
	c, _ := controller(t, func(asked) (int, string) {
		return 200, `[{"id": "a", "state": "INSTALLED", "session": {"id": "a", "ue": ["10.60.0.1/32"], "qfi": 9, "rqi": false, "uplink": {"endpoint": "198.51.100.1", "teid": 4097},
			"downlink": {"endpoint": "192.0.2.1", "teid": 4098}}, "errors": [], "troubles": []}, {"id": "b", "state": "REMOVING", "session": {"id": "b"}}]`
	})
	got, err := c.Sessions(t.Context(), "mbb")
	if diff := cmp.Diff([]fabric.Session{*session("a")}, got, compareAddresses); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Each waits for nodes; one after the other, a thousand would wait ten times as long as one.
func TestManyAreRemovedAtOnce(t *testing.T) {
	const requests = 10
	var together sync.WaitGroup
	together.Add(requests)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		together.Done()
		all := make(chan struct{})
		go func() { together.Wait(); close(all) }()
		select {
		case <-all:
		case <-time.After(10 * time.Second):
			t.Errorf("%s %s came alone", r.Method, r.URL.Path)
		}
	}))
	t.Cleanup(server.Close)
	var changes []fabric.Change
	for i := range requests * 100 {
		id := fmt.Sprintf("s%d", i)
		changes = append(changes, fabric.Change{ID: id, Before: session(id)})
	}
	c := &rest.Client{URL: server.URL, HTTP: server.Client()}
	for i, o := range c.Apply(t.Context(), "mbb", changes) {
		if o.Verdict != fabric.Accepted {
			t.Fatalf("session %d is %+v", i, o)
		}
	}
}

func TestWhatIsStoredIsSeenSessionBySession(t *testing.T) {
	c, _ := controller(t, func(a asked) (int, string) {
		switch a.Path {
		case "/srv6/slices/mbb/sessions/a":
			return 200, `{"id": "a", "state": "PENDING", "session": {"ue": ["10.60.0.1/32"], "qfi": 9, "uplink": {"endpoint": "198.51.100.1", "teid": 1}}}`
		case "/srv6/slices/mbb/sessions/leaves":
			return 200, `{"id": "leaves", "state": "REMOVING", "session": {}}`
		case "/srv6/slices/mbb/sessions/refused":
			return 200, `{"id": "refused", "state": "FAILED", "session": {}}`
		case "/srv6/slices/mbb/sessions/busy":
			return 503, ``
		}
		return 404, `{}`
	})
	got := c.Stored(t.Context(), "mbb", []string{"a", "leaves", "refused", "busy", "gone"})
	for _, id := range []string{"leaves", "gone"} {
		if s, seen := got[id]; !seen || s != nil {
			t.Errorf("%s: %v, %v; want it seen, and nothing there", id, s, seen)
		}
	}
	for _, id := range []string{"refused", "busy"} {
		if s, seen := got[id]; seen {
			t.Errorf("%s is seen as %v, want it left out", id, s)
		}
	}
	if a := got["a"]; a == nil || a.ID != "a" || a.Uplink.TEID != 1 || a.QFI != 9 {
		t.Errorf("a is %+v", a)
	}
}
