// SPDX-License-Identifier: Apache-2.0

//go:build !race

package linux

// manySessions are as many as a gateway is built for.
const manySessions = 100_000
