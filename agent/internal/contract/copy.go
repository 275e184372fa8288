// SPDX-License-Identifier: Apache-2.0

package contract

import "fmt"

// TableCopy is the paths of Live-Live groups.
const TableCopy = "copy"

func copyKind() Kind { return kindOf("copy", decodeCopy, Copy.row, TableCopy) }

// Copy is the segment list of one path of a group. The list has one member.
type Copy struct {
	Group   GroupID
	Path    PathID
	SIDList SIDListID
}

// Key of a copy is its group and path.
func (e Copy) Key() Key { return Key{TableCopy, fmt.Sprintf("group %d path %d", e.Group, e.Path)} }

// References is its list.
func (e Copy) References() []Key { return []Key{SIDListKey(e.SIDList)} }

func (e Copy) problem() string {
	return firstOf(groupProblem(e.Group), pathProblem("path", e.Path), sidListProblem(e.SIDList))
}

func decodeCopy(r Row) Copy {
	e := Copy{Group: GroupID(r.number("group")), Path: PathID(r.number("path"))}
	for _, c := range r.Actions {
		e.SIDList = SIDListID(c.number("sid_list"))
	}
	return e
}

func (e Copy) row() Row {
	return Row{
		Table: TableCopy, Match: map[string]Match{"group": exact(e.Group), "path": exact(e.Path)},
		Actions: []Call{{Action: "send_copy", Args: map[string]Bits{"sid_list": Number(e.SIDList)}}},
	}
}
