// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// A SliceRule selects a slice, instead of the controller.
type SliceRule struct {
	Slice  string
	SNSSAI *pfcp.SNSSAI
	DNN    string
	// Default: it gets the sessions of no other slice.
	Default bool
}

// ParseSliceRule reads NAME=snssai:SST[-SD],dnn:NAME or NAME=default.
func ParseSliceRule(text string) (SliceRule, error) {
	name, match, found := strings.Cut(text, "=")
	rule := SliceRule{Slice: name}
	if !found || name == "" || match == "" {
		return rule, fmt.Errorf("%q: write it as NAME=snssai:2-000001,dnn:internet, or NAME=default", text)
	}
	for _, part := range strings.Split(match, ",") {
		key, value, _ := strings.Cut(part, ":")
		var err error
		switch {
		case key == "default" && value == "":
			rule.Default = true
		case key == "dnn" && value != "":
			rule.DNN = strings.ToLower(value)
		case key == "snssai":
			rule.SNSSAI, err = parseSNSSAI(value)
		default:
			err = fmt.Errorf("%q is none of snssai:SST-SD, dnn:NAME, default", part)
		}
		if err != nil {
			return rule, fmt.Errorf("%q: %w", text, err)
		}
	}
	return rule, nil
}

// parseSNSSAI reads SST or SST-SD, the differentiator in six hexadecimal digits.
func parseSNSSAI(text string) (*pfcp.SNSSAI, error) {
	sst, sd, has := strings.Cut(text, "-")
	n, err := strconv.ParseUint(sst, 10, 8)
	if err != nil {
		return nil, fmt.Errorf("SST %q is not 0 to 255", sst)
	}
	out := pfcp.SNSSAI{SST: uint8(n), SD: pfcp.NoSD}
	if has {
		d, err := strconv.ParseUint(sd, 16, 24)
		if err != nil || len(sd) != 6 {
			return nil, fmt.Errorf("SD %q is not six hexadecimal digits", sd)
		}
		out.SD = uint32(d)
	}
	return &out, nil
}

// rulesOf gives the rules that pick a slice, by the controller's description of it. A slice without any is never
// picked. A slice that says nothing is picked by nothing.
func rulesOf(s fabric.Slice) []SliceRule {
	base := SliceRule{Slice: s.Name}
	if s.SNSSAI != nil {
		base.SNSSAI = &pfcp.SNSSAI{SST: s.SNSSAI.SST, SD: pfcp.NoSD}
		if d, err := strconv.ParseUint(s.SNSSAI.SD, 16, 24); err == nil {
			base.SNSSAI.SD = uint32(d)
		}
	}
	var out []SliceRule
	for _, dnn := range s.DNNs {
		one := base
		one.DNN = strings.ToLower(dnn)
		out = append(out, one)
	}
	if len(out) == 0 && base.SNSSAI != nil {
		out = append(out, base)
	}
	if s.Default {
		out = append(out, SliceRule{Slice: s.Name, Default: true})
	}
	return out
}

// wanted is a request's part about its slice.
type wanted struct {
	snssai   *pfcp.SNSSAI
	dnn      string
	instance string
}

// score says how well a rule fits, 0: not. Fields that a rule names must be those of the request; of the rules that
// fit, the one that names the S-NSSAI comes before the one that names the DNN, and both before one; the default is
// last. A request without S-NSSAI leaves that open: the DNN is enough, if a rule that asks for nothing else has not got
// it.
func (r SliceRule) score(w wanted) int {
	score := 0
	named := r.DNN != "" && (sameName(r.DNN, w.dnn) || w.dnn == "" && sameName(r.DNN, w.instance))
	switch {
	case r.DNN != "" && !named:
		return 0
	case r.SNSSAI == nil:
	case w.snssai == nil && named:
		return openSNSSAI
	case w.snssai == nil || *w.snssai != *r.SNSSAI:
		return 0
	default:
		score += 8
	}
	if named {
		score += 4
	}
	if r.Default {
		score++
	}
	return score
}

// openSNSSAI is the score of a rule whose S-NSSAI a request says nothing about.
const openSNSSAI = 2

// sameName compares a DNN with one that may have an operator identifier behind it (internet.mnc001.mcc001.gprs).
func sameName(rule, given string) bool {
	return given != "" && (rule == given || strings.HasPrefix(given, rule+".mnc") && strings.HasSuffix(given, ".gprs"))
}

