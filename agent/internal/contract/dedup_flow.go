// SPDX-License-Identifier: Apache-2.0

package contract

import "fmt"

// TableDedupFlow is the Live-Live flows that end here.
const TableDedupFlow = "dedup_flow"

func dedupFlowKind() Kind {
	return kindOf("dedup_flow", decodeDedupFlow, DedupFlow.row, TableDedupFlow)
}

// DedupFlow says that a Live-Live flow ends at this node, and where it is remembered and counted.
type DedupFlow struct {
	FlowID FlowID
	Window uint8 // 0 to 63
}

// Key of a flow's end is the flow's id.
func (e DedupFlow) Key() Key { return Key{TableDedupFlow, fmt.Sprint(uint32(e.FlowID))} }

// References is nothing.
func (e DedupFlow) References() []Key { return nil }

func (e DedupFlow) problem() string {
	if e.Window > MaxWindow {
		return fmt.Sprintf("window %d is outside 0..%d", e.Window, MaxWindow)
	}
	return ""
}

func decodeDedupFlow(r Row) DedupFlow {
	e := DedupFlow{FlowID: FlowID(r.number("flow_id"))}
	for _, c := range r.Actions {
		e.Window = uint8(c.number("window"))
	}
	return e
}

func (e DedupFlow) row() Row {
	return Row{
		Table: TableDedupFlow, Match: map[string]Match{"flow_id": exact(e.FlowID)},
		Actions: []Call{{Action: "deduplicate", Args: map[string]Bits{"window": Number(e.Window)}}},
	}
}
