# SPDX-License-Identifier: Apache-2.0
"""Encapsulated packets from outside are judged where they enter, as if they had come without encapsulation
(docs/reference/edge.md): each kind of decapsulation, with each packet that may not enter.

Outside reaches SIDs that are meant for it, and all of them as a peer. Where the packet inside is taken out, here or at
another node, it would come from inside.
"""

from collections.abc import Callable

import pytest
from model.edge import Reason
from nodes.bench import UNSEEN, Bench
from nodes.edge_kit import (
    AH,
    ELSEWHERE,
    F00D,
    FRAGMENT,
    HOP_BY_HOP,
    INSIDE,
    NEITHER,
    OPTIONS,
    OUTSIDE,
    PEER,
    ROUTING,
    authentication,
    cells,
    drops,
    drops_frame,
    fragment,
    options,
    other_routing,
    packet,
    passes,
    peer,
    sid,
    source,
)
from nodes.mobile_kit import GNB, GNB6, UPF, D, address, gtp, ipv4, ipv6, rule, srh, translate, udp
from nodes.packets import H1, H1_V4, H2, SOURCE, outer, routed, srh_bytes, v4, v6
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet

PLANES = ("sessions",)
F004, D006, DEDUP = "fcbb:bbbb:100:f004::", "fcbb:bbbb:100:d006::", "fcbb:bbbb:100:f101::"
FLOW = 0xC0000009

# By why they may not enter.
FORBIDDEN: dict[str, tuple[Packet, Reason]] = {
    "to a SID of another node": (v6(H1, ELSEWHERE), Reason.SID),
    "to a SID of this node": (v6(H1, "fcbb:bbbb:100:200::"), Reason.SID),
    "in another packet to a SID": (outer("fcbb:bbbb:700::1", v6(), source=H1), Reason.SID),
    "as the domain": (v6(SOURCE, H2), Reason.SOURCE),
    "as the domain to a SID": (v6(SOURCE, ELSEWHERE), Reason.SOURCE),
    "to a next hop": (v6(H1, "fd5e:7e00::2"), Reason.INTERNAL),
    "to a watched list": (v6(H1, "fd5e:7e00::2:0:7"), Reason.INTERNAL),
}
FORBIDDEN_V4 = (v4(H1_V4, "169.254.0.2"), Reason.INTERNAL)


# --- at SIDs that outside may reach


@pytest.fixture
def reachable(edge: Bench) -> Bench:
    """SIDs that are meant for others."""
    edge.my_sid(F004 + "/64", "udt4", vrf=0)
    edge.my_sid(D006 + "/64", "udx6", next_hop=2)
    edge.install(*(sid(one + "/64", "reachable") for one in (F00D, F004, D006, "fcbb:bbbb:300:f00d::")))
    edge.install(sid("fcbb:bbbb:100:100::/64", "reachable"))
    return edge


def behind_options(inner: Packet) -> Packet:
    return packet(options(41) + bytes(inner), OPTIONS, F00D)


# Each with the output for a packet inside that may enter.
TAKEN_OUT: dict[str, Callable[[Packet], Packet]] = {
    "IP in IP": lambda inner: outer(F00D, inner, source=H1),
    "behind an SRH that is done": lambda inner: routed(F00D, 0, [F00D], inner, source=H1),
    "behind options": behind_options,
    "cross-connected": lambda inner: outer(D006, inner, source=H1),
    "moved on before": lambda inner: outer("fcbb:bbbb:100:100:f00d::", inner, source=H1),
    "moved on four times before": lambda inner: outer("fcbb:bbbb:100:100:100:100:f00d::", inner, source=H1),
    "twice": lambda inner: outer(F00D, outer(F00D, inner, source=H1), source=H1),
    "at another node": lambda inner: outer("fcbb:bbbb:300:f00d::", inner, source=H1),
}


