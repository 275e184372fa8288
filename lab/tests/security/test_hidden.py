# SPDX-License-Identifier: Apache-2.0
"""SIDs are not reached by packets with a hidden destination: behind tags or headers, inside a peer's tunnel or GTP-U;
nor are the addresses that nodes use inside themselves."""

import json
import struct
from collections.abc import Iterator, Sequence

import pytest
from attack import Attack, sids
from outside import MARK, Outsider, inner
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, PadN
from scapy.packet import Packet, Raw
from sextantlab.counters import Counters
from slices import Json, Mobile, network
from story import Story

F00D, L1 = "fcbb:bbbb:200:f00d::", "fcff:1::1"
_TAGS = (0x8100, 0x88A8)
_GTP_PORT = 2152
SLICE: Json = {
    "name": "attacked", "mode": "enhanced", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]},
    "core": {"anchor": "u1", "upfs": ["198.51.100.1"]}, "uplink": {"hops": ["a1", "a2"]}, "default": True,
}  # fmt: skip


def _members(story: Story) -> list[str]:
    return [member.name for member in story.lab.network.members]


def _addresses(counters: dict[str, Counters]) -> list[str]:
    """A SID of each behavior and node, the first of its prefix."""
    return sorted({str(sid.network_address) for held in sids(counters).values() for sid in held})


# --- behind tags


def _tagged(outsider: Outsider, packet: Packet, count: int, kinds: Sequence[int]) -> bytes:
    macs = bytes.fromhex((outsider.router + outsider.host.mac).replace(":", ""))
    tags = b"".join(struct.pack("!HH", kinds[at % len(kinds)], 0) for at in range(count))
    return macs + tags + b"\x86\xdd" + bytes(packet)


def test_no_host_reaches_a_sid_behind_tags(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider]
) -> None:
    """A kernel takes any number of them off."""
    attack = Attack(story, _members(story), counters, "UNREADABLE")
    for outsider in outsiders:
        victim = next(other.address for other in outsiders if other.node != outsider.node)
        packets = [
            IPv6(src=source, dst=sid) / inner(source, victim)
            for sid in [F00D, "fcbb:bbbb:500:f00d::", "fcbb:bbbb:300:f00d::"]
            for source in (outsider.address, L1)
        ]
        attack.send(
            outsider,
            (
                _tagged(outsider, packet, count, kinds)
                for packet in packets
                for count in (4, 5, 8, 30)
                for kinds in (_TAGS[:1], _TAGS[1:], _TAGS)
            ),
        )
    attack.check()


def test_no_host_hides_behind_headers(story: Story, counters: dict[str, Counters], outsiders: list[Outsider]) -> None:
    """Also on the way to a host, where an SRH could stand behind more headers than are read."""
    attack = Attack(story, _members(story), counters, "UNREADABLE")
    for outsider in outsiders:
        victim = next(other.address for other in outsiders if other.node != outsider.node)
        hidden = IPv6(src=outsider.address, dst=victim)
        for _ in range(24):
            hidden /= IPv6ExtHdrDestOpt(options=[PadN()])
        attack.send(outsider, [hidden / UDP(sport=4242, dport=4242) / MARK] * 20)
    attack.check()


# --- addresses that nodes use inside themselves


def test_no_host_reaches_a_next_hop_or_a_probe(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider]
) -> None:
    """Neighbors use the same ids for each other, and would return such a packet until its hop limit ends."""
    attack = Attack(story, _members(story), counters, "INTERNAL")
    six = [f"fd5e:7e00::{number:x}" for number in range(1, 9)] + [f"fd5e:7e00::2:0:{number}" for number in range(1, 9)]
    for outsider in outsiders:
        packets: list[Packet] = []
        for address in six:
            packet = inner(outsider.address, address)
            packet[UDP].dport = 862
            packet[IPv6].hlim = 255
            packets.append(packet)
        attack.send(outsider, packets)
        four = IP(src=outsider.host.address(4), dst="169.254.0.1", ttl=255) / UDP(dport=862) / MARK
        attack.send(outsider, [four] * 20)
    attack.check()


# --- in a peer's tunnel


@pytest.fixture
def peered(story: Story, outsiders: list[Outsider]) -> Iterator[Outsider]:
    """A host whose edge is open for a prefix behind it."""
    outsider = next(one for one in outsiders if one.node == "l1")
    body = {"name": "peered", "sources": ["2001:db8:a::/48"], "ports": [f"{outsider.node}/{outsider.port}"]}
    story.rest.call("POST", "/srv6/edge/peers", json.dumps(body).encode()).expect(200, 201)
    yield outsider
    story.rest.delete("/srv6/edge/peers/peered")


@pytest.mark.parametrize(("source", "reason"), [("2001:db8:b::1", "SID"), (L1, "SOURCE")])
def test_no_customer_of_a_peer_reaches_a_sid(
    story: Story, counters: dict[str, Counters], peered: Outsider, source: str, reason: str
) -> None:
    """The peer may send to SIDs; packets that it carries for others may not reach them."""
    attack = Attack(story, _members(story), counters, reason)
    attack.send(
        peered,
        (
            IPv6(src="2001:db8:a::1", dst=F00D) / IPv6(src=source, dst=sid) / inner(source, peered.address)
            for sid in _addresses(counters)
        ),
    )
    attack.check()


# --- in GTP-U


@pytest.fixture(scope="module")
def mobile() -> Iterator[Mobile]:
    with network() as one:
        one.slice(SLICE)
        yield one


@pytest.fixture(scope="module")
def mobile_counters(mobile: Mobile) -> Iterator[dict[str, Counters]]:
    of = {node.name: Counters(node, mobile.lab.tls) for node in mobile.lab.network.nodes}
    yield of
    for one in of.values():
        one.close()


@pytest.mark.parametrize(
    ("source", "destination", "reason"),
    [
        ("2001:db8:60::1", None, "SID"),
        ("fcff:1::1", None, "SOURCE"),
        ("2001:db8:60::1", "fcbb:bbbb:700::1", "SID"),
        ("2001:db8:60::1", "fd5e:7e00::1", "INTERNAL"),
    ],
    ids=["SIDs", "as the domain", "a SID of nobody", "a next hop"],
)
def test_no_subscriber_reaches_a_sid(
    mobile: Mobile, mobile_counters: dict[str, Counters], source: str, destination: str | None, reason: str
) -> None:
    """With its own source or the domain's, at each gNB, whether or not there is a session."""
    members = [member.name for member in mobile.lab.network.members]
    attack = Attack(mobile.lab, members, mobile_counters, reason)
    for name in ("gnb1", "gnb2"):
        outsider = Outsider(mobile.lab, mobile.lab.network.host(name))
        try:
            attack.send(
                outsider,
                (
                    IP(src=outsider.host.address(4), dst="198.51.100.1") / UDP(sport=_GTP_PORT, dport=_GTP_PORT)
                    / Raw(_g_pdu(bytes(inner(source, sid)), container=container))
                    for sid in ([destination] if destination else _addresses(mobile_counters))
                    for container in (True, False)
                ),
            )  # fmt: skip
        finally:
            outsider.close()
    attack.check()


def _g_pdu(payload: bytes, *, container: bool) -> bytes:
    """TS 29.281, 5.1; with the PDU Session Container of an uplink (TS 38.415, 5.5.2)."""
    optional = bytes.fromhex("00000085 01100900") if container else b""
    return struct.pack("!BBHI", 0x34 if container else 0x30, 255, len(optional + payload), 0x1001) + optional + payload
