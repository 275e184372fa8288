// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"runtime"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// One request must not cost the node what it forwards with. The limits are several times what the largest
// node has to tell: 510 ports have some 15,000 leaves.
const (
	maxPaths  = 1024   // of a request
	maxLeaves = 40_000 // of an answer, or remembered for a subscriber
)

// lane is for what takes the processor: so many do it at once, and the others wait in turn, each for a piece of it. So whoever
// asks for little waits for little, however much others ask for.
type lane chan struct{}

// newLane leaves processors to others than gNMI where there are any.
func newLane() lane { return make(lane, max(1, runtime.GOMAXPROCS(0)/2)) }

func (l lane) do(piece func()) {
	l <- struct{}{}
	defer func() { <-l }()
	piece()
}

func checkPaths(count int) error {
	if count > maxPaths {
		return status.Errorf(codes.ResourceExhausted, "%d paths, at most %d are served at once; use wildcards or several requests", count, maxPaths)
	}
	return nil
}

// budget is how many leaves may still be told.
type budget int

func (b *budget) take(leaves int) error {
	if *b -= budget(leaves); *b < 0 {
		return status.Errorf(codes.ResourceExhausted, "the paths select more than %d leaves; ask for less at once", maxLeaves)
	}
	return nil
}
