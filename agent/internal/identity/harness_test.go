// SPDX-License-Identifier: Apache-2.0

package identity_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	spb "github.com/openconfig/gnoi/system"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"sextant/agent/internal/identity"
	"sextant/agent/internal/identity/authority"
)

const patience = 10 * time.Second

// site is a node with its files, its clock and its log; its services return UNIMPLEMENTED to clients that get that far.
type site struct {
	t      *testing.T
	folder string
	files  identity.Files
	ca     *authority.CA
	guard  *identity.Guard
	log    *lines
	addr   string

	mu    sync.Mutex
	ahead time.Duration
}

func (s *site) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.ahead)
}

func (s *site) clockJumps(ahead time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead = ahead
}

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	news chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

// await waits until the log contains a text: a node may log after its client was answered.
func (l *lines) await(t *testing.T, text string) {
	t.Helper()
	deadline := time.After(patience)
	for l.count(text) == 0 {
		select {
		case <-l.news:
		case <-deadline:
			t.Fatalf("the log does not say %q:\n%s", text, l.text.String())
		}
	}
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

// newSite has its certificate, its CA and an empty list in files.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, folder: t.TempDir(), ca: authority.New(t, "ours"), log: &lines{news: make(chan struct{}, 1)}}
	s.owns(s.ca.Sign("sextant-node", nil))
	s.files.CA = s.write("ca.crt", s.ca.PEM())
	s.files.CRL = s.write("ca.crl", s.ca.Revoke())
	return s
}

func (s *site) owns(own authority.Signed) {
	s.t.Helper()
	cert, key := own.PEM(s.t)
	s.files.Cert, s.files.Key = s.write("node.crt", cert), s.write("node.key", key)
}

func (s *site) write(name string, body []byte) string {
	s.t.Helper()
	return authority.Write(s.t, s.folder, name, body)
}

// serve starts the node.
func (s *site) serve() *site {
	s.t.Helper()
	var err error
	if s.guard, err = identity.NewGuard(s.files, slog.New(slog.NewTextHandler(s.log, nil)), s.now); err != nil {
		s.t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.addr = listener.Addr().String()
	serve(s.t, listener, &identity.Credentials{TLS: s.guard})
	return s
}

func serve(t *testing.T, listener net.Listener, door *identity.Credentials) {
	t.Helper()
	server := grpc.NewServer(append(identity.ServerOptions(), grpc.Creds(door))...)
	p4.RegisterP4RuntimeServer(server, p4.UnimplementedP4RuntimeServer{})
	gpb.RegisterGNMIServer(server, gpb.UnimplementedGNMIServer{})
	spb.RegisterSystemServer(server, spb.UnimplementedSystemServer{})
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-done; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Errorf("server: %v", err)
		}
	})
}

// dial connects as a client of the site's CA; nil shows no certificate.
func (s *site) dial(own *authority.Signed) *grpc.ClientConn {
	s.t.Helper()
	return dial(s.t, s.addr, s.ca.Client(own))
}

func dial(t *testing.T, addr string, creds credentials.TransportCredentials) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(creds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// ask is the error of a call that only reads: UNIMPLEMENTED means that it was let through.
func ask(t *testing.T, conn *grpc.ClientConn) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := p4.NewP4RuntimeClient(conn).Capabilities(ctx, &p4.CapabilitiesRequest{})
	return err
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
