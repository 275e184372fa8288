# SPDX-License-Identifier: Apache-2.0
"""gNBs with user equipment, as far as GTP-U (TS 29.281) goes: packets of a UE go up its tunnel, and back.

A UE is a TUN device in the namespace of the first gNB; it keeps it when it moves to another one.
"""

import fcntl
import functools
import ipaddress
import os
import selectors
import socket
import struct
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from . import netns
from .protocols.gtpu import Gtpu, gtpu

PORT = 2152
_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_UE_MTU_BYTES = 1400
_FIRST_TABLE = 200
_BATCH = 64
_BUFFER_BYTES = 65_535


@dataclass(frozen=True)
class Tunnel:
    """An end of GTP-U: its host, and its TEID there."""

    endpoint: str
    teid: int


class Ue:
    """A UE: `namespace` and `address` are where to send from; `heard` is the last header that its gNB got for it."""

    def __init__(self, namespace: str, device: str, address: str, uplink: Tunnel, qfi: int) -> None:
        self.namespace, self.device, self.address, self.uplink, self.qfi = namespace, device, address, uplink, qfi
        self.heard: Gtpu | None = None
        self.gnb = ""
        self.tun = -1


def message(packet: bytes, teid: int, qfi: int, *, pdu_type: int = 1) -> bytes:
    """A G-PDU with a PDU Session Container (TS 38.415, 5.5.2), of the uplink (1) or the downlink (0)."""
    optional = b"\0\0\0\x85" + bytes([1, pdu_type << 4, qfi, 0])
    return struct.pack("!BBHI", 0x34, 255, len(optional + packet), teid) + optional + packet


class Radio:
    """gNBs by name: namespace and address. `with Radio(...)` serves them; UEs come by `attach`."""

    def __init__(self, gnbs: Mapping[str, tuple[str, str]]) -> None:
        self._gnbs = dict(gnbs)
        self._home = next(iter(self._gnbs.values()))[0]
        self._selector = selectors.DefaultSelector()
        self._sockets: dict[str, socket.socket] = {}
        self._down: dict[tuple[str, int], Ue] = {}
        self._ues: list[Ue] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        for name, (namespace, address) in self._gnbs.items():
            self._sockets[name] = netns.inside(namespace, functools.partial(_bound, address))
            self._selector.register(self._sockets[name], selectors.EVENT_READ, functools.partial(self._downlink, name))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self._selector.close()
        for one in self._sockets.values():
            one.close()
        for ue in self._ues:
            os.close(ue.tun)
            netns.run(self._home, "ip", _family(ue.address), "rule", "del", "from", ue.address)

    def attach(self, gnb: str, address: str, uplink: Tunnel, downlink_teid: int, *, qfi: int = 9) -> Ue:
        """A new UE with an address, at a gNB."""
        number = len(self._ues) + 1
        ue = Ue(self._home, f"ue{number}", address, uplink, qfi)
        ue.tun = netns.inside(self._home, functools.partial(_tun, ue.device))
        self._ues.append(ue)
        table, family = str(_FIRST_TABLE + number), _family(address)
        length = 128 if ":" in address else 32
        lines = (
            f"link set {ue.device} mtu {_UE_MTU_BYTES} up",
            f"addr add {address}/{length} dev {ue.device}{' nodad' if length == 128 else ''}",
        )
        netns.ip_batch(lines, self._home)
        netns.ip(family, "route", "add", "default", "dev", ue.device, "table", table, namespace=self._home)
        netns.ip(family, "rule", "add", "from", address, "lookup", table, namespace=self._home)
        self.expect(ue, gnb, downlink_teid)
        ue.gnb = gnb
        self._selector.register(ue.tun, selectors.EVENT_READ, functools.partial(self._uplink, ue))
        return ue

    def expect(self, ue: Ue, gnb: str, teid: int) -> None:
        """Packets to a gNB with this TEID are the UE's, too: before a handover, make before break."""
        self._down[gnb, teid] = ue

    def hand_over(self, ue: Ue, gnb: str) -> None:
        """From now on the UE sends by way of this gNB."""
        ue.gnb = gnb

    def _serve(self) -> None:
        while not self._done.is_set():
            for key, _ in self._selector.select(0.1):
                key.data()

    def _uplink(self, ue: Ue) -> None:
        for _ in range(_BATCH):
            try:
                packet = os.read(ue.tun, _BUFFER_BYTES)
            except BlockingIOError:
                return
            if packet[0] >> 4 == ipaddress.ip_address(ue.address).version:  # and not IPv6's own packets on a new link
                sender = self._sockets[ue.gnb]
                sender.sendto(message(packet, ue.uplink.teid, ue.qfi), (ue.uplink.endpoint, PORT))

    def _downlink(self, gnb: str) -> None:
        for _ in range(_BATCH):
            try:
                data = self._sockets[gnb].recv(_BUFFER_BYTES)
            except BlockingIOError:
                return
            decoded = gtpu(data)
            if decoded is None or not isinstance(decoded.header, Gtpu):
                continue
            ue = self._down.get((gnb, decoded.header.teid))
            if ue is not None:
                ue.heard = decoded.header
                os.write(ue.tun, decoded.data)


def _family(address: str) -> str:
    return "-6" if ":" in address else "-4"


def _bound(address: str) -> socket.socket:
    one = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
    one.setblocking(False)
    one.bind((address, PORT))
    return one


def _tun(name: str) -> int:
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
    fcntl.ioctl(tun, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TUN | _IFF_NO_PI))
    return tun
