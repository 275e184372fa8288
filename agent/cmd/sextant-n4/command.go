// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
	"sextant/agent/internal/version"
)

// settings are the values of the command line.
type settings struct {
	listen, netns, stateDir, status       string
	controller, credentials, user, caFile string
	name, ignore                          string
	n3, pools, slices, smfs               []string
	echo, verbose                         bool
	maxSessions                           int
	patience, lease, heartbeat            time.Duration
}

func newCommand() *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "sextant-n4",
		Short: "Make the fabric a UPF: PFCP from SMFs becomes mobile sessions of the controller",
		Long: `Serves N4 (PFCP, TS 29.244): associations, heartbeats, sessions. S-NSSAI, DNN or Network Instance picks one of the
controller's slices that have an anchor; a session's rules become a mobile session there, in batches. An SMF is
answered when the controller has accepted it, and what was answered outlives n4, also kill -9.

PFCP has no passwords: an SMF is who has its address. Name your SMFs by --smf, and let nothing else reach the port.

What the fabric does not do is refused with a PFCP cause. --ignore accepts it all the same, and it is not done:
` + classes() + `
The password comes from --credentials (lines of user=password, as the controller writes them) or from the
environment (SEXTANT_USER, SEXTANT_PASSWORD).`,
		Example: `  sextant-n4 --listen 10.0.0.4:8805 --n3 198.51.100.1 --controller http://10.0.0.1:8181 --credentials /etc/sextant/n4
  sextant-n4 --listen 10.0.0.4:8805 --smf 10.0.0.9 --slice mbb=default --ignore urr,qer-rates,buffering --echo --n3 198.51.100.1
  sextant-n4 --listen 10.0.0.4:8805 --slice urllc=snssai:2-000001 --slice mbb=dnn:internet --ue-pool 10.60.0.0/16
  sextant-n4 status --json`,
		Version:       version.Text(),
		Args:          noWords,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), s, newLogger(cmd.ErrOrStderr(), s.verbose))
		},
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%w", err) })
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&s.listen, "listen", "127.0.0.1:8805", "`address[:port]` for PFCP; the address is the Node ID, and SMFs must reach it")
	f.StringArrayVar(&s.smfs, "smf", nil, "`prefix` or address from which SMFs may speak; repeat it (default: the SMF that associates first is the only one)")
	f.StringVar(&s.netns, "netns", "", "`name` or path of the network namespace for PFCP and --echo (default: n4's own)")
	f.StringVar(&s.controller, "controller", "http://127.0.0.1:8181", "`URL` of the controller")
	f.StringVar(&s.credentials, "credentials", "", "`file` with user=password of the controller, readable by its owner only")
	f.StringVar(&s.user, "user", "admin", "which `user` of --credentials")
	f.StringVar(&s.caFile, "controller-ca", "", "`file` with the CA of an https controller (PEM; default: the system's)")
	f.StringArrayVar(&s.n3, "n3", nil, "`address` of tunnels that SMFs let the UPF choose; one per family (default: the slice's core.upfs)")
	f.StringArrayVar(&s.pools, "ue-pool", nil, "`prefix` of UE addresses that SMFs let the UPF choose; one per family (default: such requests are refused)")
	f.StringArrayVar(&s.slices, "slice", nil, "`NAME=snssai:SST-SD,dnn:NAME` or NAME=default: what picks a slice, instead of what the controller says of it")
	f.StringVar(&s.ignore, "ignore", "", "`classes` that are accepted and not done (above)")
	f.BoolVar(&s.echo, "echo", false, "answer GTP-U Echo Requests at the --n3 addresses, which this host must have, and send End Markers")
	f.StringVar(&s.stateDir, "state-dir", "/var/lib/sextant-n4", "`folder` of what must survive a restart; one per n4")
	f.StringVar(&s.status, "status-socket", "", "`path` of the socket for sextant-n4 status (default: status.sock in --state-dir)")
	f.StringVar(&s.name, "name", "n4", "begins the `ids` of this n4's sessions; no two of one controller may have the same")
	f.IntVar(&s.maxSessions, "max-sessions", 100_000, "how many sessions there may be")
	f.DurationVar(&s.patience, "patience", 10*time.Second, "how long an SMF's request waits for the controller")
	f.DurationVar(&s.lease, "lease", time.Minute, "how long sessions outlive the silence of their SMF")
	f.DurationVar(&s.heartbeat, "heartbeat", 10*time.Second, "how long an SMF may be silent before it is asked")
	f.BoolVar(&s.verbose, "verbose", false, "log details too")
	cmd.AddCommand(newStatusCommand())
	return cmd
}

