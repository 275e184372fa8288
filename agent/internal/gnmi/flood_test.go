// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
)

// slowPorts reports one port, whose MTU is the number of the reading, when it may.
type slowPorts struct {
	*memory.Backend
	begun chan int
	told  chan struct{}
	mu    sync.Mutex
	count int
}

func (p *slowPorts) Ports(context.Context) ([]contract.Port, error) {
	p.mu.Lock()
	p.count++
	number := p.count
	p.mu.Unlock()
	p.begun <- number
	<-p.told
	return []contract.Port{{ID: 1, Name: "eth1", MTUBytes: uint32(number)}}, nil
}

func TestWhoAsksWhileOthersAreAnsweredSharesTheNextReading(t *testing.T) {
	ports := &slowPorts{Backend: memory.New(), begun: make(chan int, 100), told: make(chan struct{})}
	s := New(Options{Ports: ports})
	ask := func(got chan<- uint16) {
		all, err := s.snapshot(t.Context())
		if err != nil {
			t.Error(err)
		}
		for _, l := range all {
			if l.text == "/interfaces/interface[name=eth1]/state/mtu" {
				got <- l.value.(uint16)
			}
		}
	}
	first, others := make(chan uint16, 1), make(chan uint16, 50)
	go ask(first)
	<-ports.begun
	for range cap(others) { // they ask for the present state, not for that at the time when the first one began
		go ask(others)
	}
	for deadline := time.Now().Add(patience); !s.interfaces.waiting(); {
		if time.Now().After(deadline) {
			t.Fatal("nobody waits for another reading")
		}
	}
	close(ports.told)
	if got := <-first; got != 1 {
		t.Errorf("the first was told of reading %d", got)
	}
	for range cap(others) {
		if got := <-others; got < 2 || got > 10 {
			t.Errorf("one of the others was told of reading %d", got)
		}
	}
	s.Close()
}

// anyPath is one of the many ways to ask for all.
func anyPath(number int) *gpb.Path {
	p := &gpb.Path{Elem: []*gpb.PathElem{{Name: anySteps}}}
	for ; number > 0; number >>= 1 {
		if number&1 != 0 {
			p.Elem = append(p.Elem, &gpb.PathElem{Name: anyStep})
		}
		p.Elem = append(p.Elem, &gpb.PathElem{Name: anySteps})
	}
	return p
}

func TestWhoAsksForLittleIsToldSoonHoweverMuchOthersAskFor(t *testing.T) {
	n := startNode(t)
	little := n.stream(&gpb.Subscription{Path: path("/interfaces/interface[name=eth2]/state/oper-status"), Mode: gpb.SubscriptionMode_ON_CHANGE})
	little.next()
	little.next() // the end of the state
	var much []*gpb.Subscription
	for number := range 200 {
		much = append(much, &gpb.Subscription{Path: anyPath(number), Mode: gpb.SubscriptionMode_SAMPLE, SampleInterval: uint64(shortestInterval)})
	}
	for range 6 {
		greedy := n.stream(much...)
		begun := make(chan struct{})
		go func() { // until the test ends
			_, open := <-greedy.got
			if open {
				close(begun)
			}
			for range greedy.got {
			}
		}()
		select { // a client that asks for much waits its turn, however long that takes
		case <-begun:
		case <-time.After(6 * patience):
			t.Fatal("who asks for much is told nothing at all")
		}
	}
	for _, up := range []bool{true, false, true} {
		start := time.Now()
		n.backend.ChangePort("eth2", func(p *contract.Port) { p.Enabled, p.Up = up, up })
		got := flat(little.next())
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("told %v after %v", got, took)
		}
	}
}

func TestAnAnswerThatIsTooLargeIsRefusedBeforeItIsBuilt(t *testing.T) {
	var many []contract.Port
	for id := range contract.PortID(100) {
		many = append(many, contract.Port{ID: id + 1, Name: fmt.Sprintf("eth%d", id+1), MTUBytes: 1500, Enabled: true, Up: true})
	}
	s := New(Options{Ports: memory.New(many...)})
	defer s.Close()
	request := &gpb.GetRequest{Encoding: gpb.Encoding_PROTO}
	for number := range modestPaths { // none is greedy, so that the test does not wait
		request.Path = append(request.Path, anyPath(number))
	}
	if _, err := s.snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := s.Get(t.Context(), request)
	runtime.ReadMemStats(&after)
	wantCode(t, err, codes.ResourceExhausted, "more than 40000 leaves")
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("a refusal took %d MiB", took>>20)
	}
}
