// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/loopback"
)

// patience is how long a test waits for something that must happen.
const patience = 10 * time.Second

// clock is the time of every notification in the tests.
const clock = 1_700_000_000_000_000_123

type node struct {
	t       *testing.T
	backend *memory.Backend
	rpc     gpb.GNMIClient
}

func testPorts() []contract.Port {
	return []contract.Port{
		{
			ID: 2, Name: "eth2", MAC: [6]byte{2, 0, 0, 0, 1, 2}, MTUBytes: 9000, Index: 12,
		},
		{
			ID: 1, Name: "eth1", MAC: [6]byte{2, 0, 0, 0, 1, 0xab}, MTUBytes: 1500, Enabled: true, Up: true, Index: 11,
			Addresses: []netip.Prefix{netip.MustParsePrefix("2001:db8::1/64"), netip.MustParsePrefix("10.0.0.1/24")},
			In:        contract.PortCounters{Octets: 1 << 60, Packets: 3, Multicast: 2, Errors: 1, Discards: 4},
			Out:       contract.PortCounters{Octets: 5, Packets: 6},
		},
	}
}

// startNode serves two ports, and more where they are given, by a real connection on loopback.
func startNode(t *testing.T, more ...contract.Port) *node {
	t.Helper()
	backend := memory.New(append(testPorts(), more...)...)
	n, _ := serve(t, backend, Options{Ports: backend})
	return n
}

// serve has a backend with these options served over a real connection, at the time of the tests.
func serve(t *testing.T, backend *memory.Backend, options Options) (*node, *Server) {
	t.Helper()
	options.Now = func() time.Time { return time.Unix(0, clock) }
	s := New(options)
	g := grpc.NewServer()
	gpb.RegisterGNMIServer(g, s)
	watching := s.nextNews()
	conn := loopback.Serve(t, g, s)
	<-watching
	return &node{t: t, backend: backend, rpc: gpb.NewGNMIClient(conn)}, s
}

// A kept is a finding of a data plane, set by a test; listeners are notified of its changes.
type kept[T any] struct {
	mu   sync.Mutex
	all  []T
	told func()
}

func (k *kept[T]) read() []T {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.all)
}

func (k *kept[T]) listen(tell func()) (stop func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.told = tell
	return func() {}
}

func (k *kept[T]) set(all ...T) {
	k.mu.Lock()
	k.all = all
	told := k.told
	k.mu.Unlock()
	told()
}

var step = regexp.MustCompile(`/([^/\[\]]+)(?:\[([^=]+)=([^\]]+)\])?`)

// path reads the usual text of a path.
func path(text string) *gpb.Path {
	p := new(gpb.Path)
	for _, m := range step.FindAllStringSubmatch(text, -1) {
		e := &gpb.PathElem{Name: m[1]}
		if m[2] != "" {
			e.Key = map[string]string{m[2]: m[3]}
		}
		p.Elem = append(p.Elem, e)
	}
	return p
}

// flat prints updates and deletes as path=value, the way a person would compare them.
func flat(n *gpb.Notification) []string {
	var out []string
	for _, u := range n.GetUpdate() {
		out = append(out, elemText(u.GetPath().GetElem())+" = "+valueText(u.GetVal()))
	}
	for _, d := range n.GetDelete() {
		out = append(out, "gone "+elemText(d.GetElem()))
	}
	return out
}

func valueText(v *gpb.TypedValue) string {
	switch x := v.GetValue().(type) {
	case *gpb.TypedValue_JsonIetfVal:
		return string(x.JsonIetfVal)
	case *gpb.TypedValue_JsonVal:
		return string(x.JsonVal)
	case *gpb.TypedValue_StringVal:
		return x.StringVal
	case *gpb.TypedValue_BoolVal:
		return fmt.Sprint(x.BoolVal)
	case *gpb.TypedValue_UintVal:
		return fmt.Sprint(x.UintVal)
	default:
		return fmt.Sprint(v)
	}
}

// wantCode expects a status that says something.
func wantCode(t *testing.T, err error, code codes.Code, saying string) {
	t.Helper()
	st := status.Convert(err)
	if st.Code() != code || !regexp.MustCompile(regexp.QuoteMeta(saying)).MatchString(st.Message()) {
		t.Errorf("got %v, want %v saying %q", err, code, saying)
	}
}
