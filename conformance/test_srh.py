# SPDX-License-Identifier: Apache-2.0
"""Segment routing headers of every shape, and the extension headers around them (RFC 8754, 2 and 4.3; RFC 8200, 4)."""

import pytest
from nodes.bench import DEPTH, LAST_ENTRY, Bench
from nodes.packets import H1, extended, outer, routed, srh_bytes, v4, v6
from scapy.packet import Packet

END, PSP, UN, NEXT, F00D = (
    "fcbb:bbbb:1:e::",
    "fcbb:bbbb:1:d::",
    "fcbb:bbbb:100::",
    "fcbb:bbbb:9::",
    "fcbb:bbbb:100:f00d::",
)
ELSEWHERE = "fcbb:bbbb:5:6::"
HOP_BY_HOP, IPV6, ROUTING, FRAGMENT, OPTIONS = 0, 41, 43, 44, 60
# PadN of 4 bytes and an unknown TLV, immutable en route (RFC 8754, 2.1 and 8.2).
TLVS = bytes([4, 2, 0, 0, 124, 10, *range(10)])


@pytest.fixture
def sids(node: Bench) -> Bench:
    """A node that owns one SID of each kind."""
    node.my_sid(END + "/128", "end")
    node.my_sid(PSP + "/128", "end_psp")
    node.my_sid(UN + "/48", "un", block_length=32, csid_length=16)
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    return node


def listed(count: int) -> list[str]:
    """A segment list; the path goes through it from the end."""
    return [f"fcbb:bbbb:{n + 16:x}::" for n in range(count)]


def options(next_header: int, units: int = 0) -> bytes:
    """Hop-by-hop or destination options: one for experiments, to be skipped by nodes that do not know it (RFC 4727,
    3.3).
    """
    return bytes([next_header, units, 0x1E, 4 + 8 * units]) + bytes(4 + 8 * units)


def fragment(next_header: int, *, offset: int = 0, more: bool = False) -> bytes:
    return bytes([next_header, 0]) + (offset << 3 | more).to_bytes(2, "big") + (77).to_bytes(4, "big")


# --- how long a list may be


@pytest.mark.differs("vpp", DEPTH, "16", "17", "64", "127")
@pytest.mark.parametrize("count", [1, 4, 5, 16, 17, 64, 127])
@pytest.mark.parametrize("sid", [END, UN], ids=["end", "un"])
def test_the_next_segment_is_found_in_a_list_of_any_length(sids: Bench, sid: str, count: int) -> None:
    """RFC 8754, 2: Hdr Ext Len counts up to 127 segments."""
    segments = listed(count)
    sids.check(1, routed(sid, count, segments, v6()), 2, routed(segments[-1], count - 1, segments, v6(), hop_limit=63))


@pytest.mark.differs("vpp", DEPTH)
@pytest.mark.parametrize("left", [1, 2, 19, 20])
def test_every_segment_of_a_list_is_reached(sids: Bench, left: int) -> None:
    """RFC 8986, 4.1, S14: Segment List[Segments Left - 1]."""
    segments = listed(20)
    sids.check(
        1, routed(END, left, segments, v6()), 2, routed(segments[left - 1], left - 1, segments, v6(), hop_limit=63)
    )


@pytest.mark.parametrize("count", [1, 16, 17, 127])
def test_a_list_passes_a_transit_node_untouched(sids: Bench, count: int) -> None:
    segments = listed(count)
    sids.check(1, routed(ELSEWHERE, 1, segments, v6()), 2, routed(ELSEWHERE, 1, segments, v6(), hop_limit=63))


@pytest.mark.differs("vpp", DEPTH, "17", "64")
@pytest.mark.parametrize("count", [1, 5, 17, 64])
def test_psp_removes_a_list_of_any_length(sids: Bench, count: int) -> None:
    """RFC 8986, 4.16.1."""
    segments = listed(count)
    sids.check(1, routed(PSP, 1, segments, v6()), 2, outer(segments[0], v6(), hop_limit=63))


@pytest.mark.differs("vpp", DEPTH, "127")
@pytest.mark.parametrize("count", [1, 17, 127])
def test_a_decapsulating_sid_removes_a_list_of_any_length(sids: Bench, count: int) -> None:
    """RFC 8986, 4.6."""
    sids.check(1, routed(F00D, 0, [F00D, *listed(count - 1)], v6()), 2, v6(hop_limit=63))


# --- its content


@pytest.mark.parametrize("sid", [END, UN], ids=["end", "un"])
def test_tlvs_stay_where_they_are(sids: Bench, sid: str) -> None:
    """RFC 8754, 2.1."""
    sent = extended(sid, ROUTING, srh_bytes(IPV6, 1, [NEXT, sid], tlvs=TLVS), v6())
    sids.check(1, sent, 2, extended(NEXT, ROUTING, srh_bytes(IPV6, 0, [NEXT, sid], tlvs=TLVS), v6(), hop_limit=63))


