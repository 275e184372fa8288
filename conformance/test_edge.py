# SPDX-License-Identifier: Apache-2.0
"""The edge of the SR domain (RFC 8754, 5.1; docs/reference/edge.md): the packets from outside that may reach SIDs.

Port 1 is external and port 3 internal; ports 2 and 4 have no role. SIDs of the domain are fcbb:bbbb::/32, its
sources fcff:1::/48; the node is 0100 and decapsulates at fcbb:bbbb:100:f00d::; the rest of the block is behind port 2.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv6Address
from random import Random
from typing import Any

import pytest
from model.edge import Reason
from nodes.bench import AUTHENTICATION, CUT_CHAINS, ROUTING_TYPES, Bench
from nodes.edge_kit import (
    AH,
    BLOCK,
    ELSEWHERE,
    F00D,
    FRAGMENT,
    HOP_BY_HOP,
    INSIDE,
    IPV6_IN,
    NEITHER,
    NOTHING,
    OPTIONS,
    OUTSIDE,
    PEER,
    ROUTING,
    SOURCES,
    UDP_BYTES,
    UDP_IN,
    authentication,
    cells,
    drops,
    forwards,
    fragment,
    hop_further,
    model,
    options,
    other_routing,
    packet,
    passes,
    peer,
    peers,
    port,
    sid,
    source,
    srh,
    strictly,
)
from nodes.oracle import Row
from nodes.packets import H1, H2, SOURCE, outer, routed, v4, v6
from nodes.wire import Frame
from scapy.layers.inet import ICMP, IP
from scapy.layers.inet6 import (
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6ND_NA,
    ICMPv6ND_NS,
    ICMPv6NDOptSrcLLAddr,
    IPv6,
)
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet
from sextantlab import netns

_PACKETS, _BURST, _CHANGES = 300, 20, 60


# --- from outside, to SIDs


@pytest.mark.parametrize(
    "destination", [F00D, "fcbb:bbbb:100:200::", "fcbb:bbbb:100::", ELSEWHERE, "fcbb:bbbb:ffff::1"],
    ids=["decapsulating", "shifted", "empty", "another's", "nobody's"],
)  # fmt: skip
def test_no_sid_of_the_domain_is_reached_from_outside(edge: Bench, destination: str) -> None:
    """RFC 8754, 5.1: also SIDs of other nodes, before the packet gets there."""
    drops(edge, OUTSIDE, Reason.SID, outer(destination, v6(), source=H1))


def test_no_sid_is_reached_from_outside_by_an_srh(edge: Bench) -> None:
    drops(edge, OUTSIDE, Reason.SID, routed("fcbb:bbbb:100::", 1, [F00D, "fcbb:bbbb:100::"], v6(), source=H1))
    drops(edge, OUTSIDE, Reason.SID, routed(F00D, 0, [F00D], v6(), source=H1))


def test_what_goes_elsewhere_passes(edge: Bench) -> None:
    forwards(edge, OUTSIDE, v6())
    forwards(edge, OUTSIDE, outer(H2, v6(), source=H1))


def test_a_port_without_a_role_takes_everything(edge: Bench) -> None:
    passes(edge, NEITHER, outer(F00D, v6(), source=H1), v6(hop_limit=63))
    forwards(edge, NEITHER, v6(SOURCE))


def test_a_port_that_loses_its_role_takes_everything(edge: Bench) -> None:
    drops(edge, OUTSIDE, Reason.SID, outer(F00D, v6(), source=H1))
    edge.delete("edge_port", {"in_port": OUTSIDE})
    passes(edge, OUTSIDE, outer(F00D, v6(), source=H1), v6(hop_limit=63))


def test_a_packet_on_its_last_hop_is_dropped_by_the_edge(edge: Bench) -> None:
    """So that a trace into the domain reveals nothing of its inside."""
    drops(edge, OUTSIDE, Reason.SID, outer(F00D, v6(), source=H1, hop_limit=1))


def test_ipv4_is_not_looked_at(edge: Bench) -> None:
    """IPv4 reaches no SID."""
    before = cells(edge)
    edge.check(OUTSIDE, v4(), 2, v4(ttl=63))
    edge.check(INSIDE, v4(), 2, v4(ttl=63))
    assert cells(edge) == before


def test_the_longest_prefix_decides_what_is_a_sid(edge: Bench) -> None:
    edge.install(
        sid("fcbb:bbbb:200::/48", "reachable"), sid("fcbb:bbbb:200:a::/64"), sid(ELSEWHERE + "/128", "reachable")
    )
    for destination, reason in (
        ("fcbb:bbbb:200:b::1", None), ("fcbb:bbbb:200:a::1", Reason.SID), (ELSEWHERE, None),
        ("fcbb:bbbb:201::1", Reason.SID), ("fcbb:bbbc::1", None),
    ):  # fmt: skip
        sent = outer(destination, v6(), source=H1)
        if reason is not None:
            drops(edge, OUTSIDE, reason, sent)
        elif destination.startswith("fcbb:bbbb:"):
            forwards(edge, OUTSIDE, sent)
        else:
            assert model(edge).judge(OUTSIDE, bytes(sent)).reason is None
    edge.delete("edge_sid", {"dst": "fcbb:bbbb:200:a::/64"})
    forwards(edge, OUTSIDE, outer("fcbb:bbbb:200:a::1", v6(), source=H1))


def test_a_sid_that_is_meant_for_them_is_reached_from_outside(edge: Bench) -> None:
    """RFC 9433, 6.5; by others, too, with foreign sources."""
    edge.install(sid(F00D + "/64", "reachable"))
    passes(edge, OUTSIDE, outer(F00D, v6(), source=H1), v6(hop_limit=63))
    passes(edge, INSIDE, outer(F00D, v6(), source=H1), v6(hop_limit=63))
    drops(edge, OUTSIDE, Reason.SID, outer("fcbb:bbbb:100:200::", v6(), source=H1))


# --- sources


@pytest.mark.parametrize("destination", [H2, F00D, ELSEWHERE])
def test_nobody_outside_speaks_as_the_domain(edge: Bench, destination: str) -> None:
    """RFC 8754, 5.1, whatever else there would be to say against the packet."""
    strictly(edge)
    drops(edge, OUTSIDE, Reason.SOURCE, outer(destination, v6(), source=SOURCE))
    drops(edge, OUTSIDE, Reason.SOURCE, routed(destination, 1, [F00D], v6(), source="fcff:1:0:9::3"))
    forwards(edge, OUTSIDE, v6("fcff:2::1"))


def test_sources_overlap(edge: Bench) -> None:
    edge.install(source("2001:db8:1:8::/64"), source("2001:db8:1:8::8/128"))
    drops(edge, OUTSIDE, Reason.SOURCE, v6("2001:db8:1:8::8"))
    edge.delete("edge_source", {"src": "2001:db8:1:8::/64"})
    forwards(edge, OUTSIDE, v6("2001:db8:1:8::9"))
    drops(edge, OUTSIDE, Reason.SOURCE, v6("2001:db8:1:8::8"))


# --- an SRH that is not the domain's


BEHIND: dict[str, Callable[[bytes], tuple[bytes, int]]] = {
    "nothing": lambda rest: (rest, ROUTING),
    "hop-by-hop options": lambda rest: (options(ROUTING) + rest, HOP_BY_HOP),
    "destination options": lambda rest: (options(ROUTING) + rest, OPTIONS),
    "both": lambda rest: (options(OPTIONS) + options(ROUTING) + rest, HOP_BY_HOP),
    "another routing header": lambda rest: (other_routing(ROUTING) + rest, ROUTING),
    "an authentication header": lambda rest: (authentication(ROUTING) + rest, AH),
    "a fragment header": lambda rest: (fragment(ROUTING) + rest, FRAGMENT),
    "that of a first fragment": lambda rest: (fragment(ROUTING, more=1) + rest, FRAGMENT),
}


@pytest.mark.parametrize("left", [1, 0])
@pytest.mark.parametrize("behind", BEHIND)
def test_an_srh_is_found_behind_other_headers(edge: Bench, behind: str, left: int) -> None:
    """With drop_srh nothing with an SRH enters; without, it passes untouched: its segments are none of the domain's."""
    sent = packet(*BEHIND[behind](srh(left) + UDP_BYTES))
    forwards(edge, OUTSIDE, sent)
    strictly(edge)
    drops(edge, OUTSIDE, Reason.SRH, sent)


