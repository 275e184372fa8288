// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/tcx/tcxtest"
)

// Return codes of sextant_port for a packet of its own kind.
const (
	passed  = 0xffffffff // TCX_NEXT
	dropped = 2          // TC_ACT_SHOT
	copied  = 7          // TC_ACT_REDIRECT
)

const flow = 0xc0000009

// loaded is a plane whose programs are attached nowhere.
func loaded(t testing.TB) *programs {
	t.Helper()
	tcxtest.NeedRoot(t, "./internal/livelive")
	var objects bpfObjects
	tcxtest.Loaded(t, loadBpfObjects(&objects, nil))
	t.Cleanup(func() { _ = objects.Close() })
	return &programs{objects: &objects}
}

// egress is a node that ends the flow, with SIDs for paths 1 to 3.
func egress(t testing.TB) *programs {
	t.Helper()
	p := loaded(t)
	state := State{Ends: []contract.DedupFlow{{FlowID: flow, Window: 5}}}
	for path := contract.PathID(1); path <= 3; path++ {
		state.SIDs = append(state.SIDs, SID{netip.PrefixFrom(sid(path), 64), path})
	}
	plan, err := p.plan(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.syncEnds(state.Ends), pair.Sync(p.objects.Sids, plan.sids, sameSID)); err != nil {
		t.Fatal(err)
	}
	return p
}

func sid(path contract.PathID) netip.Addr {
	a := netip.MustParseAddr("fcbb:bbbb:100:f100::").As16()
	a[7] = byte(path)
	return netip.AddrFrom16(a)
}

// copyOf is a whole frame, from docs/reference/livelive.md; its inner packet is an IPv6 header alone.
func copyOf(path contract.PathID, epoch uint16, sequence uint64) []byte {
	inner := make([]byte, 40)
	inner[0], inner[6], inner[7] = 0x60, 59, 64
	dst := sid(path).As16()
	srh := []byte{41, 4, 4, 0, 0, 0, 0, 0}
	srh = append(srh, dst[:]...)
	srh = append(srh, 124, 14)
	srh = binary.BigEndian.AppendUint16(srh, epoch)
	srh = binary.BigEndian.AppendUint32(srh, flow)
	srh = binary.BigEndian.AppendUint64(srh, sequence)
	ip := make([]byte, 40)
	ip[0], ip[6], ip[7] = 0x60, 43, 62
	binary.BigEndian.PutUint16(ip[4:], uint16(len(srh)+len(inner)))
	copy(ip[24:], dst[:])
	frame := append(make([]byte, 12), 0x86, 0xdd)
	return bytes.Join([][]byte{frame, ip, srh, inner}, nil)
}

// runPort gives the program's answer and the frame as it leaves it.
func runPort(t testing.TB, p *programs, frame []byte) (uint32, []byte) {
	t.Helper()
	out := make([]byte, len(frame)+256)
	options := ebpf.RunOptions{Data: frame, DataOut: out}
	answer, err := p.objects.SextantPort.Run(&options)
	if err != nil {
		t.Fatalf("run with %x: %v", frame, err)
	}
	return answer, options.DataOut
}

func TestADeliveredCopyIsTheInnerPacket(t *testing.T) {
	p := egress(t)
	frame := copyOf(1, 1, 70_000)
	answer, out := runPort(t, p, frame)
	want := append(append([]byte{}, frame[:14]...), frame[len(frame)-40:]...)
	if answer != passed || !bytes.Equal(out, want) {
		t.Errorf("answer %#x, frame\n%x, want\n%x", answer, out, want)
	}
	if answer, _ := runPort(t, p, copyOf(2, 1, 70_000)); answer != dropped {
		t.Errorf("the second copy: answer %#x, want a drop", answer)
	}
}

func TestOtherPacketsPassAsTheyAre(t *testing.T) {
	p := egress(t)
	frame := copyOf(1, 1, 1)
	frame[14+24] = 0xfd // another destination
	for _, one := range [][]byte{frame, append(make([]byte, 12), bytes.Repeat([]byte{8, 6, 0, 1}, 8)...)} {
		if answer, out := runPort(t, p, one); answer != passed || !bytes.Equal(out, one) {
			t.Errorf("answer %#x to %x, frame %x", answer, one, out)
		}
	}
}

