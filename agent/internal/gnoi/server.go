// SPDX-License-Identifier: Apache-2.0

// Package gnoi serves the part of gNOI's System service that a node supports: Ping.
package gnoi

import (
	"context"
	"math"
	"net/netip"
	"time"

	spb "github.com/openconfig/gnoi/system"
	tpb "github.com/openconfig/gnoi/types"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/canonical"
	"sextant/agent/internal/echo"
)

// Pinger is a data plane that can send echo requests of its own, through the same tables as forwarded packets. It
// returns how many left.
type Pinger interface {
	Ping(ctx context.Context, r echo.Request, each func(echo.Reply) error) (int, error)
}

// Limits of a request.
const (
	maxCount    = 1000
	minInterval = time.Millisecond
	maxInterval = time.Minute
	maxWait     = time.Minute
	// atOnce is how many calls are served at a time.
	atOnce = 16

	defaultCount    = 5
	defaultSize     = 56
	defaultInterval = time.Second
	defaultWait     = 2 * time.Second
)

// Server implements gnoi.system.System. All but Ping is UNIMPLEMENTED.
type Server struct {
	spb.UnimplementedSystemServer
	pinger Pinger // nil where the data plane has no means
	free   chan struct{}
}

// New serves the features of the data plane; pinger may be nil.
func New(pinger Pinger) *Server { return &Server{pinger: pinger, free: make(chan struct{}, atOnce)} }

// Ping sends echo requests, streams each reply as it comes, and ends with the summary.
func (s *Server) Ping(r *spb.PingRequest, stream spb.System_PingServer) error {
	if s.pinger == nil {
		return status.Error(codes.Unimplemented, "this data plane cannot send echo requests of its own")
	}
	request, err := read(r)
	if err != nil {
		return err
	}
	select {
	case s.free <- struct{}{}:
		defer func() { <-s.free }()
	default:
		return status.Errorf(codes.ResourceExhausted, "%d pings run already; try again when one has ended", atOnce)
	}
	began, times := time.Now(), spread{}
	sent, err := s.pinger.Ping(stream.Context(), request, func(reply echo.Reply) error {
		times.add(reply.RTT)
		return stream.Send(&spb.PingResponse{
			Source: request.Destination.String(), Time: reply.RTT.Nanoseconds(),
			Bytes: int32(reply.Bytes), Sequence: int32(reply.Sequence), Ttl: int32(reply.HopLimit),
		})
	})
	if err != nil {
		return canonical.Error(err)
	}
	return stream.Send(times.summary(request.Destination, sent, time.Since(began)))
}

// read gives the request with its defaults.
func read(r *spb.PingRequest) (echo.Request, error) {
	refuse := func(format string, args ...any) (echo.Request, error) {
		return echo.Request{}, status.Errorf(codes.InvalidArgument, format, args...)
	}
	destination, err := netip.ParseAddr(r.GetDestination())
	if err != nil {
		return refuse("destination %q is no address; names are not resolved here", r.GetDestination())
	}
	var source netip.Addr
	if r.GetSource() != "" {
		if source, err = netip.ParseAddr(r.GetSource()); err != nil {
			return refuse("source %q is no address", r.GetSource())
		}
	}
	if r.GetNetworkInstance() != "" {
		return echo.Request{}, status.Error(codes.Unimplemented, "network_instance is not served; leave it out for the default one")
	}
	if p := r.GetL3Protocol(); p != tpb.L3Protocol_UNSPECIFIED && (p == tpb.L3Protocol_IPV4) != destination.Is4() {
		return refuse("l3protocol is %s, %s is not", p, destination)
	}
	request := echo.Request{
		Destination: destination, Source: source, DontFragment: r.GetDoNotFragment(),
		Count:    orElse(int(r.GetCount()), defaultCount),
		Size:     orElse(int(r.GetSize()), defaultSize),
		Interval: orElse(time.Duration(r.GetInterval()), defaultInterval),
		Wait:     orElse(time.Duration(r.GetWait()), defaultWait),
	}
	switch {
	case request.Count < 1 || request.Count > maxCount:
		return refuse("count is %d: it is 1 to %d", request.Count, maxCount)
	case request.Interval < minInterval || request.Interval > maxInterval:
		return refuse("interval is %s: it is %s to %s", request.Interval, minInterval, maxInterval)
	case request.Wait < 0 || request.Wait > maxWait:
		return refuse("wait is %s: it is at most %s", request.Wait, maxWait)
	}
	if err := request.Check(); err != nil {
		return echo.Request{}, canonical.Error(err)
	}
	return request, nil
}

// orElse is the value, or the default if it is not set.
func orElse[T int | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// spread collects round trip times.
type spread struct {
	count            int
	min, max         time.Duration
	sum, sumOfSquare float64
}

func (s *spread) add(rtt time.Duration) {
	if s.count == 0 || rtt < s.min {
		s.min = rtt
	}
	s.max = max(s.max, rtt)
	s.count++
	s.sum += float64(rtt)
	s.sumOfSquare += float64(rtt) * float64(rtt)
}

func (s *spread) summary(destination netip.Addr, sent int, took time.Duration) *spb.PingResponse {
	answer := &spb.PingResponse{
		Source: destination.String(), Time: took.Nanoseconds(), Sent: int32(sent), Received: int32(s.count),
		MinTime: s.min.Nanoseconds(), MaxTime: s.max.Nanoseconds(),
	}
	if s.count > 0 {
		mean := s.sum / float64(s.count)
		answer.AvgTime = int64(mean)
		answer.StdDev = int64(math.Sqrt(max(0, s.sumOfSquare/float64(s.count)-mean*mean)))
	}
	return answer
}