HARMLESS = {
    "no header": (UDP_BYTES, UDP_IN),
    "options": (options(OPTIONS) + options(UDP_IN) + UDP_BYTES, HOP_BY_HOP),
    "another routing header": (other_routing(UDP_IN) + UDP_BYTES, ROUTING),
    "an authentication header": (authentication(OPTIONS) + options(UDP_IN) + UDP_BYTES, AH),
    "a whole fragment": (fragment(UDP_IN) + UDP_BYTES, FRAGMENT),
    "a first fragment": (fragment(UDP_IN, more=1) + UDP_BYTES, FRAGMENT),
    "a later fragment": (fragment(UDP_IN, offset=40) + UDP_BYTES, FRAGMENT),
    "a later fragment of options": (fragment(OPTIONS, offset=40, more=1) + bytes([ROUTING, 255]) + bytes(14), FRAGMENT),
    "nothing behind": (options(NOTHING), OPTIONS),
    "an SRH in a packet inside": (bytes(packet(srh() + UDP_BYTES, ROUTING)), IPV6_IN),
}


@pytest.mark.differs("vpp", AUTHENTICATION, "an authentication header")
@pytest.mark.differs("vpp", ROUTING_TYPES, "another routing header")
@pytest.mark.parametrize("name", HARMLESS)
def test_what_has_no_srh_passes(edge: Bench, name: str) -> None:
    strictly(edge)
    forwards(edge, OUTSIDE, packet(*HARMLESS[name]))