// However many CPUs see the copies of a packet at the same time, one of them delivers it.
func TestOfCopiesOnManyCPUsOneIsDelivered(t *testing.T) {
	p := egress(t)
	const packets, workers = 3000, 6
	var delivered [packets]atomic.Int32
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for i := range packets {
				frame := copyOf(contract.PathID(worker%3+1), 1, uint64(i+1))
				answer, err := p.objects.SextantPort.Run(&ebpf.RunOptions{Data: frame})
				if err != nil {
					t.Error(err)
					return
				}
				if answer == passed {
					delivered[i].Add(1)
				}
			}
		})
	}
	wait.Wait()
	for i := range delivered {
		if n := delivered[i].Load(); n != 1 {
			t.Fatalf("packet %d was delivered %d times", i+1, n)
		}
	}
	var first, duplicate, late uint64
	for path := range 3 {
		at := 5<<4 | (path + 1)
		first += count(t, p, "dedup_first", at)
		duplicate += count(t, p, "dedup_duplicate", at)
		late += count(t, p, "dedup_late", at)
	}
	// Three paths, each twice; a copy that comes while the first is being noted may not be known for a second one of its path.
	if first != packets || duplicate+late != packets*(workers-1) || late > packets*3 || late < packets*3-packets/10 {
		t.Errorf("first %d, duplicate %d, late %d; want %d, %d, %d", first, duplicate, late, packets, packets*2, packets*3)
	}
}

func count(t testing.TB, p *programs, array string, at int) uint64 {
	t.Helper()
	cells, err := p.Cells(array, at, 1)
	if err != nil {
		t.Fatal(err)
	}
	return cells[0].Packets
}

// now is the programs' clock in microseconds.
func now(t testing.TB) uint64 {
	t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &at); err != nil {
		t.Fatal(err)
	}
	return uint64(at.Nano()) / 1000
}

// heard makes the flow's last delivery so many microseconds old.
func heard(t testing.TB, p *programs, microsAgo uint64) {
	t.Helper()
	var end bpfEnd
	if err := p.objects.Ends.Lookup(uint32(flow), &end); err != nil {
		t.Fatal(err)
	}
	end.When = now(t) - microsAgo
	if err := p.objects.Ends.Put(uint32(flow), end); err != nil {
		t.Fatal(err)
	}
}

// grow makes the packets in the flow's slots so many microseconds older.
func grow(t testing.TB, p *programs, micros uint64, sequences ...uint64) {
	t.Helper()
	var inner *ebpf.Map
	if err := p.objects.Windows.Lookup(uint32(flow), &inner); err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	for _, sequence := range sequences {
		var held struct{ Seen, Told uint64 }
		at := uint32(sequence % slots)
		if err := inner.Lookup(at, &held); err != nil {
			t.Fatal(err)
		}
		held.Told -= micros << 24
		if err := inner.Put(at, held); err != nil {
			t.Fatal(err)
		}
	}
}

func forget(t testing.TB, p *programs) {
	t.Helper()
	if err := errors.Join(p.makeWindow(flow, 5), p.objects.Ends.Put(uint32(flow), bpfEnd{Window: 5})); err != nil {
		t.Fatal(err)
	}
}

func delivers(t testing.TB, p *programs, path contract.PathID, epoch uint16, sequence uint64, want bool) {
	t.Helper()
	if answer, _ := runPort(t, p, copyOf(path, epoch, sequence)); (answer == passed) != want {
		t.Errorf("path %d, epoch %d, sequence %d: answer %#x, delivered should be %t", path, epoch, sequence, answer, want)
	}
}

const (
	alive  = 1 << 18 // microseconds
	memory = 1 << 22
	leap   = 1<<24 + slots
)

