// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sextant/agent/internal/n4/fakectl"
)

// peers builds the SMF that others wrote (tools/peers pins it), or skips.
func peers(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", folder+"/", "tool")
	build.Dir = "../../tools/peers"
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("needs pfcpsim v1.4.0 from a Go module proxy (GOPROXY) to build tools/peers: %v\n%s", err, out)
	}
	return folder
}

// namespace makes a network namespace with loopback, and gives the words that run a command in it.
func namespace(t *testing.T) (string, []string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to make a network namespace: PFCP's port is fixed; run: sudo go test ./cmd/...")
	}
	name := fmt.Sprintf("sxn4-%d", os.Getpid())
	shell(t, "ip", "netns", "add", name)
	t.Cleanup(func() { shell(t, "ip", "netns", "del", name) })
	shell(t, "ip", "-n", name, "link", "set", "lo", "up")
	return name, []string{"ip", "netns", "exec", name}
}

func shell(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A foreign SMF makes, hands over and deletes sessions. It asks for usage reports and rates, too.
func TestPFCPSimIsServed(t *testing.T) {
	const sessions = 20
	tools := peers(t)
	name, within := namespace(t)
	c := fakectl.New(fakectl.Anchored("mbb", "198.51.100.1"))
	p := launch(t, t.TempDir(), served(t, c), "--netns", name, "--listen", "127.0.0.2:8805", "--slice", "mbb=default", "--ignore", "urr,qer-rates", "--heartbeat", "1s", "--lease", "2s")

	log := &buffer{}
	sim := exec.Command(within[0], append(within[1:], tools+"/pfcpsim", "--interface", "lo")...)
	sim.Stdout, sim.Stderr = log, log
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sim.Process.Kill()
		_ = sim.Wait() // it was killed
		if t.Failed() {
			t.Logf("pfcpsim said:\n%s", log)
		}
	})
	tell := func(args ...string) {
		t.Helper()
		shell(t, append(append(within, tools+"/pfcpctl"), args...)...)
	}
	eventually(t, "pfcpsim is configured", func() bool {
		return exec.Command(within[0], append(within[1:], tools+"/pfcpctl", "service", "configure", "--remote-peer-addr", "127.0.0.2", "--n3-addr", "198.51.100.1")...).Run() == nil
	})
	tell("service", "associate")
	count := fmt.Sprint(sessions)
	tell("session", "create", "--count", count, "--baseID", "1", "--ue-pool", "10.60.0.0/24", "--gnb-addr", "192.0.2.1", "--qfi", "9")
	held := c.Sessions("mbb")
	if len(held) != sessions {
		t.Fatalf("the controller has %d sessions, want %d", len(held), sessions)
	}
	tell("session", "modify", "--count", count, "--baseID", "1", "--ue-pool", "10.60.0.0/24", "--gnb-addr", "192.0.2.1")
	teids := map[uint32]bool{}
	for _, s := range c.Sessions("mbb") {
		if s.QFI != 9 || s.Downlink == nil || s.Downlink.Endpoint.String() != "192.0.2.1" || s.Downlink.TEID != s.Uplink.TEID+1 || s.Uplink.Endpoint.String() != "198.51.100.1" {
			t.Errorf("the controller has %+v", s)
		}
		teids[s.Uplink.TEID] = true
	}
	if len(teids) != sessions {
		t.Errorf("%d uplink tunnels, want %d", len(teids), sessions)
	}
	tell("session", "modify", "--count", count, "--baseID", "1", "--ue-pool", "10.60.0.0/24", "--gnb-addr", "192.0.2.2") // a handover
	for _, s := range c.Sessions("mbb") {
		if s.Downlink == nil || s.Downlink.Endpoint.String() != "192.0.2.2" {
			t.Errorf("after the handover the controller has %+v", s)
		}
	}
	// pfcpsim answers no heartbeats and puts the present time into its own, every 5 s: three of them end nothing.
	eventually(t, "pfcpsim's heartbeats", func() bool {
		s, err := p.status()
		return err == nil && s.Counters.Received["heartbeat"] >= 2
	})
	if n := len(c.Sessions("mbb")); n != sessions {
		t.Errorf("heartbeats left %d sessions", n)
	}
	tell("session", "delete", "--count", count, "--baseID", "1")
	if n := len(c.Sessions("mbb")); n != 0 {
		t.Errorf("the controller keeps %d sessions", n)
	}
	tell("service", "disassociate")
	if s, err := p.status(); err != nil || len(s.Associations) != 0 {
		t.Errorf("after the release: %+v, %v", s.Associations, err)
	}
}

// Without --ignore the rules that are not supported are refused.
func TestPFCPSimIsRefusedWhatIsNotDone(t *testing.T) {
	tools := peers(t)
	name, within := namespace(t)
	c := fakectl.New(fakectl.Anchored("mbb", "198.51.100.1"))
	p := launch(t, t.TempDir(), served(t, c), "--netns", name, "--listen", "127.0.0.2:8805", "--slice", "mbb=default")
	sim := exec.Command(within[0], append(within[1:], tools+"/pfcpsim", "--interface", "lo")...)
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sim.Process.Kill()
		_ = sim.Wait() // it was killed
	})
	ctl := func(args ...string) error {
		return exec.Command(within[0], append(append(within[1:], tools+"/pfcpctl"), args...)...).Run()
	}
	eventually(t, "pfcpsim is configured", func() bool {
		return ctl("service", "configure", "--remote-peer-addr", "127.0.0.2", "--n3-addr", "198.51.100.1") == nil
	})
	if err := ctl("service", "associate"); err != nil {
		t.Fatal(err)
	}
	_ = ctl("session", "create", "--gnb-addr", "192.0.2.1") // its output is in our log
	if s, err := p.status(); err != nil || s.Counters.Refused["service-not-supported"] != 1 || !strings.Contains(p.log.String(), "--ignore urr") || len(c.Sessions("mbb")) != 0 {
		t.Errorf("refused %v, %v", s.Counters.Refused, err)
	}
}
