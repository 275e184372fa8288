# SPDX-License-Identifier: Apache-2.0
"""Captured bytes, and their comparison with a plan. The packets are the paper's policy as RFC 8754 writes it down."""

import struct
from ipaddress import IPv4Address, IPv6Address

import pytest
from sextantlab import walk
from sextantlab.capture import Packet, parse
from sextantlab.walk import Seen

ETHERNET = bytes.fromhex("020000000002 020000000001 86dd")
H11, H31 = "fd00:0:11::2", "fd00:0:31::2"
FIRST, LAST = "fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::"


def ipv6(source: str, destination: str, protocol: int, payload: bytes) -> bytes:
    fixed = struct.pack("!IHBB", 0x60000000, len(payload), protocol, 63)
    return fixed + IPv6Address(source).packed + IPv6Address(destination).packed + payload


def ipv4(source: str, destination: str, payload: bytes) -> bytes:
    fixed = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, 1, 0)
    return fixed + IPv4Address(source).packed + IPv4Address(destination).packed + payload


def srh(protocol: int, segments_left: int, *segments: str) -> bytes:
    fixed = struct.pack("!BBBBBBH", protocol, 2 * len(segments), 4, segments_left, len(segments) - 1, 0, 0)
    return fixed + b"".join(IPv6Address(segment).packed for segment in segments)


INNER = ipv6(H11, H31, 58, b"\x80\x00\x00\x00echo")


def seen_at(node: str, frame: bytes, *, leaving: bool = False) -> Packet:
    packet = parse(frame, node, "port", leaving, 1.0)
    assert packet is not None
    return packet


def test_reads_destination_segments_left_and_inner_packet() -> None:
    packet = seen_at("l1", ETHERNET + ipv6("fcff:1::1", FIRST, 43, srh(41, 1, LAST) + INNER))
    assert (packet.destination, packet.segments_left, packet.segments) == (FIRST, 1, (LAST,))
    assert (packet.source, packet.hop_limit) == ("fcff:1::1", 63)
    assert (packet.inner.source, packet.inner.destination, packet.inner.protocol) == (H11, H31, 58)
    assert packet.inner.payload == b"\x80\x00\x00\x00echo"


def test_reads_an_encapsulation_without_srh() -> None:
    packet = seen_at("l1", ETHERNET + ipv6("fcff:1::1", LAST, 41, INNER))
    assert (packet.destination, packet.segments_left, packet.segments) == (LAST, 0, ())


def test_reads_ipv4_inside() -> None:
    packet = seen_at("l1", ETHERNET + ipv6("fcff:1::1", LAST, 4, ipv4("10.0.11.2", "10.0.31.2", b"echo")))
    assert (packet.inner.version, packet.inner.source, packet.inner.destination) == (4, "10.0.11.2", "10.0.31.2")


@pytest.mark.parametrize(
    "frame",
    [
        ETHERNET + INNER,
        ETHERNET[:12] + b"\x08\x00" + ipv4("10.0.11.2", "10.0.31.2", b"a packet that is not encapsulated"),
        ETHERNET + ipv6("fcff:1::1", FIRST, 43, srh(41, 1, LAST) + INNER)[:60],
        ETHERNET + ipv6("fcff:1::1", LAST, 41, INNER[:30]),
        b"",
    ],
    ids=["not encapsulated", "IPv4", "SRH cut off", "inner header cut off", "nothing"],
)
def test_ignores_everything_else(frame: bytes) -> None:
    assert parse(frame, "l1", "port", False, 1.0) is None


DIRECTION = {
    "headend": "l1",
    "hops": [
        {"node": "l1", "destinationAddress": "fcbb:bbbb:200:300:f00d::", "segmentsLeft": 0},
        {"node": "l2", "destinationAddress": "fcbb:bbbb:200:300:f00d::", "segmentsLeft": 0},
        {"node": "l3", "destinationAddress": "fcbb:bbbb:300:f00d::", "segmentsLeft": 0},
    ],
}


def on_the_wire(node: str, destination: str, *, leaving: bool = False) -> Packet:
    return seen_at(node, ETHERNET + ipv6("fcff:1::1", destination, 41, INNER), leaving=leaving)


AS_PLANNED = [
    on_the_wire("l1", "fcbb:bbbb:200:300:f00d::", leaving=True),
    on_the_wire("l2", "fcbb:bbbb:200:300:f00d::"),
    on_the_wire("l2", "fcbb:bbbb:300:f00d::", leaving=True),
    on_the_wire("l3", "fcbb:bbbb:300:f00d::"),
]


def test_the_planned_walk_is_ok_at_every_node() -> None:
    rows = walk.compare(DIRECTION, AS_PLANNED)
    assert [(row.node, row.ok) for row in rows] == [("l1", True), ("l2", True), ("l3", True)]


def test_another_destination_is_different() -> None:
    rows = walk.compare(DIRECTION, [*AS_PLANNED[:3], on_the_wire("l3", "fcbb:bbbb:301:f00d::")])
    assert [row.ok for row in rows] == [True, True, False]


def test_a_second_destination_beside_the_planned_one_is_different() -> None:
    rows = walk.compare(DIRECTION, [*AS_PLANNED, on_the_wire("l2", "fcbb:bbbb:300:f00d::")])
    assert [row.ok for row in rows] == [True, False, True]


def test_a_node_without_packets_is_different() -> None:
    rows = walk.compare(DIRECTION, AS_PLANNED[:3])
    assert rows[2].captured == frozenset()
    assert not rows[2].ok


def test_packets_at_a_node_that_is_not_on_the_path_are_different() -> None:
    rows = walk.compare(DIRECTION, [*AS_PLANNED, on_the_wire("v8", "fcbb:bbbb:300:f00d::")])
    assert rows[-1].node == "v8"
    assert not rows[-1].ok


def test_a_node_that_looks_a_packet_up_twice_has_one_line() -> None:
    twice = {"headend": "l1", "hops": [DIRECTION["hops"][0], DIRECTION["hops"][2], dict(DIRECTION["hops"][2])]}
    assert walk.planned(twice) == [
        ("l1", Seen("fcbb:bbbb:200:300:f00d::", 0)),
        ("l3", Seen("fcbb:bbbb:300:f00d::", 0)),
    ]
