// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"slices"

	"sextant/agent/internal/contract"
)

// A set of rules is compiled into pages, see bpf/sera.h: for each field that rules look at, classes of its values, and for
// each class a row of bits, one per rule that the value is good for.

const (
	pageBytes    = 4160
	rowsOfPage   = 8
	rulesOfPage  = 128
	keysOfPage   = 128
	widesOfPage  = 2048
	tablesOfPage = 8
	words        = maxRules / 64
)

// Numbers of fields, in the order of bpf/sera.h.
const (
	addrSrc = iota
	addrDst
	addrPrevious
	addrNext
	addrLast
	addrOuter
	addrs
)

const (
	wides     = 4
	byteField = addrs + wides
	byteKinds = 10
	fields    = byteField + byteKinds
)

// Bits of the first byte field: those of has, and fields of one bit.
const (
	traitEstablished = 32
	traitFour        = 64
	traits           = 256
)

// A row is a summary of its words, and a bit for each rule.
type row [1 + words]uint64

func (r *row) set(rule int, on bool) {
	if on {
		r[1+rule/64] |= 1 << (rule % 64)
	} else {
		r[1+rule/64] &^= 1 << (rule % 64)
	}
}

// A rowSet numbers rows that differ.
type rowSet struct {
	rows []row
	ids  map[row]uint16
}

func newRowSet() *rowSet { return &rowSet{ids: map[row]uint16{}} }

func (s *rowSet) class(r row) uint16 {
	r[0] = 0
	for i, w := range r[1:] {
		if w != 0 {
			r[0] |= 1 << i
		}
	}
	id, known := s.ids[r]
	if !known {
		id = uint16(len(s.rows))
		s.ids[r] = id
		s.rows = append(s.rows, r)
	}
	return id
}

// A compiler collects the content of the pages.
type compiler struct {
	rules []contract.Firewall
	head  bpfHead
	rows  []row
	pages [][]byte // behind those of the rows
}

// compile makes the pages of rules, which are in the order of their judgement; counters are theirs.
func compile(rules []contract.Firewall, counters []uint32, hash uint64) []byte {
	c := &compiler{rules: rules, head: bpfHead{Rules: uint32(len(rules)), Hash: hash}}
	var all row
	for i := range rules {
		all.set(i, true)
	}
	first := newRowSet()
	first.class(all)
	c.rows = first.rows
	tables := map[int]int{} // field: its first page behind those of the rows
	for field := range addrs {
		c.address(field, tables)
	}
	for i := range wides {
		c.wide(i, tables)
	}
	bytePage := c.bytes()
	rulePage := len(c.pages)
	c.writeRules(counters)
	for _, r := range rules {
		if r.NextSID != nil || r.Has != nil && r.Has.Mask.Uint64()&contract.HasNextSID != 0 {
			c.head.AsksNext = 1
		}
	}

	rowPages := (len(c.rows) + rowsOfPage - 1) / rowsOfPage
	for field, page := range tables {
		c.head.Table[field] = uint32(1 + rowPages + page)
	}
	c.head.BytePage, c.head.FirstRulePage = uint32(1+rowPages+bytePage), uint32(1+rowPages+rulePage)
	return c.join(rowPages)
}

func (c *compiler) join(rowPages int) []byte {
	out := make([]byte, (1+rowPages+len(c.pages))*pageBytes)
	if _, err := binary.Encode(out, binary.LittleEndian, c.head); err != nil {
		panic(err) // its size is fixed
	}
	for i, r := range c.rows {
		at := pageBytes + i*len(r)*8 // eight fill a page
		for k, w := range r {
			binary.LittleEndian.PutUint64(out[at+8*k:], w)
		}
	}
	for i, page := range c.pages {
		copy(out[(1+rowPages+i)*pageBytes:], page)
	}
	return out
}

// uses takes over the rows of a field.
func (c *compiler) uses(field int, rows *rowSet) {
	c.head.Used |= 1 << field
	c.head.FirstRow[field] = uint32(len(c.rows))
	c.rows = append(c.rows, rows.rows...)
}

func (c *compiler) page() []byte {
	page := make([]byte, pageBytes)
	c.pages = append(c.pages, page)
	return page
}

func (c *compiler) writeRules(counters []uint32) {
	var page []byte
	for i, r := range c.rules {
		if i%rulesOfPage == 0 {
			page = c.page()
		}
		value := bpfRule{Counter: counters[i], Priority: uint32(r.Priority), Verdict: verdictOf(r.Verdict), Hash: r.ID()}
		if r.Log {
			value.Log = 1
		}
		at := i % rulesOfPage * binary.Size(value)
		if _, err := binary.Encode(page[at:], binary.LittleEndian, value); err != nil {
			panic(err) // its size is fixed
		}
	}
}

