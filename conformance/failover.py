# SPDX-License-Identifier: Apache-2.0
"""How many packets a cut link costs where its node has a standby for it; JSON on standard output.

Four Linux nodes in a square (nodes/square.py), and Figure 4 under a controller (nodes/figure4.py); 2,000 numbered
packets a second from end to end. The link is set down at its far end, so that the node that protects it loses its
carrier, and comes back; or all ports of the node behind it are; or the link drops all frames without an event
(nodes/watched.py). A packet carries when it was sent: an outage is from the first packet lost to the first one after
the last one lost, both by when they were sent, so that packets which a busy machine delays, and delivers, count for
nothing. Variants take turns, so that all meet the same machine.

    PYTHONPATH=lab:. build/venv/bin/python conformance/failover.py [--cuts N] > results.json
"""

import argparse
import contextlib
import functools
import json
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nodes import figure4, watched
from nodes.p4runtime import WriteError
from nodes.square import ENDS, OWN_FIRST, PAST, STEERED, TRAFFIC, TRANSIT, Square, square
from sextantlab import netns
from sextantlab.errors import UserError

RATE = 2000
_CUTS = 20
# Before, during and after a cut.
_PART_SECONDS = 0.4
_ETH_P_IPV6 = 0x86DD
_BUFFER_BYTES = 16 * 1024 * 1024
_SO_RCVBUFFORCE = 33
_STAMP = struct.Struct("!QQ")
_MARK = b"sextant failover"


@dataclass(frozen=True)
class Loss:
    """Packets that did not arrive, and for how long."""

    packets: int
    millis: float


@dataclass(frozen=True)
class Stamped:
    """A packet: its number and when it was sent."""

    number: int
    nanos: int


class Stream:
    """Numbered packets from a source to a sink, at a steady rate while `with` lasts."""

    def __init__(self, source: socket.socket, sink: socket.socket, head: bytes = b"") -> None:
        self._source, self._sink, self._head = source, sink, head + _MARK
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)
        self.sent: list[Stamped] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def close(self) -> None:
        self._source.close()
        self._sink.close()

    def _send(self) -> None:
        start = time.monotonic()
        while not self._stop.is_set():
            due = int((time.monotonic() - start) * RATE)
            while len(self.sent) < due:
                stamped = Stamped(len(self.sent), time.monotonic_ns())
                self._source.send(self._head + _STAMP.pack(stamped.number, stamped.nanos))
                self.sent.append(stamped)
            time.sleep(1 / RATE / 2)

    def arrived(self) -> set[int]:
        """The numbers of the packets that have come to the sink, once the last one sent has had the time."""
        time.sleep(0.2)
        numbers = set()
        with contextlib.suppress(BlockingIOError):
            while True:
                data = self._sink.recv(2048)
                if data[-_STAMP.size - len(_MARK) : -_STAMP.size] == _MARK:
                    numbers.add(_STAMP.unpack(data[-_STAMP.size :])[0])
        return numbers


def _through_square(made: Square, traffic: str) -> Stream:
    """From the source to the sink that the traffic is for."""
    sink = ENDS["d" if traffic == PAST else "b"]
    source, end = (netns.inside(made.ends, functools.partial(_open, name)) for name in (ENDS["a"], sink))
    payload = _MARK + bytes(_STAMP.size)
    return Stream(source, end, made.frame(payload, traffic)[: -len(payload)])


def _open(interface: str) -> socket.socket:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_IPV6))
    wire.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)
    wire.bind((interface, _ETH_P_IPV6))
    wire.setblocking(False)
    return wire


def loss(sent: list[Stamped], arrived: set[int]) -> Loss:
    """The loss in one piece of a stream, from the first packet lost to the one after the last one lost."""
    lost = [place for place, one in enumerate(sent) if one.number not in arrived]
    if not lost:
        return Loss(0, 0.0)
    end = sent[min(lost[-1] + 1, len(sent) - 1)].nanos
    return Loss(len(lost), (end - sent[lost[0]].nanos) / 1e6)


@dataclass(frozen=True)
class Variant:
    """The route of packets, the cut and its repair; `settle` waits until the initial state is restored."""

    name: str
    stream: Callable[[], Stream]
    cut: Callable[[], None]
    mend: Callable[[], None]
    settle: Callable[[], None] = lambda: None

    def run(self) -> tuple[Loss, Loss]:
        """The loss by a cut, and by its end."""
        self.settle()
        stream = self.stream()
        try:
            with stream:
                time.sleep(_PART_SECONDS)
                before_cut = time.monotonic_ns()
                self.cut()
                time.sleep(_PART_SECONDS)
                before_mend = time.monotonic_ns()
                self.mend()
                time.sleep(_PART_SECONDS)
            arrived = stream.arrived()
        finally:
            stream.close()
        first = [one for one in stream.sent if one.nanos < before_cut]
        if loss(first, arrived).packets:
            raise UserError(f"{self.name}: packets are lost while nothing is cut")
        return (
            loss([one for one in stream.sent if before_cut <= one.nanos < before_mend], arrived),
            loss([one for one in stream.sent if one.nanos >= before_mend], arrived),
        )


