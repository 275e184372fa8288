// SPDX-License-Identifier: Apache-2.0

package liveness

import "testing"

func TestAListIsDownWhenAnyMemberIs(t *testing.T) {
	of := func(states ...State) (members []*Session) {
		for _, s := range states {
			m := NewSession(usual, false, 0)
			m.state = s
			members = append(members, m)
		}
		return members
	}
	for _, tt := range []struct {
		members []State
		want    State
		silent  bool
	}{
		{[]State{Up}, Up, false},
		{[]State{Up, Unknown}, Unknown, false},
		{[]State{Up, Unknown, Down}, Down, true},
		{[]State{Down, Up}, Down, true},
		{[]State{Unknown}, Unknown, false},
	} {
		if got, silent := StateOf(of(tt.members...)), Silent(of(tt.members...)); got != tt.want || silent != tt.silent {
			t.Errorf("%v: %s, silent %t", tt.members, got, silent)
		}
	}
}

func TestWhatIsUsedInThePlaceOfAList(t *testing.T) {
	for _, tt := range []struct {
		name    string
		backups map[int]int
		silent  []int
		want    int
	}{
		{"nothing is silent", map[int]int{1: 2}, nil, 1},
		{"its backup", map[int]int{1: 2}, []int{1}, 2},
		{"no backup", nil, []int{1}, 1},
		{"the backup's backup", map[int]int{1: 2, 2: 3}, []int{1, 2}, 3},
		{"only the backup is silent", map[int]int{1: 2, 2: 3}, []int{2}, 1},
		{"all of a chain", map[int]int{1: 2, 2: 3}, []int{1, 2, 3}, 1},
		{"in a circle, all", map[int]int{1: 2, 2: 1}, []int{1, 2}, 1},
		{"in a circle, one", map[int]int{1: 2, 2: 1}, []int{1}, 2},
		{"a circle behind it", map[int]int{1: 2, 2: 3, 3: 2}, []int{1, 2, 3}, 1},
	} {
		silent := func(id int) bool {
			for _, s := range tt.silent {
				if s == id {
					return true
				}
			}
			return false
		}
		backup := func(id int) (int, bool) { b, ok := tt.backups[id]; return b, ok }
		if got := InUse(1, silent, backup); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
