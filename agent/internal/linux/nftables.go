// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"github.com/mdlayher/netlink"
)

// Common parts of the planes that write nftables.

const (
	// elementsPerMessage keeps a netlink attribute below 64 KiB, messagesPerFlush the messages of one write below
	// the buffer of a socket.
	elementsPerMessage = 256
	messagesPerFlush   = 8
	// nftPatience is how long nftables may take for an answer. An answer that was lost would be waited for for
	// ever, with the lock of the node held.
	nftPatience    = 10 * time.Second
	nftBufferBytes = 4 << 20
	// firstRegister is the first of the 4-byte registers NFT_REG32_00; a key starts there.
	firstRegister = 8
)

// dialNftables: every exchange has a socket of its own, as answers that a failed exchange leaves unread would be taken
// for those of the next.
func dialNftables(netns int) (*nftables.Conn, error) {
	nft, err := nftables.New(nftables.WithNetNSFd(netns), nftables.WithSockOptions(func(c *netlink.Conn) error {
		return errors.Join(c.SetReadBuffer(nftBufferBytes), c.SetWriteBuffer(nftBufferBytes), c.SetDeadline(time.Now().Add(nftPatience)))
	}))
	if err != nil {
		return nil, fmt.Errorf("open nftables: %w", err)
	}
	return nft, nil
}

func comparePrefixes(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}

func lengthsOf(prefixes map[netip.Prefix]bool) []int {
	lengths := map[int]bool{}
	for p := range prefixes {
		lengths[p.Bits()] = true
	}
	sorted := slices.Sorted(maps.Keys(lengths))
	slices.Reverse(sorted)
	return sorted
}

// from matches an address, which is at offset in the header.
func from(p netip.Prefix, offset uint32) []expr.Any {
	size := uint32(p.Addr().BitLen() / 8)
	return []expr.Any{
		&expr.Payload{DestRegister: 1, Base: expr.PayloadBaseNetworkHeader, Offset: offset, Len: size},
		&expr.Bitwise{SourceRegister: 1, DestRegister: 1, Len: size, Mask: mask(p.Addr().BitLen(), p.Bits()), Xor: make([]byte, size)},
		&expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: p.Addr().AsSlice()},
	}
}

// toward matches a destination address.
func toward(p netip.Prefix) []expr.Any {
	if p.Addr().Is4() {
		return from(p, 16)
	}
	return from(p, 24)
}

func mask(bits, length int) []byte {
	m := make([]byte, bits/8)
	for i := range length {
		m[i/8] |= 0x80 >> (i % 8)
	}
	return m
}

func interfaceName(name string) []byte {
	padded := make([]byte, 16) // IFNAMSIZ
	copy(padded, name)
	return padded
}

// prefixKey is a prefix as the key of an element: its length and its address.
func prefixKey(p netip.Prefix) []byte {
	return append(binary.NativeEndian.AppendUint32(nil, uint32(p.Bits())), p.Addr().AsSlice()...)
}
