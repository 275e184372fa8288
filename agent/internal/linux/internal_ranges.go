// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/synthetic"
)

// internalRanges drops packets to the addresses of next hops and watched lists, which End.X, End.DX and probes look up and no
// packet may be sent to: two neighbors that use the same id for each other would return it until its hop limit ends.
//
//	table ip6 sextant_internal {
//	  chain arriving { hook prerouting;   ip6 daddr fd5e:7e00::/31 counter drop }
//	  chain forwarding { hook forward                   decapsulated packets pass no hook before
//	    ip6 daddr fd5e:7e00::2:0:0/96 oifname "sextant0" accept     probes that have come back
//	    ip6 daddr fd5e:7e00::/31 counter drop
//	  }
//	}
//	table ip sextant_internal {
//	  chain forwarding { hook forward;    ip daddr 169.254.0.0/16 counter drop }     addresses of the node itself stay reachable
//	}
//
// The edge drops and counts such packets at ports that have a role before they come here.
type internalRanges struct {
	plane.Idle
	step     plane.Step
	rows     rows.Reader
	nft      *nftables.Conn
	families []internalFamily
	users    map[contract.Key]bool // rows that have such an address
	written  bool
}

// internalFamily is the table of one address family.
type internalFamily struct {
	table  *nftables.Table
	chains []internalChain
}

type internalChain struct {
	*nftables.Chain
	rules [][]expr.Any
}

const internalTableName = "sextant_internal"

// newInternalRanges makes nothing yet.
func newInternalRanges(nft *nftables.Conn, all rows.Reader) *internalRanges {
	return &internalRanges{nft: nft, rows: all, families: internalFamilies(), users: map[contract.Key]bool{}}
}

func internalFamilies() []internalFamily {
	six := &nftables.Table{Family: nftables.TableFamilyIPv6, Name: internalTableName}
	four := &nftables.Table{Family: nftables.TableFamilyIPv4, Name: internalTableName}
	chain := func(t *nftables.Table, name string, hook *nftables.ChainHook, rules ...[]expr.Any) internalChain {
		return internalChain{&nftables.Chain{
			Table: t, Name: name, Type: nftables.ChainTypeFilter, Hooknum: hook, Priority: nftables.ChainPriorityRaw,
		}, rules}
	}
	comeBack := append(toward(probeAddresses()),
		&expr.Meta{Key: expr.MetaKeyOIFNAME, Register: 1},
		&expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: interfaceName(sidDevice)},
		&expr.Verdict{Kind: expr.VerdictAccept})
	return []internalFamily{
		{six, []internalChain{
			chain(six, "arriving", nftables.ChainHookPrerouting, dropped(synthetic.Range6())),
			chain(six, "forwarding", nftables.ChainHookForward, comeBack, dropped(synthetic.Range6())),
		}},
		{four, []internalChain{chain(four, "forwarding", nftables.ChainHookForward, dropped(synthetic.Range4()))}},
	}
}

func dropped(p netip.Prefix) []expr.Any {
	return append(toward(p), &expr.Counter{}, &expr.Verdict{Kind: expr.VerdictDrop})
}

// Follow counts the rows that have such an address.
func (r *internalRanges) Follow(old, fresh contract.Entry) error {
	if hasInternalAddress(old) {
		delete(r.users, old.Key())
	}
	if hasInternalAddress(fresh) {
		r.users[fresh.Key()] = true
	}
	if r.written != (len(r.users) > 0) {
		r.step.Due()
	}
	return nil
}

func hasInternalAddress(e contract.Entry) bool {
	switch e.(type) {
	case contract.NextHop, contract.Liveness:
		return true
	}
	return false
}

// Sync makes the tables, or deletes them.
func (r *internalRanges) Sync() error {
	return r.step.Sync(func() error {
		if err := r.sync(); err != nil {
			return fmt.Errorf("internal addresses: %w", err)
		}
		return nil
	})
}

// sync keeps tables that are whole, with their counts.
func (r *internalRanges) sync() error {
	r.written = false
	for _, f := range r.families {
		if len(r.users) > 0 && f.isWhole(r.nft) {
			continue
		}
		if err := f.remove(r.nft); err != nil {
			return err
		}
		if len(r.users) == 0 {
			continue
		}
		if err := f.write(r.nft); err != nil {
			return err
		}
	}
	r.written = len(r.users) > 0
	return nil
}

// Keep restores the tables if another process has removed them.
func (r *internalRanges) Keep(seen plane.Seen) error {
	if !seen.Firewall {
		return nil
	}
	r.step.Due()
	return r.Sync()
}

// Adopt has the next Sync look at the tables of a former agent.
func (r *internalRanges) Adopt() error {
	r.users = map[contract.Key]bool{}
	for key, e := range r.rows.Each() {
		if hasInternalAddress(e) {
			r.users[key] = true
		}
	}
	r.step.Due()
	return nil
}

// Reset deletes the tables.
func (r *internalRanges) Reset() error {
	r.users = map[contract.Key]bool{}
	r.step.Due()
	return r.Sync()
}

func (f internalFamily) isWhole(nft *nftables.Conn) bool {
	for _, chain := range f.chains {
		if held, err := nft.GetRules(f.table, chain.Chain); err != nil || len(held) != len(chain.rules) {
			return false
		}
	}
	return true
}

func (f internalFamily) write(nft *nftables.Conn) error {
	nft.AddTable(f.table)
	for _, chain := range f.chains {
		nft.AddChain(chain.Chain)
		for _, rule := range chain.rules {
			nft.AddRule(&nftables.Rule{Table: f.table, Chain: chain.Chain, Exprs: rule})
		}
	}
	if err := nft.Flush(); err != nil {
		return fmt.Errorf("write table %s: %w", internalTableName, err)
	}
	return nil
}

// isThere reports whether the table exists, complete or not.
func (f internalFamily) isThere(nft *nftables.Conn) (bool, error) {
	tables, err := nft.ListTablesOfFamily(f.table.Family)
	if err != nil {
		return false, fmt.Errorf("list nftables: %w", err)
	}
	return slices.ContainsFunc(tables, func(t *nftables.Table) bool { return t.Name == internalTableName }), nil
}

func (f internalFamily) remove(nft *nftables.Conn) error {
	there, err := f.isThere(nft)
	if err != nil || !there {
		return err
	}
	nft.DelTable(f.table)
	if err := nft.Flush(); err != nil {
		return fmt.Errorf("delete table %s: %w", internalTableName, err)
	}
	return nil
}

// internalDrops reads how many packets to internal addresses a namespace has dropped.
func internalDrops(netns int) ([]contract.Drop, error) {
	nft, err := dialNftables(netns)
	if err != nil {
		return nil, err
	}
	sum := contract.Drop{Program: "addresses", Reason: "a packet to an address that the node uses inside itself, at a port without a role or decapsulated here"}
	found := false
	var errs []error
	for _, f := range internalFamilies() {
		if there, err := f.isThere(nft); err != nil || !there {
			continue // a kernel without nftables has none
		}
		found = true
		for _, chain := range f.chains {
			rules, err := nft.GetRules(f.table, chain.Chain)
			errs = append(errs, err)
			for _, rule := range rules {
				for _, e := range rule.Exprs {
					if counter, is := e.(*expr.Counter); is {
						sum.Packets += counter.Packets
						sum.Bytes += counter.Bytes
					}
				}
			}
		}
	}
	if err := errors.Join(errs...); err != nil || !found {
		return nil, err
	}
	return []contract.Drop{sum}, nil
}
