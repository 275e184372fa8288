# SPDX-License-Identifier: Apache-2.0
"""Helpers of the packet tests of the edge: table entries, packets as bytes, and checks of drops and counters.

Port 1 is external and port 3 internal; ports 2 and 4 have no role. SIDs of the domain are fcbb:bbbb::/32, its
sources fcff:1::/48; the node is 0100 and decapsulates at fcbb:bbbb:100:f00d::; the rest of the block is behind port 2.
"""

import struct
from ipaddress import IPv6Address

from model.edge import Edge, Reason, cell
from model.headers import SRH_TYPE
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw

from .bench import Bench
from .oracle import Row
from .p4runtime import Action
from .packets import H1, H2
from .target import PORTS

OUTSIDE, INSIDE, NEITHER = 1, 3, 2
NO_PORT = 0
BLOCK, SOURCES = "fcbb:bbbb::/32", "fcff:1::/48"
F00D, ELSEWHERE = "fcbb:bbbb:100:f00d::", "fcbb:bbbb:200:f00d::"
PEER = "2001:db8:1:7::2"
HOP_BY_HOP, IPV6_IN, ROUTING, FRAGMENT, AH, NOTHING, OPTIONS, UDP_IN = 0, 41, 43, 44, 51, 59, 60, 17


# --- rows


def port(number: int, action: str, setting: int) -> Row:
    parameter = "drop_srh" if action == "external" else "known_sources"
    return Row("edge_port", {"in_port": number}, Action(action, {parameter: setting}))


def sid(prefix: str, action: str = "protect") -> Row:
    return Row("edge_sid", {"dst": prefix}, Action(action, {}))


def source(prefix: str) -> Row:
    return Row("edge_source", {"src": prefix}, Action("domain_source", {}))


def peer(number: int, prefix: str) -> Row:
    return Row("edge_peer", {"in_port": number, "src": prefix}, Action("peer", {}))


def strictly(node: Bench) -> None:
    node.modify("edge_port", {"in_port": OUTSIDE}, port(OUTSIDE, "external", 1).action)


# --- results


def cells(node: Bench) -> dict[tuple[int, Reason], int]:
    places = {(number, reason): cell(number, reason) for number in PORTS for reason in Reason}
    counted = node.client.cells("edge_dropped", places.values())
    return {place: counted[index] for place, index in places.items()}


def _at_no_port(node: Bench) -> int:
    return node.client.cell("edge_dropped", cell(NO_PORT, Reason.UNREADABLE))


def model(node: Bench) -> Edge:
    return Edge(node.rows, None if node.target.name == "vpp" else SRH_TYPE)


def drops(node: Bench, number: int, reason: Reason, packet: Packet) -> None:
    """The packet goes nowhere and is counted once, for that reason; the model agrees."""
    assert model(node).judge(number, bytes(packet)).reason == reason, bytes(packet).hex()
    before = cells(node)
    node.check_not_forwarded(number, packet)
    assert cells(node) == before | {(number, reason): before[number, reason] + 1}, bytes(packet).hex()


def drops_frame(node: Bench, number: int, frame: bytes, *reasons: Reason) -> None:
    """The frame goes nowhere and is counted once, for one of the reasons, of which the first is the model's.

    VPP does not know the port of a frame that it drops for its tags.
    """
    assert model(node).judge_frame(number, frame).reason == reasons[0], frame.hex()
    before, before_at_none = cells(node), _at_no_port(node)
    node.check_not_forwarded(number, frame)
    counted = {at: count - before[at] for at, count in cells(node).items() if count != before[at]}
    if node.target.name == "vpp" and Reason.UNREADABLE in reasons and not counted:
        assert _at_no_port(node) == before_at_none + 1, frame.hex()
        return
    assert counted in [{(number, reason): 1} for reason in reasons], frame.hex()


def passes(node: Bench, number: int, packet: Packet, became: Packet, out: int = 2) -> None:
    """The packet becomes another one, and nothing is counted."""
    assert model(node).judge(number, bytes(packet)).reason is None, bytes(packet).hex()
    before = cells(node)
    node.check(number, packet, out, became)
    assert cells(node) == before


def forwards(node: Bench, number: int, packet: Packet, out: int = 2) -> None:
    """The packet goes on as it came, a hop further."""
    passes(node, number, packet, hop_further(packet), out)


def hop_further(packet: Packet) -> Packet:
    further = packet.copy()
    further[IPv6].hlim -= 1
    return further


def peers(node: Bench) -> dict[str, int]:
    """Packets by the prefix of the peer."""
    counted = {}
    for row in node.client.read("edge_peer", counters=True):
        match = next(field.lpm for field in row.match if field.HasField("lpm"))
        prefix = f"{IPv6Address(match.value.rjust(16, bytes(1)))}/{match.prefix_len}"
        counted[prefix] = row.counter_data.packet_count
    return counted


# --- packets


def packet(
    headers: bytes, first: int, destination: str = H2, came_from: str = H1, *, length: int | None = None
) -> Packet:
    """Extension headers as bytes, the first of kind `first`; Scapy does not complete or correct them."""
    return IPv6(
        src=came_from, dst=destination, nh=first, hlim=64, plen=len(headers) if length is None else length
    ) / Raw(headers)


def srh(left: int = 1, following: int = UDP_IN) -> bytes:
    """With one segment, a SID of the domain."""
    return struct.pack("!BBBBBBH", following, 2, 4, left, 0, 0, 0) + IPv6Address(F00D).packed


def options(following: int) -> bytes:
    """Padding only (RFC 8200, 4.2); so is a hop-by-hop header."""
    return bytes([following, 0, 1, 4, 0, 0, 0, 0])


def other_routing(following: int, kind: int = 3) -> bytes:
    """A routing header that has ended, of another type."""
    return bytes([following, 0, kind, 0, 0, 0, 0, 0])


def fragment(following: int, offset: int = 0, more: int = 0) -> bytes:
    return struct.pack("!BBHI", following, 0, offset << 3 | more, 7)


def authentication(following: int) -> bytes:
    return bytes([following, 4, 0, 0]) + bytes(20)


UDP_BYTES = bytes(UDP(sport=4000, dport=5000, chksum=0x1234) / Raw(b"sextant!"))
