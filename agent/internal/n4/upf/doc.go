// SPDX-License-Identifier: Apache-2.0

// Package upf decides the actions of a user plane in PFCP (TS 29.244): messages, outcomes of the controller and the
// time go in; answers, changes of mobile sessions and records for the journal come out. It opens nothing, waits for
// nothing and reads no clock, so every history of events can be played in a test.
//
//	datagram ──> Receive ─┐                         ┌─> Sends     answers, and End Markers
//	outcomes ──> Settle ──┤  associations,          ├─> Records   state for a restart
//	slices ────> Learn ───┼─ sessions, tunnels, ────┤
//	time ──────> Tick ────┤  lanes, replies         └─> Next      batches for the controller, a lane per slice
//	spare time ─> Wind ───┘                                       (sessions of ended lives leave, some at a time)
//
// A session is the state that its SMF was sent: the rules of the last request that was answered with success. A request
// makes the rules that there shall be, and from them a mobile session; when the controller has that, the rules are
// journalled, and then the SMF is answered. So a death at any moment loses nothing that was answered: the journal has
// it. The SMF repeats requests that were not answered; if the controller already has them, the start finds them there
// and removes them.
//
// The controller's state is unsure after a request that failed half-way; then the session is repaired: it is made there
// as it is here, for as long as that takes.
package upf
