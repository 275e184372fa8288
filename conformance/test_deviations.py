# SPDX-License-Identifier: Apache-2.0
"""Known deviations of data planes from the RFCs, each with a packet that shows it: with the deviation the model agrees
with the node, without it it does not.
"""

import re
from pathlib import Path

import pytest
from model.deviations import DEVIATIONS, Deviation
from model.differential import difference
from model.headers import FRAGMENT, HOP_BY_HOP, IPV6, OPTIONS, ROUTING
from model.node import ReferenceNode
from model.wild import guard
from nodes.bench import Bench
from nodes.packets import extended, framed, outer, routed, srh_bytes, v4, v6, with_options
from nodes.wire import Frame
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet
from sextantlab.paths import ROOT

F00D, F004, END, PSP = "fcbb:bbbb:100:f00d::", "fcbb:bbbb:100:f004::", "fcbb:bbbb:1:e::", "fcbb:bbbb:1:d::"
FIREWALL = "fcbb:bbbb:100:f230:900:f00d::"
NEXT, ELSEWHERE = "fcbb:bbbb:900:f00d::", "fcbb:bbbb:900::"
STEERED, STEERED_V4 = "2001:db8:11::9", "10.11.0.9"
PAD = b"\x01\x04" + bytes(4)
# A node that processes it and does not know it discards the packet (RFC 8200, 4.2).
UNKNOWN = b"\x9e\x04" + bytes(4)
LIST = srh_bytes(IPV6, 1, [NEXT])


def options(next_header: int, option: bytes = PAD) -> bytes:
    return bytes([next_header, 0]) + option


def fragment(next_header: int, place: int = 0) -> bytes:
    return bytes([next_header, 0]) + place.to_bytes(2, "big") + bytes(4)


def labelled(packet: Packet, label: int) -> Packet:
    changed = packet.copy()
    changed[IPv6].fl = label
    return changed


def marked(packet: Packet) -> Packet:
    changed = packet.copy()
    changed[IP].tos = 0xBA
    return changed


def longer_than_it_is(packet: Packet) -> Packet:
    changed = packet.__class__(bytes(packet))
    changed.plen += 8
    return changed


def without_length(packet: Packet) -> Packet:
    changed = packet.copy()
    changed.plen = 0
    return changed


