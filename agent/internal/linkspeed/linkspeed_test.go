// SPDX-License-Identifier: Apache-2.0

package linkspeed

import (
	"testing"
	"unsafe"

	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// kernel answers as dev_ethtool of the kernel does: first with how many words its masks have, negative.
func kernel(words int8, megabits uint32, autoneg uint8) func(*settings) error {
	return func(s *settings) error {
		if s.command != getLinkSettings {
			return unix.EOPNOTSUPP
		}
		if s.maskWords != words {
			*s = settings{command: getLinkSettings, maskWords: -words}
			return nil
		}
		s.megabits, s.autoneg = megabits, autoneg
		return nil
	}
}

func TestASpeedIsWhatTheDriverSays(t *testing.T) {
	for _, tc := range []struct {
		name string
		ask  func(*settings) error
		want Speed
	}{
		{"a port that negotiated", kernel(4, 1000, 1), Speed{Known: true, Bps: 1e9, Negotiated: true}},
		{"a port that is set", kernel(4, 25000, 0), Speed{Known: true, Bps: 25e9}},
		{"800 Gbit/s", kernel(4, 800000, 0), Speed{Known: true, Bps: 800e9}},
		{"a port without link", kernel(4, unknown, 1), Speed{Known: true}},
		{"an old driver without link", kernel(4, 0, 1), Speed{Known: true}},
		{"nonsense", kernel(4, mostMegabits+1, 0), Speed{Known: true}},
		{"the most words a mask may have", kernel(mostMaskWords, 10, 0), Speed{Known: true, Bps: 1e7}},
		{"a driver without settings", func(*settings) error { return unix.EOPNOTSUPP }, Speed{}},
		{"an interface that went meanwhile", func() func(*settings) error {
			answers := kernel(4, 1000, 1)
			return func(s *settings) error {
				if s.maskWords == 4 {
					return unix.ENODEV
				}
				return answers(s)
			}
		}(), Speed{}},
		{"a kernel that says nothing", func(*settings) error { return nil }, Speed{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := speed(tc.ask); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestTheSettingsLieAsInTheKernelsHeader(t *testing.T) {
	var s settings
	for name, offset := range map[string][2]uintptr{
		"speed":                  {unsafe.Offsetof(s.megabits), 4},
		"autoneg":                {unsafe.Offsetof(s.autoneg), 11},
		"link_mode_masks_nwords": {unsafe.Offsetof(s.maskWords), 15},
		"transceiver":            {unsafe.Offsetof(s.transceiver), 16},
		"all":                    {unsafe.Sizeof(s), 48 + 3*4*mostMaskWords},
	} {
		if offset[0] != offset[1] {
			t.Errorf("%s is at %d, want %d", name, offset[0], offset[1])
		}
	}
}

func TestInterfacesOfAKindHaveNoSpeedOfTheirOwn(t *testing.T) {
	r, err := Open(netns.None(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, kind := range []string{"veth", "dummy", "tun", "bridge", "vxlan"} {
		if got := r.Of("lo", kind); got != (Speed{}) {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	if got := r.Of("lo", "device"); got != (Speed{}) {
		t.Errorf("the loopback interface: %+v", got)
	}
	if got := r.Of("no-such-port", "device"); got != (Speed{}) {
		t.Errorf("an interface that is not there: %+v", got)
	}
}
