# SPDX-License-Identifier: Apache-2.0
"""Packets that may not enter a policy, and those that may not leave one: packets that no router forwards, programs that
are not finished, headers that contradict themselves (RFC 8986, 4 and 5; RFC 8200, 4.4; RFC 4291, 2.5; RFC 1812, 5.3).
"""

import pytest
from nodes.bench import ADDRESSES, INNER, Bench
from nodes.p4runtime import Action
from nodes.packets import H1, H1_V4, H2, H2_V4, extended, outer, srh_bytes, v4, v6
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet

F00D, F004, D006, D004 = (f"fcbb:bbbb:100:{sid}::" for sid in ("f00d", "f004", "d006", "d004"))
ENDS = {"udt6": F00D, "udt4": F004, "udx6": D006, "udx4": D004}
NEXT = "fcbb:bbbb:9::"
IPV4, IPV6, ROUTING = 4, 41, 43
BEHIND = "what was decapsulated on the node enters a policy without passing a hook of netfilter"
UNCHECKED = "seg6_local decapsulates without looking at the inner packet"


@pytest.fixture
def ends(node: Bench) -> Bench:
    """A node that decapsulates in four ways."""
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.my_sid(D006 + "/64", "udx6", next_hop=2)
    node.my_sid(D004 + "/64", "udx4", next_hop=2)
    return node


