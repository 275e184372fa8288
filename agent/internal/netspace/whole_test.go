// SPDX-License-Identifier: Apache-2.0

package netspace

import (
	"errors"
	"slices"
	"testing"

	"github.com/vishvananda/netlink"
)

func TestADumpThatWasInterruptedIsAskedForAgain(t *testing.T) {
	interruptions := 3
	got, err := Whole(func() ([]string, error) {
		if interruptions--; interruptions >= 0 {
			return []string{"lo"}, netlink.ErrDumpInterrupted
		}
		return []string{"lo", "vrf7"}, nil
	})
	if err != nil || !slices.Equal(got, []string{"lo", "vrf7"}) {
		t.Errorf("Whole() = %v, %v; want lo and vrf7", got, err)
	}
}

func TestADumpThatIsNeverWholeIsAnError(t *testing.T) {
	if _, err := Whole(func() ([]string, error) { return nil, netlink.ErrDumpInterrupted }); !errors.Is(err, netlink.ErrDumpInterrupted) {
		t.Errorf("Whole() = %v, want ErrDumpInterrupted", err)
	}
}

func TestOtherErrorsAreGivenAtOnce(t *testing.T) {
	calls, broken := 0, errors.New("broken")
	_, err := Whole(func() ([]string, error) { calls++; return nil, broken })
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("Whole() = %v after %d calls, want the first error", err, calls)
	}
}
