// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"net/netip"
	"testing"

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