// The numbers of a flow that lives do not jump: neither to another epoch nor far ahead.
func TestALiveFlowIsNotLedAwayByForgedNumbers(t *testing.T) {
	p := egress(t)
	genuine := uint64(1 << 60)
	delivers(t, p, 1, 1, genuine, true)
	for sequence := range uint64(slots) { // one for every slot, as was tried
		heard(t, p, 0)
		if answer, _ := runPort(t, p, copyOf(1, 2, sequence+1)); answer != dropped {
			t.Fatalf("a forged packet of epoch 2 was delivered")
		}
	}
	heard(t, p, 0)
	delivers(t, p, 1, 1, genuine+leap, false)
	delivers(t, p, 1, 1, ^uint64(0), false)
	heard(t, p, 0)
	delivers(t, p, 1, 1, genuine+1, true)
	delivers(t, p, 2, 1, genuine+slots, true)
	if late := count(t, p, "dedup_late", 5<<4|1); late != slots+2 {
		t.Errorf("late: %d, want all %d forged ones", late, slots+2)
	}
}

func TestAnIngressThatBeginsAnewIsHeardOnceItsFormerLifeIsSilent(t *testing.T) {
	p := egress(t)
	for _, next := range []struct {
		epoch    uint16
		sequence uint64
	}{{2, 1}, {3, 1}, {3, 1 << 60}} {
		delivers(t, p, 1, 1, 1<<50, true)
		heard(t, p, alive/2)
		delivers(t, p, 1, next.epoch, next.sequence, false)
		heard(t, p, alive)
		delivers(t, p, 1, next.epoch, next.sequence, true)
		delivers(t, p, 2, next.epoch, next.sequence, false)
		forget(t, p)
	}
}

// Numbers forged while a flow was silent keep its packets out for a while, and not for good.
func TestASlotForgetsWhatNothingConfirms(t *testing.T) {
	p := egress(t)
	for name, forged := range map[string]struct {
		epoch    uint16
		sequence uint64
	}{"another epoch": {2, 77}, "far ahead": {1, 1<<62 + 77}} {
		delivers(t, p, 1, 1, 70, true)
		heard(t, p, alive)
		delivers(t, p, 1, forged.epoch, forged.sequence, true)
		delivers(t, p, 1, 1, 77, false)
		grow(t, p, memory-1_000_000, 77)
		delivers(t, p, 1, 1, 77, false)
		grow(t, p, 1_000_000, 77)
		delivers(t, p, 1, 1, 77, true)
		delivers(t, p, 2, 1, 77, false)
		delivers(t, p, 1, 1, 78, true)
		if t.Failed() {
			t.Fatal(name)
		}
		forget(t, p)
	}
}

// However old: a copy of a packet in the slot is not delivered again.
func TestAPacketThatWasDeliveredIsADuplicateForever(t *testing.T) {
	p := egress(t)
	delivers(t, p, 1, 1, 9, true)
	grow(t, p, 10*memory, 9)
	delivers(t, p, 2, 1, 9, false)
}

// The network may repeat packets; then as many arrive over a path as were sent, although some were lost.
func TestACopyThatComesAgainOverItsPathDoesNotCountAsAnArrival(t *testing.T) {
	p := egress(t)
	for _, path := range []contract.PathID{1, 1, 2, 2, 2, 3, 1} {
		runPort(t, p, copyOf(path, 1, 9))
	}
	for path, want := range map[int][3]uint64{1: {1, 0, 2}, 2: {0, 1, 2}, 3: {0, 1, 0}} {
		at := 5<<4 | path
		got := [3]uint64{count(t, p, "dedup_first", at), count(t, p, "dedup_duplicate", at), count(t, p, "dedup_late", at)}
		if got != want {
			t.Errorf("path %d: first, duplicate, late %v, want %v", path, got, want)
		}
	}
}

// model is the reference's text on de-duplication of a flow that lives, with a map for the window.
type model struct {
	seen map[uint64][2]uint64 // by slot: epoch, sequence
	last [2]uint64
}

func newer(epoch uint16, sequence uint64, than [2]uint64) bool {
	ahead := epoch - uint16(than[0])
	return ahead != 0 && ahead < 0x8000 || ahead == 0 && sequence > than[1]
}

func (m *model) deliver(epoch uint16, sequence uint64) bool {
	number := [2]uint64{uint64(epoch), sequence}
	if m.last[0] != 0 && newer(epoch, sequence, m.last) && (number[0] != m.last[0] || sequence/slots-m.last[1]/slots > 1<<24/slots) {
		return false
	}
	if slot, held := m.seen[sequence%slots]; held && !newer(epoch, sequence, slot) {
		return false
	}
	m.seen[sequence%slots], m.last = number, number
	return true
}