def test_an_srh_to_a_reachable_sid_is_an_srh(edge: Bench) -> None:
    """ "whatever their destination"."""
    edge.install(sid(F00D + "/64", "reachable"))
    strictly(edge)
    passes(edge, OUTSIDE, outer(F00D, v6(), source=H1), v6(hop_limit=63))
    drops(edge, OUTSIDE, Reason.SRH, routed(F00D, 0, [F00D], v6(), source=H1))
    drops(edge, OUTSIDE, Reason.SID, routed("fcbb:bbbb:100::", 1, [F00D], v6(), source=H1))


UNREADABLE = {
    "no byte of it": packet(b"", ROUTING),
    "its first bytes": packet(bytes([UDP_IN, 2]), ROUTING),
    "options that go on": packet(bytes([UDP_IN, 200]) + bytes(14), OPTIONS),
    "a header behind the payload's end": packet(options(ROUTING) + srh() + UDP_BYTES, OPTIONS, length=8),
    "a first fragment that ends too early": packet(
        fragment(OPTIONS, more=1) + bytes([ROUTING, 1]) + bytes(6), FRAGMENT
    ),
}


@pytest.mark.differs(
    "vpp", CUT_CHAINS,
    "no byte of it", "its first bytes", "options that go on", "a first fragment that ends too early",
)  # fmt: skip
@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_has_an_srh(edge: Bench, name: str) -> None:
    """A chain that cannot be followed to its end may have anything in it."""
    strictly(edge)
    drops(edge, OUTSIDE, Reason.SRH, UNREADABLE[name])


@pytest.mark.parametrize("name", UNREADABLE)
def test_nobody_asks_for_an_srh_where_it_may_pass(edge: Bench, name: str) -> None:
    before = cells(edge)
    edge.send(OUTSIDE, UNREADABLE[name])
    assert cells(edge) == before


# --- peers


