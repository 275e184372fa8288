// SPDX-License-Identifier: Apache-2.0

package plane

import (
	"errors"
	"testing"

	"sextant/agent/internal/contract"
)

func TestAStepIsTakenOnceAndTriedAgainUntilItSucceeds(t *testing.T) {
	var s Step
	taken := 0
	broken := errors.New("the kernel refuses")
	try := func(result error) error {
		return s.Sync(func() error { taken++; return result })
	}
	if err := try(broken); err != nil || taken != 0 {
		t.Errorf("nothing is due, and it was taken %d times: %v", taken, err)
	}
	s.Due()
	for range 2 {
		if err := try(broken); !errors.Is(err, broken) || !errors.Is(s.Failure(), broken) {
			t.Errorf("got %v, and the failure %v", err, s.Failure())
		}
	}
	if err := try(nil); err != nil || s.Failure() != nil || taken != 3 {
		t.Errorf("got %v after %d times, and the failure %v", err, taken, s.Failure())
	}
	if err := try(broken); err != nil || taken != 3 {
		t.Errorf("done, and taken again: %v", err)
	}
}

// Idle is a Plane, so that another one need not implement the methods that it does not need.
func TestIdleIsAPlane(t *testing.T) {
	var p Plane = Idle{}
	if p.Serves(nil) {
		t.Error("it serves something")
	}
	counts, err := p.Counters(nil)
	if err := errors.Join(err, p.Follow(nil, nil), p.Sync(), p.Keep(Seen{}), p.Outage(nil), p.Adopt(), p.Reset(), p.Remove(), p.Close()); err != nil || len(counts) != 0 {
		t.Errorf("it does something: %v, %v", counts, err)
	}
}

func TestWhatFailsIsSaidInWordsAndIsTheOutageOfItsRows(t *testing.T) {
	s := StepOf("GTP")
	row := contract.Punt{}
	if err := s.Outage(row); err != nil {
		t.Errorf("nothing has failed: %v", err)
	}
	broken := errors.New("the kernel refuses")
	s.Due()
	err := s.Sync(func() error { return broken })
	var known *contract.Error
	if !errors.As(err, &known) || known.Message != "GTP cannot be brought in step" || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if err := s.Outage(row); err == nil || err.Error() != row.Key().String()+": GTP cannot be brought in step" {
		t.Errorf("got %v", err)
	}
	if err := s.Sync(func() error { return contract.Errorf(contract.NotFound, "port 7 is gone") }); err == nil || err.Error() != "port 7 is gone" {
		t.Errorf("what has words keeps them: %v", err)
	}
}
