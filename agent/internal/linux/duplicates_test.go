// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

// A controller that starts anew may insert all it knows. Reading the kernel once for each row that
// is there already made 10,000 of them take minutes.
func TestInsertingManyRowsOnceMoreReadsTheKernelOnce(t *testing.T) {
	n, _ := oneNode(t)
	var entries []contract.Entry
	for i := range 2000 {
		entries = append(entries, un(fmt.Sprintf("fcbb:bbbb:%x::/48", i+1)))
	}
	start := time.Now()
	mustApply(t, n, insert(entries...))
	first := time.Since(start)
	start = time.Now()
	for i, err := range n.Apply(context.Background(), insert(entries...)) {
		if err == nil {
			t.Fatalf("update %d: the row was inserted twice", i)
		}
	}
	if again := time.Since(start); again > 5*first+time.Second {
		t.Errorf("2000 rows once more took %v, the first time %v", again, first)
	}
}
