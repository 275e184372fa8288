// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"sync"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Client arbitration (P4Runtime, "Client Arbitration and Controller Replication").
//
// Among the clients that hold a stream open, the one whose election id equals the highest ever seen is the primary; the
// others are backups and may only read. The invariant is that no write of an old primary runs once a new one was
// notified that it is primary. So a change of primary goes: no client is primary, the others are notified, running
// writes end, the new one is primary and is notified.
//
// The highest id is forgotten when the agent restarts, as after P4Runtime's "full restart". The last one there is,
// 2^128-1, is forgotten with its client: no id is above it, so that no other client could ever be primary again, and
// the node would be lost to all controllers until then.
type arbitration struct {
	deviceID uint64
	// writes is held while a write runs. Order of locks: turn, writes, mu.
	writes *sync.RWMutex
	turn   sync.Mutex // one arbitration message at a time

	mu      sync.Mutex // guards the fields below
	clients map[*client]struct{}
	primary *client
	highest electionID

	changed chan struct{} // has a token after primary changed
}

// maxClients bounds the streams that one node serves. A client that is to be primary takes the place of the last in
// line.
const maxClients = 64

func newArbitration(deviceID uint64, writes *sync.RWMutex) *arbitration {
	return &arbitration{deviceID: deviceID, writes: writes, clients: map[*client]struct{}{}, changed: make(chan struct{}, 1)}
}

// update handles a client's MasterArbitrationUpdate. Its error ends the client's stream.
func (a *arbitration) update(c *client, u *p4.MasterArbitrationUpdate) error {
	a.turn.Lock()
	defer a.turn.Unlock()
	id := newElectionID(u.GetElectionId())
	wins, err := a.admit(c, u, id)
	if err != nil || !wins {
		return err
	}
	a.writes.Lock() // the old primary's writes have ended once this returns
	defer a.writes.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.elect(c)
	c.push(a.notification(c))
	return nil
}

// admit checks and records the client, and notifies the affected ones; it reports whether the client is to become (or
// stay) primary. Then there is no primary until update makes it one.
func (a *arbitration) admit(c *client, u *p4.MasterArbitrationUpdate, id electionID) (wins bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.check(c, u, id); err != nil {
		return false, err
	}
	if _, live := a.clients[c]; !live && len(a.clients) >= maxClients {
		a.dismissLowest()
	}
	a.clients[c] = struct{}{}
	c.election = id
	if id.set && id.compare(a.highest) >= 0 {
		a.highest = id
		a.elect(nil)
		for other := range a.clients {
			if other != c {
				other.push(a.message(codes.AlreadyExists, c))
			}
		}
		return true, nil
	}
	a.forgetLast()
	if a.primary == c { // it stepped down
		a.elect(nil)
		a.notifyAll()
		return false, nil
	}
	c.push(a.notification(c))
	return false, nil
}

func (a *arbitration) check(c *client, u *p4.MasterArbitrationUpdate, id electionID) error {
	_, live := a.clients[c]
	role := u.GetRole()
	switch {
	case u.GetDeviceId() != a.deviceID && live:
		return status.Errorf(codes.FailedPrecondition, "this stream is for device %d, not %d; open another one", a.deviceID, u.GetDeviceId())
	case u.GetDeviceId() != a.deviceID:
		return unknownDevice(u.GetDeviceId(), a.deviceID)
	case live && !defaultRole(role):
		return status.Errorf(codes.FailedPrecondition, "this stream has the default role, not %q; open another one", role.GetName())
	case !defaultRole(role):
		return status.Errorf(codes.Unimplemented, "role %q is not served, only the default role is; leave role unset", role.GetName())
	case role.GetConfig() != nil:
		return status.Error(codes.InvalidArgument, "role.config is not served, the default role has full access; leave it unset")
	case !live && len(a.clients) >= maxClients && (!id.set || id.compare(a.highest) < 0):
		return status.Errorf(codes.ResourceExhausted, "%d clients are connected, no more are served", maxClients)
	}
	for other := range a.clients {
		if other != c && id.set && other.election == id {
			return status.Errorf(codes.InvalidArgument, "election id %s is in use by another client", id)
		}
	}
	return nil
}

// dismissLowest takes the stream from the client that is the last in line; the primary is the first.
func (a *arbitration) dismissLowest() {
	var lowest *client
	for c := range a.clients {
		if lowest == nil || c.election.compare(lowest.election) < 0 {
			lowest = c
		}
	}
	delete(a.clients, lowest)
	if a.primary == lowest {
		a.elect(nil)
	}
	lowest.end(fmt.Sprintf("%d clients are connected, and one with a higher election id came", maxClients))
}

// remove forgets a client whose stream ended, and says whether it was the primary.
func (a *arbitration) remove(c *client) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.clients, c)
	a.forgetLast()
	if a.primary != c {
		return false
	}
	a.elect(nil)
	a.notifyAll()
	return true
}

// forgetLast makes the highest id that of a client that is there, if it was the last one and no client has it now.
func (a *arbitration) forgetLast() {
	if a.highest != lastElectionID() {
		return
	}
	highest := electionID{}
	for c := range a.clients {
		if c.election.compare(highest) > 0 {
			highest = c.election
		}
	}
	a.highest = highest
}

// elect makes a client primary, or none.
func (a *arbitration) elect(c *client) {
	a.primary = c
	signal(a.changed)
}

// isPrimary says whether a request with this election id comes from the primary.
func (a *arbitration) isPrimary(id electionID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.primary != nil && id.set && a.primary.election == id
}

// current is the primary, or nil.
func (a *arbitration) current() *client {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.primary
}

// sessions counts the clients, and says whether one is primary.
func (a *arbitration) sessions() (clients int, primary bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.clients), a.primary != nil
}

func (a *arbitration) notifyAll() {
	for c := range a.clients {
		c.push(a.notification(c))
	}
}

// notification is the notification about the present state for a client.
func (a *arbitration) notification(c *client) *p4.StreamMessageResponse {
	switch a.primary {
	case c:
		return a.message(codes.OK, c)
	case nil:
		return a.message(codes.NotFound, nil)
	default:
		return a.message(codes.AlreadyExists, a.primary)
	}
}

// message names the client that is or becomes primary. Its words are for the operator of a client that is not primary:
// the other's address, and that the highest id is free again once its client has gone.
func (a *arbitration) message(code codes.Code, primary *client) *p4.StreamMessageResponse {
	var text string
	switch code {
	case codes.AlreadyExists:
		text = fmt.Sprintf("the client at %s is the primary, with election id %s", primary.from, a.highest)
	case codes.NotFound:
		text = fmt.Sprintf("there is no primary; election id %s or a higher one becomes it", a.highest)
	default:
		text = "you are the primary"
	}
	return &p4.StreamMessageResponse{Update: &p4.StreamMessageResponse_Arbitration{Arbitration: &p4.MasterArbitrationUpdate{
		DeviceId:   a.deviceID,
		ElectionId: a.highest.message(),
		Status:     &statuspb.Status{Code: int32(code), Message: text},
	}}}
}

// defaultRole looks at the old numeric id too: a client that still uses it means a role of its own.
func defaultRole(r *p4.Role) bool {
	return r.GetName() == "" && r.GetId() == 0 //nolint:staticcheck // deprecated in 1.4, still sent by older clients
}

func unknownDevice(got, want uint64) error {
	return status.Errorf(codes.NotFound, "device %d is not served here, device %d is", got, want)
}