def test_psp_removes_tlvs_too(sids: Bench) -> None:
    """RFC 8986, 4.16.1: the whole SRH."""
    sent = extended(PSP, ROUTING, srh_bytes(IPV6, 1, [NEXT], tlvs=TLVS), v6())
    sids.check(1, sent, 2, outer(NEXT, v6(), hop_limit=63))


def test_a_decapsulating_sid_removes_tlvs_too(sids: Bench) -> None:
    """RFC 8986, 4.6."""
    sids.check(1, extended(F00D, ROUTING, srh_bytes(IPV6, 0, [F00D], tlvs=TLVS), v6()), 2, v6(hop_limit=63))


@pytest.mark.differs("vpp", LAST_ENTRY, "1-2", "1-255")
@pytest.mark.parametrize("sid", [END, PSP, UN], ids=["end", "psp", "un"])
@pytest.mark.parametrize(("left", "last_entry"), [(3, 1), (255, 1), (1, 2), (1, 255)])
def test_a_list_that_contradicts_itself_is_not_followed(sids: Bench, sid: str, left: int, last_entry: int) -> None:
    """RFC 8986, 4.1, S09: Segments Left above Last Entry + 1, Last Entry above the limit by the length."""
    srh = srh_bytes(IPV6, left, [NEXT, sid], last_entry=last_entry)
    sids.check_not_forwarded(1, extended(sid, ROUTING, srh, v6()))


def test_a_list_that_contradicts_itself_passes_a_transit_node(sids: Bench) -> None:
    """RFC 8200, 4: extension headers are not examined along the path."""
    srh = srh_bytes(IPV6, 200, [NEXT, NEXT], last_entry=99)
    sids.check(1, extended(ELSEWHERE, ROUTING, srh, v6()), 2, extended(ELSEWHERE, ROUTING, srh, v6(), hop_limit=63))


def test_a_shift_needs_no_list_that_is_right(sids: Bench) -> None:
    """RFC 9800, 4.1.1: done before any extension header is processed."""
    srh = srh_bytes(IPV6, 200, [NEXT, NEXT], last_entry=99)
    sent = extended("fcbb:bbbb:100:200::", ROUTING, srh, v6())
    sids.check(1, sent, 2, extended("fcbb:bbbb:200::", ROUTING, srh, v6(), hop_limit=63))


def test_an_empty_list_is_no_list(sids: Bench) -> None:
    """RFC 8754, 2: Last Entry 0 with no room for an entry."""
    sids.check_not_forwarded(1, extended(END, ROUTING, bytes([IPV6, 0, 4, 1, 0, 0, 0, 0]), v6()))


@pytest.mark.parametrize("kind", [0, 2, 3, 253])
def test_other_routing_headers_are_not_followed(sids: Bench, kind: int) -> None:
    """RFC 8200, 4.4: an unknown routing type with Segments Left."""
    header = bytes([IPV6, 2, kind, 1, 0, 0, 0, 0]) + bytes(16)
    sids.check_not_forwarded(1, extended(END, ROUTING, header, v6()))
    sids.check(
        1, extended(ELSEWHERE, ROUTING, header, v6()), 2, extended(ELSEWHERE, ROUTING, header, v6(), hop_limit=63)
    )


# --- headers around it


AROUND: dict[str, tuple[int, bytes, bytes, int]] = {
    # name: first header, bytes before the SRH, bytes behind it, next header of the SRH
    "hop-by-hop": (HOP_BY_HOP, options(ROUTING), b"", IPV6),
    "long hop-by-hop": (HOP_BY_HOP, options(ROUTING, 20), b"", IPV6),
    "destination options before": (OPTIONS, options(ROUTING), b"", IPV6),
    "hop-by-hop and destination options before": (HOP_BY_HOP, options(OPTIONS) + options(ROUTING, 1), b"", IPV6),
    "destination options behind": (ROUTING, b"", options(IPV6, 1), OPTIONS),
    "a whole fragment": (ROUTING, b"", fragment(IPV6), FRAGMENT),
    "a whole fragment and destination options": (ROUTING, b"", fragment(OPTIONS) + options(IPV6), FRAGMENT),
    "all of them": (HOP_BY_HOP, options(OPTIONS) + options(ROUTING), fragment(OPTIONS) + options(IPV6), FRAGMENT),
}  # fmt: skip


def around(name: str, destination: str, segments_left: int, segments: list[str], *, hop_limit: int = 64) -> Packet:
    first, before, behind, next_header = AROUND[name]
    srh = srh_bytes(next_header, segments_left, segments)
    return extended(destination, first, before + srh + behind, v6(), hop_limit=hop_limit)


@pytest.mark.parametrize("name", AROUND)
def test_end_finds_its_list_among_other_headers(sids: Bench, name: str) -> None:
    """RFC 8200, 4.1: the order of extension headers."""
    sids.check(1, around(name, END, 1, [NEXT, END]), 2, around(name, NEXT, 0, [NEXT, END], hop_limit=63))


