// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// setTxChecksum is ETHTOOL_STXCSUM of linux/ethtool.h.
const setTxChecksum = 0x17

// checksumOff has a device of this thread's namespace send nothing whose checksum is not there.
func checksumOff(name string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	value := struct{ command, data uint32 }{setTxChecksum, 0}
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
