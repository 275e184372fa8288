// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"runtime"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// One request must not take the node's forwarding resources. The limits are twice the size of the largest node: 510
// ports have some 15,000 leaves.
const (
	maxPaths  = 1024   // of a request
	maxLeaves = 40_000 // of an answer, or remembered for a subscriber
	maxGets   = 4      // small requests that are answered at once; of the others, one
)

// A lane is for work that takes the processor: so many do it at once, and the others wait in turn, each for a piece of
// it. So a small request waits little, however large the others are. So a small request waits little, however large the
// others are.
type lane struct {
	turns chan struct{}
	// gets holds one element per Get that is answered.
	gets chan struct{}
	// rest is how many times as long as a piece takes no request has a turn.
	rest int
}

const (
	// modestPaths is the most that controllers ask for; a client that asks for more has a lane with others of its
	// kind.
	modestPaths = 32
	// restOfGreedy leaves them a quarter of a processor.
	restOfGreedy = 3
)

// lanes are those of a server.
type lanes struct {
	modest, greedy lane
	rows           lane // of readings of tables, which hold up writers
}

// newLanes leaves processors to others than gNMI where there are any.
func newLanes() lanes {
	return lanes{
		modest: lane{turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), gets: make(chan struct{}, maxGets)},
		// One at a time: more would not be faster, and each holds the answer that it has built so far.
		greedy: lane{turns: make(chan struct{}, 1), gets: make(chan struct{}, 1), rest: restOfGreedy},
		rows:   lane{turns: make(chan struct{}, 1), rest: restOfGreedy},
	}
}

func (l lanes) of(paths int) lane {
	if paths > modestPaths {
		return l.greedy
	}
	return l.modest
}

func (l lane) do(piece func()) {
	l.turns <- struct{}{}
	start := time.Now()
	piece()
	if l.rest == 0 {
		<-l.turns
		return
	}
	time.AfterFunc(time.Duration(l.rest)*time.Since(start), func() { <-l.turns })
}

func checkPaths(count int) error {
	if count > maxPaths {
		return status.Errorf(codes.ResourceExhausted, "%d paths, at most %d are served at once; use wildcards or several requests", count, maxPaths)
	}
	return nil
}

// budget is how many leaves may still be sent.
type budget int

func (b *budget) take(leaves int) error {
	if *b -= budget(leaves); *b < 0 {
		return status.Errorf(codes.ResourceExhausted, "the paths select more than %d leaves; ask for less at once", maxLeaves)
	}
	return nil
}
