// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/google/nftables"
	"github.com/google/nftables/binaryutil"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// unfinished drops packets with segments left at SIDs that decapsulate (RFC 8986, 4.4 to 4.8, S02; RFC 8200, 4.4, for
// other routing types). The kernel looks at Segments Left only of an SRH that it finds to be in order, and decapsulates
// a packet whose SRH contradicts itself or is none (decap_and_validate and get_srh, seen in 6.18).
//
//	table ip6 sextant_srh {
//	  map ends { type mark . ipv6_addr : verdict }       prefix length . SID; packets for a SID beside them go on
//	  chain arriving { hook prerouting; rt seg-left != 0 jump unfinished }
//	  chain unfinished {
//	    fib daddr oifname != "sextant0" return           the longest match of the FIB is no SID
//	    64 . ip6 daddr & ffff:ffff:ffff:ffff:: vmap @ends     one rule per length in use, longest first
//	  }
//	}
//
// A packet without a routing header costs one look for it, and nothing where no SID decapsulates.
type unfinished struct {
	plane.Idle
	step       plane.Step
	rows       rows.Reader
	nft        *nftables.Conn
	table      *nftables.Table
	ends       *nftables.Set
	arriving   *nftables.Chain
	unfinished *nftables.Chain
	held       map[netip.Prefix]bool // SIDs, and whether they decapsulate; nil where it is not known
}

const (
	unfinishedTableName = "sextant_srh"
	unfinishedChainName = "unfinished"
)

// newUnfinished makes nothing yet.
func newUnfinished(nft *nftables.Conn, all rows.Reader) *unfinished {
	table := &nftables.Table{Family: nftables.TableFamilyIPv6, Name: unfinishedTableName}
	return &unfinished{
		nft: nft, rows: all, table: table,
		ends: &nftables.Set{
			Table: table, Name: "ends", ID: 1, IsMap: true, Concatenation: true,
			KeyType: nftables.MustConcatSetType(nftables.TypeMark, nftables.TypeIP6Addr), DataType: nftables.TypeVerdict,
		},
		arriving: &nftables.Chain{
			Table: table, Name: "arriving", Type: nftables.ChainTypeFilter,
			Hooknum: nftables.ChainHookPrerouting, Priority: nftables.ChainPriorityRaw,
		},
		unfinished: &nftables.Chain{Table: table, Name: unfinishedChainName},
	}
}

// Follow takes note of SIDs.
func (u *unfinished) Follow(old, fresh contract.Entry) error {
	for _, e := range []contract.Entry{old, fresh} {
		if _, ok := e.(contract.MySID); ok {
			u.step.Due()
		}
	}
	return nil
}

// Sync has nftables know the decapsulating SIDs.
func (u *unfinished) Sync() error {
	return u.step.Sync(func() error {
		if err := u.sync(endsOf(rows.Of[contract.MySID](u.rows))); err != nil {
			return fmt.Errorf("decapsulating SIDs: %w", err)
		}
		return nil
	})
}

// Keep writes the table again if a part of it was removed.
func (u *unfinished) Keep(seen plane.Seen) error {
	if !seen.Firewall {
		return nil
	}
	if !u.whole() {
		u.held = nil
	}
	u.step.Due()
	return u.Sync()
}

// Adopt has the next Sync write the table.
func (u *unfinished) Adopt() error {
	u.step.Due()
	return nil
}

// Reset deletes the table.
func (u *unfinished) Reset() error {
	u.step.Due()
	return u.Sync()
}

// endsOf are the SIDs that decapsulate, and the others within their prefixes.
func endsOf(sids []contract.MySID) map[netip.Prefix]bool {
	ends := map[netip.Prefix]bool{}
	var others []netip.Prefix
	for _, sid := range sids {
		switch sid.Behavior.Action {
		case contract.UDT6, contract.UDT4, contract.UDT46, contract.UDX6, contract.UDX4:
			ends[sid.SID] = true
		default:
			others = append(others, sid.SID)
		}
	}
	lengths := lengthsOf(ends)
	for _, p := range others {
		for _, length := range lengths {
			if length < p.Bits() && ends[netip.PrefixFrom(p.Addr(), length).Masked()] {
				ends[p] = false
				break
			}
		}
	}
	return ends
}

