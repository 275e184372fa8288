// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/identity"
	"sextant/agent/internal/version"
	"sextant/agent/internal/vpp"
)

// settings are the values of the command line.
type settings struct {
	netns, listen, stateDir   string
	backend, vppAPI, vppStats string
	deviceID                  uint64
	ports                     []string
	tls                       identity.Files
	socket                    string
	socketUsers               []string
	insecure, flush, verbose  bool
	measureDelay              time.Duration
	metrics                   string
}

func newCommand() *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "sextant-agent",
		Short: "Serve this node's SRv6 data plane over P4Runtime and gNMI",
		Long: `Serves the tables of Sextant's SRv6 pipeline over P4Runtime, and the ports over gNMI, on one
listener, and programs the Linux kernel of a network namespace with them, or a VPP.

What the agent wrote stays in the data plane when it stops: traffic keeps flowing, and the next start
takes it over again. --flush removes it. Routes of others are never changed.

Who programs a node is known: over TCP by a certificate that --tls-ca signed and whose subject has
OU=sextant-controller, or OU=sextant-monitor to read only; at --socket by the user of this machine.
./sextant certs makes the files. A file that changes is taken without a restart, and what is revoked
is cut off. --insecure lets any client that reaches --listen program the node, local users too.`,
		Example: `  sextant-agent --netns l1 --device-id 1 --port 1=l1-p1 --port 2=l1-h11 --listen 10.0.0.1:9559 \
    --tls-cert l1.crt --tls-key l1.key --tls-ca ca.crt --tls-crl ca.crl --state-dir /run/sextant/l1
  sextant-agent --netns l1 --device-id 1 --port 1=l1-p1 --socket /run/sextant/l1.sock --state-dir /run/sextant/l1
  sextant-agent --backend vpp --vpp-api /run/vpp/api.sock --port 1=GigabitEthernet0/8/0 --device-id 4
  sextant-agent --netns l1 --state-dir /run/sextant/l1 --flush
  sextant-agent check
  sextant-agent drops --netns l1`,
		Version:       version.Text(),
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), s, newLogger(cmd.ErrOrStderr(), s.verbose))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&s.backend, "backend", backendLinux, "`data plane` to program: linux or vpp")
	f.StringVar(&s.vppAPI, "vpp-api", vpp.DefaultSocket, "`path` of the API socket of VPP (with --backend vpp)")
	f.StringVar(&s.vppStats, "vpp-stats", "", "`path` of the statistics socket of VPP (default: stats.sock beside the API's)")
	f.StringVar(&s.netns, "netns", "", "`name` or path of the network namespace to serve, or of VPP's packet interfaces (default: the agent's own)")
	f.StringVar(&s.listen, "listen", "", "`address:port` to serve P4Runtime and gNMI on, in the agent's own namespace (default "+defaultListen+"; with --socket: none)")
	f.StringVar(&s.socket, "socket", "", "`path` of a Unix socket to serve them on, for root, the agent's own user and --socket-user")
	f.StringArrayVar(&s.socketUsers, "socket-user", nil, "`UID=ROLE` of another user of --socket: controller or monitor; repeat for each")
	f.Uint64Var(&s.deviceID, "device-id", 1, "P4Runtime device id of this node")
	f.StringArrayVar(&s.ports, "port", nil, "`N=INTERFACE`: port number (1 to 510) and its interface, in Linux or in VPP; repeat for each port")
	f.StringVar(&s.stateDir, "state-dir", "", "`folder` of what must survive a restart; one per node (default /var/lib/sextant-agent/device-N)")
	f.DurationVar(&s.measureDelay, "measure-delay", 0, "`interval` of test packets (STAMP) that measure the delay of links at internal ports, 10ms to 1s; the neighbours need it too (default: off)")
	f.StringVar(&s.metrics, "metrics", "", "`address:port` of /metrics for Prometheus, over HTTPS with the --tls files, over HTTP on the loopback only without (default: off)")
	s.tlsFlags(f)
	f.BoolVar(&s.insecure, "insecure", false, "let any client that reaches --listen program the node: without TLS, or with TLS but no --tls-ca")
	f.BoolVar(&s.flush, "flush", false, "remove everything this agent wrote into the namespace, then exit")
	f.BoolVar(&s.verbose, "verbose", false, "log details too")
	cmd.AddCommand(newCheckCommand(), newDropsCommand(), newPrepareCommand())
	return cmd
}

func (s *settings) tlsFlags(f *pflag.FlagSet) {
	f.StringVar(&s.tls.Cert, "tls-cert", "", "`file` with the server's certificate chain (PEM)")
	f.StringVar(&s.tls.Key, "tls-key", "", "`file` with the certificate's private key (PEM)")
	f.StringVar(&s.tls.CA, "tls-ca", "", "`file` with the CAs whose clients are admitted (PEM)")
	f.StringVar(&s.tls.CRL, "tls-crl", "", "`file` with the revocation lists of these CAs (PEM)")
}

func (s settings) stateFolder() string {
	if s.stateDir != "" {
		return s.stateDir
	}
	return fmt.Sprintf("/var/lib/sextant-agent/device-%d", s.deviceID)
}

// parsePorts reads the --port flags. A number and an interface appear once each.
func parsePorts(flags []string) (map[contract.PortID]string, error) {
	ports := map[contract.PortID]string{}
	owner := map[string]contract.PortID{}
	for _, flag := range flags {
		number, name, found := strings.Cut(flag, "=")
		id, err := strconv.ParseUint(number, 10, 16)
		if err != nil || !found || name == "" {
			return nil, fmt.Errorf("--port %s: write it as N=INTERFACE, for example 1=eth1", flag)
		}
		port := contract.PortID(id)
		if port == 0 || port > contract.MaxPort {
			return nil, fmt.Errorf("--port %s: the number must be 1 to %d", flag, contract.MaxPort)
		}
		if other, taken := ports[port]; taken {
			return nil, fmt.Errorf("--port %s: port %d is already %s", flag, port, other)
		}
		if other, taken := owner[name]; taken {
			return nil, fmt.Errorf("--port %s: %s is already port %d", flag, name, other)
		}
		ports[port], owner[name] = name, port
	}
	return ports, nil
}
