# SPDX-License-Identifier: Apache-2.0
"""Frames at a steady rate, whatever becomes of them: a process of its own, on a processor of its own if asked.

    python3 -m sextantlab.blast NAMESPACE INTERFACE FRAMES RATE SECONDS [--cpu N]

FRAMES are hexadecimal, with commas between; they are sent in turn. It prints how many were sent in how many seconds,
and the processor time that took: the work behind a veth is done in its sender's time, unless it is steered elsewhere
(RPS).
"""

import argparse
import ctypes
import errno
import functools
import json
import os
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from . import netns, processes
from .errors import UserError
from .paths import LAB

_BATCH = 32
_SOL_PACKET, _PACKET_QDISC_BYPASS = 263, 20
_SO_SNDBUFFORCE, _BUFFER_BYTES = 32, 64 * 1024 * 1024


class Message(ctypes.Structure):
    """struct mmsghdr of sendmmsg(2)."""

    _fields_ = [
        ("name", ctypes.c_void_p), ("name_length", ctypes.c_uint32), ("vector", ctypes.c_void_p),
        ("vectors", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int), ("padding", ctypes.c_int), ("sent", ctypes.c_uint),
    ]  # fmt: skip


class Vector(ctypes.Structure):
    """struct iovec."""

    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]


@dataclass(frozen=True)
class Sent:
    """The result. `cpu_seconds` is of the sending alone, not of the waiting between."""

    frames: int
    seconds: float
    cpu_seconds: float


class Sender:
    """Sends the same frames in turn, a batch at a time."""

    def __init__(self, namespace: str, interface: str, frames: Sequence[bytes]) -> None:
        self._socket = netns.inside(namespace, functools.partial(_open, interface))
        self._libc = ctypes.CDLL(None, use_errno=True)
        # As often as a batch has room for them, so that they are in turn from batch to batch.
        self._vectors = [Vector(one, len(one)) for one in frames] * max(1, _BATCH // len(frames))
        self._messages = (Message * len(self._vectors))(
            *(Message(vector=ctypes.addressof(vector), vectors=1) for vector in self._vectors)
        )
        self._next = 0

    def batch(self, frames: int = _BATCH) -> int:
        """Sends so many of a batch, and says how many went; one that met a full queue on its way is one of them."""
        messages = ctypes.byref(self._messages, self._next * ctypes.sizeof(Message))
        count = min(frames, len(self._vectors) - self._next)
        sent = int(self._libc.sendmmsg(self._socket.fileno(), messages, count, 0))
        if sent < 0 and ctypes.get_errno() != errno.ENOBUFS:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        sent = max(sent, 1)
        self._next = (self._next + sent) % len(self._vectors)
        return sent

    def close(self) -> None:
        self._socket.close()

    def at(self, rate: float, seconds: float) -> Sent:
        """So many frames a second, as evenly as batches allow; as many as it can where that is too many."""
        frames, cpu, start = 0, 0.0, time.perf_counter()
        while (now := time.perf_counter() - start) < seconds:
            due = int(rate * now) - frames
            if due < min(_BATCH, rate / 1000):
                time.sleep(0 if rate > 50_000 else 0.0002)
                continue
            before = time.thread_time()
            frames += self.batch(due)
            cpu += time.thread_time() - before
        return Sent(frames, time.perf_counter() - start, cpu)


def _open(interface: str) -> socket.socket:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    wire.setsockopt(_SOL_PACKET, _PACKET_QDISC_BYPASS, 1)
    # A frame is its sender's until the last queue on its way lets it go: one that fills must not hold up the sender.
    wire.setsockopt(socket.SOL_SOCKET, _SO_SNDBUFFORCE, _BUFFER_BYTES)
    wire.bind((interface, 0))
    return wire


def run(
    namespace: str, interface: str, frames: Sequence[bytes], rate: float, seconds: float, cpu: int | None = None
) -> "Running":
    """Starts such a process."""
    words = [sys.executable, "-m", __name__, namespace, interface, ",".join(one.hex() for one in frames)]
    words += [str(rate), str(seconds), *(["--cpu", str(cpu)] if cpu is not None else [])]
    return Running(words)


class Running:
    """A process that sends. `with` ends it if it is still there."""

    def __init__(self, words: Sequence[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(LAB), "PYTHONDONTWRITEBYTECODE": "1"}
        self._process = processes.piped(words, environment)

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def result(self) -> Sent:
        """Waits for its end."""
        out, problem = self._process.communicate()
        if self._process.returncode != 0:
            raise UserError(f"the sender of frames ended: {problem.strip()[-300:]}")
        return Sent(**json.loads(out))


def _main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog=__name__)
    for word in ("namespace", "interface", "frames"):
        parser.add_argument(word)
    for number in ("rate", "seconds"):
        parser.add_argument(number, type=float)
    parser.add_argument("--cpu", type=int)
    options = parser.parse_args(argv)
    if options.cpu is not None:
        os.sched_setaffinity(0, {options.cpu})
    frames = [bytes.fromhex(one) for one in options.frames.split(",")]
    sender = Sender(options.namespace, options.interface, frames)
    print(json.dumps(asdict(sender.at(options.rate, options.seconds))))
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
