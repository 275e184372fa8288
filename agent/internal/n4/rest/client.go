// SPDX-License-Identifier: Apache-2.0

// Package rest sends the requests of package fabric to the controller over HTTP, and reads their outcomes. It keeps
// nothing and tries nothing twice: its callers know which requests are worth repeating.
package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sextant/agent/internal/n4/fabric"
)

const (
	// patience is longer than the 20 s that the controller waits for its nodes before it answers.
	patience = 45 * time.Second
	// sightPatience is less than it matters to see the stored sessions.
	sightPatience = 2 * time.Second
	// maxAnswerBytes is more than the longest page.
	maxAnswerBytes = 64 << 20
	// idsPerRequest keeps an address shorter than servers take.
	idsPerRequest = 100
	pageSize      = 1000
)

// A Client is one user of one controller.
type Client struct {
	// URL of the controller, without a path: http://127.0.0.1:8181.
	URL            string
	User, Password string
	HTTP           *http.Client
}

// problem is an answer of 400 or more (RFC 9457), or an item of a list that was rejected.
type problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	ID     string `json:"id"`
	State  string `json:"state"`
	Errors []struct {
		Field, Message, Remedy string
	} `json:"errors"`
	Troubles []struct {
		Node, Reason string
	} `json:"troubles"`
}

// outcome is the result of one session in an answer.
func (p problem) outcome(status int) fabric.Outcome {
	o := fabric.Outcome{Status: status, Text: p.text()}
	switch {
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusUnauthorized, status == http.StatusForbidden:
		o.Verdict = fabric.Unreachable
	case status >= 400 || p.State == "FAILED":
		o.Verdict = fabric.Refused
	}
	if len(p.Errors) > 0 {
		o.Field = withoutIndex(p.Errors[0].Field)
	}
	return o
}

func (p problem) text() string {
	var parts []string
	for _, e := range p.Errors {
		parts = append(parts, strings.TrimSpace(e.Field+" "+e.Message))
		if e.Remedy != "" {
			parts = append(parts, e.Remedy)
		}
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; ")
	case p.State == "FAILED" && len(p.Troubles) > 0:
		return "node " + p.Troubles[0].Node + " refuses: " + p.Troubles[0].Reason
	case p.State == "FAILED":
		return "a node refuses its entries"
	}
	return strings.TrimSpace(p.Title + " " + p.Detail)
}

// withoutIndex takes the place in a list off a JSON pointer.
func withoutIndex(pointer string) string {
	rest := strings.TrimPrefix(pointer, "/")
	first, after, _ := strings.Cut(rest, "/")
	if _, err := strconv.Atoi(first); err != nil {
		return pointer
	}
	return "/" + after
}

// stored is an intent as the controller lists it: one of its parts is there.
type stored struct {
	ID      string         `json:"id"`
	State   string         `json:"state"`
	Slice   fabric.Slice   `json:"slice"`
	Session fabric.Session `json:"session"`
}

// failed is the state of a session that a node refuses.
const failed = "FAILED"

// removing is the state of a deleted session of which nodes may still have entries.
const removing = "REMOVING"

// Slices gives all slices.
func (c *Client) Slices(ctx context.Context) ([]fabric.Slice, error) {
	all, err := c.list(ctx, "/srv6/slices")
	var out []fabric.Slice
	for _, s := range all {
		s.Slice.Name = s.ID
		out = append(out, s.Slice)
	}
	return out, err
}

// Sessions gives the sessions of a slice.
func (c *Client) Sessions(ctx context.Context, slice string) ([]fabric.Session, error) {
	all, err := c.list(ctx, sessions(slice))
	var out []fabric.Session
	for _, s := range all {
		s.Session.ID = s.ID
		out = append(out, s.Session)
	}
	return out, err
}

