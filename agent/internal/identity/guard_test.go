// SPDX-License-Identifier: Apache-2.0

package identity_test

import (
	"context"
	"crypto/x509"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/identity"
	"sextant/agent/internal/identity/authority"
)

const aDay = 24 * time.Hour

func TestWhoIsAdmitted(t *testing.T) {
	s := newSite(t)
	revoked := s.ca.Sign(identity.ControllerUnit, nil)
	s.write("ca.crl", s.ca.Revoke(revoked))
	s.serve()
	s.guard.TellAllDoubts()
	other := authority.New(t, "another")
	past := func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }
	future := func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Hour) }
	server := func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }
	sign := func(ca *authority.CA, change func(*x509.Certificate)) credentials.TransportCredentials {
		own := ca.Sign(identity.ControllerUnit, change)
		return s.ca.Client(&own)
	}
	for _, tc := range []struct {
		name  string
		creds credentials.TransportCredentials
		want  codes.Code
		log   string
	}{
		{"a controller of our CA", sign(s.ca, nil), codes.Unimplemented, ""},
		{"nobody's certificate", s.ca.Client(nil), codes.Unavailable, "client didn't provide a certificate"},
		{"of another CA", sign(other, nil), codes.Unavailable, "signed by unknown authority"},
		{"expired", sign(s.ca, past), codes.Unavailable, "certificate has expired or is not yet valid"},
		{"not yet valid", sign(s.ca, future), codes.Unavailable, "is before"},
		{"of a server only", sign(s.ca, server), codes.Unavailable, "incompatible key usage"},
		{"revoked", s.ca.Client(&revoked), codes.Unavailable, "was revoked on"},
		{"plain text", insecure.NewCredentials(), codes.Unavailable, "first record does not look like a TLS handshake"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.t = t
			if err := ask(t, dial(t, s.addr, tc.creds)); status.Code(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
			s.log.await(t, tc.log)
		})
	}
}

func TestAClientRefusesANodeOfAnotherNameOrCA(t *testing.T) {
	s := newSite(t)
	s.owns(s.ca.Sign("sextant-node", func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"n7"} }))
	s.serve()
	own := s.ca.Sign(identity.ControllerUnit, nil)
	if err := ask(t, s.dial(&own)); !strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("got %v, want that the certificate is not of 127.0.0.1", err)
	}
	other := newSite(t).serve()
	if err := ask(t, dial(t, other.addr, s.ca.Client(&own))); !strings.Contains(err.Error(), "unknown authority") {
		t.Errorf("got %v, want an unknown authority", err)
	}
}

func TestARenewedCertificateIsServedToTheNextClient(t *testing.T) {
	s := newSite(t).serve()
	own := s.ca.Sign(identity.ControllerUnit, nil)
	first := s.dial(&own)
	if err := ask(t, first); status.Code(err) != codes.Unimplemented {
		t.Fatal(err)
	}
	// A new CA beside the old one: clients of both are admitted, and the running one goes on.
	next := authority.New(t, "next")
	s.write("ca.crt", append(s.ca.PEM(), next.PEM()...))
	s.owns(next.Sign("sextant-node", nil))
	theirs := next.Sign(identity.ControllerUnit, nil)
	if err := ask(t, dial(t, s.addr, next.Client(&theirs))); status.Code(err) != codes.Unimplemented {
		t.Errorf("with the new CA: %v", err)
	}
	if got := first.GetState(); got != connectivity.Ready {
		t.Errorf("the client of before is %v, want it untouched", got)
	}
	// The old CA goes, and the clients it signed for with it.
	s.write("ca.crl", next.Revoke())
	s.write("ca.crt", next.PEM())
	s.guard.Reload()
	ended(t, first.WaitForStateChange)
}

func TestARunningConnectionEndsWithItsRevocationAndWithNothingElse(t *testing.T) {
	s := newSite(t).serve()
	bad, good := s.ca.Sign(identity.ControllerUnit, nil), s.ca.Sign(identity.ControllerUnit, nil)
	leaves, stays := s.dial(&bad), s.dial(&good)
	if err := ask(t, leaves); status.Code(err) != codes.Unimplemented {
		t.Fatal(err)
	}
	if err := ask(t, stays); status.Code(err) != codes.Unimplemented {
		t.Fatal(err)
	}
	s.clockJumps(20 * 365 * aDay) // all is expired by that clock
	s.guard.Reload()
	if got := leaves.GetState(); got != connectivity.Ready {
		t.Errorf("after the clock jumped a connection is %v, want it untouched", got)
	}
	s.write("ca.crl", s.ca.Revoke(bad))
	s.guard.Reload()
	ended(t, leaves.WaitForStateChange)
	if got := stays.GetState(); got != connectivity.Ready {
		t.Errorf("the other connection is %v, want it untouched", got)
	}
	if s.log.count("connection ended") != 1 || s.log.count("was revoked on") != 1 {
		t.Errorf("the log does not name the revoked one:\n%s", s.log.text.String())
	}
}

