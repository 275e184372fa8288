// SPDX-License-Identifier: Apache-2.0

package gtpu_test

import (
	"bytes"
	"encoding/hex"
	"net"
	"net/netip"
	"testing"
	"time"

	"sextant/agent/internal/n4/gtpu"
)

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEchoRequestsAreAnsweredAndNothingElse(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"an Echo Request (TS 29.281, 7.2.1)": {"3201000400000000123400000000", "3202000600000000123400000e00"},
		"with a Private Extension":           {"3201000a000000001234000" + "0ff00030007" + "00", "3202000600000000123400000e00"},
		"without a sequence number":          {"30010004000000001234000000", ""},
		"an Echo Response":                   {"3202000600000000123400000e00", ""},
		"a G-PDU":                            {"30ff000400000001123400000000", ""},
		"GTP' ":                              {"2201000400000000123400000000", ""},
		"GTPv2":                              {"5201000400000000123400000000", ""},
		"longer than the datagram":           {"3201ffff00000000123400000000", ""},
		"nothing":                            {"", ""},
	} {
		if got := gtpu.Answer(bytesOf(t, c.in)); !bytes.Equal(got, bytesOf(t, c.want)) {
			t.Errorf("%s: got %x, want %s", name, got, c.want)
		}
	}
	if got := gtpu.EndMarker(0x12345678); !bytes.Equal(got, bytesOf(t, "30fe000012345678")) {
		t.Errorf("End Marker %x", got)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte("\x32\x01\x00\x04\x00\x00\x00\x00\x12\x34\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if out := gtpu.Answer(b); out != nil && (b[1] != 1 || len(out) != 14) {
			t.Errorf("%x is answered by %x", b, out)
		}
	})
}

func TestAGNBIsAnswered(t *testing.T) {
	s, err := gtpu.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- s.Serve() }()
	gnb, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(s.Address()))
	if err != nil {
		t.Fatal(err)
	}
	defer gnb.Close()
	if _, err := gnb.Write(bytesOf(t, "3201000400000000beef00000000")); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 64)
	_ = gnb.SetReadDeadline(time.Now().Add(10 * time.Second))
	n, err := gnb.Read(answer)
	if want := bytesOf(t, "3202000600000000beef00000e00"); err != nil || !bytes.Equal(answer[:n], want) {
		t.Errorf("answered by %x, %v", answer[:n], err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	<-done
}
