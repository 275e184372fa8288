// SPDX-License-Identifier: Apache-2.0

package metrics

// A growth sums up counters that come, go and begin at zero again, such as those of table entries: the sums only grow,
// as Prometheus wants it. Counts between the last scrape and the end of a counter are lost.
type growth[K, S comparable] struct {
	last map[K]uint64
	sums map[S]uint64
	next map[K]uint64
}

func newGrowth[K, S comparable]() *growth[K, S] {
	return &growth[K, S]{last: map[K]uint64{}, sums: map[S]uint64{}, next: map[K]uint64{}}
}

// add takes a reading of one counter, which belongs to a sum.
func (g *growth[K, S]) add(key K, sum S, count uint64) {
	more := count
	if last, known := g.last[key]; known && count >= last {
		more = count - last
	}
	g.sums[sum] += more
	g.next[key] = count
}

// done forgets the counters that this scrape has not read.
func (g *growth[K, S]) done() {
	g.last, g.next = g.next, map[K]uint64{}
}
