// SPDX-License-Identifier: Apache-2.0

package n4_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
	"sextant/agent/internal/n4"
	"sextant/agent/internal/n4/fakectl"
	"sextant/agent/internal/n4/gtpu"
	"sextant/agent/internal/n4/rest"
	"sextant/agent/internal/n4/upf"
)

const patience = 20 * time.Second

// bench is a service over loopback, with an SMF's socket.
type bench struct {
	t          testing.TB
	controller *fakectl.Controller
	service    *n4.Service
	smf        *net.UDPConn
	sequence   uint32
	end        func()
}

func listen(t testing.TB) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func start(t testing.TB, disk durable.Disk, folder string, change ...func(*n4.Options)) *bench {
	t.Helper()
	b := &bench{t: t, controller: fakectl.New(fakectl.Anchored("mbb", "198.51.100.1"))}
	server := httptest.NewServer(b.controller)
	t.Cleanup(server.Close)
	socket := listen(t)
	o := n4.Options{
		Config:     upf.Config{Address: netip.MustParseAddr("127.0.0.1"), Rules: []upf.SliceRule{{Slice: "mbb", Default: true}}},
		Socket:     socket,
		Controller: &rest.Client{URL: server.URL, User: fakectl.User, Password: fakectl.Password, HTTP: server.Client()},
		Disk:       disk, StateDir: folder, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Tick: 20 * time.Millisecond, Look: 300 * time.Millisecond,
	}
	for _, c := range change {
		c(&o)
	}
	service, err := n4.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	b.service = service
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	b.end = func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		done <- nil
	}
	t.Cleanup(b.end)
	if b.smf, err = net.DialUDP("udp", nil, socket.LocalAddr().(*net.UDPAddr)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.smf.Close() })
	return b
}

// ask sends a request and gives its answer.
func (b *bench) ask(m message.Message) message.Message {
	b.t.Helper()
	if answer := b.askWithin(m, patience); answer != nil {
		return answer
	}
	b.t.Fatalf("%s is not answered", m.MessageTypeName())
	return nil
}

func (b *bench) askWithin(m message.Message, wait time.Duration) message.Message {
	b.t.Helper()
	out := make([]byte, m.MarshalLen())
	if err := m.MarshalTo(out); err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.smf.Write(out); err != nil {
		b.t.Fatal(err)
	}
	in := make([]byte, 4096)
	_ = b.smf.SetReadDeadline(time.Now().Add(wait))
	for { // repeated requests are answered twice
		n, err := b.smf.Read(in)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			b.t.Fatal(err)
		}
		answer, err := message.Parse(in[:n])
		if err != nil {
			b.t.Fatal(err)
		}
		if answer.Sequence() == m.Sequence() {
			return answer
		}
	}
}

func (b *bench) next() uint32 {
	b.sequence++
	return b.sequence
}

var node = ie.NewNodeID("127.0.0.1", "", "")

func (b *bench) associate() {
	b.t.Helper()
	r := b.ask(message.NewAssociationSetupRequest(b.next(), node, ie.NewRecoveryTimeStamp(time.Unix(1_700_000_000, 0)))).(*message.AssociationSetupResponse)
	b.accepted(r.Cause)
}

func (b *bench) accepted(cause *ie.IE) {
	b.t.Helper()
	if c, err := cause.Cause(); err != nil || c != ie.CauseRequestAccepted {
		b.t.Fatalf("cause %d, %v", c, err)
	}
}

func (b *bench) establishment(seid uint64, teid uint32, ue string) *message.SessionEstablishmentRequest {
	return message.NewSessionEstablishmentRequest(0, 0, 0, b.next(), 0, node, ie.NewFSEID(seid, net.IPv4(127, 0, 0, 1).To4(), nil),
		ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(0), ie.NewFTEID(1, teid, net.ParseIP("198.51.100.1"), nil, 0)), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1)),
		ie.NewCreatePDR(ie.NewPDRID(2), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(1), ie.NewUEIPAddress(2, ue, "", 0, 0)), ie.NewFARID(2)),
		ie.NewCreateFAR(ie.NewFARID(1), ie.NewApplyAction(2), ie.NewForwardingParameters(ie.NewDestinationInterface(1))),
		ie.NewCreateFAR(ie.NewFARID(2), ie.NewApplyAction(1)))
}

