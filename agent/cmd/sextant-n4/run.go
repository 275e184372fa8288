// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/n4"
	"sextant/agent/internal/n4/gtpu"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/version"
)

func newLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// run serves until ctx ends. Stopping leaves associations and sessions as they are.
func run(ctx context.Context, s settings, log *slog.Logger) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	// Numbers begin somewhere else each time, so that a session of before does not get the packets of one of now.
	var start [12]byte
	if _, err := rand.Read(start[:]); err != nil {
		return err
	}
	config.FirstSEID, config.FirstTEID = binary.BigEndian.Uint64(start[:8]), binary.BigEndian.Uint32(start[8:])
	if err := os.MkdirAll(s.stateDir, 0o700); err != nil {
		return fmt.Errorf("--state-dir: %w", err)
	}
	o := n4.Options{Config: config, Controller: client, Disk: durable.OS{}, StateDir: s.stateDir, Log: log}
	if o.Socket, o.Echo, err = s.sockets(config.N3); err != nil {
		return err
	}
	service, err := n4.Open(o)
	if err != nil {
		return err
	}
	if len(config.SMFs) == 0 {
		log.Warn("no --smf: whatever address associates first is the only SMF")
	}
	for class := range config.Ignore {
		log.Warn("accepted and not done (--ignore)", "class", class)
	}
	log.Info("serving", "version", version.Number, "listen", o.Socket.LocalAddr().String(), "netns", s.netns, "controller", s.controller, "smf", config.SMFs, "n3", config.N3, "ignore", s.ignore)
	err = serve(ctx, service, s.statusSocket())
	log.Info("stopped; sessions stay in the fabric")
	return err
}

// sockets opens those of PFCP and GTP-U, where --netns says; the controller is asked from where n4 was started.
func (s settings) sockets(n3 []netip.Addr) (pfcp *net.UDPConn, echo []*gtpu.Socket, err error) {
	at, err := s.address()
	if err != nil {
		return nil, nil, err
	}
	open := func() error {
		if pfcp, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(at)); err != nil {
			return fmt.Errorf("--listen: %w", err)
		}
		for i := 0; s.echo && i < len(n3); i++ {
			one, err := gtpu.Listen(netip.AddrPortFrom(n3[i], gtpu.Port))
			if err != nil {
				return err
			}
			echo = append(echo, one)
		}
		return nil
	}
	if s.netns == "" {
		err = open()
		return pfcp, echo, err
	}
	namespace, err := netspace.Open(s.netns, "run as root, and make it first: ip netns add "+s.netns)
	if err != nil {
		return nil, nil, fmt.Errorf("--netns: %w", err)
	}
	err = netspace.Do(namespace, s.netns, open)
	return pfcp, echo, errors.Join(err, namespace.Close())
}

// serve runs the service, and beside it the socket for status.
func serve(ctx context.Context, service *n4.Service, socket string) error {
	_ = os.Remove(socket) // of a process that was killed; one that lives has the port of PFCP
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("--status-socket: %w", err)
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{
		ReadHeaderTimeout: 5 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status, err := service.Status(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(status) // the client has gone
		}),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return service.Run(ctx) })
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		return server.Close()
	})
	return group.Wait()
}
