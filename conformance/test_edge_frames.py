# SPDX-License-Identifier: Apache-2.0
"""Frames that an edge does not read to their end are dropped there and counted (docs/reference/edge.md).

A kernel takes off any number of tags of VLAN 0, which carry a priority only (IEEE 802.1Q, 6.9), and steps over any
number of extension headers: a node behind an edge still reads the parts that the edge does not.
"""

import struct

import pytest
from model.edge import Reason
from nodes.bench import CUT_CHAINS, TAGS, Bench
from nodes.edge_kit import (
    F00D,
    HOP_BY_HOP,
    INSIDE,
    NEITHER,
    OPTIONS,
    OUTSIDE,
    PEER,
    ROUTING,
    UDP_BYTES,
    UDP_IN,
    authentication,
    cells,
    drops,
    drops_frame,
    forwards,
    options,
    packet,
    peer,
    port,
    srh,
    strictly,
)
from nodes.packets import H1, SOURCE, outer, v4, v6
from scapy.packet import Packet

C_TAG, S_TAG, IPV6, IPV4 = 0x8100, 0x88A8, 0x86DD, 0x0800
MANY = [4, 5, 8, 16, 60]
STACKS = {"C": [C_TAG], "S": [S_TAG], "S and C": [S_TAG, C_TAG]}


def tagged(
    node: Bench, number: int, inside: Packet, count: int, kinds: list[int], vlan: int = 0, ethertype: int = IPV6
) -> bytes:
    """A frame with the given number of tags, of these kinds in turn."""
    here = node.target.ports[number]
    macs = bytes.fromhex((here.mac + here.neighbor_mac).replace(":", ""))
    tags = b"".join(struct.pack("!HH", kinds[at % len(kinds)], vlan) for at in range(count))
    return macs + tags + struct.pack("!H", ethertype) + bytes(inside)


# --- tags


@pytest.mark.differs("vpp", TAGS, "S")
@pytest.mark.parametrize("kinds", STACKS)
@pytest.mark.parametrize("count", MANY)
def test_a_sid_is_not_reached_behind_many_tags(edge: Bench, count: int, kinds: str) -> None:
    """One is more than the edge reads, and all are taken off by a kernel."""
    sent = outer(F00D, v6(), source=H1)
    drops_frame(edge, OUTSIDE, tagged(edge, OUTSIDE, sent, count, STACKS[kinds]), Reason.UNREADABLE)


@pytest.mark.differs("vpp", TAGS, "2-S", "S-2")
@pytest.mark.parametrize("kinds", STACKS)
@pytest.mark.parametrize("count", [1, 2])
def test_a_sid_is_not_reached_behind_few_tags(edge: Bench, count: int, kinds: str) -> None:
    """A node that reads tags judges the packet behind them; one that reads none takes no tagged frame."""
    frame = tagged(edge, OUTSIDE, outer(F00D, v6(), source=H1), count, STACKS[kinds])
    drops_frame(edge, OUTSIDE, frame, Reason.SID, Reason.UNREADABLE)


@pytest.mark.parametrize("vlan", [1, 0xFFE, 0xE000])
def test_tags_of_vlans_are_tags(edge: Bench, vlan: int) -> None:
    """Also those of a VLAN of its own, and of a priority."""
    sent = outer(F00D, v6(), source=H1)
    drops_frame(edge, OUTSIDE, tagged(edge, OUTSIDE, sent, 5, [C_TAG], vlan), Reason.UNREADABLE)


def test_whatever_is_behind_many_tags_is_dropped(edge: Bench) -> None:
    """A customer's packet, one with a source of the domain, IPv4, and a frame that ends with its tags."""
    for inside, kind in ((v6(), IPV6), (v6(SOURCE), IPV6), (v4(), IPV4)):
        frame = tagged(edge, OUTSIDE, inside, 6, [C_TAG], ethertype=kind)
        drops_frame(edge, OUTSIDE, frame, Reason.UNREADABLE)
    drops_frame(edge, OUTSIDE, tagged(edge, OUTSIDE, v6(), 6, [C_TAG])[: 14 + 4 * 6], Reason.UNREADABLE)


