// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/netspace"
)

// A namespace is the one network namespace a node lives in.
type namespace struct {
	handle netns.NsHandle
	name   string // for messages
}

// openNamespace opens by name (as in `ip netns`), by path, or the one of the process for "".
func openNamespace(name string) (namespace, error) {
	handle, err := netspace.Open(name, "run as root, and make it first: ip netns add "+name)
	if err != nil {
		return namespace{}, err
	}
	if name == "" {
		name = "of the process"
	}
	return namespace{handle, name}, nil
}

func (n namespace) fd() int { return netspace.FD(n.handle) }

func (n namespace) close() error { return netspace.Close(n.handle) }

// do runs a function inside the namespace: for /proc/sys, and for sockets whose library has no option for it.
func (n namespace) do(f func() error) error { return netspace.Do(n.handle, n.name, f) }

// identity names this very namespace: its cookie is never used again until the next boot.
func (n namespace) identity() (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read the boot id: %w", err)
	}
	var cookie uint64
	err = n.do(func() error {
		fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		cookie, err = unix.GetsockoptUint64(fd, unix.SOL_SOCKET, unix.SO_NETNS_COOKIE)
		return errors.Join(err, unix.Close(fd))
	})
	if err != nil {
		return "", fmt.Errorf("read the cookie of network namespace %s: %w", n.name, err)
	}
	return fmt.Sprintf("%s/%d", strings.TrimSpace(string(boot)), cookie), nil
}

// sysctl is one setting of /proc/sys/net, its name with slashes.
type sysctl struct{ name, value string }

// set writes the settings that differ. A setting that this kernel does not have is an error.
func (n namespace) set(settings []sysctl) error {
	_, err := n.enforce(settings)
	return err
}

// enforce is set, and returns the settings that differed.
func (n namespace) enforce(settings []sysctl) (changed []sysctl, err error) {
	err = n.do(func() error {
		var errs []error
		for _, s := range settings {
			path := filepath.Join("/proc/sys/net", s.name)
			have, err := os.ReadFile(path)
			if err == nil && strings.TrimSpace(string(have)) == s.value {
				continue
			}
			if err == nil {
				err = os.WriteFile(path, []byte(s.value), 0o644)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("set net/%s to %s: %w", s.name, s.value, err))
				continue
			}
			changed = append(changed, s)
		}
		return errors.Join(errs...)
	})
	return changed, err
}
