// SPDX-License-Identifier: Apache-2.0

//go:build race

package linux

// manySessions are fewer, as the race detector makes each of them ten times slower.
const manySessions = 10_000
