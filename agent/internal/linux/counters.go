// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"encoding/binary"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/google/nftables"
	"github.com/google/nftables/binaryutil"
	"github.com/google/nftables/expr"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// The kernel counts seg6local routes and no seg6 ones, so nftables counts steering. And the kernel encapsulates a
// packet whenever it has a route for it, without the checks of packets that it forwards, so nftables does these, too
// (RFC 4291, 2.5.2 and 2.5.6; RFC 3927, 2.7; RFC 1812, 5.3.1):
//
//	table ip6 sextant {                                  (and the same in table ip)
//	  set steered { type mark . ipv6_addr; counter }     prefix length . network address
//	  chain arriving { hook prerouting                   forwarded packets
//	    fib daddr oifname != "sextant1" accept           the longest match of the FIB is no steering row
//	    ip6 saddr fe80::/10 drop                         does not leave its link
//	    ip6 saddr :: drop                                (in table ip: ip saddr 169.254.0.0/16, ip ttl < 2)
//	    64 . ip6 daddr & ffff:ffff:ffff:ffff:: @steered accept     one rule per length in use,
//	    0 . ip6 daddr & :: @steered accept                         longest first
//	  }
//	  chain leaving { hook output; oifname != "sextant1" accept; … }   packets of the node itself
//	}
//
// One hash set holds all rows of a family, so that a packet costs one lookup per length in use
// however many rows there are, and all counters are read in one dump. Packets that reach a steering
// row without passing a hook, as after decapsulation on the same node, are not counted. Rows of a
// VRF other than 0 have no counter: their packets look the same as those of the main table.
type steeringCounters struct {
	plane.Idle
	nft      *nftables.Conn
	rows     rows.Reader
	log      func(string, ...any)
	device   string
	families []*countedFamily
}

// countedFamily is the table of one address family.
type countedFamily struct {
	table    *nftables.Table
	set      *nftables.Set
	arriving *nftables.Chain
	leaving  *nftables.Chain
	base     netip.Addr // any address of the family
	offset   uint32     // of the destination in the IP header
	prefixes map[netip.Prefix]bool
	lengths  []int // that rules exist for, longest first
	changes  map[netip.Prefix]bool
}

const (
	nftTableName = "sextant"
	nftSetName   = "steered"
)