def test_the_edge_is_open_for_a_peer(edge: Bench) -> None:
    """For everything: SIDs, an SRH, sources that are the domain's elsewhere; and counted."""
    edge.install(source("2001:db8:1:7::/64"), peer(OUTSIDE, "2001:db8:1:7::/64"))
    strictly(edge)
    passes(edge, OUTSIDE, outer(F00D, v6(), source=PEER), v6(hop_limit=63))
    forwards(edge, OUTSIDE, packet(srh() + UDP_BYTES, ROUTING, came_from=PEER))
    forwards(edge, OUTSIDE, v6(PEER))
    assert peers(edge) == {"2001:db8:1:7::/64": 3}
    passes(edge, INSIDE, outer(F00D, v6(), source=PEER), v6(hop_limit=63))
    assert peers(edge) == {"2001:db8:1:7::/64": 3}, "counted where nobody asks for peers"
    drops(edge, OUTSIDE, Reason.SID, outer(F00D, v6(), source="2001:db8:1:8::2"))


def test_the_peer_of_another_port_is_none(edge: Bench) -> None:
    edge.install(peer(INSIDE, "2001:db8:1:7::/64"), peer(NEITHER, "2001:db8:1:7::/64"))
    drops(edge, OUTSIDE, Reason.SID, outer(F00D, v6(), source=PEER))
    drops(edge, INSIDE, Reason.UNKNOWN_SOURCE, outer(F00D, v6(), source=PEER))
    edge.modify("edge_port", {"in_port": INSIDE}, port(INSIDE, "external", 0).action)
    passes(edge, INSIDE, outer(F00D, v6(), source=PEER), v6(hop_limit=63))


def test_the_longest_prefix_counts_a_peer(edge: Bench) -> None:
    edge.install(peer(OUTSIDE, "2001:db8:1::/48"), peer(OUTSIDE, "2001:db8:1:7::/64"))
    for sent_by in (PEER, H1, PEER):
        passes(edge, OUTSIDE, outer(F00D, v6(), source=sent_by), v6(hop_limit=63))
    assert peers(edge) == {"2001:db8:1::/48": 1, "2001:db8:1:7::/64": 2}
    edge.delete("edge_peer", {"in_port": OUTSIDE, "src": "2001:db8:1::/48"})
    passes(edge, OUTSIDE, outer(F00D, v6(), source=PEER), v6(hop_limit=63))
    drops(edge, OUTSIDE, Reason.SID, outer(F00D, v6(), source=H1))
    assert peers(edge) == {"2001:db8:1:7::/64": 3}


# --- from inside


def test_sids_are_reached_from_inside_by_sources_of_the_domain(edge: Bench) -> None:
    """RFC 8754, 5.1, the second level."""
    passes(edge, INSIDE, outer(F00D, v6()), v6(hop_limit=63))
    drops(edge, INSIDE, Reason.UNKNOWN_SOURCE, outer(F00D, v6(), source=H1))
    drops(edge, INSIDE, Reason.UNKNOWN_SOURCE, routed("fcbb:bbbb:100::", 1, [F00D], v6(), source=H1))
    forwards(edge, INSIDE, v6())
    forwards(edge, INSIDE, v6(SOURCE))
    forwards(edge, INSIDE, packet(srh() + UDP_BYTES, ROUTING))


def test_an_internal_port_need_not_ask_for_sources(edge: Bench) -> None:
    edge.modify("edge_port", {"in_port": INSIDE}, port(INSIDE, "internal", 0).action)
    passes(edge, INSIDE, outer(F00D, v6(), source=H1), v6(hop_limit=63))


def test_what_the_node_decapsulates_is_not_judged_again(edge: Bench) -> None:
    """A packet inside is one that its headend let in: its destination is a SID and its source no node's."""
    inside = v6(H1, ELSEWHERE)
    passes(edge, INSIDE, outer(F00D, inside), v6(H1, ELSEWHERE, hop_limit=63))
    inside = v6(SOURCE, H2)
    passes(edge, INSIDE, outer(F00D, inside), v6(SOURCE, H2, hop_limit=63))


def test_what_the_node_moves_on_is_not_judged_again(edge: Bench) -> None:
    """A container whose next uSID is this node's, too."""
    sent = outer("fcbb:bbbb:100:100:f00d::", v6())
    passes(edge, INSIDE, sent, v6(hop_limit=63))


# --- packets that are not affected


