// SPDX-License-Identifier: Apache-2.0

package contract

import "fmt"

// SERA is the firewall of a SID (docs/reference/firewall-node.md): the rule set for packets that arrive there, and how
// the program of a packet is read. BlockLength and CSIDLength are those of the Behavior.
type SERA struct {
	// Firewall is the set of rules. One that has no rules drops everything.
	Firewall FirewallID
	// Instance of the firewall on this node: whose counters of drops and whose flows.
	Instance uint16
	// USIDLength is 0 where the SID is none of a container.
	USIDLength uint8
	// ArgsLength is of the arguments: the rightmost bits of the SID.
	ArgsLength uint8
	// LocalStart is the first uSID that is local to the node before it.
	LocalStart uint32
	// Flows is how many flows SeraStateful remembers.
	Flows uint32
}

// Limits of SIDs of firewalls.
const (
	MaxFirewallInstance = 255
	maxUSIDLength       = 32
	maxArgsLength       = 16
)

// IsFirewall says whether the SID is one of a firewall.
func (b Behavior) IsFirewall() bool { return b.Action == Sera || b.Action == SeraStateful }

func (b Behavior) seraProblem(sidBits int) string {
	s, sum := b.SERA, int(b.BlockLength)+int(b.CSIDLength)
	own := sum // bits of the SID itself
	if s.USIDLength == 0 {
		own = 128
	}
	switch {
	case s.Instance > MaxFirewallInstance:
		return fmt.Sprintf("instance %d has no cells of firewall_dropped, there are 0 to %d", s.Instance, MaxFirewallInstance)
	case s.ArgsLength > maxArgsLength:
		return fmt.Sprintf("args_length %d is more than %d", s.ArgsLength, maxArgsLength)
	case sidBits < own-int(s.ArgsLength):
		return fmt.Sprintf("sid has %d bits, fewer than the %d of the SID without its %d of arguments", sidBits, own-int(s.ArgsLength), s.ArgsLength)
	case b.Action == SeraStateful && s.Flows == 0:
		return "flows 0: a firewall that remembers flows needs room for one"
	case s.USIDLength == 0:
		return b.classicProblem()
	case b.BlockLength == 0 || b.CSIDLength == 0:
		return "block_length and csid_length must be greater than 0"
	case sum > 128:
		return fmt.Sprintf("block_length %d and csid_length %d together exceed 128", b.BlockLength, b.CSIDLength)
	case s.USIDLength > maxUSIDLength:
		return fmt.Sprintf("usid_length %d is more than %d", s.USIDLength, maxUSIDLength)
	case b.CSIDLength%s.USIDLength != 0:
		return fmt.Sprintf("csid_length %d is no multiple of usid_length %d", b.CSIDLength, s.USIDLength)
	case s.ArgsLength > s.USIDLength:
		return fmt.Sprintf("args_length %d is more than usid_length %d: arguments are in the function", s.ArgsLength, s.USIDLength)
	case uint64(s.LocalStart) > 1<<s.USIDLength:
		return fmt.Sprintf("local_start %d does not fit into %d bits", s.LocalStart, s.USIDLength)
	}
	return ""
}

// classicProblem of a SID that is none of a container: lengths of one would say nothing.
func (b Behavior) classicProblem() string {
	if b.CSIDLength != 0 {
		return fmt.Sprintf("csid_length %d without usid_length: a container has both", b.CSIDLength)
	}
	if b.BlockLength > 128 {
		return fmt.Sprintf("block_length %d exceeds 128", b.BlockLength)
	}
	return ""
}
