# SPDX-License-Identifier: Apache-2.0
"""The headers that count as an SRH at a port outside of the domain that takes none (RFC 8754, 5.1;
docs/reference/edge.md).
"""

import struct
from socket import AF_INET6, inet_pton

import pytest
from nodes.bench import CUT_CHAINS, ROUTING_TYPES, Bench
from nodes.p4runtime import Action, Value
from nodes.packets import H1, H2, PAYLOAD, SOURCE, outer, srh_bytes, v6
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw

SID = "fcbb:bbbb:100:f00d::"
HOP_BY_HOP, ROUTING, FRAGMENT, OPTIONS = 0, 43, 44, 60
UDP, ICMPV6 = 17, 58
OF_A_SID, OF_AN_SRH, OF_A_SOURCE, OF_AN_UNKNOWN_SOURCE = range(4)
ELSEWHERE = ["2001:db8:9::1", "2001:db8:9::2"]
STACK = "neighbor discovery is the node's own: its agent punts by EtherType"
Header = tuple[int, bytes]


@pytest.fixture
def strict(node: Bench) -> Bench:
    """Port 1 is outside and takes no SRH; port 2 is in the domain."""
    node.my_sid(SID + "/64", "udt6", vrf=0)
    node.insert("edge_sid", {"dst": "fcbb:bbbb::/32"}, Action("protect", {}))
    node.insert("edge_source", {"src": "fcff::/16"}, Action("domain_source", {}))
    node.insert("edge_port", {"in_port": 1}, Action("external", {"drop_srh": 1}))
    node.insert("edge_port", {"in_port": 2}, Action("internal", {"known_sources": 1}))
    return node


def drops_as(node: Bench, port: int, packet: Packet, reason: int) -> None:
    """The packet goes nowhere and is counted once, at its port and for that reason."""
    before = dropped(node, port)
    node.check_not_forwarded(port, packet)
    assert [after - earlier for earlier, after in zip(before, dropped(node, port), strict=True)] == [
        int(each == reason) for each in range(4)
    ], bytes(packet).hex()


def dropped(node: Bench, port: int) -> list[int]:
    indexes = range(4 * port, 4 * port + 4)
    counted = node.client.cells("edge_dropped", indexes)
    return [counted[index] for index in indexes]


# --- headers, each as its kind and its bytes, of which the first is the kind of the next one


def options(words: int = 0) -> bytes:
    """Padding options."""
    return bytes([0, words, 1, 4 + 8 * words]) + bytes(4 + 8 * words)


def extension(kind: int) -> Header:
    return kind, options()


def fragment(offset: int = 0, more: int = 0) -> Header:
    return FRAGMENT, struct.pack("!BBHI", 0, 0, offset << 3 | more, 7)


def routing(kind: int, left: int = 0) -> Header:
    return ROUTING, bytes([0, 2, kind, left]) + bytes(20)


def srh(left: int, last_entry: int | None = None) -> Header:
    return ROUTING, srh_bytes(0, left, ELSEWHERE, last_entry=last_entry)


def chain(*headers: Header, protocol: int = UDP, payload: bytes = b"", cut: int = 0, to: str = H2) -> Packet:
    """Headers one behind the other; `cut` bytes of the packet are missing at its end, and its length knows."""
    kinds = [kind for kind, _ in headers] + [protocol]
    data = b"".join(bytes([following]) + header[1:] for (_, header), following in zip(headers, kinds[1:], strict=True))
    data += payload or struct.pack("!HHHH", 4000, 5000, 8 + len(PAYLOAD), 0) + PAYLOAD
    return IPv6(src=H1, dst=to, nh=kinds[0]) / Raw(data[: len(data) - cut])


def onward(packet: Packet) -> Packet:
    sent = packet.copy()
    sent[IPv6].hlim -= 1
    return sent


# --- an SRH, wherever it stands


SRHS = {"left": srh(1), "ended": srh(0), "contradictory": srh(7), "last entry": srh(0, last_entry=9)}
BEFORE = {
    "first": [],
    "hop-by-hop later": [extension(OPTIONS), extension(HOP_BY_HOP)],
    "behind a whole fragment": [fragment(), extension(OPTIONS)],
    "other routing, left": [routing(2, left=1)],
}


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("kind", SRHS)
def test_an_srh_is_found_whatever_it_says(strict: Bench, kind: str, before: str) -> None:
    drops_as(strict, 1, chain(*BEFORE[before], SRHS[kind]), OF_AN_SRH)


def test_a_second_srh_is_one(strict: Bench) -> None:
    drops_as(strict, 1, chain(srh(0), extension(OPTIONS), srh(1)), OF_AN_SRH)


