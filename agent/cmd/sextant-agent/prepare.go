// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os/user"
	"strconv"

	"github.com/spf13/cobra"

	"sextant/agent/internal/linux"
)

func newPrepareCommand() *cobra.Command {
	var s settings
	var owner string
	cmd := &cobra.Command{
		Use:   "prepare",
		Short: "Do as root what an agent that is not root needs",
		Long: `Mounts a bpffs at bpf in the state folder and gives it to the user of the agent, which then finds the eBPF programs
and maps of the agent before it without CAP_SYS_ADMIN. What an agent that had no bpffs has left attached is put into it.
Run it before each start of the agent; it changes nothing the second time. The bpffs stays until it is unmounted: it holds
what is attached.`,
		Example: "  sextant-agent prepare --state-dir /var/lib/sextant-agent --user sextant-agent",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			uid, gid, err := idsOf(owner)
			if err != nil {
				return err
			}
			return linux.Prepare(s.netns, s.stateFolder(), uid, gid)
		},
	}
	cmd.Flags().StringVar(&s.netns, "netns", "", "`name` or path of the network namespace that the agent serves (default: that of this command)")
	cmd.Flags().Uint64Var(&s.deviceID, "device-id", 1, "P4Runtime device id of the node")
	cmd.Flags().StringVar(&s.stateDir, "state-dir", "", "`folder` of the agent's state (default /var/lib/sextant-agent/device-N)")
	cmd.Flags().StringVar(&owner, "user", "root", "`name` or number of the user that the agent runs as")
	return cmd
}

// idsOf a user, by name or number.
func idsOf(owner string) (uid, gid int, err error) {
	found, err := user.Lookup(owner)
	if err != nil {
		if found, err = user.LookupId(owner); err != nil {
			return 0, 0, fmt.Errorf("--user %s: there is no such user", owner)
		}
	}
	uid, uidErr := strconv.Atoi(found.Uid)
	gid, gidErr := strconv.Atoi(found.Gid)
	if uidErr != nil || gidErr != nil {
		return 0, 0, fmt.Errorf("--user %s: is no user with a number, %s and %s", owner, found.Uid, found.Gid)
	}
	return uid, gid, nil
}
