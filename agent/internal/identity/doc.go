// SPDX-License-Identifier: Apache-2.0

// Package identity decides the role of each client of a node: over TCP by the certificate that a client shows, over a
// Unix socket by the user that the kernel reports for its other end.
//
// A certificate is read anew whenever a file changes, with its key, the CA and the revocation list: an invalid set is
// reported and the one before it stays. The identity that a connection proved when it was made counts until it ends,
// but for two things that end it: its certificate is revoked, or no trusted CA signs for it any more. That it expires,
// or that the clock jumps, does not: a node must not lose its controller because of a clock.
package identity
