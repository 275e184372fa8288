// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Environment of the agent that is to be killed.
const (
	killedNamespace = "SEXTANT_TEST_KILLED_NAMESPACE"
	killedState     = "SEXTANT_TEST_KILLED_STATE"
)

// TestAnAgentServesUntilItIsKilled is the child of throughARestart.
func TestAnAgentServesUntilItIsKilled(t *testing.T) {
	ns := os.Getenv(killedNamespace)
	if ns == "" {
		t.Skip("is run by the tests of killed agents")
	}
	if _, err := Open(Options{NetNS: ns, Ports: gatewayPorts(), StateDir: os.Getenv(killedState)}); err != nil {
		t.Fatal(err)
	}
	fmt.Println("serving")
	select {}
}

// startChild runs a test of this program as a process of its own, and returns its output.
func startChild(t *testing.T, test string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.count=1")
	child.Env = append(os.Environ(), env...)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	return child, bufio.NewScanner(out)
}

// throughARestart closes a node for an agent that serves the same and is killed, and opens it again over the state
// which that one left; packets are sent all the time. It returns how many.
func throughARestart(t *testing.T, node *Node, ns, state string, packet func()) (again *Node, sent int) {
	t.Helper()
	if err := node.Close(); err != nil {
		t.Fatal(err)
	}
	child, said := startChild(t, "TestAnAgentServesUntilItIsKilled", killedNamespace+"="+ns, killedState+"="+state)
	for said.Scan() && said.Text() != "serving" {
	}
	send := func(count int) {
		for range count {
			packet()
			sent++
		}
	}
	send(20)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	send(20)
	_ = child.Wait()
	opened := make(chan *Node)
	go func() {
		n, err := Open(Options{NetNS: ns, Ports: gatewayPorts(), StateDir: state})
		if err != nil {
			t.Error(err)
		}
		opened <- n
	}()
	for again == nil {
		select {
		case again = <-opened:
			if again == nil {
				t.FailNow()
			}
		default:
			send(1)
		}
	}
	t.Cleanup(func() { _ = again.Close() })
	send(20)
	return again, sent
}
