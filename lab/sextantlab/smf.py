# SPDX-License-Identifier: Apache-2.0
"""An SMF that is many at once: PFCP sessions (TS 29.244) with a window of requests that wait for their answers.

It sends the usual requests of SMFs for a PDU session: established while the gNB is not known, then modified with the
gNB's tunnel, deleted at the end. A request without an answer is sent again as the standard has it (6.4: T1, N1).
"""

import ipaddress
import socket
import struct
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .errors import UserError

PORT = 8805
_T1_SECONDS, _N1 = 3.0, 3
_ACCEPTED = 1
_BUFFER_BYTES = 4 * 1024 * 1024
_ASSOCIATION, _ESTABLISHMENT, _MODIFICATION, _DELETION = 5, 50, 52, 54
_HEARTBEAT = 1
_DROP, _FORWARD = 1, 2
_ACCESS, _CORE = 0, 1


@dataclass(frozen=True)
class Subscriber:
    """A PDU session: `number` is the SMF's SEID and both TEIDs."""

    number: int
    ue: str
    upf: str
    gnb: str
    qfi: int = 9


@dataclass(frozen=True)
class Served:
    """The results of requests of one kind. Waits are from a request's first sending to its answer, in seconds."""

    seconds: float
    waits: tuple[float, ...]
    again: int

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.waits) / self.seconds


@dataclass
class _Waiting:
    sent: float
    message: bytes
    first: float
    subscriber: Subscriber
    tries: int = 1


