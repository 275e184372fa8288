// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/identity"
	"sextant/agent/internal/identity/authority"
	"sextant/agent/internal/metrics"
)

// serve runs a server until the test ends.
func serve(t *testing.T, guard *identity.Guard) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := metrics.NewServer(metrics.NewCollector(metrics.Options{Tables: memory.New()}), guard, slog.New(slog.DiscardHandler))
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

func get(t *testing.T, client *http.Client, method, url, accept string) (code int, contentType, body string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	answer, err := client.Do(request)
	if err != nil {
		return 0, "", "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header.Get("Content-Type"), string(text), err
}

func TestFormatsAndPaths(t *testing.T) {
	addr := serve(t, nil)
	for _, tc := range []struct {
		name, method, path, accept string
		code                       int
		contentType, has           string
	}{
		{"OpenMetrics", "GET", "/metrics", "application/openmetrics-text;version=1.0.0", 200, "application/openmetrics-text", "# EOF\n"},
		{"text", "GET", "/metrics", "*/*", 200, "text/plain", "# TYPE sextant_agent_info gauge"},
		{"the process", "GET", "/metrics", "", 200, "text/plain", "process_start_time_seconds"},
		{"another path", "GET", "/", "*/*", 404, "text/plain", ""},
		{"another method", "POST", "/metrics", "*/*", 405, "text/plain", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, contentType, body, err := get(t, http.DefaultClient, tc.method, "http://"+addr+tc.path, tc.accept)
			if err != nil || code != tc.code || !strings.HasPrefix(contentType, tc.contentType) || !strings.Contains(body, tc.has) {
				t.Errorf("got %d %s %v, want %d %s with %q:\n%.300s", code, contentType, err, tc.code, tc.contentType, tc.has, body)
			}
		})
	}
}

func TestACertificateOfAMonitorIsWanted(t *testing.T) {
	ca, other := authority.New(t, "ours"), authority.New(t, "another")
	revoked := ca.Sign(identity.MonitorUnit, nil)
	folder := t.TempDir()
	cert, key := ca.Sign("sextant-node", nil).PEM(t)
	guard, err := identity.NewGuard(identity.Files{
		Cert: authority.Write(t, folder, "node.crt", cert), Key: authority.Write(t, folder, "node.key", key),
		CA: authority.Write(t, folder, "ca.crt", ca.PEM()), CRL: authority.Write(t, folder, "ca.crl", ca.Revoke(revoked)),
	}, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	addr := serve(t, guard)
	controller, monitor, node := ca.Sign(identity.ControllerUnit, nil), ca.Sign(identity.MonitorUnit, nil), ca.Sign("sextant-node", nil)
	stranger := other.Sign(identity.MonitorUnit, nil)
	for _, tc := range []struct {
		name string
		own  *authority.Signed
		code int // 0: no answer
	}{
		{"a monitor", &monitor, 200},
		{"a controller", &controller, 200},
		{"a node", &node, 403},
		{"revoked", &revoked, 0},
		{"of another CA", &stranger, 0},
		{"none", nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
			config.RootCAs.AddCert(ca.Cert)
			if tc.own != nil {
				pair, err := tls.X509KeyPair(tc.own.PEM(t))
				if err != nil {
					t.Fatal(err)
				}
				config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
			code, _, body, err := get(t, client, "GET", "https://"+addr+"/metrics", "*/*")
			if code != tc.code || (err == nil) != (tc.code != 0) {
				t.Errorf("got %d, %v, want %d:\n%.300s", code, err, tc.code, body)
			}
		})
	}
	if code, _, _, err := get(t, http.DefaultClient, "GET", "http://"+addr+"/metrics", "*/*"); err == nil && code == 200 {
		t.Error("plain text is answered")
	}
}
