// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sextant/agent/internal/n4/upf"
)

func newStatusCommand() *cobra.Command {
	var s settings
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show associations, sessions and counters of the n4 that runs",
		Long:  "Asks the running sextant-n4 over its socket. Exits with 1 if there is none.",
		Example: `  sextant-n4 status
  sextant-n4 status --state-dir /run/n4 --json`,
		Args:          noWords,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			status, err := ask(cmd.Context(), s.statusSocket())
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(status)
			}
			return print(cmd.OutOrStdout(), status)
		},
	}
	cmd.Flags().StringVar(&s.stateDir, "state-dir", "/var/lib/sextant-n4", "`folder` of the n4 that is meant")
	cmd.Flags().StringVar(&s.status, "status-socket", "", "`path` of its socket (default: status.sock in --state-dir)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of tables")
	return cmd
}

func ask(ctx context.Context, socket string) (upf.Status, error) {
	var status upf.Status
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://n4/status", nil)
	if err != nil {
		return status, err
	}
	response, err := client.Do(request)
	var why *url.Error
	switch {
	case errors.As(err, &why):
		return status, fmt.Errorf("no sextant-n4 answers: %w", why.Err)
	case err != nil:
		return status, fmt.Errorf("no sextant-n4 answers at %s: %w", socket, err)
	}
	defer func() { _ = response.Body.Close() }() // read, or of no use
	if response.StatusCode != http.StatusOK {
		return status, fmt.Errorf("sextant-n4 answers %s", response.Status)
	}
	return status, json.NewDecoder(response.Body).Decode(&status)
}

func print(w io.Writer, s upf.Status) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "node %s, sessions since %s\n", s.Node, s.Recovery.Format(time.RFC3339))
	if s.DiskFull {
		fmt.Fprintln(t, "the journal cannot be written: nothing new is accepted")
	}
	fmt.Fprintf(t, "sessions %d: in fabric %d, busy %d, leaving %d, refused by the controller %d; %d requests wait\n",
		s.Sessions.All, s.Sessions.InFabric, s.Sessions.Busy, s.Sessions.Leaving, s.Sessions.Refused, s.Sessions.Waiting)
	fmt.Fprintf(t, "dropped: %d messages of senders that may not speak, %d that came too fast, %d malformed\n",
		s.Counters.Strangers, s.Counters.Overflow, s.Counters.Malformed)
	fmt.Fprintln(t, "\nSMF\tPEER\tSTATE\tSESSIONS\tSTARTED")
	for _, a := range s.Associations {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\n", a.Node, a.Peer, a.State, a.Sessions, a.Recovery.Format(time.RFC3339))
	}
	fmt.Fprintln(t, "\nSLICE\tSESSIONS")
	for _, x := range s.Slices {
		fmt.Fprintf(t, "%s\t%d\n", x.Name, x.Sessions)
	}
	for _, c := range []struct {
		name string
		of   map[string]int
	}{{"RECEIVED", s.Counters.Received}, {"REFUSED", s.Counters.Refused}, {"IGNORED", s.Counters.Ignored}} {
		fmt.Fprintf(t, "\n%s\tCOUNT\n", c.name)
		for _, key := range slices.Sorted(maps.Keys(c.of)) {
			fmt.Fprintf(t, "%s\t%d\n", key, c.of[key])
		}
	}
	return t.Flush()
}
