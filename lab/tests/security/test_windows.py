# SPDX-License-Identifier: Apache-2.0
"""No host outside writes numbers into the window of a Live-Live flow, at whatever port, while the flow runs."""

import functools
import json
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from outside import Outsider, inner, srh, watching
from scapy.layers.inet6 import IPv6, IPv6ExtHdrSegmentRoutingTLV
from scapy.layers.l2 import Ether
from sextantlab import netns
from sextantlab.counters import Counters
from sextantlab.processes import until
from sextantlab.traffic import Stream
from story import Story

_PATIENCE_SECONDS = 30
_INGRESS, _EGRESS = "l1", "v5"
_FLOW = {
    "name": "watched",
    "from": "h11",
    "to": "h51",
    "protocol": "udp",
    "paths": [["l1", "l2", "p7", "p6", "v5"], ["l1", "l2", "l3", "v4", "v5"]],
}
_TLV = struct.Struct("!BBHIQ")  # type, length, epoch, flow id, sequence: docs/reference/livelive.md
_TLV_TYPE = 124
_ETH_P_ALL = 3  # sees a copy before the node takes it
# How far ahead of the last number that was seen: those to come next, a window ahead, on either side of the limit of a
# jump, and numbers that keep a window shut for good.
_AHEAD = (*range(1, 41), 256, 1000, 65536, 65537, 2**24 - 1, 2**24 + 1, 2**40)


@dataclass(frozen=True)
class Copy:
    """The fields of a copy of a packet where it ends."""

    sid: str
    epoch: int
    flow: int
    sequence: int

    @classmethod
    def of(cls, frame: bytes) -> "Copy | None":
        packet = frame[14:]
        if len(packet) < 80 or frame[12:14] != b"\x86\xdd" or packet[6] != 43 or packet[42] != 4 or packet[43] != 0:
            return None
        at = 48 + 16 * (packet[44] + 1)
        kind, _, epoch, flow, sequence = _TLV.unpack_from(packet, at)
        return (
            cls(socket.inet_ntop(socket.AF_INET6, packet[24:40]), epoch, flow, sequence) if kind == _TLV_TYPE else None
        )

    def forged(self, sender: str, receiver: str, source: str, victim: str) -> "Forgery":
        """A frame as of the flow's ingress, from one MAC address to another."""
        value = _TLV.pack(_TLV_TYPE, 14, 0, self.flow, 0)[2:]
        tlv = IPv6ExtHdrSegmentRoutingTLV(type=_TLV_TYPE, len=14, value=value)
        packet = IPv6(src=source, dst=self.sid) / srh([self.sid], 0, tlv) / inner(source, victim)
        return Forgery(bytes(Ether(src=sender, dst=receiver) / packet))


@dataclass(frozen=True)
class Forgery:
    """A frame whose numbers are written at the last moment: the flow goes on while scapy makes one."""

    frame: bytes

    def numbered(self, epoch: int, sequence: int) -> bytes:
        at = 14 + 40 + 8 + 16
        kind, length, _, flow, _ = _TLV.unpack_from(self.frame, at)
        numbers = _TLV.pack(kind, length, epoch, flow, sequence % 2**64)
        return self.frame[:at] + numbers + self.frame[at + _TLV.size :]


class Wire:
    """The packets that come in at a node."""

    def __init__(self, namespace: str) -> None:
        self._socket = netns.inside(
            namespace,
            functools.partial(socket.socket, socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL)),
        )
        self._socket.settimeout(1)

    def close(self) -> None:
        self._socket.close()

    def copies(self) -> dict[str, Copy]:
        """The next copy of each path, by SID. Pending ones were sent before and are not new."""
        self._socket.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                self._socket.recv(65536)
        self._socket.settimeout(_PATIENCE_SECONDS)
        found: dict[str, Copy] = {}
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while len(found) < len(_FLOW["paths"]):
            assert time.monotonic() < deadline, f"copies come in over {len(found)} paths: {list(found)}"
            copy = Copy.of(self._socket.recv(65536))
            if copy is not None:
                found[copy.sid] = copy
        return found


@pytest.fixture
def flowing(story: Story) -> Iterator[dict[str, Any]]:
    answer = story.rest.call("POST", "/srv6/livelive", json.dumps(_FLOW).encode())
    stored = answer.expect(200, 201)
    assert stored["state"] == "INSTALLED", stored
    yield stored
    story.rest.delete(f"/srv6/livelive/{stored['id']}")
    assert until(lambda: story.rest.get("/srv6/livelive") == [], _PATIENCE_SECONDS)


