// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/tcx"
)

// pinsFolder is where in the state folder a bpffs may be, for programs and maps.
const pinsFolder = "bpf"

// programsPrefix begins the names of all programs of the agent.
const programsPrefix = "sextant_"

// openPins makes a former agent's programs accessible without CAP_SYS_ADMIN, if there is a bpffs. Programs that an
// agent without a bpffs left are pinned if this one may.
func openPins(stateDir string, links *linklib.Handle, do func(func() error) error) (pins tcx.Pins, unknown int, err error) {
	if pins, err = tcx.OpenPins(filepath.Join(stateDir, pinsFolder)); err != nil || !pins.There() {
		return pins, 0, err
	}
	all, err := netspace.Whole(links.LinkList)
	if err != nil {
		return pins, 0, fmt.Errorf("list interfaces: %w", err)
	}
	var devices []int
	for _, l := range all {
		devices = append(devices, l.Attrs().Index)
	}
	ids, err := tcx.Namespace{Do: do, Pins: pins}.Collect(devices, programsPrefix)
	return pins, len(ids), err
}

// Prepare does as root the work that an agent which runs as another user, without CAP_SYS_ADMIN, needs once after each
// boot and each upgrade: a bpffs in its state folder, and in it the programs that an agent which pinned nothing has
// left attached. All of it is the user's.
func Prepare(netNS, stateDir string, uid, gid int) (err error) {
	folder := filepath.Join(stateDir, pinsFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make a folder for a bpffs: %w", err)
	}
	pins, err := tcx.OpenPins(folder)
	if err != nil {
		return err
	}
	if !pins.There() {
		if err := unix.Mount("bpf", folder, "bpf", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0700"); err != nil {
			return &contract.Error{
				Code: contract.FailedPrecondition, Message: "a bpffs cannot be mounted at " + folder, Err: err,
				Remedy: "run as root, on a kernel with CONFIG_BPF_SYSCALL",
			}
		}
	}
	ns, err := openNamespace(netNS)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ns.close()) }()
	links, err := linklib.NewHandleAt(ns.handle, unix.NETLINK_ROUTE)
	if err != nil {
		return fmt.Errorf("open link netlink: %w", err)
	}
	defer links.Close()
	if _, _, err := openPins(stateDir, links, ns.do); err != nil {
		return err
	}
	return errors.Join(os.Chown(stateDir, uid, gid), filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, uid, gid))
	}))
}