func verdictOf(v contract.Verdict) uint8 {
	switch v {
	case contract.FwGoNext:
		return verdictGoNext
	case contract.FwSkipNext:
		return verdictSkipNext
	case contract.FwGoLast:
		return verdictGoLast
	case contract.FwEvalArgs:
		return verdictEvalArgs
	default:
		return verdictDrop
	}
}

func addressField(e contract.Firewall, field int) *contract.Ternary {
	return [addrs]*contract.Ternary{e.Src, e.Dst, e.PreviousSID, e.NextSID, e.LastSID, e.OuterSrc}[field]
}

// address cuts the addresses where the rules that they are good for change.
func (c *compiler) address(field int, tables map[int]int) {
	type change struct {
		at   u128
		rule int
		on   bool
	}
	var changes []change
	var now row
	for i, r := range c.rules {
		t := addressField(r, field)
		if t == nil {
			now.set(i, true)
			continue
		}
		for _, s := range spansOf(*t) {
			changes = append(changes, change{s.from, i, true})
			if behind, over := s.to.next(); !over {
				changes = append(changes, change{behind, i, false})
			}
		}
	}
	if len(changes) == 0 {
		return
	}
	// A span of a rule may begin where another one of it ends.
	slices.SortFunc(changes, func(a, b change) int {
		if d := a.at.compare(b.at); d != 0 {
			return d
		}
		return boolOrder(a.on, b.on)
	})
	set := newRowSet()
	keys, k := []key{{}}, 0
	for ; k < len(changes) && changes[k].at == (u128{}); k++ {
		now.set(changes[k].rule, changes[k].on)
	}
	keys[0].class = set.class(now)
	for k < len(changes) {
		at := changes[k].at
		for ; k < len(changes) && changes[k].at == at; k++ {
			now.set(changes[k].rule, changes[k].on)
		}
		if class := set.class(now); class != keys[len(keys)-1].class {
			keys = append(keys, key{at, class})
		}
	}
	c.uses(field, set)
	tables[field] = len(c.pages)
	c.writeKeys(field, keys)
}

// A key is the first address of a class.
type key struct {
	at    u128
	class uint16
}

// writeKeys: more than fit into a page have one in front of them, whose keys are the first of each page.
func (c *compiler) writeKeys(field int, keys []key) {
	if len(keys) > keysOfPage {
		c.head.Deep |= 1 << field
		top := c.page()
		var firsts []key
		for i := 0; i < len(keys); i += keysOfPage {
			firsts = append(firsts, keys[i])
		}
		fill(top, firsts)
		c.head.Leaves[field] = uint32(len(firsts))
	}
	for i := 0; i < len(keys); i += keysOfPage {
		fill(c.page(), keys[i:min(i+keysOfPage, len(keys))])
	}
}

// fill writes the keys of a page; the rest of it is all ones, with the last class.
func fill(page []byte, keys []key) {
	for i := range keysOfPage {
		k := key{u128{^uint64(0), ^uint64(0)}, keys[len(keys)-1].class}
		if i < len(keys) {
			k = keys[i]
		}
		binary.LittleEndian.PutUint64(page[8*i:], k.at.hi)
		binary.LittleEndian.PutUint64(page[8*(keysOfPage+i):], k.at.lo)
		binary.LittleEndian.PutUint16(page[16*keysOfPage+2*i:], k.class)
	}
}

// A test is the test of a rule on a small field.
type test struct{ value, mask, low, high uint16 }

func (t test) holds(v uint16) bool { return v&t.mask == t.value && v >= t.low && v <= t.high }

func masked(t *contract.Ternary) *test {
	if t == nil {
		return nil
	}
	return &test{uint16(t.Value.Uint64()), uint16(t.Mask.Uint64()), 0, 0xffff}
}

func within(r *contract.Range) *test {
	if r == nil {
		return nil
	}
	return &test{0, 0, r.Low, r.High}
}

// isInterval says of which values the test holds, if they are neighbors.
func (t test) isInterval() (low, high uint16, ok bool) {
	if t.mask == 0 {
		return t.low, t.high, true
	}
	if free := ^t.mask; free&(free+1) == 0 {
		return t.value, t.value | free, true
	}
	return 0, 0, false
}