// list reads a list to its end, which is where an answer has no link to a next page.
func (c *Client) list(ctx context.Context, path string) ([]stored, error) {
	var all []stored
	after := ""
	for {
		status, header, body, err := c.do(ctx, http.MethodGet, path+"?limit="+strconv.Itoa(pageSize)+after, "", nil)
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK {
			return nil, fmt.Errorf("GET %s: the controller answers %d: %s", path, status, read(body).text())
		}
		var page []stored
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, fmt.Errorf("GET %s: %w", path, err)
		}
		for _, one := range page {
			if one.State != removing {
				all = append(all, one)
			}
		}
		if len(page) == 0 || !strings.Contains(header.Get("Link"), "next") {
			return all, nil
		}
		after = "&after=" + url.QueryEscape(page[len(page)-1].ID)
	}
}

// Stored returns the controller's copies of these sessions: nil for one that is not there, or is being removed.
// Sessions that it does not show in time, and those that a node refuses, are left out.
func (c *Client) Stored(ctx context.Context, slice string, ids []string) map[string]*fabric.Session {
	ctx, cancel := context.WithTimeout(ctx, sightPatience)
	defer cancel()
	out := map[string]*fabric.Session{}
	for _, id := range ids {
		status, _, body, err := c.do(ctx, http.MethodGet, sessions(slice)+"/"+url.PathEscape(id), "", nil)
		var one stored
		switch {
		case err != nil:
			return out
		case status == http.StatusNotFound:
			out[id] = nil
		case status != http.StatusOK || json.Unmarshal(body, &one) != nil || one.State == failed:
		case one.State == removing:
			out[id] = nil
		default:
			one.Session.ID = one.ID
			out[id] = &one.Session
		}
	}
	return out
}

func sessions(slice string) string { return "/srv6/slices/" + url.PathEscape(slice) + "/sessions" }

// Apply asks for changes of sessions, each of another one, and returns the outcome of each. Deletions go first, so that
// new sessions find their tunnels free.
func (c *Client) Apply(ctx context.Context, slice string, changes []fabric.Change) []fabric.Outcome {
	out := make([]fabric.Outcome, len(changes))
	var remove, put []int
	for i, change := range changes {
		if change.Want == nil {
			remove = append(remove, i)
		} else {
			put = append(put, i)
		}
	}
	// Side by side: each is answered when its nodes have done it, and together they are one step of theirs.
	var removing sync.WaitGroup
	for some := range slices.Chunk(remove, idsPerRequest) {
		removing.Go(func() { c.remove(ctx, slice, changes, some, out) })
	}
	removing.Wait()
	switch {
	case len(put) == 1 && changes[put[0]].Before != nil:
		out[put[0]] = c.patch(ctx, slice, changes[put[0]])
	case len(put) > 0:
		c.post(ctx, slice, changes, put, out)
	}
	return out
}

// remove takes several at once; where one of them is not there, each by itself.
func (c *Client) remove(ctx context.Context, slice string, changes []fabric.Change, which []int, out []fabric.Outcome) {
	if len(which) > 1 {
		var ids []string
		for _, i := range which {
			ids = append(ids, url.QueryEscape(changes[i].ID))
		}
		o := c.call(ctx, http.MethodDelete, sessions(slice)+"?ids="+strings.Join(ids, ","), nil)
		if o.Status != http.StatusNotFound {
			for _, i := range which {
				out[i] = o
			}
			return
		}
	}
	for _, i := range which {
		out[i] = c.call(ctx, http.MethodDelete, sessions(slice)+"/"+url.PathEscape(changes[i].ID), nil)
		if out[i].Status == http.StatusNotFound {
			out[i] = fabric.Outcome{Status: http.StatusNotFound} // as was wanted
		}
	}
}

// patch sends the differences only: a handover is the downlink (JSON Merge Patch, RFC 7396).
func (c *Client) patch(ctx context.Context, slice string, change fabric.Change) fabric.Outcome {
	body, err := differences(*change.Before, *change.Want)
	if err != nil {
		return fabric.Outcome{Verdict: fabric.Refused, Text: err.Error()}
	}
	o := c.call(ctx, http.MethodPatch, sessions(slice)+"/"+url.PathEscape(change.ID), body)
	if o.Status != http.StatusNotFound {
		return o
	}
	out := make([]fabric.Outcome, 1)
	c.post(ctx, slice, []fabric.Change{change}, []int{0}, out)
	return out[0]
}

