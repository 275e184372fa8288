// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux"
	"sextant/agent/internal/metrics"
	"sextant/agent/internal/version"
)

// refuseMetrics reports why the command line's --metrics would show a node's counters to strangers.
func (s settings) refuseMetrics() error {
	if s.metrics == "" || s.tls.Cert != "" || s.insecure || loopback(s.metrics) {
		return nil
	}
	return fmt.Errorf("--metrics %s: every client could read the node's counters in plain text: give --tls-cert, --tls-key and --tls-ca "+
		"(./sextant certs make), an address of the loopback, or --insecure if the network is trusted", s.metrics)
}

// scrapes serves metrics; it does nothing without --metrics.
type scrapes struct {
	server   *metrics.Server
	listener net.Listener
}

func (s settings) scrapes(ctx context.Context, node contract.Backend, n *northbound, log *slog.Logger) (*scrapes, error) {
	if s.metrics == "" {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.metrics)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	sources := metrics.Options{
		Version: version.Number, Backend: s.backend, DeviceID: s.deviceID, Tables: node, Sessions: n.p4.Sessions,
	}
	sources.Cells, _ = node.(contract.CellReader)
	sources.Liveness, _ = node.(contract.LivenessTeller)
	if s.backend == backendLinux {
		sources.Drops = func() ([]contract.Drop, error) { return linux.Drops(s.netns) }
	}
	log.Info("serving metrics", "metrics", listener.Addr(), "tls", n.door.TLS != nil)
	return &scrapes{server: metrics.NewServer(metrics.NewCollector(sources), n.door.TLS, log), listener: listener}, nil
}

func (m *scrapes) serve() error { return m.server.Serve(m.listener) }

func (m *scrapes) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return m.server.Close(ctx)
}
