// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"errors"
	"fmt"
	"unsafe"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// The pair: what is sent into the near end arrives at the far end as it goes on the wire, cut into packets and with its
// checksums.
const (
	nearDevice = "sextant4"
	farDevice  = "sextant5"
	// A packet of any port fits.
	pairMTU = 65535
	// In bytes; the kernel takes nothing below its longest TCP header.
	leastGSO = 1024
)

// makePair makes the pair, or adopts it, and switches off what its near end could leave undone.
func (p *programs) makePair() error {
	_, err := p.options.Links.LinkByName(nearDevice)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		pair := &linklib.Veth{LinkAttrs: linklib.LinkAttrs{Name: nearDevice, MTU: pairMTU}, PeerName: farDevice, PeerMTU: pairMTU}
		err = p.options.Links.LinkAdd(pair)
	}
	if err != nil {
		return fmt.Errorf("make the device pair %s and %s (a veth): %w", nearDevice, farDevice, err)
	}
	for _, end := range []struct {
		name  string
		index *int
	}{{nearDevice, &p.near}, {farDevice, &p.far}} {
		l, err := p.options.Links.LinkByName(end.name)
		if err != nil {
			return fmt.Errorf("find %s: %w", end.name, err)
		}
		if l.Type() != "veth" {
			return contract.Errorf(contract.FailedPrecondition, "%s is a %s, not the agent's veth; rename or delete it", end.name, l.Type())
		}
		*end.index = l.Attrs().Index
		if end.name == nearDevice {
			if err := p.switchOff(l); err != nil {
				return err
			}
		}
		if err := p.options.Prepare(end.name); err != nil {
			return err
		}
	}
	return nil
}

func (p *programs) switchOff(l linklib.Link) error {
	if l.Attrs().GSOMaxSegs != 1 || l.Attrs().GSOMaxSize != leastGSO {
		if err := errors.Join(p.options.Links.LinkSetGSOMaxSegs(l, 1), p.options.Links.LinkSetGSOMaxSize(l, leastGSO)); err != nil {
			return fmt.Errorf("switch segmentation offload of %s off: %w", nearDevice, err)
		}
	}
	if err := p.options.Do(func() error { return checksumOff(nearDevice) }); err != nil {
		return fmt.Errorf("switch checksum offload of %s off: %w", nearDevice, err)
	}
	return nil
}

// ethtoolSetTxChecksum is ETHTOOL_STXCSUM of linux/ethtool.h.
const ethtoolSetTxChecksum = 0x17

// checksumOff has a device of this thread's namespace send nothing whose checksum is not there.
func checksumOff(name string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	value := struct{ command, data uint32 }{ethtoolSetTxChecksum, 0}
	request := struct {
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		_    [16]byte
	}{data: unsafe.Pointer(&value)}
	copy(request.name[:unix.IFNAMSIZ-1], name)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}
