# SPDX-License-Identifier: Apache-2.0
"""Frames are sent a batch at a time."""

import contextlib
import ctypes
import socket
from collections.abc import Iterator

import pytest
from sextantlab import netns
from sextantlab.blast import Message, Sender


def test_messages_are_where_the_kernel_looks_for_them() -> None:
    """struct mmsghdr on machines of 64 bits: a struct msghdr of 56 bytes, padded, and the length."""
    assert ctypes.sizeof(Message) == 64
    assert Message.sent.offset == 56


@pytest.fixture
def wire() -> Iterator[tuple[str, str]]:
    """Two namespaces, eth0 to eth0."""
    names = ("sxtest-near", "sxtest-far")
    try:
        netns.ip_batch(f"netns add {name}" for name in names)
        for name in names:
            netns.sysctl(name, {"net.ipv6.conf.default.disable_ipv6": "1"})
        netns.ip("link", "add", "eth0", "netns", names[0], "type", "veth", "peer", "name", "eth0", "netns", names[1])
        for name in names:
            netns.ip("link", "set", "eth0", "up", namespace=name)
        yield names
    finally:
        netns.ip_batch(f"netns del {name}" for name in names if netns.exists(name))


def _listening() -> socket.socket:
    one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0x8888)
    one.settimeout(5)
    one.bind(("eth0", 0x8888))
    return one


def test_frames_go_in_turn_also_one_by_one(wire: tuple[str, str]) -> None:
    """At a low rate a batch is one frame: all of them would be the first."""
    near, far = wire
    frames = [b"\xff" * 6 + b"\x02" * 6 + b"\x88\x88" + bytes([number]) * 46 for number in range(3)]
    with (
        netns.inside(far, _listening) as listener,
        contextlib.closing(Sender(near, "eth0", frames)) as sender,
    ):
        sent = [sender.batch(count) for count in (1, 1, 1, 2, 100)]
        heard = [listener.recv(2048)[14] for _ in range(sum(sent))]
    assert sent[:4] == [1, 1, 1, 2]
    assert heard == [number % 3 for number in range(len(heard))]
