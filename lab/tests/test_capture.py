# SPDX-License-Identifier: Apache-2.0
"""Captured bytes, and their comparison with a plan. The packets are the paper's policy as RFC 8754 writes it down."""

import os
import shutil
import struct
import subprocess
import sys
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any

import pytest
from sextantlab import walk
from sextantlab.capture import Packet, parse
from sextantlab.paths import LAB
from sextantlab.protocols import NEXT_HEADER, decodes, headers
from sextantlab.protocols.gtpu import Gtpu, gtpu
from sextantlab.protocols.ip import Ip
from sextantlab.protocols.udp import Udp, udp
from sextantlab.walk import Seen

ETHERNET = bytes.fromhex("020000000002 020000000001 86dd")
H11, H31 = "fd00:0:11::2", "fd00:0:31::2"
FIRST, LAST = "fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::"


def ipv6(source: str, destination: str, protocol: int, payload: bytes) -> bytes:
    fixed = struct.pack("!IHBB", 0x60000000, len(payload), protocol, 63)
    return fixed + IPv6Address(source).packed + IPv6Address(destination).packed + payload


def ipv4(source: str, destination: str, payload: bytes, protocol: int = 1, first: int = 0x45) -> bytes:
    fixed = struct.pack("!BBHHHBBH", first, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return fixed + IPv4Address(source).packed + IPv4Address(destination).packed + payload


def srh(protocol: int, segments_left: int, *segments: str, last_entry: int | None = None) -> bytes:
    last = len(segments) - 1 if last_entry is None else last_entry
    fixed = struct.pack("!BBBBBBH", protocol, 2 * len(segments), 4, segments_left, last, 0, 0)
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


def test_ipv4_carries_packets_too() -> None:
    frame = ETHERNET[:12] + b"\x08\x00" + ipv4("192.0.2.1", "192.0.2.2", INNER, 41)
    packet = seen_at("l1", frame)
    assert (packet.source, packet.destination, packet.hop_limit) == ("192.0.2.1", "192.0.2.2", 64)
    assert (packet.inner.source, packet.inner.destination) == (H11, H31)


TUNNEL = """
from dataclasses import dataclass

from .registry import NEXT_HEADER, UDP_PORT, Decoded, decodes


@dataclass(frozen=True)
class Tunnel:
    label: int


@decodes(UDP_PORT, 9999)
def tunnel(data: bytes) -> Decoded | None:
    return Decoded(Tunnel(data[0]), (NEXT_HEADER, 41), data[1:]) if data else None
"""
READ = """
import sys
from sextantlab.capture import parse
packet = parse(bytes.fromhex(sys.argv[1]), "l1", "port", False, 1.0)
print(packet and (packet.inner.source, packet.inner.destination, *packet.headers[1:3]))
"""


def test_a_protocol_is_one_file(tmp_path: Path) -> None:
    """A module that is put beside the others is all that a capture needs to look into a tunnel."""
    packages = tmp_path / "lab"
    shutil.copytree(LAB / "sextantlab", packages / "sextantlab", ignore=shutil.ignore_patterns("__pycache__"))
    datagram = struct.pack("!HHHH", 40000, 9999, 9 + len(INNER), 0) + b"\x07" + INNER
    words = [sys.executable, "-c", READ, (ETHERNET + ipv6("fcff:1::1", "fcff:2::2", 17, datagram)).hex()]
    env = os.environ | {"PYTHONPATH": str(packages)}
    assert subprocess.check_output(words, env=env, text=True) == "None\n"
    (packages / "sextantlab/protocols/tunnel.py").write_text(TUNNEL)
    wanted = f"('{H11}', '{H31}', Udp(source_port=40000, destination_port=9999), Tunnel(label=7))\n"
    assert subprocess.check_output(words, env=env, text=True) == wanted


def test_two_decoders_of_one_number_are_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"next header 43 has two decoders: .*srh\.srh and .*udp\.udp"):
        decodes(NEXT_HEADER, 43)(udp)


@pytest.mark.parametrize(
    "frame",
    [
        ETHERNET + INNER,
        ETHERNET[:12] + b"\x08\x00" + ipv4("10.0.11.2", "10.0.31.2", b"a packet that is not encapsulated"),
        ETHERNET + ipv6("fcff:1::1", FIRST, 43, srh(41, 1, LAST) + INNER)[:60],
        ETHERNET + ipv6("fcff:1::1", FIRST, 43, srh(41, 1, LAST, last_entry=9) + INNER),
        ETHERNET + ipv6("fcff:1::1", LAST, 41, INNER[:30]),
        ETHERNET + ipv6("fcff:1::1", LAST, 4, ipv4("10.0.11.2", "10.0.31.2", b"echo", 4, first=0x40)),
        b"",
    ],
    ids=[
        "not encapsulated", "IPv4", "SRH cut off", "a list longer than its SRH", "inner header cut off",
        "an inner header of no length", "nothing",
    ],
)  # fmt: skip
def test_ignores_everything_else(frame: bytes) -> None:
    assert parse(frame, "l1", "port", False, 1.0) is None


DIRECTION: dict[str, Any] = {
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


# A gNB's uplink: TEID 0x12345678, a PDU Session Container with QFI 9, 10.60.0.1 to 198.18.0.7 inside.
GTP = bytes.fromhex(
    "45b800500000400040114dafc0000201c6336401 08680868003c0000 34ff002c12345678 00000085 01100900"
    "45000024000100004011aa720a3c0001c6120007 1234000700100000 73657874616e7421"
)


def test_gtp_u_is_read_with_its_session_and_the_packet_inside() -> None:
    outer, udp_header, tunnel, inner, inside = headers(ETHERNET[:12] + b"\x08\x00" + GTP)
    assert isinstance(outer, Ip)
    assert (outer.source, outer.destination) == ("192.0.2.1", "198.51.100.1")
    assert udp_header == Udp(2152, 2152)
    assert tunnel == Gtpu(255, 0x12345678, None, 1, 9, False)
    assert isinstance(inner, Ip)
    assert (inner.source, inner.destination) == ("10.60.0.1", "198.18.0.7")
    assert inside == Udp(0x1234, 7)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("32010004 00000000 00070000", Gtpu(1, 0, 7)),
        ("30fe0000 0000000a", Gtpu(254, 10)),
        ("34ff0008 00000001 00000085 01004900", Gtpu(255, 1, None, 0, 9, True)),
        ("34ff0010 00000001 000000c0 01000185 0210090000000000", Gtpu(255, 1, None, 1, 9, False)),
    ],
    ids=["echo request", "end marker", "downlink", "another extension first"],
)
def test_gtp_u_messages(message: str, expected: Gtpu) -> None:
    decoded = gtpu(bytes.fromhex(message))
    assert decoded is not None
    assert decoded.header == expected


@pytest.mark.parametrize(
    "message",
    ["30ff", "1eff0000 00000000", "30ff0001 00000001", "34ff0008 00000001 00000085 00100900",
     "34ff0008 00000001 00000085 05100900", "34ff0000 00000001"],
    ids=["short", "GTPv0", "longer than it is", "extension of no length", "extension beyond", "no extension"],
)  # fmt: skip
def test_what_is_no_whole_gtp_u_is_not_read(message: str) -> None:
    assert gtpu(bytes.fromhex(message)) is None
