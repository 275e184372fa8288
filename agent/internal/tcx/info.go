// SPDX-License-Identifier: Apache-2.0

package tcx

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// programInfo is how struct bpf_prog_info of linux/bpf.h begins.
type programInfo struct {
	_    uint32
	id   uint32
	_    [7]uint64
	name [unix.BPF_OBJ_NAME_LEN]byte
}

// nameAndID of a program. Program.Info copies its instructions and the lines of its source out of the kernel as well, which
// takes a hundred times as long, and every Write asks for each program at each port.
func nameAndID(program *ebpf.Program) (string, ebpf.ProgramID, error) {
	var info programInfo
	request := struct {
		fd, length uint32
		info       unsafe.Pointer
	}{uint32(program.FD()), uint32(unsafe.Sizeof(info)), unsafe.Pointer(&info)}
	_, _, errno := unix.Syscall(unix.SYS_BPF, unix.BPF_OBJ_GET_INFO_BY_FD, uintptr(unsafe.Pointer(&request)), unsafe.Sizeof(request))
	runtime.KeepAlive(program)
	if errno != 0 {
		return "", 0, fmt.Errorf("read program %s: %w", program, errno)
	}
	return unix.ByteSliceToString(info.name[:]), ebpf.ProgramID(info.id), nil
}