def test_who_is_no_sid_stays_reachable_from_outside(edge: Bench) -> None:
    """Neighbor discovery, ARP and echo with the router itself; and its errors about packets that do not get on."""
    if edge.target.name != "linux":
        pytest.skip(f"{edge.target.name}: the node has no address of its own in these tests")
    strictly(edge)
    here, there = edge.target.ports[OUTSIDE], "2001:db8:1::1"
    netns.ip("address", "add", f"{there}/64", "dev", "p1", "nodad", namespace=edge.target.namespace)
    netns.ip("address", "add", "10.1.0.1/24", "dev", "p1", namespace=edge.target.namespace)
    try:
        echo = ICMPv6EchoRequest(id=7, seq=1)
        for sent_by, destination in ((H1, there), (link_local(here.neighbor_mac), link_local(here.mac))):
            solicitation = IPv6(src=sent_by, dst=destination, hlim=255) / ICMPv6ND_NS(tgt=destination)
            asked = (
                Ether(src=here.neighbor_mac, dst=here.mac)
                / solicitation
                / ICMPv6NDOptSrcLLAddr(lladdr=here.neighbor_mac)
            )
            assert answer(edge, asked, ICMPv6ND_NA).tgt == destination
            sent = Ether(src=here.neighbor_mac, dst=here.mac) / IPv6(src=sent_by, dst=destination) / echo
            assert answer(edge, sent, ICMPv6EchoReply).id == 7
        sent = Ether(src=here.neighbor_mac, dst="ff:ff:ff:ff:ff:ff") / ARP(
            hwsrc=here.neighbor_mac, psrc="10.1.0.2", pdst="10.1.0.1"
        )
        assert answer(edge, sent, ARP).psrc == "10.1.0.1"
        sent = Ether(src=here.neighbor_mac, dst=here.mac) / IP(src="10.1.0.2", dst="10.1.0.1") / ICMP(id=7)
        assert answer(edge, sent, ICMP).type == 0
    finally:
        netns.ip("address", "flush", "dev", "p1", "scope", "global", namespace=edge.target.namespace)


def link_local(mac: str) -> str:
    """RFC 4291, appendix A."""
    bytes_ = bytes.fromhex(mac.replace(":", ""))
    return str(IPv6Address(b"\xfe\x80" + bytes(6) + bytes([bytes_[0] ^ 2]) + bytes_[1:3] + b"\xff\xfe" + bytes_[3:]))


def answer(node: Bench, frame: Packet, kind: type[Packet]) -> Any:
    """The first layer of that kind that comes back by the port."""
    return node.wires.answer(Frame(OUTSIDE, bytes(frame)), lambda data: Ether(data).getlayer(kind))


# --- rows, while packets pass


@pytest.mark.parametrize(
    ("roles", "builds", "through"),
    [
        ((("external", 0), ("internal", 0)), v6, True),
        ((("external", 1), ("internal", 1)), v6, True),
        ((("external", 0), ("internal", 1)), lambda: outer(F00D, v6(), source=H1), False),
        ((("external", 0), ("external", 1)), lambda: outer(F00D, v6(), source=H1), False),
    ],
    ids=["nothing is lost", "nothing is lost either", "nothing slips in", "nor with another setting"],
)
def test_a_port_changes_its_role_under_traffic(
    edge: Bench, roles: Sequence[tuple[str, int]], builds: Callable[[], Packet], *, through: bool
) -> None:
    """Packets that both roles pass are not lost in between, and those that none passes do not get in."""
    before, sent, came = cells(edge), 0, 0

    def change() -> None:
        for turn in range(_CHANGES):
            edge.modify("edge_port", {"in_port": OUTSIDE}, port(OUTSIDE, *roles[turn % 2]).action)

    change_once = port(OUTSIDE, *roles[0])
    edge.modify("edge_port", change_once.match, change_once.action)
    burst = [builds()] * _BURST
    with ThreadPoolExecutor(1) as beside:
        changed = beside.submit(change)
        while not changed.done() or sent < _PACKETS:
            came += len(
                edge.onward(edge.into(OUTSIDE, burst[0]), edge.send(OUTSIDE, *burst, at_least=_BURST * through))
            )
            sent += _BURST
        changed.result()
    dropped = sum(cells(edge).values()) - sum(before.values())
    assert (came, dropped) == ((sent, 0) if through else (0, sent))


