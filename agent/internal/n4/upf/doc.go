// SPDX-License-Identifier: Apache-2.0

// Package upf decides what a user plane does about PFCP (TS 29.244): messages, outcomes of the controller and the time go in;
// answers, changes of mobile sessions and records for the journal come out. It opens nothing, waits for nothing and reads no
// clock, so every history of events can be played in a test.
//
//	datagram ──> Receive ─┐                         ┌─> Sends     answers, and End Markers
//	outcomes ──> Settle ──┤  associations,          ├─> Records   what a restart must know
//	slices ────> Learn ───┼─ sessions, tunnels, ────┤
//	time ──────> Tick ────┤  lanes, replies         └─> Next      batches for the controller, a lane per slice
//	spare time ─> Wind ───┘                                       (sessions of ended lives leave, some at a time)
//
// A session is what its SMF was told it is: the rules of the last request that was answered with success. A request makes the
// rules that there shall be, and from them a mobile session; when the controller has that, the rules are journalled, and then
// the SMF is answered. So a death at any moment loses nothing that was answered: the journal has it. What was not answered the
// SMF sends again; if the controller already has it, the start finds it there and takes it away.
//
// What the controller holds is unsure after a request that failed half-way; then the session is repaired: it is made there what
// it is here, for as long as that takes.
package upf
