// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net/netip"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// A Send is a datagram to an SMF.
type Send struct {
	To    netip.AddrPort
	Bytes []byte
	// Rests: on a record, without which it must not be sent.
	Rests bool
}

// An EndMarker is to go to the end of a tunnel that is no longer used, from where it came.
type EndMarker struct {
	From netip.Addr
	To   fabric.Tunnel
}

// A Note is something that an operator may want to read.
type Note struct {
	Level slog.Level
	Text  string
	Args  []any
}

// Effects are an event's requests to the caller. Records are durable before anything is sent.
type Effects struct {
	Records    []Record
	Sends      []Send
	EndMarkers []EndMarker
	Notes      []Note
	// WantsSlices: a request waits for a slice that is not known.
	WantsSlices bool
	// Doubts are sessions about which the controller takes long: its copies of them are to be passed to Seen.
	Doubts []Doubt
}

// A Doubt is about sessions of one slice.
type Doubt struct {
	Slice string
	IDs   []string
}

// A Machine is the state. It is not safe for concurrent use.
type Machine struct {
	Config
	speaker pfcp.Speaker
	out     Effects
	// Full: records cannot be kept; nothing new is accepted.
	Full bool

	associations map[string]*association
	byAddress    map[netip.Addr][]*association // by each address that speaks for them
	lives        map[string]*life              // by Node ID
	ending       []*life                       // ended ones with sessions that have not left
	sessions     map[uint64]*session
	troubled     map[uint64]*session // those that the controller refuses
	tunnels      owners[fabric.Tunnel]
	ues          addresses
	replies      *replies
	lanes        map[string]*lane
	slices       map[string]fabric.Slice
	rules        []SliceRule
	learned      bool
	missing      []string // slices of the configuration that the controller has not
	reconciled   bool
	parked       []parked
	// strangerNoted is when a message from a sender that is not permitted was last logged.
	strangerNoted time.Time
	waitingBytes  int

	nextSEID     uint64
	nextTEID     uint32
	nextUE       map[netip.Prefix]uint64
	nextSequence uint32
	counters     Counters
}

// Counters count messages and their outcomes.
type Counters struct {
	Received  map[string]int `json:"received"`
	Malformed int            `json:"malformed"`
	// Strangers are messages of senders that may not speak; Overflow those that came faster than they could be worked on.
	Strangers     int            `json:"strangers"`
	Overflow      int            `json:"overflow"`
	Retransmitted int            `json:"retransmitted"`
	Refused       map[string]int `json:"refused"`
	Ignored       map[string]int `json:"ignored"`
	Established   int            `json:"established"`
	Modified      int            `json:"modified"`
	Deleted       int            `json:"deleted"`
	Repaired      int            `json:"repaired"`
}

// New gives a machine with the knowledge of the journal. recovery is used if the journal has none: then this is a new
// user plane, and SMFs that remember an older one find that out by the time stamp.
func New(now time.Time, c Config, journal []Record, recovery uint32) *Machine {
	m := &Machine{
		Config:       c.withDefaults(),
		associations: map[string]*association{}, byAddress: map[netip.Addr][]*association{}, lives: map[string]*life{},
		sessions: map[uint64]*session{}, troubled: map[uint64]*session{},
		tunnels: owners[fabric.Tunnel]{}, ues: newAddresses(),
		replies: newReplies(), lanes: map[string]*lane{}, slices: map[string]fabric.Slice{}, nextUE: map[netip.Prefix]uint64{},
		counters: Counters{Received: map[string]int{}, Refused: map[string]int{}, Ignored: map[string]int{}},
	}
	m.speaker = pfcp.Speaker{Address: m.Address, Recovery: recovery, Features: m.features()}
	m.nextSEID, m.nextTEID = m.FirstSEID, m.FirstTEID
	for _, r := range journal {
		m.replay(now, r)
	}
	for _, s := range m.sessions {
		m.index(s)
		s.unsure = true // until the controller has been looked at
	}
	return m
}

