// SPDX-License-Identifier: Apache-2.0

// Package identity decides who speaks to a node and what they may do: over TCP by the certificate that a client shows, over a
// Unix socket by the user that the kernel says is at its other end.
//
// A certificate is read anew whenever a file changes, with its key, the CA and the revocation list: a set that makes no
// sense is told and the one before it stays. What a connection proved when it was made counts until it ends, but for two
// things that end it: its certificate is revoked, or nobody trusted signs for it any more. That it expires, or that the clock
// jumps, does not: a node must not lose its controller because of a clock.
package identity
