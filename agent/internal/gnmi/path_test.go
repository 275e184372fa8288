// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
)

// matchesSimply is the definition, step by step, for short patterns.
func matchesSimply(steps []patternStep, path []elem) bool {
	switch {
	case len(steps) == 0:
		return len(path) == 0
	case steps[0].name == anySteps:
		return matchesSimply(steps[1:], path) || len(path) > 0 && matchesSimply(steps, path[1:])
	}
	return len(path) > 0 && steps[0].matches(path[0]) && matchesSimply(steps[1:], path[1:])
}

func TestAPatternMatchesAsItsDefinitionSays(t *testing.T) {
	root, all := schema(), leaves(testPorts(), nil)
	words := []string{"*", "...", "interfaces", "interface", "state", "counters", "in-octets", "name", "interface[name=eth1]", "interface[name=*]"}
	var texts []string
	for _, a := range words {
		for _, b := range words {
			for _, c := range words {
				for _, d := range []string{"", "/...", "/*", "/state", "/name", "/in-octets", "/.../name"} {
					texts = append(texts, "/"+a+"/"+b+"/"+c+d)
				}
			}
		}
	}
	matched := 0
	for _, text := range texts {
		p, err := parsePath(root, nil, path(text))
		if err != nil {
			continue // not in the models
		}
		for _, l := range all {
			want := -1
			for length := range len(l.path) + 1 {
				if matchesSimply(p.steps, l.path[:length]) {
					want = length
					break
				}
			}
			if got := p.matchLength(l.path); got != want {
				t.Fatalf("%s and %s: length %d, want %d", text, pathText(l.path), got, want)
			}
			if want > 0 {
				matched++
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matches were compared", matched)
	}
}

// Each took seconds and gigabytes, and doubled with every step.
func TestNoPathIsExpensive(t *testing.T) {
	n := startNode(t)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	any24 := strings.Repeat("/...", 24) // 256 times the time of 16 of them
	for name, text := range map[string]string{
		"24 times any number of steps":     any24,
		"100,000 times any number":         strings.Repeat("/...", 100_000),
		"any number and any step in turns": strings.Repeat("/.../*", 5),
		"and a name that is there":         any24 + "/mac-address",
		"and a name at the end of all":     strings.Repeat("/.../*", 3) + "/.../name",
	} {
		if _, err := n.rpc.Get(ctx, &gpb.GetRequest{Path: []*gpb.Path{path(text)}, Encoding: gpb.Encoding_PROTO}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := n.rpc.Get(ctx, &gpb.GetRequest{Path: []*gpb.Path{path(any24 + "/colour")}})
	wantCode(t, err, codes.InvalidArgument, `nothing called "colour"`)
	_, err = n.rpc.Get(ctx, &gpb.GetRequest{Path: []*gpb.Path{path(strings.Repeat("/.../*", 100_000))}})
	wantCode(t, err, codes.InvalidArgument, "is served there")
	_, err = n.rpc.Get(ctx, &gpb.GetRequest{Path: []*gpb.Path{path(strings.Repeat("/...[name=x]", 100))}})
	wantCode(t, err, codes.InvalidArgument, "none that is served has more than 63")
}

func TestARequestHasSoManyPathsAndNoMore(t *testing.T) {
	n := startNode(t)
	many := make([]*gpb.Path, maxPaths+1)
	for i := range many {
		many[i] = path(eth1 + "/state/oper-status")
	}
	_, err := n.rpc.Get(context.Background(), &gpb.GetRequest{Path: many, Encoding: gpb.Encoding_PROTO})
	wantCode(t, err, codes.ResourceExhausted, fmt.Sprintf("%d paths, at most %d", maxPaths+1, maxPaths))
	if _, err := n.rpc.Get(context.Background(), &gpb.GetRequest{Path: many[1:], Encoding: gpb.Encoding_PROTO}); err != nil {
		t.Errorf("%d paths: %v", maxPaths, err)
	}
}

func TestNoRequestIsAnsweredWithMoreThanAClientTakes(t *testing.T) {
	var ports []contract.Port
	for id := contract.PortID(3); id <= contract.MaxPort; id++ {
		ports = append(ports, contract.Port{ID: id, Name: fmt.Sprintf("eth%d", id)})
	}
	n := startNode(t, ports...)
	everything := make([]*gpb.Path, 100)
	for i := range everything {
		everything[i] = path("/")
	}
	large := grpc.MaxCallRecvMsgSize(64 << 20)
	if _, err := n.rpc.Get(context.Background(), &gpb.GetRequest{Path: everything[:3], Encoding: gpb.Encoding_PROTO}, large); err != nil {
		t.Errorf("all of a node with %d ports, three times: %v", contract.MaxPort, err)
	}
	_, err := n.rpc.Get(context.Background(), &gpb.GetRequest{Path: everything, Encoding: gpb.Encoding_PROTO}, large)
	wantCode(t, err, codes.ResourceExhausted, "ask for less at once")
	list := &gpb.SubscriptionList{Mode: gpb.SubscriptionList_STREAM, Encoding: gpb.Encoding_PROTO}
	for range 100 {
		list.Subscription = append(list.Subscription, &gpb.Subscription{Path: path("/"), Mode: gpb.SubscriptionMode_SAMPLE})
	}
	stream, err := n.rpc.Subscribe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&gpb.SubscribeRequest{Request: &gpb.SubscribeRequest_Subscribe{Subscribe: list}}); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = stream.Recv()
	}
	wantCode(t, err, codes.ResourceExhausted, "ask for less at once")
}
