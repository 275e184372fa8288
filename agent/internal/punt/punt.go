// SPDX-License-Identifier: Apache-2.0

// Package punt takes frames off the Linux interfaces of a network namespace for the controller, and
// sends the controller's own: the packet I/O of every back end whose ports the kernel can see.
package punt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mdlayher/socket"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// Sockets deliver frames to the controller and send its own. A punt row is a packet socket per port
// and EtherType: the kernel hands it a copy, so only EtherTypes are served that the node itself
// does nothing with (as LLDP), or the packet would be punted and forwarded.
type Sockets struct {
	netns   int
	packets chan contract.Packet
	log     func(string, ...any)
	sender  *socket.Conn
	queues  *queues
	closing chan struct{}
	ending  sync.Once

	mu       sync.Mutex
	open     map[place]*socket.Conn
	reported map[contract.PortID]Drops // guarded by mu
	running  sync.WaitGroup
}

// place is where a packet socket listens.
type place struct {
	port      contract.PortID
	index     int
	etherType uint16
}

const (
	maxFrameBytes = 65536
	// reportPeriod is how often dropped frames are logged.
	reportPeriod = 10 * time.Second
)

// Open serves the network namespace that the descriptor names; trouble and dropped frames go to log. Sockets are opened
// when there is a use for them.
func Open(netns int, log func(string, ...any)) *Sockets {
	p := &Sockets{
		netns: netns, packets: make(chan contract.Packet, 1), log: log, queues: newQueues(time.Now),
		closing: make(chan struct{}), open: map[place]*socket.Conn{}, reported: map[contract.PortID]Drops{},
	}
	p.running.Go(p.deliver)
	p.running.Go(p.report)
	return p
}

// deliver hands out one frame of each port in turn.
func (p *Sockets) deliver() {
	for {
		packet, ok := p.queues.take()
		if !ok {
			select {
			case <-p.queues.ready:
				continue
			case <-p.closing:
				return
			}
		}
		select {
		case p.packets <- packet:
		case <-p.closing:
			return
		}
	}
}

// report logs the frames that were dropped, once a period and port.
func (p *Sockets) report() {
	tick := time.NewTicker(reportPeriod)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.reportDrops()
		case <-p.closing:
			return
		}
	}
}

func (p *Sockets) reportDrops() {
	all := p.Dropped()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, port := range slices.Sorted(maps.Keys(all)) {
		if all[port] == p.reported[port] {
			continue
		}
		d := all[port]
		p.log("punt: of port %d %d frames more did not reach the controller; since the start %d were over %d a second, "+
			"%d came while the controller took none, %d were dropped by the kernel",
			port, d.total()-p.reported[port].total(), d.OverRate, portRate, d.NoRoom, d.Kernel)
		p.reported[port] = d
	}
}

// Dropped returns the frames of each port that rows selected and that the controller did not get; ports without are left
// out.
func (p *Sockets) Dropped() map[contract.PortID]Drops {
	p.mu.Lock()
	for tap, s := range p.open {
		p.countKernelDrops(tap, s)
	}
	p.mu.Unlock()
	return p.queues.drops()
}

// countKernelDrops reads, and so resets, how many frames found no room in a socket's buffer (packet(7), PACKET_STATISTICS).
func (p *Sockets) countKernelDrops(tap place, s *socket.Conn) {
	if stats, err := s.GetsockoptTpacketStats(unix.SOL_PACKET, unix.PACKET_STATISTICS); err == nil {
		p.queues.lost(tap.port, uint64(stats.Drops))
	}
}

// Probe says whether this process may have packet sockets there at all.
func Probe(netns int) error {
	s, err := packetSocket(netns)
	if err != nil {
		return err
	}
	return s.Close()
}

func packetSocket(netns int) (*socket.Conn, error) {
	s, err := socket.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0, "packet", &socket.Config{NetNS: netns})
	if err != nil {
		return nil, fmt.Errorf("open packet socket: %w", err)
	}
	return s, nil
}

// ownEtherTypes are handled by the node: a copy for the controller would not be a punt.
func ownEtherTypes() []uint16 {
	return []uint16{unix.ETH_P_IP, unix.ETH_P_IPV6, unix.ETH_P_ARP}
}

// Supported refuses rows that a packet socket cannot select.
func Supported(e contract.Punt, ports map[contract.PortID]int) error {
	unsupported := func(what string) error {
		return &contract.Error{
			Code:    contract.Unimplemented,
			Message: fmt.Sprintf("%s: %s; this node punts by one exact ether_type, and optionally one exact in_port", e.Key(), what),
			Remedy:  "leave the field out; IP, IPv6 and ARP, with neighbour discovery, are the node's own business",
		}
	}
	switch {
	case e.EtherType == nil:
		return unsupported("ether_type is missing")
	case e.EtherType.Mask.Uint64() != 0xffff:
		return unsupported(fmt.Sprintf("ether_type has the mask %s", e.EtherType.Mask))
	case etherType(e) < 0x0600 || slices.Contains(ownEtherTypes(), etherType(e)):
		return unsupported(fmt.Sprintf("ether_type 0x%04x is handled by the node itself", etherType(e)))
	case e.IPProto != nil:
		return unsupported("it matches ip_protocol")
	case e.ICMPv6 != nil:
		return unsupported("it matches icmpv6_type")
	case e.InPort != nil && e.InPort.Mask.Uint64() != 0x1ff:
		return unsupported(fmt.Sprintf("in_port has the mask %s", e.InPort.Mask))
	}
	if e.InPort != nil {
		if _, ok := ports[inPort(e)]; !ok {
			return contract.Errorf(contract.InvalidArgument, "%s: port %d is not a port of this node", e.Key(), inPort(e))
		}
	}
	return nil
}

