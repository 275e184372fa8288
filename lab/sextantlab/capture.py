# SPDX-License-Identifier: Apache-2.0
"""What is on the wire at every node: one AF_PACKET socket per namespace, one thread that reads them all.

A socket that is bound to no interface sees all of a node's ports and says for each packet whether it arrived or left,
so one capture tells what a headend sends and what each node after it receives.

The sockets have a memory-mapped ring because of how Linux shifts a container: end_next_csid_core (in
net/ipv6/seg6_local.c, seen in 6.18) writes the new destination into a buffer that it shares with the captures, and over
a veth pair with the sender's too. A socket without a ring copies the packet when it is read, which is after the shift,
and so reports the destination that the *next* node will see. A ring gets its copy when the packet passes.
"""

import ipaddress
import mmap
import selectors
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from . import netns

_ETH_P_ALL = 0x0003
_ETH_IPV4 = 0x0800
_ETH_IPV6 = 0x86DD
_IPV4 = 4
_IPV6 = 41
_ROUTING = 43
_SEGMENT_ROUTING = 4
# linux/if_packet.h
_SOL_PACKET = 263
_PACKET_RX_RING = 5
_PACKET_VERSION = 10
_TPACKET_V2 = 1
_PACKET_OUTGOING = 4
_STATUS_USER = 1
_HEADER = struct.Struct("=IIIHHIIHH4x")  # status, length, snapped, mac, net, seconds, nanoseconds, VLAN
_ADDRESS = struct.Struct("=HHiHBB")  # family, protocol, interface, hardware, packet type, address length
_FRAME_BYTES = 512
_BLOCK_BYTES = 64 * 1024
_BLOCKS = 64


@dataclass(frozen=True)
class Inner:
    """The packet inside an encapsulation."""

    version: int
    source: str
    destination: str
    protocol: int
    payload: bytes


@dataclass(frozen=True)
class Packet:
    """An encapsulated packet as one node saw it. Without an SRH `segments_left` is 0 and `segments` is empty."""

    seconds: float
    node: str
    interface: str
    leaving: bool
    source: str
    destination: str
    hop_limit: int
    segments_left: int
    segments: tuple[str, ...]
    inner: Inner


class Capture:
    """Captures in several namespaces from `with` on until its end. Names are given to namespaces."""

    def __init__(self, namespaces: dict[str, str]) -> None:
        self._selector = selectors.DefaultSelector()
        self._packets: list[Packet] = []
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        for name, namespace in namespaces.items():
            ring = netns.inside(namespace, lambda name=name: _Ring(name))
            self._selector.register(ring.socket, selectors.EVENT_READ, ring)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self._drain()
        for key in list(self._selector.get_map().values()):
            self._selector.unregister(key.fileobj)
            key.data.close()
        self._selector.close()

    def packets(self, source: str, destination: str, since: float = 0) -> list[Packet]:
        """The encapsulated packets since a time.time() whose inner packet has these addresses, in the order of time.

        What passed a node before the call is among them, for the kernel copies it to the ring before it goes on.
        """
        with self._lock:
            self._drain()
            found = [
                packet
                for packet in self._packets
                if (packet.inner.source, packet.inner.destination) == (source, destination) and packet.seconds >= since
            ]
        return sorted(found, key=lambda packet: packet.seconds)

    def _read(self) -> None:
        while not self._done.is_set():
            if self._selector.select(0.1):
                with self._lock:
                    self._drain()

    def _drain(self) -> None:
        # A selector that is closed has no map; what came until then is there.
        for key in (self._selector.get_map() or {}).values():
            self._packets += key.data.packets()


class _Ring:
    """The packets of the namespace it was made in, copied by the kernel as they pass (TPACKET_V2)."""

    def __init__(self, node: str) -> None:
        self._node = node
        self._names = dict(socket.if_nameindex())
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
        self.socket.setsockopt(_SOL_PACKET, _PACKET_VERSION, _TPACKET_V2)
        frames = _BLOCKS * _BLOCK_BYTES // _FRAME_BYTES
        request = struct.pack("=IIII", _BLOCK_BYTES, _BLOCKS, _FRAME_BYTES, frames)
        self.socket.setsockopt(_SOL_PACKET, _PACKET_RX_RING, request)
        self._memory = mmap.mmap(self.socket.fileno(), _BLOCKS * _BLOCK_BYTES)
        self._frames, self._next = frames, 0

    def packets(self) -> Iterator[Packet]:
        """What has come since the last call."""
        while True:
            at = self._next * _FRAME_BYTES
            status, _, snapped, mac, _, seconds, nanos, _, _ = _HEADER.unpack_from(self._memory, at)
            if not status & _STATUS_USER:
                return
            _, _, interface, _, packet_type, _ = _ADDRESS.unpack_from(self._memory, at + _HEADER.size)
            frame = self._memory[at + mac : at + mac + snapped]
            struct.pack_into("=I", self._memory, at, 0)  # back to the kernel
            self._next = (self._next + 1) % self._frames
            packet = parse(frame, self._node, self._names.get(interface, str(interface)),
                           packet_type == _PACKET_OUTGOING, seconds + nanos / 1e9)  # fmt: skip
            if packet is not None:
                yield packet

    def close(self) -> None:
        self._memory.close()
        self.socket.close()


def parse(frame: bytes, node: str, interface: str, leaving: bool, seconds: float) -> Packet | None:
    """The encapsulated packet in an Ethernet frame; None for everything else."""
    if len(frame) < 54 or struct.unpack_from("!H", frame, 12)[0] != _ETH_IPV6:
        return None
    header, rest = frame[14:54], frame[54:]
    protocol, segments_left, segments = header[6], 0, ()
    if protocol == _ROUTING:
        if len(rest) < 8 or rest[2] != _SEGMENT_ROUTING or len(rest) < (rest[1] + 1) * 8:
            return None
        protocol, segments_left = rest[0], rest[3]
        segments = tuple(_ipv6(rest[8 + 16 * entry : 24 + 16 * entry]) for entry in range(rest[4] + 1))
        rest = rest[(rest[1] + 1) * 8 :]
    inner = _inner(protocol, rest)
    if inner is None:
        return None
    return Packet(seconds, node, interface, leaving, _ipv6(header[8:24]), _ipv6(header[24:40]), header[7],
                  segments_left, segments, inner)  # fmt: skip


def _inner(protocol: int, data: bytes) -> Inner | None:
    if protocol == _IPV6 and len(data) >= 40:
        return Inner(6, _ipv6(data[8:24]), _ipv6(data[24:40]), data[6], data[40:])
    if protocol == _IPV4 and len(data) >= 20:
        options = (data[0] & 0x0F) * 4
        return Inner(4, _ipv4(data[12:16]), _ipv4(data[16:20]), data[9], data[options:])
    return None


def _ipv6(data: bytes) -> str:
    return str(ipaddress.IPv6Address(data))


def _ipv4(data: bytes) -> str:
    return str(ipaddress.IPv4Address(data))
