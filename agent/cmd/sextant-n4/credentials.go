// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"sextant/agent/internal/n4/rest"
)

// client makes the client of the controller. The password is on no command line and in no log.
func (s settings) client() (*rest.Client, error) {
	u, err := url.Parse(s.controller)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" && u.Path != "/" {
		return nil, usage("--controller: write it as http://10.0.0.1:8181, and the password in --credentials")
	}
	user, password, err := s.secret()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil // the controller is next door
	if s.caFile != "" {
		pem, err := os.ReadFile(s.caFile)
		if err != nil {
			return nil, fmt.Errorf("--controller-ca: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--controller-ca %s: there is no PEM certificate in it", s.caFile)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return &rest.Client{URL: s.controller, User: user, Password: password, HTTP: &http.Client{Transport: transport}}, nil
}

// secret gives user and password: of the file, else of the environment.
func (s settings) secret() (user, password string, err error) {
	if s.credentials == "" {
		user, password = os.Getenv("SEXTANT_USER"), os.Getenv("SEXTANT_PASSWORD")
		if password == "" {
			return "", "", usage("credentials for the controller are missing: give --credentials FILE, or SEXTANT_USER and SEXTANT_PASSWORD")
		}
		if user == "" {
			user = s.user
		}
		return user, password, nil
	}
	text, err := os.ReadFile(s.credentials)
	if err != nil {
		return "", "", fmt.Errorf("--credentials: %w", err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if name == s.user && value != "" {
			return name, value, nil
		}
	}
	return "", "", fmt.Errorf("--credentials %s: there is no line %s=…", s.credentials, s.user)
}