@pytest.mark.differs("vpp", TAGS)
def test_a_peer_is_not_known_behind_many_tags(edge: Bench) -> None:
    """Its source cannot be read."""
    edge.install(peer(OUTSIDE, "2001:db8:1:7::/64"))
    frame = tagged(edge, OUTSIDE, outer(F00D, v6(), source=PEER), 5, [S_TAG])
    drops_frame(edge, OUTSIDE, frame, Reason.UNREADABLE)


@pytest.mark.parametrize("known_sources", [0, 1])
def test_many_tags_from_inside_are_dropped(edge: Bench, known_sources: int) -> None:
    """No node of the domain sends them, and a source that is asked for is not to be seen."""
    edge.modify("edge_port", {"in_port": INSIDE}, port(INSIDE, "internal", known_sources).action)
    frame = tagged(edge, INSIDE, outer(F00D, v6(), source=H1), 4, [C_TAG])
    drops_frame(edge, INSIDE, frame, Reason.UNREADABLE)


@pytest.mark.parametrize("kind", [0x88CC, 0x8847, 0x9100, 0x9200, 0x88E5, 0x0842])
def test_other_ethertypes_are_nothing_to_an_edge(edge: Bench, kind: int) -> None:
    """LLDP, MPLS, tags that no kernel takes off, MACsec: no node forwards them as IP, and they are not counted."""
    before = cells(edge)
    frame = tagged(edge, OUTSIDE, outer(F00D, v6(), source=H1), 0, [C_TAG], ethertype=kind)
    assert not edge.send(OUTSIDE, frame)
    assert cells(edge) == before


def test_frames_without_a_tag_pass(edge: Bench) -> None:
    forwards(edge, OUTSIDE, v6())
    forwards(edge, INSIDE, v6())


# --- extension headers


def many(count: int, last: int = UDP_IN, rest: bytes = UDP_BYTES) -> bytes:
    """So many headers with options."""
    return options(OPTIONS) * (count - 1) + options(last) + rest


LONG = {
    "options": (many(20), OPTIONS),
    "options behind hop-by-hop": (options(OPTIONS) + many(20), HOP_BY_HOP),
    "an SRH behind them": (many(20, ROUTING, srh() + UDP_BYTES), OPTIONS),
    "a packet behind them": (many(20, 41, bytes(outer(F00D, v6(), source=H1))), OPTIONS),
    "authentication headers": (authentication(51) * 19 + authentication(UDP_IN) + UDP_BYTES, 51),
}


@pytest.mark.differs("vpp", CUT_CHAINS)
@pytest.mark.parametrize("drop_srh", [0, 1])
@pytest.mark.parametrize("name", LONG)
def test_more_headers_than_an_edge_reads_are_dropped(edge: Bench, name: str, drop_srh: int) -> None:
    """With and without drop_srh: the headers behind them are not read."""
    edge.modify("edge_port", {"in_port": OUTSIDE}, port(OUTSIDE, "external", drop_srh).action)
    drops(edge, OUTSIDE, Reason.UNREADABLE, packet(*LONG[name]))


@pytest.mark.parametrize("drop_srh", [0, 1])
def test_few_headers_pass(edge: Bench, drop_srh: int) -> None:
    edge.modify("edge_port", {"in_port": OUTSIDE}, port(OUTSIDE, "external", drop_srh).action)
    forwards(edge, OUTSIDE, packet(many(4), OPTIONS))
    forwards(edge, OUTSIDE, packet(options(OPTIONS) + many(2), HOP_BY_HOP))


def test_who_goes_to_a_sid_is_dropped_for_that(edge: Bench) -> None:
    """Addresses are read before headers."""
    strictly(edge)
    drops(edge, OUTSIDE, Reason.SID, packet(*LONG["options"], destination=F00D))
    drops(edge, OUTSIDE, Reason.SOURCE, packet(*LONG["options"], came_from=SOURCE))


def test_a_port_without_a_role_asks_for_no_headers(edge: Bench) -> None:
    forwards(edge, NEITHER, packet(*LONG["options"]), out=2)