func (m *Machine) replay(now time.Time, r Record) {
	if r.Recovery != 0 {
		m.speaker.Recovery = r.Recovery
	}
	if a := r.Association; a != nil {
		m.associate(&association{AssociationState: *a, heard: now})
	}
	if r.Ends != nil {
		m.succeed(r.Ends.Node, r.Ends.Kept)
	}
	if r.Released != "" {
		m.dissociate(r.Released)
		m.endLife(r.Released)
	}
	if r.Session != nil {
		m.remember(*r.Session)
	}
	if s := m.sessions[r.Gone]; s != nil {
		m.drop(s)
	}
	if r.Reply != nil {
		m.replies.put(now, r.Reply.RequestKey, r.Reply.Bytes)
	}
}

// Snapshot gives the records that make a machine like this one: a journal is rewritten with them.
func (m *Machine) Snapshot() []Record {
	out := []Record{{Recovery: m.speaker.Recovery}}
	for _, a := range m.associations {
		out = append(out, Record{Association: &a.AssociationState})
	}
	for _, s := range m.sessions {
		if s.committed {
			state := copyOf(s.SessionState)
			state.Leaving = s.ending()
			out = append(out, Record{Session: state})
		}
	}
	for _, known := range m.replies.known {
		for key, r := range known {
			if r.bytes != nil {
				out = append(out, Record{Reply: &Reply{key, r.bytes}})
			}
		}
	}
	return out
}

// Take gives the effects since the last call.
func (m *Machine) Take() Effects {
	out := m.out
	m.out = Effects{}
	return out
}

func (m *Machine) note(level slog.Level, text string, args ...any) {
	m.out.Notes = append(m.out.Notes, Note{level, text, args})
}

// A request is one that waits for its answer.
type request struct {
	key    RequestKey
	header pfcp.Header
	body   []byte
	came   time.Time
}

func digest(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return h.Sum64()
}

// Receive takes a datagram. It keeps no part of b.
func (m *Machine) Receive(now time.Time, from netip.AddrPort, b []byte) {
	if !m.permits(from.Addr()) {
		m.Strangers(now, from.Addr(), 1)
		return
	}
	h, body, err := pfcp.ParseHeader(b)
	switch {
	case errors.Is(err, pfcp.ErrVersion):
		m.counters.Malformed++
		if h.Type != message.MsgTypeVersionNotSupportedResponse {
			m.send(from, pfcp.OtherVersion(h.Sequence))
		}
		return
	case errors.Is(err, pfcp.ErrLength):
		m.counters.Malformed++
		m.answerFault(request{key: RequestKey{From: from}, header: h}, 0, refuse(ie.CauseInvalidLength, 0, "%v", err))
		return
	case err != nil:
		m.counters.Malformed++
		m.note(slog.LevelDebug, "ignored a datagram", "from", from, "error", err)
		return
	}
	m.counters.Received[typeName(h.Type)]++
	m.heard(now, from)
	switch h.Type {
	case message.MsgTypeHeartbeatRequest:
		m.heartbeat(now, from, h, body)
		return
	case message.MsgTypeHeartbeatResponse:
		m.heartbeatAnswered(from, h, body)
		return
	}
	if !answers(h.Type) {
		return // responses without a request, and unknown messages (TS 29.244, 7.6)
	}
	key := RequestKey{From: from, Type: h.Type, Sequence: h.Sequence, Digest: digest(b)}
	if reply := m.replies.get(key); reply != nil {
		m.counters.Retransmitted++
		if reply.bytes != nil {
			m.out.Sends = append(m.out.Sends, Send{from, reply.bytes, true}) // its record may still wait for the disk
		}
		return
	}
	m.replies.put(now, key, nil)
	m.handle(now, request{key: key, header: h, body: append([]byte(nil), body...), came: now})
}

// answers says which requests are known.
func answers(kind uint8) bool {
	switch kind {
	case message.MsgTypeAssociationSetupRequest, message.MsgTypeAssociationUpdateRequest, message.MsgTypeAssociationReleaseRequest,
		message.MsgTypePFDManagementRequest, message.MsgTypeSessionSetDeletionRequest,
		message.MsgTypeSessionEstablishmentRequest, message.MsgTypeSessionModificationRequest, message.MsgTypeSessionDeletionRequest:
		return true
	}
	return false
}

func (m *Machine) handle(now time.Time, r request) {
	switch r.header.Type {
	case message.MsgTypeAssociationSetupRequest:
		m.setup(now, r)
	case message.MsgTypeAssociationUpdateRequest:
		m.update(r)
	case message.MsgTypeAssociationReleaseRequest:
		m.release(r)
	case message.MsgTypeSessionEstablishmentRequest:
		m.establish(now, r, false)
	case message.MsgTypeSessionModificationRequest, message.MsgTypeSessionDeletionRequest:
		m.ofSession(now, r)
	default:
		m.answer(r, m.speaker.Unsupported(r.header.Type, r.header.Sequence), Record{})
	}
}