def test_rows_are_read_as_they_were_written(edge: Bench) -> None:
    edge.install(
        sid("fcbb:bbbb:300::/48", "reachable"), sid("::/0", "reachable"), source("2001:db8:f::1/128"),
        peer(OUTSIDE, "2001:db8:1:7::/64"), peer(INSIDE, "::/0"), port(4, "external", 1),
    )  # fmt: skip
    for table in ("edge_port", "edge_sid", "edge_source", "edge_peer"):
        wanted = [edge.client.entry(row.table, row.match, row.action) for row in edge.rows if row.table == table]
        got = edge.client.read(table)
        assert sorted(map(_text, got)) == sorted(map(_text, wanted)), table


def _text(entry: Any) -> str:
    return "\n".join(sorted(str(match) for match in entry.match)) + str(entry.action)


# --- anything


def test_any_packet_under_any_rows(open_node: Bench, seed: int) -> None:
    """Random rows and packets: those that the model lets pass come out as they came, all others are counted as in the
    model.
    """
    random = Random(seed)
    for number in (OUTSIDE, INSIDE):
        open_node.install(port(number, random.choice(["external", "internal"]), random.randrange(2)))
    open_node.install(*_random_rows(random))
    edge = model(open_node)
    before, counted = cells(open_node), peers(open_node)
    for turn in range(_PACKETS // _BURST):
        number = (OUTSIDE, INSIDE)[turn % 2]
        sent = [_random_packet(random) for _ in range(_BURST)]
        verdicts = [edge.judge(number, bytes(one)) for one in sent]
        passing = [one for one, verdict in zip(sent, verdicts, strict=True) if verdict.reason is None]
        got = open_node.send(number, *sent, at_least=len(passing))
        wanted = [open_node.out_of(2, hop_further(one)) for one in passing]
        assert sorted(frame.data for frame in got) == sorted(frame.data for frame in wanted)
        for verdict in verdicts:
            if verdict.reason is not None:
                before[number, verdict.reason] += 1
            if verdict.peer is not None:
                counted[str(verdict.peer)] += 1
    assert cells(open_node) == before
    assert peers(open_node) == counted


def _random_rows(random: Random) -> list[Row]:
    """Prefixes around the addresses of the packets; those of peers at one port only, so that a prefix names one."""
    rows: dict[tuple[str, str], Row] = {}
    for _ in range(12):
        address, bits = random.choice(_ADDRESSES), random.choice([48, 64, 80, 128])
        prefix = str(IPv6Address(int(IPv6Address(address)) >> 128 - bits << 128 - bits)) + f"/{bits}"
        row = random.choice(
            [
                sid(prefix, random.choice(["protect", "reachable"])),
                source(prefix),
                peer(random.choice([OUTSIDE, INSIDE]), prefix),
            ]
        )
        rows.setdefault((row.table, prefix), row)
    return [row for row in rows.values() if row.match not in ({"dst": BLOCK}, {"src": SOURCES})]


_ADDRESSES = [H1, H2, SOURCE, PEER, ELSEWHERE, "fcbb:bbbb:200::1", "fcbb:bbbb:300:a::", "2001:db8:2:5::5", "fcff:1:5::"]
_DESTINATIONS = [H2, ELSEWHERE, "fcbb:bbbb:200::1", "fcbb:bbbb:300:a::", "2001:db8:2:5::5"]


def _random_packet(random: Random) -> Packet:
    """One that the node forwards out of port 2 if the edge lets it pass."""
    build: list[tuple[int, Callable[[int], bytes]]] = [
        (OPTIONS, options), (ROUTING, lambda following: srh(random.randrange(2), following)), (ROUTING, other_routing),
        (FRAGMENT, fragment),
    ]  # fmt: skip
    following, data = UDP_IN, UDP_BYTES
    for _ in range(random.choice([0, 0, 1, 2, 3])):
        kind, header = random.choice(build)
        following, data = kind, header(following) + data
    return packet(data, following, random.choice(_DESTINATIONS), random.choice(_ADDRESSES))
