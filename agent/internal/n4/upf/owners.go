// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"maps"
	"net/netip"
	"slices"
)

// owners says which sessions have something: usually one. For a while there are more, as a session claims tunnels and
// addresses before it is known whether it gets them, and those that one of them gives back the others keep.
type owners[K comparable] map[K][]*session

func (o owners[K]) claim(k K, s *session) {
	if !slices.Contains(o[k], s) {
		o[k] = append(o[k], s)
	}
}

func (o owners[K]) release(k K, s *session) {
	left := slices.DeleteFunc(slices.Clone(o[k]), func(x *session) bool { return x == s })
	if len(left) == 0 {
		delete(o, k)
	} else {
		o[k] = left
	}
}

// other returns a session beside s that has it and is not about to give it back; nil: there is none.
func (o owners[K]) other(k K, s *session) *session {
	for _, x := range o[k] {
		if x != s && !x.ending() {
			return x
		}
	}
	return nil
}

// addresses are the prefixes that UEs have. Several sessions may have one, in slices whose anchors are not the same.
type addresses struct {
	owners[netip.Prefix]
	// lengths counts prefixes by their length, so that the one that contains an address is found.
	lengths map[int]int
}

func newAddresses() addresses {
	return addresses{owners[netip.Prefix]{}, map[int]int{}}
}

func (a addresses) claim(p netip.Prefix, s *session) {
	p = unit(p)
	if len(a.owners[p]) == 0 {
		a.lengths[lengthKey(p)]++
	}
	a.owners.claim(p, s)
}

func (a addresses) release(p netip.Prefix, s *session) {
	p = unit(p)
	before := len(a.owners[p])
	a.owners.release(p, s)
	if key := lengthKey(p); before > 0 && len(a.owners[p]) == 0 {
		if a.lengths[key]--; a.lengths[key] == 0 {
			delete(a.lengths, key)
		}
	}
}

// unit is the unit of pools: an address of IPv4, a /64 of IPv6 or more.
func unit(p netip.Prefix) netip.Prefix {
	if p.Addr().Is6() && p.Bits() > 64 {
		return netip.PrefixFrom(p.Addr(), 64).Masked()
	}
	return p
}

// lengthKey distinguishes the lengths of the families.
func lengthKey(p netip.Prefix) int {
	if p.Addr().Is4() {
		return p.Bits()
	}
	return p.Bits() + 33
}

// taken reports whether a session has an address or prefix that a pool could give, or one that contains it.
func (a addresses) taken(p netip.Prefix) bool {
	for key := range maps.Keys(a.lengths) {
		bits := key
		if key > 32 {
			bits = key - 33
		}
		if (key <= 32) != p.Addr().Is4() {
			continue
		}
		if q, err := p.Addr().Prefix(bits); err == nil && len(a.owners[q]) > 0 {
			return true
		}
	}
	return false
}
