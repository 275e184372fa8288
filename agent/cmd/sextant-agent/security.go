// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"sextant/agent/internal/identity"
)

// defaultListen is where TCP is served if the command line names neither an address nor a socket.
const defaultListen = "127.0.0.1:9559"

// address is where TCP is served; "" if only a socket is.
func (s settings) address() string {
	if s.listen == "" && s.socket == "" {
		return defaultListen
	}
	return s.listen
}

// door decides how clients reach the agent and how they are identified: by certificate over TCP, by user at the socket,
// and by nothing at all only where the operator says so.
func (s settings) door(log *slog.Logger) (*identity.Credentials, error) {
	users, err := s.users()
	if err = errors.Join(err, s.refuseMetrics()); err != nil {
		return nil, err
	}
	door := &identity.Credentials{Users: users}
	if s.address() == "" && s.tls == (identity.Files{}) {
		return door, nil
	}
	if err := s.refuseAnybody(); err != nil {
		return nil, err
	}
	if s.insecure && s.tls.CA == "" {
		log.Warn("--insecure: any client that reaches this address may program the node", "listen", s.address(), "tls", s.tls.Cert != "")
	}
	if s.tls.Cert == "" {
		door.Plain = true
		return door, nil
	}
	door.TLS, err = identity.NewGuard(s.tls, log, time.Now)
	return door, err
}

// refuseAnybody returns an error if the command line lacks a protection against foreign clients.
func (s settings) refuseAnybody() error {
	switch {
	case (s.tls.Cert == "") != (s.tls.Key == ""), s.tls.Cert == "" && (s.tls.CA != "" || s.tls.CRL != ""):
		return errors.New("TLS needs both --tls-cert and --tls-key")
	case s.tls.CRL != "" && s.tls.CA == "":
		return errors.New("--tls-crl is a list of what --tls-ca signed: give that, too")
	case s.insecure || s.tls.CA != "":
		return nil
	case s.tls.Cert != "":
		return fmt.Errorf("--listen %s: TLS without --tls-ca knows none of its clients, and any of them could program this node: "+
			"give --tls-ca (./sextant certs make), or --insecure if the network is trusted", s.address())
	case loopback(s.address()):
		return fmt.Errorf("--listen %s: by plain text every user of this machine could program this node: give --socket PATH, "+
			"or --tls-cert, --tls-key and --tls-ca (./sextant certs make), or --insecure if all of them are trusted", s.address())
	}
	return fmt.Errorf("--listen %s: without TLS any client could program this node: give --tls-cert, --tls-key and --tls-ca "+
		"(./sextant certs make), or --insecure if the network is trusted", s.address())
}

// users are those of the socket.
func (s settings) users() (map[uint32]identity.Role, error) {
	users := identity.OwnUsers()
	for _, flag := range s.socketUsers {
		number, name, _ := strings.Cut(flag, "=")
		uid, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("--socket-user %s: write it as UID=ROLE, for example 1000=monitor", flag)
		}
		role, err := identity.ParseRole(name)
		if err != nil {
			return nil, fmt.Errorf("--socket-user %s: %w", flag, err)
		}
		users[uint32(uid)] = role
	}
	if len(s.socketUsers) > 0 && s.socket == "" {
		return nil, errors.New("--socket-user is for --socket: give that, too")
	}
	return users, nil
}

// listeners are where the agent serves: TCP, a socket, or both. All are closed if one cannot be had.
func (s settings) listeners(ctx context.Context, users map[uint32]identity.Role) (all []net.Listener, err error) {
	defer func() {
		for _, one := range all {
			if err != nil {
				err = errors.Join(err, one.Close())
			}
		}
	}()
	if s.address() != "" {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.address())
		if err != nil {
			return all, fmt.Errorf("--listen: %w", err)
		}
		all = append(all, listener)
	}
	if s.socket != "" {
		listener, err := identity.ListenUnix(ctx, s.socket, users)
		if err != nil {
			return all, err
		}
		all = append(all, listener)
	}
	return all, nil
}

// security describes a door for the log.
func (s settings) security() string {
	switch {
	case s.address() == "":
		return "socket"
	case s.tls.Cert == "":
		return "none"
	case s.tls.CA == "":
		return "server"
	}
	return "mutual"
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
