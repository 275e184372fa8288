// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
)

const (
	manySubscribers = 600 // streams
	subscribersEach = 30  // of one connection
)

// elems is a path by the names of its steps.
func elems(names ...string) *gpb.Path {
	p := new(gpb.Path)
	for _, name := range names {
		p.Elem = append(p.Elem, &gpb.PathElem{Name: name})
	}
	return p
}

// anyStepsPath is "..." and "*" in turn: one of the many ways to say "all", by number.
func anyStepsPath(number int) *gpb.Path {
	p := elems("...")
	for ; number > 0; number >>= 1 {
		if number&1 != 0 {
			p.Elem = append(p.Elem, &gpb.PathElem{Name: "*"})
		}
		p.Elem = append(p.Elem, &gpb.PathElem{Name: "..."})
	}
	return p
}

// anySteps asks for paths of "..." in all their forms.
func anySteps(ctx context.Context, t *target) {
	request := &gpb.GetRequest{Encoding: gpb.Encoding_PROTO}
	for number := range 500 {
		request.Path = append(request.Path, anyStepsPath(number))
	}
	t.gets(ctx, request)
}

// wildcards asks for 20,000 of them at once.
func wildcards(ctx context.Context, t *target) {
	request := &gpb.GetRequest{Encoding: gpb.Encoding_JSON_IETF}
	for range 20_000 {
		request.Path = append(request.Path, elems("interfaces", "*", "*", "..."))
	}
	t.gets(ctx, request)
}

// deepPaths asks for paths of 10,000 steps.
func deepPaths(ctx context.Context, t *target) {
	request := &gpb.GetRequest{Encoding: gpb.Encoding_PROTO}
	for number := range 10 {
		p := new(gpb.Path)
		for range 5_000 {
			p.Elem = append(p.Elem, &gpb.PathElem{Name: "..."}, &gpb.PathElem{Name: []string{"*", "interfaces"}[number%2]})
		}
		request.Path = append(request.Path, p)
	}
	t.gets(ctx, request)
}

func (t *target) gets(ctx context.Context, request *gpb.GetRequest) {
	together(ctx, 12, func(ctx context.Context, _ int) {
		conn := t.dial(ctx)
		defer func() { _ = conn.Close() }()
		for range 20 {
			_, err := gpb.NewGNMIClient(conn).Get(ctx, request)
			t.heard(err)
			t.begins(12)
		}
	})
}

// samplers subscribes to everything in many forms as often as is allowed, and reads it all.
func samplers(ctx context.Context, t *target) {
	t.subscribers(ctx, func(stream gpb.GNMI_SubscribeClient) {
		t.begins(manySubscribers)
		for {
			if _, err := stream.Recv(); err != nil {
				t.heard(err)
				return
			}
		}
	})
}

// deafSubscribers does the same, and reads nothing.
func deafSubscribers(ctx context.Context, t *target) {
	t.subscribers(ctx, func(stream gpb.GNMI_SubscribeClient) {
		t.begins(manySubscribers)
		<-stream.Context().Done() // or the agent had enough
		t.heard(stream.RecvMsg(new(gpb.SubscribeResponse)))
	})
}

func (t *target) subscribers(ctx context.Context, follow func(gpb.GNMI_SubscribeClient)) {
	list := &gpb.SubscriptionList{Mode: gpb.SubscriptionList_STREAM, Encoding: gpb.Encoding_JSON_IETF}
	for number := range 400 {
		list.Subscription = append(list.Subscription, &gpb.Subscription{
			Path: anyStepsPath(number), Mode: gpb.SubscriptionMode_SAMPLE, SampleInterval: uint64(100 * time.Millisecond),
		})
	}
	request := &gpb.SubscribeRequest{Request: &gpb.SubscribeRequest_Subscribe{Subscribe: list}}
	together(ctx, manySubscribers/subscribersEach, func(ctx context.Context, _ int) {
		conn := t.dial(ctx)
		defer func() { _ = conn.Close() }()
		together(ctx, subscribersEach, func(ctx context.Context, _ int) {
			stream, err := gpb.NewGNMIClient(conn).Subscribe(ctx)
			if err == nil {
				err = stream.Send(request)
			}
			if err != nil {
				t.begins(manySubscribers)
				t.heard(err)
				pause(ctx)
				return
			}
			follow(stream)
			pause(ctx)
		})
	})
}

// pause is how long a client waits that was refused.
func pause(ctx context.Context) {
	select {
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
	}
}
