// SPDX-License-Identifier: Apache-2.0

package contract

import "net/netip"

// TableEncapSource has no key, and one row.
const TableEncapSource = "encap_source"

func encapSourceKind() Kind {
	k := kindOf("encap_source", decodeEncapSource, EncapSource.row, TableEncapSource)
	k.AlwaysThere = true
	return k
}

// EncapSource is the source address of the outer header of everything this node encapsulates.
// It is the default entry of a table without a key, so it is always there: Modify sets it, Delete
// puts it back to none, neither fails because nothing was set before.
type EncapSource struct {
	Source netip.Addr
}

// Key of the encapsulation source is its table alone: there is one row.
func (e EncapSource) Key() Key { return Key{Table: TableEncapSource} }

// References is nothing.
func (e EncapSource) References() []Key { return nil }

func (e EncapSource) problem() string { return sourceProblem("source", e.Source) }

const actionSetEncapSource = "set_encap_source"

func decodeEncapSource(r Row) EncapSource {
	var e EncapSource
	for _, c := range r.Actions {
		if c.Action == actionSetEncapSource {
			e.Source = c.Args["source"].IP6()
		}
	}
	return e
}

func (e EncapSource) row() Row {
	c := Call{Action: actionSetEncapSource, Args: map[string]Bits{"source": AddressBits(e.Source)}}
	return Row{Table: TableEncapSource, Default: true, Actions: []Call{c}}
}
