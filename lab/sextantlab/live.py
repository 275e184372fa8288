# SPDX-License-Identifier: Apache-2.0
"""Frames that the kernel feeds into its own stack, as if an interface had received them (BPF_F_TEST_XDP_LIVE_FRAMES).

No sender, no queue and no other thread: from its buffer to its end a packet is done in the time of the thread that
feeds it, which is therefore the cost of the packet. Other work on the machine is not in it.
"""

import contextlib
import ctypes
import errno
import functools
import os
import platform
import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass

from . import netns
from .errors import UserError

_SYSCALL = {"x86_64": 321, "aarch64": 280}
_LOAD, _RUN, _LINK_CREATE = 5, 10, 28
_XDP_TYPE, _XDP_ATTACH, _NATIVE_MODE, _LIVE_FRAMES = 6, 37, 4, 2
# A veth whose other end has a large MTU takes no other program.
_HAS_FRAGMENTS = 1 << 5
# r0 = XDP_PASS, or XDP_DROP; exit
_PASS, _DROP = (bytes.fromhex(f"b7000000{verdict}0000009500000000000000") for verdict in ("02", "01"))
_LICENSE = b"GPL\0"
_ATTRIBUTES_BYTES = 128
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Feed:
    """An interface that can be fed."""

    _namespace: str
    _index: int
    _program: int

    def nanos(self, frame: bytes, count: int) -> float:
        """Processor time per frame of so many equal ones."""
        return netns.inside(self._namespace, functools.partial(self._run, frame, count)) / count

    def _run(self, frame: bytes, count: int) -> int:
        context = struct.pack("=6I", 0, len(frame), 0, self._index, 0, 0)
        data, md = ctypes.create_string_buffer(frame, len(frame)), ctypes.create_string_buffer(context, len(context))
        attributes = struct.pack(
            "=4I2Q4I2Q3I", self._program, 0, len(frame), 0, ctypes.addressof(data), 0, count, 0, len(context), 0,
            ctypes.addressof(md), 0, _LIVE_FRAMES, 0, 0,
        )  # fmt: skip
        before = time.thread_time_ns()
        _bpf(_RUN, attributes)
        return time.thread_time_ns() - before


@contextlib.contextmanager
def fed(namespace: str, interface: str, *, drops: bool = False) -> Iterator[Feed]:
    """An interface of type veth, whose receiving side XDP has to know for this. With `drops` no frame gets further than
    XDP."""
    program = _load(_DROP if drops else _PASS)
    try:
        index = netns.inside(namespace, lambda: socket.if_nametoindex(interface))
        attach = functools.partial(_bpf, _LINK_CREATE, struct.pack("=4I", program, index, _XDP_ATTACH, _NATIVE_MODE))
        link = netns.inside(namespace, attach)
        try:
            yield Feed(namespace, index, program)
        finally:
            os.close(link)
    finally:
        os.close(program)


def _load(text: bytes) -> int:
    code, name = ctypes.create_string_buffer(text, len(text)), ctypes.create_string_buffer(_LICENSE)
    attributes = struct.pack("=2I2Q2IQ2I", _XDP_TYPE, len(text) // 8, ctypes.addressof(code), ctypes.addressof(name),
                             0, 0, 0, 0, _HAS_FRAGMENTS)  # fmt: skip
    return _bpf(_LOAD, attributes)


def _bpf(command: int, attributes: bytes) -> int:
    number = _SYSCALL.get(platform.machine())
    if number is None:
        raise UserError(f"feeding frames: the number of bpf(2) on {platform.machine()} is not known")
    whole = ctypes.create_string_buffer(attributes, _ATTRIBUTES_BYTES)
    while True:
        done = int(_libc.syscall(number, command, whole, _ATTRIBUTES_BYTES))
        if done >= 0:
            return done
        if ctypes.get_errno() not in (errno.EINTR, errno.EAGAIN):
            error = os.strerror(ctypes.get_errno())
            raise UserError(
                f"bpf(2), command {command}: {error} (live frames: Linux 5.18 or newer, CONFIG_BPF_SYSCALL)"
            )
