# SPDX-License-Identifier: Apache-2.0
"""Extension headers in any order and number (RFC 8200, 4.1), and lengths that say less than there is, or too much."""

from collections.abc import Callable, Iterator

import pytest
from nodes.bench import FRAGMENTS, INNER, LENGTH, MANY_HEADERS, Bench
from nodes.packets import extended, outer, routed, srh_bytes, v4, v6
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw
from sextantlab import netns

END, PSP, UN, NEXT, F00D, F004, BINDING = (
    "fcbb:bbbb:1:e::", "fcbb:bbbb:1:d::", "fcbb:bbbb:100::", "fcbb:bbbb:9::", "fcbb:bbbb:100:f00d::",
    "fcbb:bbbb:100:f004::", "fcbb:bbbb:1:b::",
)  # fmt: skip

IPV4, IPV6, ROUTING, FRAGMENT, OPTIONS = 4, 41, 43, 44, 60


@pytest.fixture
def sids(node: Bench) -> Bench:
    node.my_sid(END + "/128", "end")
    node.my_sid(PSP + "/128", "end_psp")
    node.my_sid(UN + "/48", "un", block_length=32, csid_length=16)
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    return node


def options(next_header: int, units: int = 0) -> bytes:
    return bytes([next_header, units, 1, 4 + 8 * units]) + bytes(4 + 8 * units)


def whole_fragment(next_header: int) -> bytes:
    return bytes([next_header, 0, 0, 0, 0, 0, 0, 77])


def ended(next_header: int, *, kind: int = 4, last_entry: int = 0) -> bytes:
    """A routing header without segments left."""
    header = bytearray(srh_bytes(next_header, 0, [NEXT], last_entry=last_entry))
    header[2] = kind
    return bytes(header)


BEFORE: dict[str, tuple[int, Callable[[int], bytes]]] = {
    # name: the first header; all of them, of which the last names the header behind
    "an ended SRH": (ROUTING, ended),
    "two ended SRHs": (ROUTING, lambda last: ended(ROUTING) + ended(last)),
    "an ended SRH with TLVs": (ROUTING, lambda last: srh_bytes(last, 0, [NEXT], tlvs=bytes([4, 6, 0, 0, 0, 0, 0, 0]))),
    "an ended SRH whose Last Entry lies": (ROUTING, lambda last: ended(last, last_entry=9)),
    "an ended routing header of type 0": (ROUTING, lambda last: ended(last, kind=0)),
    "an ended routing header of a type that nobody knows": (ROUTING, lambda last: ended(last, kind=253)),
    "a whole fragment": (FRAGMENT, whole_fragment),
    "destination options twice": (OPTIONS, lambda last: options(OPTIONS) + options(last, 2)),
    "a whole fragment between options": (
        OPTIONS, lambda last: options(FRAGMENT) + whole_fragment(OPTIONS) + options(last),
    ),
    "six headers": (
        OPTIONS,
        lambda last: options(ROUTING) + ended(FRAGMENT) + whole_fragment(OPTIONS) + 2 * options(OPTIONS)
        + options(last),
    ),
}  # fmt: skip


def behind(name: str, destination: str, header: bytes, *, hop_limit: int = 64) -> Packet:
    """A routing header behind others."""
    first, before = BEFORE[name]
    return extended(destination, first, before(ROUTING) + header, v6(), hop_limit=hop_limit)


@pytest.mark.differs("vpp", MANY_HEADERS, "six headers")
@pytest.mark.parametrize("name", BEFORE)
@pytest.mark.parametrize("sid", [END, UN], ids=["end", "un"])
def test_the_first_list_that_has_segments_left_is_followed(sids: Bench, sid: str, name: str) -> None:
    """RFC 8200, 4.1 and 4.4; RFC 8986, 4.1, S02."""
    left, used = srh_bytes(IPV6, 1, [NEXT, sid]), srh_bytes(IPV6, 0, [NEXT, sid])
    sids.check(1, behind(name, sid, left), 2, behind(name, NEXT, used, hop_limit=63))


@pytest.mark.differs(
    "linux", "End with PSP does not get at every SRH", "an ended SRH", "two ended SRHs", "an ended SRH with TLVs",
    "an ended SRH whose Last Entry lies", "an ended routing header of type 0",
    "an ended routing header of a type that nobody knows", "a whole fragment between options", "six headers",
)  # fmt: skip
@pytest.mark.differs("vpp", MANY_HEADERS, "six headers")
@pytest.mark.parametrize("name", BEFORE)
def test_psp_removes_it_and_nothing_else(sids: Bench, name: str) -> None:
    """RFC 8986, 4.16.1: the header before it names the one behind it."""
    first, before = BEFORE[name]
    removed = extended(NEXT, first, before(IPV6), v6(), hop_limit=63)
    sids.check(1, behind(name, PSP, srh_bytes(IPV6, 1, [NEXT])), 2, removed)


@pytest.mark.differs("vpp", FRAGMENTS, "a whole fragment", "a whole fragment between options", "six headers")
@pytest.mark.parametrize("name", BEFORE)
def test_a_decapsulation_steps_over_all_that_has_ended(sids: Bench, name: str) -> None:
    """RFC 8986, 4.6: Segments Left 0, whatever Last Entry and the type are (RFC 8200, 4.4)."""
    first, before = BEFORE[name]
    sids.check(1, extended(F00D, first, before(IPV6), v6()), 2, v6(hop_limit=63))
    sids.check(1, extended(F004, first, before(IPV4), v4()), 2, v4(ttl=63))


