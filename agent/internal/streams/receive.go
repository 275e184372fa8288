// SPDX-License-Identifier: Apache-2.0

// Package streams handles the bidirectional streams of the agent's gRPC services.
package streams

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Incoming is the receiving half of the server's side of a gRPC stream.
type Incoming[Request any] interface {
	Recv() (*Request, error)
	Context() context.Context
}

// Receive reads the server's side of a stream until it breaks, which it does when the handler
// returns at the latest; waiting for the group waits for that. The second channel says how the
// stream broke: nil if the client closed it.
func Receive[Request any](group *sync.WaitGroup, stream Incoming[Request]) (<-chan *Request, <-chan error) {
	requests := make(chan *Request)
	broken := make(chan error, 1)
	group.Go(func() {
		for {
			request, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				broken <- nil
				return
			}
			if err != nil {
				broken <- err
				return
			}
			select {
			case requests <- request:
			case <-stream.Context().Done():
				return
			}
		}
	})
	return requests, broken
}
