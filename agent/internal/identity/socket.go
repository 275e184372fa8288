// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

// maxPathBytes is the capacity of a path in sockaddr_un, without the zero at its end (unix(7)).
const maxPathBytes = 107

// ListenUnix serves a Unix socket. One without a server, left by a process that was killed, is replaced. With others
// than its owner among the users, every user may connect and is identified by the kernel.
func ListenUnix(ctx context.Context, path string, users map[uint32]Role) (net.Listener, error) {
	if len(path) > maxPathBytes {
		return nil, fmt.Errorf("--socket %s: the path has %d bytes, and a socket's has %d at most", path, len(path), maxPathBytes)
	}
	if err := vacate(ctx, path); err != nil {
		return nil, err
	}
	old := syscall.Umask(0o177) // never open to others, not even for a moment
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("--socket: %w", err)
	}
	if othersAmong(users) {
		if err := os.Chmod(path, 0o666); err != nil {
			return nil, errors.Join(fmt.Errorf("--socket: %w", err), listener.Close())
		}
	}
	return listener, nil
}

func vacate(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--socket: %w", err)
	case info.Mode()&os.ModeSocket == 0:
		return fmt.Errorf("--socket %s: there is a file of that name, and it is no socket: name another, or remove it", path)
	}
	if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", path); err == nil {
		_ = conn.Close()
		return fmt.Errorf("--socket %s: a process serves it: stop that one, or name another", path)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("--socket: %w", err)
	}
	return nil
}

func othersAmong(users map[uint32]Role) bool {
	for uid := range users {
		if uid != 0 && uid != uint32(os.Geteuid()) {
			return true
		}
	}
	return false
}

// OwnUsers are the users of a socket if nothing else is said: root, and the user of the process.
func OwnUsers() map[uint32]Role {
	return map[uint32]Role{0: Controller, uint32(os.Geteuid()): Controller}
}
