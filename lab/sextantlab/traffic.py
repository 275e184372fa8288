# SPDX-License-Identifier: Apache-2.0
"""Datagrams from host to host: the ones that arrive, without needing a reverse path as a ping does."""

import bisect
import collections
import contextlib
import functools
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from . import netns
from .processes import until

PORT = 7007
_PATIENCE_SECONDS = 3


def datagrams(
    source: str, destination: str, address: str, source_ports: Sequence[int], size_bytes: int = 7, *, port: int = PORT
) -> int:
    """Sends one datagram per source port between two namespaces and returns how many arrive whole."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with contextlib.ExitStack() as stack:
        receiver = netns.inside(destination, lambda: _bound(family, address, port))
        stack.callback(receiver.close)
        for source_port in source_ports:
            sender = netns.inside(source, functools.partial(_bound, family, "", source_port))
            stack.callback(sender.close)
            sender.sendto(bytes(size_bytes), (address, port))
        return _received(receiver, len(source_ports), size_bytes)


@dataclass
class Stream:
    """Numbered datagrams without a break (`with Stream(...)`); afterwards, which of them arrived how often."""

    source: str
    destination: str
    address: str
    interval_seconds: float = 0.002
    sent: int = 0
    _arrived: "collections.Counter[int]" = field(default_factory=collections.Counter)
    _order: list[int] = field(default_factory=list)

    def __enter__(self) -> Self:
        family = socket.AF_INET6 if ":" in self.address else socket.AF_INET
        self._receiver = netns.inside(self.destination, lambda: _bound(family, self.address, PORT))
        self._sender = netns.inside(self.source, lambda: _bound(family, "", 0))
        self._receiver.settimeout(0.2)
        self._done = threading.Event()
        self._threads = [threading.Thread(target=one, daemon=True) for one in (self._send, self._receive)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        for thread in self._threads:
            thread.join()
        self._sender.close()
        self._receiver.close()

    @property
    def arrived(self) -> int:
        """How many different datagrams have arrived."""
        return len(self._arrived)

    def await_more(self, datagrams: int, seconds: float = 20) -> bool:
        """Waits until that many further datagrams were sent; False if that takes too long."""
        wanted = self.sent + datagrams
        return until(lambda: self.sent >= wanted, seconds, interval=0.01)

    def lost(self) -> list[int]:
        """The numbers of those that never arrived."""
        return [number for number in range(self.sent) if number not in self._arrived]

    def depth(self) -> int:
        """How many later datagrams the most delayed one let pass."""
        seen: list[int] = []
        deepest = 0
        for number in self._order:
            deepest = max(deepest, len(seen) - bisect.bisect_left(seen, number))
            bisect.insort(seen, number)
        return deepest

    def repeated(self) -> list[int]:
        """The numbers of those that arrived more than once."""
        return sorted(number for number, times in self._arrived.items() if times > 1)

    def _send(self) -> None:
        due = time.monotonic()
        while not self._done.is_set():
            self._sender.sendto(self.sent.to_bytes(8, "big"), (self.address, PORT))
            self.sent += 1
            due += self.interval_seconds
            self._done.wait(max(0.0, due - time.monotonic()))

    def _receive(self) -> None:
        """Goes on for a moment after the last one was sent."""
        while True:
            try:
                number = int.from_bytes(self._receiver.recv(100), "big")
            except TimeoutError:
                if self._done.is_set():
                    return
                continue
            self._arrived[number] += 1
            self._order.append(number)


def _received(receiver: socket.socket, wanted: int, size_bytes: int) -> int:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    count = 0
    while count < wanted:
        receiver.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            size = len(receiver.recv(65535))
        except TimeoutError:
            break
        count += size == size_bytes
    return count


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    datagram = socket.socket(family, socket.SOCK_DGRAM)
    datagram.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
    datagram.bind((address, port))
    return datagram