@pytest.mark.differs("linux", "a decapsulation looks at the first routing header only")
@pytest.mark.parametrize("kind", [0, 4, 253])
def test_a_decapsulation_refuses_segments_left_behind_what_has_ended(sids: Bench, kind: int) -> None:
    """RFC 8986, 4.6, S02; RFC 8200, 4.4."""
    left = bytearray(srh_bytes(IPV6, 1, [NEXT]))
    left[2] = kind
    sids.check_not_forwarded(1, extended(F00D, ROUTING, ended(ROUTING) + bytes(left), v6()))


# --- after an end


@pytest.mark.parametrize("way", ["shift", "end"])
def test_what_ends_here_may_enter_a_policy(sids: Bench, way: str) -> None:
    """RFC 8986, 4.6, S04: behind the decapsulation the packet is looked up like one that just came."""
    sids.steer("2001:db8:2::/64", sids.encaps, (1, ["fcbb:bbbb:500:f00d::"]))
    sent = outer("fcbb:bbbb:100:100:f00d::", v6()) if way == "shift" else routed(END, 1, [F00D, END], v6())
    built = [outer("fcbb:bbbb:500:f00d::", v6(hop_limit=hop_limit), hop_limit=63) for hop_limit in (63, 64)]
    sids.check(1, sent, 2, *built)


# --- lengths


def shorter(packet: Packet, left: int, padding: bytes = b"") -> Packet:
    """The same bytes, with a Payload Length that leaves out those behind `left`."""
    changed = IPv6(bytes(packet) + padding)
    changed.plen = left
    return changed


@pytest.mark.differs("vpp", LENGTH)
@pytest.mark.parametrize("left", [0, 8, 39])
def test_nothing_is_decapsulated_behind_the_end_of_the_payload(sids: Bench, left: int) -> None:
    """RFC 8200, 3: bytes behind Payload Length are no part of the packet."""
    sids.check_not_forwarded(1, shorter(outer(F00D, v6()), left))
    sids.check_not_forwarded(1, shorter(outer(F004, v4()), min(left, 19)))


@pytest.mark.parametrize("left", [0, 7, 8, 23])
def test_no_list_is_read_behind_the_end_of_the_payload(sids: Bench, left: int) -> None:
    """RFC 8200, 3."""
    for sid in (END, PSP, UN):
        sids.check_not_forwarded(1, shorter(routed(sid, 1, [NEXT], v6()), left))


@pytest.mark.differs("linux", "inner packets are not checked")
@pytest.mark.differs("vpp", INNER)
def test_an_inner_packet_ends_where_the_payload_does(sids: Bench) -> None:
    """RFC 8200, 3: one that says it is longer is no whole packet, even if padding stands behind it."""
    sids.check_not_forwarded(1, shorter(outer(F00D, v6()), 60))
    sids.check_not_forwarded(1, shorter(outer(F004, v4()), 40))


@pytest.mark.differs("vpp", LENGTH)
def test_padding_behind_the_payload_does_not_come_out(sids: Bench) -> None:
    """RFC 8200, 3."""
    sids.check(1, shorter(outer(F00D, v6()), len(v6()), bytes(40)), 2, v6(hop_limit=63))


@pytest.fixture
def wide(sids: Bench) -> Iterator[Bench]:
    """Links that take the largest packets."""
    if not sids.target.namespace:
        pytest.skip("the node of the command line has the MTU it has")
    _set_mtu(sids, 65_535)
    yield sids
    _set_mtu(sids, 9000)


def _set_mtu(bench: Bench, mtu: int) -> None:
    for number in (1, 2):
        for namespace, side in ((bench.target.namespace, "p"), (bench.target.wire_namespace, "w")):
            netns.ip("link", "set", f"{side}{number}", "mtu", str(mtu), namespace=namespace)


@pytest.mark.differs("vpp", "its ports take frames of up to 9,000 bytes", "0")
@pytest.mark.parametrize("over", [0, 1])
def test_what_does_not_fit_an_outer_header_does_not_enter(wide: Bench, over: int) -> None:
    """RFC 8200, 3: Payload Length has 16 bits."""
    containers = ["fcbb:bbbb:500::", "fcbb:bbbb:600::", "fcbb:bbbb:700:f00d::"]
    wide.steer("2001:db8:2::/64", "h_encaps", (1, containers))
    inner = v6() / Raw(bytes(65_535 - 40 - 8 - 3 * 16 - len(v6()) + over))
    onward = wide.onward(wide.into(1, inner), wide.send(1, inner, at_least=1 - over))
    assert [len(frame.data) for frame in onward] == ([] if over else [14 + 65_535])


# --- a node that pushes and pushes


def test_a_binding_sid_that_leads_into_itself_does_no_harm(node: Bench) -> None:
    """RFC 8986, 4.14: each round is a longer packet; a node must end it, and live."""
    node.sid_list(7, (1, [BINDING] * 6))
    node.my_sid(BINDING + "/128", "b6_encaps_red", sid_list=7)
    entering = routed(BINDING, 1, [NEXT, BINDING], v6())
    assert not node.onward(node.into(1, entering), node.send(1, *[entering] * 20))
    node.check(1, v6(), 2, v6(hop_limit=63))
