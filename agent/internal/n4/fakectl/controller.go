// SPDX-License-Identifier: Apache-2.0

// Package fakectl is a controller for tests, as far as n4 asks one: slices and their sessions over HTTP, with the answers that
// the REST reference gives. It keeps to the contract where that refuses, too: one tunnel and one address have one session.
package fakectl

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"sextant/agent/internal/n4/fabric"
)

// User and Password of the one user there is.
const (
	User     = "admin"
	Password = "secret"
)

// A Controller keeps slices and sessions in memory.
type Controller struct {
	mu           sync.Mutex
	slices       []fabric.Slice
	sessions     map[string]map[string]fabric.Session
	tunnels      map[fabric.Tunnel]string // its owner
	ues          map[netip.Prefix]string
	away         bool
	requests     []string
	beforeAnswer func(r *http.Request)
}

// New has these slices.
func New(list ...fabric.Slice) *Controller {
	c := &Controller{slices: list, sessions: map[string]map[string]fabric.Session{}, tunnels: map[fabric.Tunnel]string{}, ues: map[netip.Prefix]string{}}
	for _, s := range list {
		c.sessions[s.Name] = map[string]fabric.Session{}
	}
	return c
}

// Anchored gives a slice whose GTP ends in the fabric.
func Anchored(name string, upfs ...string) fabric.Slice {
	s := fabric.Slice{Name: name}
	s.Core.Anchor, s.Core.UPFs = "u1", upfs
	return s
}

// SetAway makes all answers 503, or no longer.
func (c *Controller) SetAway(away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = away
}

// BeforeAnswer has a function called when a request has been done and before it is answered; nil: no longer.
func (c *Controller) BeforeAnswer(do func(r *http.Request)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beforeAnswer = do
}

// Sessions are those of a slice by id.
func (c *Controller) Sessions(slice string) []fabric.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []fabric.Session
	for _, s := range c.sessions[slice] {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b fabric.Session) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Requests are method and path of the requests.
func (c *Controller) Requests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.requests)
}

// ServeHTTP answers.
func (c *Controller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body := c.serve(r)
	c.mu.Lock()
	hook := c.beforeAnswer
	c.mu.Unlock()
	if hook != nil {
		hook(r)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body) // the client has gone
	}
}

type problem struct {
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Errors []fault `json:"errors,omitempty"`
}

type fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// stored is an intent as it is listed.
type stored struct {
	ID      string          `json:"id"`
	State   string          `json:"state"`
	Slice   *fabric.Slice   `json:"slice,omitempty"`
	Session *fabric.Session `json:"session,omitempty"`
}

func view(s fabric.Session) stored { return stored{ID: s.ID, State: "INSTALLED", Session: &s} }

func (c *Controller) serve(r *http.Request) (int, any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if user, password, _ := r.BasicAuth(); user != User || password != Password {
		return 401, problem{"who is it?", 401, nil}
	}
	if c.away {
		return 503, problem{"The controller starts", 503, nil}
	}
	c.requests = append(c.requests, r.Method+" "+r.URL.Path)
	rest, isSlice := strings.CutPrefix(r.URL.Path, "/srv6/slices")
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	switch {
	case isSlice && rest == "" && r.Method == http.MethodGet:
		out := []stored{}
		for _, s := range c.slices {
			out = append(out, stored{ID: s.Name, State: "INSTALLED", Slice: &s})
		}
		return 200, out
	case !isSlice || len(parts) < 2 || parts[1] != "sessions" || c.sessions[parts[0]] == nil:
		return 404, problem{"Not found", 404, nil}
	case len(parts) == 2:
		return c.list(r, parts[0])
	}
	return c.one(r, parts[0], parts[2])
}

func (c *Controller) list(r *http.Request, slice string) (int, any) {
	there := c.sessions[slice]
	switch r.Method {
	case http.MethodGet: // all at once: no link to a next page
		out := []stored{}
		for _, s := range there {
			out = append(out, view(s))
		}
		return 200, out
	case http.MethodPost:
		return c.post(r, slice)
	case http.MethodDelete:
		ids := strings.Split(r.URL.Query().Get("ids"), ",")
		for _, id := range ids {
			if _, found := there[id]; !found {
				return 404, problem{"Not found", 404, nil}
			}
		}
		for _, id := range ids {
			c.drop(slice, id)
		}
		return 200, map[string]any{"removed": ids, "leaving": []string{}}
	}
	return 405, nil
}

type item struct {
	Status int     `json:"status"`
	ID     string  `json:"id,omitempty"`
	State  string  `json:"state,omitempty"`
	Errors []fault `json:"errors,omitempty"`
}

func (c *Controller) post(r *http.Request, slice string) (int, any) {
	var list []fabric.Session
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		return 400, problem{err.Error(), 400, nil}
	}
	status, items := 200, []item{}
	for i, s := range list {
		one := item{ID: s.ID, State: "INSTALLED"}
		_, was := c.sessions[slice][s.ID]
		switch field, other := c.taken(s); {
		case field != "":
			one = item{Status: 409, Errors: []fault{{fmt.Sprintf("/%d%s", i, field), "is session " + other + "'s"}}}
			status = 207
		case was:
			one.Status = 200
		default:
			one.Status = 201
			status = max(status, 201)
		}
		if one.Status < 300 {
			c.put(slice, s)
		}
		items = append(items, one)
	}
	return status, map[string]any{"items": items}
}

// taken returns the field of a session that is another's.
func (c *Controller) taken(s fabric.Session) (field, other string) {
	if id, there := c.tunnels[s.Uplink]; there && id != s.ID {
		return "/uplink", id
	}
	for _, p := range s.UE {
		if id, there := c.ues[p]; there && id != s.ID {
			return "/ue", id
		}
	}
	return "", ""
}

func (c *Controller) put(slice string, s fabric.Session) {
	c.drop(slice, s.ID)
	c.sessions[slice][s.ID] = s
	c.tunnels[s.Uplink] = s.ID
	for _, p := range s.UE {
		c.ues[p] = s.ID
	}
}

func (c *Controller) drop(slice, id string) {
	s, there := c.sessions[slice][id]
	if !there {
		return
	}
	delete(c.sessions[slice], id)
	delete(c.tunnels, s.Uplink)
	for _, p := range s.UE {
		delete(c.ues, p)
	}
}

func (c *Controller) one(r *http.Request, slice, id string) (int, any) {
	s, there := c.sessions[slice][id]
	if !there {
		return 404, problem{"Not found", 404, nil}
	}
	switch r.Method {
	case http.MethodDelete:
		c.drop(slice, id)
		return 204, nil
	case http.MethodPatch:
		s.UE = slices.Clone(s.UE) // a client that has seen the session keeps its own copy
		if s.Downlink != nil {
			downlink := *s.Downlink
			s.Downlink = &downlink
		}
		if s.Forwarding != nil {
			forwarding := *s.Forwarding
			s.Forwarding = &forwarding
		}
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			return 400, problem{err.Error(), 400, nil}
		}
		if field, other := c.taken(s); field != "" {
			return 409, problem{"Conflict", 409, []fault{{field, "is session " + other + "'s"}}}
		}
		c.put(slice, s)
	}
	return 200, view(s)
}