// sync makes nftables know these SIDs, and no others. There are few of them, so a change writes them all.
func (u *unfinished) sync(ends map[netip.Prefix]bool) error {
	if u.held != nil && maps.Equal(u.held, ends) {
		return nil
	}
	u.held = nil
	if err := u.remove(); err != nil {
		return err
	}
	if len(ends) > 0 {
		if err := u.write(ends); err != nil {
			return fmt.Errorf("write table %s: %w", unfinishedTableName, err)
		}
	}
	u.held = maps.Clone(ends)
	return nil
}

func (u *unfinished) write(ends map[netip.Prefix]bool) error {
	u.nft.AddTable(u.table)
	if err := u.nft.AddSet(u.ends, nil); err != nil {
		return err
	}
	u.nft.AddChain(u.unfinished)
	u.nft.AddChain(u.arriving)
	sids := slices.SortedFunc(maps.Keys(ends), comparePrefixes)
	for chunk := range slices.Chunk(sids, elementsPerMessage) {
		var elements []nftables.SetElement
		for _, sid := range chunk {
			verdict := expr.VerdictReturn
			if ends[sid] {
				verdict = expr.VerdictDrop
			}
			elements = append(elements, nftables.SetElement{Key: prefixKey(sid), VerdictData: &expr.Verdict{Kind: verdict}})
		}
		if err := u.nft.SetAddElements(u.ends, elements); err != nil {
			return err
		}
		if err := u.nft.Flush(); err != nil {
			return err
		}
	}
	u.rules(sids)
	return u.nft.Flush()
}

func (u *unfinished) rules(sids []netip.Prefix) {
	rule := func(chain *nftables.Chain, exprs ...expr.Any) {
		u.nft.AddRule(&nftables.Rule{Table: u.table, Chain: chain, Exprs: exprs})
	}
	rule(u.unfinished,
		&expr.Fib{Register: 1, FlagDADDR: true, ResultOIFNAME: true},
		&expr.Cmp{Op: expr.CmpOpNeq, Register: 1, Data: interfaceName(sidDevice)},
		&expr.Verdict{Kind: expr.VerdictReturn})
	prefixes := map[netip.Prefix]bool{}
	for _, sid := range sids {
		prefixes[sid] = true
	}
	const addressBytes, destinationAt = 16, 24
	for _, length := range lengthsOf(prefixes) {
		rule(u.unfinished,
			&expr.Immediate{Register: firstRegister, Data: binaryutil.NativeEndian.PutUint32(uint32(length))},
			&expr.Payload{DestRegister: firstRegister + 1, Base: expr.PayloadBaseNetworkHeader, Offset: destinationAt, Len: addressBytes},
			&expr.Bitwise{
				SourceRegister: firstRegister + 1, DestRegister: firstRegister + 1, Len: addressBytes,
				Mask: mask(8*addressBytes, length), Xor: make([]byte, addressBytes),
			},
			&expr.Lookup{SourceRegister: firstRegister, DestRegister: 0, IsDestRegSet: true, SetName: u.ends.Name, SetID: u.ends.ID})
	}
	const segmentsLeftAt = 3
	rule(u.arriving,
		&expr.Exthdr{DestRegister: 1, Type: unix.IPPROTO_ROUTING, Offset: segmentsLeftAt, Len: 1, Op: expr.ExthdrOpIpv6},
		&expr.Cmp{Op: expr.CmpOpNeq, Register: 1, Data: []byte{0}},
		&expr.Verdict{Kind: expr.VerdictJump, Chain: unfinishedChainName})
}

func (u *unfinished) whole() bool {
	if len(u.held) == 0 {
		return true
	}
	lengths := lengthsOf(u.held)
	for chain, rules := range map[*nftables.Chain]int{u.arriving: 1, u.unfinished: 1 + len(lengths)} {
		if held, err := u.nft.GetRules(u.table, chain); err != nil || len(held) != rules {
			return false
		}
	}
	elements, err := u.nft.GetSetElements(u.ends)
	return err == nil && len(elements) == len(u.held)
}

// remove deletes the table, if it is there.
func (u *unfinished) remove() error {
	tables, err := u.nft.ListTablesOfFamily(nftables.TableFamilyIPv6)
	if err != nil {
		return fmt.Errorf("list nftables: %w", err)
	}
	if !slices.ContainsFunc(tables, func(t *nftables.Table) bool { return t.Name == unfinishedTableName }) {
		return nil
	}
	u.nft.DelTable(u.table)
	if err := u.nft.Flush(); err != nil {
		return fmt.Errorf("delete table %s: %w", unfinishedTableName, err)
	}
	return nil
}
