// SPDX-License-Identifier: Apache-2.0

package crash

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// A model determines which effects of the operations so far survive a crash.
type model struct {
	name string
	// leaves gives one of the disks that a crash may leave within an operation, chosen at random: the first ops of the recorder are
	// done, the next one is under way.
	leaves func(random *rand.Rand, r *recorder, ops int) contents
}

const blockBytes = 4096

func models() []model {
	return []model{
		{"kill -9", killed},
		{"power, in file order", powerInOrder},
		{"power, blocks alone", powerByBlocks},
	}
}

// killed: the content that processes saw, and a part of an unfinished write, to a byte or to a page of the file.
func killed(random *rand.Rand, r *recorder, ops int) contents {
	disk := r.after(ops)
	if ops < len(r.ops) && r.ops[ops].kind == opWrite {
		next := r.ops[ops]
		next.data = next.data[:part(random, len(disk.files[next.file].data), len(next.data))]
		disk.do(next)
	}
	return disk.named(disk.names, func(f *recorded) []byte { return f.data })
}

// part gives how many bytes of a write behind some bytes arrive.
func part(random *rand.Rand, behind, bytes int) int {
	some := random.IntN(bytes + 1)
	if random.IntN(2) == 0 {
		some = max(0, (behind+some)/blockBytes*blockBytes-behind)
	}
	return min(some, bytes)
}

// underWay gives the disk with the operation that is under way done in memory, which a loss of power may have written or not. A
// sync that is under way has not returned.
func underWay(r *recorder, ops int) *replayed {
	disk := r.after(ops)
	if ops < len(r.ops) && r.ops[ops].kind != opSync && r.ops[ops].kind != opSyncFolder {
		disk.do(r.ops[ops])
	}
	return disk
}

// powerInOrder: all synced data, and a prefix of random length of the data behind it.
func powerInOrder(random *rand.Rand, r *recorder, ops int) contents {
	disk := underWay(r, ops)
	return disk.named(disk.kept[random.IntN(len(disk.kept))], func(f *recorded) []byte {
		if !bytes.HasPrefix(f.data, f.synced) {
			return [][]byte{f.synced, f.data}[random.IntN(2)]
		}
		return f.data[:len(f.synced)+part(random, len(f.synced), len(f.data)-len(f.synced))]
	})
}

// powerByBlocks: each block that was changed since the last sync is the new one or the old one, zero bytes where there was none;
// the file is as long as it was or as it is, or ends with one of the blocks.
func powerByBlocks(random *rand.Rand, r *recorder, ops int) contents {
	disk := underWay(r, ops)
	return disk.named(disk.kept[random.IntN(len(disk.kept))], func(f *recorded) []byte {
		if bytes.Equal(f.data, f.synced) {
			return f.synced
		}
		out := make([]byte, max(len(f.data), len(f.synced)))
		copy(out, f.synced)
		for at := 0; at < len(f.data); at += blockBytes {
			end := min(at+blockBytes, len(f.data))
			if random.IntN(2) == 0 {
				copy(out[at:end], f.data[at:end])
			}
		}
		sizes := []int{len(f.data), len(f.synced)}
		for at := (len(f.synced)/blockBytes + 1) * blockBytes; at < len(f.data); at += blockBytes {
			sizes = append(sizes, at)
		}
		return out[:sizes[random.IntN(len(sizes))]]
	})
}

func (r *replayed) named(names map[string]int, content func(*recorded) []byte) contents {
	out, made := contents{}, map[int][]byte{}
	for name, file := range names {
		if _, there := made[file]; !there {
			made[file] = slices.Clone(content(r.files[file]))
		}
		out[name] = made[file]
	}
	return out
}
