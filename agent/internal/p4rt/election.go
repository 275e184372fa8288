// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"cmp"
	"math"
	"math/big"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
)

// electionID is 128 bits wide. A client without one is lower than any that has one.
type electionID struct {
	set       bool
	high, low uint64
}

// lastElectionID is the one that no other is above.
func lastElectionID() electionID {
	return electionID{set: true, high: math.MaxUint64, low: math.MaxUint64}
}

func newElectionID(u *p4.Uint128) electionID {
	if u == nil {
		return electionID{}
	}
	return electionID{set: true, high: u.GetHigh(), low: u.GetLow()}
}

func (e electionID) compare(o electionID) int {
	if e.set != o.set {
		if e.set {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(e.high, o.high), cmp.Compare(e.low, o.low))
}

func (e electionID) message() *p4.Uint128 {
	if !e.set {
		return nil
	}
	return &p4.Uint128{High: e.high, Low: e.low}
}

// String is the number in decimal, as controllers print it.
func (e electionID) String() string {
	if !e.set {
		return "none"
	}
	high := new(big.Int).SetUint64(e.high)
	return high.Lsh(high, 64).Add(high, new(big.Int).SetUint64(e.low)).String()
}
