// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	spb "github.com/openconfig/gnoi/system"
	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/gnmi"
	"sextant/agent/internal/gnoi"
	"sextant/agent/internal/guard"
	"sextant/agent/internal/identity"
	"sextant/agent/internal/p4rt"
	"sextant/agent/internal/version"
)

// patience is how long a stop waits for clients that do not read.
const patience = 2 * time.Second

func newLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// run serves until ctx ends, or flushes. Stopping leaves the data plane as it is.
func run(ctx context.Context, s settings, log *slog.Logger) (err error) {
	door := &identity.Credentials{}
	if !s.flush {
		if door, err = s.door(log); err != nil {
			return err
		}
	}
	node, info, err := s.open(log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()
	if s.flush {
		return errors.Join(node.Uninstall(ctx), p4rt.Forget(s.stateFolder()))
	}
	listeners, err := s.listeners(ctx, door.Users)
	if err != nil {
		return err
	}
	northbound, err := newNorthbound(node, info, s, door, log)
	if err == nil {
		northbound.scrapes, err = s.scrapes(ctx, node, northbound, log)
	}
	if err != nil {
		for _, one := range listeners {
			err = errors.Join(err, one.Close())
		}
		return err
	}
	log.Info("serving", "version", version.Number, "listen", addresses(listeners), "device_id", s.deviceID,
		"backend", s.backend, "netns", s.netns, "ports", len(s.ports), "tls", s.security())
	err = northbound.serve(ctx, listeners)
	log.Info("stopped; what was written stays in the data plane")
	return err
}

func addresses(listeners []net.Listener) string {
	var all []string
	for _, one := range listeners {
		all = append(all, one.Addr().String())
	}
	return strings.Join(all, ",")
}

// northbound is the services over one data plane.
type northbound struct {
	p4   *p4rt.Server
	gnmi *gnmi.Server
	grpc *grpc.Server
	door *identity.Credentials
	// scrapes is nil without --metrics.
	scrapes *scrapes
}

func newNorthbound(node contract.Backend, info *p4config.P4Info, s settings, door *identity.Credentials, log *slog.Logger) (*northbound, error) {
	tables, err := p4rt.New(p4rt.Options{
		DeviceID: s.deviceID, Tables: node, Packets: node, P4Info: info, StateDir: s.stateFolder(), Log: log,
	})
	if err != nil {
		return nil, err
	}
	firewalls, _ := node.(gnmi.Firewalls)
	watched, _ := node.(contract.LivenessTeller)
	var delays contract.LinkDelayTeller
	if s.measureDelay > 0 {
		delays, _ = node.(contract.LinkDelayTeller)
	}
	n := &northbound{
		p4:   tables,
		gnmi: gnmi.New(gnmi.Options{Ports: node, Firewalls: firewalls, Liveness: watched, Delays: delays, Log: log}),
		grpc: grpc.NewServer(slices.Concat(guard.New(guard.DefaultLimits()).Options(door), identity.ServerOptions(), []grpc.ServerOption{
			// A controller whose machine died closes nothing: find out, so that a backup can take over.
			grpc.KeepaliveParams(keepalive.ServerParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}),
			grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}),
		})...),
		door: door,
	}
	p4.RegisterP4RuntimeServer(n.grpc, n.p4)
	gpb.RegisterGNMIServer(n.grpc, n.gnmi)
	pinger, _ := node.(gnoi.Pinger)
	spb.RegisterSystemServer(n.grpc, gnoi.New(pinger))
	reflection.Register(n.grpc)
	return n, nil
}

// serve returns when ctx ends, nil then, or when a part fails, and leaves nothing running.
func (n *northbound) serve(ctx context.Context, listeners []net.Listener) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return n.p4.Run(ctx) })
	group.Go(func() error { return n.gnmi.Run(ctx) })
	for _, listener := range listeners {
		group.Go(func() error {
			if err := n.grpc.Serve(listener); !errors.Is(err, grpc.ErrServerStopped) {
				return err
			}
			return nil // stopped before it began
		})
	}
	if n.scrapes != nil {
		group.Go(n.scrapes.serve)
		group.Go(func() error {
			<-ctx.Done()
			return n.scrapes.stop()
		})
	}
	if n.door.TLS != nil {
		group.Go(func() error { return n.door.TLS.Run(ctx) })
	}
	group.Go(func() error {
		<-ctx.Done()
		n.stop()
		return nil
	})
	return group.Wait()
}

// stop lets running calls end, ends the streams, and cuts off calls that do not end in time.
func (n *northbound) stop() {
	streams := make(chan struct{})
	go func() {
		defer close(streams)
		n.p4.Close()
		n.gnmi.Close()
		n.grpc.GracefulStop()
	}()
	select {
	case <-streams:
	case <-time.After(patience):
		n.grpc.Stop()
		<-streams
	}
}
