// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"net/netip"
	"testing"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/upf"
)

func TestARefusedStaticAddressStaysItsOwners(t *testing.T) {
	w := newWorld(t, func(c *upf.Config) { c.Pools = pools("10.60.0.0/30") })
	s := w.smf("10.0.0.9")
	s.associate()
	s.establish(1, parts(1, "10.60.0.1")...)
	// The same address for another UE, which the controller refuses for its tunnel.
	w.fabric["mbb"]["foreign"] = w.only("mbb")
	w.refuse = nil
	second := w.fabric["mbb"]["foreign"]
	second.Uplink.TEID = 2
	w.fabric["mbb"]["foreign"] = second
	s.refused(s.establishment(2, parts(2, "10.60.0.1")...), ie.CauseRuleCreationModificationFailure, ie.FTEID)
	delete(w.fabric["mbb"], "foreign")
	p := parts(3, "")
	p[1] = ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100),
		ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ie.NewUEIPAddress(16, "", "", 0, 0)), ie.NewFARID(2), ie.NewQERID(1))
	_, r := s.establish(3, p...)
	if f, err := r.CreatedPDR[0].UEIPAddress(); err != nil || f.IPv4Address.String() != "10.60.0.2" {
		t.Errorf("the pool gives %v, want 10.60.0.2: 10.60.0.1 is the first session's", f.IPv4Address)
	}
}

func TestAPoolGivesNothingOfAStaticPrefix(t *testing.T) {
	for _, static := range []*ie.IE{
		ie.NewUEIPAddress(1, "", "2001:db8:60::", 0, 0),
		ie.NewUEIPAddress(1|8, "", "2001:db8:60::", 1, 0),            // a /63
		ie.NewUEIPAddress(1|64, "", "2001:db8:60:0:1:2:3:4", 0, 128), // one address of the first /64
	} {
		w := newWorld(t, func(c *upf.Config) { c.Pools = pools("2001:db8:60::/62") })
		s := w.smf("10.0.0.9")
		s.associate()
		down := func(ue *ie.IE) *ie.IE {
			return ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(100), ie.NewPDI(ie.NewSourceInterface(ie.SrcInterfaceCore), ue), ie.NewFARID(2), ie.NewQERID(1))
		}
		p := parts(1, "")
		p[1] = down(static)
		seid, _ := s.establish(1, p...)
		p = parts(2, "")
		p[1] = down(ie.NewUEIPAddress(32, "", "", 0, 0))
		_, r := s.establish(2, p...)
		f, err := r.CreatedPDR[0].UEIPAddress()
		if err != nil || f.IPv6Address.String() == "2001:db8:60::" {
			t.Errorf("the pool gives %v of a UE that has %x", f.IPv6Address, static.Payload)
		}
		s.delete(seid)
	}
}

func pools(prefixes ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, p := range prefixes {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}
