// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/identity"
	"sextant/agent/internal/identity/authority"
)

// serveSecurely runs the services with these settings over a data plane that only remembers.
func serveSecurely(t *testing.T, s settings) *agent {
	t.Helper()
	s.deviceID, s.stateDir = device, t.TempDir()
	a := &agent{t: t, log: &logBuffer{}, done: make(chan error, 1)}
	log := newLogger(a.log, false)
	door, err := s.door(log)
	if err != nil {
		t.Fatal(err)
	}
	listeners, err := s.listeners(context.Background(), door.Users)
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNorthbound(memory.New(), nil, s, door, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.addr, a.stop = listeners[0].Addr().String(), cancel
	go func() { a.done <- n.serve(ctx, listeners) }()
	t.Cleanup(a.end)
	return a
}

func tlsFiles(t *testing.T, ca *authority.CA, crl []byte) identity.Files {
	t.Helper()
	folder := t.TempDir()
	cert, key := ca.Sign("sextant-node", nil).PEM(t)
	return identity.Files{
		Cert: authority.Write(t, folder, "node.crt", cert), Key: authority.Write(t, folder, "node.key", key),
		CA: authority.Write(t, folder, "ca.crt", ca.PEM()), CRL: authority.Write(t, folder, "ca.crl", crl),
	}
}

func TestAMonitorReadsAndDoesNotWrite(t *testing.T) {
	ca := authority.New(t, "ours")
	a := serveSecurely(t, settings{listen: "127.0.0.1:0", tls: tlsFiles(t, ca, ca.Revoke())})
	own := ca.Sign(identity.MonitorUnit, nil)
	conn := a.dial(ca.Client(&own))
	ctx, cancel := context.WithTimeout(context.Background(), testPatience)
	defer cancel()
	if _, err := p4.NewP4RuntimeClient(conn).GetForwardingPipelineConfig(ctx, &p4.GetForwardingPipelineConfigRequest{DeviceId: device}); err != nil {
		t.Errorf("it reads the pipeline config: %v", err)
	}
	if _, err := gpb.NewGNMIClient(conn).Capabilities(ctx, &gpb.CapabilityRequest{}); err != nil {
		t.Errorf("it reads gNMI's capabilities: %v", err)
	}
	stream, err := p4.NewP4RuntimeClient(conn).StreamChannel(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.PermissionDenied {
		t.Errorf("the stream of primaries: got %v, want PERMISSION_DENIED", err)
	}
	if _, err := p4.NewP4RuntimeClient(conn).Write(ctx, &p4.WriteRequest{DeviceId: device}); status.Code(err) != codes.PermissionDenied {
		t.Errorf("Write: got %v, want PERMISSION_DENIED", err)
	}
	if _, err := gpb.NewGNMIClient(conn).Set(ctx, &gpb.SetRequest{}); status.Code(err) != codes.PermissionDenied {
		t.Errorf("Set: got %v, want PERMISSION_DENIED", err)
	}
}

func TestTheAgentSeesARevocationByItself(t *testing.T) {
	ca := authority.New(t, "ours")
	files := tlsFiles(t, ca, ca.Revoke())
	a := serveSecurely(t, settings{listen: "127.0.0.1:0", tls: files})
	own := ca.Sign(identity.ControllerUnit, nil)
	ctx, cancel := context.WithTimeout(context.Background(), testPatience)
	defer cancel()
	stream, err := p4.NewP4RuntimeClient(a.dial(ca.Client(&own))).StreamChannel(ctx)
	if err != nil {
		t.Fatal(err)
	}
	claim := &p4.MasterArbitrationUpdate{DeviceId: device, ElectionId: &p4.Uint128{Low: 1}}
	if err := stream.Send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Arbitration{Arbitration: claim}}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	authority.Write(t, filepath.Dir(files.CRL), filepath.Base(files.CRL), ca.Revoke(own))
	if _, err := stream.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("got %v, want the primary's connection ended", err)
	}
}

func TestASocketAloneServesItsOwnerAndListensNowhereElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.sock")
	s := settings{socket: path}
	if s.address() != "" {
		t.Fatalf("it would listen on %s", s.address())
	}
	a := serveSecurely(t, s)
	a.addr = "unix:" + path
	ctx, cancel := context.WithTimeout(context.Background(), testPatience)
	defer cancel()
	if _, err := p4.NewP4RuntimeClient(a.dial(insecure.NewCredentials())).Capabilities(ctx, &p4.CapabilitiesRequest{}); err != nil {
		t.Error(err)
	}
}

func TestInsecureIsLoud(t *testing.T) {
	a := serveSecurely(t, settings{listen: "127.0.0.1:0", insecure: true})
	if log := a.log.String(); !strings.Contains(log, "level=WARN") || !strings.Contains(log, "any client that reaches this address may program the node") {
		t.Errorf("the log does not warn:\n%s", log)
	}
}

func TestCheckNamesACertificateThatExpires(t *testing.T) {
	ca := authority.New(t, "ours")
	files := tlsFiles(t, ca, ca.Revoke())
	features := identity.Check(files, time.Now().Add(400*24*time.Hour))
	var out strings.Builder
	if err := report(&out, features, false); !errors.Is(err, errReported) {
		t.Errorf("got %v, want the exit code of what is needed and missing", err)
	}
	for _, want := range []string{"MISSING  TLS: the node's own: the certificate CN=c1", "expired on", "./sextant certs rotate"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in\n%s", want, out.String())
		}
	}
}
