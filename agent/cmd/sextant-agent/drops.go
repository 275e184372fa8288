// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux"
)

func newDropsCommand() *cobra.Command {
	var netns string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "drops",
		Short: "Say what the agent's eBPF programs have dropped, and why",
		Long: `Reads the counters of the programs that are attached in --netns, whether their agent runs or not, and since when they count:
agents that come and go do not change it, the last row of a function that goes does. Copies that
were dropped as duplicate, late, stray or malformed are counted per path, and are read over P4Runtime.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			drops, err := linux.Drops(netns)
			if err != nil {
				return err
			}
			return printDrops(cmd.OutOrStdout(), drops, asJSON)
		},
	}
	cmd.Flags().StringVar(&netns, "netns", "", "`name` or path of the network namespace (default: the agent's own)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	return cmd
}

func printDrops(w io.Writer, drops []contract.Drop, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(append([]contract.Drop{}, drops...))
	}
	if len(drops) == 0 {
		_, err := fmt.Fprintln(w, "no program of the agent's is attached here")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PACKETS\tBYTES\tSINCE\tREASON")
	for _, d := range drops {
		fmt.Fprintf(t, "%d\t%d\t%s\t%s: %s\n", d.Packets, d.Bytes, since(d), d.Program, d.Reason)
	}
	return t.Flush()
}

func since(d contract.Drop) string {
	if d.Since == nil {
		return "unknown"
	}
	return d.Since.Format(time.DateTime)
}
