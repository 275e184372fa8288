// SPDX-License-Identifier: Apache-2.0

// Package loopback serves gRPC to the tests of services, by a real connection.
package loopback

import (
	"context"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// A Service runs beside its server until the context ends, and lets go of its clients when it is closed.
type Service interface {
	Run(context.Context) error
	Close()
}

// Serve has a server with a service answer until the test ends, and connects to it. An error of either fails the test.
func Serve(t *testing.T, server *grpc.Server, service Service) *grpc.ClientConn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- server.Serve(listener) }()
	go func() { done <- service.Run(ctx) }()
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		cancel()
		service.Close()
		server.Stop()
		for range 2 {
			if err := <-done; err != nil {
				t.Errorf("server: %v", err)
			}
		}
	})
	return conn
}
