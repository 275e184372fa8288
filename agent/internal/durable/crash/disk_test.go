// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"testing"

	"sextant/agent/internal/durable/crash"
)

func TestRoomComesBackWhenNothingRefersToAFile(t *testing.T) {
	disk := crash.New()
	disk.RoomBytes = 100
	room := func(want int) {
		t.Helper()
		if disk.RoomBytes != want {
			t.Errorf("%d bytes of room, want %d", disk.RoomBytes, want)
		}
	}
	write := func(name string, bytes int) interface{ Close() error } {
		f, err := disk.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(make([]byte, bytes)); err != nil {
			t.Fatal(err)
		}
		return f
	}
	one := write("one", 40)
	room(60)
	if err := disk.Remove("one"); err != nil {
		t.Fatal(err)
	}
	room(60) // it is open
	_ = one.Close()
	_ = one.Close()
	room(100)
	two, three := write("two", 30), write("three", 20)
	_, _ = two.Close(), three.Close()
	if err := disk.Rename("three", "two"); err != nil {
		t.Fatal(err)
	}
	room(80)
	_ = write("two", 5).Close()
	room(95)
}
