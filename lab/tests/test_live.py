# SPDX-License-Identifier: Apache-2.0
"""Frames that the kernel feeds to itself arrive, all of them, at the interface that is named."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sextantlab import live, netns
from sextantlab.errors import UserError
from sextantlab.instance import Instance

_MAC = "02:00:00:00:00:01"
# To its MAC address: an IPv6 packet with next header 59, which has nothing in it.
_FRAME = bytes.fromhex("02000000000102000000000286dd6000000000003b40") + bytes(15) + b"\1" + bytes(15) + b"\2"


@pytest.fixture
def namespace() -> Iterator[str]:
    name = f"{Instance.free().prefix}live"
    netns.ip("netns", "add", name)
    try:
        netns.sysctl(name, {"net.ipv6.conf.default.accept_dad": "0"})
        ends = ["p1", "mtu", "9000", "address", _MAC, "type", "veth", "peer", "name", "w1", "mtu", "9000"]
        netns.ip("link", "add", *ends, namespace=name)
        for interface in ("p1", "w1"):
            netns.ip("link", "set", interface, "up", namespace=name)
        yield name
    finally:
        netns.ip("netns", "del", name)


def _received(namespace: str) -> int:
    text = netns.inside(namespace, lambda: Path("/proc/thread-self/net/dev_snmp6/p1").read_text())
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Ip6InReceives"))


def test_every_frame_that_is_fed_is_received(namespace: str) -> None:
    with live.fed(namespace, "p1") as feed:
        before = _received(namespace)
        assert feed.nanos(_FRAME, 1000) > 0
        # A packet of neighbor discovery may be among them.
        assert 1000 <= _received(namespace) - before <= 1010


def test_a_frame_that_is_none_says_what_the_kernel_says(namespace: str) -> None:
    with live.fed(namespace, "p1") as feed, pytest.raises(UserError, match="Invalid argument"):
        feed.nanos(b"short", 1)


def test_what_was_fed_can_be_fed_again(namespace: str) -> None:
    for _ in range(2):
        with live.fed(namespace, "p1") as feed:
            feed.nanos(_FRAME, 1)


def test_nothing_gets_further_than_a_program_that_drops(namespace: str) -> None:
    with live.fed(namespace, "p1", drops=True) as feed:
        before = _received(namespace)
        assert feed.nanos(_FRAME, 1000) > 0
        # A packet of neighbor discovery may come meanwhile.
        assert _received(namespace) - before <= 10