// pick gives the slice of a request: the default, if there is one, where nothing else fits, or where several do that differ by an
// S-NSSAI which the request does not name.
func (m *Machine) pick(w wanted) (fabric.Slice, *pfcp.Fault) {
	var best []string
	score, byDefault := 0, ""
	for _, r := range m.rules {
		s := r.score(w)
		switch {
		case s == 0 || !m.has(r.Slice):
			continue
		case r.Default && byDefault == "":
			byDefault = r.Slice
		}
		if s > score {
			best, score = nil, s
		}
		if s == score && !slices.Contains(best, r.Slice) {
			best = append(best, r.Slice)
		}
	}
	switch {
	case len(best) == 0:
		return fabric.Slice{}, noSlice(w)
	case score == openSNSSAI && len(best) > 1 && slices.Contains(best, byDefault):
		return m.slices[byDefault], nil
	case score == openSNSSAI && len(best) > 1:
		return fabric.Slice{}, severalSlices(w, best)
	}
	return m.slices[best[0]], nil
}

// severalSlices is why none is taken.
func severalSlices(w wanted, names []string) *pfcp.Fault {
	f := noSlice(w)
	slices.Sort(names)
	f.Reason = fmt.Sprintf("slices %s have DNN or Network Instance %q, and the request names no S-NSSAI: --slice %s=dnn:%s says which",
		strings.Join(names, ", "), cmp.Or(w.dnn, w.instance), names[0], cmp.Or(w.dnn, w.instance))
	return f
}

func (m *Machine) has(slice string) bool {
	_, there := m.slices[slice]
	return there
}

func noSlice(w wanted) *pfcp.Fault {
	f := &pfcp.Fault{Cause: ie.CauseServiceNotSupported}
	switch {
	case w.snssai != nil:
		f.Offending = ie.SNSSAI
		f.Reason = fmt.Sprintf("no slice with an anchor has S-NSSAI %d-%06x and DNN %q", w.snssai.SST, w.snssai.SD, w.dnn)
	case w.dnn != "":
		f.Offending, f.Reason = ie.APNDNN, fmt.Sprintf("no slice with an anchor has DNN %q", w.dnn)
	case w.instance != "":
		f.Offending, f.Reason = ie.NetworkInstance, fmt.Sprintf("no slice with an anchor has Network Instance %q", w.instance)
	default:
		f.Cause, f.Offending = ie.CauseConditionalIEMissing, ie.SNSSAI
		f.Reason = "the request names no S-NSSAI, DNN or Network Instance, and no slice is the default: --slice NAME=default"
	}
	return f
}

// tellMissing says which slices of --slice sessions cannot be in, whenever that changes.
func (m *Machine) tellMissing() {
	var missing []string
	for _, r := range m.Rules {
		if !m.has(r.Slice) && !slices.Contains(missing, r.Slice) {
			missing = append(missing, r.Slice)
		}
	}
	if len(missing) > 0 && !slices.Equal(missing, m.missing) {
		m.note(slog.LevelWarn, "the controller has no such slice, or it has no anchor (core.anchor)", "slices", missing)
	}
	m.missing = missing
}

// Learn takes the controller's slices. Requests that waited for theirs are looked at once more, and then answered.
func (m *Machine) Learn(now time.Time, list []fabric.Slice) {
	m.slices, m.rules = map[string]fabric.Slice{}, nil
	for _, s := range list {
		if s.Core.Anchor == "" {
			continue // GTP goes on to a UPF of the operator's
		}
		m.slices[s.Name] = s
		said := slices.ContainsFunc(m.Rules, func(r SliceRule) bool { return r.Slice == s.Name })
		if !said {
			m.rules = append(m.rules, rulesOf(s)...)
		}
	}
	m.rules = append(m.rules, m.Rules...)
	if slices.ContainsFunc(m.Rules, func(r SliceRule) bool { return r.Default }) {
		m.rules = slices.DeleteFunc(m.rules, func(r SliceRule) bool { return r.Default && !slices.Contains(m.Rules, r) })
	}
	m.learned = true
	m.tellMissing()
	parked := m.parked
	m.parked = nil
	for _, p := range parked {
		m.unparked(now, p)
	}
}