func FuzzNumbers(f *testing.F) {
	f.Add(uint16(1), uint64(1), uint16(1), uint64(65537), uint16(2), uint64(1))
	f.Add(uint16(0x7fff), uint64(9), uint16(0xffff), uint64(9), uint16(1), uint64(9))
	f.Add(uint16(1), ^uint64(0), uint16(1), uint64(0xffff), uint16(0x8001), uint64(0xffff))
	f.Add(uint16(1), uint64(5), uint16(1), uint64(leap+5), uint16(1), uint64(leap-slots+5))
	p := egress(f)
	f.Fuzz(func(t *testing.T, e1 uint16, s1 uint64, e2 uint16, s2 uint64, e3 uint16, s3 uint64) {
		forget(t, p)
		m := model{seen: map[uint64][2]uint64{}}
		for _, n := range []struct {
			epoch    uint16
			sequence uint64
		}{{e1, s1}, {e2, s2}, {e3, s3}, {e1, s1}, {e2, s2}} {
			heard(t, p, 0)
			want := n.epoch != 0 && n.sequence != 0 && m.deliver(n.epoch, n.sequence)
			if answer, _ := runPort(t, p, copyOf(1, n.epoch, n.sequence)); (answer == passed) != want {
				t.Errorf("epoch %d sequence %d: answer %#x, delivered should be %t", n.epoch, n.sequence, answer, want)
			}
		}
	})
}

// FuzzCopies: whatever arrives at a dedup SID, it is delivered whole and once, or dropped.
func FuzzCopies(f *testing.F) {
	good := copyOf(1, 1, 1)
	for at := 14 + 6; at < 14+40+8+16+16; at++ {
		bad := bytes.Clone(good)
		bad[at] ^= 0x81
		f.Add(bad[14:])
	}
	for length := 14 + 40; length < len(good); length += 5 {
		f.Add(good[14:length])
	}
	f.Add(good[14:])
	p := egress(f)
	f.Fuzz(func(t *testing.T, packet []byte) {
		if len(packet) < 40 || len(packet) > 2000 {
			return
		}
		frame := append(append(make([]byte, 12), 0x86, 0xdd), packet...)
		copy(frame[14+24:], sid(1).AsSlice())
		forget(t, p)
		first, out := runPort(t, p, frame)
		if frame[14]>>4 != 6 {
			if first != passed || !bytes.Equal(out, frame) {
				t.Fatalf("answer %#x to what is no IPv6 packet, frame %x", first, out)
			}
			return
		}
		inner := wellFormed(frame[14:])
		if (first == passed) != (inner != nil) {
			t.Fatalf("answer %#x, well-formed %t: %x", first, inner != nil, frame)
		}
		if inner == nil {
			return
		}
		if !bytes.Equal(out[14:], inner) {
			t.Fatalf("delivered\n%x, want\n%x", out[14:], inner)
		}
		if again, _ := runPort(t, p, frame); again != dropped {
			t.Fatalf("delivered twice: %x", frame)
		}
	})
}

// wellFormed is the inner packet of a copy of the flow, nil of anything else: the reference as Go.
func wellFormed(ip []byte) []byte {
	payload := int(binary.BigEndian.Uint16(ip[4:]))
	if ip[6] != 43 || 40+payload > len(ip) || payload < 8 || len(ip) < 48 {
		return nil
	}
	srh := ip[40:]
	size, listed := (int(srh[1])+1)*8, int(srh[4])+1
	if srh[2] != 4 || srh[3] != 0 || 8+16*listed+16 > size || size >= payload {
		return nil
	}
	tlv, inner := srh[8+16*listed:], srh[size:]
	known := binary.BigEndian.Uint16(tlv) == 0x7c0e && binary.BigEndian.Uint32(tlv[4:]) == flow
	numbered := binary.BigEndian.Uint16(tlv[2:]) != 0 && binary.BigEndian.Uint64(tlv[8:]) != 0
	version := map[byte]byte{41: 6, 4: 4}[srh[0]]
	if !known || !numbered || version == 0 || inner[0]>>4 != version {
		return nil
	}
	if payload-size < map[byte]int{6: 40, 4: 20}[version] {
		return nil
	}
	return inner
}
