// SPDX-License-Identifier: Apache-2.0

// Package linkspeed reads how fast the links of interfaces are, as their drivers say.
package linkspeed

import (
	"fmt"
	"unsafe"

	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/netspace"
)

// A Speed is that of one interface. Its zero value says nothing.
type Speed struct {
	// Known is whether the interface is one that has a speed; Bps is 0 while it has no link.
	Known bool
	Bps   uint64
	// Negotiated is whether both ends agreed on it by themselves.
	Negotiated bool
}

// linux/ethtool.h: the request, and the speed of an interface that does not know its own.
const (
	getLinkSettings = 0x4c // ETHTOOL_GLINKSETTINGS
	unknown         = 0xffffffff
	mostMegabits    = 0x7fffffff // INT_MAX, as ethtool_validate_speed has it
	autonegOn       = 1
	megabit         = 1_000_000
	mostMaskWords   = 127
)

// settings is struct ethtool_link_settings, with room for its masks of modes: three of up to 127 words.
type settings struct {
	command, megabits                      uint32
	duplex, port, phyAddress, autoneg      uint8
	mdioSupport, mdix, mdixControl         uint8
	maskWords                              int8
	transceiver, masterCfg, masterState, _ uint8
	_                                      [7]uint32
	_                                      [3 * mostMaskWords]uint32
}

// A Reader asks the kernel of one network namespace.
type Reader struct{ fd int }

// Open makes one; the name is for messages.
func Open(ns netns.NsHandle, name string) (*Reader, error) {
	r := &Reader{fd: -1}
	err := netspace.Do(ns, name, func() (err error) {
		r.fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open a socket for the speeds of links in network namespace %s: %w", name, err)
	}
	return r, nil
}

// Of reads the speed of an interface. Interfaces of a kind (netlink's IFLA_INFO_KIND, such as veth, dummy or tun;
// "device" for interfaces without one) exist in the kernel only: the number that some of them report, as a veth its
// 10,000, is made up, and is not asked for.
func (r *Reader) Of(name, kind string) Speed {
	if kind != "device" {
		return Speed{}
	}
	return speed(func(s *settings) error { return r.ask(name, s) })
}

// speed asks twice, as the kernel wants the number of words of its masks in the request, which it returns when it is
// asked with another number.
func speed(ask func(*settings) error) Speed {
	s := settings{command: getLinkSettings}
	if ask(&s) != nil {
		return Speed{}
	}
	if s.maskWords < 0 {
		s = settings{command: getLinkSettings, maskWords: -s.maskWords}
		if ask(&s) != nil {
			return Speed{}
		}
	}
	switch {
	case s.maskWords <= 0:
		return Speed{} // it never came to say the speed
	case s.megabits == unknown || s.megabits == 0 || s.megabits > mostMegabits:
		return Speed{Known: true}
	default:
		return Speed{Known: true, Bps: uint64(s.megabits) * megabit, Negotiated: s.autoneg == autonegOn}
	}
}

func (r *Reader) ask(name string, s *settings) error {
	request := struct {
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		_    [16]byte
	}{data: unsafe.Pointer(s)}
	copy(request.name[:unix.IFNAMSIZ-1], name)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(r.fd), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}

// Close gives the socket back.
func (r *Reader) Close() error {
	return unix.Close(r.fd)
}
