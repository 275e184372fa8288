// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
)

// Role is the set of operations that a caller may use.
type Role int

// The roles, from the least on.
const (
	// Nobody may do nothing.
	Nobody Role = iota
	// Monitor may read.
	Monitor
	// Controller may do everything.
	Controller
)

// The organizational units (OU) of a certificate's subject that give its owner a role.
const (
	ControllerUnit = "sextant-controller"
	MonitorUnit    = "sextant-monitor"
)

func (r Role) String() string {
	switch r {
	case Controller:
		return "controller"
	case Monitor:
		return "monitor"
	case Nobody:
	}
	return "nobody"
}

// ParseRole reads the name of a role that may do something.
func ParseRole(name string) (Role, error) {
	for _, r := range []Role{Controller, Monitor} {
		if name == r.String() {
			return r, nil
		}
	}
	return Nobody, fmt.Errorf("%q is no role: it is %s or %s", name, Controller, Monitor)
}

// Caller is the client at the other end of a connection.
type Caller struct {
	credentials.CommonAuthInfo
	Name string
	Role Role
	// Remedy states how a caller that has no role could get one.
	Remedy string
}

// AuthType implements credentials.AuthInfo.
func (Caller) AuthType() string { return "sextant" }

func newCaller(name string, role Role, remedy string) Caller {
	level := credentials.CommonAuthInfo{SecurityLevel: credentials.PrivacyAndIntegrity}
	return Caller{CommonAuthInfo: level, Name: name, Role: role, Remedy: remedy}
}

// ofCertificate gives the strongest role that the subject names.
func ofCertificate(cert *x509.Certificate) Caller {
	units := cert.Subject.OrganizationalUnit
	role := Nobody
	switch {
	case slices.Contains(units, ControllerUnit):
		role = Controller
	case slices.Contains(units, MonitorUnit):
		role = Monitor
	}
	return newCaller(nameOf(cert), role,
		fmt.Sprintf("its subject has OU=%s, and OU=%s or OU=%s is wanted", strings.Join(units, "+"), ControllerUnit, MonitorUnit))
}

// OfConnection gives the caller at the other end of a TLS connection; a server without client authorities admits anybody.
func OfConnection(state *tls.ConnectionState) Caller {
	switch {
	case state == nil:
		return newCaller("a caller in plain text", Nobody, "TLS is wanted")
	case len(state.PeerCertificates) == 0:
		return anybody("without a certificate")
	}
	return ofCertificate(state.PeerCertificates[0])
}

func nameOf(cert *x509.Certificate) string {
	return fmt.Sprintf("the certificate CN=%s (serial %x)", cert.Subject.CommonName, cert.SerialNumber)
}

// callerOf gives the caller of a call; Nobody if the connection does not identify it.
func callerOf(ctx context.Context) Caller {
	if p, ok := peer.FromContext(ctx); ok {
		if c, ok := p.AuthInfo.(Caller); ok {
			return c
		}
	}
	return newCaller("a caller of unknown identity", Nobody, "the connection has none")
}