func ended(t *testing.T, change func(context.Context, connectivity.State) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if !change(ctx, connectivity.Ready) {
		t.Error("the connection goes on, want it ended")
	}
}

func TestFilesThatMakeNoSenseLeaveThoseBefore(t *testing.T) {
	s := newSite(t).serve()
	own := s.ca.Sign(identity.ControllerUnit, nil)
	strangers := authority.New(t, "another")
	_, key := strangers.Sign("", nil).PEM(t)
	leaf, _ := own.PEM(t)
	for name, tc := range map[string]struct {
		file string
		body []byte
		says string
	}{
		"garbage for a certificate": {"node.crt", []byte("garbage"), "failed to find any PEM data"},
		"half a certificate":        {"node.crt", leaf[:len(leaf)/2], "failed to find any PEM data"},
		"the key of another":        {"node.key", key, "private key does not match public key"},
		"an empty CA":               {"ca.crt", nil, "there is no PEM CERTIFICATE in it"},
		"a CA that is none":         {"ca.crt", leaf, "is no authority (CA)"},
		"garbage for a list":        {"ca.crl", []byte("garbage"), "there is no PEM X509 CRL in it"},
		"a list of strangers":       {"ca.crl", strangers.Revoke(own), "is signed by none of --tls-ca"},
	} {
		t.Run(name, func(t *testing.T) {
			before := mustRead(t, s.folder+"/"+tc.file)
			s.write(tc.file, tc.body)
			for range 3 {
				s.guard.Reload()
			}
			if got := s.log.count(tc.says); got != 1 {
				t.Errorf("said %d times %q, want once:\n%s", got, tc.says, s.log.text.String())
			}
			if err := ask(t, s.dial(&own)); status.Code(err) != codes.Unimplemented {
				t.Errorf("with the files of before: %v", err)
			}
			s.write(tc.file, before)
			s.guard.Reload()
			s.log.text.Reset()
		})
	}
}

func TestAnEndIsToldAMonthAWeekAndADayBefore(t *testing.T) {
	s := newSite(t)
	s.owns(s.ca.Sign("sextant-node", func(c *x509.Certificate) { c.NotAfter = c.NotBefore.Add(100 * aDay) }))
	s.files.CRL = ""
	s.serve()
	for _, tc := range []struct {
		ahead   time.Duration
		says    string
		warned  int
		errored int
	}{
		{0, "", 0, 0},
		{69 * aDay, "", 0, 0},
		{71 * aDay, "in 28 days", 1, 0},
		{72 * aDay, "in 28 days", 1, 0},
		{94 * aDay, "in 5 days", 2, 0},
		{99*aDay + time.Hour, "in 0 days", 3, 0},
		{101 * aDay, "expired on", 3, 1},
		{102 * aDay, "expired on", 3, 1},
		{-aDay, "look at the clocks", 3, 3}, // the CA's is not valid yet, either
	} {
		s.clockJumps(tc.ahead)
		s.guard.Reload()
		if tc.says != "" && s.log.count(tc.says) == 0 {
			t.Errorf("%v ahead the log does not say %q:\n%s", tc.ahead, tc.says, s.log.text.String())
		}
		if w, e := s.log.count("level=WARN"), s.log.count("level=ERROR"); w != tc.warned || e != tc.errored {
			t.Errorf("%v ahead: %d warnings and %d errors, want %d and %d:\n%s", tc.ahead, w, e, tc.warned, tc.errored, s.log.text.String())
		}
	}
}

func TestCheckSaysHowLongTheFilesHold(t *testing.T) {
	s := newSite(t)
	status := func(ahead time.Duration) (all []contract.Status) {
		for _, f := range identity.Check(s.files, time.Now().Add(ahead)) {
			all = append(all, f.Status)
		}
		return all
	}
	for ahead, want := range map[time.Duration]contract.Status{0: contract.OK, 350 * aDay: contract.Unknown, 400 * aDay: contract.Missing, -aDay: contract.Missing} {
		got := status(ahead)
		if len(got) != 3 {
			t.Fatalf("got %v, want certificate, CA and list", got)
		}
		for _, one := range got {
			if one != want {
				t.Errorf("%v ahead: got %v, want %v", ahead, got, want)
			}
		}
	}
	s.write("ca.crt", nil)
	if got := identity.Check(s.files, time.Now()); len(got) != 1 || !got[0].Needed || got[0].Status != contract.Missing {
		t.Errorf("got %+v, want that the files are of no use", got)
	}
}

func TestWithoutFilesNobodyStarts(t *testing.T) {
	s := newSite(t)
	s.files.CRL = s.folder + "/no.crl"
	if _, err := identity.NewGuard(s.files, nil, time.Now); err == nil || !strings.Contains(err.Error(), "--tls-crl: open") {
		t.Errorf("got %v, want that --tls-crl cannot be opened", err)
	}
}

func TestAConnectionThatIsNeitherTLSNorPlainIsRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, listener, &identity.Credentials{})
	if err := ask(t, dial(t, listener.Addr().String(), insecure.NewCredentials())); status.Code(err) != codes.Unavailable {
		t.Errorf("got %v, want nobody served", err)
	}
}
