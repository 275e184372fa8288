// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

func TestCheckAgreesWithWhatANodeCanDo(t *testing.T) {
	ns := newNamespace(t, "n")
	before := in(t, ns, "ip link; sysctl -a 2>/dev/null | grep seg6")
	features, err := Check(ns)
	if err != nil {
		t.Fatal(err)
	}
	if after := in(t, ns, "ip link; sysctl -a 2>/dev/null | grep seg6"); after != before {
		t.Errorf("Check changed the namespace from\n%s\nto\n%s", before, after)
	}
	for _, f := range features {
		t.Logf("%-8s %-45s %s %s", f.Status, f.Name, f.Detail, f.Remedy)
		if f.Status != contract.OK && f.Remedy == "" {
			t.Errorf("%s is %s without a remedy", f.Name, f.Status)
		}
		if f.Needed && f.Status != contract.OK { // every other test of this package has passed on this kernel
			t.Errorf("%s is %s, but the agent works here: %s", f.Name, f.Status, f.Detail)
		}
	}
	last := features[len(features)-1]
	if !strings.Contains(last.Detail, "net.ipv6.fib_multipath_hash_policy is 0 and becomes 3") {
		t.Errorf("settings are described as %q", last.Detail)
	}
}

func TestAProbeThatCouldNotDecideIsUnknown(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want contract.Status
	}{
		{nil, contract.OK},
		{fmt.Errorf("route: %w", unix.EOPNOTSUPP), contract.Missing},
		{fmt.Errorf("%w: psp", errIgnored), contract.Missing},
		{os.ErrNotExist, contract.Missing},
		{unix.EPERM, contract.Unknown},
		{unix.ENOMEM, contract.Unknown},
		{errors.New("something else"), contract.Unknown},
	} {
		if got, _ := verdict(tt.err); got != tt.want {
			t.Errorf("verdict(%v) = %s, want %s", tt.err, got, tt.want)
		}
	}
}
