// SPDX-License-Identifier: Apache-2.0

package identity

// TellAllDoubts has every refusal logged, however many there are.
func (g *Guard) TellAllDoubts() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.doubts.apart = 0
}