@pytest.mark.differs("vpp", UNSEEN)
@pytest.mark.parametrize("inside", FORBIDDEN)
@pytest.mark.parametrize("way", TAKEN_OUT)
def test_what_a_sid_takes_out_is_judged(reachable: Bench, way: str, inside: str) -> None:
    """RFC 8754, 5.1: a SID that is meant for others leads to no other one."""
    inner, reason = FORBIDDEN[inside]
    drops(reachable, OUTSIDE, reason, TAKEN_OUT[way](inner))


@pytest.mark.parametrize("way", [way for way in TAKEN_OUT if way != "at another node"])
def test_what_may_enter_plain_may_enter_inside(reachable: Bench, way: str) -> None:
    passes(reachable, OUTSIDE, TAKEN_OUT[way](v6()), v6(hop_limit=63))


@pytest.mark.differs("vpp", UNSEEN)
def test_ipv4_inside(reachable: Bench) -> None:
    inner, reason = FORBIDDEN_V4
    drops(reachable, OUTSIDE, reason, outer(F004, inner, source=H1))
    before = cells(reachable)
    reachable.check(OUTSIDE, outer(F004, v4(), source=H1), 2, v4(ttl=63))
    assert cells(reachable) == before


@pytest.mark.differs("vpp", UNSEEN)
def test_packets_inside_of_packets_are_read_to_an_end(reachable: Bench) -> None:
    """More of them than are read are dropped, whatever they hold."""
    sent = v6()
    for _ in range(8):
        sent = outer(F00D, sent, source=H1)
    drops(reachable, OUTSIDE, Reason.UNREADABLE, sent)


@pytest.mark.differs("vpp", UNSEEN)
def test_headers_that_end_behind_the_packet_go_to_no_sid(reachable: Bench) -> None:
    """A packet in a kernel may be longer than its Payload Length (RFC 2675)."""
    drops(
        reachable, OUTSIDE, Reason.UNREADABLE, packet(options(41) + bytes(v6(H1, ELSEWHERE)), OPTIONS, F00D, length=0)
    )


def test_a_tunnel_of_others_is_not_looked_into(reachable: Bench) -> None:
    """The edge does not judge packets that no node of the domain decapsulates."""
    for inner, _ in FORBIDDEN.values():
        sent = outer(H2, inner, source=H1)
        further = sent.copy()
        further[IPv6].hlim -= 1
        passes(reachable, OUTSIDE, sent, further)


def test_from_inside_and_without_a_role_nothing_is_looked_into(reachable: Bench) -> None:
    inner = v6(H1, ELSEWHERE)
    for number in (INSIDE, NEITHER):
        passes(reachable, number, outer(F00D, inner), v6(H1, ELSEWHERE, hop_limit=63))


# --- in packets of peers


@pytest.mark.differs("vpp", UNSEEN)
@pytest.mark.parametrize("inside", FORBIDDEN)
@pytest.mark.parametrize("segments", [0, 1])
def test_what_a_peer_brings_in_is_judged(edge: Bench, inside: str, segments: int) -> None:
    """A peer reaches SIDs; its customers do not, whose packets it encapsulates."""
    edge.install(peer(OUTSIDE, "2001:db8:1:7::/64"), source("2001:db8:1:7::/64"))
    inner, reason = FORBIDDEN[inside]
    sent = routed(F00D, 0, [F00D], inner, source=PEER) if segments else outer(F00D, inner, source=PEER)
    drops(edge, OUTSIDE, reason, sent)


# Headers behind an SRH, of which nodes read some and others not.
BEHIND_SRH = {
    "options": (OPTIONS, options(41)),
    "hop-by-hop": (HOP_BY_HOP, options(41)),
    "authentication": (AH, authentication(41)),
    "another routing header": (ROUTING, other_routing(41)),
    "another SRH": (ROUTING, srh_bytes(41, 0, [F00D])),
    "a fragment header": (FRAGMENT, fragment(41)),
    "the header of a first fragment": (FRAGMENT, fragment(41, more=1)),
}