def _link(name: str, made: Square, traffic: str, at: str = "b") -> Variant:
    """The link of a square, cut at one of its ends: at b, a loses its carrier."""
    cut, mend = (functools.partial(made.link, state, at) for state in ("down", "up"))
    return Variant(f"{name}, {traffic}", functools.partial(_through_square, made, traffic), cut, mend)


def _node(name: str, made: Square) -> Variant:
    """The node behind the link, of which all neighbors lose their carriers at once."""
    cut, mend = (functools.partial(made.node, state) for state in ("down", "up"))
    return Variant(f"{name}, {PAST}", functools.partial(_through_square, made, PAST), cut, mend)


def silences(stack: contextlib.ExitStack) -> list[Variant]:
    """Frames vanish on the link and its carrier stays; one square has no probes to notice."""
    made, blind = stack.enter_context(watched.watched("fo-watched")), stack.enter_context(square("fo-blind", 1))
    return [
        *(_silence("silent failure", made.made, one, made.settle) for one in (STEERED, OWN_FIRST)),
        _silence("silent failure, not watched", blind, STEERED, lambda: None),
    ]


def _silence(name: str, made: Square, traffic: str, settle: Callable[[], None]) -> Variant:
    cut, mend = (functools.partial(what, made) for what in (watched.silence, watched.mend))
    return Variant(f"{name}, {traffic}", functools.partial(_through_square, made, traffic), cut, mend, settle)


def squares(stack: contextlib.ExitStack) -> list[Variant]:
    """Squares beside each other; the agents of some are ended once they are programmed."""
    made = {
        label: stack.enter_context(square(label, standbys))
        for label, standbys in {"fo-on": 1, "fo-alone": 1, "fo-dark": 1, "fo-many": 1000, "fo-none": 0}.items()
    }
    made["fo-alone"].end_agents()
    made["fo-dark"].end_agents(but="b")  # which comes back, and has to write its own routes again
    return [
        *(_link("carrier lost", made["fo-on"], one) for one in TRAFFIC),
        *(_link("carrier lost, no agent lives", made["fo-alone"], one) for one in TRAFFIC),
        _link("carrier lost, 1,000 standbys", made["fo-many"], TRANSIT),
        _node("node lost", made["fo-on"]),
        _node("node lost, no agent of a neighbor lives", made["fo-dark"]),
        _link("port disabled at the node itself", made["fo-on"], TRANSIT, at="a"),
        _link("carrier lost, no standby", made["fo-none"], TRANSIT),
    ]


class Samples:
    """The measurements, by quantity."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], list[float]] = {}

    def take_turns(self, measured: Sequence[Variant], cuts: int) -> None:
        for one in measured:
            one.run()  # the first of all is not counted: neighbors and caches are new
        for turn in range(cuts):
            print(f"cut {turn + 1} of {cuts}", file=sys.stderr, flush=True)
            self._add("load of the machine", "", os.getloadavg()[0])
            for one in measured:
                cut, mended = one.run()
                self._add(f"{one.name}: lost when cut", "packets", cut.packets)
                self._add(f"{one.name}: outage when cut", "ms", cut.millis)
                self._add(f"{one.name}: lost when mended", "packets", mended.packets)
                self._add(f"{one.name}: outage when mended", "ms", mended.millis)

    def _add(self, name: str, unit: str, value: float) -> None:
        self._values.setdefault((name, unit), []).append(value)

    def told(self) -> list[dict[str, Any]]:
        return [{"name": name, "unit": unit, "samples": values} for (name, unit), values in self._values.items()]


def measure(cuts: int) -> list[dict[str, Any]]:
    """Variants with a living controller take turns with the squares; those that end it come last."""
    samples = Samples()
    with contextlib.ExitStack() as stack:
        protected = stack.enter_context(figure4.protected())
        samples.take_turns([*squares(stack), *silences(stack), _figure("controller lives", protected)], cuts)
        protected.controller.kill()
        samples.take_turns([_figure("controller killed", protected)], cuts)
    return samples.told()


def _figure(name: str, made: figure4.Protected) -> Variant:
    """Figure 4, of whose link l2-l3 the far end is set down."""
    cut, mend = (functools.partial(made.lab.set_link, "l3", "l2", up=up) for up in (False, True))
    title = f"{name}: carrier lost, Figure 4"
    return Variant(title, lambda: Stream(*made.ends(_BUFFER_BYTES)), cut, mend, made.settle)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, default=_CUTS)
    options = parser.parse_args()
    try:
        print(json.dumps(measure(options.cuts)))
    except (UserError, WriteError) as problem:
        sys.exit(f"failover: {problem}")


if __name__ == "__main__":
    main()
