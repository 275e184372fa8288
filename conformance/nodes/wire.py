# SPDX-License-Identifier: Apache-2.0
"""The other ends of a node's ports: frames go in and come out as bytes."""

import contextlib
import errno
import functools
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from sextantlab import netns

_ETH_P_ALL = 0x0003
_OUTGOING = 4
_FRAME_BYTES = 70_000
_DEADLINE_SECONDS = 5
# After the sentinel: frames that another processor still had in its hands.
_GRACE_SECONDS = 0.02
_NEIGHBOR_DISCOVERY = range(130, 144)
_ADDRESS_UNREACHABLE = (1, 3)


@dataclass(frozen=True)
class Frame:
    """A frame that left the node through a port."""

    port: int
    data: bytes


class Wires:
    """Sockets at the far ends of the ports, in a namespace that does nothing by itself."""

    def __init__(self, namespace: str, interfaces: dict[int, str]) -> None:
        self._sockets = {
            port: netns.inside(namespace, functools.partial(_open, name)) for port, name in interfaces.items()
        }
        self._selector = selectors.DefaultSelector()
        for port, wire in self._sockets.items():
            self._selector.register(wire, selectors.EVENT_READ, port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for wire in self._sockets.values():
            wire.close()

    def exchange(
        self, frames: list[Frame], sentinel: Frame, sentinel_out: Frame, *, at_least: int = 0, rounds: int = 1,
        patience_seconds: float = _DEADLINE_SECONDS,
    ) -> list[Frame]:  # fmt: skip
        """Sends frames into ports and returns the output, in order.

        The sentinel is sent last and is known to come out: when it is there, nothing more is to be expected. So a test
        for "this is dropped" neither sleeps nor guesses. A node whose packets can overtake each other gets it several
        times; packets that are known to come are waited for in any case.
        """
        self.drain()
        for frame in frames:
            self.send(frame)
        seen: list[Frame] = []
        for _ in range(rounds):
            self.send(sentinel)
            self._until(lambda: sentinel_out in seen, seen, "the sentinel did not come out")
            seen.remove(sentinel_out)
        seen += self._receive(_GRACE_SECONDS)
        with contextlib.suppress(AssertionError):
            self._until(lambda: len(seen) >= at_least, seen, "", patience_seconds)
        return seen

    def _until(
        self, condition: Callable[[], bool], seen: list[Frame], otherwise: str, seconds: float = _DEADLINE_SECONDS
    ) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{otherwise}; this came: {seen}"
            seen += self._receive(0.1)

    def receive(self, count: int) -> list[Frame]:
        """Waits for that many frames."""
        seen: list[Frame] = []
        self._until(lambda: len(seen) >= count, seen, f"{count} frames did not come out")
        return seen

    def send(self, frame: Frame) -> None:
        self._sockets[frame.port].send(frame.data)

    def drain(self) -> None:
        """Forgets the frames that have come so far."""
        while list(self._receive(0)):
            pass

    def answer(self, frame: Frame, read: Callable[[bytes], Any]) -> Any:
        """Sends a frame into a port and waits for a frame that reads as the answer to it; noise may be one, too."""
        self.drain()
        self.send(frame)
        deadline = time.monotonic() + _DEADLINE_SECONDS
        while time.monotonic() < deadline:
            for got in self._receive(0.1, lambda data: read(data) is None):
                return read(got.data)
        raise AssertionError(f"no answer to {frame.data.hex()}")

    def _receive(self, seconds: float, is_noise: Callable[[bytes], bool] | None = None) -> list[Frame]:
        frames = []
        for key, _ in self._selector.select(seconds):
            while True:
                try:
                    data, address = key.fileobj.recvfrom(_FRAME_BYTES)  # type: ignore[union-attr]
                except BlockingIOError:
                    break
                except OSError as problem:
                    if problem.errno != errno.ENETDOWN:  # reported once for an end that a test has set down
                        raise
                    continue
                if address[2] != _OUTGOING and not (is_noise or _is_noise)(data):
                    frames.append(Frame(key.data, data))
        return frames


def _open(interface: str) -> socket.socket:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
    wire.bind((interface, _ETH_P_ALL))
    wire.setblocking(False)
    return wire


def _is_noise(frame: bytes) -> bool:
    """A node's own packets: ARP, neighbor and multicast discovery (with or without hop-by-hop options), and that no
    neighbor answered, three seconds after the packet that it is about: by then another test is running.
    """
    if frame[12:14] == b"\x08\x06":
        return True
    if frame[12:14] != b"\x86\xdd":
        return False
    protocol, at = frame[20], 54
    if protocol == 0 and len(frame) > 62:
        protocol, at = frame[54], 62
    if protocol != 58 or len(frame) < at + 2:
        return False
    return frame[at] in _NEIGHBOR_DISCOVERY or tuple(frame[at : at + 2]) == _ADDRESS_UNREACHABLE