// openSteeringCounters makes the tables, or adopts them with their counts.
func openSteeringCounters(netns int, device string) (*steeringCounters, error) {
	nft, err := dialNftables(netns)
	if err != nil {
		return nil, err
	}
	c := &steeringCounters{nft: nft, device: device}
	c.families = []*countedFamily{
		newCountedFamily(nftables.TableFamilyIPv6, nftables.TypeIP6Addr, netip.IPv6Unspecified(), 24, 1),
		newCountedFamily(nftables.TableFamilyIPv4, nftables.TypeIPAddr, netip.IPv4Unspecified(), 16, 2),
	}
	for _, f := range c.families {
		if err := c.declare(f); err != nil {
			return nil, err
		}
	}
	if err := c.nft.Flush(); err != nil {
		return nil, fmt.Errorf("make table %s: %w", nftTableName, err)
	}
	for _, f := range c.families {
		if err := c.adopt(f); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func newCountedFamily(family nftables.TableFamily, addr nftables.SetDatatype, base netip.Addr, offset, id uint32) *countedFamily {
	table := &nftables.Table{Family: family, Name: nftTableName}
	hook := func(name string, hook *nftables.ChainHook) *nftables.Chain {
		return &nftables.Chain{
			Table: table, Name: name, Type: nftables.ChainTypeFilter,
			Hooknum: hook, Priority: nftables.ChainPriorityRaw,
		}
	}
	return &countedFamily{
		table:    table,
		set:      &nftables.Set{Table: table, Name: nftSetName, ID: id, KeyType: nftables.MustConcatSetType(nftables.TypeMark, addr), Counter: true},
		arriving: hook("arriving", nftables.ChainHookPrerouting),
		leaving:  hook("leaving", nftables.ChainHookOutput),
		base:     base,
		offset:   offset,
		prefixes: map[netip.Prefix]bool{},
		changes:  map[netip.Prefix]bool{},
	}
}

// declare queues the table with its rules for no row.
func (c *steeringCounters) declare(f *countedFamily) error {
	c.nft.AddTable(f.table)
	if err := c.nft.AddSet(f.set, nil); err != nil {
		return fmt.Errorf("make set %s: %w", nftSetName, err)
	}
	c.nft.AddChain(f.arriving)
	c.nft.AddChain(f.leaving)
	c.rules(f)
	return nil
}

// adopt marks the elements that are there for removal; rows that still exist claim them with set.
func (c *steeringCounters) adopt(f *countedFamily) error {
	elements, err := c.nft.GetSetElements(f.set)
	if err != nil {
		return fmt.Errorf("read set %s: %w", nftSetName, err)
	}
	for _, e := range elements {
		if p, ok := f.prefix(e.Key); ok {
			f.prefixes[p] = true
			f.changes[p] = false
		}
	}
	return nil
}

func (c *steeringCounters) family(a netip.Addr) *countedFamily {
	if a.Is4() {
		return c.families[1]
	}
	return c.families[0]
}

// set queues that a row is counted, or no longer.
func (c *steeringCounters) set(e contract.Steering, counted bool) {
	if e.VRF == 0 {
		c.family(e.Dst.Addr()).changes[e.Dst] = counted
	}
}

// flush carries out the queued changes: elements first, so that no rule looks for a length without any.
func (c *steeringCounters) flush() error {
	for _, f := range c.families {
		var add, remove []nftables.SetElement
		for _, p := range slices.SortedFunc(maps.Keys(f.changes), comparePrefixes) {
			switch wanted := f.changes[p]; {
			case wanted && !f.prefixes[p]:
				add = append(add, nftables.SetElement{Key: prefixKey(p)})
				f.prefixes[p] = true
			case !wanted && f.prefixes[p]:
				remove = append(remove, nftables.SetElement{Key: prefixKey(p)})
				delete(f.prefixes, p)
			}
		}
		clear(f.changes)
		if err := c.elements(f, remove, add); err != nil {
			return err
		}
		if lengths := lengthsOf(f.prefixes); !slices.Equal(lengths, f.lengths) {
			f.lengths = lengths
			c.rules(f)
		}
	}
	if err := c.nft.Flush(); err != nil {
		return fmt.Errorf("write nftables: %w", err)
	}
	return nil
}

func (c *steeringCounters) elements(f *countedFamily, remove, add []nftables.SetElement) error {
	if err := c.inPieces(remove, "remove from", func(chunk []nftables.SetElement) error { return c.nft.SetDeleteElements(f.set, chunk) }); err != nil {
		return err
	}
	return c.inPieces(add, "add to", func(chunk []nftables.SetElement) error { return c.nft.SetAddElements(f.set, chunk) })
}

// inPieces sends elements in messages, and messages in batches, that netlink can carry.
func (c *steeringCounters) inPieces(elements []nftables.SetElement, doing string, queue func([]nftables.SetElement) error) error {
	queued := 0
	for chunk := range slices.Chunk(elements, elementsPerMessage) {
		err := queue(chunk)
		if queued++; err == nil && queued%messagesPerFlush == 0 {
			err = c.nft.Flush()
		}
		if err != nil {
			return fmt.Errorf("%s set %s: %w", doing, nftSetName, err)
		}
	}
	return nil
}

// rules queues both chains anew; nftables exchanges them in one transaction.
func (c *steeringCounters) rules(f *countedFamily) {
	c.nft.FlushChain(f.arriving)
	c.nft.FlushChain(f.leaving)
	if len(f.lengths) == 0 {
		return
	}
	done := &expr.Verdict{Kind: expr.VerdictAccept}
	notSteered := &expr.Cmp{Op: expr.CmpOpNeq, Register: 1, Data: interfaceName(c.device)}
	c.nft.AddRule(&nftables.Rule{Table: f.table, Chain: f.arriving, Exprs: []expr.Any{
		&expr.Fib{Register: 1, FlagDADDR: true, ResultOIFNAME: true}, notSteered, done,
	}})
	for _, unfit := range f.unfit() {
		c.nft.AddRule(&nftables.Rule{Table: f.table, Chain: f.arriving, Exprs: append(unfit, &expr.Verdict{Kind: expr.VerdictDrop})})
	}
	c.nft.AddRule(&nftables.Rule{Table: f.table, Chain: f.leaving, Exprs: []expr.Any{
		&expr.Meta{Key: expr.MetaKeyOIFNAME, Register: 1}, notSteered, done,
	}})
	for _, length := range f.lengths {
		for _, chain := range []*nftables.Chain{f.arriving, f.leaving} {
			c.nft.AddRule(&nftables.Rule{Table: f.table, Chain: chain, Exprs: append(f.match(length), done)})
		}
	}
}

// unfit are the packets that no router forwards, and so may not enter a policy.
func (f *countedFamily) unfit() [][]expr.Any {
	if f.base.Is4() {
		ttl := []expr.Any{
			&expr.Payload{DestRegister: 1, Base: expr.PayloadBaseNetworkHeader, Offset: 8, Len: 1},
			&expr.Cmp{Op: expr.CmpOpLt, Register: 1, Data: []byte{2}},
		}
		return [][]expr.Any{from(netip.MustParsePrefix("169.254.0.0/16"), 12), ttl}
	}
	return [][]expr.Any{from(netip.MustParsePrefix("fe80::/10"), 8), from(netip.MustParsePrefix("::/128"), 8)}
}

// match looks a packet's destination up as a prefix of one length.
func (f *countedFamily) match(length int) []expr.Any {
	size := uint32(f.base.BitLen() / 8)
	return []expr.Any{
		&expr.Immediate{Register: firstRegister, Data: binaryutil.NativeEndian.PutUint32(uint32(length))},
		&expr.Payload{DestRegister: firstRegister + 1, Base: expr.PayloadBaseNetworkHeader, Offset: f.offset, Len: size},
		&expr.Bitwise{
			SourceRegister: firstRegister + 1, DestRegister: firstRegister + 1, Len: size,
			Mask: mask(f.base.BitLen(), length), Xor: make([]byte, size),
		},
		&expr.Lookup{SourceRegister: firstRegister, SetName: f.set.Name, SetID: f.set.ID},
	}
}

// prefix reads the key of an element.
func (f *countedFamily) prefix(key []byte) (netip.Prefix, bool) {
	if len(key) != 4+f.base.BitLen()/8 {
		return netip.Prefix{}, false
	}
	addr, _ := netip.AddrFromSlice(key[4:])
	p := netip.PrefixFrom(addr, int(binary.NativeEndian.Uint32(key)))
	return p, p.IsValid()
}

// held reads the elements of a family. Elements that another program removed (`nft flush ruleset` is how firewalls are
// reloaded) are made anew first; their counts begin at 0 again.
func (c *steeringCounters) held(f *countedFamily) ([]nftables.SetElement, error) {
	elements, err := c.nft.GetSetElements(f.set) // its errors carry no number that would identify a table that is gone
	if err == nil && c.whole(f, elements) {
		return elements, nil
	}
	if err := c.mend(f, elements); err != nil {
		return nil, fmt.Errorf("mend table %s: %w", nftTableName, err)
	}
	return c.nft.GetSetElements(f.set)
}

// whole says whether all rows have an element and all lengths their rules.
func (c *steeringCounters) whole(f *countedFamily, elements []nftables.SetElement) bool {
	there := f.among(elements)
	for p := range f.prefixes {
		if !there[p] {
			return false
		}
	}
	arriving, leaving := 0, 0
	if len(f.lengths) > 0 {
		leaving = 1 + len(f.lengths)
		arriving = leaving + len(f.unfit())
	}
	for chain, rules := range map[*nftables.Chain]int{f.arriving: arriving, f.leaving: leaving} {
		if held, err := c.nft.GetRules(f.table, chain); err != nil || len(held) != rules {
			return false
		}
	}
	return true
}

func (f *countedFamily) among(elements []nftables.SetElement) map[netip.Prefix]bool {
	there := map[netip.Prefix]bool{}
	for _, e := range elements {
		if p, ok := f.prefix(e.Key); ok {
			there[p] = true
		}
	}
	return there
}

func (c *steeringCounters) mend(f *countedFamily, elements []nftables.SetElement) error {
	for p := range f.prefixes {
		f.changes[p] = true
	}
	f.prefixes, f.lengths = f.among(elements), nil
	if err := c.declare(f); err != nil {
		return err
	}
	return c.flush()
}

// read dumps all counters.
func (c *steeringCounters) read() (map[contract.Key]*contract.Counters, error) {
	counts := map[contract.Key]*contract.Counters{}
	for _, f := range c.families {
		elements, err := c.held(f)
		if err != nil {
			return nil, err
		}
		for _, e := range elements {
			p, ok := f.prefix(e.Key)
			if ok && e.Counter != nil {
				counts[contract.Steering{Dst: p}.Key()] = &contract.Counters{Packets: e.Counter.Packets, Bytes: e.Counter.Bytes}
			}
		}
	}
	return counts, nil
}

// Counters gives nothing where they cannot be read, which is no reason to hide the rows: a node that cannot be read
// cannot be repaired.
func (c *steeringCounters) Counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	if !slices.ContainsFunc(entries, func(e contract.Entry) bool { _, ok := e.(contract.Steering); return ok }) {
		return nil, nil
	}
	counts, err := c.read()
	if err != nil {
		c.log("no counters of steering rows: %v", err)
	}
	return counts, nil
}

// Follow queues rows that come and go.
func (c *steeringCounters) Follow(old, fresh contract.Entry) error {
	was, before := old.(contract.Steering)
	is, now := fresh.(contract.Steering)
	switch {
	case now && !before:
		c.set(is, true)
	case before && !now:
		c.set(was, false)
	}
	return nil
}

// Sync carries out the queued changes.
func (c *steeringCounters) Sync() error {
	if err := c.flush(); err != nil {
		return fmt.Errorf("steering counters: %w", err)
	}
	return nil
}

// Keep repairs foreign changes.
func (c *steeringCounters) Keep(seen plane.Seen) error {
	if !seen.Firewall {
		return nil
	}
	for _, f := range c.families {
		if _, err := c.held(f); err != nil {
			return err
		}
	}
	return nil
}

// Adopt claims the counters of the rows that there are.
func (c *steeringCounters) Adopt() error {
	for _, e := range rows.Of[contract.Steering](c.rows) {
		c.set(e, true)
	}
	return nil
}

// Reset forgets all rows.
func (c *steeringCounters) Reset() error {
	for _, f := range c.families {
		for p := range f.prefixes {
			f.changes[p] = false
		}
	}
	return c.flush()
}

// Remove deletes the tables.
func (c *steeringCounters) Remove() error {
	for _, f := range c.families {
		c.nft.DelTable(f.table)
	}
	if err := c.nft.Flush(); err != nil {
		return fmt.Errorf("delete table %s: %w", nftTableName, err)
	}
	return nil
}
