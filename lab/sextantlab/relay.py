# SPDX-License-Identifier: Apache-2.0
"""Links that take time and lose packets, in user space: not every kernel has netem, and this one loses the same packets
again with the same seed.

The process stands between the two ends of each link, takes every frame from one and sends it on from the other after
the link's delay, or not at all.
"""

import argparse
import collections
import contextlib
import json
import os
import random
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from . import netns

_ETH_P_ALL = 0x0003
_FRAME_BYTES = 65536
_BUFFER_BYTES = 8 * 1024 * 1024
_SO_RCVBUFFORCE, _SO_SNDBUFFORCE = 33, 32
# A relay that waits for the processor delays more than it should.
_NICENESS = -15


@dataclass(frozen=True)
class Impairment:
    """The impairment of each frame by a link, in both directions alike."""

    delay_millis: float
    loss_percent: float
    seed: int


@dataclass(frozen=True)
class Ends:
    """The two interfaces of the relay that a link leads through."""

    left: str
    right: str
    impairment: Impairment


@dataclass
class _Way:
    """One direction of a link: where frames come from, where they go, and those on their way."""

    source: socket.socket
    sink: socket.socket
    delay_seconds: float
    loss: float
    chance: random.Random
    waiting: collections.deque[tuple[float, bytes]]

    def take(self) -> None:
        """Everything that has arrived. All frames wait equally long, so they stay in order."""
        while True:
            try:
                frame, sender = self.source.recvfrom(_FRAME_BYTES)
            except BlockingIOError:
                return
            if sender[2] == socket.PACKET_OUTGOING or self.chance.random() < self.loss:
                continue
            self.waiting.append((time.monotonic() + self.delay_seconds, frame))

    def send(self, now: float) -> None:
        """Everything whose time has come. Frames that the link's end does not take are lost, as in a queue that is
        full.
        """
        while self.waiting and self.waiting[0][0] <= now:
            _, frame = self.waiting.popleft()
            with contextlib.suppress(OSError):
                self.sink.send(frame)


def command(namespace: str, links: Sequence[Ends]) -> list[str]:
    """The command line of the process; run it with this package on PYTHONPATH."""
    return [sys.executable, "-m", __name__, namespace, json.dumps([asdict(link) for link in links])]


def _ways(links: Sequence[Ends]) -> dict[int, _Way]:
    ways = {}
    for link in links:
        what = link.impairment
        sides = [_open(link.left), _open(link.right)]
        for number, (source, sink) in enumerate((sides, sides[::-1])):
            chance = random.Random(2 * what.seed + number)
            way = _Way(source, sink, what.delay_millis / 1000, what.loss_percent / 100, chance, collections.deque())
            ways[source.fileno()] = way
    return ways


def _open(interface: str) -> socket.socket:
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    for option in (_SO_RCVBUFFORCE, _SO_SNDBUFFORCE):
        packets.setsockopt(socket.SOL_SOCKET, option, _BUFFER_BYTES)
    packets.bind((interface, _ETH_P_ALL))
    packets.setblocking(False)
    return packets


def serve(links: Sequence[Ends]) -> None:
    """Relays until the process is ended."""
    ways = _ways(links)
    poll = select.epoll()
    for descriptor in ways:
        poll.register(descriptor, select.EPOLLIN)
    while True:
        now = time.monotonic()
        for way in ways.values():
            way.send(now)
        due = min((way.waiting[0][0] for way in ways.values() if way.waiting), default=now + 1)
        for descriptor, _ in poll.poll(max(0.0, due - time.monotonic())):
            ways[descriptor].take()


def _main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog=__name__)
    parser.add_argument("namespace")
    parser.add_argument("links")
    options = parser.parse_args(argv)
    links = [
        Ends(one["left"], one["right"], Impairment(**one["impairment"])) for one in json.loads(options.links)
    ]  # fmt: skip
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(PermissionError):
        os.nice(_NICENESS)
    netns.inside(options.namespace, lambda: serve(links))
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