func (b *bench) establish(seid uint64, teid uint32, ue string) uint64 {
	b.t.Helper()
	r := b.ask(b.establishment(seid, teid, ue)).(*message.SessionEstablishmentResponse)
	b.accepted(r.Cause)
	f, err := r.UPFSEID.FSEID()
	if err != nil {
		b.t.Fatal(err)
	}
	return f.SEID
}

func (b *bench) handover(seid uint64, gnb string, teid uint32, flags ...*ie.IE) {
	b.t.Helper()
	parameters := append([]*ie.IE{ie.NewDestinationInterface(0), ie.NewOuterHeaderCreation(0x100, teid, gnb, "", 0, 0, 0)}, flags...)
	r := b.ask(message.NewSessionModificationRequest(0, 0, seid, b.next(), 0,
		ie.NewUpdateFAR(ie.NewFARID(2), ie.NewApplyAction(2), ie.NewUpdateForwardingParameters(parameters...)))).(*message.SessionModificationResponse)
	b.accepted(r.Cause)
}

func TestASessionLivesOverUDPAndHTTPAndARestart(t *testing.T) {
	folder := t.TempDir()
	b := start(t, durable.OS{}, folder)
	b.associate()
	seid := b.establish(7, 4097, "10.60.0.1")
	b.handover(seid, "192.0.2.1", 5)
	held := b.controller.Sessions("mbb")
	if len(held) != 1 || held[0].Downlink == nil || held[0].Downlink.TEID != 5 {
		t.Fatalf("the controller has %+v", held)
	}
	status, err := b.service.Status(t.Context())
	if err != nil || status.Sessions.InFabric != 1 || len(status.Associations) != 1 || status.Counters.Modified != 1 {
		t.Errorf("status %+v, %v", status, err)
	}
	b.end()

	again := start(t, durable.OS{}, folder, func(o *n4.Options) { o.Controller = controllerOf(t, b.controller) })
	again.sequence = 100
	again.handover(seid, "192.0.2.2", 6)
	if held := b.controller.Sessions("mbb"); len(held) != 1 || held[0].Downlink.TEID != 6 {
		t.Errorf("after a restart the controller has %+v", held)
	}
	r := again.ask(message.NewSessionDeletionRequest(0, 0, seid, again.next(), 0)).(*message.SessionDeletionResponse)
	again.accepted(r.Cause)
	if held := b.controller.Sessions("mbb"); len(held) != 0 {
		t.Errorf("the controller keeps %+v", held)
	}
}

func controllerOf(t *testing.T, c *fakectl.Controller) *rest.Client {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	return &rest.Client{URL: server.URL, User: fakectl.User, Password: fakectl.Password, HTTP: server.Client()}
}

func TestAControllerThatStartsLaterIsWaitedFor(t *testing.T) {
	b := start(t, durable.OS{}, t.TempDir())
	b.controller.SetAway(true)
	b.associate()
	m := b.establishment(7, 4097, "10.60.0.1")
	if answer := b.askWithin(m, 500*time.Millisecond); answer != nil {
		t.Fatalf("answered by %v", answer)
	}
	b.controller.SetAway(false)
	r := b.ask(m).(*message.SessionEstablishmentResponse) // it comes again, as SMFs do
	b.accepted(r.Cause)
	if held := b.controller.Sessions("mbb"); len(held) != 1 {
		t.Errorf("the controller has %+v", held)
	}
}

// The controller stores the session and answers when it has waited for its nodes, which is later than n4's patience.
func TestAControllerThatAnswersLateIsLookedAt(t *testing.T) {
	b := start(t, durable.OS{}, t.TempDir(), func(o *n4.Options) { o.Config.Patience = 200 * time.Millisecond })
	b.associate()
	answered := make(chan struct{})
	b.controller.BeforeAnswer(func(r *http.Request) {
		if r.Method == http.MethodPost {
			<-answered
		}
	})
	r, is := b.askWithin(b.establishment(7, 4097, "10.60.0.1"), patience).(*message.SessionEstablishmentResponse)
	close(answered)
	if !is {
		t.Fatal("not answered while the controller waits for its nodes")
	}
	b.accepted(r.Cause)
}

