// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"

	"sextant/agent/internal/identity"
)

// Bounds of clients that are slow or many.
const (
	mostConnections = 16
	mostHeaderBytes = 16 << 10
	clientPatience  = 10 * time.Second
)

// Server serves /metrics over HTTP.
type Server struct {
	http *http.Server
	tls  bool
}

// NewServer makes a server; with a guard it is HTTPS, and for callers who may read.
func NewServer(c *Collector, guard *identity.Guard, log *slog.Logger) *Server {
	registry := prometheus.NewRegistry()
	registry.MustRegister(c, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	scrapes := promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true, ErrorHandling: promhttp.HTTPErrorOnError})
	mux.Handle("GET /metrics", scrapes)
	s := &Server{http: &http.Server{
		Handler: mux, MaxHeaderBytes: mostHeaderBytes, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ReadTimeout: clientPatience, ReadHeaderTimeout: clientPatience, WriteTimeout: patience + clientPatience, IdleTimeout: clientPatience,
	}}
	if guard != nil {
		s.tls = true
		s.http.TLSConfig = guard.ServerConfig()
		s.http.Handler = forReaders(mux)
	}
	s.http.SetKeepAlivesEnabled(false) // so that each scrape is judged by the certificates of its moment
	return s
}

func forReaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if caller := identity.OfConnection(r.TLS); caller.Role < identity.Monitor {
			http.Error(w, caller.Name+" has no role at this node: "+caller.Remedy, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Serve returns nil after Close, or why it cannot serve.
func (s *Server) Serve(listener net.Listener) error {
	listener = netutil.LimitListener(listener, mostConnections)
	if s.tls {
		listener = tls.NewListener(listener, s.http.TLSConfig)
	}
	if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends the scrapes that run, in the time of ctx or at once after it.
func (s *Server) Close(ctx context.Context) error {
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}
