# SPDX-License-Identifier: Apache-2.0
"""An attacker of the domain at a host's place: frames that the host's kernel would not send, and where they get to."""

import functools
import selectors
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import (
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrSegmentRouting,
    IPv6ExtHdrSegmentRoutingTLV,
    PadN,
)
from scapy.layers.l2 import Ether
from scapy.packet import Packet
from sextantlab import netns
from sextantlab.network import Host
from sextantlab.ping import ping
from sextantlab.processes import until
from story import Story

# In every packet, and in no other.
MARK = b"a host of Figure 4 was here"
# Frames that may be sent at once to a port of a bmv2 switch. Its ring of libpcap (2 MiB, in frames of 64 KiB) holds 32,
# and the kernel drops frames that come while it is full: they neither enter the switch nor are counted by it.
SWITCH_FRAMES = 16
# To a port of another node: fewer than the kernel keeps before it looks at them.
_KERNEL_FRAMES = 256
_ETH_P_ALL = 3
_PACKET_OUTGOING = 4
_BUFFER_BYTES = 8 << 20


_PATIENCE_SECONDS = 30


def gateway(host: Host, mark: str) -> str:
    """The router's address that has a colon in it, or a dot."""
    return next(address for address in host.gateways if mark in address)


class Namespaces(Protocol):
    """A network of namespaces: a story's, or a lab."""

    def namespace(self, name: str) -> str:
        """The network namespace of a node or a host."""

    @property
    def switches(self) -> list[str]:
        """The nodes that are bmv2 switches."""


class Outsider:
    """A host that sends whatever it likes."""

    def __init__(self, story: Namespaces, host: Host) -> None:
        self.host = host
        self.name = host.name
        self.node, self.port = host.location.node, host.location.number
        namespace = story.namespace(host.name)
        self._socket = netns.inside(namespace, functools.partial(socket.socket, socket.AF_PACKET, socket.SOCK_RAW))
        netns.inside(namespace, lambda: self._socket.bind(("eth0", 0)))
        self.router = _mac(story.namespace(self.node), host.location.name)
        self.address = host.address(6)
        self.frames_at_once = SWITCH_FRAMES if self.node in story.switches else _KERNEL_FRAMES

    def close(self) -> None:
        self._socket.close()

    def send(self, packet: Packet) -> None:
        """By way of the router, with the host's own MAC address."""
        self._socket.send(bytes(Ether(src=self.host.mac, dst=self.router) / packet))

    def send_frame(self, frame: bytes) -> None:
        self._socket.send(frame)


def _mac(namespace: str, interface: str) -> str:
    return netns.run(namespace, "cat", f"/sys/class/net/{interface}/address").stdout.strip()


def inner(source: str, destination: str) -> Packet:
    """A packet that a decapsulation would set free."""
    return IPv6(src=source, dst=destination) / UDP(sport=4242, dport=4242) / MARK


def srh(segments: Sequence[str], left: int, *tlvs: Packet) -> Packet:
    return IPv6ExtHdrSegmentRouting(
        addresses=list(segments), segleft=left, lastentry=len(segments) - 1, tlv_objects=list(tlvs)
    )


def to_a_sid(source: str, sid: str, victim: str) -> Iterator[Packet]:
    """The ways to speak to a SID: to have a packet set free, go on, be counted, be copied or be taken for another's."""
    freed = inner(source, victim)
    forged = IPv6ExtHdrSegmentRoutingTLV(type=0x7C, len=16, value=b"\0\0\0\1" + b"\xff" * 12)
    outer = IPv6(src=source, dst=sid)
    yield outer / freed
    yield outer / IP(src="10.0.11.2", dst="10.0.31.2") / UDP() / MARK
    yield outer / UDP(sport=2152, dport=2152) / b"\x30\xff\x00\x28\x00\x00\x00\x01" / freed
    yield outer / srh([victim, sid], 1) / freed
    yield outer / srh([victim], 0, forged) / freed
    yield (
        outer
        / IPv6ExtHdrHopByHop(options=[PadN()])
        / IPv6ExtHdrDestOpt(options=[PadN()])
        / srh([victim, sid], 1)
        / freed
    )
    yield outer / IPv6ExtHdrFragment(id=7, m=1) / srh([victim, sid], 1) / freed
    yield outer / IPv6ExtHdrFragment(id=7, offset=4) / MARK


@contextmanager
def watching(story: Namespaces, names: Sequence[str]) -> Iterator[Counter[tuple[str, str, bool]]]:
    """Counts marked frames by namespace, interface and whether they leave; complete at the end."""
    seen: Counter[tuple[str, str, bool]] = Counter()
    with selectors.DefaultSelector() as selector:
        for name in names:
            opened = netns.inside(story.namespace(name), functools.partial(_sniffer))
            selector.register(opened, selectors.EVENT_READ, name)
        try:
            yield seen
            # Frames sent until now are in the buffers: a frame is there before it goes on.
            for key in list(selector.get_map().values()):
                assert isinstance(key.fileobj, socket.socket)
                _drain(key.fileobj, key.data, seen)
        finally:
            for key in list(selector.get_map().values()):
                selector.unregister(key.fileobj)
                key.fileobj.close()  # type: ignore[union-attr]


def _sniffer() -> socket.socket:
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    opened.setsockopt(socket.SOL_SOCKET, 33, _BUFFER_BYTES)  # SO_RCVBUFFORCE
    opened.setblocking(False)
    return opened


def _drain(opened: socket.socket, name: str, seen: Counter[tuple[str, str, bool]]) -> None:
    while True:
        try:
            frame, (interface, _, kind, *_) = opened.recvfrom(65536)
        except BlockingIOError:
            return
        if MARK in frame:
            seen[name, interface, kind == _PACKET_OUTGOING] += 1


def settled(story: Story, outsider: Outsider) -> None:
    """The host's earlier packets were handled by its router: a question behind them is answered."""
    namespace, router = story.namespace(outsider.name), gateway(outsider.host, ":")
    netns.run(namespace, "ip", "-6", "neigh", "flush", "dev", "eth0")

    def answered() -> bool:
        ping(namespace, router, count=1, timeout_seconds=1)  # a switch answers none, but is asked where it is
        return outsider.router in netns.run(namespace, "ip", "-6", "neigh", "show", router).stdout

    assert until(answered, _PATIENCE_SECONDS)
