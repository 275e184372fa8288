// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func (b *border) judgedAt(t *testing.T, device string) bool {
	t.Helper()
	return slices.Contains(programsAt(t, b.ns, device), "sextant_edge")
}

// The kernel routes SIDs from any interface: an interface that is no port is outside, as soon as there is an outside.
func TestInterfacesThatAreNoPortsAreOutside(t *testing.T) {
	b := newBorder(t)
	wire(t, b.ns, "m1", b.far, "f3")
	toSID := frame(mac(b.ns, "m1"), mac(b.far, "f3"), b.toSID(nobody)[14:])
	plain := frame(mac(b.ns, "m1"), mac(b.far, "f3"), b.plain()[14:])
	through := func(frame []byte) bool {
		had := b.arrived()
		sendFrame(t, b.far, "f3", frame)
		sendFrame(t, b.far, "f3", plain)
		want := had + 1
		if &frame[0] == &plain[0] {
			want++
		}
		eventually(t, "a packet to no SID arrives", func() bool { return b.arrived() >= want })
		return b.arrived() > had+1
	}
	if !through(toSID) || b.judgedAt(t, "m1") {
		t.Error("without any role somebody judges")
	}
	mustApply(t, b.node, insert(outside(1)))
	if through(toSID) || !through(plain) {
		t.Error("a packet to a SID passes an interface that is no port, or one to no SID does not")
	}
	if got, want := b.dropped(t, 0), [4]uint64{1}; got != want {
		t.Errorf("dropped where no port is: %v, want %v", got, want)
	}
	in(t, b.ns, "ip link add m2 type veth peer name m3")
	eventually(t, "a new interface is judged", func() bool { return b.judgedAt(t, "m2") })
	for _, own := range []string{sidDevice, steeringDevice} {
		if b.judgedAt(t, own) {
			t.Errorf("%s is judged", own)
		}
	}
	mustApply(t, b.node, remove(outside(1)))
	if b.judgedAt(t, "m1") || b.judgedAt(t, "m2") {
		t.Error("with the last role not all is over")
	}
}

// Packets of a tunnel come in without a link layer.
func TestPacketsOfATunnelAreRead(t *testing.T) {
	b := newBorder(t)
	tunnel := -1
	inside(t, b.ns, func() error {
		var missing error
		if tunnel, missing = unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC, 0); tunnel < 0 {
			t.Log(missing)
			return nil
		}
		request, err := unix.NewIfreq("t1")
		if err != nil {
			return err
		}
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		return unix.IoctlIfreq(tunnel, unix.TUNSETIFF, request)
	})
	if tunnel < 0 {
		t.Skip("needs /dev/net/tun; run: sudo modprobe tun")
	}
	device := os.NewFile(uintptr(tunnel), "t1")
	defer device.Close()
	in(t, b.ns, "ip link set t1 up")
	mustApply(t, b.node, insert(outside(1)))
	eventually(t, "the tunnel is judged", func() bool { return b.judgedAt(t, "t1") })
	for _, packet := range [][]byte{b.toSID(nobody)[14:], b.toSID("fcff:1::7")[14:], b.plain()[14:]} {
		if _, err := device.Write(packet); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "a packet to no SID arrives", func() bool { return b.arrived() > 0 })
	if got, want := b.dropped(t, 0), [4]uint64{1, 0, 1}; got != want || b.arrived() != 1 {
		t.Errorf("dropped %v, want %v; %d arrive", got, want, b.arrived())
	}
}

// How long a port whose interface is made again takes everything is up to the agent, and is measured.
func TestAPortThatIsMadeAgainIsClosedAtOnce(t *testing.T) {
	b := newBorder(t)
	mustApply(t, b.node, insert(outside(1)))
	const rounds = 20
	var open []time.Duration
	for range rounds {
		in(t, b.ns, "ip link del p1")
		eventually(t, "the port is gone", func() bool { return len(programsOf(t, b, "p1")) == 0 })
		had, dropped := b.arrived(), b.dropped(t, 1)[0]
		wire(t, b.ns, "p1", b.far, "f1")
		start := time.Now()
		toSID := b.toSID(nobody)
		send, done := sender(t, b.far, "f1")
		sent := 0
		for b.dropped(t, 1)[0] == dropped && time.Since(start) < time.Second {
			send(toSID)
			sent++
		}
		open = append(open, time.Since(start))
		done()
		if b.dropped(t, 1)[0] == dropped {
			t.Fatalf("after a second the port still takes everything: %d packets sent", sent)
		}
		t.Logf("%d of %d packets get in, in %v at most", b.arrived()-had, sent, open[len(open)-1])
	}
	slices.Sort(open)
	t.Logf("open for %v (median of %d), %v at most", open[rounds/2], rounds, open[rounds-1])
}

func programsOf(t *testing.T, b *border, device string) []string {
	t.Helper()
	if _, err := indexOf(b.ns, device); err != nil {
		return nil
	}
	return programsAt(t, b.ns, device)
}