func TestWhatTheDiskDoesNotKeepIsNotAnswered(t *testing.T) {
	disk := crash.New()
	b := start(t, disk, "state")
	b.associate()
	first := b.establish(1, 1, "10.60.0.1")
	b.onCore(func() { disk.RoomBytes = 0 })
	m := b.establishment(2, 2, "10.60.0.2")
	if answer := b.askWithin(m, 500*time.Millisecond); answer != nil {
		t.Fatalf("the disk is full, and the answer is %v", answer)
	}
	refused := b.ask(b.establishment(3, 3, "10.60.0.3")).(*message.SessionEstablishmentResponse)
	if c, _ := refused.Cause.Cause(); c != ie.CauseNoResourcesAvailable {
		t.Errorf("while the disk is full: cause %d", c)
	}
	b.onCore(func() { disk.RoomBytes = crash.Unlimited })
	r := b.ask(m).(*message.SessionEstablishmentResponse)
	b.accepted(r.Cause)
	b.handover(first, "192.0.2.1", 9)
}

// onCore does something while the service does nothing else with its disk.
func (b *bench) onCore(do func()) {
	b.t.Helper()
	if err := b.service.While(b.t.Context(), do); err != nil {
		b.t.Fatal(err)
	}
}

func TestEndMarkersAreSentFromTheN3Address(t *testing.T) {
	gnb, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 77), Port: gtpu.Port})
	if errors.Is(err, unix.EADDRINUSE) {
		t.Skip("somebody has UDP port 2152 of 127.0.0.77")
	} else if err != nil {
		t.Fatal(err)
	}
	defer gnb.Close()
	echo, err := gtpu.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, durable.OS{}, t.TempDir(), func(o *n4.Options) {
		o.Echo = []*gtpu.Socket{echo}
		o.Config.N3 = []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})
	b.associate()
	m := b.establishment(7, 1, "10.60.0.1")
	m.CreatePDR[0] = ie.NewCreatePDR(ie.NewPDRID(1), ie.NewPrecedence(1), ie.NewPDI(ie.NewSourceInterface(0), ie.NewFTEID(1|4, 0, nil, nil, 0)), ie.NewOuterHeaderRemoval(0, 0), ie.NewFARID(1))
	r := b.ask(m).(*message.SessionEstablishmentResponse)
	b.accepted(r.Cause)
	f, _ := r.UPFSEID.FSEID()
	b.handover(f.SEID, "127.0.0.77", 0x11223344)
	b.handover(f.SEID, "127.0.0.78", 2, ie.NewPFCPSMReqFlags(2))
	in := make([]byte, 100)
	_ = gnb.SetReadDeadline(time.Now().Add(patience))
	n, from, err := gnb.ReadFromUDPAddrPort(in)
	if want := "\x30\xfe\x00\x00\x11\x22\x33\x44"; err != nil || string(in[:n]) != want || from.Addr().Unmap() != netip.MustParseAddr("127.0.0.1") {
		t.Errorf("got %x from %v, %v", in[:n], from, err)
	}
}