@pytest.mark.differs("vpp", UNSEEN)
@pytest.mark.parametrize("inside", ["to a SID of another node", "as the domain", "to a next hop"])
@pytest.mark.parametrize("name", BEHIND_SRH)
@pytest.mark.parametrize("left", [0, 1])
def test_what_a_peer_brings_in_behind_an_srh_is_judged(edge: Bench, left: int, name: str, inside: str) -> None:
    """A node of the domain takes it out, whatever headers stand between, and whatever this one reads of them."""
    edge.install(peer(OUTSIDE, "2001:db8:1:7::/64"), source("2001:db8:1:7::/64"))
    inner, reason = FORBIDDEN[inside]
    kind, header = BEHIND_SRH[name]
    before = srh_bytes(kind, left, [ELSEWHERE, "fcbb:bbbb:100::"])
    destination = "fcbb:bbbb:100::" if left else ELSEWHERE
    sent = packet(before + header + bytes(inner), ROUTING, destination, PEER)
    drops_frame(edge, OUTSIDE, edge.into(OUTSIDE, sent).data, reason, Reason.UNREADABLE)


def test_a_peer_may_speak_inside_of_a_packet(edge: Bench) -> None:
    """As it may plain, though its prefix is a source of the domain."""
    edge.install(peer(OUTSIDE, "2001:db8:1:7::/64"), source("2001:db8:1:7::/64"))
    passes(edge, OUTSIDE, outer(F00D, v6(PEER), source=PEER), v6(PEER, hop_limit=63))
    passes(edge, OUTSIDE, outer(F00D, v6(), source=PEER), v6(hop_limit=63))


# --- in copies of Live-Live


@pytest.mark.parametrize("inside", FORBIDDEN)
def test_what_a_copy_holds_is_judged(edge: Bench, inside: str) -> None:
    edge.my_sid(DEDUP + "/64", "dedup", vrf=0, path=1)
    edge.install(sid(DEDUP + "/64", "reachable"))
    inner, reason = FORBIDDEN[inside]
    tlv = b"\x7c\x0e\0\x01" + FLOW.to_bytes(4, "big") + (1).to_bytes(8, "big")
    header = srh_bytes(41, 0, [DEDUP], tlvs=tlv)
    drops(edge, OUTSIDE, reason, packet(header + bytes(inner), 43, DEDUP))


# --- in GTP-U of subscribers


@pytest.fixture
def gateway_edge(has_mobile_sessions: None, edge: Bench, uplink4: Bench) -> Bench:
    """GTP over IPv4 to the UPF and over IPv6 to a SID becomes SRv6; both come by an external port."""
    uplink4.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    uplink4.sid_list(3, (1, ["fcbb:bbbb:200:300:f004::"]))
    translate(uplink4, sid_list=3, priority=5)
    uplink4.install(sid("fcbb:bbbb:100:f601::/64", "reachable"))
    return uplink4


CONTAINERS = (bytes.fromhex("01100900"), None)
OVER: dict[str, Callable[[bytes], Packet]] = {
    "IPv4": lambda message: ipv4(message, GNB, UPF),
    "IPv6": lambda message: ipv6(message, GNB6, D),
    "IPv6 behind an SRH": lambda message: ipv6(srh(17, 0, D) + message, GNB6, D, next_header=43),
}


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("inside", FORBIDDEN)
def test_no_subscriber_reaches_a_sid(gateway_edge: Bench, inside: str, over: str) -> None:
    """Nor speaks as the domain, whether or not a session allows its source."""
    inner, reason = FORBIDDEN[inside]
    for container in CONTAINERS:
        drops(gateway_edge, OUTSIDE, reason, OVER[over](gtp(bytes(inner), container=container)))


@pytest.mark.parametrize("over", OVER)
def test_what_a_subscriber_sends_elsewhere_enters(gateway_edge: Bench, over: str) -> None:
    before = cells(gateway_edge)
    got = gateway_edge.send(OUTSIDE, OVER[over](gtp(bytes(v6()))), at_least=1)
    assert [frame.port for frame in got] == [2]
    assert bytes(v6()) in got[0].data
    assert cells(gateway_edge) == before


