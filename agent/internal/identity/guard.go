// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc/credentials"
)

// Interval is how often the files are looked at between handshakes, each of which looks too.
const Interval = 2 * time.Second

// Guard admits the connections of TLS, and ends those that should not have lasted.
type Guard struct {
	files Files
	log   *slog.Logger
	now   func() time.Time

	mu     sync.Mutex
	held   *material
	broken string // the last message about invalid files
	conns  map[*watched]struct{}
	told   map[string]stage
	doubts doubts
}

// NewGuard reads the files; now is the clock by which certificates are judged.
func NewGuard(files Files, log *slog.Logger, now func() time.Time) (*Guard, error) {
	body, err := files.read()
	if err != nil {
		return nil, err
	}
	held, err := files.parse(body)
	if err != nil {
		return nil, err
	}
	g := &Guard{
		files: files, log: log, now: now, held: held, conns: map[*watched]struct{}{}, told: map[string]stage{},
		doubts: doubts{apart: time.Second},
	}
	g.tellExpiry()
	return g, nil
}

// Run keeps up with the files and the clock until ctx ends.
func (g *Guard) Run(ctx context.Context) error {
	tick := time.NewTicker(Interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			g.Reload()
		}
	}
}

// Reload takes over the present content of the files. Invalid content is reported, once, and the former content stays
// in use.
func (g *Guard) Reload() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.take(); err != nil {
		if g.broken != err.Error() {
			g.log.Error("the TLS files cannot be used; those read before stay in force", "reason", err)
		}
		g.broken = err.Error()
	} else {
		g.broken = ""
	}
	g.tellExpiry()
}

func (g *Guard) take() error {
	body, err := g.files.read()
	if err != nil || body.equal(g.held.from) {
		return err
	}
	fresh, err := g.files.parse(body)
	if err != nil {
		return err
	}
	g.held = fresh
	g.log.Info("TLS files read again", "certificate", nameOf(fresh.own.Leaf), "until", day(fresh.own.Leaf.NotAfter))
	for conn := range g.conns {
		if err := fresh.refusal(conn.chain, conn.since); err != nil {
			g.log.Warn("connection ended", "from", conn.RemoteAddr(), "reason", err)
			_ = conn.raw.Close() // without the farewell of TLS, for which its client might let us wait
		}
	}
	return nil
}

// handshake gives the connection and the caller at its other end. There is no session to resume: each connection is
// judged.
func (g *Guard) handshake(raw net.Conn) (net.Conn, Caller, error) {
	g.Reload()
	conn, info, err := credentials.NewTLS(g.config()).ServerHandshake(raw)
	if err != nil {
		if !errors.Is(err, io.EOF) { // a silent client only checked whether the port is open
			g.doubt(raw, err)
		}
		return nil, Caller{}, err
	}
	chain := info.(credentials.TLSInfo).State.PeerCertificates
	w := &watched{Conn: conn, raw: raw, guard: g, chain: chain, since: g.now()}
	if err := g.watch(w); err != nil { // the files may have changed meanwhile
		g.doubt(raw, err)
		return nil, Caller{}, err
	}
	if len(chain) == 0 {
		return w, anybody("without a certificate"), nil
	}
	return w, ofCertificate(chain[0]), nil
}

func (g *Guard) config() *tls.Config {
	g.mu.Lock()
	defer g.mu.Unlock()
	held := g.held
	config := &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{held.own}, Time: g.now, SessionTicketsDisabled: true,
	}
	if len(held.authorities) > 0 {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, held.roots
		config.VerifyConnection = func(state tls.ConnectionState) error { return held.refusal(state.PeerCertificates, g.now()) }
	}
	return config
}

// ServerConfig is for a server beside gRPC: each handshake is judged by the files as they are then. A connection that is open is
// not ended when its certificate is revoked.
func (g *Guard) ServerConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		g.Reload()
		return g.config(), nil
	}}
}

func (g *Guard) watch(w *watched) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.held.refusal(w.chain, w.since); err != nil {
		return err
	}
	g.conns[w] = struct{}{}
	return nil
}

// watched is a connection whose certificate may be revoked.
type watched struct {
	net.Conn
	raw   net.Conn
	guard *Guard
	chain []*x509.Certificate
	since time.Time
}

// Close forgets the connection.
func (w *watched) Close() error {
	w.guard.mu.Lock()
	delete(w.guard.conns, w)
	w.guard.mu.Unlock()
	return w.Conn.Close()
}

// doubts keep clients that fail again and again from filling the log.
type doubts struct {
	apart   time.Duration
	last    time.Time
	omitted int
}

func (g *Guard) doubt(raw net.Conn, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if now.Sub(g.doubts.last) < g.doubts.apart {
		g.doubts.omitted++
		return
	}
	g.log.Warn("client refused", "from", raw.RemoteAddr(), "reason", fmt.Sprint(err), "more_before", g.doubts.omitted)
	g.doubts.last, g.doubts.omitted = now, 0
}
