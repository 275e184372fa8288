// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sextant/agent/internal/n4/fakectl"
	"sextant/agent/internal/n4/upf"
)

// asProgram has the test binary be sextant-n4.
const asProgram = "SEXTANT_N4_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

const patience = 30 * time.Second

// eventually waits for a condition; it polls, as there is no notification.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// program is a running sextant-n4.
type program struct {
	t       *testing.T
	command *exec.Cmd
	log     *buffer
	folder  string
}

// buffer may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// launch starts sextant-n4, and waits until it serves.
func launch(t *testing.T, folder, controller string, args ...string) *program {
	t.Helper()
	p := &program{t: t, command: exec.Command(os.Args[0], append([]string{"--state-dir", folder, "--controller", controller}, args...)...), log: &buffer{}, folder: folder}
	p.command.Env = append(os.Environ(), asProgram+"=1", "SEXTANT_USER="+fakectl.User, "SEXTANT_PASSWORD="+fakectl.Password)
	p.command.Stderr = p.log
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("sextant-n4 said:\n%s", p.log)
		}
	})
	eventually(t, "sextant-n4 serves", func() bool {
		_, err := p.status()
		return err == nil
	})
	return p
}

func (p *program) status() (upf.Status, error) {
	return ask(p.t.Context(), filepath.Join(p.folder, "status.sock"))
}

// kill is kill -9.
func (p *program) kill() {
	if p.command.ProcessState == nil {
		_ = p.command.Process.Kill()
		_ = p.command.Wait() // it was killed
	}
}

// runs gives the output and the exit code of a command line.
func runs(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	var out, err bytes.Buffer
	c.Stdout, c.Stderr = &out, &err
	_ = c.Run() // its code says it
	return out.String(), err.String(), c.ProcessState.ExitCode()
}

// served serves a controller on loopback.
func served(t *testing.T, c *fakectl.Controller) string {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	return server.URL
}

// freePort gives one of loopback that is unused at this moment.
func freePort(t *testing.T) string {
	t.Helper()
	c, err := new(net.ListenConfig).ListenPacket(context.Background(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	return c.LocalAddr().String()
}

func decode(t *testing.T, text string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), to); err != nil {
		t.Fatal(fmt.Errorf("%w in %s", err, text))
	}
}
