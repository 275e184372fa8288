// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// transport decides how clients reach the agent: TLS where certificates are given, plain text only
// where nobody else can listen in, or where the operator says so. what describes it for the log.
func (s settings) transport() (creds credentials.TransportCredentials, what string, err error) {
	if s.certFile == "" && s.keyFile == "" && s.caFile == "" {
		if !s.insecure && !loopback(s.listen) {
			return nil, "", fmt.Errorf("--listen %s: plain text is served on loopback only; "+
				"give --tls-cert and --tls-key (and --tls-ca), or --insecure if the network is trusted", s.listen)
		}
		return insecure.NewCredentials(), "none", nil
	}
	if s.certFile == "" || s.keyFile == "" {
		return nil, "", fmt.Errorf("TLS needs both --tls-cert and --tls-key")
	}
	config, err := s.tlsConfig()
	if err != nil {
		return nil, "", err
	}
	if s.caFile == "" {
		return credentials.NewTLS(config), "server", nil
	}
	return credentials.NewTLS(config), "mutual", nil
}

func (s settings) tlsConfig() (*tls.Config, error) {
	load := func() (*tls.Certificate, error) {
		cert, err := tls.LoadX509KeyPair(s.certFile, s.keyFile)
		if err != nil {
			return nil, fmt.Errorf("load --tls-cert and --tls-key: %w", err)
		}
		return &cert, nil
	}
	if _, err := load(); err != nil {
		return nil, err
	}
	config := &tls.Config{
		MinVersion: tls.VersionTLS12,
		// Read at each handshake, so that a renewed certificate needs no restart.
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return load() },
	}
	if s.caFile == "" {
		return config, nil
	}
	pem, err := os.ReadFile(s.caFile)
	if err != nil {
		return nil, fmt.Errorf("read --tls-ca: %w", err)
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--tls-ca %s holds no PEM certificate", s.caFile)
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	return config, nil
}

// loopback says whether only this machine can reach a listen address.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