# G-PDUs that SRv6 cannot say, which a rule carries whole.
ODD = {
    "a container of two words": bytes.fromhex("00000085 0210090000000000"),
    "another extension": bytes.fromhex("00000040 01086800"),
    "an extension behind a container": bytes.fromhex("00000085 01100940 01086800"),
    "a container behind an extension": bytes.fromhex("00000040 01086885 01100900"),
    "a number, and bits of others in the container": bytes.fromhex("00070085 011f8900"),
}


@pytest.fixture
def carrying_edge(gateway_edge: Bench) -> Bench:
    """GTP to the SID that SRv6 cannot say travels whole."""
    rule(gateway_edge, 4, "carry", {"dst": address(D)}, sid_list=2)
    return gateway_edge


def at_the_sid(inner: bytes, odd: str) -> Packet:
    return ipv6(gtp(inner, optional=ODD[odd]), GNB6, D)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("inside", FORBIDDEN)
def test_no_subscriber_reaches_a_sid_by_what_is_carried(carrying_edge: Bench, inside: str, odd: str) -> None:
    """The end of the slice may decapsulate packets that this gateway does not translate."""
    inner, reason = FORBIDDEN[inside]
    drops(carrying_edge, OUTSIDE, reason, at_the_sid(bytes(inner), odd))


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "inner", [bytes(v6()), bytes(v4()), b"an Ethernet frame, say, of a session"], ids=["IPv6", "IPv4", "no IP packet"]
)
def test_what_is_carried_enters(carrying_edge: Bench, inner: bytes, odd: str) -> None:
    sent, before = at_the_sid(inner, odd), cells(carrying_edge)
    got = carrying_edge.send(OUTSIDE, sent, at_least=1)
    assert [frame.port for frame in got] == [2]
    assert bytes(sent.payload) in got[0].data
    assert cells(carrying_edge) == before


@pytest.mark.parametrize("over", OVER)
def test_ipv4_of_a_subscriber(gateway_edge: Bench, over: str) -> None:
    inner, reason = FORBIDDEN_V4
    drops(gateway_edge, OUTSIDE, reason, OVER[over](gtp(bytes(inner))))


def test_gtp_behind_a_sid_of_ipv4(gateway_edge: Bench) -> None:
    """Decapsulated, and then taken out of GTP."""
    gateway_edge.my_sid(F004 + "/64", "udt4", vrf=0)
    gateway_edge.install(sid(F004 + "/64", "reachable"))
    inner, reason = FORBIDDEN["to a SID of another node"]
    drops(gateway_edge, OUTSIDE, reason, outer(F004, ipv4(gtp(bytes(inner)), GNB, UPF), source=H1))


def test_gtp_of_others_is_not_looked_into(gateway_edge: Bench) -> None:
    """That no rule takes, or that is carried as it is."""
    inner = bytes(FORBIDDEN["to a SID of another node"][0])
    elsewhere = ipv4(gtp(inner), GNB, "198.51.100.9")
    before = cells(gateway_edge)
    gateway_edge.delete_all("gtp_rule", lambda row: "dst" not in row.match)
    gateway_edge.check(OUTSIDE, elsewhere, 2, ipv4(gtp(inner), GNB, "198.51.100.9", ttl=63))
    assert cells(gateway_edge) == before


def test_udp_that_is_no_gtp_goes_on(gateway_edge: Bench) -> None:
    """Other ports, other messages, other versions: there is nothing inside."""
    inner = bytes(FORBIDDEN["to a SID of another node"][0])
    before = cells(gateway_edge)
    for message in (udp(gtp(inner)[8:], port=2153), gtp(inner, kind=26), gtp(inner, flags=0x48)):
        gateway_edge.send(OUTSIDE, ipv4(message, GNB, UPF))
    assert cells(gateway_edge) == before
