// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// A Rule chooses a routing table for packets, before any table is asked that a rule behind it chooses (ip-rule(8)). All of
// it is its identity. Src and Dst are of one family; no bits are any.
type Rule struct {
	Priority uint32 // the lowest goes first
	Src, Dst netip.Prefix
	IPProto  uint8 // 0 is any
	SrcPort  PortRange
	DstPort  PortRange
	DSCP     DSCP
	Table    uint32
	Protocol uint8
}

// PortRange has both of its ends in it; the zero one is any port.
type PortRange struct{ First, Last uint16 }

// DSCP is a value of six bits; the zero one is any.
type DSCP struct {
	Asked bool
	Value uint8
}

// linux/fib_rules.h
const (
	fraDst       = 1
	fraSrc       = 2
	fraPriority  = 6
	fraTable     = 15
	fraProtocol  = 21
	fraIPProto   = 22
	fraSrcPort   = 23
	fraDstPort   = 24
	fraDSCP      = 25
	actToTable   = 1
	ruleHdrBytes = 12
)

func (r Rule) String() string { return fmt.Sprintf("%d from %s to %s", r.Priority, r.Src, r.Dst) }

// marshal writes struct fib_rule_hdr and its attributes.
func (r Rule) marshal() ([]byte, error) {
	msg := make([]byte, ruleHdrBytes)
	msg[0], msg[1], msg[2], msg[7] = family(r.Dst.Addr()), byte(r.Dst.Bits()), byte(r.Src.Bits()), actToTable
	ae := netlink.NewAttributeEncoder()
	for kind, p := range map[uint16]netip.Prefix{fraDst: r.Dst, fraSrc: r.Src} {
		if p.Bits() > 0 {
			ae.Bytes(kind, p.Addr().AsSlice())
		}
	}
	ae.Uint32(fraPriority, r.Priority)
	ae.Uint32(fraTable, r.Table)
	ae.Uint8(fraProtocol, r.Protocol)
	if r.IPProto != 0 {
		ae.Uint8(fraIPProto, r.IPProto)
	}
	for kind, ports := range map[uint16]PortRange{fraSrcPort: r.SrcPort, fraDstPort: r.DstPort} {
		if ports != (PortRange{}) {
			ae.Bytes(kind, binary.NativeEndian.AppendUint16(binary.NativeEndian.AppendUint16(nil, ports.First), ports.Last))
		}
	}
	if r.DSCP.Asked {
		ae.Uint8(fraDSCP, r.DSCP.Value)
	}
	attrs, err := ae.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode rule %s: %w", r, err)
	}
	return append(msg, attrs...), nil
}

// unmarshalRule reads the attributes of the agent's rules; those of foreign ones are left out.
func unmarshalRule(b []byte) (Rule, error) {
	if len(b) < ruleHdrBytes {
		return Rule{}, fmt.Errorf("decode rule: %d bytes are no fib_rule_hdr", len(b))
	}
	unspecified := netip.IPv6Unspecified()
	if b[0] == unix.AF_INET {
		unspecified = netip.IPv4Unspecified()
	}
	dst, src := unspecified, unspecified
	r := Rule{Table: uint32(b[4])}
	ad, err := netlink.NewAttributeDecoder(b[ruleHdrBytes:])
	if err != nil {
		return Rule{}, fmt.Errorf("decode rule attributes: %w", err)
	}
	for ad.Next() && err == nil {
		switch ad.Type() {
		case fraDst:
			dst, err = addrOf(ad.Bytes(), unspecified.BitLen()/8)
		case fraSrc:
			src, err = addrOf(ad.Bytes(), unspecified.BitLen()/8)
		case fraPriority:
			r.Priority = ad.Uint32()
		case fraTable:
			r.Table = ad.Uint32()
		case fraProtocol:
			r.Protocol = ad.Uint8()
		case fraIPProto:
			r.IPProto = ad.Uint8()
		case fraSrcPort:
			r.SrcPort, err = portRange(ad.Bytes())
		case fraDstPort:
			r.DstPort, err = portRange(ad.Bytes())
		case fraDSCP:
			r.DSCP = DSCP{true, ad.Uint8()}
		}
	}
	r.Dst, r.Src = netip.PrefixFrom(dst, int(b[1])), netip.PrefixFrom(src, int(b[2]))
	if err := errors.Join(err, ad.Err()); err != nil {
		return Rule{}, fmt.Errorf("decode rule: %w", err)
	}
	return r, nil
}

func portRange(b []byte) (PortRange, error) {
	if len(b) != 4 {
		return PortRange{}, fmt.Errorf("%d bytes are no range of ports", len(b))
	}
	return PortRange{binary.NativeEndian.Uint16(b), binary.NativeEndian.Uint16(b[2:])}, nil
}

// AddRule writes a rule and says whether it is new, and whether the kernel holds it as it was written. One that is there
// is left as it is.
func (c *Conn) AddRule(r Rule) (added, held bool, err error) {
	b, err := r.marshal()
	if err != nil {
		return false, false, err
	}
	_, err = c.exchange(unix.RTM_NEWRULE, netlink.Create|netlink.Excl, b)
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return false, false, err
	}
	added = err == nil
	all, err := c.Rules(family(r.Dst.Addr()))
	return added, slices.Contains(all, r), err
}

// DeleteRule deletes the rule that is this one; ENOENT if there is none.
func (c *Conn) DeleteRule(r Rule) error {
	b, err := r.marshal()
	if err != nil {
		return err
	}
	_, err = c.exchange(unix.RTM_DELRULE, 0, b)
	return err
}

// Rules dumps the rules of a family, in the order in which they are asked.
func (c *Conn) Rules(family byte) ([]Rule, error) {
	msg := make([]byte, ruleHdrBytes)
	msg[0] = family
	answers, err := c.dump(unix.RTM_GETRULE, msg)
	if errors.Is(err, unix.EAFNOSUPPORT) || errors.Is(err, unix.EOPNOTSUPP) {
		return nil, nil // a kernel without policy routing has none
	}
	if err != nil {
		return nil, fmt.Errorf("dump rules: %w", err)
	}
	return decodeAll(answers, unix.RTM_NEWRULE, unmarshalRule)
}
