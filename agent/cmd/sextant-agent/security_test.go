// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract/memory"
)

// authority signs certificates for the tests.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	a := authority{t: t}
	a.key, a.cert = a.sign(&x509.Certificate{
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, Subject: pkix.Name{CommonName: "test CA"},
	})
	return a
}

func (a authority) sign(template *x509.Certificate) (*ecdsa.PrivateKey, *x509.Certificate) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return key, cert
}

// files writes a leaf certificate and its key.
func (a authority) files(name string) (certFile, keyFile string) {
	a.t.Helper()
	key, cert := a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.file("CERTIFICATE", cert.Raw), a.file("PRIVATE KEY", der)
}

func (a authority) file(kind string, der []byte) string {
	a.t.Helper()
	path := filepath.Join(a.t.TempDir(), "x.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// client is what a controller with this authority's certificate (or none) would use.
func (a authority) client(withCertificate bool) credentials.TransportCredentials {
	a.t.Helper()
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	config := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	if withCertificate {
		cert, err := tls.LoadX509KeyPair(a.files("controller"))
		if err != nil {
			a.t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{cert}
	}
	return credentials.NewTLS(config)
}

// serveSecurely runs the two services with these settings over a data plane that only remembers.
func serveSecurely(t *testing.T, s settings) *agent {
	t.Helper()
	s.deviceID, s.stateDir, s.listen = device, t.TempDir(), "127.0.0.1:0"
	creds, _, err := s.transport()
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNorthbound(memory.New(), nil, s, creds, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", s.listen)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a := &agent{t: t, log: &logBuffer{}, addr: listener.Addr().String(), stop: cancel, done: make(chan error, 1)}
	go func() { a.done <- n.serve(ctx, listener) }()
	t.Cleanup(a.end)
	return a
}

// capabilities is the code of a call with these credentials.
func (a *agent) capabilities(creds credentials.TransportCredentials) codes.Code {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testPatience)
	defer cancel()
	_, err := p4.NewP4RuntimeClient(a.dial(creds)).Capabilities(ctx, &p4.CapabilitiesRequest{}, grpc.WaitForReady(false))
	return status.Code(err)
}

func TestWithACAOnlyItsClientsAreAdmitted(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	var s settings
	s.certFile, s.keyFile = ours.files("agent")
	s.caFile = ours.file("CERTIFICATE", ours.cert.Raw)
	a := serveSecurely(t, s)
	stranger, err := tls.LoadX509KeyPair(theirs.files("stranger"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(ours.cert)
	for name, tc := range map[string]struct {
		creds credentials.TransportCredentials
		want  codes.Code
	}{
		"a client of our CA":           {ours.client(true), codes.OK},
		"a client without one":         {ours.client(false), codes.Unavailable},
		"a client of another CA":       {credentials.NewTLS(&tls.Config{RootCAs: pool, Certificates: []tls.Certificate{stranger}, MinVersion: tls.VersionTLS12}), codes.Unavailable},
		"a client that expects others": {theirs.client(true), codes.Unavailable},
		"plain text":                   {insecure.NewCredentials(), codes.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			if got := a.capabilities(tc.creds); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestARenewedCertificateIsServedWithoutARestart(t *testing.T) {
	before, after := newAuthority(t), newAuthority(t)
	var s settings
	s.certFile, s.keyFile = before.files("agent")
	a := serveSecurely(t, s)
	if got := a.capabilities(before.client(false)); got != codes.OK {
		t.Fatalf("got %v, want OK", got)
	}
	certFile, keyFile := after.files("agent")
	for from, to := range map[string]string{certFile: s.certFile, keyFile: s.keyFile} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	if got := a.capabilities(after.client(false)); got != codes.OK {
		t.Errorf("with the new certificate: got %v, want OK", got)
	}
}

func TestACAFileWithoutACertificateIsRefused(t *testing.T) {
	ours := newAuthority(t)
	var s settings
	s.certFile, s.keyFile = ours.files("agent")
	s.caFile = s.keyFile
	if _, _, err := s.transport(); err == nil {
		t.Error("got no error for a CA file that holds a key")
	}
}
