// SPDX-License-Identifier: Apache-2.0

// Package pfcp is the wire of N4 (TS 29.244): datagrams become requests that cannot be wrong, or a fault with the
// cause, the offending IE and the rule for the answer to the SMF; answers become bytes. It keeps nothing.
//
// The IEs of a request are walked here, not by go-pfcp's message.Parse: that takes IEs which are cut off, and needs
// time that grows with the square of the depth in which a foreign sender nests groups. Fields and answers are
// go-pfcp's.
package pfcp
