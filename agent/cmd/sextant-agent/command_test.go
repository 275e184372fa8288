// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/version"
)

// execute runs the command line and returns its output.
func execute(args ...string) (string, error) {
	cmd := newCommand()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(context.Background())
	return out.String(), err
}

func TestHelpNamesEveryFlagAndCommand(t *testing.T) {
	out, err := execute("--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"--netns", "--listen", "--device-id", "--port", "--state-dir", "--tls-cert", "--tls-key", "--tls-ca", "--tls-crl", "--socket", "--socket-user", "--insecure", "--flush", "--backend", "--vpp-api", "--vpp-stats", "--measure-delay", "check", "drops", "--version",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("--help does not name %s:\n%s", want, out)
		}
	}
}

func TestVersionStartsWithTheNumber(t *testing.T) {
	if out, err := execute("--version"); err != nil || !strings.HasPrefix(out, "sextant-agent version "+version.Number) {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestABadCommandLineIsRefused(t *testing.T) {
	for _, tc := range []struct {
		name   string
		args   []string
		saying string
	}{
		{"an argument", []string{"serve"}, `unknown command "serve"`},
		{"a port without an interface", []string{"--insecure", "--port", "1"}, "write it as N=INTERFACE"},
		{"a port without a number", []string{"--insecure", "--port", "=eth1"}, "write it as N=INTERFACE"},
		{"a port that is no number", []string{"--insecure", "--port", "x=eth1"}, "write it as N=INTERFACE"},
		{"delays too often", []string{"--insecure", "--measure-delay", "5ms"}, "it is 10ms to 1s"},
		{"delays of another data plane", []string{"--insecure", "--backend", "vpp", "--measure-delay", "1s"}, "only --backend linux measures"},
		{"port 0", []string{"--insecure", "--port", "0=eth1"}, "the number must be 1 to 510"},
		{"port 511", []string{"--insecure", "--port", "511=eth1"}, "the number must be 1 to 510"},
		{"a port twice", []string{"--insecure", "--port", "1=eth1", "--port", "1=eth2"}, "port 1 is already eth1"},
		{"an interface twice", []string{"--insecure", "--port", "1=eth1", "--port", "2=eth1"}, "eth1 is already port 1"},
		{"an unknown back end", []string{"--insecure", "--backend", "vax"}, "--backend vax: it is linux or vpp"},
		{"a VPP that is not there", []string{"--insecure", "--backend", "vpp", "--vpp-api", "/no/api.sock"}, "start VPP"},
		{"drops of a namespace that is not there", []string{"drops", "--netns", "no-such"}, "ip netns add no-such"},
		{"an unknown back end to check", []string{"check", "--backend", "vax"}, "--backend vax: it is linux or vpp"},
		{"plain text for everyone", []string{"--listen", "0.0.0.0:9559"}, "without TLS any client could program this node"},
		{"plain text for everyone, unnamed", []string{"--listen", ":9559"}, "without TLS any client could program this node"},
		{"plain text for every user of the machine", nil, "by plain text every user of this machine could program this node"},
		{"plain text beside a socket", []string{"--socket", "/no/a.sock", "--listen", "127.0.0.1:9559"}, "every user of this machine"},
		{"TLS that knows no client", []string{"--listen", "10.0.0.1:9559", "--tls-cert", "a.pem", "--tls-key", "b.pem"}, "TLS without --tls-ca knows none of its clients"},
		{"the same on loopback", []string{"--tls-cert", "a.pem", "--tls-key", "b.pem"}, "TLS without --tls-ca knows none of its clients"},
		{"a certificate without its key", []string{"--tls-cert", "a.pem"}, "TLS needs both --tls-cert and --tls-key"},
		{"a CA without a certificate", []string{"--tls-ca", "a.pem", "--insecure"}, "TLS needs both --tls-cert and --tls-key"},
		{"a list without a CA", []string{"--tls-cert", "a.pem", "--tls-key", "b.pem", "--tls-crl", "c.pem", "--insecure"}, "--tls-crl is a list of what --tls-ca signed"},
		{"a certificate that is not there", []string{"--tls-cert", "/no/a.pem", "--tls-key", "/no/b.pem", "--tls-ca", "/no/c.pem"}, "--tls-cert: open /no/a.pem"},
		{"a user without a role", []string{"--socket", "/no/a.sock", "--socket-user", "1000"}, `"" is no role: it is controller or monitor`},
		{"a user without a number", []string{"--socket", "/no/a.sock", "--socket-user", "ann=monitor"}, "write it as UID=ROLE"},
		{"a user and no socket", []string{"--socket-user", "1000=monitor"}, "--socket-user is for --socket"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := execute(tc.args...); err == nil || !strings.Contains(err.Error(), tc.saying) {
				t.Errorf("got %v, want an error saying %q", err, tc.saying)
			}
		})
	}
}

func TestCheckOfAVPPThatIsNotThereNamesSocketAndRemedy(t *testing.T) {
	out, err := execute("check", "--backend", "vpp", "--vpp-api", "/no/api.sock")
	if !errors.Is(err, errReported) {
		t.Errorf("got %v, want the exit code of a needed feature that is missing", err)
	}
	for _, want := range []string{"MISSING  VPP's API  everything", "/no/api.sock", "start VPP, with `socksvr { socket-name /no/api.sock }`"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
}

func TestPortsAreNumberedInterfaces(t *testing.T) {
	got, err := parsePorts([]string{"1=eth1", "510=a=b"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[contract.PortID]string{1: "eth1", 510: "a=b"}, got); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}

func TestLoopbackIsWhatOnlyThisMachineReaches(t *testing.T) {
	for listen, want := range map[string]bool{
		"127.0.0.1:1": true, "127.9.9.9:1": true, "[::1]:1": true, "localhost:1": true,
		"0.0.0.0:1": false, "[::]:1": false, ":1": false, "10.0.0.1:1": false, "example.com:1": false, "nonsense": false,
	} {
		if got := loopback(listen); got != want {
			t.Errorf("loopback(%q) is %v, want %v", listen, got, want)
		}
	}
}

func TestDropsArePrintedWithTheirReasons(t *testing.T) {
	var out bytes.Buffer
	began := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	drops := []contract.Drop{{Program: "livelive", Reason: "a copy whose flow has no window", Packets: 3, Bytes: 270, Since: &began}}
	if err := printDrops(&out, drops, false); err != nil || !strings.Contains(out.String(), "3        270    2026-11-23 09:00:00  livelive: a copy whose flow has no window") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := printDrops(&out, drops, true); err != nil || !strings.Contains(out.String(), `"packets": 3`) || !strings.Contains(out.String(), `"since": "2026-11-23T09:00:00Z"`) {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := printDrops(&out, nil, false); err != nil || !strings.Contains(out.String(), "no program") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
