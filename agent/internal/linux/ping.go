// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"

	"sextant/agent/internal/echo"
)

// Ping sends echo requests from the node. The kernel routes its own packets like those it forwards, so they take the
// policies that steer their destination.
func (n *Node) Ping(ctx context.Context, r echo.Request, each func(echo.Reply) error) (int, error) {
	return echo.Send(ctx, n.ns.fd(), r, each)
}
