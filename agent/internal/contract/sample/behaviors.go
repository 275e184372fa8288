// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"fmt"
	"net/netip"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/p4info"
)

// behaviors are SIDs for the actions of P4Info that no sample has, with the values that other samples hold for
// parameters of the same names; a SID whose values must differ, or depend on each other, is written by hand.
func behaviors(known []contract.Entry) []contract.Entry {
	info, err := p4info.Message()
	if err != nil {
		panic(err) // embedded when the agent was built
	}
	sampled := map[contract.Action]bool{}
	for _, e := range known {
		if sid, ok := e.(contract.MySID); ok {
			sampled[sid.Behavior.Action] = true
		}
	}
	actions := map[uint32]*p4config.Action{}
	for _, a := range info.GetActions() {
		actions[a.GetPreamble().GetId()] = a
	}
	var made []contract.Entry
	for _, t := range info.GetTables() {
		for _, ref := range t.GetActionRefs() {
			a := actions[ref.GetId()]
			if t.GetPreamble().GetAlias() != contract.TableMySID || ref.GetScope() == p4config.ActionRef_DEFAULT_ONLY ||
				sampled[contract.Action(a.GetPreamble().GetAlias())] {
				continue
			}
			made = append(made, behavior(len(made), a))
		}
	}
	return made
}

func behavior(number int, a *p4config.Action) contract.Entry {
	values := map[string]uint64{"block_length": 32, "csid_length": 16, "next_hop": 3, "path": 15, "sid_list": 7, "vrf": 5}
	args := map[string]contract.Bits{}
	for _, p := range a.GetParams() {
		value, known := values[p.GetName()]
		if !known {
			value = 1
		}
		args[p.GetName()] = contract.Number(value)
	}
	sid := netip.MustParsePrefix(fmt.Sprintf("fcbb:2::%x/128", number+1))
	made, err := contract.Decode(contract.Row{
		Table:   contract.TableMySID,
		Match:   map[string]contract.Match{"sid": {Value: contract.AddressBits(sid.Addr()), PrefixLength: sid.Bits()}},
		Actions: []contract.Call{{Action: a.GetPreamble().GetAlias(), Args: args}},
	})
	if err != nil {
		panic(fmt.Sprintf("%s has no sample: %v", a.GetPreamble().GetAlias(), err))
	}
	return made
}
