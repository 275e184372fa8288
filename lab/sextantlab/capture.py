# SPDX-License-Identifier: Apache-2.0
"""The packets on the wire at every node: one AF_PACKET socket per namespace, one thread that reads them all.

A socket that is bound to no interface sees all of a node's ports and says for each packet whether it arrived or left,
so one capture shows the packets that a headend sends and those that each node after it receives.

The sockets have a memory-mapped ring because of how Linux shifts a container: end_next_csid_core (in
net/ipv6/seg6_local.c, seen in 6.18) writes the new destination into a buffer that it shares with the captures, and over
a veth pair with the sender's too. A socket without a ring copies the packet when it is read, which is after the shift,
and so reports the destination that the *next* node will see. A ring gets its copy when the packet passes.
"""

import functools
import mmap
import selectors
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from . import netns, protocols
from .protocols.ip import Ip
from .protocols.srh import Srh

_ETH_P_ALL = 0x0003
_NO_SRH = Srh(0, ())
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
class Packet:
    """An encapsulated packet as one node saw it. Without an SRH `segments_left` is 0 and `segments` is empty.

    `headers` are all that were read, outermost first, as the types of `protocols`; the other fields are of them.
    """

    seconds: float
    node: str
    interface: str
    leaving: bool
    source: str
    destination: str
    hop_limit: int
    segments_left: int
    segments: tuple[str, ...]
    inner: Ip
    headers: tuple[object, ...]


class Capture:
    """Captures in several namespaces from `with` on until its end. Names are given to namespaces."""

    def __init__(self, namespaces: dict[str, str]) -> None:
        self._selector = selectors.DefaultSelector()
        self._packets: list[Packet] = []
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        for name, namespace in namespaces.items():
            ring = netns.inside(namespace, functools.partial(_Ring, name))
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

        Packets that passed a node before the call are among them, for the kernel copies them to the ring before they go
        on.
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
        # A selector that is closed has no map; packets that came until then are there.
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
        """The packets since the last call."""
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
    """The encapsulated packet in an Ethernet frame: one with an IP header within another. None for all others."""
    headers = tuple(protocols.headers(frame))
    addressed = [header for header in headers if isinstance(header, Ip)]
    if len(addressed) < 2:
        return None
    outer, inner = addressed[:2]
    between = headers[: headers.index(inner)]
    srh = next((header for header in between if isinstance(header, Srh)), _NO_SRH)
    return Packet(seconds, node, interface, leaving, outer.source, outer.destination, outer.hop_limit,
                  srh.segments_left, srh.segments, inner, headers)  # fmt: skip
