// SPDX-License-Identifier: Apache-2.0

// Package authority signs certificates for the tests of access to a node.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/credentials"
)

// CA signs certificates and revokes them.
type CA struct {
	t       *testing.T
	Cert    *x509.Certificate
	key     *ecdsa.PrivateKey
	serials atomic.Int64
}

// Signed is a certificate with its key.
type Signed struct {
	Cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// New makes a CA whose certificate holds from an hour ago on, for a year.
func New(t *testing.T, name string) *CA {
	t.Helper()
	ca := &CA{t: t}
	template := &x509.Certificate{
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		Subject:   pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
	}
	signed := ca.signBy(nil, template)
	ca.Cert, ca.key = signed.Cert, signed.key
	return ca
}

// Sign makes a certificate for 127.0.0.1 with an organizational unit, "" for none; change, if there, has the last word.
func (ca *CA) Sign(unit string, change func(*x509.Certificate)) Signed {
	ca.t.Helper()
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "c1"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		NotBefore:   ca.Cert.NotBefore, NotAfter: ca.Cert.NotAfter,
	}
	if unit != "" {
		template.Subject.OrganizationalUnit = []string{unit}
	}
	if change != nil {
		change(template)
	}
	return ca.signBy(ca, template)
}

func (ca *CA) signBy(signer *CA, template *x509.Certificate) Signed {
	ca.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		ca.t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(ca.serials.Add(1))
	parent, with := template, key
	if signer != nil {
		parent, with = signer.Cert, signer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, with)
	if err != nil {
		ca.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		ca.t.Fatal(err)
	}
	return Signed{cert, key}
}

// PEM is the CA's certificate.
func (ca *CA) PEM() []byte { return encode("CERTIFICATE", ca.Cert.Raw) }

// Revoke gives the list of the revoked certificates.
func (ca *CA) Revoke(certs ...Signed) []byte {
	ca.t.Helper()
	list := &x509.RevocationList{
		Number: big.NewInt(ca.serials.Add(1)), ThisUpdate: time.Now().Add(-time.Hour), NextUpdate: ca.Cert.NotAfter,
	}
	for _, one := range certs {
		list.RevokedCertificateEntries = append(list.RevokedCertificateEntries,
			x509.RevocationListEntry{SerialNumber: one.Cert.SerialNumber, RevocationTime: time.Now()})
	}
	der, err := x509.CreateRevocationList(rand.Reader, list, ca.Cert, ca.key)
	if err != nil {
		ca.t.Fatal(err)
	}
	return encode("X509 CRL", der)
}

// Client gives the credentials of a client of the CA's servers, with a certificate or without.
func (ca *CA) Client(own *Signed) credentials.TransportCredentials {
	pool := x509.NewCertPool()
	pool.AddCert(ca.Cert)
	config := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	if own != nil {
		// Ignores the server's preferences: an attacker shows any certificate it has.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &tls.Certificate{Certificate: [][]byte{own.Cert.Raw}, PrivateKey: own.key, Leaf: own.Cert}, nil
		}
	}
	return credentials.NewTLS(config)
}

// PEM is the certificate and its key.
func (s Signed) PEM(t *testing.T) (cert, key []byte) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(s.key)
	if err != nil {
		t.Fatal(err)
	}
	return encode("CERTIFICATE", s.Cert.Raw), encode("PRIVATE KEY", der)
}

// Write puts a file into a folder, at once as a whole, and returns its path.
func Write(t *testing.T, folder, name string, body []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path+".new", body, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	return path
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
