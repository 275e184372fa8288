// SPDX-License-Identifier: Apache-2.0

package liveness

// StateOf a list: it is down when any of its members is, as traffic that is planned for several ways must not end up on
// one, and up when all are.
func StateOf(members []*Session) State {
	state := Up
	for _, m := range members {
		switch m.State() {
		case Down:
			return Down
		case Unknown:
			state = Unknown
		case Up:
		}
	}
	return state
}

// Silent says whether something else should be used in the place of a list: any of its members is silent.
func Silent(members []*Session) bool {
	for _, m := range members {
		if m.Silent() {
			return true
		}
	}
	return false
}

// StatsOf all members.
func StatsOf(members []*Session) Stats {
	var all Stats
	for _, m := range members {
		all = all.With(m.Stats)
	}
	return all
}

// InUse is the list that is used in the place of another one: itself unless it is silent, else the first of its backup, the
// backup's backup and so on that is not. Where all are silent, or there is no backup, it is the first one. backup
// gives that of a watched list, and false for a list that is not watched or has none.
func InUse[ID comparable](list ID, silent func(ID) bool, backup func(ID) (ID, bool)) ID {
	var seen map[ID]bool
	for at := list; ; {
		if !silent(at) {
			return at
		}
		if seen == nil {
			seen = map[ID]bool{}
		}
		seen[at] = true
		next, there := backup(at)
		if !there || seen[next] {
			return list
		}
		at = next
	}
}