@pytest.mark.parametrize("name", AROUND)
def test_a_shift_leaves_other_headers_alone(sids: Bench, name: str) -> None:
    """RFC 9800, 4.1.1."""
    sent = around(name, "fcbb:bbbb:100:200::", 1, [NEXT])
    sids.check(1, sent, 2, around(name, "fcbb:bbbb:200::", 1, [NEXT], hop_limit=63))


@pytest.mark.parametrize("name", AROUND)
def test_psp_leaves_other_headers_alone(sids: Bench, name: str) -> None:
    """RFC 8986, 4.16.1: the next header of the header before the SRH is its own."""
    first, before, behind, next_header = AROUND[name]
    if before:
        last = len(before) - 8 if before[-8] == ROUTING else before.index(bytes([ROUTING]))
        before = before[:last] + bytes([next_header]) + before[last + 1 :]
    else:
        first = next_header
    sids.check(1, around(name, PSP, 1, [NEXT]), 2, extended(NEXT, first, before + behind, v6(), hop_limit=63))


@pytest.mark.differs(
    "vpp",
    "VPP drops what has a fragment header at a SID, whole packets too",
    "a whole fragment",
    "a whole fragment and destination options",
    "all of them",
)
@pytest.mark.parametrize("name", AROUND)
def test_decapsulation_removes_other_headers_too(sids: Bench, name: str) -> None:
    """RFC 8986, 4.6, S03: the outer header with all its extension headers."""
    sids.check(1, around(name, F00D, 0, [F00D]), 2, v6(hop_limit=63))


@pytest.mark.parametrize(("offset", "more"), [(0, True), (4, True), (4, False)], ids=["first", "middle", "last"])
def test_fragments_of_an_outer_packet_are_shifted(sids: Bench, offset: int, more: bool) -> None:
    """RFC 9800, 4.1.1: the shift knows no payload."""
    headers = fragment(IPV6, offset=offset, more=more)
    sent = extended("fcbb:bbbb:100:200::", FRAGMENT, headers, v6())
    sids.check(1, sent, 2, extended("fcbb:bbbb:200::", FRAGMENT, headers, v6(), hop_limit=63))


@pytest.mark.parametrize(("offset", "more"), [(4, True), (4, False)], ids=["middle", "last"])
def test_fragments_of_an_outer_packet_are_not_decapsulated(sids: Bench, offset: int, more: bool) -> None:
    """RFC 8200, 4.5: the payload is a piece of a packet."""
    sids.check_not_forwarded(1, extended(F00D, FRAGMENT, fragment(IPV6, offset=offset, more=more), v6()))


@pytest.mark.differs("linux", "seg6local decapsulates the first fragment of an outer packet, which is no whole packet")
def test_the_first_fragment_of_an_outer_packet_is_not_decapsulated(sids: Bench) -> None:
    """RFC 8200, 4.5."""
    sids.check_not_forwarded(1, extended(F00D, FRAGMENT, fragment(IPV6, more=True), v6()))


def test_fragments_of_an_inner_packet_are_decapsulated(sids: Bench) -> None:
    """They are whole packets to the tunnel (RFC 2473, 7)."""
    sids.my_sid("fcbb:bbbb:100:f004::/64", "udt4", vrf=0)
    for flags, offset in (("MF", 0), ("MF", 5), (0, 5)):
        inner, after = v4(), v4(ttl=63)
        for packet in (inner, after):
            packet.flags, packet.frag = flags, offset
        sids.check(1, outer("fcbb:bbbb:100:f004::", inner), 2, after)


def test_headers_that_run_past_the_packet_are_not_followed(sids: Bench) -> None:
    """RFC 8200, 4: a length that the packet does not have."""
    for sid in (END, UN, F00D):
        sids.check_not_forwarded(1, extended(sid, ROUTING, bytes([IPV6, 200, 4, 1, 0, 0, 0, 0]), v6()))
        sids.check_not_forwarded(1, extended(sid, OPTIONS, bytes([ROUTING, 200, 1, 4, 0, 0, 0, 0]), v6()))


def test_upper_layers_of_a_transit_packet_are_not_looked_at(sids: Bench) -> None:
    """A payload of any protocol and of any length, even none."""
    for protocol, payload in (
        (59, b""),
        (17, b"\x01"),
        (6, b"\x02\x03"),
        (58, b""),
        (IPV6, b"\x60"),
        (255, bytes(100)),
    ):
        packet = routed(ELSEWHERE, 0, [ELSEWHERE], v6(), source=H1)
        packet.nh, packet.payload = protocol, type(packet.payload.payload.payload.payload)(payload)
        lower = packet.copy()
        lower.hlim -= 1
        sids.check(1, packet, 2, lower)
