// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/identity"
	"sextant/agent/internal/linux"
	"sextant/agent/internal/vpp"
)

func newCheckCommand() *cobra.Command {
	var s settings
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what this kernel or VPP can and cannot do, and how to fix it",
		Long: `Makes every kind of object the agent uses in a scratch namespace of its own, and reads it back.
Of --netns it only reads the settings. With --backend vpp it asks the VPP at --vpp-api instead, and
changes nothing there. With --tls-cert and the like it says how long these files hold. Exits with 1
if something no node works without is missing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			features, err := s.check()
			if err != nil {
				return err
			}
			if s.tls != (identity.Files{}) {
				features = append(features, identity.Check(s.tls, time.Now())...)
			}
			return report(cmd.OutOrStdout(), features, asJSON)
		},
	}
	cmd.Flags().StringVar(&s.backend, "backend", backendLinux, "`data plane` to ask: linux or vpp")
	cmd.Flags().StringVar(&s.vppAPI, "vpp-api", vpp.DefaultSocket, "`path` of the API socket of VPP (with --backend vpp)")
	cmd.Flags().StringVar(&s.vppStats, "vpp-stats", "", "`path` of the statistics socket of VPP (default: stats.sock beside the API's)")
	cmd.Flags().StringVar(&s.netns, "netns", "", "`name` or path of the network namespace whose settings to read (with --backend linux)")
	s.tlsFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	return cmd
}

func (s settings) check() ([]contract.Feature, error) {
	switch s.backend {
	case backendLinux:
		return linux.Check(s.netns)
	case backendVPP:
		return vpp.Check(vpp.Options{Socket: s.vppAPI, Stats: s.statsSocket()}), nil
	}
	return nil, unknownBackend(s.backend)
}

// report prints the features; its error says that a needed one is missing, which the print shows.
func report(w io.Writer, features []contract.Feature, asJSON bool) error {
	show := table
	if asJSON {
		show = document
	}
	if err := show(w, features); err != nil {
		return err
	}
	if slices.ContainsFunc(features, func(f contract.Feature) bool { return f.Needed && f.Status == contract.Missing }) {
		return errReported
	}
	return nil
}

func document(w io.Writer, features []contract.Feature) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(features)
}

func table(w io.Writer, features []contract.Feature) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STATUS\tFEATURE\tSERVES")
	for _, f := range features {
		status := string(f.Status)
		if f.Needed && f.Status == contract.Missing {
			status = "MISSING"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", status, f.Name, f.Serves)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, f := range features {
		if f.Status != contract.OK {
			fmt.Fprintf(w, "\n%s is %s: %s\n", f.Name, f.Status, f.Detail)
			if f.Remedy != "" {
				fmt.Fprintf(w, "  %s\n", f.Remedy)
			}
		}
	}
	return nil
}
