// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"testing"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// The corpus: the PFCP exchanges of open5gs, free5gc and OAI, message by message, with the IEs in the order and the form in which
// each SMF's sources write them. Each file names the release. A captured trace replaces a message here by its bytes.
//
// corpus is a world with the options that docs/reference/n4.md gives for these SMFs.
func corpus(t *testing.T, change ...func(*upf.Config)) (*world, *smf) {
	t.Helper()
	w := newWorld(t, append([]func(*upf.Config){func(c *upf.Config) {
		c.Rules = nil // the controller's rules of its slices decide
		c.Ignore = pfcp.Ignore{pfcp.URR: true, pfcp.QERRates: true, pfcp.Buffering: true, pfcp.CPFunction: true}
		c.EndMarkers = true
	}}, change...)...)
	s := w.smf("10.0.0.9")
	return w, s
}

// raw is an IE that is written octet by octet.
func raw(kind uint16, octets ...byte) *ie.IE { return ie.New(kind, octets) }

// sdf is an SDF Filter with a flow description (TS 29.244, 8.2.5); id 0: it has none.
func sdf(description string, id uint32) *ie.IE {
	b := binary.BigEndian.AppendUint16([]byte{1, 0}, uint16(len(description)))
	b = append(b, description...)
	if id != 0 {
		b[0] |= 16
		b = binary.BigEndian.AppendUint32(b, id)
	}
	return raw(ie.SDFFilter, b...)
}

// sameFilter is an SDF Filter that is another one of the session in the opposite direction (TS 29.244, 5.2.1A.2A).
func sameFilter(id uint32) *ie.IE {
	return raw(ie.SDFFilter, binary.BigEndian.AppendUint32([]byte{16, 0}, id)...)
}

// fteidOf is the tunnel of a Created PDR.
func fteidOf(t *testing.T, created []*ie.IE, pdr uint16) fabric.Tunnel {
	t.Helper()
	i := slices.IndexFunc(created, func(i *ie.IE) bool { id, err := i.PDRID(); return err == nil && id == pdr })
	if i < 0 {
		t.Fatalf("no Created PDR %d", pdr)
	}
	f, err := created[i].FTEID()
	if err != nil {
		t.Fatal(err)
	}
	a, _ := netip.AddrFromSlice(f.IPv4Address.To4())
	return fabric.Tunnel{Endpoint: a, TEID: f.TEID}
}

// explicit is an F-TEID that the SMF gives.
func explicit(t fabric.Tunnel) *ie.IE {
	return ie.NewFTEID(1, t.TEID, net.IP(t.Endpoint.AsSlice()), nil, 0)
}

// towards wants the downlink of the one session of a slice; "": it has none.
func (w *world) towards(slice, gnb string, teid uint32) {
	w.t.Helper()
	got := w.only(slice).Downlink
	switch {
	case gnb == "" && got != nil:
		w.t.Errorf("the downlink goes to %v, want none", got)
	case gnb != "" && (got == nil || got.Endpoint.String() != gnb || got.TEID != teid):
		w.t.Errorf("the downlink goes to %v, want %s TEID %d", got, gnb, teid)
	}
}

// gone wants no session anywhere.
func (w *world) gone() {
	w.t.Helper()
	for slice, in := range w.fabric {
		if len(in) != 0 {
			w.t.Errorf("slice %s keeps %v", slice, in)
		}
	}
	if n := w.m.Status().Sessions.All; n != 0 {
		w.t.Errorf("%d sessions are left", n)
	}
}

// restored is the flags of a request that establishes a session once more (RESTI of PFCPSEReq-Flags).
func restored() *ie.IE { return raw(ie.PFCPSEReqFlags, 1) }

func tunnelAt(address string, teid uint32) fabric.Tunnel {
	return fabric.Tunnel{Endpoint: netip.MustParseAddr(address), TEID: teid}
}
