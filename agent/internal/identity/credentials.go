// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/credentials"
)

// Credentials are the server's side of every connection, whatever it came in by. The zero value admits no client.
type Credentials struct {
	// TLS serves TCP; nil where there is no certificate.
	TLS *Guard
	// Plain admits every client that speaks plain text over TCP, as a controller. Only without TLS.
	Plain bool
	// Users are the users that may use a Unix socket.
	Users map[uint32]Role
}

func anybody(how string) Caller {
	return newCaller("any client, "+how, Controller, "")
}

// ServerHandshake implements credentials.TransportCredentials.
func (c *Credentials) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn, caller, err := c.handshake(raw)
	if err != nil {
		_ = raw.Close()
		return nil, nil, err
	}
	return conn, caller, nil
}

func (c *Credentials) handshake(raw net.Conn) (net.Conn, Caller, error) {
	switch {
	case raw.LocalAddr().Network() == "unix":
		caller, err := c.user(raw)
		return raw, caller, err
	case c.TLS != nil:
		return c.TLS.handshake(raw)
	case c.Plain:
		return raw, anybody("in plain text"), nil
	}
	return nil, Caller{}, errors.New("TCP connections are not accepted")
}

// user asks the kernel for the user at the other end of a Unix socket (SO_PEERCRED, unix(7)): the one that connected,
// not the one that speaks now.
func (c *Credentials) user(raw net.Conn) (Caller, error) {
	socket, ok := raw.(syscall.Conn)
	if !ok {
		return Caller{}, errors.New("a connection of a Unix socket whose user cannot be asked for")
	}
	rc, err := socket.SyscallConn()
	if err != nil {
		return Caller{}, err
	}
	var cred *unix.Ucred
	var refused error
	err = rc.Control(func(fd uintptr) { cred, refused = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err := errors.Join(err, refused); err != nil {
		return Caller{}, fmt.Errorf("read the credentials of the Unix socket's peer: %w", err)
	}
	return newCaller(fmt.Sprintf("the user %d of this machine", cred.Uid), c.Users[cred.Uid],
		fmt.Sprintf("--socket-user %d=controller (or monitor) admits that user", cred.Uid)), nil
}

// ClientHandshake implements credentials.TransportCredentials; a node is no client.
func (*Credentials) ClientHandshake(context.Context, string, net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return nil, nil, errors.New("these credentials are a server's")
}

// Info implements credentials.TransportCredentials.
func (c *Credentials) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: "sextant"}
}

// Clone implements credentials.TransportCredentials.
func (c *Credentials) Clone() credentials.TransportCredentials { return c }

// OverrideServerName implements credentials.TransportCredentials.
func (*Credentials) OverrideServerName(string) error { return errors.New("a server has no server") }