@pytest.mark.differs("vpp", ROUTING_TYPES, "other routing, left")
@pytest.mark.parametrize("before", BEFORE)
def test_headers_without_one_pass(strict: Bench, before: str) -> None:
    packet = chain(*BEFORE[before], extension(OPTIONS))
    strict.check(1, packet, 2, onward(packet))


@pytest.mark.differs("vpp", CUT_CHAINS, "1", "3", "7")
@pytest.mark.parametrize("before", [[extension(OPTIONS)], [fragment(more=1)]], ids=["options", "first fragment"])
@pytest.mark.parametrize("kept", [1, 3, 7, 8, 20])
def test_a_chain_that_is_cut_may_have_held_one(strict: Bench, before: list[Header], kept: int) -> None:
    """Wherever the packet ends."""
    missing = len(srh(1)[1]) + len(PAYLOAD) - kept
    drops_as(strict, 1, chain(*before, srh(1), payload=PAYLOAD, cut=missing), OF_AN_SRH)


# --- beside other decisions of the node


def test_what_the_edge_drops_no_sid_sees(strict: Bench) -> None:
    drops_as(strict, 1, outer(SID, v6(), source=H1), OF_A_SID)
    drops_as(strict, 1, outer(SID, v6(), source=SOURCE), OF_A_SOURCE)
    drops_as(strict, 2, outer(SID, v6(), source=H1), OF_AN_UNKNOWN_SOURCE)
    drops_as(strict, 1, chain(srh(1), to=SID), OF_A_SID)
    (counted,) = strict.client.read("my_sid", counters=True)
    assert counted.counter_data.packet_count == 0


def test_what_a_node_steers_and_ends_itself_is_judged_once(strict: Bench) -> None:
    """A packet that passes the pipeline again is the node's own work, wherever it came from."""
    strict.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    strict.steer("2001:db8:2::/64", strict.encaps, (1, ["fcbb:bbbb:100:200:f00d::"]))
    # Linux leaves the inner hop limit as it is, and VPP has 64 outside (docs/reference/conformance.md).
    accepted = [outer("fcbb:bbbb:200:f00d::", v6(hop_limit=inner), hop_limit=63) for inner in (63, 64)]
    strict.check(1, v6(), 2, *accepted)


# --- headers of the controller


def neighbor_solicitation(*before: Header, to: str) -> Packet:
    """RFC 4861, 4.3: for the node's own address, with the sender's MAC address as its only option."""
    message = bytes([135, 0, 0, 0]) + bytes(4) + inet_pton(AF_INET6, "2001:db8:1::1") + bytes([1, 1, 2, 0, 0, 0, 2, 1])
    packet = chain(*before, protocol=ICMPV6, payload=message, to=to)
    packet[IPv6].hlim = 255
    return packet


@pytest.fixture
def punting(strict: Bench) -> Bench:
    """A switch without a stack of its own, whose controller answers for it."""
    matches: list[dict[str, Value]] = [
        {"ether_type": 0x88CC}, {"ether_type": 0x0806}, {"ip_protocol": ICMPV6, "icmpv6_type": 135},
    ]  # fmt: skip
    for priority, match in enumerate(matches, 1):
        strict.insert("punt", match, Action("to_controller", {}), priority=priority)
    return strict


@pytest.mark.differs("linux", STACK)
@pytest.mark.differs("vpp", STACK)
def test_what_neighbors_ask_still_reaches_the_controller(punting: Bench) -> None:
    lldp = bytes.fromhex("0180c200000e02000000020188cc") + bytes(46)
    arp = bytes.fromhex("ffffffffffff0200000002010806") + bytes(46)
    solicitation = punting.into(1, neighbor_solicitation(to="ff02::1:ff00:1")).data
    for frame in (lldp, arp, solicitation):
        punting.wires.send(punting.into(1, frame))
        assert punting.client.packet_in(5) == (1, frame)


@pytest.mark.differs("linux", STACK)
@pytest.mark.differs("vpp", STACK)
@pytest.mark.parametrize("to", [SID, H2])
@pytest.mark.parametrize("left", [0, 1])
def test_a_solicitation_behind_an_srh_reaches_neither_the_controller_nor_a_sid(
    punting: Bench, left: int, to: str
) -> None:
    packet = neighbor_solicitation((ROUTING, srh_bytes(0, left, [SID])), to=to)
    drops_as(punting, 1, packet, OF_A_SID if to == SID else OF_AN_SRH)
    assert punting.client.packets.empty()