func noWords(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%q is neither a command nor an option", args[0])
	}
	return nil
}

func usage(format string, args ...any) error {
	return fmt.Errorf("%w: %w", fmt.Errorf(format, args...), errUsage)
}

func classes() string {
	var b strings.Builder
	all := pfcp.Classes()
	for _, class := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "  %-12s %s\n", class, all[class])
	}
	return b.String()
}

func (s settings) statusSocket() string {
	if s.status != "" {
		return s.status
	}
	return s.stateDir + "/status.sock"
}

// address reads --listen.
func (s settings) address() (netip.AddrPort, error) {
	at, err := netip.ParseAddrPort(s.listen)
	if err != nil {
		var a netip.Addr
		if a, err = netip.ParseAddr(s.listen); err == nil {
			at = netip.AddrPortFrom(a, 8805)
		}
	}
	if err != nil || at.Addr().IsUnspecified() {
		return at, usage("--listen %s: write an address of this host, for example 10.0.0.4:8805; it is the Node ID", s.listen)
	}
	return at, nil
}

// config reads the configuration of the state machine.
func (s settings) config() (upf.Config, error) {
	at, err := s.address()
	if err != nil {
		return upf.Config{}, err
	}
	c := upf.Config{Address: at.Addr(), Name: s.name, MaxSessions: s.maxSessions, Patience: s.patience, Lease: s.lease, HeartbeatEvery: s.heartbeat}
	if err := s.limits(); err != nil {
		return c, err
	}
	if c.Ignore, err = pfcp.ParseIgnore(s.ignore); err != nil {
		return c, usage("--ignore: %w", err)
	}
	if c.N3, err = each("--n3", s.n3, netip.ParseAddr, netip.Addr.Is4); err != nil {
		return c, err
	}
	if c.Pools, err = each("--ue-pool", s.pools, netip.ParsePrefix, func(p netip.Prefix) bool { return p.Addr().Is4() }); err != nil {
		return c, err
	}
	for _, text := range s.smfs {
		p, err := prefix(text)
		if err != nil {
			return c, usage("--smf %s: write an address or a prefix, for example 10.0.0.9 or 10.0.0.0/28", text)
		}
		c.SMFs = append(c.SMFs, p)
	}
	for _, text := range s.slices {
		rule, err := upf.ParseSliceRule(text)
		if err != nil {
			return c, usage("--slice: %w", err)
		}
		c.Rules = append(c.Rules, rule)
	}
	if s.echo && len(c.N3) == 0 {
		return c, usage("--echo: say at which address, by --n3")
	}
	return c, nil
}

// prefix reads a prefix, or an address as one of its own.
func prefix(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
		return netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

// limits checks values that must be positive, and the name that ids begin with.
func (s settings) limits() error {
	switch {
	case s.maxSessions < 1:
		return usage("--max-sessions %d: it is 1 or more", s.maxSessions)
	case s.patience <= 0 || s.lease <= 0 || s.heartbeat <= 0:
		return usage("--patience, --lease and --heartbeat are longer than 0")
	case !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,13}$`).MatchString(s.name): // ids have 31 characters at most
		return usage("--name %q: begin with a letter or digit; 14 letters, digits, '.', '_', '-' at most", s.name)
	}
	return nil
}

// each parses words of which there may be one per family.
func each[T any](flag string, words []string, parse func(string) (T, error), v4 func(T) bool) ([]T, error) {
	var out []T
	for _, word := range words {
		v, err := parse(word)
		if err != nil {
			return nil, usage("%s: %w", flag, err)
		}
		if slices.ContainsFunc(out, func(o T) bool { return v4(o) == v4(v) }) {
			return nil, usage("%s %s: there is one of this family already", flag, word)
		}
		out = append(out, v)
	}
	return out, nil
}