@pytest.fixture
def headend(node: Bench) -> Bench:
    """A node that steers packets for the customers behind port 2, and ends policies, too."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.sid_list(1, (1, ["fcbb:bbbb:200:f00d::"]))
    for table, prefix in (("steering_v6", "2001:db8:2::/64"), ("steering_v4", "10.2.0.0/24")):
        node.insert(table, {"vrf": 0, "dst": prefix}, Action(node.encaps, {"sid_list": 1}))
    return node


def inside(action: str) -> Packet:
    return v6() if action.endswith("6") else v4()


# --- unfinished programs


@pytest.mark.parametrize("action", ENDS)
@pytest.mark.parametrize(("left", "last_entry"), [(1, 1), (2, 1), (255, 1), (1, 255), (3, 0)])
def test_no_sid_decapsulates_with_segments_left(ends: Bench, action: str, left: int, last_entry: int) -> None:
    """RFC 8986, 4.4 to 4.7, S02: whether or not the list is in order."""
    sid, inner = ENDS[action], inside(action)
    srh = srh_bytes(IPV6 if action.endswith("6") else IPV4, left, [NEXT, sid], last_entry=last_entry)
    ends.check_not_forwarded(1, extended(sid, ROUTING, srh, inner))


@pytest.mark.parametrize("kind", [0, 2, 3, 253])
def test_no_sid_decapsulates_behind_another_routing_header_with_segments_left(ends: Bench, kind: int) -> None:
    """RFC 8200, 4.4."""
    header = bytes([IPV6, 2, kind, 1, 0, 0, 0, 0]) + bytes(16)
    ends.check_not_forwarded(1, extended(F00D, ROUTING, header, v6()))


def test_a_program_that_is_finished_is_decapsulated_beside_them(ends: Bench) -> None:
    ends.check(1, extended(F00D, ROUTING, srh_bytes(IPV6, 0, [F00D]), v6()), 2, v6(hop_limit=63))
    ends.check(1, extended(F004, ROUTING, srh_bytes(IPV4, 0, [F004]), v4()), 2, v4(ttl=63))


def test_a_shift_among_decapsulating_sids_goes_on_with_segments_left(ends: Bench) -> None:
    """RFC 9800, 4.1.1: the list is for packets that come at its turn."""
    srh = srh_bytes(IPV6, 1, [NEXT])
    sent = extended("fcbb:bbbb:100:200::", ROUTING, srh, v6())
    ends.check(1, sent, 2, extended("fcbb:bbbb:200::", ROUTING, srh, v6(), hop_limit=63))


def test_a_longer_sid_within_a_decapsulating_prefix_has_segments_left(node: Bench) -> None:
    """The longest match decides the behavior for a packet."""
    node.my_sid("fcbb:bbbb:101::/48", "udt6", vrf=0)
    node.my_sid("fcbb:bbbb:101:e::/128", "end")
    srh, follows = srh_bytes(IPV6, 1, [NEXT]), srh_bytes(IPV6, 0, [NEXT])
    sent = extended("fcbb:bbbb:101:e::", ROUTING, srh, v6())
    node.check(1, sent, 2, extended(NEXT, ROUTING, follows, v6(), hop_limit=63))
    node.check_not_forwarded(1, extended("fcbb:bbbb:101::", ROUTING, srh, v6()))


@pytest.mark.differs("linux", "seg6_validate_srh reads Pad1 as if it had a length", "pad1")
@pytest.mark.parametrize(
    "tlvs", [bytes([0, 124, 5, *range(5)]), bytes([4, 6, *bytes(6)])], ids=["pad1", "padn"]
)  # a TLV of 5 bytes that is not known, behind Pad1
def test_padding_of_an_srh_is_no_reason_to_drop(node: Bench, tlvs: bytes) -> None:
    """RFC 8754, 2.1.1.1 and 2.1.1.2: Pad1 is a single byte."""
    node.my_sid("fcbb:bbbb:1:e::/128", "end")
    sent, became = (srh_bytes(IPV6, left, [NEXT], tlvs=tlvs) for left in (1, 0))
    node.check(
        1, extended("fcbb:bbbb:1:e::", ROUTING, sent, v6()), 2, extended(NEXT, ROUTING, became, v6(), hop_limit=63)
    )


# --- packets that no router forwards


@pytest.mark.differs("vpp", "VPP encapsulates what is on its last hop", "1")
@pytest.mark.parametrize("ttl", [0, 1])
def test_ipv4_on_its_last_hop_does_not_enter_a_policy(headend: Bench, ttl: int) -> None:
    """RFC 1812, 5.3.1."""
    headend.check_not_forwarded(1, v4(ttl=ttl))


@pytest.mark.differs("vpp", ADDRESSES)
@pytest.mark.parametrize("source", ["fe80::1", "febf::9", "::"])
def test_ipv6_sources_that_do_not_leave_their_link_do_not_enter_a_policy(headend: Bench, source: str) -> None:
    """RFC 4291, 2.5.2 and 2.5.6."""
    headend.check_not_forwarded(1, v6(source, H2))


@pytest.mark.differs("vpp", ADDRESSES)
def test_an_ipv4_source_that_does_not_leave_its_link_does_not_enter_a_policy(headend: Bench) -> None:
    """RFC 3927, 2.6.2 and 7."""
    headend.check_not_forwarded(1, v4("169.254.77.9"))


def test_others_enter_it_beside_them(headend: Bench) -> None:
    accepted = [
        outer("fcbb:bbbb:200:f00d::", v6("fec0::1", H2, hop_limit=hop_limit), hop_limit=63) for hop_limit in (63, 64)
    ]
    headend.check(1, v6("fec0::1", H2), 2, *accepted)
    assert len(headend.send(1, v4(ttl=2), at_least=1)) == 1


@pytest.mark.differs("linux", BEHIND)
@pytest.mark.differs("vpp", "VPP encapsulates what is on its last hop")
@pytest.mark.parametrize("ttl", [0, 1])
def test_ipv4_on_its_last_hop_does_not_go_from_one_policy_into_the_next(headend: Bench, ttl: int) -> None:
    headend.check_not_forwarded(1, outer(F004, v4(ttl=ttl)))


@pytest.mark.differs("linux", BEHIND)
@pytest.mark.differs("vpp", ADDRESSES)
def test_a_link_local_source_does_not_go_from_one_policy_into_the_next(headend: Bench) -> None:
    headend.check_not_forwarded(1, outer(F00D, v6("fe80::1", H2)))


# --- the inner packet of a decapsulation


def _inner(family: int, change: str) -> Packet:
    """A packet that a router would drop on arrival."""
    packet = (IPv6 if family == IPV6 else IP)(bytes(v6(H1, H2) if family == IPV6 else v4(H1_V4, H2_V4)))
    if change == "version":
        packet.version = 5
    elif change == "too long" and family == IPV6:
        packet.plen += 8
    elif change == "too long":
        packet.len += 8
        packet.chksum = None
    elif change == "checksum":
        packet.chksum ^= 0x0101
    elif change == "header too short":
        packet.ihl, packet.chksum = 4, None
    return packet.__class__(bytes(packet))


@pytest.mark.differs("linux", UNCHECKED)
@pytest.mark.differs("vpp", INNER)
@pytest.mark.parametrize("change", ["version", "too long"])
def test_an_ipv6_packet_that_is_none_does_not_leave_a_policy(ends: Bench, change: str) -> None:
    """RFC 8200, 3: the payload is as long as the header says."""
    sent = extended(F00D, IPV6, b"", v6())
    sent = IPv6(bytes(sent)[:40] + bytes(_inner(IPV6, change)))
    ends.check_not_forwarded(1, sent)


@pytest.mark.differs("linux", UNCHECKED)
@pytest.mark.differs("vpp", INNER)
@pytest.mark.parametrize("change", ["version", "too long", "checksum", "header too short"])
def test_an_ipv4_packet_that_is_none_does_not_leave_a_policy(ends: Bench, change: str) -> None:
    """RFC 1812, 5.2.2."""
    sent = IPv6(bytes(outer(F004, v4()))[:40] + bytes(_inner(IPV4, change)))
    ends.check_not_forwarded(1, sent)