@dataclass
class Smf:
    """One at a socket; `window` requests wait for their answers at most."""

    wire: socket.socket
    window: int = 200
    _sequence: int = 0
    _sessions: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def opened(address: str, upf: str) -> socket.socket:
        """A socket for it in this namespace."""
        wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
        wire.bind((address, PORT if address != upf else 0))
        wire.connect((upf, PORT))
        return wire

    def associate(self) -> None:
        """As a new one: sessions of an earlier one with this Node ID end."""
        self._run(
            _ASSOCIATION, [(Subscriber(0, "", "", ""), self._node() + _ie(96, struct.pack("!I", int(time.time()))))]
        )

    def establish(self, subscribers: Iterable[Subscriber]) -> Served:
        return self._run(_ESTABLISHMENT, ((one, self._establishment(one)) for one in subscribers))

    def modify(self, subscribers: Iterable[Subscriber]) -> Served:
        """The gNB is known."""
        return self._run(_MODIFICATION, ((one, _modification(one)) for one in subscribers))

    def delete(self, subscribers: Iterable[Subscriber]) -> Served:
        return self._run(_DELETION, ((one, b"") for one in subscribers))

    def _run(self, kind: int, requests: Iterable[tuple[Subscriber, bytes]]) -> Served:
        """All of them answered and accepted, or a UserError."""
        source, waiting = iter(requests), OrderedDict[int, _Waiting]()
        waits, again, start = [], 0, time.monotonic()
        for subscriber, body in self._next(source, self.window):
            self._send(kind, subscriber, body, waiting)
        while waiting:
            oldest = next(iter(waiting.values()))
            self.wire.settimeout(max(0.001, oldest.sent + _T1_SECONDS - time.monotonic()))
            try:
                answered = self._answer(kind, waiting)
            except TimeoutError:
                again += self._again(kind, waiting)
                continue
            if answered is None:
                continue
            waits.append(time.monotonic() - answered.first)
            for subscriber, body in self._next(source, 1):
                self._send(kind, subscriber, body, waiting)
        return Served(time.monotonic() - start, tuple(waits), again)

    @staticmethod
    def _next(source: Iterator[tuple[Subscriber, bytes]], count: int) -> Iterator[tuple[Subscriber, bytes]]:
        for _ in range(count):
            try:
                yield next(source)
            except StopIteration:
                return

    def _send(self, kind: int, subscriber: Subscriber, body: bytes, waiting: OrderedDict[int, _Waiting]) -> None:
        self._sequence = (self._sequence + 1) % (1 << 24)
        named = kind != _ASSOCIATION
        seid = struct.pack("!Q", self._sessions.get(subscriber.number, 0)) if named else b""
        rest = seid + (self._sequence << 8).to_bytes(4, "big") + body
        message = struct.pack("!BBH", 0x21 if named else 0x20, kind, len(rest)) + rest
        now = time.monotonic()
        waiting[self._sequence] = _Waiting(now, message, now, subscriber)
        self.wire.send(message)

    def _again(self, kind: int, waiting: OrderedDict[int, _Waiting]) -> int:
        """Repeats the requests that have waited for T1, in their turn."""
        now, count = time.monotonic(), 0
        for sequence, one in list(waiting.items()):
            if now - one.sent < _T1_SECONDS:
                break
            if one.tries > _N1:
                raise UserError(
                    f"PFCP message {kind} of session {one.subscriber.number}: no answer to {one.tries} requests"
                )
            one.tries, one.sent = one.tries + 1, now
            waiting.move_to_end(sequence)
            self.wire.send(one.message)
            count += 1
        return count

    def _answer(self, kind: int, waiting: OrderedDict[int, _Waiting]) -> _Waiting | None:
        """Whose answer came; None if it was none's."""
        data = self.wire.recv(65535)
        flags, heard = data[0], data[1]
        at = 16 if flags & 1 else 8
        sequence = int.from_bytes(data[at - 4 : at - 1], "big")
        if heard == _HEARTBEAT:
            body = (sequence << 8).to_bytes(4, "big") + _ie(96, bytes(4))
            self.wire.send(struct.pack("!BBH", 0x20, _HEARTBEAT + 1, len(body)) + body)
            return None
        if heard != kind + 1 or sequence not in waiting:
            return None
        one, elements = waiting.pop(sequence), dict(_elements(data[at:]))
        if elements[19][0] != _ACCEPTED:
            raise UserError(f"PFCP message {kind} of session {one.subscriber.number}: cause {elements[19][0]}")
        if kind == _ESTABLISHMENT:
            self._sessions[one.subscriber.number] = int.from_bytes(elements[57][1:9], "big")
        return one

    def _node(self) -> bytes:
        return _ie(60, b"\0" + _packed(self.wire.getsockname()[0]))

    def _establishment(self, one: Subscriber) -> bytes:
        tunnel = b"\1" + struct.pack("!I", one.number) + _packed(one.upf)
        here = b"\2" + struct.pack("!Q", one.number) + _packed(self.wire.getsockname()[0])
        uplink = _ie(2, _ie(20, bytes([_ACCESS])) + _ie(21, tunnel)) + _ie(95, b"\0") + _number(108, 1)
        downlink = (
            _ie(2, _ie(20, bytes([_CORE])) + _ie(93, b"\6" + _packed(one.ue))) + _number(108, 2) + _number(109, 1)
        )
        to_core = _ie(44, bytes([_FORWARD])) + _ie(4, _ie(42, bytes([_CORE])))
        return b"".join([
            self._node(), _ie(57, here),
            _ie(1, _ie(56, b"\0\1") + _number(29, 0) + uplink),
            _ie(1, _ie(56, b"\0\2") + _number(29, 0) + downlink),
            _ie(3, _number(108, 1) + to_core),
            _ie(3, _number(108, 2) + _ie(44, bytes([_DROP]))),
            _ie(7, _number(109, 1) + _ie(25, b"\0") + _ie(124, bytes([one.qfi]))),
        ])  # fmt: skip


def _modification(one: Subscriber) -> bytes:
    header = _ie(84, b"\1\0" + struct.pack("!I", one.number) + _packed(one.gnb))
    forward = _ie(11, _ie(42, bytes([_ACCESS])) + header)
    return _ie(10, _number(108, 2) + _ie(44, bytes([_FORWARD])) + forward)


def _ie(kind: int, value: bytes) -> bytes:
    """By the numbers of TS 29.244, table 8.1.2-1."""
    return struct.pack("!HH", kind, len(value)) + value


def _number(kind: int, value: int) -> bytes:
    return _ie(kind, struct.pack("!I", value))


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= 4:
        kind, length = struct.unpack("!HH", data[:4])
        yield kind, data[4 : 4 + length]
        data = data[4 + length :]


def _packed(address: str) -> bytes:
    return ipaddress.IPv4Address(address).packed