func (m *Machine) send(to netip.AddrPort, b []byte) {
	m.out.Sends = append(m.out.Sends, Send{To: to, Bytes: b})
}

// answer answers a request, once, and remembers the answer. With a record that is not empty the answer is remembered
// over a restart.
func (m *Machine) answer(r request, b []byte, record Record) {
	m.replies.set(r.key, b)
	rests := record != (Record{})
	if rests {
		record.Reply = &Reply{r.key, b}
		m.out.Records = append(m.out.Records, record)
	}
	m.out.Sends = append(m.out.Sends, Send{r.key.From, b, rests})
}

// answerFault refuses a request. cp is the SMF's name of the session, if there is one.
func (m *Machine) answerFault(r request, cp uint64, f *pfcp.Fault) {
	b := m.fault(r.header, cp, f)
	if b == nil {
		return
	}
	m.counters.Refused[causeName(f.Cause)]++
	m.note(slog.LevelWarn, "refused", "request", typeName(r.header.Type), "from", r.key.From, "cause", causeName(f.Cause),
		"offending_ie", f.Offending, "reason", f.Reason)
	m.answer(r, b, Record{})
}

func (m *Machine) fault(h pfcp.Header, cp uint64, f *pfcp.Fault) []byte {
	switch h.Type {
	case message.MsgTypeAssociationSetupRequest:
		return m.speaker.Setup(h.Sequence, f, false)
	case message.MsgTypeAssociationUpdateRequest:
		return m.speaker.Update(h.Sequence, f)
	case message.MsgTypeAssociationReleaseRequest:
		return m.speaker.Release(h.Sequence, f)
	case message.MsgTypeSessionEstablishmentRequest:
		return m.speaker.Establishment(h.Sequence, cp, 0, f, nil)
	case message.MsgTypeSessionModificationRequest:
		return m.speaker.Modification(h.Sequence, cp, f, nil)
	case message.MsgTypeSessionDeletionRequest:
		return m.speaker.Deletion(h.Sequence, cp, f)
	}
	return nil
}

func typeName(kind uint8) string {
	names := map[uint8]string{
		message.MsgTypeHeartbeatRequest: "heartbeat", message.MsgTypeHeartbeatResponse: "heartbeat-response",
		message.MsgTypeAssociationSetupRequest: "association-setup", message.MsgTypeAssociationUpdateRequest: "association-update",
		message.MsgTypeAssociationReleaseRequest: "association-release", message.MsgTypePFDManagementRequest: "pfd-management",
		message.MsgTypeSessionSetDeletionRequest: "session-set-deletion", message.MsgTypeSessionEstablishmentRequest: "session-establishment",
		message.MsgTypeSessionModificationRequest: "session-modification", message.MsgTypeSessionDeletionRequest: "session-deletion",
	}
	if name, there := names[kind]; there {
		return name
	}
	return "other"
}

func causeName(cause uint8) string {
	names := map[uint8]string{
		ie.CauseRequestRejected: "request-rejected", ie.CauseSessionContextNotFound: "session-context-not-found",
		ie.CauseMandatoryIEMissing: "mandatory-ie-missing", ie.CauseConditionalIEMissing: "conditional-ie-missing",
		ie.CauseInvalidLength: "invalid-length", ie.CauseMandatoryIEIncorrect: "mandatory-ie-incorrect",
		ie.CauseInvalidFTEIDAllocationOption: "invalid-f-teid-allocation-option", ie.CauseNoEstablishedPFCPAssociation: "no-established-pfcp-association",
		ie.CauseRuleCreationModificationFailure: "rule-creation-modification-failure", ie.CausePFCPEntityInCongestion: "pfcp-entity-in-congestion",
		ie.CauseNoResourcesAvailable: "no-resources-available", ie.CauseServiceNotSupported: "service-not-supported", ie.CauseSystemFailure: "system-failure",
	}
	if name, there := names[cause]; there {
		return name
	}
	return fmt.Sprintf("cause-%d", cause)
}