@contextmanager
def _wire(story: Story) -> Iterator[Wire]:
    wire = Wire(story.namespace(_EGRESS))
    try:
        yield wire
    finally:
        wire.close()


def _stream(story: Story) -> Stream:
    return Stream(story.namespace("h11"), story.namespace("h51"), story.address("h51"))


def _dropped(counters: dict[str, Counters]) -> Counter[tuple[str, int, str]]:
    return Counter({(node, *key): count for node, one in counters.items() for key, count in one.dropped().items()})


def _await(counters: dict[str, Counters], place: tuple[str, int, str], count: int) -> None:
    """Waits until a node counts so many packets as dropped."""
    node, port, reason = place

    def dropped() -> int:
        return counters[node].dropped_at(port, reason)

    assert until(lambda: dropped() >= count, _PATIENCE_SECONDS), f"{place}: {dropped()} dropped, {count} sent"


def batched(all_of_them: Sequence[int], at_once: int) -> Iterator[Sequence[int]]:
    return (all_of_them[at : at + at_once] for at in range(0, len(all_of_them), at_once))


def test_no_host_writes_numbers_into_a_window(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider], flowing: dict[str, Any]
) -> None:
    before, sent = _dropped(counters), Counter[tuple[str, int, str]]()
    spoken_as = story.lab.description["devices"][f"device:{_INGRESS}"]["srv6"]["encapSource"]
    with _wire(story) as wire, _stream(story) as stream:
        assert stream.await_more(100)
        with watching(story, [member.name for member in story.lab.network.members]) as seen:
            for outsider in outsiders:
                for sid, copy in wire.copies().items():
                    for source, reason in ((outsider.address, "SID"), (spoken_as, "SOURCE")):
                        forgery = copy.forged(outsider.host.mac, outsider.router, source, story.address("h51"))
                        place = outsider.node, outsider.port, reason
                        for epochs, some in product((0, 1), batched(_AHEAD, outsider.frames_at_once)):
                            now = wire.copies()[sid]
                            for ahead in some:
                                outsider.send_frame(forgery.numbered(now.epoch + epochs, now.sequence + ahead))
                            sent[place] += len(some)
                            _await(counters, place, before[place] + sent[place])
        assert stream.await_more(500)
    assert stream.lost() == stream.repeated() == []
    dropped = _dropped(counters)
    dropped.subtract(before)
    assert {place: count for place, count in dropped.items() if count} == dict(sent)
    entries = {(outsider.host.location.node, outsider.host.location.name) for outsider in outsiders}
    hosts = {outsider.name for outsider in outsiders}
    elsewhere = {at: n for at, n in seen.items() if (at[0], at[1]) not in entries and (at[0] not in hosts or not at[2])}
    assert elsewhere == {}
    print(f"{sent.total()} forged numbers of {len(outsiders)} hosts; {stream.sent} packets of the flow, none lost")


def test_the_same_numbers_from_inside_would_have_shut_the_window(story: Story, flowing: dict[str, Any]) -> None:
    """Proves that the attack is one: a node that was taken over can do this (SECURITY.md, limits of the defense)."""
    neighbor, interface = _neighbor(story)
    target = netns.run(
        story.namespace(_EGRESS), "cat", f"/sys/class/net/{_facing(story, neighbor)}/address"
    ).stdout.strip()
    traitor = netns.inside(
        story.namespace(neighbor), functools.partial(socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
    )
    netns.inside(story.namespace(neighbor), lambda: traitor.bind((interface, 0)))
    source = story.lab.description["devices"][f"device:{_INGRESS}"]["srv6"]["encapSource"]
    with traitor, _wire(story) as wire, _stream(story) as stream:
        assert stream.await_more(100)
        copy = next(iter(wire.copies().values()))
        forgery = copy.forged("02:00:00:00:00:99", target, source, story.address("h12"))
        now = wire.copies()[copy.sid]
        for ahead in range(1, 501):
            traitor.send(forgery.numbered(now.epoch, now.sequence + ahead))
        assert stream.await_more(1000)
    assert len(stream.lost()) > 100, f"{len(stream.lost())} of {stream.sent} lost"


def _neighbor(story: Story) -> tuple[str, str]:
    """A Linux node with a link to the egress, and its interface there."""
    return next(
        (end.node, end.name)
        for link in story.lab.network.links
        for end, other in ((link.a, link.b), (link.b, link.a))
        if other.node == _EGRESS and end.node in ("p6", "v4")
    )


def _facing(story: Story, neighbor: str) -> str:
    return next(
        str(end.name)
        for link in story.lab.network.links
        for end, other in ((link.a, link.b), (link.b, link.a))
        if end.node == _EGRESS and other.node == neighbor
    )
