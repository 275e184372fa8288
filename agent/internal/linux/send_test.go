// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

// A batch of 10,000 rows takes seconds. Frames that find links waited for it, and all links of a busy node were lost.
func TestFramesDoNotWaitForABatch(t *testing.T) {
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	n := openNode(t, ns, t.TempDir(), map[contract.PortID]string{1: "p1"})
	tap := listen(t, far, "f1")
	probe := frame(mac(far, "f1"), mac(ns, "p1"), probe6("fd00::1", "fd00::2"))
	sent := make(chan error, 1)
	n.mu.Lock()
	go func() { sent <- n.Send(context.Background(), 1, probe) }()
	select {
	case err := <-sent:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the frame waits for whoever has the node")
	}
	n.mu.Unlock()
	eventually(t, "the frame is there", func() bool {
		return len(tap.all(func(p packet) bool { return p.dst == ad("fd00::2") })) > 0
	})
}
