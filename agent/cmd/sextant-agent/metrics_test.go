// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net"
	"net/http"
	"testing"

	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/identity"
)

func TestMetricsInPlainTextStayOnTheLoopback(t *testing.T) {
	for _, tc := range []struct {
		name    string
		s       settings
		refused bool
	}{
		{"off", settings{}, false},
		{"the loopback", settings{metrics: "127.0.0.1:9560"}, false},
		{"IPv6's", settings{metrics: "[::1]:9560"}, false},
		{"an address", settings{metrics: "10.0.0.1:9560"}, true},
		{"any address", settings{metrics: ":9560"}, true},
		{"an address with TLS", settings{metrics: "10.0.0.1:9560", tls: identity.Files{Cert: "a"}}, false},
		{"a trusted network", settings{metrics: "10.0.0.1:9560", insecure: true}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.s.refuseMetrics(); (err != nil) != tc.refused {
				t.Errorf("got %v, want refused: %t", err, tc.refused)
			}
		})
	}
}

func TestTheAgentServesMetricsAndStopsWithThem(t *testing.T) {
	s := settings{listen: "127.0.0.1:0", insecure: true, deviceID: device, stateDir: t.TempDir(), metrics: "127.0.0.1:0", backend: backendVPP}
	log := newLogger(&logBuffer{}, false)
	door, err := s.door(log)
	if err != nil {
		t.Fatal(err)
	}
	node := memory.New()
	n, err := newNorthbound(node, nil, s, door, log)
	if err != nil {
		t.Fatal(err)
	}
	if n.scrapes, err = s.scrapes(t.Context(), node, n, log); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.serve(ctx, nil) }()
	answer, err := http.Get("http://" + n.scrapes.listener.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("got %s, %v", answer.Status, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("it stops: %v", err)
	}
	if conn, err := net.Dial("tcp", n.scrapes.listener.Addr().String()); err == nil {
		_ = conn.Close()
		t.Error("the address still accepts connections")
	}
}
