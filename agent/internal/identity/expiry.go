// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"fmt"
	"time"

	"sextant/agent/internal/contract"
)

const oneDay = 24 * time.Hour

// stage is how near an end is; each is reported once.
type stage int

const (
	fine stage = iota
	inAMonth
	inAWeek
	inADay
	over
	early // the beginning is still to come
)

func stageOf(begin, end, now time.Time) stage {
	left := end.Sub(now)
	switch {
	case now.Before(begin):
		return early
	case left < 0:
		return over
	case left <= oneDay:
		return inADay
	case left <= 7*oneDay:
		return inAWeek
	case left <= 30*oneDay:
		return inAMonth
	}
	return fine
}

// term is something that holds for a time.
type term struct {
	what       string
	begin, end time.Time
	remedy     string
}

const renew = "./sextant certs rotate makes new ones, which are taken without a restart"

func (m *material) terms() []term {
	leaf := m.own.Leaf
	all := []term{{"the node's own: " + nameOf(leaf), leaf.NotBefore, leaf.NotAfter, renew}}
	for _, ca := range m.authorities {
		all = append(all, term{"the CA: " + nameOf(ca), ca.NotBefore, ca.NotAfter, "./sextant certs rotate --new-ca makes another beside it"})
	}
	for _, list := range m.lists {
		what := fmt.Sprintf("the revocation list %s of %s", list.Number, list.Issuer)
		if list.NextUpdate.IsZero() {
			continue // it need not say (RFC 5280 wants it to)
		}
		all = append(all, term{what, list.ThisUpdate, list.NextUpdate, "it still counts; ./sextant certs rotate writes a new one"})
	}
	return all
}

func (t term) sentence(now time.Time) string {
	switch s := stageOf(t.begin, t.end, now); s {
	case early:
		return fmt.Sprintf("%s is not valid before %s, and it is %s here: look at the clocks", t.what, day(t.begin), day(now))
	case over:
		return fmt.Sprintf("%s expired on %s", t.what, day(t.end))
	case fine, inAMonth, inAWeek, inADay:
	}
	return fmt.Sprintf("%s expires on %s, in %d days", t.what, day(t.end), t.end.Sub(now)/oneDay)
}

// tellExpiry logs certificates that end in a month, in a week, in a day and that have ended, once each; the lock is
// held, or not needed.
func (g *Guard) tellExpiry() {
	now := g.now()
	told := map[string]stage{}
	for _, t := range g.held.terms() {
		s := stageOf(t.begin, t.end, now)
		told[t.what] = s
		if s == g.told[t.what] {
			continue
		}
		switch s {
		case over, early:
			g.log.Error(t.sentence(now), "remedy", t.remedy)
		case inAMonth, inAWeek, inADay:
			g.log.Warn(t.sentence(now), "remedy", t.remedy)
		case fine:
		}
	}
	g.told = told
}

// Check reports how long the files hold; a file that has ended, or is about to within a month, is no more "ok".
func Check(files Files, now time.Time) []contract.Feature {
	body, err := files.read()
	if err != nil {
		return []contract.Feature{unusable(err)}
	}
	held, err := files.parse(body)
	if err != nil {
		return []contract.Feature{unusable(err)}
	}
	var all []contract.Feature
	for _, t := range held.terms() {
		f := contract.Feature{Name: "TLS: " + t.what, Status: contract.OK, Serves: "controllers", Detail: t.sentence(now)}
		switch stageOf(t.begin, t.end, now) {
		case over, early:
			f.Status, f.Needed, f.Remedy = contract.Missing, true, t.remedy
		case inAMonth, inAWeek, inADay:
			f.Status, f.Remedy = contract.Unknown, t.remedy
		case fine:
		}
		all = append(all, f)
	}
	return all
}

func unusable(err error) contract.Feature {
	return contract.Feature{
		Name: "TLS", Status: contract.Missing, Needed: true, Serves: "controllers", Detail: err.Error(),
		Remedy: "./sextant certs make DESCRIPTION makes a set of files",
	}
}