func (c *compiler) tests(of func(contract.Firewall) *test) (asked []*test, any bool) {
	asked = make([]*test, len(c.rules))
	for i, r := range c.rules {
		asked[i] = of(r)
		any = any || asked[i] != nil
	}
	return asked, any
}

//nolint:gochecknoglobals // a constant: the wide fields, in the order of bpf/sera.h
var wideTests = [wides]func(contract.Firewall) *test{
	func(e contract.Firewall) *test { return within(e.SrcPort) },
	func(e contract.Firewall) *test { return within(e.DstPort) },
	func(e contract.Firewall) *test { return masked(e.SRHTag) },
	func(e contract.Firewall) *test { return masked(e.Args) },
}

// wide has a table of all 65,536 values.
func (c *compiler) wide(number int, tables map[int]int) {
	asked, any := c.tests(wideTests[number])
	if !any {
		return
	}
	type change struct {
		rule int
		on   bool
	}
	var now row
	changes, scattered := map[int][]change{}, []int{}
	for i, t := range asked {
		if t == nil {
			now.set(i, true)
			continue
		}
		if low, high, ok := t.isInterval(); ok {
			changes[int(low)] = append(changes[int(low)], change{i, true})
			changes[int(high)+1] = append(changes[int(high)+1], change{i, false})
		} else {
			scattered = append(scattered, i)
		}
	}
	set := newRowSet()
	tables[addrs+number] = len(c.pages)
	var page []byte
	var class uint16
	for v := range 65536 {
		if v%widesOfPage == 0 {
			page = c.page()
		}
		for _, ch := range changes[v] {
			now.set(ch.rule, ch.on)
		}
		for _, i := range scattered {
			now.set(i, asked[i].holds(uint16(v)))
		}
		if v == 0 || len(changes[v]) > 0 || len(scattered) > 0 {
			class = set.class(now)
		}
		binary.LittleEndian.PutUint16(page[v%widesOfPage*2:], class)
	}
	c.uses(addrs+number, set)
}

//nolint:gochecknoglobals // a constant: the byte fields behind the first, in the order of bpf/sera.h
var byteTests = [byteKinds]func(contract.Firewall) *test{
	1: func(e contract.Firewall) *test { return masked(e.IPProto) },
	2: func(e contract.Firewall) *test { return masked(e.TCPFlags) },
	3: func(e contract.Firewall) *test { return masked(e.ICMPType) },
	4: func(e contract.Firewall) *test { return masked(e.ICMPCode) },
	5: func(e contract.Firewall) *test { return masked(e.SRHNextHdr) },
	6: func(e contract.Firewall) *test { return within(e.SRHHdrLen) },
	7: func(e contract.Firewall) *test { return within(e.SegmentsLeft) },
	8: func(e contract.Firewall) *test { return within(e.LastEntry) },
	9: func(e contract.Firewall) *test { return masked(e.SRHFlags) },
}

// bytes have tables of 256 values, eight in a page.
func (c *compiler) bytes() (first int) {
	first = len(c.pages)
	pages := [][]byte{c.page(), c.page()}
	put := func(number, value int, class uint16) {
		binary.LittleEndian.PutUint16(pages[number/tablesOfPage][number%tablesOfPage*512+value*2:], class)
	}
	c.traits(put)
	for number := 1; number < byteKinds; number++ {
		asked, any := c.tests(byteTests[number])
		if !any {
			continue
		}
		set := newRowSet()
		for v := range 256 {
			put(number, v, set.class(c.good(func(i int) bool { return asked[i] == nil || asked[i].holds(uint16(v)) })))
		}
		c.uses(byteField+number, set)
	}
	return first
}

func (c *compiler) traits(put func(number, value int, class uint16)) {
	any := false
	for _, r := range c.rules {
		any = any || r.IPVersion != nil || r.Has != nil || r.Established != nil
	}
	if !any {
		return
	}
	holds := func(t *contract.Ternary, v uint64) bool { return t == nil || v&t.Mask.Uint64() == t.Value.Uint64() }
	set := newRowSet()
	for v := range traits {
		version := uint64(6)
		if v&traitFour != 0 {
			version = 4
		}
		put(0, v, set.class(c.good(func(i int) bool {
			r := c.rules[i]
			return holds(r.IPVersion, version) && holds(r.Has, uint64(v%traitEstablished)) && holds(r.Established, uint64(v/traitEstablished%2))
		})))
	}
	c.uses(byteField, set)
}

func (c *compiler) good(is func(rule int) bool) row {
	var r row
	for i := range c.rules {
		r.set(i, is(i))
	}
	return r
}
