// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"time"
)

// Files are the files of TLS, all PEM. Without a CA every client is admitted, without a list none is revoked.
type Files struct {
	Cert, Key string
	CA, CRL   string
}

// contents are the bytes of the files, in their order; nil for a file that is not wanted.
type contents [4][]byte

func (f Files) read() (contents, error) {
	var all contents
	flags := [4]string{"--tls-cert", "--tls-key", "--tls-ca", "--tls-crl"}
	for i, name := range [4]string{f.Cert, f.Key, f.CA, f.CRL} {
		if name == "" {
			continue
		}
		body, err := os.ReadFile(name)
		if err != nil {
			return all, fmt.Errorf("%s: %w", flags[i], err)
		}
		all[i] = body
	}
	return all, nil
}

func (c contents) equal(other contents) bool {
	for i := range c {
		if !bytes.Equal(c[i], other[i]) {
			return false
		}
	}
	return true
}

// material is a set of files that belong together.
type material struct {
	from        contents
	own         tls.Certificate
	authorities []*x509.Certificate // empty: no CA
	roots       *x509.CertPool
	lists       []*x509.RevocationList
}

func (f Files) parse(c contents) (*material, error) {
	m := &material{from: c, roots: x509.NewCertPool()}
	var err error
	if m.own, err = tls.X509KeyPair(c[0], c[1]); err != nil {
		return nil, fmt.Errorf("--tls-cert %s and --tls-key %s: %w", f.Cert, f.Key, err)
	}
	if f.CA != "" {
		if m.authorities, err = parseAuthorities(c[2]); err != nil {
			return nil, fmt.Errorf("--tls-ca %s: %w", f.CA, err)
		}
		for _, ca := range m.authorities {
			m.roots.AddCert(ca)
		}
	}
	if f.CRL != "" {
		if m.lists, err = parseLists(c[3], m.authorities); err != nil {
			return nil, fmt.Errorf("--tls-crl %s: %w", f.CRL, err)
		}
	}
	return m, nil
}

func parseAuthorities(body []byte) ([]*x509.Certificate, error) {
	return parseBlocks(body, "CERTIFICATE", func(der []byte) (*x509.Certificate, error) {
		ca, err := x509.ParseCertificate(der)
		if err == nil && !ca.IsCA {
			return nil, fmt.Errorf("%s is no authority (CA)", nameOf(ca))
		}
		return ca, err
	})
}

// parseLists admits only lists that one of the authorities signed: any client could revoke all others otherwise.
func parseLists(body []byte, authorities []*x509.Certificate) ([]*x509.RevocationList, error) {
	return parseBlocks(body, "X509 CRL", func(der []byte) (*x509.RevocationList, error) {
		list, err := x509.ParseRevocationList(der)
		if err != nil {
			return nil, err
		}
		for _, ca := range authorities {
			if bytes.Equal(ca.RawSubject, list.RawIssuer) && list.CheckSignatureFrom(ca) == nil {
				return list, nil
			}
		}
		return nil, fmt.Errorf("the list of %s is signed by none of --tls-ca", list.Issuer)
	})
}

func parseBlocks[T any](body []byte, kind string, parse func([]byte) (T, error)) ([]T, error) {
	var all []T
	for {
		var block *pem.Block
		if block, body = pem.Decode(body); block == nil {
			break
		}
		if block.Type != kind {
			return nil, fmt.Errorf("there is a PEM %s in it, and only %s is wanted", block.Type, kind)
		}
		one, err := parse(block.Bytes)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no PEM %s in it", kind)
	}
	return all, nil
}

// refusal says why a chain of certificates, the client's first, is not admitted at this time; nil if it is.
func (m *material) refusal(chain []*x509.Certificate, at time.Time) error {
	if len(m.authorities) == 0 {
		return nil
	}
	if len(chain) == 0 {
		return errors.New("the client shows no certificate")
	}
	between := x509.NewCertPool()
	for _, cert := range chain[1:] {
		between.AddCert(cert)
	}
	verified, err := chain[0].Verify(x509.VerifyOptions{
		Roots: m.roots, Intermediates: between, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", nameOf(chain[0]), err)
	}
	for _, way := range verified {
		if err = m.revoked(way); err == nil {
			return nil
		}
	}
	return err
}

// revoked names the first certificate of a chain that a list has; nil if none has.
func (m *material) revoked(chain []*x509.Certificate) error {
	for _, cert := range chain {
		for _, list := range m.lists {
			if !bytes.Equal(list.RawIssuer, cert.RawIssuer) {
				continue
			}
			for _, entry := range list.RevokedCertificateEntries {
				if entry.SerialNumber.Cmp(cert.SerialNumber) == 0 {
					return fmt.Errorf("%s was revoked on %s", nameOf(cert), day(entry.RevocationTime))
				}
			}
		}
	}
	return nil
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