func differences(before, want fabric.Session) ([]byte, error) {
	patch := map[string]any{}
	if want.Uplink != before.Uplink {
		patch["uplink"] = want.Uplink
	}
	if want.QFI != before.QFI {
		patch["qfi"] = want.QFI
	}
	if want.RQI != before.RQI {
		patch["rqi"] = want.RQI
	}
	switch {
	case want.Downlink == nil && before.Downlink != nil:
		patch["downlink"] = nil
	case want.Downlink != nil && (before.Downlink == nil || *want.Downlink != *before.Downlink):
		patch["downlink"] = want.Downlink
	}
	alike := before
	alike.Forwarding = want.Forwarding
	switch {
	case before.Equal(alike):
	case want.Forwarding == nil:
		patch["forwarding"] = nil
	default:
		patch["forwarding"] = want.Forwarding
	}
	alike.Uplink, alike.QFI, alike.RQI, alike.Downlink = want.Uplink, want.QFI, want.RQI, want.Downlink
	if !alike.Equal(want) {
		patch["ue"] = want.UE
	}
	return json.Marshal(patch)
}

// post puts a list: new sessions are made, existing ones are replaced.
func (c *Client) post(ctx context.Context, slice string, changes []fabric.Change, which []int, out []fabric.Outcome) {
	list := make([]*fabric.Session, len(which))
	for n, i := range which {
		list[n] = changes[i].Want
	}
	body, err := json.Marshal(list)
	all := fabric.Outcome{Verdict: fabric.Refused}
	var items []problem
	if err != nil {
		all.Text = err.Error()
	} else {
		all, items = c.postList(ctx, sessions(slice), body)
	}
	if all.Verdict == fabric.Accepted && len(items) != len(which) {
		all = fabric.Outcome{Verdict: fabric.Unreachable, Text: fmt.Sprintf("the controller's receipt has %d items for %d sessions", len(items), len(which))}
	}
	for n, i := range which {
		out[i] = all
		if all.Verdict == fabric.Accepted {
			out[i] = items[n].outcome(items[n].Status)
		}
	}
}

func (c *Client) postList(ctx context.Context, path string, body []byte) (fabric.Outcome, []problem) {
	status, _, answer, err := c.do(ctx, http.MethodPost, path, "application/json", body)
	if err != nil {
		return fabric.Outcome{Verdict: fabric.Unreachable, Text: err.Error()}, nil
	}
	var receipt struct {
		Items []problem `json:"items"`
	}
	if status < 300 {
		if err := json.Unmarshal(answer, &receipt); err != nil {
			return fabric.Outcome{Verdict: fabric.Unreachable, Status: status, Text: "the controller's answer is no receipt: " + err.Error()}, nil
		}
	}
	return read(answer).outcome(status), receipt.Items
}

// call sends a request about one thing.
func (c *Client) call(ctx context.Context, method, path string, body []byte) fabric.Outcome {
	kind := ""
	if body != nil {
		kind = "application/merge-patch+json"
	}
	status, _, answer, err := c.do(ctx, method, path, kind, body)
	if err != nil {
		return fabric.Outcome{Verdict: fabric.Unreachable, Text: err.Error()}
	}
	return read(answer).outcome(status)
}

// read reads a problem, or the fields of another answer that have the same names.
func read(body []byte) problem {
	var p problem
	_ = json.Unmarshal(body, &p) // an answer that is no JSON leaves the fields empty
	return p
}

func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte) (int, http.Header, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if c.User != "" {
		request.SetBasicAuth(c.User, c.Password)
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	return response.StatusCode, response.Header, answer, errors.Join(err, response.Body.Close())
}
