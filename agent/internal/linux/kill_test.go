// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
)

// The test below runs this one again in a process of its own, which it kills.
const (
	writerNamespace = "SEXTANT_TEST_WRITER_NAMESPACE"
	writerState     = "SEXTANT_TEST_WRITER_STATE"
)

// TestWriter is the process that is killed: it inserts, modifies and deletes without end, and says a
// batch's number once Apply has answered.
func TestWriter(t *testing.T) {
	ns := os.Getenv(writerNamespace)
	if ns == "" {
		t.Skip("is run by TestKillLosesNothingThatWasAcknowledged")
	}
	n, err := Open(Options{NetNS: ns, Ports: map[contract.PortID]string{1: "p1"}, StateDir: os.Getenv(writerState)})
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; ; k++ {
		batch := append(insert(steeringRows(k*50, 50)...), modify(list(7, fmt.Sprintf("fcbb::%x", k+1)))...)
		if k > 0 {
			batch = append(batch, remove(steeringRows(k*50-50, 25)...)...)
		}
		for i, err := range n.Apply(context.Background(), batch) {
			if err != nil {
				t.Fatalf("%+v: %v", batch[i], err)
			}
		}
		fmt.Printf("acknowledged %d\n", k)
	}
}

func TestKillLosesNothingThatWasAcknowledged(t *testing.T) {
	for round := range 3 {
		ns, far := newNamespace(t, "n"), newNamespace(t, "far")
		wire(t, ns, "p1", far, "f1")
		dir, ports := t.TempDir(), map[contract.PortID]string{1: "p1"}
		n, err := Open(Options{NetNS: ns, Ports: ports, StateDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		mustApply(t, n, insert(list(7, "fcbb::ffff")))
		if err := n.Close(); err != nil {
			t.Fatal(err)
		}
		last := killAfter(t, "TestWriter", ns, dir, 3+4*round)

		n = openNode(t, ns, dir, ports)
		got := stored(t, n, contract.TableSteeringV6)
		// Batch k leaves the rows of all batches but the first half of those before it. The batch after
		// the last acknowledged one may have been under way: then it is there as a whole.
		if !slices.Equal(got, rowsAfter(last)) && !slices.Equal(got, rowsAfter(last+1)) {
			t.Errorf("round %d: %d rows after batch %d, want %d or, with the next batch, %d", round, len(got), last, len(rowsAfter(last)), len(rowsAfter(last+1)))
		}
		routes := strings.Split(strings.TrimSpace(in(t, ns, "ip -6 route show proto 200")), "\n")
		if len(routes) != len(got) {
			t.Errorf("round %d: %d routes for %d rows", round, len(routes), len(got))
		}
		for _, r := range routes {
			if !strings.Contains(r, fmt.Sprintf("[ fcbb::%x ]", last+1)) && !strings.Contains(r, fmt.Sprintf("[ fcbb::%x ]", last+2)) {
				t.Errorf("round %d: a route has neither the last list nor the one after it: %s", round, r)
			}
		}
	}
}

// killAfter runs a writer, kills it when it has acknowledged some batches, and gives the last number.
func killAfter(t *testing.T, writing, ns, dir string, batches int) int {
	t.Helper()
	writer, lines := startChild(t, writing, writerNamespace+"="+ns, writerState+"="+dir)
	last := -1
	for lines.Scan() {
		if _, err := fmt.Sscanf(lines.Text(), "acknowledged %d", &last); err == nil && last == batches {
			if err := writer.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writer.Wait(); err == nil || last < batches {
		t.Fatalf("the writer ended by itself after batch %d: %v", last, err)
	}
	return last
}

func rowsAfter(batch int) []string {
	var keys []string
	for k := 0; k <= batch; k++ {
		rows := steeringRows(k*50, 50)
		if k < batch {
			rows = rows[25:]
		}
		for _, r := range rows {
			keys = append(keys, r.Key().String())
		}
	}
	slices.Sort(keys)
	return keys
}
