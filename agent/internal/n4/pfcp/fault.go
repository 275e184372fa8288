// SPDX-License-Identifier: Apache-2.0

package pfcp

import "fmt"

// Kinds of rules, as Failed Rule ID has them (TS 29.244, 8.2.80).
const (
	KindPDR uint8 = iota
	KindFAR
	KindQER
)

// A Rule is one that failed.
type Rule struct {
	Kind uint8
	ID   uint32
}

// A Fault is why a request is refused, for the answer to its sender.
type Fault struct {
	Cause uint8
	// Offending is the type of the IE that is to blame, 0: none in particular.
	Offending uint16
	// Rule is the one that failed, if it is one.
	Rule *Rule
	// Reason is for the log: the fault and its remedy.
	Reason string
}

func (f *Fault) Error() string { return f.Reason }

func fault(cause uint8, offending uint16, format string, args ...any) *Fault {
	return &Fault{Cause: cause, Offending: offending, Reason: fmt.Sprintf(format, args...)}
}

// in says of which rule the fault is.
func (f *Fault) in(kind uint8, id uint32) *Fault {
	if f != nil && f.Rule == nil {
		f.Rule = &Rule{Kind: kind, ID: id}
	}
	return f
}