func TestAJournalThatWasCutOffCountsAsFarAsItIsWhole(t *testing.T) {
	folder := t.TempDir()
	b := start(t, durable.OS{}, folder)
	b.associate()
	b.establish(1, 1, "10.60.0.1")
	b.establish(2, 2, "10.60.0.2")
	b.end()
	path := filepath.Join(folder, "n4.journal")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range 200 {
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := n4.Open(n4.Options{Config: upf.Config{Address: netip.MustParseAddr("127.0.0.1")}, Disk: durable.OS{}, StateDir: folder, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := s.Kept(), 2; cut == 0 && got != want || cut > 0 && got != 1 {
			t.Errorf("%d bytes cut off: %d sessions", cut, got)
		}
	}
}

func TestWhatWaitsIsBoundedInBytes(t *testing.T) {
	b := start(t, durable.OS{}, t.TempDir())
	b.associate()
	most := 0
	b.onCore(func() { // so nothing is worked on
		large := make([]byte, 60_000)
		for deadline := time.Now().Add(patience); b.service.Overflow() == 0 && time.Now().Before(deadline); {
			if _, err := b.smf.Write(large); err != nil {
				t.Fatal(err)
			}
			most = max(most, b.service.Waiting())
		}
	})
	if lost := b.service.Overflow(); lost == 0 || most > 16<<20+65535 {
		t.Errorf("%d bytes wait, %d datagrams were lost", most, lost)
	}
	b.establish(1, 1, "10.60.0.1")
	if status, err := b.service.Status(t.Context()); err != nil || status.Counters.Overflow == 0 || b.service.Waiting() != 0 {
		t.Errorf("overflow %d, %d bytes wait afterwards, %v", status.Counters.Overflow, b.service.Waiting(), err)
	}
}

func TestAnswersThatWaitForTheDiskAreBoundedInBytes(t *testing.T) {
	disk := crash.New()
	b := start(t, disk, "state")
	b.associate()
	seid := b.establish(1, 1, "10.60.0.1")
	b.onCore(func() { disk.RoomBytes = 0 })
	m := message.NewSessionDeletionRequest(0, 0, seid, b.next(), 0)
	out := make([]byte, m.MarshalLen())
	if err := m.MarshalTo(out); err != nil {
		t.Fatal(err)
	}
	held := func() (n int) {
		b.onCore(func() { n = b.service.Held() })
		return n
	}
	for deadline := time.Now().Add(patience); held() == 0 && time.Now().Before(deadline); {
		if _, err := b.smf.Write(out); err != nil {
			t.Fatal(err)
		}
	}
	one := held()
	for range 500 {
		if _, err := b.smf.Write(out); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(patience); b.service.Waiting() > 0 && time.Now().Before(deadline); {
		held()
	}
	if got := held(); one == 0 || got != one {
		t.Errorf("%d bytes wait for the disk, the answer to one request has %d", got, one)
	}
	b.onCore(func() { disk.RoomBytes = crash.Unlimited })
	b.accepted(b.ask(m).(*message.SessionDeletionResponse).Cause)
}

// from gives a socket of another address of this host.
func (b *bench) from(address string) *net.UDPConn {
	b.t.Helper()
	conn, err := net.DialUDP("udp", &net.UDPAddr{IP: net.ParseIP(address)}, b.smf.RemoteAddr().(*net.UDPAddr))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestAnotherAddressNeitherSpeaksNorEndsSessions(t *testing.T) {
	for name, smfs := range map[string][]netip.Prefix{
		"no list": nil, "named": {netip.MustParsePrefix("127.0.0.1/32")}, "a prefix of both": {netip.MustParsePrefix("127.0.0.0/8")},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, durable.OS{}, t.TempDir(), func(o *n4.Options) { o.Config.SMFs = smfs })
			b.associate()
			seid := b.establish(1, 1, "10.60.0.1")
			smf := b.smf
			b.smf = b.from("127.0.0.66")
			for _, m := range []message.Message{
				message.NewSessionDeletionRequest(0, 0, seid, b.next(), 0),
				message.NewAssociationSetupRequest(b.next(), node, ie.NewRecoveryTimeStamp(time.Now())),
				message.NewAssociationReleaseRequest(b.next(), node),
			} {
				if answer := b.askWithin(m, 200*time.Millisecond); answer != nil && smfs == nil {
					t.Errorf("%s is answered", m.MessageTypeName())
				}
			}
			b.smf = smf
			b.handover(seid, "192.0.2.1", 5)
			if held := b.controller.Sessions("mbb"); len(held) != 1 || held[0].Downlink == nil {
				t.Errorf("the controller has %+v", held)
			}
		})
	}
}

// BenchmarkEstablish is the cost that n4 adds to a session: PFCP over loopback, the journal on this disk, HTTP to a
// controller that does nothing but remember.
func BenchmarkEstablish(b *testing.B) {
	const window = 200
	bench := start(b, durable.OS{}, b.TempDir(), func(o *n4.Options) { o.Log = slog.New(slog.DiscardHandler) })
	bench.associate()
	requests := make([][]byte, b.N)
	for i := range requests {
		ue := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		m := bench.establishment(uint64(i), uint32(i)+1, ue.String())
		requests[i] = make([]byte, m.MarshalLen())
		if err := m.MarshalTo(requests[i]); err != nil {
			b.Fatal(err)
		}
	}
	answer := make([]byte, 4096)
	b.ResetTimer()
	for sent, answered := 0, 0; answered < b.N; answered++ {
		for ; sent < min(b.N, answered+window); sent++ {
			if _, err := bench.smf.Write(requests[sent]); err != nil {
				b.Fatal(err)
			}
		}
		_ = bench.smf.SetReadDeadline(time.Now().Add(patience))
		if _, err := bench.smf.Read(answer); err != nil {
			b.Fatalf("%d of %d are answered: %v", answered, sent, err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sessions/s")
	b.StopTimer()
	if held := len(bench.controller.Sessions("mbb")); held != b.N {
		b.Fatalf("the controller has %d sessions, want %d", held, b.N)
	}
}
