// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// One request must not cost the node what it forwards with. The limits are several times what the largest
// node has to tell: 510 ports have some 15,000 leaves.
const (
	maxPaths  = 1024    // of a request
	maxLeaves = 100_000 // of an answer, or remembered for a subscriber
)

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
