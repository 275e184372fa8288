// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"net/netip"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// A Record is an element of the journal; of its parts those that are there happened together.
type Record struct {
	// Recovery is when this user plane began to remember, in seconds since 1900.
	Recovery    uint32            `json:"recovery,omitempty"`
	Association *AssociationState `json:"association,omitempty"`
	// Released is the Node ID of an association that ended.
	Released string `json:"released,omitempty"`
	// Ends: the sessions of an SMF's former life end, but for some.
	Ends    *Ends         `json:"ends,omitempty"`
	Session *SessionState `json:"session,omitempty"`
	// Gone is the SEID of a session that ended.
	Gone uint64 `json:"gone,omitempty"`
	// Reply is the answer to the request that did it.
	Reply *Reply `json:"reply,omitempty"`
}

// AssociationState is the kept state of an SMF.
type AssociationState struct {
	Node     string         `json:"node"`
	Peer     netip.AddrPort `json:"peer"`
	Recovery uint32         `json:"recovery"`
	// Alternatives are the Alternative SMF IP Addresses, Set is the SMF Set ID (TS 29.244, 5.22).
	Alternatives []netip.Addr `json:"alternatives,omitempty"`
	Set          string       `json:"set,omitempty"`
}

// Ends records that the sessions of an SMF end, except those whose CP F-SEID has one of the kept addresses.
type Ends struct {
	Node string       `json:"node"`
	Kept []netip.Addr `json:"kept,omitempty"`
}

// SessionState is the kept state of a session.
type SessionState struct {
	SEID  uint64     `json:"seid"`
	Node  string     `json:"node"`
	CP    pfcp.FSEID `json:"cp"`
	Slice string     `json:"slice"`
	Rules Rules      `json:"rules"`
	// Leaving: it was deleted, and the controller may still have it.
	Leaving bool `json:"leaving,omitempty"`
	// InFabric is the session that the rules make in the fabric, nil: nothing.
	InFabric *fabric.Session `json:"inFabric,omitempty"`
}

// A RequestKey identifies a request; one that is sent again is the same to the byte (TS 29.244, 6.4).
type RequestKey struct {
	From     netip.AddrPort `json:"from"`
	Type     uint8          `json:"type"`
	Sequence uint32         `json:"sequence"`
	Digest   uint64         `json:"digest"`
}

// A Reply is the answer to a request.
type Reply struct {
	RequestKey
	Bytes []byte `json:"bytes"`
}