CASES: dict[Deviation, Packet] = {
    Deviation.ONE_HOP: outer("fcbb:bbbb:100:100:900::", v6()),
    Deviation.NO_DESTINATION_OPTIONS: extended(END, OPTIONS, options(ROUTING, UNKNOWN) + LIST, v6()),
    Deviation.ANY_MAC: v6(),
    Deviation.NO_OPTIONS: extended(END, HOP_BY_HOP, options(ROUTING, UNKNOWN) + LIST, v6()),
    Deviation.NO_IPV4_OPTIONS: with_options(v4(), b"\x9e\x01\x00\x00"),
    Deviation.STEERING_FIRST: v6(destination="2001:db8:11:0:1::9"),
    Deviation.NOT_STEERED_AGAIN: outer("fcbb:bbbb:100:7:7::", v6()),
    Deviation.SOURCE_AT_END: outer(F00D, v6(), source="fe80::9"),
    Deviation.EXTENSIONS: extended(END, OPTIONS, 6 * options(OPTIONS) + options(ROUTING) + LIST, v6()),
    Deviation.PASSES: routed(END, 40, [NEXT] + 39 * [END], v6()),
    Deviation.OPTIONS_ON_THE_WAY: extended(ELSEWHERE, HOP_BY_HOP, options(IPV6, UNKNOWN), v6()),
    Deviation.INNER_STAYS: v6(destination=STEERED),
    Deviation.TTL_ENTERS: outer(F004, v4(destination=STEERED_V4, ttl=1)),
    Deviation.SOURCES_ENTER: outer(F00D, v6("fe80::9", STEERED)),
    Deviation.OUTER_OF_IPV4: marked(v4(destination=STEERED_V4)),
    Deviation.NO_LABEL: labelled(v6(destination=STEERED), 0),
    Deviation.LATE_EXPIRY: outer("fcbb:bbbb:100:100:f00d::", v6(), hop_limit=1),
    Deviation.FIRST_ROUTING_HEADER: extended(F00D, ROUTING, srh_bytes(ROUTING, 0, [F00D]) + LIST, v6()),
    Deviation.TLVS: extended(END, ROUTING, srh_bytes(IPV6, 1, [NEXT], tlvs=b"\x7c\x05" + bytes(6)), v6()),
    Deviation.INNER_UNCHECKED: outer(F00D, longer_than_it_is(v6())),
    Deviation.FIRST_FRAGMENTS: extended(F00D, FRAGMENT, fragment(IPV6, 1), v6()),
    Deviation.ANY_ORDER: extended(END, OPTIONS, options(HOP_BY_HOP) + options(ROUTING) + LIST, v6()),
    Deviation.PSP_FIRST: extended(PSP, ROUTING, srh_bytes(ROUTING, 0, [PSP]) + LIST, v6()),
    Deviation.JUMBO: without_length(extended(ELSEWHERE, HOP_BY_HOP, options(IPV6), v6())),
    Deviation.MARTIANS: v4("240.1.2.3"),
    Deviation.LINK_LOCAL_V4: v4("169.254.77.9"),
    Deviation.END_OF_OPTIONS: with_options(v4(), b"\x01\x00\x07\x07"),
    Deviation.NESTED: outer("fcbb:bbbb:100:100:100:100:100:f00d", outer("fcbb:bbbb:100:100:100:100:100:900", v6())),
    Deviation.FIREWALLS_FIRST: outer(F00D, extended(FIREWALL, HOP_BY_HOP, options(IPV6, UNKNOWN), v6(port=5000))),
}  # fmt: skip


def sent(bench: Bench, deviation: Deviation) -> Frame:
    """The packet of a deviation, to the node's own MAC address unless it is about that."""
    frame = bench.into(1, CASES[deviation])
    if deviation is Deviation.ANY_MAC:
        return Frame(1, framed(CASES[deviation], bench.target.ports[1].neighbor_mac, "02:00:00:00:0f:01"))
    return frame


@pytest.mark.parametrize("deviation", Deviation, ids=lambda deviation: deviation.name)
def test_what_deviates_somewhere_is_known_of_this_node(modelled: Bench, deviation: Deviation) -> None:
    """docs/reference/conformance.md."""
    known = DEVIATIONS[modelled.target.name]
    if deviation is Deviation.FIREWALLS_FIRST:
        guard(modelled)
    frame = sent(modelled, deviation)
    node = ReferenceNode(modelled.rows, modelled.target.ports, known)
    assert not (found := difference(modelled, node, frame)), found
    if deviation in known:
        without = ReferenceNode(modelled.rows, modelled.target.ports, known - {deviation})
        assert without.forward(frame) != node.forward(frame), "this packet does not show the deviation"


def test_every_deviation_is_in_the_docs() -> None:
    text = (ROOT / "docs/reference/conformance.md").read_text()
    assert [deviation.value for deviation in Deviation if deviation.value not in text] == []


def test_every_test_in_the_docs_exists() -> None:
    """`…` stands for the rest of a name, at either end."""
    text = (ROOT / "docs/reference/conformance.md").read_text()
    sources = {path.name: path.read_text() for path in Path(__file__).parent.glob("test_*.py")}
    known = [*sources, *(name for source in sources.values() for name in re.findall(r"def (test_\w+)", source))]
    named = re.findall(r"`(…\w+|test_[\w.]+…?)", text)
    assert [one for one in named if not any(_stands_for(one, name) for name in known)] == []


def _stands_for(named: str, name: str) -> bool:
    start, cut, end = named.partition("…")
    return name.startswith(start) and name.endswith(end) if cut else named == name