func etherType(e contract.Punt) uint16 { return uint16(e.EtherType.Value.Uint64()) }

func inPort(e contract.Punt) contract.PortID { return contract.PortID(e.InPort.Value.Uint64()) }

// taps are the sockets that rows want; two rows that select the same frame share one.
func taps(rows []contract.Punt, ports map[contract.PortID]int) map[place]bool {
	wanted := map[place]bool{}
	for _, row := range rows {
		for id, index := range ports {
			if index != 0 && (row.InPort == nil || inPort(row) == id) {
				wanted[place{id, index, etherType(row)}] = true
			}
		}
	}
	return wanted
}

// Sync opens and closes sockets until they are those the rows want. ports gives each port its interface's index, 0
// while it has none.
func (p *Sockets) Sync(rows []contract.Punt, ports map[contract.PortID]int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	wanted := taps(rows, ports)
	for tap, s := range p.open {
		if !wanted[tap] {
			p.countKernelDrops(tap, s)
			_ = s.Close() // its reader sees the end
			delete(p.open, tap)
		}
	}
	var errs []error
	for _, tap := range slices.SortedFunc(maps.Keys(wanted), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.port, b.port), cmp.Compare(a.etherType, b.etherType))
	}) {
		if p.open[tap] != nil {
			continue
		}
		s, err := p.listen(tap)
		if err != nil {
			errs = append(errs, fmt.Errorf("punt 0x%04x from port %d: %w", tap.etherType, tap.port, err))
			continue
		}
		p.open[tap] = s
		p.running.Go(func() { p.read(tap, s) })
	}
	return errors.Join(errs...)
}

// listen binds to the EtherType and asks for all multicast, as LLDP's address is one.
func (p *Sockets) listen(tap place) (*socket.Conn, error) {
	s, err := packetSocket(p.netns)
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		s.Bind(&unix.SockaddrLinklayer{Protocol: bigEndian(tap.etherType), Ifindex: tap.index}),
		s.SetsockoptPacketMreq(unix.SOL_PACKET, unix.PACKET_ADD_MEMBERSHIP,
			&unix.PacketMreq{Ifindex: int32(tap.index), Type: unix.PACKET_MR_ALLMULTI}),
	)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func bigEndian(v uint16) uint16 { return v<<8 | v>>8 }

// read ends when its socket is closed, or when its interface is gone for good.
func (p *Sockets) read(tap place, s *socket.Conn) {
	buffer := make([]byte, maxFrameBytes)
	for {
		size, _, err := s.Recvfrom(context.Background(), buffer, 0)
		if errors.Is(err, unix.ENETDOWN) {
			continue // the port is down; the socket works again when it is up
		}
		if err != nil {
			return
		}
		p.queues.put(tap.port, buffer[:size])
	}
}

// Send emits a frame at the interface with this index.
func (p *Sockets) Send(ctx context.Context, index int, frame []byte) error {
	const ethernetHeader = 14
	if len(frame) < ethernetHeader {
		return contract.Errorf(contract.InvalidArgument, "packet-out of %d bytes is no Ethernet frame", len(frame))
	}
	sender, err := p.sending()
	if err != nil {
		return err
	}
	err = sender.Sendto(ctx, frame, 0, &unix.SockaddrLinklayer{Ifindex: index})
	if err != nil {
		return &contract.Error{Code: contract.FailedPrecondition, Message: "packet-out was not sent", Err: err}
	}
	return nil
}

// sending gives the socket that everything is sent by.
func (p *Sockets) sending() (*socket.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sender == nil {
		var err error
		if p.sender, err = packetSocket(p.netns); err != nil {
			return nil, err
		}
	}
	return p.sender, nil
}

// Close ends all sockets, waits for their readers and closes the channel.
func (p *Sockets) Close() {
	p.ending.Do(func() { close(p.closing) })
	p.mu.Lock()
	for tap, s := range p.open {
		_ = s.Close() // its reader sees the end
		delete(p.open, tap)
	}
	if p.sender != nil {
		_ = p.sender.Close() // nothing more is sent
	}
	p.mu.Unlock()
	p.running.Wait()
	close(p.packets)
}

// Packets delivers the frames that rows select, one of each port in turn. A reader that is too slow loses frames of the
// ports that have most of them.
func (p *Sockets) Packets() <-chan contract.Packet { return p.packets }
