// SPDX-License-Identifier: Apache-2.0

// Package echo sends ICMP echo requests from a network namespace and times the replies (RFC 792; RFC 4443, section 4).
package echo

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/icmp"
	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"

	"sextant/agent/internal/contract"
)

const (
	// MinSize holds the nonce that identifies a reply.
	MinSize = nonceBytes
	// MaxSize is the capacity of the largest IPv4 packet.
	MaxSize = 65535 - 20 - echoHeader

	echoHeader = 8
	nonceBytes = 8
)

// A Request is a series of echo requests: Count requests of Size bytes of payload, one per Interval. Wait is for
// replies after the last one.
type Request struct {
	Destination netip.Addr
	// Source is an address of the node; the zero one leaves the choice to the kernel.
	Source         netip.Addr
	Count, Size    int
	Interval, Wait time.Duration
	DontFragment   bool
}

// Reply is the first answer to one request. Sequence counts from 1; Bytes is the payload with the ICMP header.
type Reply struct {
	Sequence, Bytes, HopLimit int
	RTT                       time.Duration
}

// Send sends the requests from the namespace that the descriptor names, and gives each reply to each as it comes. It
// returns how many requests left. The error is a *contract.Error, or that of each or ctx.
func Send(ctx context.Context, netns int, r Request, each func(Reply) error) (int, error) {
	s, err := open(netns, r)
	if err != nil {
		return 0, err
	}
	run := &run{socket: s, request: r, sent: map[int]time.Time{}}
	if _, err := rand.Read(run.mark[:]); err != nil {
		return 0, errors.Join(err, s.close())
	}
	ctx, cancel := context.WithCancel(ctx)
	replies, failed := make(chan packet), make(chan error, 1)
	go func() { failed <- s.read(ctx, replies) }()
	err = run.all(ctx, replies, failed, each)
	cancel()
	return run.left, errors.Join(err, s.close())
}

// run is one Send: its requests, and the replies that it waits for.
type run struct {
	socket  *rawSocket
	request Request
	mark    [nonceBytes + 2]byte // identifies its packets: payload and identifier
	left    int
	sent    map[int]time.Time // requests that have no reply yet
}

func (r *run) all(ctx context.Context, replies <-chan packet, failed <-chan error, each func(Reply) error) error {
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-next.C:
			if r.left == r.request.Count {
				return nil // there are no more answers
			}
			if err := r.send(ctx); err != nil {
				return err
			}
			if r.left < r.request.Count {
				next.Reset(r.request.Interval)
			} else {
				next.Reset(r.request.Wait)
			}
		case p := <-replies:
			reply, ours := r.take(p)
			if !ours {
				continue
			}
			if err := each(reply); err != nil {
				return err
			}
			if r.left == r.request.Count && len(r.sent) == 0 {
				return nil
			}
		case err := <-failed:
			return cmp.Or(err, ctx.Err()) // reading ends without an error when ctx does
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *run) send(ctx context.Context) error {
	sequence := r.left + 1
	payload := make([]byte, r.request.Size)
	copy(payload, r.mark[:nonceBytes])
	var kind icmp.Type = ipv6.ICMPTypeEchoRequest
	if r.request.Destination.Is4() {
		kind = ipv4.ICMPTypeEcho
	}
	message := icmp.Message{Type: kind, Body: &icmp.Echo{ID: r.id(), Seq: sequence & 0xffff, Data: payload}}
	frame, err := message.Marshal(nil) // the kernel fills in ICMPv6's checksum
	if err != nil {
		return fmt.Errorf("an echo request: %w", err)
	}
	r.sent[sequence] = time.Now()
	if err := r.socket.send(ctx, frame, r.request.Destination); err != nil {
		return &contract.Error{
			Code:    contract.FailedPrecondition,
			Message: fmt.Sprintf("no packet can be sent to %s", r.request.Destination),
			Err:     err,
		}
	}
	r.left = sequence
	return nil
}

func (r *run) id() int { return int(binary.BigEndian.Uint16(r.mark[nonceBytes:])) }

// take recognizes the reply to a request that had none before.
func (r *run) take(p packet) (Reply, bool) {
	protocol := 58
	if r.request.Destination.Is4() {
		protocol = 1
	}
	message, err := icmp.ParseMessage(protocol, p.message)
	if err != nil || (message.Type != ipv6.ICMPTypeEchoReply && message.Type != ipv4.ICMPTypeEchoReply) {
		return Reply{}, false
	}
	echo, ok := message.Body.(*icmp.Echo)
	if !ok || echo.ID != r.id() || !bytes.HasPrefix(echo.Data, r.mark[:nonceBytes]) {
		return Reply{}, false
	}
	at, waited := r.sent[echo.Seq]
	if !waited {
		return Reply{}, false
	}
	delete(r.sent, echo.Seq)
	return Reply{Sequence: echo.Seq, Bytes: len(p.message), HopLimit: p.hopLimit, RTT: p.at.Sub(at)}, true
}

// Check refuses requests that cannot be sent. Limits of how much may be asked for are the caller's.
func (r Request) Check() error {
	switch {
	case !r.Destination.IsValid() || r.Destination.Zone() != "" || r.Destination.Is4In6():
		return contract.Errorf(contract.InvalidArgument, "the destination is to be an IPv6 or IPv4 address")
	case r.Destination.IsMulticast() || r.Destination.IsUnspecified():
		return contract.Errorf(contract.InvalidArgument, "%s is no address of one host", r.Destination)
	case r.Source.IsValid() && (r.Source.Is4() != r.Destination.Is4() || r.Source.Is4In6()):
		return contract.Errorf(contract.InvalidArgument, "source %s and destination %s are of two families", r.Source, r.Destination)
	case r.Size < MinSize || r.Size > MaxSize:
		return contract.Errorf(contract.InvalidArgument, "a size of %d: it is %d to %d bytes", r.Size, MinSize, MaxSize)
	}
	return nil
}

// packet is an ICMP message that came in.
type packet struct {
	message  []byte
	hopLimit int
	at       time.Time
}

// closed reports whether err is the error of reading a socket that was closed on purpose.
func closed(err error) bool { return errors.Is(err, net.ErrClosed) || errors.Is(err, context.Canceled) }
