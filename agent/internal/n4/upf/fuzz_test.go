// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"net/netip"
	"testing"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// FuzzReceive: no datagram ends the machine, in whatever state it is, and every session that it makes can be journalled and read.
func FuzzReceive(f *testing.F) {
	seed := newWorld(&testing.T{})
	s := seed.smf("10.0.0.9")
	s.w.t = &testing.T{}
	for _, m := range [][]byte{
		bytesOf(seed.t, s.establishment(1, parts(1, "10.60.0.1")...)),
		bytesOf(seed.t, s.modification(100, handover(gnb, 2))),
		bytesOf(seed.t, s.deletion(100)),
	} {
		f.Add(m, m)
	}
	attach := bytesOf(seed.t, s.establishment(1, o5gsAttach(o5gsChosen(o5gsUplink), o5gsChosen(o5gsUplink+1))...))
	for _, parts := range [][]*ie.IE{
		o5gsVoice(o5gsChosen(o5gsUplink)), o5gsForward(7, 7, 1, 1, gnb2, 0x202),
		{o5gsActivate(1, gnb, 1, o5gsEndMarker())},
		f5gcFlow(128, "permit out 17 from 1.1.1.1/32 5060-5070 to assigned"),
		{f5gcUpdatePDR(), f5gcUpdate(forward, gnb, 1, 2)},
		{oaiAccessFAR(2, gnb, 1), oaiDownlinkPDR(2, 255, 2)},
	} { // the first session of the machine under test has SEID 100, the second 101
		f.Add(attach, bytesOf(seed.t, s.modification(101, parts...)))
	}
	all := pfcp.Ignore{}
	for class := range pfcp.Classes() {
		all[class] = true
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		w := newWorld(t, func(c *upf.Config) { c.Ignore = all })
		s := w.smf("10.0.0.9")
		s.associate()
		s.establish(1, parts(1, "10.60.0.1")...)
		from := netip.MustParseAddrPort("10.0.0.9:8805")
		for _, one := range [][]byte{a, b} {
			w.m.Receive(w.now, from, one)
			w.settle()
		}
		before := w.m.Status().Sessions
		w.start()
		if after := w.m.Status().Sessions; after != before {
			t.Errorf("a restart makes %+v of %+v", after, before)
		}
	})
}
